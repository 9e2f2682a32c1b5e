// What dnnl computes row by row with kernels of its own: normalizations that are written as single operators, and
// attention whose matrices are transposed for it.
#include <QtTest>

#include <cmath>
#include <random>

#include "engine/ops/row_normalization.h"
#include "tests/engine/run_on_dnnl.h"
#include "tests/registry.h"

namespace test_dnnl_rows {

using namespace partita;

namespace {

/// Returns how often each operator got a time of its own.
std::map<std::string, int> timed(const RunReport& report) {
    std::map<std::string, int> names;
    for (const RegionTiming& region : report.regions)
        for (const OpTiming& op : region.ops) ++names[op.name];
    return names;
}

void compare(const RunReport& report) {
    QCOMPARE(report.regions.size(), size_t(1));
    QCOMPARE(report.regions[0].executed_by, std::string("dnnl"));
    for (const OutputDifference& difference : report.differences)
        QVERIFY2(difference.max_abs_error < 1e-5, qPrintable(QString::number(difference.max_abs_error)));
}

/// A layer normalization of 5 rows of 37 columns; what is not given is the usual.
struct LayerNorm {
    std::string mean = "mean(%x, axis=[-1], keepdims=True)";
    std::string square = "power(%1, 2f)";
    std::string variance = "mean(%2, axis=[2], keepdims=True)";
    std::string shifted = "add(%3, 1e-05f)";
    std::string quotient = "divide(%1, %5)";
    std::string rest = "add(multiply(%6, %g), %b)";

    std::string text() const {
        return R"(%x: Tensor[(1, 5, 37), float32], %g: Tensor[(37), float32], %b: Tensor[(1, 1, 37), float32],
    %r: Tensor[(1, 5, 37), float32]) {
  %0 = )" + mean +
               ";\n  %1 = subtract(%x, %0);\n  %2 = " + square + ";\n  %3 = " + variance + ";\n  %4 = " + shifted +
               ";\n  %5 = sqrt(%4);\n  %6 = " + quotient + ";\n  " + rest + "\n}\n";
    }
};

std::string root_mean_square(const std::string& factor, const std::string& rest) {
    return R"(%x: Tensor[(2, 9, 64), float32], %g: Tensor[(64), float32]) {
  %0 = mean(power(%x, 2f), axis=[2], keepdims=True);
  %1 = sqrt(add(1e-06f, %0));
  %2 = )" + factor +
           ";\n  " + rest + "\n}\n";
}

/// Attention of two items with three heads: 24 rows, 40 keys, a depth of 20 and values of 28.
struct Heads {
    std::string query = "%q: Tensor[(2, 24, 3, 20), float32]", key = "%k: Tensor[(2, 40, 3, 20), float32]",
                value = "%v: Tensor[(2, 40, 3, 28), float32]";
    std::string queries = "[0, 2, 1, 3]", keys = "[0, 2, 1, 3]", values = "[0, 2, 1, 3]", results = "[0, 2, 1, 3]";
    std::string key_shape = "[6, 40, 20]", transpose_b = "True";

    std::string text() const {
        return query + ", " + key + ", " + value + ") {\n  %0 = reshape(transpose(%q, axes=" + queries +
               "), newshape=[6, 24, 20]);\n  %1 = reshape(transpose(%k, axes=" + keys + "), newshape=" + key_shape +
               ");\n  %2 = reshape(transpose(%v, axes=" + values +
               "), newshape=[6, 40, 28]);\n  %3 = nn.batch_matmul(%0, %1, transpose_b=" + transpose_b +
               ");\n  %4 = nn.softmax(multiply(%3, 0.2f));\n  %5 = nn.batch_matmul(%4, %2, transpose_b=False);\n"
               "  transpose(reshape(%5, newshape=[2, 3, 24, 28]), axes=" +
               results + ")\n}\n";
    }
};

}  // namespace

class TestDnnlRows : public QObject {
    Q_OBJECT

private slots:
    void theKernelIsRightForAnyNumberOfColumns_data() {
        QTest::addColumn<int>("columns");
        for (int columns : {1, 2, 7, 8, 15, 16, 17, 31, 33, 64, 100, 1000})
            QTest::addRow("%d columns", columns) << columns;
    }
    void theKernelIsRightForAnyNumberOfColumns() {
        QFETCH(int, columns);
        constexpr int kRows = 3;
        std::mt19937 random(static_cast<unsigned>(columns));
        std::uniform_real_distribution<float> number(-2, 3);
        const auto numbers = [&](int count) {
            std::vector<float> list(static_cast<size_t>(count));
            for (float& each : list) each = number(random);
            return list;
        };
        const std::vector<float> data = numbers(kRows * columns), scale = numbers(columns), shift = numbers(columns);
        for (int options = 0; options < 8; ++options) {
            const bool centered = options & 1, scaled = options & 2, shifted = options & 4;
            std::vector<float> result(data.size(), -77);
            normalize_rows({columns, centered, 0.5F, scaled ? scale.data() : nullptr, shifted ? shift.data() : nullptr},
                           data.data(), result.data(), 1, kRows);
            for (size_t j = 0; j < size_t(columns); ++j) QCOMPARE(result[j], -77.0F);  // of another part
            for (size_t r = 1; r < kRows; ++r) {
                const float* row = &data[r * size_t(columns)];
                double mean = 0, variance = 0;
                for (int j = 0; centered && j < columns; ++j) mean += double(row[j]) / columns;
                for (int j = 0; j < columns; ++j) variance += (row[j] - mean) * (row[j] - mean) / columns;
                for (size_t j = 0; j < size_t(columns); ++j) {
                    const double wanted = (row[j] - mean) / std::sqrt(variance + 0.5) * (scaled ? scale[j] : 1) +
                                          (shifted ? shift[j] : 0);
                    QVERIFY(std::fabs(double(result[r * size_t(columns) + j]) - wanted) < 1e-5);
                }
            }
        }
    }

    void aNormalizationIsOneStep_data() {
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const std::string& text) {
            QTest::newRow(name) << QString::fromStdString(text);
        };
        row("as exported", LayerNorm{}.text());
        row("its own square", LayerNorm{.square = "multiply(%1, %1)"}.text());
        row("constant first", LayerNorm{.shifted = "add(1e-05f, %3)"}.text());
        row("scale only", LayerNorm{.rest = "multiply(%g, %6)"}.text());
        row("shift only", LayerNorm{.rest = "add(%6, %b)"}.text());
        row("neither", LayerNorm{.rest = "%6"}.text());
        row("times the inverse", LayerNorm{.quotient = "multiply(divide(1f, %5), %1)"}.text());
        row("root mean square", root_mean_square("divide(1f, %1)", "multiply(multiply(%x, %2), %g)"));
        row("root mean square, inverse first", root_mean_square("divide(1f, %1)", "multiply(%2, %x)"));
        row("one call of layer_norm",
            "%x: Tensor[(2, 9, 64), float32], %g: Tensor[(64), float32]) { nn.layer_norm(%x, %g, %g) }");
        row("one call of rms_norm",
            "%x: Tensor[(2, 9, 64), float32], %g: Tensor[(64), float32]) { nn.rms_norm(%x, %g) }");
        row("root mean square, divided", root_mean_square("divide(%x, %1)", "multiply(%2, %g)"));
    }
    void aNormalizationIsOneStep() {
        QFETCH(QString, text);
        const RunReport report = run_on_dnnl(text.toStdString(), 2);
        compare(report);
        QCOMPARE(report.regions[0].ops.size(), size_t(1));
        QCOMPARE(report.regions[0].notice, std::string());
    }

    void whatElseIsUsedStays_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("steps");  // 0: no chain
        const auto row = [](const char* name, const std::string& text, int steps) {
            QTest::newRow(name) << QString::fromStdString(text) << steps;
        };
        row("the difference is a result, too", LayerNorm{.rest = "(%6, %1)"}.text(), 3);
        row("the variance is a result, too", LayerNorm{.rest = "(%6, %3)"}.text(), 6);
        row("the root is a result, too", LayerNorm{.rest = "(%6, %5)"}.text(), 6);
        row("the mean is a result, too", LayerNorm{.rest = "(%6, %0)"}.text(), 3);
        row("a sum follows", LayerNorm{.rest = "add(%6, %r)"}.text(), 2);
        row("another power", LayerNorm{.square = "power(%1, 3f)", .shifted = "add(abs(%3), 1f)"}.text(), 0);
        row("another quotient", LayerNorm{.quotient = "divide(%r, %5)"}.text(), 0);
        row("the quotient upside down", LayerNorm{.quotient = "divide(%5, add(abs(%1), 1f))"}.text(), 0);
        row("a sum for each element", LayerNorm{.shifted = "add(%3, abs(%x))"}.text(), 0);
    }
    void whatElseIsUsedStays() {
        QFETCH(QString, text);
        QFETCH(int, steps);
        const RunReport report = run_on_dnnl(text.toStdString(), 1);
        compare(report);
        if (steps > 0) QCOMPARE(int(report.regions[0].ops.size()), steps);
        else QVERIFY(report.regions[0].ops.size() >= 7);
    }

    void notANumberStaysInItsRow() {
        Result<OpenedModule> opened = open_text("#[version = \"0.0.5\"]\ndef @main(" + LayerNorm{}.text(), "test");
        QVERIFY(opened);
        FlowOptions options;
        options.backends.push_back(std::move(*load_backend("dnnl_all")));
        Result<FlowResult> flow = run_flow(opened->module, options);
        QVERIFY(flow);
        Tensor data(kFloat32, {1, 5, 37});
        for (int64_t i = 0; i < data.size(); ++i) data.set(i, double(i % 11));
        data.set(2 * 37 + 3, std::nan(""));
        RunOptions run;
        run.codegen["dnnl_all"] = "dnnl";
        run.inputs.emplace("x", data);
        Result<RunComparison> compared = run_and_compare(flow->partitioned, opened->module, run);
        QVERIFY(compared);
        const Tensor& result = compared->report.outputs.front();
        for (int64_t i = 0; i < result.size(); ++i) QCOMPARE(std::isnan(result.at(i)), i / 37 == 2);
    }

    void transposedMatricesAreReadWhereTheyAre_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("transpositions");
        const auto row = [](const char* name, const Heads& heads, int transpositions) {
            QTest::newRow(name) << QString::fromStdString(heads.text()) << transpositions;
        };
        row("heads of rows", {}, 0);
        row("keys as columns", {.keys = "[0, 2, 3, 1]", .key_shape = "[6, 20, 40]", .transpose_b = "False"}, 0);
        row("keys as given", {.key = "%k: Tensor[(2, 3, 20, 40), float32]", .keys = "[0, 1, 3, 2]"}, 0);
        row("values as columns", {.value = "%v: Tensor[(2, 28, 3, 40), float32]", .values = "[0, 2, 3, 1]"}, 0);
        row("heads first", {.query = "%q: Tensor[(3, 2, 24, 20), float32]", .queries = "[1, 0, 2, 3]"}, 0);
        row("results as columns", {.results = "[0, 1, 3, 2]"}, 1);
        row("results from the back", {.results = "[3, 2, 1, 0]"}, 1);
        row("results of rows first", {.results = "[2, 0, 1, 3]"}, 0);
    }
    void transposedMatricesAreReadWhereTheyAre() {
        QFETCH(QString, text);
        QFETCH(int, transpositions);
        for (int threads : {1, 2}) {
            const RunReport report = run_on_dnnl(text.toStdString(), threads);
            compare(report);
            auto names = timed(report);
            QCOMPARE(names["nn.softmax"], 1);
            QCOMPARE(names["transpose"], transpositions);
        }
    }

    void queriesAreReadRowByRow() {
        const Heads heads{.query = "%q: Tensor[(2, 3, 20, 24), float32]", .queries = "[0, 1, 3, 2]"};
        const RunReport report = run_on_dnnl(heads.text(), 1);
        compare(report);
        auto names = timed(report);
        QCOMPARE(names["transpose"], 1);
        QCOMPARE(names["nn.softmax"], 1);
        QCOMPARE(names["nn.batch_matmul"], 2);
        QCOMPARE(names.size(), size_t(3));
    }

    void theWholeOperatorReadsTransposedMatrices_data() {
        QTest::addColumn<int>("key_heads");
        QTest::addColumn<int>("transpositions");
        QTest::newRow("a head has its own keys") << 4 << 0;
        QTest::newRow("heads share keys") << 2 << 2;  // the queries' and the result's
    }
    void theWholeOperatorReadsTransposedMatrices() {
        QFETCH(int, key_heads);
        QFETCH(int, transpositions);
        for (int rows : {1, 3, 30}) {
            const std::string heads = std::to_string(key_heads);
            const std::string text = "%q: Tensor[(2, " + std::to_string(rows) +
                                     ", 4, 20), float32], %k: Tensor[(2, 40, " + heads +
                                     ", 20), float32], %v: Tensor[(2, 40, " + heads + R"(, 24), float32]) {
  %0 = transpose(%q, axes=[0, 2, 1, 3]);
  %1 = transpose(%k, axes=[0, 2, 1, 3]);
  %2 = transpose(%v, axes=[0, 2, 1, 3]);
  transpose(nn.attention(%0, %1, %2, is_causal=True, causal_offset=5), axes=[0, 2, 1, 3])
}
)";
            const RunReport report = run_on_dnnl(text, 2);
            compare(report);
            auto names = timed(report);
            QCOMPARE(names["nn.attention"], 1);
            QCOMPARE(names["transpose"], transpositions);
        }
    }

    void transpositionsChangeTheOrderOfElements_data() {
        QTest::addColumn<QString>("text");
        const char* const head = "%x: Tensor[(2, 3, 4, 5), float32]) {\n  ";
        for (const char* axes : {"[0, 1, 2, 3]", "[3, 2, 1, 0]", "[1, 2, 3, 0]", "[-1, 0, -2, 1]", "None"})
            QTest::newRow(axes) << QStringLiteral("%1transpose(abs(%x), axes=%2)\n}\n").arg(head, axes);
        QTest::newRow("of one dimension") << "%x: Tensor[(7), float32]) {\n  transpose(abs(%x), axes=[0])\n}\n";
        QTest::newRow("after a convolution")
            << R"(%x: Tensor[(1, 16, 8, 8), float32], %w_weight: Tensor[(20, 16, 3, 3), float32]) {
  nn.relu(transpose(nn.conv2d(%x, %w_weight, channels=20, kernel_size=[3, 3]), axes=[0, 2, 3, 1]))
}
)";
    }
    void transpositionsChangeTheOrderOfElements() {
        QFETCH(QString, text);
        compare(run_on_dnnl(text.toStdString(), 2));
    }

    void powersAreOneDnns_data() {
        QTest::addColumn<QString>("exponent");
        for (const char* exponent : {"2f", "3f", "0.5f", "-1f", "0f"}) QTest::newRow(exponent) << exponent;
    }
    void powersAreOneDnns() {
        QFETCH(QString, exponent);
        const QString text = "%x: Tensor[(3, 50), float32]) {\n  power(add(abs(%x), 0.5f), " + exponent + ")\n}\n";
        const RunReport report = run_on_dnnl(text.toStdString(), 1);
        compare(report);
        QCOMPARE(report.regions[0].notice, std::string());
    }
};

PARTITA_TEST(TestDnnlRows)

}  // namespace test_dnnl_rows

#include "test_dnnl_rows.moc"
