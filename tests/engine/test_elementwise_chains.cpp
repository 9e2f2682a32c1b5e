// Operators that compute one function of single elements are one step on dnnl, however they are written; what only
// looks like a known activation is none.
#include <QtTest>

#include <cmath>
#include <random>

#include "engine/ops/elementwise_program.h"
#include "tests/engine/older_processors.h"
#include "tests/engine/run_on_dnnl.h"

namespace test_elementwise_chains {

using namespace partita;

namespace {

using Op = ElementwiseProgram::Op;

std::string dense_and(const std::string& after) {
    return "%x: Tensor[(9, 24), float32], %w_weight: Tensor[(32, 24), float32]) {\n"
           "  %d = nn.dense(%x, %w_weight, units=32);\n" +
           after + "}\n";
}

/// Relay text has numbers, not names, for what is no binding; `let` would end a region.
std::string numbered(const std::string& named) {
    QString text = QString::fromStdString(named);
    static const QRegularExpression definition("(?<=[ \\n])%([a-z]\\w*) = ");
    QStringList names;
    for (QRegularExpressionMatchIterator found = definition.globalMatch(text); found.hasNext();)
        names << found.next().captured(1);
    for (int i = 0; i < names.size(); ++i)
        text.replace(QRegularExpression("%" + names[i] + "\\b"), "%" + QString::number(i));
    return text.toStdString();
}

RunReport run(const std::string& text, int threads) { return run_on_dnnl(numbered(text), threads); }

/// The operators whose time was taken.
QSet<QString> timed(const RunReport& report) {
    QSet<QString> names;
    for (const RegionTiming& region : report.regions)
        for (const auto& op : region.ops) names << QString::fromStdString(op.name);
    return names;
}

double largest_error(const RunReport& report) {
    double most = 0;
    for (const OutputDifference& difference : report.differences) most = std::max(most, difference.max_abs_error);
    return most;
}

}  // namespace

class TestElementwiseChains : public QObject {
    Q_OBJECT

private slots:
    void valuesAreThoseOfTheDefinition() {
        const ElementwiseProgram error({{Op::Error, 0}}), tangent({{Op::Tangent, 0}}), even({{Op::Rounding, 0}});
        for (int i = -4000; i <= 4000; ++i) {
            const float x = float(i) / 400;
            QVERIFY(std::fabs(double(error(x)) - std::erf(double(x))) < 6e-7);
            QVERIFY(std::fabs(double(tangent(x)) - std::tanh(double(x))) <
                    2e-7 * std::max(0.1, std::tanh(std::fabs(double(x)))));
            QCOMPARE(even(x), std::nearbyint(x));
        }
        for (const auto* program : {&error, &tangent}) {
            QVERIFY(std::isnan((*program)(NAN)));
            QCOMPARE((*program)(INFINITY), 1.0F);
            QCOMPARE((*program)(-INFINITY), -1.0F);
        }
        const ElementwiseProgram converted({{Op::Conversion, 0, 0, -128, 127}});
        QCOMPARE(converted(NAN), 0.0F);
        QCOMPARE(converted(-3.9F), -3.0F);
        QCOMPARE(converted(1e9F), 127.0F);
    }

    /// Places are used again, steps that nothing takes are left out, and blocks end anywhere.
    void programsOfManySteps() {
        std::vector<ElementwiseProgram::Step> steps;
        for (uint8_t i = 0; i < 20; ++i) {
            steps.push_back({Op::Sum, i, ElementwiseProgram::kConstant, 1});  // read by the next one only
            steps.back().a = i ? uint8_t(2 * i - 1) : 0;
            steps.push_back({Op::Product, uint8_t(2 * i + 1), uint8_t(2 * i + 1)});  // by none
        }
        steps.push_back({Op::Difference, 39, 0});
        const ElementwiseProgram program(steps);
        QCOMPARE(program.steps().size(), size_t(21));
        for (const int64_t count : {1, 255, 256, 257, 1000}) {
            std::vector<float> values(size_t(count), 0.5F), made(size_t(count) + 1, -7.0F);
            program.run(values.data(), made.data(), count);
            QCOMPARE(made[size_t(count)], -7.0F);
            QVERIFY(std::all_of(made.begin(), made.end() - 1, [](float value) { return value == 20; }));
        }
    }

    void activationsAreOnePrimitiveHoweverTheyAreWritten_data() {
        QTest::addColumn<QString>("after");
        QTest::addColumn<bool>("known");
        const auto row = [](const char* name, const char* after, bool known) { QTest::newRow(name) << after << known; };
        row("GELU, halved first", "multiply(multiply(%d, 0.5f), add(erf(divide(%d, 1.41421354f)), 1f))\n", true);
        row("GELU, halved last", "multiply(multiply(%d, add(1f, erf(multiply(0.70710677f, %d)))), 0.5f)\n", true);
        row("GELU, half a gate", "multiply(%d, multiply(0.5f, add(erf(multiply(%d, 0.70710677f)), 1f)))\n", true);
        row("GELU by tanh, a power",
            "multiply(multiply(%d, 0.5f), add(tanh(multiply(add(%d, multiply(power(%d, 3f), 0.044715f)), "
            "0.7978845608f)), 1f))\n",
            true);
        row("GELU by tanh, products",
            "multiply(multiply(0.5f, %d), add(1f, tanh(multiply(0.7978845608f, multiply(%d, add(1f, "
            "multiply(multiply(0.044715f, "
            "%d), %d)))))))\n",
            true);
        row("swish", "multiply(sigmoid(%d), %d)\n", true);
        row("hard swish", "divide(multiply(%d, clip(add(%d, 3f), a_min=0f, a_max=6f)), 6f)\n", true);
        row("hard swish of ONNX", "multiply(%d, clip(add(multiply(%d, 0.16666667f), 0.5f), a_min=0f, a_max=1f))\n",
            true);
        row("almost GELU", "multiply(multiply(%d, 0.5f), add(erf(divide(%d, 1.40f)), 1f))\n", false);
        row("almost hard swish", "divide(multiply(%d, clip(add(%d, 3f), a_min=0f, a_max=5.5f)), 6f)\n", false);
        row("GELU of a rounded argument",
            "%r = divide(floor(multiply(%d, 32f)), 32f);\n multiply(multiply(%r, 0.5f), add(erf(divide(%r, "
            "1.41421354f)), 1f))\n",
            false);
        row("GELU with another user",
            "%g = erf(divide(%d, 1.41421354f));\n add(%g, multiply(multiply(%d, 0.5f), add(%g, 1f)))\n", false);
    }
    void activationsAreOnePrimitiveHoweverTheyAreWritten() {
        QFETCH(QString, after);
        QFETCH(bool, known);
        for (const int threads : {1, 2}) {
            const RunReport report = run(dense_and(after.toStdString()), threads);
            QVERIFY2(largest_error(report) < 2e-5, qPrintable(QString::number(largest_error(report))));
            if (known) QCOMPARE(timed(report), QSet<QString>{"nn.dense"});
            else QVERIFY(timed(report).size() > 1);
            for (const RegionTiming& region : report.regions) QCOMPARE(region.notice, std::string());
        }
    }

    /// As the importer writes QuantizeLinear and DequantizeLinear: halves go to the even neighbour, to the bit.
    void quantizationAndBackIsOneStepAndExact() {
        const char* text = R"(%x: Tensor[(4, 300), float32]) {
  %n = reshape(subtract(cumsum(full(0.125f, shape=[1200], dtype="float32"), axis=0), 75f), newshape=[4, 300]);
  %v = add(multiply(%x, 0f), %n);
  %s = divide(%v, 0.25f);
  %f = floor(%s);
  %r = subtract(%s, %f);
  %odd = not_equal(multiply(floor(divide(%f, 2f)), 2f), %f);
  %up = logical_or(greater(%r, 0.5f), logical_and(equal(%r, 0.5f), %odd));
  %q = cast(maximum(0f, minimum(255f, add(add(%f, cast(%up, dtype="float32")), 128f))), dtype="uint8");
  multiply(cast(subtract(cast(%q, dtype="int32"), 128), dtype="float32"), 0.25f)
}
)";
        const RunReport report = run(text, 1);
        QCOMPARE(largest_error(report), 0.0);
        for (const RegionTiming& region : report.regions) QCOMPARE(region.notice, std::string());
    }

    /// Any operators in any order: the same as one by one on `default`.
    void anyFunctionIsTheSame() {
        std::mt19937 random(20);
        const auto below = [&](size_t most) { return random() % most; };
        const char* unary[] = {"abs(%1)",
                               "tanh(%1)",
                               "sigmoid(%1)",
                               "erf(%1)",
                               "floor(%1)",
                               "nn.relu(%1)",
                               "clip(%1, a_min=-0.75f, a_max=0.5f)",
                               "power(%1, 2f)",
                               "nn.leaky_relu(%1, alpha=0.1f)"};
        const char* binary[] = {"add", "subtract", "multiply", "maximum", "minimum"};
        for (int round = 0; round < 150; ++round) {
            std::string body;
            std::vector<std::string> values{"%x"};
            const size_t steps = 1 + below(9);
            for (size_t i = 0; i < steps; ++i) {
                const auto value = [&] {
                    return values[values.size() - 1 - below(std::min<size_t>(values.size(), 3))];
                };
                const std::string constant = std::to_string(int(below(9)) - 4) + ".5f";
                std::string call;
                if (below(2)) {
                    call = unary[below(std::size(unary))];
                    call.replace(call.find("%1"), 2, value());
                } else {
                    const std::string other = below(2) ? value() : constant;
                    const bool swapped = below(2);
                    const std::string one = value();
                    call = std::string(binary[below(std::size(binary))]) + "(" + (swapped ? other : one) + ", " +
                           (swapped ? one : other) + ")";
                }
                values.push_back("%v" + std::to_string(i));
                body += "  " + values.back() + " = " + call + ";\n";
            }
            // What has no other user is added up, so that all are computed.
            std::string sum = values.back();
            if (below(3) == 0) sum = "(" + values.back() + ", " + values[values.size() / 2] + ")";
            const std::string text = "%x: Tensor[(3, 5, 7), float32]) {\n" + body + "  " + sum + "\n}\n";
            const RunReport report = run(text, 1);
            for (const OutputDifference& difference : report.differences)
                QVERIFY2(difference.within_tolerance, text.c_str());
        }
    }

    /// Groups and channels that fill no blocks, also where the values of one group are not numbers.
    void groupsThatAreComputedAsOne_data() {
        QTest::addColumn<int>("groups");
        QTest::addColumn<int>("given");
        QTest::addColumn<int>("made");
        QTest::addColumn<QString>("after");
        for (const char* after : {"%c", "nn.relu(%c)", "sigmoid(%c)", "clip(add(%c, 1f), a_min=0.5f, a_max=6f)"})
            for (const auto& [groups, given, made] :
                 {std::tuple(1, 20, 20), {1, 12, 28}, {2, 10, 10}, {4, 12, 12}, {8, 6, 4}})
                QTest::addRow("%d groups of %d and %d: %s", groups, given, made, after)
                    << groups << given << made << after;
    }
    void groupsThatAreComputedAsOne() {
        QFETCH(int, groups);
        QFETCH(int, given);
        QFETCH(int, made);
        QFETCH(QString, after);
        const int in = groups * given, out = groups * made;
        const std::string text =
            QString(
                "%%x: Tensor[(1, %1, 12, 13), float32]) {\n"
                "  %%w = reshape(multiply(subtract(floor_mod(cumsum(full(37f, shape=[%2], dtype=\"float32\"), axis=0), "
                "101f), 50f), 0.015625f), newshape=[%3, %4, 3, 3]);\n"
                "  %%c = nn.conv2d(%%x, %%w, padding=[1, 1, 1, 1], groups=%5, channels=%3, kernel_size=[3, 3]);\n"
                "  %%a = %6;\n"
                "  nn.conv2d(%%a, full(0.25f, shape=[5, %3, 1, 1], dtype=\"float32\"), channels=5, kernel_size=[1, "
                "1])\n}\n")
                .replace("%%", "%")
                .arg(in)
                .arg(out * given * 9)
                .arg(out)
                .arg(given)
                .arg(groups)
                .arg(after)
                .toStdString();
        for (const int threads : {1, 2}) {
            const RunReport report = run(text, threads);
            for (const OutputDifference& difference : report.differences)
                QVERIFY2(difference.within_tolerance, qPrintable(QString::number(difference.max_abs_error)));
        }
    }

    /// Channels are split, shuffled and put together again where they are.
    void splitsAndShuffles() {
        const char* text = R"(%x: Tensor[(1, 28, 6, 5), float32]) {
  %w = reshape(multiply(subtract(floor_mod(cumsum(full(37f, shape=[784], dtype="float32"), axis=0), 101f), 50f),
    0.015625f), newshape=[28, 28, 1, 1]);
  %v = reshape(multiply(subtract(floor_mod(cumsum(full(41f, shape=[196], dtype="float32"), axis=0), 97f), 50f),
    0.015625f), newshape=[14, 14, 1, 1]);
  %a = nn.conv2d(%x, %w, channels=28, kernel_size=[1, 1]);
  %s = split(%a, indices_or_sections=2, axis=1);
  %l = %s.0;
  %r = nn.relu(nn.conv2d(%s.1, %v, channels=14, kernel_size=[1, 1]));
  %c = concatenate((%l, %r), axis=1);
  %t = reshape(transpose(reshape(%c, newshape=[1, 2, 14, 6, 5]), axes=[0, 2, 1, 3, 4]), newshape=[1, 28, 6, 5]);
  %u = split(%t, indices_or_sections=[3, 17], axis=1);
  (nn.conv2d(%u.1, %v, channels=14, kernel_size=[1, 1]), %u.0, add(%u.2, 1f), %l)
}
)";
        for (const int threads : {1, 2}) {
            const RunReport report = run(text, threads);
            QCOMPARE(report.differences.size(), size_t(4));
            for (const OutputDifference& difference : report.differences) QVERIFY(difference.max_abs_error < 1e-5);
        }
    }

    void olderProcessorsComputeTheSame_data() { testing::name_older_vector_units(); }
    void olderProcessorsComputeTheSame() { testing::pass_on_older_unit(); }
};

PARTITA_TEST(TestElementwiseChains)

}  // namespace test_elementwise_chains

#include "test_elementwise_chains.moc"
