// What operators of LiteRT models compute, against what LiteRT computes (the reference data: one-operator models and
// whole ones), and a few models made here with results by hand.
#include <QtTest>

#include <cmath>
#include <cstdlib>

#include <QRegularExpression>
#include <QTemporaryDir>

#include "engine/runtime/run.h"
#include "engine/session/session.h"
#include "engine/support/file.h"
#include "tests/engine/litert_writer.h"
#include "tests/engine/reference_data.h"
#include "tests/registry.h"

namespace test_litert_runs {

using namespace partita;
using namespace partita::litert_testing;
using nlohmann::json;

namespace {

DataType type_of(const std::string& name) {
    return *DataType::parse(QString::fromStdString(name).toLower().toStdString());
}

/// The reference's rule: element i of input k.
Tensor input_of(const json& input, size_t k, const json& given) {
    const DataType dtype = type_of(input["type"]);
    Tensor tensor(dtype, input["shape"].get<std::vector<int64_t>>());
    for (int64_t i = 0; i < tensor.size(); ++i) {
        const double v = double((7 * i + 5 * int64_t(k)) % 13);
        double value = dtype == kFloat32 ? 0.125 * v - 0.75
                       : dtype == kInt8  ? 16 * v - 96
                       : dtype == kUInt8 ? 16 * v
                       : dtype == kInt16 ? 4096 * v - 24576
                       : dtype.is_bool() ? double(int(v) % 2)
                                         : v;
        if (k < given.size()) {
            const json& number = given[k][size_t(i)];
            value = number.is_string() ? std::strtod(number.get<std::string>().c_str(), nullptr) : number.get<double>();
        }
        tensor.set(i, value);
    }
    return tensor;
}

/// The lines of a file whose numbers may be infinite, which JSON has not: those stand as texts.
std::vector<json> lines_of(const QString& path) {
    std::vector<json> lines;
    for (const QString& line : QString::fromStdString(testing::read_text(path)).split('\n', Qt::SkipEmptyParts)) {
        QString text = line;
        text.replace(QRegularExpression("(?<![\"-])(-?(?:Infinity|NaN))(?!\")"), "\"\\1\"");
        lines.push_back(json::parse(text.toStdString()));
    }
    return lines;
}

Result<RunReport> run_file(const std::string& path, const json& inputs, const json& given) {
    Result<OpenedModule> opened = open_module(path);
    if (!opened) return opened.error();
    RunOptions options;
    options.warmup = 0;
    options.repeat = 1;
    for (size_t k = 0; k < inputs.size(); ++k) options.inputs[inputs[k]["name"]] = input_of(inputs[k], k, given);
    return run_module(opened->module, options);
}

/// Returns the largest difference of an output: of integers in steps, of real numbers as a part of the largest;
/// infinite where the shape differs.
double difference(const Tensor& found, const json& expected) {
    if (found.shape() != expected["shape"].get<std::vector<int64_t>>()) return INFINITY;
    double most = 0, largest = 1e-9;
    const auto compare = [&](int64_t index, const json& value) {
        if (!value.is_number()) return;
        const double wanted = value.get<double>(), is = found.at(index);
        if (!std::isfinite(wanted)) return;
        largest = std::max(largest, std::abs(wanted));
        most = std::max(most, std::isfinite(is) ? std::abs(is - wanted) : INFINITY);
    };
    for (size_t i = 0; i < expected["values"].size(); ++i) compare(int64_t(i), expected["values"][i]);
    if (expected.contains("spread"))
        for (size_t j = 0; j < expected["spread"].size(); ++j)
            compare(int64_t(j) * expected["count"].get<int64_t>() / 64, expected["spread"][j]);
    return found.dtype().is_float() ? most / largest : most;
}

/// What may differ, by the reference's own account: tables, and roundings of kernels that are not XNNPACK's.
double steps_allowed(const std::string& op, const std::string& type) {
    if (type == "INT16") return op == "TANH" ? 8 : op == "LOGISTIC" ? 5 : op == "SOFTMAX" ? 1 : 0;
    return op == "HARD_SWISH" || op == "LEAKY_RELU" || op == "QUANTIZE" ? 1 : 0;
}

QString litert_folder() {
    const QString folder = testing::reference_folder();
    return folder.isEmpty() || !QFile::exists(folder + "/litert/README.md") ? QString() : folder + "/litert";
}

Value quantization(float scale, int64_t zero) {
    return Value::table(
        {{2, Value::numbers(std::vector<float>{scale})}, {3, Value::numbers(std::vector<int64_t>{zero})}});
}

std::vector<double> results_of(const Model& model, std::vector<int32_t> inputs, std::vector<int32_t> outputs,
                               const std::map<std::string, Tensor>& values) {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("a.tflite").toStdString();
    if (!write_file(path, model.file(std::move(inputs), std::move(outputs)))) return {};
    Result<OpenedModule> opened = open_module(path);
    if (!opened) return {};
    RunOptions options;
    options.inputs = values;
    options.repeat = 1;
    const Result<RunReport> report = run_module(opened->module, options);
    std::vector<double> numbers;
    if (report)
        for (int64_t i = 0; i < report->outputs[0].size(); ++i) numbers.push_back(report->outputs[0].at(i));
    return numbers;
}

Tensor floats(std::vector<int64_t> shape, std::vector<double> values) {
    Tensor tensor(kFloat32, std::move(shape));
    for (size_t i = 0; i < values.size(); ++i) tensor.set(int64_t(i), values[i]);
    return tensor;
}

Tensor bytes(std::vector<int64_t> shape, std::vector<double> values) {
    Tensor tensor(kInt8, std::move(shape));
    for (size_t i = 0; i < values.size(); ++i) tensor.set(int64_t(i), values[i]);
    return tensor;
}

}  // namespace

class TestLitertRuns : public QObject {
    Q_OBJECT
private slots:
    void oddPaddingStandsBehind() {
        Model model;
        const int x = model.tensor("x", Float32, {1, 2, 2, 1}), y = model.tensor("y", Float32, {1, 2, 2, 1});
        const int w = model.constant<float>("w", Float32, {1, 2, 2, 1}, {1, 10, 100, 1000});
        const int b = model.constant<float>("b", Float32, {1}, {0.5});
        model.op(3, {x, w, b}, {y},
                 {{3, Value::number(uint8_t(1))},
                  {4, Value::table({{1, Value::number(int32_t(1))}, {2, Value::number(int32_t(1))}})}});
        QCOMPARE(results_of(model, {x}, {y}, {{"x", floats({1, 2, 2, 1}, {1, 2, 3, 4})}}),
                 (std::vector<double>{4321.5, 402.5, 43.5, 4.5}));
    }

    /// XNNPACK rounds sums of products to even before it adds the zero point: (x - 1) * 0.25 in the result's scale.
    void integersAreRoundedToEvenBeforeTheZeroPointIsAdded() {
        Model model;
        const int x = model.tensor("x", Int8, {3, 1}), y = model.tensor("y", Int8, {3, 1});
        const int w = model.constant<int8_t>("w", Int8, {1, 1}, {1});
        model.set(x, 4, quantization(0.5f, 1));
        model.set(w, 4, quantization(0.5f, 0));
        model.set(y, 4, quantization(1, 10));
        model.op(9, {x, w, -1}, {y}, {{3, Value::number(uint8_t(8))}, {4, Value::table({})}});
        QCOMPARE(results_of(model, {x}, {y}, {{"x", bytes({3, 1}, {3, 7, -1})}}), (std::vector<double>{10, 12, 10}));
    }

    /// What stands between two numbers goes up, below zero, too: as XNNPACK adds, and changes scales.
    void bytesBetweenTwoNumbersGoUp_data() {
        QTest::addColumn<int>("code");
        QTest::addColumn<QList<double>>("results");
        QTest::newRow("ADD of zeros") << 0 << QList<double>{11, 10, 12, 9};
        QTest::newRow("SUB of zeros") << 41 << QList<double>{11, 10, 12, 9};
        QTest::newRow("QUANTIZE") << 114 << QList<double>{11, 10, 12, 9};
        QTest::newRow("LEAKY_RELU by 1/4") << 98 << QList<double>{11, 10, 12, 10};
    }
    void bytesBetweenTwoNumbersGoUp() {
        QFETCH(int, code);
        Model model;
        const int x = model.tensor("x", Int8, {4}), y = model.tensor("y", Int8, {4});
        const int zeros = model.constant<int8_t>("zeros", Int8, {4}, {0, 0, 0, 0});
        for (int input : {x, zeros}) model.set(input, 4, quantization(0.5f, 0));
        model.set(y, 4, quantization(1, 10));
        const bool two = code == 0 || code == 41;
        model.op(code, two ? std::vector{x, zeros} : std::vector{x}, {y},
                 code == 98 ? std::map<int, Value>{{3, Value::number(uint8_t(75))},
                                                   {4, Value::table({{0, Value::number(0.25f)}})}}
                            : std::map<int, Value>{});
        const std::vector<double> found = results_of(model, {x}, {y}, {{"x", bytes({4}, {1, -1, 3, -3})}});
        QTEST(QList<double>(found.begin(), found.end()), "results");
    }

    void anglesOfPointsInAllQuadrants() {
        const std::vector<double> ys{1, 1, -1, -1, 1, -1, 0, 0, 0}, xs{2, -2, 2, -2, 0, 0, 3, -3, 0};
        Model model;
        const int y = model.tensor("y", Float32, {9}), x = model.tensor("x", Float32, {9});
        const int angle = model.tensor("angle", Float32, {9});
        model.op(156, {y, x}, {angle});
        const std::vector<double> found =
            results_of(model, {y, x}, {angle}, {{"y", floats({9}, ys)}, {"x", floats({9}, xs)}});
        QCOMPARE(found.size(), ys.size());
        for (size_t i = 0; i < ys.size(); ++i) QVERIFY(std::abs(found[i] - std::atan2(ys[i], xs[i])) < 1e-6);
    }

    /// LiteRT's table for 8 bits has the least number where there is no logarithm.
    void quantizedLogarithmsOfWhatHasNone() {
        Model model;
        const int x = model.tensor("x", Int8, {3}), y = model.tensor("y", Int8, {3});
        model.set(x, 4, quantization(1, 0));
        model.set(y, 4, quantization(1, 7));
        model.op(73, {x}, {y});
        QCOMPARE(results_of(model, {x}, {y}, {{"x", bytes({3}, {-1, 0, 1})}}), (std::vector<double>{-128, -128, 7}));
    }

    /// These divide or mix the integers themselves, whatever scale the file gives them.
    void integersThatStandForThemselves_data() {
        QTest::addColumn<int>("code");
        QTest::addColumn<double>("result");
        QTest::newRow("FLOOR_DIV") << 90 << -4.0;
        QTest::newRow("FLOOR_MOD") << 95 << 1.0;
        QTest::newRow("BITWISE_XOR") << 160 << double(-7 ^ 2);
        QTest::newRow("RIGHT_SHIFT") << 161 << -2.0;
    }
    void integersThatStandForThemselves() {
        QFETCH(int, code);
        Model model;
        const int x = model.tensor("x", Int8, {1}), y = model.tensor("y", Int8, {1}), z = model.tensor("z", Int8, {1});
        model.set(x, 4, quantization(0.5f, 3));
        model.set(y, 4, quantization(0.25f, -1));
        model.set(z, 4, quantization(2, 5));
        model.op(code, {x, y}, {z});
        const std::vector<double> found =
            results_of(model, {x, y}, {z}, {{"x", bytes({1}, {-7})}, {"y", bytes({1}, {2})}});
        QCOMPARE(found.size(), size_t(1));
        QTEST(found[0], "result");
    }

    void aSparseConstantIsMadeDense() {
        // [[0, 5], [7, 0]]: rows dense, columns compressed.
        Model model;
        const int w = model.constant<float>("w", Float32, {2, 2}, {5, 7}), d = model.tensor("d", Float32, {2, 2});
        const int x = model.tensor("x", Float32, {2, 2}), y = model.tensor("y", Float32, {2, 2});
        const auto list = [](std::vector<int32_t> numbers) { return Value::table({{0, Value::numbers(numbers)}}); };
        const Value rows = Value::table({{1, Value::number(int32_t(2))}});
        const Value columns = Value::table({{0, Value::number(int8_t(1))},
                                            {2, Value::number(uint8_t(1))},
                                            {3, list({0, 1, 2})},
                                            {4, Value::number(uint8_t(1))},
                                            {5, list({1, 0})}});
        model.set(w, 6,
                  Value::table({{0, Value::numbers(std::vector<int32_t>{0, 1})}, {2, Value::list({rows, columns})}}));
        model.op(124, {w}, {d});
        model.op(0, {x, d}, {y});
        QCOMPARE(results_of(model, {x}, {y}, {{"x", floats({2, 2}, {1, 1, 1, 1})}}), (std::vector<double>{1, 6, 8, 1}));
    }

    void oneOperatorModelsComputeWhatLitertComputes() {
        if (litert_folder().isEmpty()) QSKIP("no reference data");
        int equal = 0, near = 0, all = 0;
        QStringList wrong;
        for (const json& line : lines_of(litert_folder() + "/ops/ops.jsonl")) {
            const QString path = litert_folder() + "/ops/models/" + QString::fromStdString(line["name"]) + ".tflite";
            if (!line["ok"].get<bool>() || !line.contains("outputs") || !QFile::exists(path)) continue;
            ++all;
            const json inputs = line.value("inputs", json::array());
            const Result<RunReport> report =
                run_file(path.toStdString(), inputs, line.value("given_inputs", json::array()));
            double most = report ? 0 : INFINITY;
            bool real = true;
            for (size_t i = 0; report && i < line["outputs"].size(); ++i) {
                most = std::max(most, difference(report->outputs[i], line["outputs"][i]));
                real = real && report->outputs[i].dtype().is_float();
            }
            if (most <= (real ? 1e-5 : 0)) ++equal;
            else if (!real && most <= steps_allowed(line["op"], line["outputs"][0]["type"])) ++near;
            else
                wrong << QString::fromStdString(line["name"]) + QString(" by %1").arg(most) +
                             (report ? "" : QString::fromStdString(": " + report.error().message));
        }
        qInfo("%d of %d are equal, %d within the roundings that are known", equal, all, near);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    void modelsComputeWhatLitertComputes() {
        if (litert_folder().isEmpty()) QSKIP("no reference data");
        // What LiteRT's kernel gives zeros for (per-channel second factor).
        const QStringList apart = {"static_w8_a16_quantized_q_einsum.tflite"};
        QStringList wrong;
        int equal = 0;
        for (const json& line : lines_of(litert_folder() + "/outputs.jsonl")) {
            const QString name = QString::fromStdString(line["model"]), path = litert_folder() + "/models/" + name;
            if (!line["ok"].get<bool>() || !QFile::exists(path) || apart.contains(name)) continue;
            const json& signature = line["signatures"][0];
            const Result<RunReport> report = run_file(path.toStdString(), signature["inputs"], json::array());
            double most = report ? 0 : INFINITY;
            for (size_t i = 0; report && i < signature["outputs"].size(); ++i)
                most = std::max(most, difference(report->outputs[i], signature["outputs"][i]));
            if (most <= 1e-5) ++equal;
            else wrong << name + QString(" by %1").arg(most);
        }
        qInfo("%d models are equal", equal);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }
};

PARTITA_TEST(TestLitertRuns)

}  // namespace test_litert_runs

#include "test_litert_runs.moc"
