// nn.attention: its types, its kernel against a plain computation, in C, and written as Relay's calls.
#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

#include "engine/frontends/relay/printer.h"
#include "engine/ops/cost.h"
#include "engine/passes/lower_whole_operators.h"
#include "engine/support/number_text.h"
#include "tests/engine/older_processors.h"
#include "tests/engine/op_c_testing.h"
#include "tests/engine/relay_testing.h"
#include "tests/engine/same_outputs.h"
#include "tests/registry.h"

namespace test_nn_attention {

using namespace partita;
using namespace partita::testing;

namespace {

enum class MaskKind { None, Bool, Float };

/// A call with random extents, numbers and attributes.
struct AttentionCase {
    int64_t batch, kv_heads, heads, rows, keys, size, width;
    double scale = 0, softcap = 0;
    bool is_causal = false;
    int64_t offset = 0;
    std::vector<Tensor> inputs;

    NamedAttributes attributes() const {
        return {{"scale", scale},
                {"softcap", softcap},
                {"is_causal", is_causal},
                {"causal_offset", AttributeValue(int(offset))}};
    }
    std::vector<Argument> arguments() const { return {inputs.begin(), inputs.end()}; }
};

Tensor random_reals(DataType dtype, std::vector<int64_t> shape, std::mt19937& random) {
    Tensor made(dtype, std::move(shape));
    std::normal_distribution<double> normal;
    for (int64_t i = 0; i < made.size(); ++i) made.set(i, normal(random));
    return made;
}

/// Some of its rows hide all keys.
Tensor random_mask(const AttentionCase& c, MaskKind kind, DataType dtype, std::mt19937& random) {
    std::vector<int64_t> shape{c.batch, c.heads, c.rows, c.keys};
    for (int64_t& extent : shape)
        if (random() % 3 == 0) extent = 1;
    shape.erase(shape.begin(), shape.begin() + random() % 3);
    Tensor mask(kind == MaskKind::Bool ? kBool : dtype, shape);
    std::normal_distribution<double> normal;
    const double hidden = kind == MaskKind::Bool ? 0 : -std::numeric_limits<double>::infinity();
    for (int64_t i = 0; i < mask.size(); ++i)
        mask.set(i, random() % 3 ? (kind == MaskKind::Bool ? 1 : normal(random)) : hidden);
    if (random() % 4 == 0)
        for (int64_t i = 0; i < std::min(mask.size(), shape.back()); ++i) mask.set(i, hidden);
    return mask;
}

AttentionCase random_case(std::mt19937& random, DataType dtype) {
    const auto below = [&](int64_t most) { return int64_t(random() % uint64_t(most)); };
    AttentionCase c{};
    c.batch = 1 + below(3);
    c.kv_heads = 1 + below(3);
    c.heads = c.kv_heads * (1 + below(4));
    c.rows = 1 + below(below(3) ? 5 : 70);
    c.keys = 1 + below(below(4) ? 40 : 600);
    c.size = 1 + below(40);
    c.width = 1 + below(40);
    if (below(3) == 0) c.scale = 0.25;
    if (below(3) == 0) c.softcap = 2;
    c.is_causal = below(2) == 0;
    c.offset = below(3) ? c.keys - c.rows : below(9) - 4;
    c.inputs = {random_reals(dtype, {c.batch, c.heads, c.rows, c.size}, random),
                random_reals(dtype, {c.batch, c.kv_heads, c.keys, c.size}, random),
                random_reals(dtype, {c.batch, c.kv_heads, c.keys, c.width}, random)};
    const MaskKind kind = MaskKind(below(3));
    if (kind != MaskKind::None) c.inputs.push_back(random_mask(c, kind, dtype, random));
    return c;
}

/// An element of the mask, which is broadcast.
double mask_at(const Tensor& mask, const std::vector<int64_t>& place) {
    int64_t index = 0;
    const size_t rank = mask.shape().size();
    for (size_t d = 0; d < rank; ++d)
        index = index * mask.shape()[d] + (mask.shape()[d] == 1 ? 0 : place[d + 4 - rank]);
    return mask.at(index);
}

/// The result by its definition, in float64, with the whole row of scores.
Tensor expected_result(const AttentionCase& c) {
    Tensor result(kFloat64, {c.batch, c.heads, c.rows, c.width});
    const double scale = c.scale != 0 ? c.scale : 1 / std::sqrt(double(c.size));
    for (int64_t b = 0; b < c.batch; ++b)
        for (int64_t h = 0; h < c.heads; ++h)
            for (int64_t r = 0; r < c.rows; ++r) {
                const int64_t row = (b * c.heads + h) * c.rows + r;
                const int64_t first_key = (b * c.kv_heads + h / (c.heads / c.kv_heads)) * c.keys;
                std::vector<std::pair<int64_t, double>> scores;
                double largest = -std::numeric_limits<double>::infinity(), sum = 0;
                for (int64_t k = 0; k < c.keys; ++k) {
                    if (c.is_causal && k > r + c.offset) continue;
                    double score = 0;
                    for (int64_t i = 0; i < c.size; ++i)
                        score += c.inputs[0].at(row * c.size + i) * c.inputs[1].at((first_key + k) * c.size + i);
                    score *= scale;
                    if (c.softcap > 0) score = c.softcap * std::tanh(score / c.softcap);
                    if (c.inputs.size() > 3) {
                        const double mask = mask_at(c.inputs[3], {b, h, r, k});
                        if (!c.inputs[3].dtype().is_bool()) score += mask;
                        else if (mask == 0) continue;
                    }
                    scores.emplace_back(k, score);
                    largest = std::max(largest, score);
                }
                for (auto& [k, score] : scores) sum += score = std::exp(score - largest);
                for (int64_t i = 0; i < c.width; ++i) {
                    double value = 0;
                    for (const auto& [k, score] : scores)
                        value += score / sum * c.inputs[2].at((first_key + k) * c.width + i);
                    result.set(row * c.width + i, value);
                }
            }
    return result;
}

/// Returns the largest difference; NaN equals NaN only.
double difference_of(const Tensor& a, const Tensor& b) {
    double largest = a.shape() == b.shape() ? 0 : std::numeric_limits<double>::infinity();
    for (int64_t i = 0; largest < 1e9 && i < a.size(); ++i) {
        if (std::isnan(a.at(i)) && std::isnan(b.at(i))) continue;
        const double difference = std::abs(a.at(i) - b.at(i));
        largest = difference <= largest ? largest : std::isnan(difference) ? 1e10 : difference;
    }
    return largest;
}

std::string text_of(const AttentionCase& c) {
    std::string parameters, arguments;
    const char* names[] = {"%q", "%k", "%v", "%m"};
    for (size_t i = 0; i < c.inputs.size(); ++i) {
        const Tensor& input = c.inputs[i];
        parameters += std::string(i ? ", " : "") + names[i] + ": Tensor[" + shape_to_string(input.shape()) + ", " +
                      input.dtype().to_string() + "]";
        arguments += std::string(i ? ", " : "") + names[i];
    }
    return "def @main(" + parameters + ") {\n  nn.attention(" + arguments + ", scale=" + general_text(c.scale, 17) +
           "f, softcap=" + general_text(c.softcap, 17) + "f, is_causal=" + (c.is_causal ? "True" : "False") +
           ", causal_offset=" + std::to_string(c.offset) + ")\n}\n";
}

std::string type_of(const std::vector<std::pair<DataType, std::vector<int64_t>>>& arguments,
                    const NamedAttributes& attributes = {}) {
    TypeTable types;
    std::vector<TypeId> given;
    for (const auto& [dtype, shape] : arguments) given.push_back(types.tensor(dtype, shape));
    const Result<TypeId> type = infer_op(types, "nn.attention", given, attributes);
    return type ? types.to_string(*type) : type.error().message;
}

}  // namespace

class TestNnAttention : public QObject {
    Q_OBJECT

private slots:
    void typesAreChecked_data() {
        using Shapes = std::vector<std::pair<DataType, std::vector<int64_t>>>;
        QTest::addColumn<QString>("found");
        QTest::addColumn<QString>("wanted");
        const auto row = [](const char* name, const Shapes& shapes, const char* wanted,
                            const NamedAttributes& attributes = {}) {
            QTest::newRow(name) << QString::fromStdString(type_of(shapes, attributes)) << QString(wanted);
        };
        const std::pair<DataType, std::vector<int64_t>> q{kFloat32, {2, 4, 3, 8}}, k{kFloat32, {2, 2, 5, 8}},
            v{kFloat32, {2, 2, 5, 6}};
        row("right", {q, k, v}, "Tensor[(2, 4, 3, 6), float32]");
        row("a mask of keys", {q, k, v, {kBool, {5}}}, "Tensor[(2, 4, 3, 6), float32]");
        row("a mask of all", {q, k, v, {kFloat32, {1, 4, 3, 5}}}, "Tensor[(2, 4, 3, 6), float32]");
        row("unknown extents", {{kFloat32, {-1, 4, -1, 8}}, {kFloat32, {2, 2, -1, -1}}, {kFloat32, {-1, -1, 5, 6}}},
            "Tensor[(2, 4, ?, 6), float32]");
        row("integers", {{kInt32, {2, 4, 3, 8}}, k, v}, "attention is of floating-point numbers, not int32");
        row("another rank", {q, {kFloat32, {2, 5, 8}}, v}, "key must have rank 4, not 3");
        row("another type", {q, k, {kFloat16, {2, 2, 5, 6}}}, "query is of float32, but value of float16");
        row("batches", {q, {kFloat32, {3, 2, 5, 8}}, v}, "the batches of query and key differ: 2 and 3");
        row("batches of values", {q, k, {kFloat32, {3, 2, 5, 6}}}, "the batches of query and value differ: 2 and 3");
        row("heads of values", {q, k, {kFloat32, {2, 4, 5, 6}}}, "the heads of key and value differ: 2 and 4");
        row("no multiple", {q, {kFloat32, {2, 3, 5, 8}}, {kFloat32, {2, 3, 5, 6}}},
            "the 4 heads of query are no multiple of the 3 of key");
        row("no heads", {q, {kFloat32, {2, 0, 5, 8}}, {kFloat32, {2, 0, 5, 6}}},
            "the 4 heads of query are no multiple of the 0 of key");
        row("sizes", {q, {kFloat32, {2, 2, 5, 7}}, v}, "the sizes of query and key differ: 8 and 7");
        row("keys", {q, k, {kFloat32, {2, 2, 4, 6}}}, "the numbers of keys and values differ: 5 and 4");
        row("a mask of integers", {q, k, v, {kInt64, {5}}}, "the mask must be of bool or float32, not int64");
        row("a mask of another shape", {q, k, v, {kBool, {2, 5}}},
            "the mask's shape (2, 5) can't be broadcast to that of the scores, (2, 4, 3, 5)");
        row("two masks", {q, k, v, {kBool, {5}}, {kBool, {5}}}, "attention has at most one mask");
        row("a mask of too many axes", {q, k, v, {kBool, {1, 1, 1, 1, 5}}},
            "the mask's shape (1, 1, 1, 1, 5) can't be broadcast to that of the scores, (2, 4, 3, 5)");
        row("an infinite scale", {q, k, v}, "scale must be a finite number",
            {{"scale", std::numeric_limits<double>::infinity()}});
        row("a negative cap", {q, k, v}, "softcap must be a finite number, and not negative", {{"softcap", -1.0}});
    }
    void typesAreChecked() {
        QFETCH(QString, found);
        QFETCH(QString, wanted);
        QCOMPARE(found, wanted);
    }

    void theMaskMayBeLeftOut() {
        const std::string head = "def @main(%q: Tensor[(1, 1, 2, 4), float32]) {\n  nn.attention(%q, %q";
        QVERIFY(bool(parse_relay("#[version = \"0.0.5\"]\n" + head + ", %q)\n}\n")));
        const Result<Module> fewer = parse_relay("#[version = \"0.0.5\"]\n" + head + ")\n}\n");
        QVERIFY(!fewer);
        QCOMPARE(QString::fromStdString(fewer.error().message),
                 QString("`nn.attention` takes at least 3 arguments (query, key, value, mask), found 2"));
    }

    void operationsAreThoseOfProductsAndSoftmax() {
        const Module module = typed_module(
            "def @main(%q: Tensor[(2, 4, 3, 8), float32], %k: Tensor[(2, 2, 5, 8), float32], "
            "%v: Tensor[(2, 2, 5, 6), float32]) { nn.attention(%q, %k, %v) }");
        const ExprId call = module.body(module.find_function("main"));
        QCOMPARE(call_flops(module, call), 2.0 * 4 * 3 * 5 * (2 * (8 + 6) + 5));
    }

    void theKernelComputesItsDefinition_data() {
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<double>("tolerance");
        QTest::newRow("float32") << "float32" << 1e-5;
        QTest::newRow("float64") << "float64" << 1e-12;
        QTest::newRow("float16") << "float16" << 4e-3;
    }
    void theKernelComputesItsDefinition() {
        QFETCH(QString, dtype);
        QFETCH(double, tolerance);
        std::mt19937 random(3);
        int hidden = 0;
        for (int round = 0; round < 80; ++round) {
            const AttentionCase c = random_case(random, *DataType::parse(dtype.toStdString()));
            const auto found = run_op("nn.attention", c.arguments(), c.attributes(), 1 + round % 3);
            QVERIFY2(bool(found), message_of(found).c_str());
            const Tensor expected = expected_result(c);
            const double difference = difference_of((*found)[0], expected);
            QVERIFY2(difference < tolerance,
                     qPrintable(QString("round %1: %2\n").arg(round).arg(difference) + text_of(c).c_str()));
            for (int64_t i = 0; i < expected.size(); i += c.width) hidden += expected.at(i) == 0;
        }
        QVERIFY(hidden > 0);
    }

    void olderProcessorsComputeTheSame_data() { name_older_vector_units(); }
    void olderProcessorsComputeTheSame() { pass_on_older_unit(); }

    void loopsInCComputeTheSame() {
        std::mt19937 random(4);
        for (int round = 0; round < 8; ++round) {
            const AttentionCase c = random_case(random, round % 3 ? kFloat32 : kFloat64);
            const auto found = run_op_in_c("nn.attention", c.arguments(), c.attributes());
            QVERIFY2(bool(found), message_of(found).c_str());
            const double difference = difference_of((*found)[0], expected_result(c));
            QVERIFY2(difference < 1e-5, qPrintable(QString("round %1: %2").arg(round).arg(difference)));
        }
    }

    void loweredItComputesTheSame() {
        std::mt19937 random(6);
        for (int round = 0; round < 60; ++round) {
            const AttentionCase c = random_case(random, round % 3 ? kFloat32 : kFloat64);
            const Module module = typed_module(text_of(c));
            QCOMPARE(whole_operator_calls(module), size_t(1));
            const Result<Module> lowered = lower_whole_operators(module);
            QVERIFY2(bool(lowered), message_of(lowered).c_str());
            QVERIFY(lowered->typed());
            QCOMPARE(whole_operator_calls(*lowered), size_t(0));
            std::map<std::string, Tensor> inputs;
            const char* names[] = {"q", "k", "v", "m"};
            for (size_t i = 0; i < c.inputs.size(); ++i) inputs[names[i]] = c.inputs[i];
            const auto whole = outputs_of(module, inputs), parts = outputs_of(*lowered, inputs);
            QVERIFY2(bool(whole), message_of(whole).c_str());
            QVERIFY2(bool(parts), message_of(parts).c_str());
            const double difference = difference_of((*whole)[0], (*parts)[0]);
            QVERIFY2(difference < 1e-5,
                     qPrintable(QString("round %1: %2\n").arg(round).arg(difference) + text_of(c).c_str()));
        }
    }

    void loweredCallsShareTheirMasks() {
        const Module module = typed_module(
            "def @main(%q: Tensor[(1, 4, 3, 8), float32], %k: Tensor[(1, 2, 5, 8), float32]) {\n"
            "  %0 = nn.attention(%q, %k, %k, is_causal=True, causal_offset=2);\n"
            "  nn.attention(%0, %k, %k, is_causal=True, causal_offset=2)\n}\n");
        const Result<Module> lowered = lower_whole_operators(module);
        QVERIFY2(bool(lowered), message_of(lowered).c_str());
        const std::string text = print_relay(*lowered);
        QCOMPARE(QString::fromStdString(text).count("less_equal("), 1);
        QCOMPARE(QString::fromStdString(text).count("where("), 1);
        QCOMPARE(QString::fromStdString(text).count("nn.batch_matmul("), 4);
    }

    void callsOfUnknownShapesStay() {
        const Module module = typed_module("def @main(%q: Tensor[(1, 4, ?, 8), float32]) { nn.attention(%q, %q, %q) }");
        const Result<Module> lowered = lower_whole_operators(module);
        QVERIFY2(bool(lowered), message_of(lowered).c_str());
        QCOMPARE(whole_operator_calls(*lowered), size_t(1));
    }

    void emptyOperandsGiveZeros() {
        for (const std::vector<int64_t>& extents : {std::vector<int64_t>{1, 2, 3, 0, 4},
                                                    {1, 2, 0, 3, 4},
                                                    {0, 2, 3, 3, 4},
                                                    {1, 2, 9, 0, 4},
                                                    {1, 2, 9, 3, 0}}) {
            const Tensor query = floats({extents[0], extents[1], extents[2], extents[4]}, {}),
                         key = floats({extents[0], extents[1], extents[3], extents[4]}, {}),
                         value = floats({extents[0], extents[1], extents[3], 5}, {});
            const auto found = run_op("nn.attention", {query, key, value});
            QVERIFY2(bool(found), message_of(found).c_str());
            for (double each : numbers((*found)[0])) QCOMPARE(each, 0.0);
        }
    }
};

PARTITA_TEST(TestNnAttention)

}  // namespace test_nn_attention

#include "test_nn_attention.moc"
