#include <QtTest>

#include "tests/engine/op_c_testing.h"
#include "tests/registry.h"

namespace test_ops_reduce {

using namespace partita;
using namespace partita::testing;

namespace {

using Numbers = std::vector<double>;

Tensor counted(std::vector<int64_t> shape, DataType dtype = kFloat32) {
    Tensor tensor(dtype, std::move(shape));
    for (int64_t i = 0; i < tensor.size(); ++i)
        tensor.set(i, double((i * 7 + 3) % 11) - (dtype.code == DataType::Code::UInt ? 0 : 5));
    return tensor;
}

/// Returns the kernel's numbers, which must equal those of the generated C.
Numbers run(const std::string& name, const std::vector<Argument>& arguments, const NamedAttributes& given = {}) {
    auto results = run_op(name, arguments, given);
    if (!results) {
        qWarning("%s: %s", name.c_str(), results.error().message.c_str());
        return {};
    }
    if (op_registry()[op_registry().find(name)].c_loops) {
        auto generated = run_op_in_c(name, arguments, given);
        if (!generated) qWarning("%s in C: %s", name.c_str(), generated.error().message.c_str());
        if (!generated || numbers((*generated)[0]) != numbers((*results)[0])) return {};
    }
    return numbers((*results)[0]);
}

}  // namespace

class TestOpsReduce : public QObject {
    Q_OBJECT
private slots:
    void reducesOverGivenAxes() {
        Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
        QCOMPARE(run("sum", {x}), (Numbers{21}));
        QCOMPARE(run("sum", {x}, {{"axis", list({0})}}), (Numbers{5, 7, 9}));
        QCOMPARE(run("sum", {x}, {{"axis", list({-1})}, {"keepdims", true}}), (Numbers{6, 15}));
        QCOMPARE(run("sum", {x}, {{"axis", list({0})}, {"exclude", true}}), (Numbers{6, 15}));
        QCOMPARE(run("mean", {x}, {{"axis", list({1})}}), (Numbers{2, 5}));
        QCOMPARE(run("prod", {x}, {{"axis", list({1})}}), (Numbers{6, 120}));
        QCOMPARE(run("max", {x}, {{"axis", list({0})}}), (Numbers{4, 5, 6}));
        QCOMPARE(run("min", {x}, {{"axis", list({0, 1})}}), (Numbers{1}));
        QCOMPARE(run("max", {tensor(kUInt8, {3}, {3, 200, 7})}), (Numbers{200}));
        QCOMPARE(run("all", {tensor(kBool, {2, 2}, {1, 1, 0, 1})}, {{"axis", list({1})}}), (Numbers{1, 0}));
        QCOMPARE(run("any", {tensor(kBool, {2, 2}, {0, 0, 0, 1})}, {{"axis", list({1})}}), (Numbers{0, 1}));
        QCOMPARE(run("sum", {floats({}, {4})}), (Numbers{4}));
    }

    void argmaxTakesTheFirstOrTheLastOfEquals() {
        Tensor x = floats({2, 3}, {1, 3, 3, 2, 0, 2});
        QCOMPARE(run("argmax", {x}, {{"axis", list({1})}}), (Numbers{1, 0}));
        QCOMPARE(run("argmax", {x}, {{"axis", list({1})}, {"select_last_index", true}}), (Numbers{2, 2}));
        QCOMPARE(run("argmin", {x}), (Numbers{4}));
        QCOMPARE(run("argmin", {x}, {{"axis", list({0})}}), (Numbers{0, 1, 1}));
    }

    void indicesInRowsAreThoseInColumns() {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const auto indices = [](const char* op, const Tensor& x, int axis, bool last) {
            return numbers((*run_op(op, {x}, {{"axis", list({axis})}, {"select_last_index", last}}))[0]);
        };
        for (DataType dtype : {kFloat32, kFloat16, kInt8, kUInt64})
            for (int64_t length : {1, 2, 15, 16, 17, 33, 70})
                for (int64_t round = 0; round < 6; ++round) {
                    Tensor row(dtype, {1, length}), column(dtype, {length, 1});
                    for (int64_t i = 0; i < length; ++i) {
                        const bool is_nan = dtype.is_float() && round > 1 && i % (round + 3) == round - 2;
                        const double value = is_nan ? nan : double((i * (2 * round + 3) + round) % 13);
                        row.set(i, value);
                        column.set(i, value);
                    }
                    for (const char* op : {"argmax", "argmin"})
                        for (bool last : {false, true})
                            QCOMPARE(indices(op, row, 1, last), indices(op, column, 0, last));
                }
    }

    /// As the sums of the elements' own type, in the kernel and in C.
    void narrowTypesWrapRoundAndCount() {
        const Tensor bytes = tensor(kInt8, {3}, {100, 100, 100}), flags = tensor(kBool, {2, 2}, {1, 1, 0, 1});
        QCOMPARE(run("sum", {bytes}), (Numbers{44}));
        QCOMPARE(run("mean", {bytes}), (Numbers{14}));
        QCOMPARE(run("prod", {bytes}), (Numbers{64}));
        QCOMPARE(run("min", {tensor(kInt16, {3}, {5, -300, 7})}), (Numbers{-300}));
        QCOMPARE(run("sum", {tensor(kUInt32, {2}, {4294967295.0, 3})}), (Numbers{2}));
        QCOMPARE(run("max", {tensor(kUInt32, {2}, {4294967295.0, 3})}), (Numbers{4294967295.0}));
        QCOMPARE(run("mean", {flags}, {{"axis", list({1})}}), (Numbers{1, 0}));
        QCOMPARE(run("sum", {flags}, {{"axis", list({0})}}), (Numbers{1, 1}));
        QCOMPARE(numbers((*run_op("sum", {tensor(kFloat16, {3}, {2048, 1, 1})}))[0]), (Numbers{2050}));
        QCOMPARE(run("all", {floats({2, 2}, {0.5, -2, 0, 1})}, {{"axis", list({1})}}), (Numbers{1, 0}));
        QCOMPARE(run("max", {tensor(kInt8, {0, 2}, {})}, {{"axis", list({0})}}), (Numbers{-128, -128}));
        QCOMPARE(run("all", {tensor(kBool, {0, 2}, {})}, {{"axis", list({0})}}), (Numbers{1, 1}));
    }

    /// Rows as long as the unrolling of the kernel's loops, shorter and longer, along both kinds of axes.
    void largestAndSmallestAreNanWhereAnElementIs() {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        for (DataType dtype : {kFloat32, kFloat64, kFloat16})
            for (int64_t length : {1, 2, 15, 16, 31, 32, 33, 70})
                for (int64_t place = 0; place < length; ++place)
                    for (int64_t axis : {0, 1}) {
                        Tensor x =
                            counted(axis ? std::vector<int64_t>{2, length} : std::vector<int64_t>{length, 2}, dtype);
                        x.set(axis ? place : 2 * place, nan);
                        double largest = -100, smallest = 100;
                        for (int64_t i = 0; i < length; ++i) {
                            const double value = x.at(axis ? length + i : 2 * i + 1);
                            largest = std::max(largest, value), smallest = std::min(smallest, value);
                        }
                        for (const auto& [op, other] : {std::pair("max", largest), std::pair("min", smallest)}) {
                            const auto results = run_op(op, {x}, {{"axis", list({int(axis)})}});
                            QVERIFY(results);
                            const QByteArray which = QByteArray(op) + ' ' + dtype.to_string().c_str() + " of " +
                                                     QByteArray::number(qlonglong(length)) + ", NaN at " +
                                                     QByteArray::number(qlonglong(place));
                            QVERIFY2(std::isnan((*results)[0].at(0)), which.constData());
                            QVERIFY2((*results)[0].at(1) == other, which.constData());
                        }
                    }
    }

    void integerSumsWrapRound() {
        QCOMPARE(run("sum", {tensor(kInt8, {2}, {100, 100})}), (Numbers{-56}));
        QCOMPARE(run("mean", {int32s({3}, {-7, 0, 0})}), (Numbers{-2}));
        QCOMPARE(run("mean", {int32s({2, 0}, {})}, {{"axis", list({1})}}), (Numbers{0, 0}));  // of none: no division
    }

    void allShapesAndAxesAgreeWithIndexArithmetic() {
        const std::vector<std::vector<int64_t>> shapes = {{7},       {4, 5},        {3, 1, 5},
                                                          {2, 3, 4}, {2, 3, 1, 37}, {2, 3, 4, 5}};
        for (DataType dtype : {kFloat32, kInt16})
            for (const auto& shape : shapes)
                for (unsigned mask = 1; mask < 1u << shape.size(); ++mask) {
                    AttributeValue::List axes;
                    axes.reserve(shape.size());
                    for (size_t d = 0; d < shape.size(); ++d)
                        if (mask >> d & 1) axes.emplace_back(int(d));
                    Tensor data = counted(shape, dtype);
                    auto result = run_op("sum", {data}, {{"axis", axes}, {"keepdims", true}});
                    QVERIFY(bool(result));
                    std::vector<double> expected(size_t((*result)[0].size()), 0);
                    for (int64_t i = 0; i < data.size(); ++i) {
                        int64_t rest = i, place = 0, stride = 1;
                        for (size_t d = shape.size(); d-- > 0;) {
                            int64_t index = rest % shape[d];
                            rest /= shape[d];
                            if (mask >> d & 1) continue;
                            place += index * stride;
                            stride *= shape[d];
                        }
                        expected[size_t(place)] += data.at(i);
                    }
                    QCOMPARE(numbers((*result)[0]), expected);
                }
    }

    void longRowsAreReducedWhole() {
        Tensor data(kFloat32, {3, 10007});
        for (int64_t i = 0; i < data.size(); ++i) data.set(i, i % 2 ? 1 : 0.5);
        double row = run_op("sum", {data}, {{"axis", list({1})}})->front().at(0);
        QCOMPARE(row, 5004 * 0.5 + 5003);
        Tensor deep(kFloat32, {10007, 600});
        for (int64_t i = 0; i < deep.size(); ++i) deep.set(i, 0.25);
        auto columns = run_op("sum", {deep}, {{"axis", list({0})}});
        for (double value : numbers((*columns)[0])) QCOMPARE(value, 10007 * 0.25);
    }

    void typeErrorsSayTheRule() {
        Tensor x = floats({2, 3}, {});
        QCOMPARE(message_of(run_op("sum", {x}, {{"axis", list({2})}})),
                 std::string("the axis 2 is out of range for rank 2"));
        QCOMPARE(message_of(run_op("sum", {x}, {{"axis", list({0, -2})}})), std::string("the axis -2 is given twice"));
        QCOMPARE(message_of(run_op("sum", {x}, {{"exclude", true}})), std::string("exclude needs axis to be given"));
        QVERIFY(!run_op("argmax", {floats({}, {1})}));
    }

    void varianceUsesTheGivenMean() {
        Tensor x = floats({2, 3}, {1, 2, 3, 4, 4, 4}), mean = floats({2, 1}, {2, 4});
        QCOMPARE(run("variance", {x, mean}, {{"axis", list({1})}, {"unbiased", true}}), (Numbers{1, 0}));
    }

    void collapseSumLikeUndoesBroadcasting() {
        QCOMPARE(run("collapse_sum_like", {floats({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), floats({2, 1}, {})}),
                 (Numbers{14, 22}));
    }
};

PARTITA_TEST(TestOpsReduce)

}  // namespace test_ops_reduce

#include "test_ops_reduce.moc"
