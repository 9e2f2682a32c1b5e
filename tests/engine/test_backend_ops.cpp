// Every operator's example on every backend, compared with `default`; and chains that backends fuse.
#include <QDir>
#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QtTest>

#include <unistd.h>

#include <cmath>

#include "engine/backends/backends.h"
#include "engine/backends/ccompiler/shared_library.h"
#include "engine/frontends/relay/parser.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "engine/runtime/compare_runs.h"
#include "engine/runtime/run.h"
#include "engine/runtime/trace.h"
#include "engine/support/file.h"
#include "engine/support/thread_pool.h"
#include "tests/engine/relay_testing.h"
#include "tests/registry.h"

namespace test_backend_ops {

using namespace partita;

namespace {

/// Returns the difference between the backend and `default`; empty if there is none. `executed_by` receives the
/// executor.
std::string difference_on(const std::string& text, const char* backend, std::string* executed_by = nullptr) {
    Result<ModulePtr> expected_module = as_one_region(text, "default"), module = as_one_region(text, backend);
    if (!expected_module) return expected_module.error().to_string();
    if (!module) return module.error().to_string();
    RunOptions options;
    options.warmup = 0;
    options.repeat = 2;  // the second run reuses the memory of the first one
    Result<RunReport> expected = run_module(*expected_module, options), report = run_module(*module, options);
    if (!expected)
        return expected.error().message.find("no kernel") != std::string::npos ? "" : expected.error().to_string();
    if (!report) return report.error().to_string();
    if (executed_by) *executed_by = report->regions[0].executed_by + " " + report->regions[0].notice;
    std::vector<OutputDifference> differences = compare_outputs(report->outputs, expected->outputs, 1e-4);
    for (const OutputDifference& difference : differences)
        if (!difference.within_tolerance)
            return "output " + std::to_string(difference.output) + " differs by " +
                   std::to_string(difference.max_abs_error) + " (" + report->regions[0].notice + ")";
    return "";
}

}  // namespace

class TestBackendOps : public QObject {
    Q_OBJECT
    QTemporaryDir cache_;

private slots:
    void initTestCase() { qputenv("XDG_CACHE_HOME", cache_.path().toUtf8()); }
    void init() { qputenv("PARTITA_CFLAGS", "-O1 -Wall -Wextra -Werror -fopenmp"); }

    void everyExampleComputesTheSame_data() {
        QTest::addColumn<QString>("backend");
        QTest::newRow("dnnl") << "dnnl";
        QTest::newRow("ccompiler") << "ccompiler";
    }
    void everyExampleComputesTheSame() {
        QFETCH(QString, backend);
        QStringList wrong;
        for (const OpRecord& op : op_registry().records()) {
            if (op.example.empty() || !op.kernel || op.name == "opaque") continue;
            // Generated inputs are not valid shapes, and refer to images that do not exist.
            if (op.name == "unravel_index" || op.name == "vision.roi_align") continue;
            if (backend == "ccompiler" && !op.c_element && !op.c_loops) continue;
            std::string executed_by;
            std::string difference = difference_on(op.example, backend.toUtf8().constData(), &executed_by);
            if (!difference.empty()) wrong << QString::fromStdString(op.name + ": " + difference);
            else if (executed_by.find("refused the generated source") != std::string::npos)
                wrong << QString::fromStdString(op.name + ": " + executed_by);
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("\n")));
    }

    void fusedChainsComputeTheSame_data() {
        QTest::addColumn<QString>("text");
        auto row = [](const char* name, const char* text) { QTest::newRow(name) << QString(text); };
        row("convolution, bias, normalization, relu",
            "fn (%x: Tensor[(1, 3, 9, 9), float32], %w_weight: Tensor[(16, 3, 3, 3), float32], %b_bias: Tensor[(16), "
            "float32], %n_gamma: Tensor[(16), float32], "
            "%n_beta: Tensor[(16), float32], %n_mean: Tensor[(16), float32], %n_var: Tensor[(16), float32]) { "
            "%0 = nn.conv2d(%x, %w_weight, padding=[1, 1, 1, 1]); %1 = nn.bias_add(%0, %b_bias); "
            "%2 = nn.batch_norm(%1, %n_gamma, %n_beta, %n_mean, %n_var); %3 = %2.0; nn.relu(%3) }");
        row("a residual sum whose other operand is used again",
            "fn (%x: Tensor[(1, 16, 8, 8), float32], %w_weight: Tensor[(16, 16, 3, 3), float32]) { "
            "%0 = nn.relu(%x); %1 = nn.conv2d(%0, %w_weight, padding=[1, 1, 1, 1]); %2 = add(%1, %0); %3 = "
            "nn.relu(%2); "
            "%4 = nn.conv2d(%3, %w_weight, padding=[1, 1, 1, 1]); %5 = add(%3, %4); (add(%5, %0), %5) }");
        row("a residual sum of two convolutions",
            "fn (%x: Tensor[(1, 16, 8, 8), float32], %w_weight: Tensor[(32, 16, 3, 3), float32], %v_weight: "
            "Tensor[(32, 16, 1, 1), float32]) { "
            "%0 = nn.conv2d(%x, %w_weight, padding=[1, 1, 1, 1]); %1 = nn.conv2d(%x, %v_weight); nn.relu(add(%0, %1)) "
            "}");
        row("concatenated convolutions, one of them used twice",
            "fn (%x: Tensor[(1, 8, 6, 6), float32], %w_weight: Tensor[(16, 8, 3, 3), float32], %v_weight: Tensor[(32, "
            "8, 1, 1), float32]) { "
            "%0 = nn.relu(nn.conv2d(%x, %w_weight, padding=[1, 1, 1, 1])); %1 = nn.relu(nn.conv2d(%x, %v_weight)); "
            "%2 = concatenate((%0, %1), axis=1); %3 = concatenate((%2, %0), axis=1); (%3, nn.relu(%2), exp(%1)) }");
        row("a batch of two concatenated",
            "fn (%x: Tensor[(2, 8, 6, 6), float32], %w_weight: Tensor[(16, 8, 3, 3), float32]) { "
            "%0 = nn.conv2d(%x, %w_weight, padding=[1, 1, 1, 1]); concatenate((%0, %0), axis=1) }");
        row("grouped, dilated and unevenly padded",
            "fn (%x: Tensor[(2, 8, 11, 9), float32], %w_weight: Tensor[(16, 4, 3, 3), float32], %d_weight: Tensor[(16, "
            "1, 3, 3), float32]) { "
            "%0 = nn.conv2d(%x, %w_weight, groups=2, dilation=[2, 1], padding=[1, 0, 2, 1]); "
            "nn.leaky_relu(nn.conv2d(%0, %d_weight, groups=16, strides=[2, 1], padding=[0, 1, 1, 0]), alpha=0.1f) }");
        row("channels last",
            "fn (%x: Tensor[(1, 7, 7, 4), float32], %w_weight: Tensor[(3, 3, 4, 8), float32], %b_bias: Tensor[(8), "
            "float32]) { "
            "%0 = nn.conv2d(%x, %w_weight, padding=[1, 1, 1, 1], channels=8, kernel_size=[3, 3], data_layout=\"NHWC\", "
            "kernel_layout=\"HWIO\"); "
            "nn.relu(nn.bias_add(%0, %b_bias, axis=3)) }");
        row("weights that come with each run",
            "fn (%x: Tensor[(1, 4, 7, 7), float32], %y: Tensor[(8, 4, 3, 3), float32], %z: Tensor[(8, 1, 1), float32]) "
            "{ "
            "%0 = exp(%y); nn.relu(add(nn.conv2d(%x, %0), exp(%z))) }");
        row("dense layers with a softmax",
            "fn (%x: Tensor[(3, 20), float32], %w_weight: Tensor[(10, 20), float32], %b_bias: Tensor[(10), float32], "
            "%v_weight: Tensor[(5, 10), float32]) { "
            "%0 = tanh(nn.bias_add(nn.dense(%x, %w_weight, units=10), %b_bias, axis=-1)); nn.softmax(add(nn.dense(%0, "
            "%v_weight, units=5), 1f)) }");
        row("attention",
            "fn (%q: Tensor[(2, 5, 8), float32], %k: Tensor[(2, 5, 8), float32], %v: Tensor[(2, 5, 8), float32], "
            "%g_gamma: Tensor[(8), float32], %h_beta: Tensor[(8), float32]) { "
            "%0 = nn.batch_matmul(%q, %k, transpose_b=True); %1 = nn.softmax(multiply(%0, 0.35f)); "
            "%2 = add(nn.batch_matmul(%1, %v), %q); nn.layer_norm(%2, %g_gamma, %h_beta) }");
        row("integers of 8 bits",
            "fn (%x: Tensor[(1, 16, 6, 6), int8], %w_weight: Tensor[(16, 16, 3, 3), int8], %b_bias: Tensor[(16, 1, 1), "
            "int32]) { "
            "%0 = nn.conv2d(%x, %w_weight, padding=[1, 1, 1, 1], out_dtype=\"int32\"); %1 = nn.relu(add(%0, %b_bias)); "
            "cast(clip(right_shift(%1, 4), a_min=-127f, a_max=127f), dtype=\"int8\") }");
        row("broadcasting on both sides",
            "fn (%x: Tensor[(4, 1, 3), float32], %y: Tensor[(5, 1), float32], %z: Tensor[(3), float32]) { "
            "%0 = multiply(add(%x, %y), %z); %1 = subtract(%z, %0); (maximum(%1, %x), divide(%0, 2f)) }");
        row("shapes that change, outputs that are inputs",
            "fn (%x: Tensor[(2, 3, 4), float32]) { %0 = reshape(%x, newshape=[6, 4]); %1 = exp(%0); (%0, %x, "
            "reshape(%1, newshape=[-1]), %1, %1) }");
        row("pools",
            "fn (%x: Tensor[(1, 16, 10, 10), float32]) { %0 = nn.max_pool2d(%x, pool_size=[3, 3], strides=[2, 2], "
            "padding=[1, 1, 1, 1], ceil_mode=True); "
            "%1 = nn.avg_pool2d(%x, pool_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1], count_include_pad=True); "
            "(nn.global_avg_pool2d(%0), nn.avg_pool2d(%1, pool_size=[2, 2], padding=[1, 1, 1, 1])) }");
        // oneDNN would round means of integers; a pool truncates them.
        row("pools of integers",
            "fn (%x: Tensor[(1, 16, 10, 10), int8]) { %0 = nn.max_pool2d(%x, pool_size=[3, 3], strides=[2, 2]); "
            "(nn.avg_pool2d(%x, pool_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1]), "
            "nn.global_avg_pool2d(%0), %0) }");
    }
    void fusedChainsComputeTheSame() {
        QFETCH(QString, text);
        for (const char* backend : {"dnnl", "ccompiler"}) {
            std::string executed_by;
            std::string difference = difference_on(text.toStdString(), backend, &executed_by);
            QVERIFY2(difference.empty(), (backend + (": " + difference)).c_str());
            QVERIFY2(executed_by.starts_with(backend), executed_by.c_str());
        }
    }

    void aConvolutionChainIsOnePrimitive() {
        Result<ModulePtr> module = as_one_region(
            "fn (%x: Tensor[(1, 16, 8, 8), float32], %w_weight: Tensor[(16, 16, 3, 3), float32], %b_bias: Tensor[(16), "
            "float32]) { "
            "nn.relu(nn.bias_add(nn.conv2d(%x, %w_weight, padding=[1, 1, 1, 1]), %b_bias)) }",
            "dnnl");
        QVERIFY(bool(module));
        const auto listing = make_backend("dnnl")->list(**module, (*module)->find_function("whole"), {});
        QVERIFY(bool(listing));
        QVERIFY2(listing->text.find("nn.conv2d + nn.bias_add + nn.relu") != std::string::npos, listing->text.c_str());
    }

    void anElementwiseChainIsOneLoop() {
        Result<ModulePtr> module = as_one_region(
            "fn (%x: Tensor[(4, 8), float32], %y: Tensor[(8), float32]) { nn.relu(subtract(multiply(add(%x, %y), %x), "
            "2f)) }",
            "ccompiler");
        QVERIFY(bool(module));
        auto region = make_backend("ccompiler")->compile(**module, (*module)->find_function("whole"), {});
        QVERIFY2(bool(region), region ? "" : region.error().to_string().c_str());
        const auto listing = make_backend("ccompiler")->list(**module, (*module)->find_function("whole"), {});
        QVERIFY(bool(listing));
        const std::string& source = listing->text;
        QVERIFY(source.find("static void loop_0(") != std::string::npos);
        QVERIFY2(source.find("loop_1") == std::string::npos, source.c_str());
        QCOMPARE((*region)->workspace_bytes(), size_t(0));  // what is between the operators is never stored
    }

    /// What was bound to the memory of one run is bound anew where another brings its own.
    void aRegionReadsItsInputsWhereTheyAreInEachRun() {
        const std::vector<int64_t> shape{4, 8};
        for (const char* name : {"default", "dnnl", "ccompiler"}) {
            Result<ModulePtr> module = as_one_region(
                "fn (%x: Tensor[(4, 8), float32], %y: Tensor[(4, 8), float32]) { nn.relu(add(%x, %y)) }", name);
            QVERIFY(bool(module));
            auto region = make_backend(name)->compile(**module, (*module)->find_function("whole"), {});
            QVERIFY2(bool(region), region ? "" : region.error().to_string().c_str());
            std::vector<float> result(32);
            std::vector<std::byte> memory((*region)->workspace_bytes() + 64);
            const size_t aligned = (64 - reinterpret_cast<uintptr_t>(memory.data()) % 64) % 64;
            const TensorView outputs[] = {{result.data(), kFloat32, shape}};
            ThreadPool threads(1);
            std::vector<std::vector<float>> kept;  // so that each run's have a place of their own
            for (float value : {1.0f, 2.0f, 3.0f}) {
                std::vector<float>& x = kept.emplace_back(32, value);
                const std::vector<float> y(32, 10.0f);
                const TensorView inputs[] = {{x.data(), kFloat32, shape},
                                             {const_cast<float*>(y.data()), kFloat32, shape}};
                const Status run = (*region)->run({inputs, outputs, threads, nullptr, {}, memory.data() + aligned});
                QVERIFY(bool(run));
                QCOMPARE(result, std::vector<float>(32, value + 10));
            }
        }
    }

    /// The lines of the operators are known: of a chain one each, of another operator its function, of one that the
    /// host computes its call.
    void aListingSaysWhichLinesComputeAnOperator() {
        Result<ModulePtr> module =
            as_one_region("fn (%x: Tensor[(4, 8), float32]) { nn.softmax(nn.relu(add(%x, 2f))) }", "ccompiler");
        QVERIFY(bool(module));
        const Result<Listing> listing =
            make_backend("ccompiler")->list(**module, (*module)->find_function("whole"), {});
        QVERIFY2(bool(listing), listing ? "" : listing.error().to_string().c_str());
        QCOMPARE(listing->form, Listing::Form::C);
        const QStringList text = QString::fromStdString(listing->text).split(QLatin1Char('\n'));
        std::map<std::string, Listing::Lines> lines;
        for (const Listing::Lines& each : listing->lines) lines[called_op_record(**module, each.expr)->name] = each;
        QCOMPARE(lines.size(), size_t(3));
        const auto line = [&text](uint32_t number) { return text.value(int(number) - 1); };
        QVERIFY2(line(lines["add"].first).contains(QStringLiteral("+ (2.0f)")), qPrintable(line(lines["add"].first)));
        QCOMPARE(lines["add"].last, lines["add"].first);
        QCOMPARE(lines["nn.relu"].first, lines["add"].first + 1);
        QVERIFY2(line(lines["nn.softmax"].first).startsWith(QStringLiteral("/* nn.softmax")),
                 qPrintable(line(lines["nn.softmax"].first)));
        QCOMPARE(line(lines["nn.softmax"].last), QStringLiteral("}"));
        for (const char* name : {"dnnl", "default"}) {
            const Result<Listing> steps = make_backend(name)->list(**module, (*module)->find_function("whole"), {});
            QVERIFY(steps && !steps->lines.empty());
            QCOMPARE(steps->form, Listing::Form::Steps);
        }
    }

    void aPluginIsListedWithoutBeingStarted() {
        Result<ModulePtr> module = as_one_region("fn (%x: Tensor[(4), float32]) { exp(%x) }", "default");
        QVERIFY(bool(module));
        const Result<Listing> listing =
            make_backend("command:touch /no/such/place")->list(**module, (*module)->find_function("whole"), {});
        QVERIFY(listing);
        QCOMPARE(listing->form, Listing::Form::Json);
        QVERIFY(listing->text.find("\"op\": \"exp\"") != std::string::npos);
    }

    void aCompilerThatFailsFallsBackWithANotice() {
        const char* text = "fn (%x: Tensor[(4), float32]) { exp(%x) }";
        std::string executed_by;
        qputenv("PARTITA_CC", "false");
        QCOMPARE(difference_on(text, "ccompiler", &executed_by), std::string());
        QVERIFY2(executed_by.starts_with("default 'false' refused"), executed_by.c_str());
        qputenv("PARTITA_CC", "/no/such/compiler");
        QCOMPARE(difference_on(text, "ccompiler", &executed_by), std::string());
        QVERIFY2(executed_by.find("can't be started") != std::string::npos, executed_by.c_str());
        qunsetenv("PARTITA_CC");
    }

    void aDamagedCacheIsMadeAgain() {
        QTemporaryDir folder;
        LibraryOptions options;
        options.cache_folder = folder.path().toStdString();
        std::string source = "int answer(void); int answer(void) { return 42; }\n";
        Result<CompiledLibrary> first = compile_c(source, options);
        QVERIFY2(bool(first), first ? "" : first.error().to_string().c_str());
        QVERIFY(!first->from_cache);
        QVERIFY(compile_c(source, options)->from_cache);
        first->library.reset();
        for (const QFileInfo& entry : QDir(folder.path()).entryInfoList({"*.so"})) {
            QFile file(entry.filePath());
            QVERIFY(file.resize(file.size() / 2));
        }
        Result<CompiledLibrary> again = compile_c(source, options);
        QVERIFY(bool(again));
        QVERIFY(!again->from_cache);
        auto answer = reinterpret_cast<int (*)()>(again->library->symbol("answer"));
        QCOMPARE(answer(), 42);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);  // no partial file is left
    }

    void whereTheUsersCacheCannotBeWrittenTheTemporaryFolderHoldsIt() {
        QTemporaryDir folder;
        const auto restore = qScopeGuard([kept = qgetenv("TMPDIR"), this] {
            kept.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", kept);
            qputenv("XDG_CACHE_HOME", cache_.path().toUtf8());
        });
        qputenv("XDG_CACHE_HOME", "/proc/none");  // not even root makes one there
        qputenv("TMPDIR", folder.path().toUtf8());
        const Result<std::string> cache = user_cache_folder("");
        QVERIFY2(cache, cache ? "" : cache.error().message.c_str());
        QCOMPARE(QString::fromStdString(*cache), folder.path() + QStringLiteral("/partita-%1").arg(geteuid()));
        QFile::Permissions everybody = QFile::permissions(QString::fromStdString(*cache));
        QVERIFY(!(everybody & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther)));
        QVERIFY(QFile::setPermissions(QString::fromStdString(*cache), everybody | QFile::WriteOther));
        QVERIFY(!user_cache_folder(""));                      // others could put code there
        QVERIFY(!user_cache_folder("/proc/none/elsewhere"));  // what was asked for is not replaced
        const std::string file = folder.filePath("file").toStdString();
        QVERIFY(write_file(file, "text"));
        const Result<std::string> in_file = user_cache_folder(file);
        QVERIFY(!in_file && in_file.error().message.ends_with("file is no folder"));
    }

    void aFieldThatARegionTakesIsTheFieldsValue() {
        Result<Module> parsed = parse_relay(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 2, 4, 4), float32], %v: Tensor[(2), float32]) { @a_0(%x, %v) }
def @a_0(%p: Tensor[(1, 2, 4, 4), float32], %q: Tensor[(2), float32], Compiler="dnnl", global_symbol="a_0",
    Primitive=1) -> Tensor[(1, 2, 4, 4), float32] { %0 = nn.batch_norm(%p, %q, %q, %q, %q); %0.0 }
)");
        QVERIFY(bool(parsed) && bool(infer_types(*parsed)));
        const auto module = std::make_shared<const Module>(std::move(*parsed));
        const auto differences = compare_regions(module, {});
        QVERIFY2(bool(differences), differences ? "" : differences.error().to_string().c_str());
        QCOMPARE(differences->at(0).values.size(), size_t(1));
        const ExprId field = module->body(module->find_function("a_0"));
        QCOMPARE(differences->at(0).values[0].origin.value, module->origin(field).value);
    }

    void eachCallOfARegionIsComparedWithItsOwnResult() {
        Result<Module> parsed = parse_relay(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(64, 64), float32]) { %0 = @a_0(%x); %1 = negative(%0); %2 = @a_0(%1); (%0, %2) }
def @a_0(%p: Tensor[(64, 64), float32], Compiler="dnnl", global_symbol="a_0",
    Primitive=1) -> Tensor[(64, 64), float32] { tanh(%p) }
)");
        QVERIFY(bool(parsed) && bool(infer_types(*parsed)));
        const auto module = std::make_shared<const Module>(std::move(*parsed));
        const auto differences = compare_regions(module, {});
        QVERIFY2(bool(differences), differences ? "" : differences.error().to_string().c_str());
        QCOMPARE(differences->size(), size_t(2));
        for (const RegionDifference& each : *differences) {
            QVERIFY(each.within_tolerance);
            QCOMPARE(each.outputs.size(), size_t(1));
            QCOMPARE(each.values.size(), size_t(1));
            QCOMPARE(each.values[0].origin.value, module->origin(module->body(module->find_function("a_0"))).value);
            QVERIFY(each.outputs[0].max_abs_error > 0);  // another approximation
        }
    }

    void theFirstRegionThatDiffersIsNamed() {
        Result<Module> parsed = parse_relay(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(2, 2), float32]) { %0 = @a_0(%x); %1 = @a_1(%0); exp(%1) }
def @a_0(%p: Tensor[(2, 2), float32], Compiler="dnnl", global_symbol="a_0",
    Primitive=1) -> Tensor[(2, 2), float32] { tanh(%p) }
def @a_1(%p: Tensor[(2, 2), float32], Compiler="dnnl", global_symbol="a_1",
    Primitive=1) -> Tensor[(2, 2), float32] { nn.relu(%p) }
)");
        QVERIFY(bool(parsed) && bool(infer_types(*parsed)));
        auto module = std::make_shared<const Module>(std::move(*parsed));
        Result<std::vector<RegionDifference>> differences = compare_regions(module, {});
        QVERIFY(bool(differences));
        QCOMPARE(differences->size(), size_t(2));
        QCOMPARE((*differences)[0].name, std::string("a_0"));
        QVERIFY((*differences)[0].within_tolerance && (*differences)[1].within_tolerance);

        Result<RunReport> report = run_module(module, {});
        QVERIFY(bool(report));
        std::string trace = chrome_trace(*report);
        QVERIFY(trace.find("\"name\":\"a_1\"") != std::string::npos &&
                trace.find("\"name\":\"exp\"") != std::string::npos);
        QCOMPARE(compare_timings(*report, *report).regions.size(), size_t(3));
        RunReport compiled;
        for (const double ms : {0.0, 2.0}) {
            compiled.regions.emplace_back().name = "of_" + std::to_string(int(ms));
            compiled.regions.back().compile_ms = ms;
        }
        trace = chrome_trace(compiled);
        QVERIFY(trace.find("compile of_2") != std::string::npos && trace.find("compile of_0") == std::string::npos);
        QVERIFY2(trace.find("\"ts\":0.0") != std::string::npos, trace.c_str());
    }
};

PARTITA_TEST(TestBackendOps)

}  // namespace test_backend_ops

#include "test_backend_ops.moc"
