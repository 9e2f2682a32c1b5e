// The diff of two modules: results for small texts, modules with annotations and functions, and single edits.
#include <QtTest>

#include <set>

#include "engine/diff/flat_view.h"
#include "engine/edits/edits.h"
#include "engine/frontends/generate.h"
#include "engine/frontends/relax/reader.h"
#include "engine/frontends/relax/to_module.h"
#include "engine/frontends/relay/parser.h"
#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"
#include "engine/passes/fold_constants.h"
#include "engine/passes/infer_types.h"
#include "engine/runtime/run.h"
#include "engine/session/diff.h"
#include "engine/session/places.h"
#include "engine/session/session.h"
#include "engine/support/common_subsequence.h"
#include "engine/support/hash.h"
#include "tests/engine/random_module.h"
#include "tests/engine/relay_testing.h"
#include "tests/registry.h"

namespace test_diff {

using namespace partita;

namespace {

QString text_of(const Module& before, const Module& after) {
    return QString::fromStdString(diff_text(diff_modules(before, after), before, after));
}

const char* const kNet = R"(def @main(%x: Tensor[(1, 8), float32], %w: Tensor[(8, 8), float32]) {
  %0 = nn.dense(%x, %w, units=None);
  %1 = nn.relu(%0);
  %2 = tanh(%1);
  %3 = nn.softmax(%2, axis=1);
  add(%3, %1)
}
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const size_t at = text.find(what);
    if (at == std::string::npos) qFatal("nothing to replace");
    return text.replace(at, what.size(), by);
}

BackendDescription backend(const char* name) {
    Result<BackendDescription> loaded = load_backend(name);
    if (!loaded) qFatal("%s", loaded.error().message.c_str());
    return *loaded;
}

}  // namespace

namespace {

bool compute_the_same(const Module& first, const Module& second) {
    RunOptions options;
    options.warmup = 0;
    options.repeat = 1;
    const Result<RunReport> one = run_module(std::make_shared<const Module>(first), options);
    const Result<RunReport> other = run_module(std::make_shared<const Module>(second), options);
    if (!one || !other) return false;
    const std::vector<OutputDifference> differences = compare_outputs(one->outputs, other->outputs, 0);
    return std::all_of(differences.begin(), differences.end(),
                       [](const OutputDifference& each) { return each.within_tolerance; });
}

}  // namespace

class TestDiff : public QObject {
    Q_OBJECT

private slots:
    void whatFollowsInARegionIsOfItsBackend() {
        FlowOptions options;
        for (const char* name : {"first", "second"})
            options.backends.push_back(*parse_backend_description(
                std::string("{\"name\": \"") + name + "\", \"ops\": {" +
                    (*name == 'f' ? "\"exp\": true, \"tanh\": true" : "\"add\": true") + "}}",
                name));
        const Result<FlowResult> flow = run_flow(
            std::make_shared<const Module>(typed_module("def @main(%x: Tensor[(4), float32]) {\n  %0 = exp(%x);\n"
                                                        "  %1 = tanh(%0);\n  add(%1, %x)\n}\n")),
            options);
        QVERIFY(flow);
        const FlatView view(*flow->stage("merged"));
        std::map<std::string, std::string> places;
        for (uint32_t i = 0; i < view.nodes().size(); ++i)
            if (const OpRecord* op = called_op_record(*flow->stage("merged"), view.nodes()[i].expr))
                places[op->name] = view.place(i);
        QCOMPARE(places["exp"], std::string("first"));
        QCOMPARE(places["tanh"], std::string("first"));
        QCOMPARE(places["add"], std::string("second"));
    }

    void paddingThatMeansTheSameIsNoDifference() {
        const auto net = [](const char* padding) {
            return typed_module(
                "def @main(%x: Tensor[(1, 3, 8, 8), float32]) { nn.max_pool2d(%x, pool_size=[2, 2], padding=" +
                std::string(padding) + ") }\n");
        };
        for (const char* same : {"[0]", "[0, 0]"})
            QVERIFY2(diff_modules(net("[0, 0, 0, 0]"), net(same)).identical(), same);
        QVERIFY(diff_modules(net("[1, 0]"), net("[1, 0, 1, 0]")).identical());
        for (const char* other : {"[1, 0, 0, 1]", "[0, 1]", "[1]"})
            QVERIFY2(!diff_modules(net("[1, 0]"), net(other)).identical(), other);
    }

    void aFieldOfATupleInATupleIsTheValueItself() {
        const Module nested = typed_module(
                         "def @main(%x: Tensor[(4), float32], %y: Tensor[(4), float32]) {\n"
                         "  %0 = (%x, %y);\n  %1 = (%0, %x);\n  %2 = %1.0;\n  exp(%2.1)\n}\n"),
                     plain =
                         typed_module("def @main(%x: Tensor[(4), float32], %y: Tensor[(4), float32]) { exp(%y) }\n");
        QVERIFY(diff_modules(nested, plain).identical());
    }

    /// Others are compared as if they were inlined.
    void aCalledFunctionThatCallsItselfIsNamed() {
        const auto net = [](const char* operand) {
            return typed_module("def @main(%x: Tensor[(4), float32]) { add(%x, " + std::string(operand) +
                                ") }\n"
                                "def @f(%p: Tensor[(4), float32]) -> Tensor[(4), float32] { @f(exp(%p)) }\n");
        };
        std::string told;
        for (const NodeChange& change : diff_modules(net("%x"), net("@f(%x)")).changed)
            for (const Sentence& what : change.what) told += what.text() + "\n";
        QCOMPARE(QString::fromStdString(told), QStringLiteral("input 1: %x → @f\n"));
    }

    void annotationsSayWhereCallsGo() {
        const auto module = std::make_shared<const Module>(typed_module(R"(def @main(%x: Tensor[(4), float32]) {
  %0 = add(%x, %x);
  %1 = multiply(%0, %x);
  %2 = exp(%1);
  subtract(%2, %x)
}
)"));
        FlowOptions options;
        options.backends = {backend("ccompiler")};
        const Result<FlowResult> flow = run_flow(module, options);
        QVERIFY(bool(flow));
        const auto told = [](const Module& of) {
            const ModulePlaces places = module_places(of);
            QStringList words;
            for (uint32_t i = 0; i < of.size(); ++i) {
                const OpRecord* op = called_op_record(of, ExprId(i));
                if (!op || op->name.starts_with("annotation.")) continue;
                const int backend = places.backend_of[i];
                words << QStringLiteral("%1 %2 %3")
                             .arg(QString::fromStdString(op->name),
                                  backend < 0 ? QStringLiteral("-")
                                              : QString::fromStdString(places.backends[size_t(backend)]))
                             .arg(places.region_of[i]);
            }
            return words;
        };
        QCOMPARE(told(*module), (QStringList{"add - -1", "multiply - -1", "exp - -1", "subtract - -1"}));
        const QStringList annotated = told(*flow->stage("annotated")), merged = told(*flow->stage("merged"));
        QVERIFY(annotated[0].startsWith("add ccompiler") && annotated[2].startsWith("exp - "));
        const auto region = [](const QString& words) { return words.section(' ', 2).toInt(); };
        QVERIFY(region(annotated[0]) != region(annotated[1]));
        QCOMPARE(region(merged[0]), region(merged[1]));
        QVERIFY(region(merged[3]) >= 0 && region(merged[3]) != region(merged[0]));
        // In a partitioned module, calls of sub-functions have the backend of these.
        const ModulePlaces places = module_places(*flow->partitioned);
        int calls = 0;
        for (uint32_t i = 0; i < flow->partitioned->size(); ++i)
            if (flow->partitioned->kind(ExprId(i)) == ExprKind::Call && places.backend_of[i] >= 0) ++calls;
        QCOMPARE(calls, 2);
    }

    /// Only the first compilers of a long list are reported.
    void ofCompilersWithoutEndTheFirstAreTold() {
        std::string text = "def @main(%x: float32) { %x }\n";
        for (int i = 0; i < 1000; ++i)
            text += "def @f" + std::to_string(i) + "(%x: float32, Compiler=\"c" + std::to_string(i) +
                    "\") -> float32 { exp(%x) }\n";
        QCOMPARE(module_places(typed_module(text)).backends.size(), size_t(256));
    }

    void aModuleIsItself() {
        Module module = typed_module(kNet);
        ModuleDiff diff = diff_modules(module, module);
        QVERIFY(diff.identical());
        QCOMPARE(text_of(module, module), QStringLiteral("0 added, 0 removed, 0 changed, 7 the same\n"));
    }

    void anAttributeIsChanged() {
        QCOMPARE(text_of(typed_module(kNet), typed_module(replaced(kNet, "axis=1", "axis=0"))),
                 QStringLiteral("~ nn.softmax #4: axis: 1 → 0\n0 added, 0 removed, 1 changed, 6 the same\n"));
    }

    void anOperatorIsInserted() {
        QCOMPARE(text_of(typed_module(kNet),
                         typed_module(replaced(kNet, "%2 = tanh(%1);", "%9 = exp(%1);\n  %2 = tanh(%9);"))),
                 QStringLiteral("+ exp #3: Tensor[(1, 8), float32]\n~ tanh #3 = tanh #4: input 0: nn.relu → exp\n"
                                "1 added, 0 removed, 1 changed, 6 the same\n"));
    }

    void anOperatorIsRemoved() {
        QCOMPARE(text_of(typed_module(kNet),
                         typed_module(replaced(replaced(kNet, "  %2 = tanh(%1);\n", ""), "softmax(%2", "softmax(%1"))),
                 QStringLiteral(
                     "- tanh #3: Tensor[(1, 8), float32]\n~ nn.softmax #4 = nn.softmax #3: input 0: tanh → nn.relu\n"
                     "0 added, 1 removed, 1 changed, 5 the same\n"));
    }

    void anOperatorIsExchangedInItsPlace() {
        QCOMPARE(text_of(typed_module(kNet), typed_module(replaced(kNet, "tanh", "sigmoid"))),
                 QStringLiteral(
                     "~ tanh #3 = sigmoid #3: operator: tanh → sigmoid\n0 added, 0 removed, 1 changed, 6 the same\n"));
    }

    void anEdgeIsRewired() {
        QCOMPARE(text_of(typed_module(kNet), typed_module(replaced(kNet, "add(%3, %1)", "add(%3, %0)"))),
                 QStringLiteral("~ add #5: input 1: nn.relu → nn.dense\n0 added, 0 removed, 1 changed, 6 the same\n"));
    }

    /// Names that are the same tell what belongs together before places do.
    void operandsThatChangePlacesDoSoAlone() {
        const std::string text =
            "def @main(%x: Tensor[(2), float32], %y: Tensor[(2), float32]) {\n"
            "  %0 = exp(%x);\n  %1 = exp(%y);\n  subtract(%0, %1)\n}\n";
        QCOMPARE(text_of(typed_module(text), typed_module(replaced(text, "(%0, %1)", "(%1, %0)"))),
                 QStringLiteral("~ subtract #3: input 0: exp → exp; input 1: exp → exp\n"
                                "0 added, 0 removed, 1 changed, 4 the same\n"));
    }

    void ofOtherTypesOnlyTheCauseIsListed() {
        ModuleDiff diff =
            diff_modules(typed_module(kNet), typed_module(replaced(kNet, "%x: Tensor[(1, 8)", "%x: Tensor[(4, 8)")));
        QCOMPARE(diff.changed.size(), size_t(1));
        QCOMPARE(diff.affected.size(), size_t(5));
        QVERIFY(diff.added.empty() && diff.removed.empty());
    }

    void renamedInputsAreMatchedByTheirPlace() {
        Module after = typed_module(replaced(replaced(kNet, "%x:", "%image:"), "dense(%x", "dense(%image"));
        QCOMPARE(text_of(typed_module(kNet), after),
                 QStringLiteral("~ %x = %image: name: x → image\n0 added, 0 removed, 1 changed, 6 the same\n"));
    }

    /// A program that writes a model again counts its values anew: one name then means two things.
    void namesThatWereNumberedAnewAreOnlyNames() {
        const auto made = [](std::initializer_list<const char*> names) {
            std::string text =
                "@I.ir_module\nclass Module:\n    @R.function\n"
                "    def main(lv: R.Tensor((4,), dtype=\"float32\")) -> R.Tensor((4,), dtype=\"float32\"):\n";
            std::string before = "lv";
            const char* const ops[] = {"exp", "tanh", "exp", "sqrt"};
            for (size_t i = 0; i < names.size(); ++i) {
                const std::string name = names.begin()[i];
                text += "        " + name + ": R.Tensor((4,), dtype=\"float32\") = R." + ops[i] + "(" + before + ")\n";
                before = name;
            }
            Result<relax::Program> program = relax::read(text + "        return " + before + "\n");
            if (!program) qFatal("%s", program.error().to_string().c_str());
            Result<relax::MadeModule> module = relax::make_module(std::move(*program));
            if (!module || !infer_types(module->module)) qFatal("no module");
            return std::move(module->module);
        };
        const Module before = made({"lv1", "lv2", "lv3", "lv4"}), after = made({"lv2", "lv3", "lv4", "lv1"});
        const QString text = text_of(before, after);
        QVERIFY2(text.endsWith("0 added, 0 removed, 0 changed, 5 the same\n"), qPrintable(text));
        QVERIFY2(!text.contains("input"), qPrintable(text));
    }

    void constantsAreComparedByValue() {
        const char* const text = "def @main(%x: float32) { add(%x, 1f) }";
        QVERIFY(diff_modules(typed_module(text), typed_module(text)).identical());
        QCOMPARE(text_of(typed_module(text), typed_module("def @main(%x: float32) { add(%x, 2f) }")),
                 QStringLiteral("~ a constant: another value\n0 added, 0 removed, 1 changed, 2 the same\n"));
    }

    void eachElementOfAConstantCounts() {
        const auto with = [](const char* first) {
            const std::string list = std::string("stack((") + first + ", 2f, 3f, 4f))";
            Result<Module> folded =
                fold_constants(typed_module("def @main(%x: Tensor[(4), float32]) { add(%x, " + list + ") }"));
            return folded ? *std::move(folded) : Module();
        };
        QVERIFY(diff_modules(with("1f"), with("1f")).identical());
        QCOMPARE(text_of(with("1f"), with("5f")),
                 QStringLiteral("~ a constant: another value\n0 added, 0 removed, 1 changed, 2 the same\n"));
    }

    void aFunctionOfALetThatCallsItselfIsCompared() {
        const std::string text =
            "def @main(%x: float32) { let %f = fn (%n: float32) -> float32 { %f(exp(%n)) }; %f(%x) }";
        const Module before = typed_module(text), after = typed_module(replaced(text, "exp", "sqrt"));
        QVERIFY(diff_modules(before, before).identical());
        QCOMPARE(diff_modules(before, after).changed.size(), size_t(1));
    }

    void aPartitionedModuleDiffersInItsBackendsOnly() {
        auto module = std::make_shared<const Module>(typed_module(kNet));
        FlowOptions options;
        options.backends = {backend("dnnl")};
        Result<FlowResult> flow = run_flow(module, options);
        QVERIFY(bool(flow));
        for (const ModulePtr& stage : {flow->stage("annotated"), flow->stage("merged"), flow->partitioned}) {
            ModuleDiff diff = diff_modules(*module, *stage);
            if (!diff.added.empty() || !diff.removed.empty()) QFAIL(diff_text(diff, *module, *stage).c_str());
            QVERIFY(!diff.changed.empty());
            for (const NodeChange& change : diff.changed)
                for (const Sentence& what : change.what) QCOMPARE(what.text(), std::string("backend: default → dnnl"));
        }
    }

    void twoPlacementsAreCompared() {
        auto module = std::make_shared<const Module>(typed_module(kNet));
        FlowOptions left, right;
        left.backends = {backend("dnnl")};
        right.backends = {backend("ccompiler")};
        Result<FlowResult> a = run_flow(module, left), b = run_flow(module, right);
        QVERIFY(a && b);
        ModuleDiff diff = diff_modules(*a->partitioned, *b->partitioned);
        QVERIFY(diff.added.empty() && diff.removed.empty());
        bool seen = false;
        for (const NodeChange& change : diff.changed)
            for (const Sentence& what : change.what)
                seen |= what.text() == "backend: dnnl → ccompiler" || what.text() == "backend: dnnl → default";
        QVERIFY(seen);
    }

    /// Merging changes no operator and no backend.
    void whatMergeJoinsIsADifference() {
        auto module = std::make_shared<const Module>(typed_module(R"(def @main(%x: Tensor[(4), float32]) {
  %0 = add(%x, %x);
  %1 = multiply(%0, %x);
  %2 = exp(%1);
  subtract(%2, %0)
}
)"));
        FlowOptions options;
        options.backends = {backend("ccompiler")};
        Result<FlowResult> flow = run_flow(module, options);
        QVERIFY(bool(flow));
        QCOMPARE(
            text_of(*flow->stage("annotated"), *flow->stage("merged")),
            QStringLiteral(
                "~ multiply #2: now in one region with input 0 (add)\n0 added, 0 removed, 1 changed, 4 the same\n"));
        QVERIFY(text_of(*flow->stage("merged"), *flow->stage("annotated"))
                    .contains(QStringLiteral("no longer in one region with input 0 (add)")));
        // Functions for regions are equivalent to annotations.
        QVERIFY2(diff_modules(*flow->stage("merged"), *flow->partitioned).identical(),
                 qPrintable(text_of(*flow->stage("merged"), *flow->partitioned)));
    }

    void extractingAFunctionIsNoChangeOfTheGraph() {
        Module module = typed_module(kNet);
        std::vector<ExprId> selection;
        for (uint32_t i = 0; i < module.size(); ++i)
            if (const OpRecord* op = called_op_record(module, ExprId(i));
                op && (op->name == "tanh" || op->name == "nn.softmax"))
                selection.push_back(ExprId(i));
        EditResult edited = extract_function(module, selection, "part");
        QVERIFY(bool(edited));
        ModuleDiff diff = diff_modules(module, *edited->module);
        QVERIFY(diff.identical());
        QCOMPARE(diff.functions_added, std::vector<std::string>{"part"});
    }

    void aFunctionThatCallsItselfIsCompared() {
        const char* const text =
            R"(def @f(%a: float32) -> float32 { if (less(%a, 1f)) { %a } else { @f(multiply(%a, 0.5f)) } }
def @main(%x: float32) { @f(%x) }
)";
        QVERIFY(diff_modules(typed_module(text), typed_module(text)).identical());
        QCOMPARE(diff_modules(typed_module(text), typed_module(replaced(text, "0.5f", "0.25f"))).changed.size(),
                 size_t(1));
    }

    /// Only the order of the operators is equal: names, sizes and one operator differ.
    void twoModelsOfOneKindAreMatchedByTheirOrder() {
        const char* const other =
            R"(def @main(%data: Tensor[(2, 4), float32], %weight: Tensor[(6, 4), float32], %b: Tensor[(6), float32]) {
  %0 = nn.dense(%data, %weight, units=6);
  %1 = nn.bias_add(%0, %b);
  %2 = nn.relu(%1);
  %3 = tanh(%2);
  %4 = nn.softmax(%3, axis=0);
  exp(%4)
}
)";
        const char* const one =
            R"(def @main(%x: Tensor[(1, 8), float32], %w: Tensor[(8, 8), float32], %c: Tensor[(8), float32]) {
  %0 = nn.dense(%x, %w, units=None);
  %1 = add(%0, %c);
  %2 = nn.relu(%1);
  %3 = nn.softmax(%2, axis=1);
  sigmoid(%3)
}
)";
        const Module before = typed_module(one), after = typed_module(other);
        const ModuleDiff diff = diff_modules(before, after);
        QCOMPARE(diff.added.size(), size_t(1));
        QCOMPARE(called_op_record(after, diff.added[0])->name, std::string("tanh"));
        QVERIFY(diff.removed.empty());
        QVERIFY2(text_of(before, after).contains(QStringLiteral("operator: add → nn.bias_add")),
                 qPrintable(text_of(before, after)));
        QVERIFY2(text_of(before, after).contains(QStringLiteral("operator: sigmoid → exp")),
                 qPrintable(text_of(before, after)));
    }

    /// Users identify equal constants, not their order.
    void equalConstantsAreMatchedByTheirUsers() {
        const Module before = typed_module("def @main() { subtract(exp(2f), sqrt(2f)) }");
        const Module after = typed_module("def @main() { subtract(sqrt(2f), exp(2f)) }");
        const ModuleDiff diff = diff_modules(before, after);
        const bool one = diff.changed.size() == 1 && diff.added.empty() && diff.removed.empty();
        QVERIFY2(one, qPrintable(text_of(before, after)));
    }

    void aWeightIsAParameterHereAndAConstantThere() {
        const Module before = typed_module("def @main(%x: float32, %w: float32) { add(%x, %w) }");
        const Module after = typed_module("def @main(%x: float32) { add(%x, 2f) }");
        QCOMPARE(
            text_of(before, after),
            QStringLiteral("~ %w = a constant: value: %w → a constant\n0 added, 0 removed, 1 changed, 2 the same\n"));
        QVERIFY(diff_modules(after, before).removed.empty());
    }

    void aCommonSubsequenceIsALongestOne() {
        const auto length_of_longest = [](const std::vector<uint64_t>& left, const std::vector<uint64_t>& right) {
            std::vector<std::vector<size_t>> longest(left.size() + 1, std::vector<size_t>(right.size() + 1));
            for (size_t i = 0; i < left.size(); ++i)
                for (size_t j = 0; j < right.size(); ++j)
                    longest[i + 1][j + 1] =
                        left[i] == right[j] ? longest[i][j] + 1 : std::max(longest[i][j + 1], longest[i + 1][j]);
            return longest.back().back();
        };
        testing::RandomModule random(7, {});
        for (int round = 0; round < 2000; ++round) {
            std::vector<uint64_t> left(random.below(30)), right(random.below(30));
            const uint64_t letters = 1 + random.below(6);
            for (uint64_t& letter : left) letter = random.below(letters);
            for (uint64_t& letter : right) letter = random.below(letters);
            const auto pairs = common_subsequence(left, right);
            QCOMPARE(pairs.size(), length_of_longest(left, right));
            for (size_t i = 0; i < pairs.size(); ++i) {
                QCOMPARE(left[pairs[i].first], right[pairs[i].second]);
                QVERIFY(i == 0 || (pairs[i - 1].first < pairs[i].first && pairs[i - 1].second < pairs[i].second));
            }
        }
    }

    /// The search stops in time, and its partial result is correct.
    void sequencesWithHardlyAnythingInCommonAreNoMatterOfHours() {
        std::vector<uint64_t> left, right;
        for (uint64_t i = 0; i < 400000; ++i) {
            left.push_back(i < 1000 ? 1 : hash_mix(i) % 50);
            right.push_back(i < 1000 ? 1 : 20 + hash_mix(i + 400000) % 50);
        }
        const auto pairs = common_subsequence(left, right);
        QVERIFY(pairs.size() >= 1000);
        for (const auto& [i, j] : pairs) QCOMPARE(left[i], right[j]);
    }

    /// A removed operator appears as one removed node, whatever the graph.
    void anEditOfARandomGraphIsFoundAsWhatItIs() {
        int removed = 0, unused = 0;
        for (uint64_t seed = 0; seed < 300; ++seed) {
            testing::RandomModuleOptions options;
            options.operators = 5 + int(seed % 60);
            options.control_flow = seed % 4 == 0;
            testing::RandomModule random(seed, options);
            Module module = random.make();
            if (ModuleDiff same = diff_modules(module, module); !same.identical())
                QFAIL(qPrintable(QStringLiteral("seed %1").arg(seed)));
            std::vector<ExprId> calls;
            for (ExprId id : post_order(module, module.find_function("main")))
                if (module.called_op(id).valid()) calls.push_back(id);
            const ExprId call = calls[random.below(calls.size())];
            EditResult edited = remove_expressions(module, {{call}});
            if (!edited) continue;
            ModuleDiff diff = diff_modules(module, *edited->module);
            if (diff.identical()) {
                // The edit removed an unused field of a tuple: both modules must then compute the same.
                ++unused;
                if (!compute_the_same(module, *edited->module))
                    QFAIL(qPrintable(QStringLiteral("seed %1: a removal was not seen").arg(seed)));
                continue;
            }
            // Every change has two sides that are matched with each other, each once.
            std::set<ExprId> seen;
            for (uint32_t i = 0; i < diff.after_of.size(); ++i) {
                if (!diff.after_of[i].valid()) continue;
                if (!seen.insert(diff.after_of[i]).second) QFAIL("matched twice");
                QCOMPARE(diff.before_of[diff.after_of[i].value], ExprId(i));
            }
            removed += diff.removed.size() == 1 && diff.added.empty();
        }
        qInfo("%d of 300 removals were found as one removed node, %d were of something unused", removed, unused);
        QVERIFY(removed > 150);
    }

    void whatALetBindsCountsEvenIfNothingUsesIt() {
        const char* const text = "def @main(%r: ref(float32), %x: float32) { let %a = ref_write(%r, %x); %x }";
        Module before = typed_module(text),
               after = typed_module(replaced(text, "ref_write(%r, %x)", "ref_write(%r, exp(%x))"));
        QVERIFY(!diff_modules(before, after).identical());
    }

    void aDeepGraphIsComparedWithoutRecursion() {
        Module chain = relu_chain(300000);
        QElapsedTimer timer;
        timer.start();
        QVERIFY(diff_modules(chain, chain).identical());
        EditResult edited = remove_expressions(chain, {{ExprId(150000)}});
        QVERIFY(bool(edited));
        ModuleDiff diff = diff_modules(chain, *edited->module);
        QCOMPARE(diff.removed.size(), size_t(1));
        qInfo("two diffs of 300,000 operators and an edit: %lld ms", timer.elapsed());
    }
};

PARTITA_TEST(TestDiff)

}  // namespace test_diff

#include "test_diff.moc"
