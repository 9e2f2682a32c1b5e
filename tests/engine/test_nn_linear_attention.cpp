// nn.linear_attention: its kernel against a plain computation, in C, and written as Relay's calls.
#include <QtTest>

#include <cmath>
#include <random>

#include "engine/passes/lower_whole_operators.h"
#include "engine/session/session.h"
#include "op_c_testing.h"
#include "op_call.h"
#include "relay_testing.h"
#include "same_outputs.h"
#include "tests/registry.h"

namespace test_nn_linear_attention {

using namespace partita;
using namespace partita::testing;

namespace {

constexpr const char* kNames[] = {"q", "k", "v", "g", "b", "s"};

struct Attention {
    std::vector<Tensor> inputs;  ///< query, key, value, decay, beta, state
    bool delta;
    double scale;  ///< 0: 1 / sqrt(size)

    int64_t extent(size_t input, size_t axis) const { return inputs[input].shape()[axis]; }
    /// An element of [batch, rows, heads, size], whose heads may be fewer.
    double at(size_t input, int64_t b, int64_t r, int64_t head, int64_t heads, int64_t i) const {
        const auto& shape = inputs[input].shape();
        return inputs[input].at(((b * shape[1] + r) * shape[2] + head * shape[2] / heads) * shape[3] +
                                (shape[3] == 1 ? 0 : i));
    }
    /// Returns results and states, in the order of their elements.
    std::pair<std::vector<double>, std::vector<double>> expected() const;
};

std::pair<std::vector<double>, std::vector<double>> Attention::expected() const {
    const int64_t rows = extent(0, 1), size = extent(0, 3), heads = extent(2, 2), width = extent(2, 3),
                  readers = std::max(heads, extent(0, 2));
    const double factor = scale != 0 ? scale : 1 / std::sqrt(double(size));
    std::vector<double> results(size_t(extent(0, 0) * rows * readers * width)), states;
    for (int64_t b = 0; b < extent(0, 0); ++b)
        for (int64_t h = 0; h < heads; ++h) {
            std::vector<double> state;
            for (int64_t i = 0; i < size * width; ++i)
                state.push_back(inputs[5].at((b * heads + h) * size * width + i));
            for (int64_t r = 0; r < rows; ++r) {
                for (int64_t i = 0; i < size * width; ++i)
                    state[size_t(i)] *= std::exp(at(3, b, r, h, heads, i / width));
                for (int64_t j = 0; j < width; ++j) {
                    double news = at(2, b, r, h, heads, j);
                    for (int64_t i = 0; delta && i < size; ++i)
                        news -= state[size_t(i * width + j)] * at(1, b, r, h, heads, i);
                    for (int64_t i = 0; i < size; ++i)
                        state[size_t(i * width + j)] += at(1, b, r, h, heads, i) * news * at(4, b, r, h, heads, 0);
                }
                for (int64_t o = 0; o < readers; ++o)
                    for (int64_t j = 0; o * heads / readers == h && j < width; ++j)
                        for (int64_t i = 0; i < size; ++i)
                            results[size_t(((b * rows + r) * readers + o) * width + j)] +=
                                factor * state[size_t(i * width + j)] * at(0, b, r, o, readers, i);
            }
            states.insert(states.end(), state.begin(), state.end());
        }
    return {results, states};
}

Attention random_attention(std::mt19937& random, int round) {
    const auto one_of = [&](std::initializer_list<int64_t> all) { return all.begin()[random() % all.size()]; };
    const int64_t batch = one_of({1, 2}), rows = one_of({1, 2, 5}), size = one_of({1, 3, 8}),
                  width = one_of({1, 5, 70}), heads = one_of({1, 2, 4}), readers = one_of({1, 2, 4}),
                  keys = one_of({1, heads});
    const DataType dtype = round % 3 ? kFloat32 : kFloat64;
    const auto make = [&](std::vector<int64_t> shape, double least, double most) {
        Tensor tensor(dtype, std::move(shape));
        std::uniform_real_distribution<double> number(least, most);
        for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, number(random));
        return tensor;
    };
    return {{make({batch, rows, readers, size}, -1, 1), make({batch, rows, keys, size}, -0.5, 0.5),
             make({batch, rows, heads, width}, -1, 1), make({batch, rows, heads, one_of({1, size})}, -2, 0),
             make({batch, rows, one_of({1, heads}), 1}, 0, 1), make({batch, heads, size, width}, -1, 1)},
            random() % 2 == 1,
            random() % 2 ? 0.3 : 0};
}

void compare(const std::vector<Tensor>& found, const Attention& given) {
    const auto [results, states] = given.expected();
    QCOMPARE(found[1].shape(), given.inputs[5].shape());
    QCOMPARE(size_t(found[0].size()), results.size());
    for (size_t i = 0; i < results.size(); ++i)
        QVERIFY2(std::abs(found[0].at(int64_t(i)) - results[i]) < 1e-5, qPrintable(QString::number(i)));
    for (size_t i = 0; i < states.size(); ++i)
        QVERIFY2(std::abs(found[1].at(int64_t(i)) - states[i]) < 1e-5, qPrintable(QString::number(i)));
}

std::string call_of(const std::string& attributes = "") {
    return "nn.linear_attention(%q, %k, %v, %g, %b, %s" + attributes + ")";
}

/// A function of six parameters, by the text of their types.
std::string function_of(const std::vector<std::string>& types, const std::string& call) {
    std::string parameters;
    for (size_t i = 0; i < types.size(); ++i)
        parameters += (i ? ", %" : "%") + std::string(kNames[i]) + ": Tensor[" + types[i] + "]";
    return "#[version = \"0.0.5\"]\ndef @main(" + parameters + ") { " + call + " }";
}

std::string text_of(const Attention& given) {
    std::vector<std::string> types;
    for (const Tensor& input : given.inputs)
        types.push_back(shape_to_string(input.shape()) + ", " + input.dtype().to_string());
    return function_of(
        types, call_of(", scale=" + std::to_string(given.scale) + "f, delta=" + (given.delta ? "True" : "False")));
}

}  // namespace

class TestNnLinearAttention : public QObject {
    Q_OBJECT

private slots:
    void eachRowUpdatesAndReadsTheState() {
        std::mt19937 random(1);
        for (int round = 0; round < 200; ++round) {
            const Attention given = random_attention(random, round);
            compare(OpCall("nn.linear_attention").set("scale", given.scale).set("delta", given.delta).run(given.inputs),
                    given);
        }
    }

    void loopsInCDoTheSame() {
        std::mt19937 random(2);
        for (int round = 0; round < 12; ++round) {
            const Attention given = random_attention(random, round);
            const auto found = run_op_in_c("nn.linear_attention", {given.inputs.begin(), given.inputs.end()},
                                           {{"scale", given.scale}, {"delta", given.delta}});
            QVERIFY2(bool(found), message_of(found).c_str());
            compare(*found, given);
        }
    }

    void relaysCallsDoTheSame() {
        std::mt19937 random(3);
        for (int round = 0; round < 60; ++round) {
            const Attention given = random_attention(random, round);
            const Module module = typed_module(text_of(given));
            QCOMPARE(whole_operator_calls(module), size_t(1));
            const Result<Module> lowered = lower_whole_operators(module);
            QVERIFY2(bool(lowered), message_of(lowered).c_str());
            QVERIFY(lowered->typed());
            QCOMPARE(whole_operator_calls(*lowered), size_t(0));
            std::map<std::string, Tensor> inputs;
            for (size_t i = 0; i < given.inputs.size(); ++i) inputs.emplace(kNames[i], given.inputs[i]);
            const auto found = outputs_of(*lowered, inputs);
            QVERIFY2(bool(found), message_of(found).c_str());
            compare(*found, given);
        }
    }

    void whatDoesNotFitIsRefused_data() {
        QTest::addColumn<int>("input");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("message");
        QTest::newRow("rank") << 0 << "(3, 4, 5), float32"
                              << "query must have rank 4";
        QTest::newRow("heads of keys") << 1 << "(2, 3, 3, 5), float32"
                                       << "can't share 3 of keys";
        QTest::newRow("heads of queries") << 0 << "(2, 3, 3, 5), float32"
                                          << "are no multiples";
        QTest::newRow("size of keys") << 1 << "(2, 3, 1, 4), float32"
                                      << "5";
        QTest::newRow("rows of values") << 2 << "(2, 4, 2, 6), float32"
                                        << "3";
        QTest::newRow("decays") << 3 << "(2, 3, 2, 3), float32"
                                << "5";
        QTest::newRow("betas") << 4 << "(2, 3, 2, 2), float32"
                               << "1";
        QTest::newRow("state") << 5 << "(2, 2, 6, 5), float32"
                               << "5, 6";
        QTest::newRow("two types") << 5 << "(2, 2, 5, 6), float64"
                                   << "float32";
        QTest::newRow("integers") << 0 << "(2, 3, 4, 5), int32"
                                  << "floating-point";
    }
    void whatDoesNotFitIsRefused() {
        QFETCH(int, input);
        QFETCH(QString, type);
        QFETCH(QString, message);
        std::vector<std::string> types{"(2, 3, 4, 5), float32", "(2, 3, 1, 5), float32", "(2, 3, 2, 6), float32",
                                       "(2, 3, 2, 1), float32", "(2, 3, 2, 1), float32", "(2, 2, 5, 6), float32"};
        QVERIFY(bool(open_text(function_of(types, call_of()), "test")));
        types[size_t(input)] = type.toStdString();
        const Result<OpenedModule> opened = open_text(function_of(types, call_of()), "test");
        QVERIFY(!opened);
        const QString found = QString::fromStdString(opened.error().to_string());
        QVERIFY2(found.contains(message), qPrintable(found));
    }

    void manyRowsStayOneCall() {
        const Module module =
            typed_module(function_of({"(1, 300, 1, 2), float32", "(1, 300, 1, 2), float32", "(1, 300, 1, 2), float32",
                                      "(1, 300, 1, 1), float32", "(1, 300, 1, 1), float32", "(1, 1, 2, 2), float32"},
                                     call_of()));
        const Result<Module> lowered = lower_whole_operators(module);
        QVERIFY2(bool(lowered), message_of(lowered).c_str());
        QCOMPARE(whole_operator_calls(*lowered), size_t(1));
    }
};

PARTITA_TEST(TestNnLinearAttention)

}  // namespace test_nn_linear_attention

#include "test_nn_linear_attention.moc"
