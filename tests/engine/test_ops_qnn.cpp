#include <QtTest>

#include <cmath>

#include "engine/ops/quantization.h"
#include "engine/passes/lower_whole_operators.h"
#include "tests/engine/op_testing.h"
#include "tests/engine/relay_testing.h"
#include "tests/engine/same_outputs.h"
#include "tests/registry.h"

namespace test_ops_qnn {

using namespace partita;
using namespace partita::testing;

namespace {

using Numbers = std::vector<double>;

Numbers run(const std::string& name, const std::vector<Argument>& arguments, const NamedAttributes& given = {}) {
    auto results = run_op(name, arguments, given);
    if (!results) {
        qWarning("%s: %s", name.c_str(), results.error().message.c_str());
        return {};
    }
    return numbers((*results)[0]);
}

Tensor real(double value) { return floats({}, {value}); }
Tensor whole(double value) { return int32s({}, {value}); }

}  // namespace

class TestOpsQnn : public QObject {
    Q_OBJECT
private slots:
    void quantizeRoundsAndClips() {
        QCOMPARE(run("qnn.quantize", {floats({5}, {-100, -0.25, 0.25, 0.74, 100}), real(0.5), whole(3)},
                     {{"out_dtype", kInt8}}),
                 (Numbers{-128, 2, 4, 4, 127}));
        QCOMPARE(run("qnn.quantize", {floats({2, 2}, {1, 1, 2, 2}), floats({2}, {0.5, 0.25}), int32s({2}, {0, 10})},
                     {{"out_dtype", kUInt8}, {"axis", 1}}),
                 (Numbers{2, 14, 4, 18}));
    }

    void dequantizeUndoesIt() {
        QCOMPARE(run("qnn.dequantize", {tensor(kUInt8, {3}, {0, 128, 255}), real(0.5), whole(128)}),
                 (Numbers{-64, 0, 63.5}));
        QCOMPARE(run("qnn.dequantize", {tensor(kInt8, {2, 1}, {4, 4}), floats({2}, {1, 2}), int32s({2}, {0, 1})},
                     {{"axis", 0}}),
                 (Numbers{4, 6}));
    }

    void requantizeRoundsHalvesAsAsked() {
        Tensor data = int32s({6}, {-3, -1, 0, 1, 3, 1000});
        NamedAttributes upward{{"out_dtype", kInt8}, {"rounding", "UPWARD"}},
            nearest{{"out_dtype", kInt8}, {"rounding", "TONEAREST"}};
        // Half of each: -1.5, -0.5, 0, 0.5, 1.5, 500.
        QCOMPARE(run("qnn.requantize", {data, real(0.5), whole(0), real(1), whole(0)}, upward),
                 (Numbers{-1, 0, 0, 1, 2, 127}));
        QCOMPARE(run("qnn.requantize", {data, real(0.5), whole(0), real(1), whole(0)}, nearest),
                 (Numbers{-2, -1, 0, 1, 2, 127}));
        for (const char* compute : {"int64", "float32", "float64"}) {
            // Beyond 2^24 a float32 holds even numbers only.
            QCOMPARE(run("qnn.requantize", {int32s({1}, {16777217}), real(2), whole(0), real(1), whole(0)},
                         {{"out_dtype", kInt32}, {"compute_dtype", compute}}),
                     (Numbers{compute == std::string("float32") ? 33554432.0 : 33554434.0}));
            nearest.emplace_back("compute_dtype", compute);
            QCOMPARE(run("qnn.requantize", {data, real(0.5), whole(0), real(1), whole(0)}, nearest),
                     (Numbers{-2, -1, 0, 1, 2, 127}));
        }
    }

    /// Relay has no such rounding: arithmetic stands for it there.
    void requantizeRoundsHalvesToEven() {
        const Tensor data = int32s({2, 4}, {-3, -1, 1, 1000, 3, 5, -7, 16777217});
        QCOMPARE(run("qnn.requantize", {data, real(0.5), whole(0), real(1), whole(0)},
                     {{"out_dtype", kInt8}, {"rounding", "TOEVEN"}, {"compute_dtype", "float32"}}),
                 (Numbers{-2, 0, 0, 127, 2, 2, -4, 127}));
        QVERIFY(!run_op("qnn.requantize", {data, real(0.5), whole(0), real(1), whole(0)},
                        {{"out_dtype", kInt8}, {"rounding", "TOEVEN"}}));
        for (const char* type : {"int8", "uint8", "int32"}) {
            const Module module = typed_module(
                "def @main(%x: Tensor[(2, 4), int32], %s: Tensor[(4), float32]) { qnn.requantize(%x, %s, 3, 0.25f, 7, "
                "axis=1, rounding=\"TOEVEN\", compute_dtype=\"float32\", out_dtype=\"" +
                std::string(type) + "\") }");
            const std::map<std::string, Tensor> inputs{{"x", data}, {"s", floats({4}, {0.125, 0.125, 0.375, 1})}};
            const Result<Module> lowered = lower_whole_operators(module);
            QVERIFY2(bool(lowered), message_of(lowered).c_str());
            QCOMPARE(whole_operator_calls(module), size_t(1));
            QCOMPARE(whole_operator_calls(*lowered), size_t(0));
            const auto as_one = outputs_of(module, inputs), as_parts = outputs_of(*lowered, inputs);
            QVERIFY2(bool(as_one) && bool(as_parts), (message_of(as_one) + message_of(as_parts)).c_str());
            QCOMPARE(numbers((*as_parts)[0]), numbers((*as_one)[0]));
        }
    }

    void requantizeMovesZeroPointsAndScalesByChannel() {
        QCOMPARE(run("qnn.requantize",
                     {tensor(kUInt8, {2, 2}, {10, 10, 20, 20}), floats({2}, {1, 2}), whole(10), real(1), whole(5)},
                     {{"out_dtype", kUInt8}, {"axis", 1}}),
                 (Numbers{5, 5, 15, 25}));
        QCOMPARE(run("qnn.requantize", {int32s({2}, {7, -7}), real(1), whole(0), real(1), whole(1)},
                     {{"out_dtype", kInt32}}),
                 (Numbers{8, -6}));
    }

    void requantizeIsTheRoundedProductForManyScales() {
        // The fixed-point factor has 31 bits: the result is the rounded real product, except near ties.
        for (double factor : {0.0003, 0.01, 0.37, 0.5, 0.99, 1.7, 12.5}) {
            float scale = float(factor);
            for (int number : {-100000, -1234, -1, 0, 1, 77, 54321}) {
                Numbers result = run("qnn.requantize",
                                     {int32s({1}, {double(number)}), floats({}, {scale}), whole(0), real(1), whole(0)},
                                     {{"out_dtype", kInt32}});
                double exact = double(scale) * number;
                QVERIFY(std::fabs(result.at(0) - exact) <= 0.5 + 1e-3);
            }
        }
    }

    void fixedPointHas31BitsAndAShift() {
        QCOMPARE(to_fixed_point(0.5).multiplier, 1 << 30);
        QCOMPARE(to_fixed_point(0.5).shift, 0);
        QCOMPARE(to_fixed_point(1).shift, 1);
        QCOMPARE(to_fixed_point(0).multiplier, 0);
    }

    void scalesThatGiveNoFactorAreRefused() {
        QVERIFY(!run_op("qnn.requantize", {int32s({1}, {1}), real(1), whole(0), real(0), whole(0)},
                        {{"out_dtype", kInt8}}));
        // A factor of 2^-60 leaves nothing.
        QCOMPARE(run("qnn.requantize", {int32s({1}, {1 << 30}), real(std::ldexp(1, -60)), whole(0), real(1), whole(4)},
                     {{"out_dtype", kInt8}}),
                 (Numbers{4}));
    }

    void addSubtractAndMulGoThroughTheOutputsScale() {
        Tensor x = tensor(kUInt8, {2}, {10, 20}), y = tensor(kUInt8, {2}, {30, 40});
        QCOMPARE(run("qnn.add", {x, y, real(1), whole(0), real(1), whole(0), real(1), whole(0)}), (Numbers{40, 60}));
        // (10 - 5) * 0.5 + (30 - 10) * 1 = 22.5, in units of 1 with zero point 2: 3 (2.5 up) + 20 + 2.
        QCOMPARE(run("qnn.add", {x, y, real(0.5), whole(5), real(1), whole(10), real(1), whole(2)}), (Numbers{25, 40}));
        QCOMPARE(run("qnn.subtract", {y, x, real(1), whole(0), real(1), whole(0), real(1), whole(1)}),
                 (Numbers{21, 21}));
        QCOMPARE(run("qnn.mul", {x, y, real(0.5), whole(0), real(0.5), whole(30), real(1), whole(0)}),
                 (Numbers{0, 50}));
        // Axes are those of scales by channel; one scale has none.
        const NamedAttributes axes{{"lhs_axis", 0}, {"rhs_axis", 1}};
        Tensor square = tensor(kUInt8, {1, 2}, {10, 20});
        QCOMPARE(run("qnn.mul", {square, square, real(0.5), whole(0), real(0.5), whole(0), real(1), whole(0)}, axes),
                 (Numbers{25, 100}));
        QVERIFY(!run_op("qnn.mul",
                        {square, square, real(1), whole(0), floats({2}, {1, 2}), whole(0), real(1), whole(0)}, axes));
        // One of the two may be the same along the last axis.
        const auto sum = [&](const Tensor& left, const Tensor& right) {
            return run("qnn.add", {left, right, real(1), whole(0), real(1), whole(0), real(1), whole(0)});
        };
        const Tensor table = tensor(kUInt8, {2, 3}, {1, 2, 3, 4, 5, 6}), column = tensor(kUInt8, {2, 1}, {10, 20});
        QCOMPARE(sum(table, column), (Numbers{11, 12, 13, 24, 25, 26}));
        QCOMPARE(sum(column, table), (Numbers{11, 12, 13, 24, 25, 26}));
        QCOMPARE(run("qnn.add", {tensor(kUInt8, {1}, {255}), tensor(kUInt8, {1}, {255}), real(1), whole(0), real(1),
                                 whole(0), real(1), whole(0)}),
                 (Numbers{255}));
    }

    void concatenateBringsAllIntoOneScale() {
        std::vector<Tensor> data{tensor(kUInt8, {1}, {10}), tensor(kUInt8, {2}, {10, 20})};
        std::vector<Tensor> scales{real(1), real(0.5)}, zeros{whole(0), whole(10)};
        QCOMPARE(run("qnn.concatenate", {data, scales, zeros, real(1), whole(1)}, {{"axis", 0}}), (Numbers{11, 1, 6}));
    }

    void denseTakesZeroPointsOff() {
        Tensor data = tensor(kUInt8, {1, 2}, {130, 127}), weight = tensor(kInt8, {2, 2}, {1, 2, 3, -4});
        QCOMPARE(run("qnn.dense", {data, weight, whole(128), whole(1), real(1), real(1)},
                     {{"units", 2}, {"out_dtype", kInt32}}),
                 (Numbers{2 * 0 - 1 * 1, 2 * 2 - 1 * -5}));
    }

    void convolutionPadsWithTheZeroPoint() {
        Tensor data = tensor(kUInt8, {1, 1, 1, 3}, {11, 12, 13}), weight = tensor(kInt8, {1, 1, 1, 3}, {1, 2, 3});
        // Centred data 1, 2, 3; unchanged weights; one column of padding on each side.
        QCOMPARE(run("qnn.conv2d", {data, weight, whole(10), whole(0), real(1), real(1)},
                     {{"padding", list({0, 1, 0, 1})},
                      {"kernel_size", list({1, 3})},
                      {"channels", 1},
                      {"out_dtype", kInt32}}),
                 (Numbers{8, 14, 8}));
    }

    void typeErrorsNameTheOperand() {
        QCOMPARE(message_of(run_op("qnn.quantize", {floats({2}, {}), whole(1), whole(0)}, {{"out_dtype", kInt8}})),
                 std::string("output_scale must be of type float32, not int32"));
        QCOMPARE(
            message_of(run_op("qnn.quantize", {floats({2}, {}), floats({3}, {}), whole(0)}, {{"out_dtype", kInt8}})),
            std::string("output_scale must be a scalar or a vector of 2 elements, not of shape (3)"));
        QVERIFY(!run_op("qnn.quantize", {floats({2}, {}), real(1), whole(0)}, {{"out_dtype", kFloat32}}));
        QVERIFY(!run_op("qnn.dequantize", {floats({2}, {}), real(1), whole(0)}));
    }
};

PARTITA_TEST(TestOpsQnn)

}  // namespace test_ops_qnn

#include "test_ops_qnn.moc"
