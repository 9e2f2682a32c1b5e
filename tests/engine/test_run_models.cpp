// The reference models and graphs, run on each backend: equal to TVM's results, and to `default`.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

#include <nlohmann/json.hpp>

#include "engine/frontends/relay/parser.h"
#include "engine/passes/infer_types.h"
#include "engine/runtime/run.h"
#include "engine/support/file.h"
#include "tests/engine/relay_testing.h"
#include "tests/registry.h"

namespace test_run_models {

using namespace partita;

namespace {

Result<ModulePtr> read_module(std::string_view text, const std::string& name) {
    RelayParseOptions options;
    options.file = name;
    Result<Module> module = parse_relay(text, options);
    if (!module) return module.error();
    if (Status typed = infer_types(*module); !typed) return typed.error();
    return ModulePtr(std::make_shared<const Module>(std::move(*module)));
}

RunOptions one_run() {
    RunOptions options;
    options.warmup = 0;
    options.repeat = 1;
    return options;
}

/// Returns the inputs used for the reference data: parameter number i, element k is 0.25 + ((7k + 3i) mod 13) * 0.125.
std::map<std::string, Tensor> reference_inputs(const Module& module) {
    std::map<std::string, Tensor> inputs;
    int64_t i = 0;
    for (ExprId parameter : module.parameters(module.find_function("main"))) {
        std::span<const int64_t> shape = module.types().shape(module.type(parameter));
        Tensor tensor(kFloat32, std::vector<int64_t>(shape.begin(), shape.end()));
        for (int64_t k = 0; k < tensor.size(); ++k) tensor.set(k, 0.25 + double((7 * k + 3 * i) % 13) * 0.125);
        inputs[std::string(module.name(parameter))] = tensor;
        ++i;
    }
    return inputs;
}

/// Compares a value with JSON, where NaN is null and infinities are text. TVM computes tanh and similar functions by
/// polynomials, so results of about 1 have an absolute error of single precision.
bool is_reference(double got, const nlohmann::json& want, double tolerance) {
    if (want.is_null()) return std::isnan(got);
    if (want.is_string()) return std::isinf(got) && (want.get<std::string>()[0] == '-') == (got < 0);
    return std::fabs(got - want.get<double>()) <= tolerance * std::fabs(want.get<double>()) + 1e-6;
}

const char* const kSmallModels[] = {"mlp", "squeezenet", "mobilenet_v1", "mobilenet_v1_int8", "resnet18"};

}  // namespace

class TestRunModels : public QObject {
    Q_OBJECT
    QTemporaryDir cache_;

    void compare(const RunReport& report, const RunReport& expected, double tolerance) {
        QCOMPARE(report.outputs.size(), expected.outputs.size());
        for (const OutputDifference& difference : compare_outputs(report.outputs, expected.outputs, tolerance))
            QVERIFY2(difference.within_tolerance, qPrintable(QString("output %1: error %2 absolute, %3 relative")
                                                                 .arg(difference.output)
                                                                 .arg(difference.max_abs_error)
                                                                 .arg(difference.max_rel_error)));
    }

private slots:
    void initTestCase() { qputenv("XDG_CACHE_HOME", cache_.path().toUtf8()); }

    void randomGraphsComputeWhatTvmComputes_data() {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("codegen");
        for (const char* form : {"input", "partitioned", "partitioned_unmerged"})
            QTest::addRow("%s on default", form) << form << "default";
        QTest::addRow("partitioned on dnnl") << "partitioned"
                                             << "dnnl";
        QTest::addRow("partitioned on ccompiler") << "partitioned"
                                                  << "ccompiler";
        QTest::addRow("partitioned_unmerged on dnnl") << "partitioned_unmerged"
                                                      << "dnnl";
    }
    void randomGraphsComputeWhatTvmComputes() {
        QFETCH(QString, form);
        QFETCH(QString, codegen);
        const std::vector<nlohmann::json> graphs = testing::read_own_data("random_graphs");
        const std::vector<nlohmann::json> outputs = testing::read_own_data("random_graphs_outputs");
        size_t count = codegen == "ccompiler" ? 8 : outputs.size();  // each region costs a run of the C compiler
        QVERIFY(!graphs.empty() && !outputs.empty());
        for (size_t i = 0; i < count; ++i) {
            const nlohmann::json* graph = nullptr;
            for (const nlohmann::json& candidate : graphs)
                if (candidate["seed"] == outputs[i]["seed"]) graph = &candidate;
            QVERIFY(graph);
            QByteArray where = "seed " + QByteArray::number((*graph)["seed"].get<int>());
            Result<ModulePtr> module =
                read_module((*graph)[form.toStdString()].get<std::string>(), where.toStdString());
            QVERIFY2(bool(module), module ? "" : module.error().to_string().c_str());
            RunOptions options = one_run();
            options.inputs = reference_inputs(**module);
            for (const auto& target : (*graph)["targets"])
                options.codegen[target.get<std::string>()] = codegen.toStdString();
            Result<RunReport> report = run_module(*module, options);
            QVERIFY2(bool(report), report ? "" : (where + ": " + report.error().to_string().c_str()).constData());
            for (const RegionTiming& region : report->regions)
                QVERIFY2(region.executed_by == "default" || region.executed_by == codegen.toStdString(),
                         (where + ": " + region.notice.c_str()).constData());
            const nlohmann::json& expected = outputs[i]["outputs"];
            QCOMPARE(report->outputs.size(), expected.size());
            for (size_t k = 0; k < expected.size(); ++k)
                for (int64_t e = 0; e < report->outputs[k].size(); ++e) {
                    double got = report->outputs[k].at(e);
                    const nlohmann::json& want = expected[k][size_t(e)];
                    bool equal = is_reference(got, want, codegen == "dnnl" ? 1e-4 : 1e-5);
                    QVERIFY2(equal, (where + ": output " + QByteArray::number(int(k)) + " element " +
                                     QByteArray::number(int(e)) + " is " + QByteArray::number(got, 'g', 9) +
                                     ", expected " + want.dump().c_str())
                                        .constData());
                }
        }
    }

    void controlFlowRuns() {
        if (reference_folder().isEmpty()) QSKIP("no reference data");
        Result<ModulePtr> module = Result<ModulePtr>(ModulePtr());
        for (const nlohmann::json& line : testing::read_json_lines(reference_folder() + "/tvm-suite.jsonl"))
            if (line["test"] == "test_while_let")
                module = read_module(line["before"].get<std::string>(), "test_while_let");
        QVERIFY2(bool(module), module ? "" : module.error().to_string().c_str());
        RunOptions options = one_run();
        Tensor x(kFloat32, {2});
        x.set(0, 1.5);
        x.set(1, -2);
        options.inputs = {{"var1", x}};
        Result<RunReport> report = run_module(*module, options);
        QVERIFY2(bool(report), report ? "" : report.error().to_string().c_str());
        QCOMPARE(report->outputs[0].at(0), 15.0);
        QCOMPARE(report->outputs[0].at(1), -20.0);
    }

    void aModelComputesTheSameOnEveryBackend_data() {
        QTest::addColumn<QString>("model");
        for (const char* model : kSmallModels) QTest::newRow(model) << model;
        if (qEnvironmentVariableIsSet("PARTITA_LARGE_TESTS")) QTest::newRow("vgg16") << "vgg16";
    }
    void aModelComputesTheSameOnEveryBackend() {
        if (reference_folder().isEmpty()) QSKIP("no reference data");
        QFETCH(QString, model);
        std::string path = (reference_folder() + "/relay-models/" + model).toStdString();
        Result<std::string> text = read_file(path + ".input.relay");
        QVERIFY2(bool(text), text ? "" : text.error().to_string().c_str());
        Result<ModulePtr> input = read_module(*text, path);
        QVERIFY2(bool(input), input ? "" : input.error().to_string().c_str());
        Result<RunReport> expected = run_module(*input, one_run());
        QVERIFY2(bool(expected), expected ? "" : expected.error().to_string().c_str());
        double magnitude = 0;
        for (int64_t i = 0; i < expected->outputs[0].size(); ++i)
            magnitude = std::max(magnitude, std::fabs(expected->outputs[0].at(i)));
        QVERIFY(std::isfinite(magnitude) && magnitude > 0);

        for (const char* backend : {"default", "ccompiler", "dnnl"}) {
            Result<ModulePtr> whole = as_one_region(*text, backend);
            QVERIFY2(bool(whole), whole ? "" : whole.error().to_string().c_str());
            Result<RunReport> report = run_module(*whole, one_run());
            QVERIFY2(bool(report), report ? "" : report.error().to_string().c_str());
            QCOMPARE(
                QString::fromStdString(report->regions[0].executed_by + ": " +
                                       (report->regions[0].executed_by == backend ? "" : report->regions[0].notice)),
                QString(backend) + ": ");
            compare(*report, *expected, 1e-4);
        }
        Result<std::string> partitioned_text = read_file(path + ".partitioned.relay");
        if (!partitioned_text) return;  // the quantized one has none
        Result<ModulePtr> partitioned = read_module(*partitioned_text, path);
        QVERIFY2(bool(partitioned), partitioned ? "" : partitioned.error().to_string().c_str());
        for (const char* backend : {"default", "dnnl"}) {
            RunOptions options = one_run();
            options.codegen["dnnl"] = backend;
            Result<RunReport> report = run_module(*partitioned, options);
            QVERIFY2(bool(report), report ? "" : report.error().to_string().c_str());
            compare(*report, *expected, 1e-4);
        }
    }
};

PARTITA_TEST(TestRunModels)

}  // namespace test_run_models

#include "test_run_models.moc"
