// Compares composite, annotate, merge and partition with TVM 0.9 for all reference data. Prints for each file how many
// cases passed and failed, and the names of those that failed.
#include <QtTest>

#include <fstream>
#include <sstream>

#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/printer.h"
#include "engine/passes/annotate_target.h"
#include "engine/passes/infer_types.h"
#include "engine/passes/merge_compiler_regions.h"
#include "engine/passes/merge_composite.h"
#include "engine/passes/partition_graph.h"
#include "engine/placement/placement.h"
#include "engine/rules/annotated_backend.h"
#include "engine/session/session.h"
#include "tests/engine/pass_testing.h"
#include "tests/engine/reference_data.h"
#include "tests/engine/relay_canonical.h"
#include "tests/registry.h"

namespace test_reference_passes {

using namespace partita;
using nlohmann::json;

namespace {

QString reference_folder() {
    QString folder = qEnvironmentVariable("PARTITA_REFERENCE");
    if (folder.isEmpty()) folder = QStringLiteral(PARTITA_SOURCE_DIR "/../shared/reference");
    return QFile::exists(folder + "/README.md") ? folder : QString();
}

std::string read_text(const QString& path) {
    std::ifstream file(path.toStdString(), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<json> read_lines(const QString& file) {
    std::vector<json> lines;
    std::ifstream stream((reference_folder() + "/" + file).toStdString());
    for (std::string line; std::getline(stream, line);)
        if (!line.empty()) lines.push_back(json::parse(line));
    return lines;
}

Result<Module> read_module(const std::string& text) {
    Result<Module> module = parse_relay(text);
    if (!module) return module;
    if (Status typed = infer_types(*module); !typed) return typed.error();
    return module;
}

/// Returns a backend that accepts every call of the given ops.
BackendDescription simple_backend(const std::string& name, const std::vector<std::string>& ops) {
    BackendDescription backend;
    backend.name = name;
    for (const std::string& op : ops) backend.ops[op] = {op, nullptr, "true"};
    return backend;
}

Result<Module> annotate(const Module& module, const std::vector<BackendDescription>& backends, bool non_call_ops) {
    AnnotateOptions options;
    options.include_non_call_ops = non_call_ops;
    return annotate_target(module, place(module, backends), options);
}

/// Counts cases, and collects the names of those that failed.
class Score {
public:
    void check(const std::string& name, const Result<Module>& found, const std::string& expected) {
        if (!found) return fail(name, found.error().to_string());
        std::string text = print_relay(*found);
        dump(name, text, expected);
        std::string difference = testing::canonical_difference(text, expected);
        if (!difference.empty()) return fail(name, difference);
        // The types that passes preserve equal the inferred ones.
        Module again = *found;
        if (Status typed = infer_types(again); !typed) return fail(name, "types: " + typed.error().to_string());
        if (print_relay(again) != text) return fail(name, "types differ from inferred ones");
        ++passed_;
    }
    void fail(const std::string& name, const std::string& why) {
        failed_.push_back(name);
        qWarning().noquote() << QString::fromStdString(name + "\n" + why.substr(0, 2000));
    }
    void report(const char* what) const {
        qInfo("%s: %d passed, %d failed", what, passed_, int(failed_.size()));
        for (const std::string& name : failed_) qInfo("  failed: %s", name.c_str());
        QVERIFY(failed_.empty());
        QVERIFY(passed_ > 0);
    }

private:
    /// Writes texts for other tools to the folder PARTITA_DUMP.
    static void dump(std::string name, const std::string& found, const std::string& expected) {
        QString folder = qEnvironmentVariable("PARTITA_DUMP");
        if (folder.isEmpty()) return;
        for (char& c : name)
            if (!isalnum(static_cast<unsigned char>(c))) c = '_';
        std::ofstream(folder.toStdString() + "/" + name + ".found.relay") << found;
        std::ofstream(folder.toStdString() + "/" + name + ".expected.relay") << expected;
    }

    int passed_ = 0;
    std::vector<std::string> failed_;
};

/// The backends of TVM's own tests of AnnotateTarget, by the name of the test and the index of the case.
struct AnnotateCase {
    const char* test;
    int index;
    std::vector<BackendDescription> backends;
    bool non_call_ops;
};

std::vector<AnnotateCase> annotate_cases() {
    BackendDescription a = simple_backend("A", {"nn.relu"}), b = simple_backend("B", {"add"});
    BackendDescription different_a = simple_backend("different.A", {"nn.relu"});
    BackendDescription different_b = simple_backend("different.B", {"add"});
    BackendDescription loop = simple_backend("test_while_let", {"less", "add", "zeros_like"});
    return {
        {"test_extern_dnnl", 0, {simple_backend("dnnl", {"nn.conv2d", "add"})}, true},
        {"test_ref_create_read_write", 0, {simple_backend("relu", {"nn.relu"})}, true},
        {"test_ref_create_read_write", 1, {simple_backend("relu", {"nn.relu"})}, false},
        {"test_different_targets", 0, {different_a}, true},
        {"test_different_targets", 1, {different_b}, true},
        {"test_different_targets", 2, {different_a, different_b}, true},
        {"test_multiple_runs", 0, {a}, true},
        {"test_multiple_runs", 1, {b}, true},
        {"test_multiple_runs", 2, {a, b}, true},
        {"test_while_let", 0, {loop}, false},
        {"test_while_let", 1, {loop}, true},
        {"test_if_free_vars", 0, {simple_backend("test_if_free_vars", {"equal", "sigmoid", "erf"})}, true},
        {"test_empty_tuple", 0, {simple_backend("test_empty_tuple", {})}, true},
        {"test_duplicate_outputs", 0, {simple_backend("test_duplicate_outputs", {"abs"})}, true},
    };
}

std::vector<CompositePattern> suite_patterns(const std::string& test, const std::string& after) {
    auto a = testing::composite("A", "nn.relu(abs(add(*, *)))"), b = testing::composite("B", "abs(add(*, *))"),
         c = testing::composite("C", "nn.relu(abs(*))");
    if (test == "test_optional_pattern")
        return {testing::composite("layer", "b = nn.bias_add(nn.conv2d(*, *), *); b.optional(nn.relu(_))")};
    if (test == "test_merge_order") {
        if (after.find("\"A\"") != std::string::npos) return {a, b, c};
        if (after.find("\"B\"") != std::string::npos) return {b, c, a};
        return {c, a, b};
    }
    if (test == "test_tuple_get_item_merge")
        return {testing::composite("bn_relu", "nn.relu(nn.batch_norm(*, *, *, *, *).0)")};
    if (test == "test_pattern_with_check")
        return {testing::composite("conv_bias_relu", "nn.relu(nn.bias_add(conv: nn.conv2d(*, *), *))",
                                   "conv.attrs.data_layout == 'NHWC'")};
    return {};
}

/// Runs PartitionGraph like a flow whose only backend requests constant folding for its sub-functions.
Result<Module> partition_and_fold(Module module, const std::string& backend) {
    Result<BackendDescription> description =
        parse_backend_description("{\"name\": \"" + backend + "\", \"optimize\": [\"fold_constants\"]}", backend);
    if (!description) return description.error();
    FlowOptions options;
    options.backends = {*description};
    options.annotate = options.merge = false;
    options.partition_options.mangle_names = false;
    Result<FlowResult> flow = run_flow(std::make_shared<const Module>(std::move(module)), options);
    if (!flow) return flow.error();
    return *flow->partitioned;
}

Result<Module> run_case(const json& one, int index, const std::vector<AnnotateCase>& cases,
                        const std::vector<BackendDescription>& fallback) {
    Result<Module> before = read_module(one["before"]);
    if (!before) return before;
    std::string pass = one["pass"], test = one["test"];
    if (pass == "MergeComposite")
        return merge_composite(*before, fallback.empty() ? suite_patterns(test, one["after"]) : fallback[0].patterns);
    if (pass == "MergeCompilerRegions") return merge_compiler_regions(*before);
    if (pass == "PartitionGraph") {
        // This test registers relay.ext.test_target.optimize, a hook that folds constants: "optimize" in a description.
        if (test == "test_extern_opt") return partition_and_fold(std::move(*before), "test_target");
        PartitionOptions options;
        options.mangle_names = false;
        return partition_graph(*before, options);
    }
    for (const AnnotateCase& known : cases)
        if (known.test == test && known.index == index) return annotate(*before, known.backends, known.non_call_ops);
    if (fallback.empty()) return error("no backend is known for this test");
    return annotate(*before, fallback, true);
}

void run_suite(const QString& file, const std::vector<AnnotateCase>& cases,
               const std::vector<BackendDescription>& fallback) {
    Score score;
    std::map<std::string, int> seen;
    for (const json& one : read_lines(file)) {
        std::string pass = one["pass"], name = one["test"].get<std::string>() + "." + pass;
        int index = seen[name]++;
        score.check(name + "." + std::to_string(index), run_case(one, index, cases, fallback), one["after"]);
    }
    score.report(file.toStdString().c_str());
}

}  // namespace

#define NEEDS_REFERENCE_DATA()        \
    if (reference_folder().isEmpty()) \
    QSKIP("no reference data: set PARTITA_REFERENCE or put it beside the source folder")

class TestReferencePasses : public QObject {
    Q_OBJECT

private slots:
    void randomGraphsGiveWhatTvmGives();
    void tvmsOwnTestsGiveWhatTvmGives();
    void tvmsDnnlTestsGiveWhatTvmGives();
    void tvmsDnnlTestsGiveTheSameWithTvmsOwnRules();
    void examplesGiveWhatTvmGives();
    void modelsGiveWhatTvmGives();
    void inlineStyleGivesLocalFunctions();
};

void TestReferencePasses::randomGraphsGiveWhatTvmGives() {
    Score score;
    for (const json& one : testing::read_own_data("random_graphs")) {
        std::string name = "seed " + one["seed"].dump();
        std::vector<BackendDescription> backends;
        for (const std::string target : one["targets"])
            backends.push_back(simple_backend(target, one["rules"][target]));
        Result<Module> input = read_module(one["input"]);
        if (!input) {
            score.fail(name, input.error().to_string());
            continue;
        }
        Result<Module> annotated = annotate(*input, backends, one["include_non_call_ops"]);
        score.check(name + " annotated", annotated, one["annotated"]);
        if (!annotated) continue;
        Result<Module> merged = merge_compiler_regions(*annotated);
        score.check(name + " merged", merged, one["merged"]);
        score.check(name + " partitioned_unmerged", partition_graph(*annotated), one["partitioned_unmerged"]);
        if (merged) score.check(name + " partitioned", partition_graph(*merged), one["partitioned"]);
    }
    score.report("random_graphs");
}

void TestReferencePasses::tvmsOwnTestsGiveWhatTvmGives() {
    NEEDS_REFERENCE_DATA();
    run_suite("tvm-suite.jsonl", annotate_cases(), {});
}

void TestReferencePasses::tvmsDnnlTestsGiveWhatTvmGives() {
    NEEDS_REFERENCE_DATA();
    Result<BackendDescription> dnnl = builtin_backend("dnnl");
    QVERIFY2(dnnl, dnnl ? "" : dnnl.error().message.c_str());
    run_suite("dnnl-suite.jsonl", {}, {*dnnl});
}

void TestReferencePasses::tvmsDnnlTestsGiveTheSameWithTvmsOwnRules() {
    NEEDS_REFERENCE_DATA();
    const QString file = reference_folder() + "/tvm-annotators/dnnl.py";
    if (!QFile::exists(file)) QSKIP("no tvm-annotators/dnnl.py");
    Result<BackendDescription> dnnl = load_backend(file.toStdString());
    QVERIFY2(dnnl, dnnl ? "" : dnnl.error().message.c_str());
    std::vector<Diagnostic> notes;
    const Status started = start_annotators({&*dnnl, 1}, notes);
    QVERIFY2(started, started ? "" : started.error().to_string().c_str());
    run_suite("dnnl-suite.jsonl", {}, {*dnnl});
}

void TestReferencePasses::examplesGiveWhatTvmGives() {
    NEEDS_REFERENCE_DATA();
    Score score;
    std::vector<BackendDescription> backends{simple_backend("ccompiler", {"add", "subtract", "multiply"})};
    for (const char* name : {"one-divide", "three-branches-all-offloaded"}) {
        auto text = [&](const char* stage) {
            return read_text(reference_folder() + "/examples/" + name + "." + stage + ".relay");
        };
        Result<Module> input = read_module(text("input"));
        QVERIFY2(input, input ? "" : input.error().message.c_str());
        Result<Module> annotated = annotate(*input, backends, true);
        score.check(std::string(name) + " annotated", annotated, text("annotated"));
        Result<Module> merged = merge_compiler_regions(*annotated);
        score.check(std::string(name) + " merged", merged, text("merged"));
        Result<Module> partitioned = partition_graph(*merged);
        score.check(std::string(name) + " partitioned", partitioned, text("partitioned"));
    }
    score.report("examples");
}

void TestReferencePasses::modelsGiveWhatTvmGives() {
    NEEDS_REFERENCE_DATA();
    Score score;
    Result<BackendDescription> dnnl = builtin_backend("dnnl");
    QVERIFY2(dnnl, dnnl ? "" : dnnl.error().message.c_str());
    for (const char* name : {"mlp", "mobilenet_v1", "resnet18", "squeezenet", "vgg16"}) {
        QString base = reference_folder() + "/relay-models/" + name;
        auto has = [&](const char* stage) { return QFile::exists(base + "." + stage + ".relay"); };
        auto text = [&](const char* stage) { return read_text(base + "." + stage + ".relay"); };
        Result<Module> composite = read_module(text("composite"));
        QVERIFY2(composite, composite ? "" : composite.error().message.c_str());
        Result<Module> annotated = annotate(*composite, {*dnnl}, true);
        if (has("annotated")) score.check(std::string(name) + " annotated", annotated, text("annotated"));
        Result<Module> merged = merge_compiler_regions(*annotated);
        if (has("merged")) score.check(std::string(name) + " merged", merged, text("merged"));
        Result<Module> partitioned = partition_graph(*merged);
        score.check(std::string(name) + " partitioned", partitioned, text("partitioned"));
    }
    score.report("relay-models");
}

void TestReferencePasses::inlineStyleGivesLocalFunctions() {
    NEEDS_REFERENCE_DATA();
    RelayParseOptions parse_options;
    parse_options.compiler = "ccompiler";
    Result<Module> module =
        parse_relay(read_text(reference_folder() + "/examples/three-branches.annotated.relay"), parse_options);
    QVERIFY2(module, module ? "" : module.error().message.c_str());
    QVERIFY(infer_types(*module));
    PartitionOptions options;
    options.style = PartitionStyle::Inline;
    Result<Module> partitioned = partition_graph(*module, options);
    QVERIFY2(partitioned, partitioned ? "" : partitioned.error().message.c_str());
    QCOMPARE(partitioned->functions().size(), size_t(1));
    std::string text = testing::canonical_relay(print_relay(*partitioned));
    for (const char* part :
         {"%ccompiler_input0 :", "%ccompiler_input7 :", "ExternalSymbol = \"ccompiler_0\"",
          "ExternalSymbol = \"ccompiler_1\"", "( %x , %w0 , %w1 , %w2 )", "( %x , %w3 , %w4 , %w5 )"})
        QVERIFY2(text.find(part) != std::string::npos, (std::string(part) + " is not in\n" + text).c_str());
}

PARTITA_TEST(TestReferencePasses)

}  // namespace test_reference_passes

#include "test_reference_passes.moc"
