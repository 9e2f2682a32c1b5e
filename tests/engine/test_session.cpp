// The flow as used by the window and the command line.
#include <QTemporaryDir>
#include <QtTest>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "engine/flow/describe.h"
#include "engine/flow/flow_choice.h"
#include "engine/flow/flow_memory.h"
#include "engine/frontends/relay/printer.h"
#include "engine/session/bench.h"
#include "engine/session/divide.h"
#include "engine/session/front_ends.h"
#include "engine/session/project.h"
#include "engine/session/session.h"
#include "engine/support/amount.h"
#include "engine/support/file.h"
#include "engine/support/utf8.h"
#include "tests/engine/random_module.h"
#include "tests/engine/reference_data.h"
#include "tests/registry.h"

namespace test_session {

using namespace partita;

namespace {

const char* const kDiamond = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4, 8), float32]) {
  %0 = nn.relu(%x);
  %1 = tanh(%0);
  %2 = exp(%0);
  add(%1, %2)
}
)";

BackendDescription backend(const std::string& name, const std::string& ops) {
    Result<BackendDescription> parsed =
        parse_backend_description("{\"name\": \"" + name + "\", \"ops\": {" + ops + "}}", name);
    if (!parsed) qFatal("%s", parsed.error().to_string().c_str());
    return *parsed;
}

ModulePtr open(const std::string& text) {
    Result<OpenedModule> opened = open_text(text, "t.relay");
    if (!opened) qFatal("%s", opened.error().to_string().c_str());
    return opened->module;
}

FlowResult flow(ModulePtr module, const FlowOptions& options) {
    Result<FlowResult> result = run_flow(std::move(module), options);
    if (!result) qFatal("%s", result.error().to_string().c_str());
    return std::move(*result);
}

/// Returns all messages of a flow as text.
std::string told(const Result<FlowResult>& result, const FlowOptions& options) {
    if (!result) return result.error().to_string();
    std::string text;
    for (const ModulePtr& stage : {result->input, result->stage("simplified"), result->stage("composite"),
                                   result->stage("annotated"), result->stage("merged"), result->partitioned})
        text += stage ? print_relay(*stage) : "none\n";
    for (int16_t backend : result->backend_of) text += std::to_string(backend) + " ";
    for (int32_t region : result->region_of) text += std::to_string(region) + " ";
    for (const RegionInfo& region : result->regions)
        text += region.function + " " + std::to_string(region.inputs) + "\n";
    ExpressionNames names(*result->input);
    for (const Decision& decision : result->log.decisions()) text += describe(decision, names, options.backends) + "\n";
    for (const PassTime& time : result->times) text += time.pass + " ";
    return text;
}

}  // namespace

class TestSession : public QObject {
    Q_OBJECT

private slots:
    /// What is known but not read is named, with what to do; upper case counts as lower.
    void formatsThatAreNotReadAreNamed() {
        const auto fault_of = [](std::string_view text) { return open_text(text, "model", {}).error().to_string(); };
        QCOMPARE(fault_of("GGUF with weights"),
                 "model: error: GGUF file (weights without a graph): this format is not read; open the model that it "
                 "was made from");
        for (const FrontEnd& each : front_ends()) {
            const bool read = each.open_text || each.open_file;
            QVERIFY2(read == each.advice.empty(), each.name.data());
            QCOMPARE(readable_endings().find(each.endings) != std::string::npos, read);
            QVERIFY(has_ending_of(
                each, "MODEL" + QString::fromStdString(std::string(each.endings.substr(0, each.endings.find(" "))))
                                    .toUpper()
                                    .toStdString()));
        }
    }

    /// As those of a plain file are.
    void annotationsInAProjectAreKept() {
        OpenedInput input(OpenedModule{});
        input.module = input.base = open(
            "#[version = \"0.0.5\"]\n"
            R"(def @main(%x: Tensor[(4, 8), float32]) {
  %0 = annotation.compiler_begin(%x, compiler="npu");
  %1 = tanh(%0);
  %2 = annotation.compiler_end(%1, compiler="npu");
  exp(%2)
}
)");
        input.choice.emplace();
        input.choice->partition = true;
        std::vector<Diagnostic> notes;
        const Result<Divided> divided = divide(input, {}, notes);
        QVERIFY2(divided, divided ? "" : divided.error().message.c_str());
        QVERIFY(divided->result.annotated_before);
        QVERIFY(divided->result.partitioned->find_function("tvmgen_default_npu_main_0").valid());
    }

    void lettersThatHideAreThoseOfUnicode() {
        for (char32_t hidden : {0x1F, 0x7F, 0x9F, 0x061C, 0x200B, 0x200F, 0x2028, 0x202E, 0x2066, 0x2069, 0xFEFF})
            QVERIFY2(is_hidden_letter(hidden), qPrintable(QString::number(uint(hidden), 16)));
        for (char32_t shown : {0x20, 0x7E, 0xA0, 0x061B, 0x200A, 0x2010, 0x2027, 0x202F, 0x2065, 0x206A, 0xFEFE})
            QVERIFY2(!is_hidden_letter(shown), qPrintable(QString::number(uint(shown), 16)));
    }

    void aDeviceIsWrittenAndNotReplaced() {
        QVERIFY(write_file("/dev/null", "text"));
        const Status full = write_file("/dev/full", "text");
        QVERIFY(!full);
        QCOMPARE(full.error().message, std::string("can't write /dev/full: No space left on device"));
    }

    void whatHoldsNothingIsNoModule() {
        for (const char* text : {"", " ", "\n\t \r\n"}) {
            const Result<OpenedModule> opened = open_text(text, "nothing.json");
            QVERIFY(!opened);
            QVERIFY2(opened.error().to_string().find("JSON") == std::string::npos, opened.error().to_string().c_str());
        }
    }

    void bytesAreThoseOfOperatorsAndOfBoundaries() {
        FlowOptions options;
        options.backends.push_back(backend("one", "\"add\": true, \"exp\": true, \"tanh\": true"));
        const FlowResult divided = flow(open(kDiamond), options);
        RunOptions run;
        run.repeat = 1;
        run.codegen = {{"one", "default"}};
        const Result<RunReport> report = run_partitioned(divided.partitioned, run);
        QVERIFY2(bool(report), report ? "" : report.error().to_string().c_str());
        QCOMPARE(report->regions.size(), size_t(2));
        for (const RegionTiming& region : report->regions) {
            double bytes = 0, flops = 0;
            for (const OpTiming& op : region.ops) bytes += op.bytes, flops += op.flops;
            QCOMPARE(region.flops, flops);
            constexpr double kTensor = 4 * 8 * 4;
            QCOMPARE(bytes, region.name == "default" ? 2 * kTensor : 7 * kTensor);
            QCOMPARE(region.bytes, 2 * kTensor);  // what crosses its boundary
        }
    }

    void aBackendsOwnFunctionsAreFoldedIfItAsks() {
        const char* const text = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(2), float32]) {
  %0 = add(1f, 2f);
  add(%x, %0)
})";
        for (const char* optimize : {"", "\"optimize\": [\"fold_constants\"], "}) {
            Result<BackendDescription> backend = parse_backend_description(
                std::string("{\"name\": \"one\", ") + optimize + "\"ops\": {\"add\": true}}", "one");
            QVERIFY2(bool(backend), backend ? "" : backend.error().to_string().c_str());
            FlowOptions options;
            options.backends.push_back(std::move(*backend));
            const Result<FlowResult> flow = run_flow(open(text), options);
            QVERIFY2(bool(flow), flow ? "" : flow.error().to_string().c_str());
            const QString printed = QString::fromStdString(print_relay(*flow->partitioned));
            QCOMPARE(printed.count("add("), *optimize ? 1 : 2);
        }
    }

    void figuresHaveOneUnitWhereverTheyAreShown() {
        QCOMPARE(amount_text(0, "B"), std::string("0 B"));
        QCOMPARE(amount_text(999, "B"), std::string("999 B"));
        QCOMPARE(amount_text(1536, "B"), std::string("1.54 kB"));
        QCOMPARE(amount_text(13520000, "B"), std::string("13.52 MB"));
        QCOMPARE(amount_text(-134200000, "B"), std::string("-134.2 MB"));
        QCOMPARE(amount_text(1234567), std::string("1.23 M"));
        QCOMPARE(amount_text(1e20, "B"), std::string("100000.0 PB"));
    }

    /// Reports and steps of the annotated module must refer to the same operators.
    void annotatingLeavesOperatorsTheirNumbers() {
        FlowOptions options;
        options.backends = {backend("ccompiler", "\"tanh\": true, \"exp\": true")};
        const FlowResult result = flow(open(kDiamond), options);
        const auto numbered = [](const ModulePtr& module) {
            const ExpressionNames names(*module);
            std::vector<std::string> calls;
            for (ExprId call : names.calls()) {
                calls.push_back(names.name(call));
                if (names.numbered(names.number(call)) != call) calls.push_back("not found by its number");
            }
            return calls;
        };
        const std::vector<std::string> before = numbered(result.input), after = numbered(result.stage("annotated"));
        QVERIFY(after.size() > before.size());
        QCOMPARE(std::vector(after.begin(), after.begin() + ptrdiff_t(before.size())), before);
        for (size_t i = before.size(); i < after.size(); ++i)
            QVERIFY2(after[i].starts_with("annotation.compiler_"), after[i].c_str());
    }

    void regionsAreListedAsPeopleCount() {
        std::string text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n";
        std::string last = "%x";
        for (int i = 0; i < 12; ++i) {
            text += "  %" + std::to_string(2 * i) + " = add(" + last + ", %x);\n  %" + std::to_string(2 * i + 1) +
                    " = exp(%" + std::to_string(2 * i) + ");\n";
            last = "%" + std::to_string(2 * i + 1);
        }
        const Result<OpenedModule> opened = open_text(text + "  exp(" + last + ")\n}\n", "chain.relay");
        QVERIFY(bool(opened));
        FlowOptions options;
        Result<BackendDescription> backend = load_backend("ccompiler");
        QVERIFY(bool(backend));
        options.backends = {*backend};
        const Result<FlowResult> flow = run_flow(opened->module, options);
        QVERIFY(bool(flow));
        QCOMPARE(flow->regions.size(), size_t(12));
        int before = -1;
        for (const RegionInfo& region : flow->regions) {
            const int number = QString::fromStdString(region.function).section('_', -1).toInt();
            QVERIFY2(number > before, region.function.c_str());
            before = number;
        }
    }

    void refusedMergeNamesThePath() {
        FlowOptions options;
        options.backends = {backend("a", R"("nn.relu": true, "exp": true, "add": true)"),
                            backend("b", R"("tanh": true)")};
        FlowResult result = flow(open(kDiamond), options);
        QCOMPARE(result.regions.size(), size_t(3));
        ExpressionNames names(*result.input);
        bool told = false;
        for (const Decision& decision : result.log.decisions()) {
            if (decision.kind != DecisionKind::WouldCloseCycle) continue;
            told = true;
            QVERIFY(!decision.path.empty());
            QVERIFY(describe(decision, names, options.backends).find("tanh #2") != std::string::npos);
        }
        QVERIFY(told);
    }

    void overrideWinsOverTheRules() {
        FlowOptions options;
        options.backends = {backend("a", R"("nn.relu": true, "exp": true, "add": true, "tanh": true)")};
        ModulePtr module = open(kDiamond);
        QCOMPARE(flow(module, options).regions.size(), size_t(1));
        ExpressionNames names(*module);
        options.overrides[names.select("tanh").at(0)] = "default";
        FlowResult result = flow(module, options);
        QCOMPARE(result.regions.size(), size_t(2));
        QCOMPARE(result.backend_of[names.select("tanh")[0].value], int16_t(-1));
        QCOMPARE(result.region_of[names.select("tanh")[0].value], int32_t(-1));
    }

    void everyCallOfARegionIsListedOnce() {
        FlowOptions options;
        options.backends = {backend("a", R"("nn.relu": true, "exp": true, "add": true, "tanh": true)")};
        FlowResult result = flow(open(kDiamond), options);
        QCOMPARE(result.regions.at(0).expressions.size(), size_t(4));
        QCOMPARE(result.regions[0].inputs, 1);
        QCOMPARE(result.regions[0].outputs, 1);
        QCOMPARE(result.regions[0].boundary_bytes, 2.0 * 4 * 8 * 4);
    }

    void untilStopsAfterTheNamedPass() {
        FlowOptions options;
        options.backends = {backend("a", R"("nn.relu": true)")};
        options.until = FlowStage::Annotate;
        FlowResult result = flow(open(kDiamond), options);
        QVERIFY(result.stage("annotated") && !result.stage("merged") && !result.partitioned);
        QVERIFY(print_relay(*result.last()).find("annotation.compiler_begin") != std::string::npos);
    }

    void twoFunctionsGoToTwoCompilers() {
        FlowOptions options;
        options.backends = {backend("a", R"("nn.relu": true, "tanh": true)"),
                            backend("b", R"("nn.relu": true, "tanh": true)")};
        FlowResult result = flow(open("#[version = \"0.0.5\"]\n"
                                      "def @main(%x: Tensor[(4), float32], compiler=\"b\") { nn.relu(%x) }\n"
                                      "def @other(%x: Tensor[(4), float32], compiler=\"a\") { tanh(%x) }\n"),
                                 options);
        QCOMPARE(result.regions.size(), size_t(2));
        std::string text = print_relay(*result.partitioned);
        QVERIFY2(text.find("tvmgen_default_b_main_0") != std::string::npos, text.c_str());
        QVERIFY2(text.find("tvmgen_default_a_other_0") != std::string::npos, text.c_str());
    }

    /// 27 of them separate the layers of this quantized model.
    void stopFusionDividesAModelUnlessItIsTransparent() {
        std::string path = testing::reference_folder().toStdString() + "/relay-models/mobilenet_v1_int8.input.relay";
        Result<OpenedModule> opened = open_module(path);
        if (!opened) QSKIP("the reference data is not here");
        BackendDescription layers = backend("layers", "");
        for (const char* op : {"add", "cast", "clip", "multiply", "nn.batch_flatten", "nn.conv2d", "nn.dense",
                               "nn.global_avg_pool2d", "nn.relu", "nn.softmax", "right_shift", "round"})
            layers.ops[op] = {op, nullptr, "true"};
        auto regions = [&](BackendDescription description, bool transparent) {
            if (transparent) description.transparent = {"annotation.stop_fusion"};
            FlowOptions options;
            options.backends = {description};
            FlowResult result = flow(opened->module, options);
            bool dropped = print_relay(*result.partitioned).find("annotation.stop_fusion") == std::string::npos;
            qInfo("%s%s: %zu regions", description.name.c_str(), transparent ? ", transparent" : "",
                  result.regions.size());
            for (uint32_t i = 0; i < result.input->size();
                 ++i)  // calls that vanish from a region's function belong to it, too
                if (result.backend_of[i] >= 0 && result.region_of[i] < 0) return std::pair(size_t(0), false);
            return std::pair(result.regions.size(), dropped);
        };
        QCOMPARE(regions(layers, false), std::pair(size_t(28), false));
        QCOMPARE(regions(layers, true), std::pair(size_t(1), true));
        QCOMPARE(regions(*builtin_backend("dnnl"), false).first, size_t(55));
        QCOMPARE(regions(*builtin_backend("dnnl"), true).first, size_t(54));
    }

    /// Manual actions in random modules: assign calls to backends, revert that, keep regions apart, switch options,
    /// change rules. After each step a memory gives the same as a flow from scratch, word for word.
    void aMemoryGivesWhatAFlowFromScratchGives() {
        std::vector<BackendDescription> some = {backend("a", R"("exp": true, "add": true, "tanh": true)"),
                                                backend("b", R"("sqrt": true, "multiply": true, "split": true)")};
        some[0].patterns = builtin_backend("dnnl")->patterns;
        some[0].transparent = {"abs"};
        some[1].limits.min_ops = 2;
        int steps = 0;
        for (uint64_t seed = 1; seed <= 40; ++seed) {
            testing::RandomModule random(seed, {1 + int(seed * 7 % 60), seed % 3 == 0});
            auto module = std::make_shared<const Module>(random.make());
            FlowMemory memory;
            FlowOptions options;
            options.backends = some;
            for (int step = 0; step < 12; ++step) {
                ExprId id(uint32_t(random.below(module->size())));
                const char* const choices[] = {"a", "b", "default"};
                switch (random.below(12)) {
                    case 0: options.simplify = !options.simplify; break;
                    case 1: options.composite = !options.composite; break;
                    case 2: options.merge = !options.merge; break;
                    case 3: std::swap(options.backends[0], options.backends[1]); break;
                    case 4: options.backends[0].ops.erase("exp"); break;
                    case 5: options.annotate_options.include_non_call_ops = random.below(2); break;
                    case 6: options.log_decisions = !options.log_decisions; break;
                    case 7: options.overrides.clear(); break;
                    default: options.overrides[id] = choices[random.below(3)]; break;
                }
                const Result<FlowResult> fresh = run_flow(module, options);
                QCOMPARE(told(memory.run(module, options), options), told(fresh, options));
                const auto comes_before = [](const Decision& a, const Decision& b) { return a.pass < b.pass; };
                QVERIFY(!fresh ||
                        std::is_sorted(fresh->log.decisions().begin(), fresh->log.decisions().end(), comes_before));
                ++steps;
            }
        }
        QCOMPARE(steps, 40 * 12);
    }

    /// Whenever a flow is cancelled, the next one asks the rules about all calls.
    void aCancelledFlowIsNotRemembered() {
        ModulePtr module = open("#[version = \"0.0.5\"]\ndef @main(%x: float32) { tanh(tanh(%x)) }");
        FlowMemory memory;
        FlowOptions options;
        options.backends = {backend("a", R"("tanh": true)")};
        FlowOptions cancelled = options;
        cancelled.cancel = CancelToken();
        cancelled.cancel.cancel();
        QVERIFY(!memory.run(module, cancelled));
        QCOMPARE(told(memory.run(module, options), options), told(run_flow(module, options), options));
    }

    void aFlowCancelledOnTheWayIsNotRemembered() {
        testing::RandomModule random(5, {20000, false});
        const auto module = std::make_shared<const Module>(random.make());
        FlowOptions options;
        options.backends = {backend("a", R"("exp": true, "add": true, "tanh": true)")};
        const Result<FlowResult> fresh = run_flow(module, options);
        QVERIFY(fresh);
        for (int i = 1; i <= 10; ++i) {
            FlowMemory memory;
            FlowOptions cancelled = options;
            cancelled.cancel = CancelToken();
            std::jthread canceller([token = cancelled.cancel, i] {
                std::this_thread::sleep_for(std::chrono::microseconds(i * i * 100));
                token.cancel();
            });
            (void)memory.run(module, cancelled);
            canceller.join();
            const Result<FlowResult> again = memory.run(module, options);
            QVERIFY(again);
            QVERIFY2(again->backend_of == fresh->backend_of, qPrintable(QString::number(i)));
        }
    }

    void aMemoryTellsModulesApart() {
        FlowMemory memory;
        FlowOptions options;
        options.backends = {backend("a", R"("tanh": true)")};
        for (const char* op : {"tanh", "exp", "tanh"}) {
            ModulePtr module = open(std::string("#[version = \"0.0.5\"]\ndef @main(%x: float32) { ") + op + "(%x) }");
            Result<FlowResult> result = memory.run(module, options);
            QVERIFY(result);
            QCOMPARE(result->regions.size(), size_t(std::string(op) == "tanh"));
        }
    }

    /// Another pattern of the same name and position is a different rule.
    void aMemoryTellsPatternsApart() {
        FlowMemory memory;
        ModulePtr module = open("#[version = \"0.0.5\"]\ndef @main(%x: float32) { tanh(exp(%x)) }");
        for (const char* pattern : {"tanh(*)", "exp(*)", "exp(*)", "tanh(*)"}) {
            FlowOptions options;
            const std::string list = std::string("[{\"name\": \"a.p\", \"pattern\": \"") + pattern + "\"}]";
            options.backends = {backend("a", "\"sqrt\": true}, \"patterns\": " + list + ", \"limits\": {")};
            QCOMPARE(told(memory.run(module, options), options), told(run_flow(module, options), options));
        }
    }

    void aLimitOfOneIsALimit() {
        const auto regions = [](const char* body, const char* limit) {
            FlowOptions options;
            const std::string ops = R"("tanh": true, "exp": true, "add": true)";
            options.backends = {backend("a", ops + R"(}, "limits": {)" + limit)};
            const std::string main = "#[version = \"0.0.5\"]\ndef @main(%x: float32, %y: float32) { ";
            return flow(open(main + body + " }"), options).regions.size();
        };
        const char* const fork = "%0 = tanh(%x); multiply(sqrt(%0), exp(%0))";
        QCOMPARE(regions(fork, ""), size_t(1));
        QCOMPARE(regions(fork, "\"max_outputs\": 1"), size_t(2));
        QCOMPARE(regions("add(tanh(%x), %y)", "\"max_inputs\": 1"), size_t(1));  // tanh alone
    }

    /// Weights of 4, 400 and 40 bytes, for the same work each.
    void weightsAreLimited_data() {
        QTest::addColumn<QString>("limit");
        QTest::addColumn<std::vector<int>>("backend_of");  // of the calls
        QTest::addColumn<int>("regions");
        QTest::addColumn<QString>("why");
        QTest::newRow("none") << "" << std::vector{0, 0, 0} << 1 << "";
        QTest::newRow("all fit") << "\"max_weight_bytes\": 444" << std::vector{0, 0, 0} << 1 << "";
        QTest::newRow("not together") << "\"max_weight_bytes\": 443" << std::vector{0, 0, 0} << 2
                                      << "would read 444 bytes of weights, at most 443 are allowed";
        QTest::newRow("one is too large") << "\"max_weight_bytes\": 399" << std::vector{0, -1, 0} << 2
                                          << "reads 400 bytes of weights, at most 399 are allowed";
        QTest::newRow("room for all") << "\"weight_bytes\": 444" << std::vector{0, 0, 0} << 1 << "";
        QTest::newRow("room for two") << "\"weight_bytes\": 443" << std::vector{0, -1, 0} << 2
                                      << "it reads 400 bytes of weights, and the backend has 399 of 443 left";
        QTest::newRow("room for one") << "\"weight_bytes\": 43" << std::vector{0, -1, -1} << 1
                                      << "it reads 40 bytes of weights, and the backend has 39 of 43 left";
    }
    void weightsAreLimited() {
        QFETCH(QString, limit);
        QFETCH(std::vector<int>, backend_of);
        QFETCH(int, regions);
        QFETCH(QString, why);
        FlowOptions options;
        options.backends = {backend("a", R"("add": true}, "limits": {)" + limit.toStdString())};
        const ModulePtr module = open(
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(10, 10), float32], %w_weight: Tensor[(10, 10), float32], "
            "%v_weight: Tensor[(10), float32]) { add(add(add(%x, 1f), %w_weight), %v_weight) }");
        const FlowResult result = flow(module, options);
        const ExpressionNames names(*module);
        std::vector<int> found;
        for (ExprId call : names.calls()) found.push_back(result.backend_of[call.value]);
        QCOMPARE(found, backend_of);
        QCOMPARE(int(result.regions.size()), regions);
        std::string said;
        for (const Decision& decision : result.log.decisions())
            if (decision.kind == DecisionKind::SizeLimit || decision.kind == DecisionKind::MergeLimit)
                said += decision.detail.text() + "\n";
        QVERIFY2(why.isEmpty() == said.empty() && said.find(why.toStdString()) != std::string::npos, said.c_str());
    }

    /// Weights that a pattern takes into a composite enter by no begin.
    void weightsInCompositesAreLimited() {
        const ModulePtr module = open(
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8), float32]) { tanh(add(tanh(add(tanh(add(%x, 1f)), "
            "2f)), 3f)) }");
        const auto regions = [&](const char* argument, const char* limit) {
            FlowOptions options;
            const std::string list =
                std::string("[{\"name\": \"a.p\", \"pattern\": \"tanh(add(*, ") + argument + "))\"}]";
            options.backends = {
                backend("a", "\"exp\": true}, \"patterns\": " + list + ", \"limits\": {" + std::string(limit))};
            std::vector<size_t> calls;
            for (const RegionInfo& region : flow(module, options).regions) calls.push_back(region.expressions.size());
            return calls.size();
        };
        for (const char* argument : {"constant", "*"}) {
            QCOMPARE(regions(argument, ""), size_t(1));
            QCOMPARE(regions(argument, "\"max_weight_bytes\": 12"), size_t(1));
            QCOMPARE(regions(argument, "\"max_weight_bytes\": 8"), size_t(2));
            QCOMPARE(regions(argument, "\"max_weight_bytes\": 4"), size_t(3));
        }
    }

    /// Values of 400 bytes.
    void bytesAliveAreLimited_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<int>("limit");
        QTest::addColumn<std::vector<int>>("backend_of");  // of the calls
        QTest::addColumn<int>("regions");
        QTest::addColumn<QString>("why");
        const QString sum = "%0 = tanh(%x); add(exp(%0), %x)";  // the input lives to the end
        QTest::newRow("room for a sum") << sum << 1200 << std::vector{0, 0, 0} << 1 << "";
        QTest::newRow("no room for a sum")
            << sum << 1199 << std::vector{0, 0, -1} << 1 << "holds 1200 bytes at once, at most 1199 are allowed";
        // What leaves lives to the end, too.
        const QString all = "%0 = tanh(%x); %1 = exp(%0); %2 = sqrt(%1); (negative(%0), negative(%1), negative(%2))";
        QTest::newRow("room for all results") << all << 1200 << std::vector{0, -1, 0, -1, 0, -1} << 1 << "";
        QTest::newRow("no room for all results") << all << 1199 << std::vector{0, -1, 0, -1, 0, -1} << 2
                                                 << "would hold 1200 bytes at once, at most 1199 are allowed";
        const QString chain = "sqrt(exp(tanh(%x)))";
        QTest::newRow("a chain needs two") << chain << 800 << std::vector{0, 0, 0} << 1 << "";
        QTest::newRow("of weights none counts") << "add(%x, %w_weight)" << 800 << std::vector{0} << 1 << "";
        QTest::newRow("nor does a constant") << "add(%x, 1f)" << 800 << std::vector{0} << 1 << "";
        QTest::newRow("a tuple is its fields") << "concatenate((%x, %x))" << 1200 << std::vector{0} << 1 << "";
        QTest::newRow("no room for a tuple") << "concatenate((%x, tanh(%x)))" << 1599 << std::vector{0, -1} << 1
                                             << "holds 1600 bytes at once, at most 1599 are allowed";
    }
    void bytesAliveAreLimited() {
        QFETCH(QString, body);
        QFETCH(int, limit);
        QFETCH(std::vector<int>, backend_of);
        QFETCH(int, regions);
        QFETCH(QString, why);
        FlowOptions options;
        const std::string ops = R"("tanh": true, "exp": true, "sqrt": true, "add": true, "concatenate": true})";
        options.backends = {backend("a", ops + R"(, "limits": {"max_live_bytes": )" + std::to_string(limit))};
        const ModulePtr module = open(
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(10, 10), float32], %w_weight: Tensor[(10, 10), "
            "float32]) { " +
            body.toStdString() + " }");
        const FlowResult result = flow(module, options);
        const ExpressionNames names(*module);
        std::vector<int> found;
        for (ExprId call : names.calls()) found.push_back(result.backend_of[call.value]);
        QCOMPARE(found, backend_of);
        QCOMPARE(int(result.regions.size()), regions);
        std::string said;
        for (const Decision& decision : result.log.decisions())
            if (decision.kind == DecisionKind::SizeLimit || decision.kind == DecisionKind::MergeLimit)
                said += decision.detail.text() + "\n";
        QVERIFY2(why.isEmpty() == said.empty() && said.find(why.toStdString()) != std::string::npos, said.c_str());
    }

    void cancelledFlowSaysSo() {
        FlowOptions options;
        options.backends = {backend("a", R"("nn.relu": true)")};
        options.cancel.cancel();
        Result<FlowResult> result = run_flow(open(kDiamond), options);
        QVERIFY(!result);
        QCOMPARE(result.error().message, std::string("cancelled"));
    }

    void compositesAreMadeWhereTheyAreChosen() {
        FlowChoice choice;
        const std::string pattern = "{\"name\": \"a.sum\", \"pattern\": \"add(*, exp(*))\"}";
        choice.backends = {std::make_shared<const BackendDescription>(
            backend("a", "\"exp\": true}, \"patterns\": [" + pattern + "], \"limits\": {"))};
        choice.annotate = true;
        for (const bool chosen : {true, false}) {
            choice.composite = chosen;
            const FlowResult result = flow(open(kDiamond), flow_options(choice, false, {}));
            QCOMPARE(print_relay(*result.partitioned).find("a.sum") != std::string::npos, chosen);
        }
    }

    void partitionedComputesTheSame() {
        FlowOptions options;
        options.backends = {backend("a", R"("nn.relu": true, "exp": true, "add": true)"),
                            backend("b", R"("tanh": true)")};
        ModulePtr module = open(kDiamond);
        FlowResult result = flow(module, options);
        Result<RunComparison> compared = run_and_compare(result.partitioned, module, {});
        QVERIFY2(compared, compared ? "" : compared.error().to_string().c_str());
        QCOMPARE(compared->report.differences.size(), size_t(1));
        QCOMPARE(compared->report.differences[0].max_abs_error, 0.0);
        // What a partitioned module is held against runs on default, too.
        options.backends = {*load_backend("ccompiler")};
        const ModulePtr partitioned = flow(module, options).partitioned;
        compared = run_and_compare(partitioned, partitioned, {});
        QVERIFY2(compared, compared ? "" : compared.error().to_string().c_str());
        const auto executed_by = [](const RunReport& report, const char* name) {
            return std::any_of(report.regions.begin(), report.regions.end(),
                               [&](const RegionTiming& region) { return region.executed_by == name; });
        };
        QVERIFY(executed_by(compared->report, "ccompiler") && !executed_by(compared->reference, "ccompiler"));
    }

    void badFilesGetOneClearMessage_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("message");
        QTest::newRow("empty") << QByteArray() << "the file is empty";
        QTest::newRow("binary") << QByteArray(
                                       "\x7f"
                                       "ELF\0\0\0",
                                       7)
                                << "the file is binary";
        QTest::newRow("truncated") << QByteArray("#[version = \"0.0.5\"]\ndef @main(%x: int32) {\n  add(%x,") << ":3:";
        QTest::newRow("unknownOp") << QByteArray("#[version = \"0.0.5\"]\ndef @main(%x: int32) {\n  addd(%x, %x)\n}")
                                   << "did you mean";
    }
    void badFilesGetOneClearMessage() {
        QFETCH(QByteArray, content);
        QFETCH(QString, message);
        QTemporaryDir folder;
        std::string path = folder.path().toStdString() + "/m.relay";
        QVERIFY(write_file(path, content.toStdString()));
        Result<OpenedModule> opened = open_module(path);
        QVERIFY(!opened);
        QVERIFY2(QString::fromStdString(opened.error().to_string()).contains(message),
                 opened.error().to_string().c_str());
        QVERIFY(opened.error().to_string().starts_with(path));
    }

    void missingFileAndFolderAreNamed() {
        QTemporaryDir folder;
        QVERIFY(open_module(folder.path().toStdString()).error().message.find("folder") != std::string::npos);
        QVERIFY(open_module(folder.path().toStdString() + "/none").error().message.find("can't read") !=
                std::string::npos);
    }

    void writingReplacesTheFileOrLeavesIt() {
        QTemporaryDir folder;
        std::string path = folder.path().toStdString() + "/f";
        QVERIFY(write_file(path, "one"));
        QVERIFY(write_file(path, "two"));
        QCOMPARE(*read_file(path), std::string("two"));
        QVERIFY(!write_file(folder.path().toStdString() + "/none/f", "x"));
        QCOMPARE(std::distance(std::filesystem::directory_iterator(folder.path().toStdString()),
                               std::filesystem::directory_iterator()),
                 1);
    }

    /// By number and by name, so that they never meet an operator of another module.
    void whatWasGivenByHandFitsTheModuleOrIsLeftOut() {
        ModulePtr module = open(kDiamond);
        ExpressionNames names(*module);
        const ExprId tanh = names.select("#2")[0], other = names.select("#1")[0];
        Project project;
        const ExprId last = names.select("#4")[0];
        project.assignments = {{last.value, names.name(last), "b", 2},
                               {tanh.value, names.name(tanh), "a", 1},
                               {other.value, names.name(tanh), "a", 1},
                               {uint32_t(module->size()), names.name(tanh), "a", 1}};
        std::vector<Diagnostic> notes;
        const FlowChoice choice = choice_of(project, *module, names, notes);
        QCOMPARE(choice.overrides->given().size(), size_t(2));
        QVERIFY(choice.overrides->given().begin()->first == tanh);
        std::vector<std::pair<ExprId, int>> groups;
        for (const auto& [expression, group] : *choice.groups) groups.emplace_back(expression, group);
        QVERIFY((groups == std::vector<std::pair<ExprId, int>>{{tanh, 1}, {last, 2}}));
        QCOMPARE(notes.size(), size_t(2));
        // A project names calls in its assignments alone: expressions are of one module.
        const Project written = project_of(choice, "m.relay", names);
        QCOMPARE(written.assignments.size(), size_t(2));
        QVERIFY(written.choice.overrides->given().empty() && written.choice.groups->empty());
    }

    /// What the process held before does not count.
    void benchTellsTheMemoryOfTheFlowAlone() {
        {
            std::vector<char> large(size_t(300) << 20, 'x');
            QVERIFY(large[large.size() / 2] == 'x');
        }
        BenchOptions options;
        options.repeat = 1;
        options.layout = false;
        Result<BenchReport> report = bench("random:100", options);
        QVERIFY2(report, report ? "" : report.error().to_string().c_str());
        QCOMPARE(report->repeats, 1);
        QVERIFY2(report->flow_peak_kb < 100'000, qPrintable(QString::number(report->flow_peak_kb)));
        QVERIFY(report->peak_kb > 0);
    }

    void selectorsNameCalls() {
        ModulePtr module = open(kDiamond);
        ExpressionNames names(*module);
        QCOMPARE(names.select("#2").size(), size_t(1));
        QCOMPARE(names.name(names.select("#2")[0]), std::string("tanh #2"));
        QCOMPARE(names.select("op:*").size(), size_t(4));
        QCOMPARE(names.select("nn.*").size(), size_t(1));
        QVERIFY(names.select("#9").empty());
        QCOMPARE(names.name(ExprId()), std::string());
        QCOMPARE(names.name(ExprId(uint32_t(module->size()))), std::string());
    }
};

PARTITA_TEST(TestSession)

}  // namespace test_session

#include "test_session.moc"
