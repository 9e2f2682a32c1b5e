#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/engine/op_c_testing.h"
#include "tests/registry.h"

namespace test_ops_elementwise {

using namespace partita;
using namespace partita::testing;

namespace {

using Numbers = std::vector<double>;
const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInfinity = std::numeric_limits<double>::infinity();

const DataType kAllTypes[] = {kBool,   kInt8,   kInt16,   kInt32,    kInt64,   kUInt8,  kUInt16,
                              kUInt32, kUInt64, kFloat16, kBFloat16, kFloat32, kFloat64};

Numbers results(const std::string& op, const std::vector<Argument>& arguments, const NamedAttributes& attributes = {}) {
    auto tensors = run_op(op, arguments, attributes);
    if (!tensors) {
        qWarning("%s: %s", op.c_str(), tensors.error().message.c_str());
        return {};
    }
    return numbers(tensors->front());
}

bool alike(const Numbers& a, const Numbers& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

/// Returns values at the limits of a type, and some between.
Tensor probe(DataType dtype, int shift, size_t count) {
    static const Numbers reals = {0,   -0.0,   1,     -1,   0.5,   -0.5,      2.5,        -2.5,
                                  3.7, 100.25, -7.75, 1e10, -1e10, kInfinity, -kInfinity, kNan};
    static const Numbers integers = {0,           1,   -1,   2,   3,     5,      7,     -7,           31,
                                     63,          127, -128, 255, 32767, -32768, 65535, 2147483647.0, -2147483648.0,
                                     4294967295.0};
    const Numbers& values = dtype.is_float() ? reals : integers;
    Tensor tensor(dtype, {int64_t(count)});
    for (size_t i = 0; i < count; ++i) {
        size_t k = shift == 0 ? i : i * size_t(shift) / values.size() + i;
        double value = values[k % values.size()];
        if (dtype.is_float()) tensor.set(int64_t(i), value);
        else {
            uint64_t bits = uint64_t(int64_t(value));
            if (dtype.bits == 64 && i % 5 == 4) bits = i % 2 ? uint64_t(INT64_MIN) : uint64_t(INT64_MAX);
            if (dtype.is_bool()) bits &= 1;
            std::memcpy(static_cast<char*>(tensor.bytes()) + i * dtype.bytes(), &bits, dtype.bytes());
        }
    }
    return tensor;
}

struct GeneratedCase {
    const OpRecord* op;
    DataType dtype;
    DataType result;
    AttributeList attributes;
    std::string function;
};

/// Returns every elementwise op with every dtype that its relation takes, all arguments of one dtype.
std::vector<GeneratedCase> generated_cases() {
    std::vector<GeneratedCase> cases;
    for (const OpRecord& op : op_registry().records()) {
        if (!op.c_element || op.name.find('.') != std::string::npos) continue;
        for (DataType dtype : kAllTypes) {
            NamedAttributes given;
            if (op.name == "clip") given = {{"a_min", -3.5}, {"a_max", 100.0}};
            if (op.name == "cast") given = {{"dtype", dtype == kInt16 ? kUInt8 : dtype.is_float() ? kInt32 : kFloat32}};
            if (op.name == "fixed_point_multiply") given = {{"multiplier", 1395864371}, {"shift", -3}};
            AttributeList attributes = attributes_for(op, given);
            TypeTable types;
            std::vector<TypeId> arguments(op.inputs.size(), types.tensor(dtype, {4}));
            bool has_required = false;
            for (size_t i = 0; i < attributes.size(); ++i)
                has_required |= op.attributes[i].required && attributes[i].is_none();
            if (has_required) continue;
            auto type = op.relation({types, arguments, AttributesView(op, attributes)});
            if (!type) continue;
            cases.push_back({&op, dtype, types.dtype(*type), attributes, ""});
        }
    }
    return cases;
}

/// Returns a loop over all elements. 16-bit floating point is passed as float.
std::string body_of(const GeneratedCase& generated) {
    std::vector<std::string> operands;
    std::string type = c_type(generated.dtype), result = c_type(generated.result);
    std::string text = "    int refused = 0;\n    for (long i = 0; i < count; ++i) {\n";
    for (size_t k = 0; k < generated.op->inputs.size(); ++k) {
        std::string name(1, char('x' + k));
        text += "        const " + type + " " + name + " = ((const " + type + "*)in[" + std::to_string(k) + "])[i];\n";
        text += "        (void)" + name + ";\n";
        operands.push_back(name);
    }
    std::string expression = generated.op->c_element(
        {operands, generated.dtype, generated.result, AttributesView(*generated.op, generated.attributes)});
    return text + "        ((" + result + "*)out[0])[i] = " + expression + ";\n    }\n    (void)refused;\n";
}

bool near(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b)) return a == b;
    return std::fabs(a - b) <= 1e-6 * std::max(std::fabs(a), std::fabs(b));
}

}  // namespace

class TestOpsElementwise : public QObject {
    Q_OBJECT
private slots:
    void castsToSixteenBitsRoundToTheNearestAndTiesToEven() {
        // Around every finite value: a value between it and the next rounds to the nearer, the middle to the even one.
        // ONNX's helper.float32_to_bfloat16 does the same; its test data for Cast were truncated instead.
        for (DataType dtype : {kBFloat16, kFloat16}) {
            const auto value = [dtype](uint32_t bits) {
                return dtype == kBFloat16 ? bfloat_to_float(uint16_t(bits)) : half_to_float(uint16_t(bits));
            };
            const uint32_t largest = dtype == kBFloat16 ? 0x7f7f : 0x7bff;
            Tensor given(kFloat32, {int64_t(largest) * 8});
            std::vector<uint32_t> expected;
            int64_t count = 0;
            for (uint32_t bits = 0; bits < largest; ++bits) {
                float middle = float((double(value(bits)) + double(value(bits + 1))) / 2);
                const std::pair<float, uint32_t> cases[] = {
                    {value(bits), bits},
                    {std::nextafter(middle, 0.0f), bits},
                    {middle, bits + (bits & 1)},
                    {std::nextafter(middle, std::numeric_limits<float>::infinity()), bits + 1}};
                for (auto [real, rounded] : cases)
                    for (uint32_t sign : {0u, 0x8000u}) {
                        given.data<float>()[count++] = sign ? -real : real;
                        expected.push_back(sign | rounded);
                    }
            }
            auto results = run_op("cast", {given}, {{"dtype", dtype}});
            QVERIFY(results);
            for (int64_t i = 0; i < count; ++i)
                if (results->front().data<uint16_t>()[i] != expected[size_t(i)])
                    QFAIL(qPrintable(QStringLiteral("%1 became %2")
                                         .arg(double(given.data<float>()[i]))
                                         .arg(results->front().at(i))));
            QCOMPARE(numbers(run_op("cast", {Tensor::scalar(kFloat32, 3e38f)}, {{"dtype", dtype}})->front())[0],
                     dtype == kFloat16 ? kInfinity : bfloat_to_float(0x7f62));
        }
    }

    void addBroadcastsAsNumPyDoes() {
        QCOMPARE(results("add", {floats({2, 3}, {1, 2, 3, 4, 5, 6}), floats({3}, {10, 20, 30})}),
                 (Numbers{11, 22, 33, 14, 25, 36}));
        QCOMPARE(results("subtract", {floats({2, 1}, {1, 2}), floats({1, 3}, {10, 20, 30})}),
                 (Numbers{-9, -19, -29, -8, -18, -28}));
        QCOMPARE(results("multiply", {floats({}, {3}), floats({2}, {1, 2})}), (Numbers{3, 6}));
        QCOMPARE(results("add", {floats({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), floats({2, 1}, {10, 20})}),
                 (Numbers{11, 12, 23, 24, 15, 16, 27, 28}));
    }

    void broadcastingOfManyShapesAgreesWithIndexArithmetic() {
        const std::vector<std::vector<int64_t>> shapes = {
            {},        {1},       {5},       {4, 1},       {4, 5},       {3, 1, 1},    {3, 4, 1},
            {3, 1, 5}, {1, 4, 5}, {3, 4, 5}, {2, 1, 1, 1}, {2, 1, 4, 1}, {2, 3, 1, 5}, {2, 3, 4, 5}};
        for (const auto& left : shapes)
            for (const auto& right : shapes) {
                Tensor a(kInt32, left), b(kInt32, right);
                for (int64_t i = 0; i < a.size(); ++i) a.set(i, double(i));
                for (int64_t i = 0; i < b.size(); ++i) b.set(i, double(i * 1000));
                auto sums = run_op("add", {a, b});
                QVERIFY(bool(sums));
                const Tensor& sum = sums->front();
                for (int64_t i = 0; i < sum.size(); ++i) {
                    int64_t rest = i, at[2] = {0, 0}, stride[2] = {1, 1};
                    for (size_t d = 1; d <= sum.rank(); ++d) {
                        int64_t index = rest % sum.shape()[sum.rank() - d];
                        rest /= sum.shape()[sum.rank() - d];
                        const std::vector<int64_t>* operand[2] = {&left, &right};
                        for (int k = 0; k < 2; ++k) {
                            if (d > operand[k]->size()) continue;
                            int64_t dim = (*operand[k])[operand[k]->size() - d];
                            at[k] += dim == 1 ? 0 : index * stride[k];
                            stride[k] *= dim;
                        }
                    }
                    QCOMPARE(sum.at(i), a.at(at[0]) + b.at(at[1]));
                }
            }
    }

    void broadcastErrorsNameTheShapes() {
        QCOMPARE(message_of(run_op("add", {floats({2, 3}, {}), floats({4}, {})})),
                 std::string("the operands' shapes (2, 3) and (4) can't be broadcast"));
        QCOMPARE(message_of(run_op("add", {floats({2}, {}), int32s({2}, {})})),
                 std::string("the operands' data types float32 and int32 differ"));
    }

    void unknownDimensionsTakeTheOther() {
        TypeTable types;
        TypeId unknown = types.tensor(kFloat32, {kDynamicDim, 1}), known = types.tensor(kFloat32, {3, 4});
        QCOMPARE(types.to_string(*infer_op(types, "add", {unknown, known})), std::string("Tensor[(3, 4), float32]"));
        TypeId any = types.tensor(kFloat32, {kDynamicDim}), one = types.tensor(kFloat32, {1});
        QCOMPARE(types.to_string(*infer_op(types, "less", {any, one})), std::string("Tensor[(?), bool]"));
    }

    void sizesThatOverflowAreRefused() {
        TypeTable types;
        TypeId tall = types.tensor(kFloat32, {int64_t(1) << 40, 1}),
               wide = types.tensor(kFloat32, {1, int64_t(1) << 40});
        QVERIFY(!infer_op(types, "add", {tall, wide}));
    }

    void integersDivideTowardZeroOrDownAndNeverTrap() {
        Tensor a = int32s({6}, {7, -7, 7, -7, 5, -2147483648.0}), b = int32s({6}, {2, 2, -2, -2, 6, -1});
        QCOMPARE(results("divide", {a, b}), (Numbers{3, -3, -3, 3, 0, -2147483648.0}));
        QCOMPARE(results("floor_divide", {a, b}), (Numbers{3, -4, -4, 3, 0, -2147483648.0}));
        QCOMPARE(results("mod", {a, b}), (Numbers{1, -1, 1, -1, 5, 0}));
        QCOMPARE(results("floor_mod", {a, b}), (Numbers{1, 1, -1, -1, 5, 0}));
    }

    void integersAreNotDividedByZero() {
        for (const char* op : {"divide", "floor_divide", "trunc_divide", "mod", "floor_mod", "trunc_mod"}) {
            Result<std::vector<Tensor>> refused = run_op(op, {int32s({2}, {7, 5}), int32s({2}, {2, 0})});
            QVERIFY2(!refused && refused.error().message == "an integer is divided by zero", op);
            QVERIFY2(run_op(op, {floats({2}, {7, 5}), floats({2}, {2, 0})}), op);
        }
    }

    void integersWrapRound() {
        QCOMPARE(results("add", {tensor(kInt8, {1}, {127}), tensor(kInt8, {1}, {1})}), (Numbers{-128}));
        QCOMPARE(results("multiply", {tensor(kUInt8, {1}, {20}), tensor(kUInt8, {1}, {20})}), (Numbers{144}));
        QCOMPARE(results("negative", {tensor(kInt16, {1}, {-32768})}), (Numbers{-32768}));
        QCOMPARE(results("abs", {tensor(kInt32, {2}, {-2147483648.0, -5})}), (Numbers{-2147483648.0, 5}));
    }

    /// Types that are computed in another one are converted in chunks: whole rows are what their parts are.
    void longRowsAreWhatTheirPartsAre() {
        constexpr int64_t kLength = 600, kPart = 50;
        const auto part_of = [](const Tensor& whole, int64_t begin) {
            Tensor part(whole.dtype(), {kPart});
            std::memcpy(part.bytes(),
                        static_cast<const std::byte*>(whole.bytes()) + size_t(begin) * whole.dtype().bytes(),
                        part.byte_size());
            return part;
        };
        for (DataType dtype : kAllTypes) {
            const Tensor left = probe(dtype, 0, kLength), right = probe(dtype, 3, kLength), one = probe(dtype, 5, 1);
            for (const char* op : {"add", "multiply", "maximum", "less", "power", "logical_and"}) {
                const Numbers both = results(op, {left, right}), first = results(op, {one, right}),
                              second = results(op, {left, one});
                for (int64_t begin = 0; begin < kLength; begin += kPart) {
                    const auto of_part = [&](const Numbers& all) {
                        return Numbers(all.begin() + begin, all.begin() + begin + kPart);
                    };
                    const Tensor a = part_of(left, begin), b = part_of(right, begin);
                    QVERIFY2(alike(of_part(both), results(op, {a, b})),
                             qPrintable(QString("%1 of %2 from %3").arg(op, dtype.to_string().c_str()).arg(begin)));
                    QVERIFY(alike(of_part(first), results(op, {one, b})));
                    QVERIFY(alike(of_part(second), results(op, {a, one})));
                }
            }
        }
    }

    void shiftsByAllBitsAndMoreEmptyTheNumber() {
        Tensor a = int32s({5}, {-16, -16, 16, 16, -16}), b = int32s({5}, {2, 32, 2, 40, -1});
        QCOMPARE(results("right_shift", {a, b}), (Numbers{-4, -1, 4, 0, -1}));
        QCOMPARE(results("left_shift", {a, b}), (Numbers{-64, 0, 64, 0, 0}));
    }

    void unaryFunctionsGiveTheirValues() {
        QCOMPARE(results("round", {floats({4}, {0.5, -0.5, 1.5, 2.5})}), (Numbers{1, -1, 2, 3}));
        QCOMPARE(results("sigmoid", {floats({1}, {0})}), (Numbers{0.5}));
        QCOMPARE(results("sign", {floats({3}, {-2, 0, 5})}), (Numbers{-1, 0, 1}));
        QCOMPARE(results("rsqrt", {floats({1}, {4})}), (Numbers{0.5}));
        QCOMPARE(results("logical_not", {tensor(kBool, {2}, {0, 1})}), (Numbers{1, 0}));
        QCOMPARE(results("bitwise_not", {tensor(kBool, {2}, {0, 1})}), (Numbers{1, 0}));
        QCOMPARE(results("bitwise_not", {int32s({1}, {5})}), (Numbers{-6}));
        QCOMPARE(results("isnan", {floats({3}, {kNan, 1, kInfinity})}), (Numbers{1, 0, 0}));
        QCOMPARE(results("isfinite", {floats({3}, {kNan, 1, kInfinity})}), (Numbers{0, 1, 0}));
        QCOMPARE(results("isinf", {floats({3}, {kNan, 1, -kInfinity})}), (Numbers{0, 0, 1}));
        QCOMPARE(results("zeros_like", {floats({2}, {3, 4})}), (Numbers{0, 0}));
        QCOMPARE(results("sqrt", {tensor(kFloat16, {1}, {2.25})}), (Numbers{1.5}));
        QCOMPARE(results("sqrt", {int32s({2}, {17, -1})}), (Numbers{4, 0}));
    }

    void clipBoundsAreCastToTheType() {
        QCOMPARE(results("clip", {floats({3}, {-1, 3, 9})}, {{"a_min", 0.0}, {"a_max", 6.0}}), (Numbers{0, 3, 6}));
        QCOMPARE(results("clip", {tensor(kInt8, {2}, {-100, 100})}, {{"a_min", -1000.0}, {"a_max", 50.5}}),
                 (Numbers{-100, 50}));
    }

    void castSaturatesFloatsAndWrapsIntegers() {
        QCOMPARE(results("cast", {floats({5}, {-1.9, 300, -300, kNan, kInfinity})}, {{"dtype", kInt8}}),
                 (Numbers{-1, 127, -128, 0, 127}));
        QCOMPARE(results("cast", {int32s({2}, {257, -1})}, {{"dtype", kUInt8}}), (Numbers{1, 255}));
        QCOMPARE(results("cast", {floats({2}, {0.25, 0})}, {{"dtype", kBool}}), (Numbers{1, 0}));
        QCOMPARE(results("cast", {floats({1}, {1.0009765625})}, {{"dtype", kBFloat16}}), (Numbers{1}));
    }

    void whereChoosesByElement() {
        QCOMPARE(results("where", {tensor(kBool, {2, 1}, {1, 0}), floats({2, 2}, {1, 2, 3, 4}), floats({2}, {8, 9})}),
                 (Numbers{1, 2, 8, 9}));
    }

    void fixedPointMultiplyRoundsHalfUp() {
        // 0.5 * 2^0: 3 -> 1.5 -> 2, -3 -> -1.5 -> -1.
        QCOMPARE(results("fixed_point_multiply", {int32s({3}, {3, -3, 4})}, {{"multiplier", 1 << 30}, {"shift", 0}}),
                 (Numbers{2, -1, 2}));
        QCOMPARE(results("fixed_point_multiply", {int32s({2}, {8, -8})}, {{"multiplier", INT32_MAX}, {"shift", 0}}),
                 (Numbers{8, -8}));
        QCOMPARE(results("fixed_point_multiply", {int32s({1}, {8})}, {{"multiplier", INT32_MIN}, {"shift", 0}}),
                 (Numbers{-8}));
        const int64_t beyond = int64_t(INT32_MAX) + 1;
        for (int64_t multiplier : {beyond, -beyond - 1})
            QVERIFY(!run_op("fixed_point_multiply", {int32s({1}, {3})},
                            {{"multiplier", Integer{multiplier, 64}}, {"shift", 0}}));
        for (int shift : {-99, 99})
            QVERIFY(!run_op("fixed_point_multiply", {int32s({1}, {3})}, {{"multiplier", 1}, {"shift", shift}}));
    }

    void nanStaysNan() {
        const Tensor nan = floats({1}, {kNan}), one = floats({1}, {1});
        // The second operand if one is NaN, as in TVM.
        QVERIFY(results("maximum", {nan, one})[0] == 1 && std::isnan(results("maximum", {one, nan})[0]));
        QVERIFY(results("minimum", {nan, one})[0] == 1 && std::isnan(results("minimum", {one, nan})[0]));
        QVERIFY(std::isnan(results("sign", {nan})[0]));
        QVERIFY(std::isnan(results("clip", {nan}, {{"a_min", -1.0}, {"a_max", 1.0}})[0]));
    }

    /// One C file with every op and type, compiled by the system's compiler: results must equal the kernels'.
    void generatedCComputesWhatTheKernelDoes() {
        GeneratedLibrary library;
        std::vector<GeneratedCase> cases = generated_cases();
        QVERIFY(cases.size() > 400);
        for (GeneratedCase& generated : cases) generated.function = library.add(body_of(generated));
        std::string said = library.compile();
        QVERIFY2(said.empty(), said.c_str());
        for (const GeneratedCase& generated : cases) compareWithKernel(generated, library);
    }

private:
    void compareWithKernel(const GeneratedCase& generated, const GeneratedLibrary& library) {
        constexpr size_t kCount = 19 * 19;
        std::vector<Argument> arguments;
        std::vector<Tensor> handed;
        for (size_t k = 0; k < generated.op->inputs.size(); ++k) {
            Tensor value = probe(generated.dtype, int(k), kCount);
            const std::string& op = generated.op->name;
            const bool divides = op.find("divide") != std::string::npos || op.find("mod") != std::string::npos;
            for (size_t i = 0; i < kCount && k == 1 && divides && !generated.dtype.is_float(); ++i)
                if (value.at(int64_t(i)) == 0) value.set(int64_t(i), 1);  // a division by zero is refused
            arguments.push_back(value);
            bool small_float = generated.dtype.is_float() && generated.dtype.bits == 16;
            Tensor widened = small_float ? Tensor(kFloat32, {int64_t(kCount)}) : value;
            if (small_float)
                for (size_t i = 0; i < kCount; ++i) widened.set(int64_t(i), value.at(int64_t(i)));
            handed.push_back(widened);
        }
        NamedAttributes given;
        for (size_t i = 0; i < generated.attributes.size(); ++i)
            given.emplace_back(generated.op->attributes[i].name, generated.attributes[i]);
        auto expected = run_op(generated.op->name, arguments, given);
        std::string what = generated.op->name + " of " + generated.dtype.to_string();
        QVERIFY2(bool(expected), (what + ": " + message_of(expected)).c_str());
        bool small_float = generated.result.is_float() && generated.result.bits == 16;
        Tensor computed(small_float ? kFloat32 : generated.result, {int64_t(kCount)});
        auto function = library.function(generated.function);
        QVERIFY(function);
        std::vector<const void*> pointers;
        for (Tensor& tensor : handed) pointers.push_back(tensor.bytes());
        void* results[] = {computed.bytes()};
        function(pointers.data(), results, long(kCount));
        for (size_t i = 0; i < kCount; ++i) {
            double wanted = expected->front().at(int64_t(i)), got = computed.at(int64_t(i));
            if (small_float) {
                Tensor rounded(generated.result, {1});
                rounded.set(0, got);
                got = rounded.at(0);
            }
            QVERIFY2(near(got, wanted), (what + " of " + std::to_string(handed[0].at(int64_t(i))) + ", " +
                                         std::to_string(handed.back().at(int64_t(i))) + ": kernel " +
                                         std::to_string(wanted) + ", C " + std::to_string(got))
                                            .c_str());
        }
    }
};

PARTITA_TEST(TestOpsElementwise)

}  // namespace test_ops_elementwise

#include "test_ops_elementwise.moc"
