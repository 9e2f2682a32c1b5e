// MergeCompilerRegions: what merges, what must not, and the three ways in which TVM 0.9 makes a cycle.
#include "tests/engine/pass_testing.h"

#include <set>

#include "engine/ir/traversal.h"
#include "engine/passes/ordered_list.h"
#include "engine/passes/region_merger.h"
#include "tests/engine/random_module.h"
#include "tests/engine/same_outputs.h"
#include "tests/registry.h"

namespace test_merge_regions {

using namespace partita;
using namespace partita::testing;

namespace {

const std::string kT = "Tensor[(2, 4), float32]";

/// Returns the sub-functions of a module, each as its name and its ops: "a_main_0: nn.relu tanh".
QStringList sub_functions(const Module& module) {
    QStringList list;
    for (const GlobalFunction& global : module.functions_by_name()) {
        if (!module.function_info(global.function).attribute("Compiler")) continue;
        QString ops;
        for (ExprId id : post_order(module, global.function))
            if (const OpRecord* op = called_op_record(module, id)) ops += " " + QString::fromStdString(op->name);
        list << QString::fromStdString(std::string(module.names().text(global.name))) + ":" + ops;
    }
    return list;
}

PartitionOptions plain_names() {
    PartitionOptions options;
    options.mangle_names = false;
    return options;
}

/// Returns the regions after merging, and checks that the partitioned module computes the same as the text.
QStringList regions_of(const std::string& text, const std::vector<BackendOps>& backends, bool non_call_ops = true,
                       DecisionLog* log = nullptr) {
    Module module = module_of(text);
    Module made = partitioned(merged(annotated(module, backends, non_call_ops), log), plain_names());
    if (std::string wrong = difference_of_outputs(module, made); !wrong.empty()) return {QString::fromStdString(wrong)};
    return sub_functions(made);
}

/// TVM's merger in its own terms: a set of restricted regions for each region, copied along every edge and renamed at
/// every merge. Quadratic, for small graphs.
class RestrictionSets {
public:
    RestrictionSets(const Module& module, RegionSet& regions, MarkReader& reader)
        : module_(module), regions_(regions), reader_(reader), restricted_(size_t(regions.size())) {}

    void run(std::span<const ExprId> order) {
        for (ExprId id : order) visit(id);
    }

private:
    void visit(ExprId id) {
        if (!visited_.insert(id.value).second) return;
        for (ExprId operand : module_.operands(id)) visit(operand);
        if (reader_.mark(id) == Mark::End) look_at(regions_.region_of(id));
    }

    std::vector<ExprId> operands_of_begins(int32_t region) const {
        std::vector<ExprId> operands;
        for (int32_t b = region; b != RegionSet::kNone; b = regions_.next_begin(b))
            operands.push_back(reader_.operand(regions_.begin(b)));
        return operands;
    }

    void look_at(int32_t region) {
        if (!done_.insert(region).second) return;
        for (ExprId operand : operands_of_begins(region)) {
            int32_t producer = regions_.region_of(operand);
            if (producer != RegionSet::kNone && !done_.contains(producer)) visit(operand);
        }
        std::set<int32_t> producers;
        for (ExprId operand : operands_of_begins(region))
            if (int32_t producer = regions_.region_of(operand); producer != RegionSet::kNone && producer != region)
                producers.insert(producer);
        for (int32_t producer : producers)
            restricted_[size_t(region)].insert(restricted_[size_t(producer)].begin(),
                                               restricted_[size_t(producer)].end());
        for (int32_t producer : producers) decide(region, producer);
    }

    void decide(int32_t region, int32_t producer) {
        if (regions_.compiler(producer) != regions_.compiler(region)) {
            restricted_[size_t(region)].insert(producer);
        } else if (!restricted_[size_t(region)].contains(producer)) {
            regions_.unite(producer, region);
            for (std::set<int32_t>& restricted : restricted_)
                if (restricted.erase(producer)) restricted.insert(region);
            done_.insert(region);
        }
    }

    const Module& module_;
    RegionSet& regions_;
    MarkReader& reader_;
    std::vector<std::set<int32_t>> restricted_;
    std::set<uint32_t> visited_;
    std::set<int32_t> done_;
};

/// Returns the merged region of each region of an annotated module, by RegionMerger or RestrictionSets.
template <class RunMerger>
std::vector<int32_t> classes_after(const Module& module, RunMerger run_merger) {
    CompilerNames names;
    MarkReader reader(module, names);
    ExprId root = module.find_function("main");
    std::vector<ExprId> order = post_order(module, root);
    Result<RegionSet> regions = RegionSet::build(MarkedModule(module, reader), std::vector<ExprId>{root}, order);
    if (!regions) qFatal("%s", regions.error().message.c_str());
    run_merger(*regions, reader, order);
    std::vector<int32_t> classes;
    for (int32_t region = 0; region < regions->size(); ++region) classes.push_back(regions->find(region));
    return classes;
}

/// Returns the merged region of each region, with its decisions if `log` is given.
std::vector<int32_t> merger_classes(const Module& module, std::vector<MergeDecision>* log) {
    return classes_after(module, [&](RegionSet& regions, MarkReader& reader, std::span<const ExprId> order) {
        RegionMerger(module, regions, reader, log).run(order);
    });
}

std::vector<int32_t> restriction_set_classes(const Module& module) {
    return classes_after(module, [&](RegionSet& regions, MarkReader& reader, std::span<const ExprId> order) {
        RestrictionSets(module, regions, reader).run(order);
    });
}

int count(const DecisionLog& log, DecisionKind kind) {
    int found = 0;
    for (const Decision& decision : log.decisions()) found += decision.kind == kind;
    return found;
}

}  // namespace

class TestMergeRegions : public QObject {
    Q_OBJECT

private slots:
    void neighboursOfOneBackendMerge() {
        QCOMPARE(regions_of("def @main(%x: " + kT + ") { tanh(exp(sqrt(%x))) }", {{"a", {"tanh", "exp", "sqrt"}}}),
                 QStringList{"a_main_0: sqrt exp tanh"});
    }

    void otherBackendsDivideAChain() {
        QCOMPARE(regions_of("def @main(%x: " + kT + ") { abs(sqrt(tanh(exp(%x)))) }",
                            {{"a", {"tanh", "exp", "abs"}}, {"b", {"sqrt"}}}),
                 (QStringList{"a_main_0: exp tanh", "a_main_2: abs", "b_main_1: sqrt"}));
    }

    void mergeRefusesWhenAPathLeavesAndReenters() {
        // exp -> sqrt (b) -> add, and exp -> tanh -> add: add and exp belong to one backend, but sqrt lies between.
        std::string text = "def @main(%x: " + kT + ") { %0 = exp(%x); %1 = sqrt(%0); %2 = tanh(%0); add(%1, %2) }";
        std::vector<BackendOps> backends = {{"a", {"exp", "tanh", "add"}}, {"b", {"sqrt"}}};
        DecisionLog log;
        Module module = module_of(text);
        Module result = partitioned(merged(annotated(module, backends), &log), plain_names());
        QCOMPARE(sub_functions(result), (QStringList{"a_main_0: exp tanh", "a_main_2: add", "b_main_1: sqrt"}));
        QCOMPARE(count(log, DecisionKind::Merged), 1);
        QCOMPARE(count(log, DecisionKind::DifferentBackend), 2);
        QCOMPARE(count(log, DecisionKind::WouldCloseCycle), 1);
        for (const Decision& decision : log.decisions()) {
            if (decision.kind != DecisionKind::WouldCloseCycle) continue;
            QCOMPARE(ops_of(module, {decision.subject}), std::string("add"));
            QCOMPARE(ops_of(module, {decision.other}), std::string("tanh"));
            QCOMPARE(ops_of(module, decision.path), std::string("sqrt"));
        }
    }

    void aDiamondOfOneBackendIsOneRegion() {
        QCOMPARE(regions_of("def @main(%x: " + kT + ") { %0 = exp(%x); %1 = sqrt(%0); %2 = tanh(%0); add(%1, %2) }",
                            {{"a", {"exp", "tanh", "add", "sqrt"}}}),
                 QStringList{"a_main_0: exp sqrt tanh add"});
    }

    /// TVM merges p into d's region, which then depends on itself through an expression outside any region.
    void aCycleThroughATupleOutsideIsNotMade() {
        std::string text = "def @main(%x: " + kT + ", %y: " + kT + R"() {
            %0 = add(%x, %y);
            %1 = (%0, %0);
            %2 = concatenate(%1, axis=1);
            %3 = split(%2, indices_or_sections=2, axis=1);
            %4 = %3.0;
            %5 = divide(tanh(%y), %4);
            multiply(%5, %0)
        })";
        std::vector<BackendOps> backends = {{"a", {"add", "tanh", "divide", "multiply"}}};
        for (bool non_call_ops : {true, false}) {
            QStringList regions = regions_of(text, backends, non_call_ops);
            QCOMPARE(regions.size(), 2);
            QCOMPARE(regions.join(" ").count("add"), 1);
            QVERIFY(regions.filter("add").filter("divide").isEmpty());
        }
    }

    /// y refused z before s absorbed z, and r refused p before q absorbed p: {s,z} and {q,p} then need each other.
    void aCycleThroughFinishedConsumersIsNotMade() {
        std::string text = "def @main(%x: " + kT + ", %w: " + kT + R"() {
            %0 = nn.relu(%x);
            %1 = tanh(%0);
            %2 = nn.relu(%w);
            %3 = tanh(%2);
            %4 = add(%3, %0);
            %5 = add(%2, %1);
            (%1, %4, %5)
        })";
        for (bool non_call_ops : {true, false}) {
            DecisionLog log;
            QStringList regions = regions_of(text, {{"a", {"nn.relu", "add"}}, {"b", {"tanh"}}}, non_call_ops, &log);
            QCOMPARE(regions.join(" ").count("nn.relu"), 2);
            QCOMPARE(regions.filter("tanh").size(), 2);
            // One of the two absorbs its producer as in TVM; the other may not.
            QCOMPARE(regions.filter("nn.relu add").size(), 1);
            bool explained = false;
            int borders = 0;
            for (const Decision& decision : log.decisions()) {
                explained = explained || (decision.kind == DecisionKind::WouldCloseCycle && !decision.path.empty());
                borders += decision.kind == DecisionKind::DifferentBackend;
            }
            QVERIFY(explained);
            QCOMPARE(borders, non_call_ops ? 7 : 4);  // what was said of other regions stays said
        }
    }

    /// Between two regions of a cycle a ladder has a million ways.
    void aCycleIsMendedWithoutWalkingEachWay() {
        std::string text = "def @main(%x: " + kT + ", %w: " + kT + R"() {
            %0 = nn.relu(%x);
            %1 = tanh(%0);
            %2 = nn.relu(%w);
            %3 = tanh(%2);
            %4 = add(%3, %0);
            %10 = sqrt(%1);)";
        int last = 10;
        for (int step = 0; step < 40; ++step, last += 3) {
            const auto at = [&](int i) { return "%" + std::to_string(last + i); };
            text += at(1) + " = exp(" + at(0) + ");\n" + at(2) + " = log(" + at(0) + ");\n" + at(3) + " = maximum(" +
                    at(1) + ", " + at(2) + ");\n";
        }
        text += "%5 = add(%2, %" + std::to_string(last) + ");\n(%1, %4, %5)\n}";
        QStringList regions =
            regions_of(text, {{"a", {"nn.relu", "add"}}, {"b", {"tanh"}}, {"c", {"exp", "maximum"}}, {"d", {"log"}}});
        QCOMPARE(regions.filter("nn.relu add").size(), 1);
    }

    /// tanh, in no region, reads exp's value and passes its own to add's region without a begin mark.
    void aCycleThroughAValueThatEntersWithoutABeginIsNotMade() {
        Module marked = module_of("def @main(%x: " + kT + R"() {
            %0 = annotation.compiler_begin(%x, compiler="a");
            %1 = annotation.compiler_end(exp(%0), compiler="a");
            %2 = annotation.compiler_begin(%x, compiler="a");
            %3 = annotation.compiler_end(add(%2, tanh(%1)), compiler="a");
            %4 = annotation.compiler_begin(%1, compiler="a");
            %5 = annotation.compiler_begin(%3, compiler="a");
            annotation.compiler_end(multiply(%4, %5), compiler="a")
        })");
        Module made = partitioned(merged(marked), plain_names());
        QStringList regions = sub_functions(made);
        QCOMPARE(regions.size(), 2);
        QCOMPARE(regions.filter(" exp").size(), 1);
        QCOMPARE(regions.filter("add multiply").size(), 1);
        Module plain = module_of("def @main(%x: " + kT + ") { %0 = exp(%x); multiply(%0, add(%x, tanh(%0))) }");
        QCOMPARE(difference_of_outputs(plain, made), std::string());
    }

    /// With the outputs in another order TVM's result is valid, and ours is the same.
    void whereTvmsOrderIsValidItIsKept() {
        std::string text = "def @main(%x: " + kT + ", %w: " + kT + R"() {
            %0 = nn.relu(%x);
            %1 = tanh(%0);
            %2 = nn.relu(%w);
            %3 = tanh(%2);
            %4 = add(%3, %0);
            %5 = add(%2, %1);
            (%4, %5)
        })";
        QStringList regions = regions_of(text, {{"a", {"nn.relu", "add"}}, {"b", {"tanh"}}});
        QCOMPARE(regions.filter("nn.relu add").size(), 1);
    }

    /// TVM's own later test (apache/tvm 15211): add and erf lie before and after an if.
    void aCycleThroughAnIfIsNotMade() {
        std::string text = R"(def @main(%data: Tensor[(1, 32), float32]) {
            %0 = add(%data, %data);
            %1 = subtract(%0, %data);
            %2 = sum(%0);
            %3 = sum(%1);
            %4 = equal(%2, %3);
            %5 = if (%4) { sigmoid(%0) } else { sigmoid(%1) };
            %6 = erf(%5);
            add(%0, %6)
        })";
        for (bool non_call_ops : {true, false}) {
            QStringList regions = regions_of(text, {{"a", {"sigmoid", "erf", "add"}}}, non_call_ops);
            QVERIFY(regions.filter("add erf").isEmpty() && regions.filter("erf add").size() == 1);
        }
    }

    /// It would run where the branch is not taken, and may fail there, or never return.
    void aRegionDoesNotReachIntoABranch() {
        const auto regions = [](const std::string& branch) {
            return regions_of("def @main(%x: " + kT + ", %c: bool) -> " + kT + " { %0 = exp(%x); if (%c) { " + branch +
                                  " } else { %0 } }",
                              {{"a", {"exp", "sqrt"}}});
        };
        QVERIFY(regions("tanh(sqrt(%0))").filter("exp sqrt").isEmpty());
        QVERIFY(regions("@main(sqrt(%0), %c)").filter("exp sqrt").isEmpty());
        QCOMPARE(regions("tanh(sqrt(exp(%0)))").filter("exp sqrt").size(), 1);  // of one branch
    }

    /// What both branches use runs before them.
    void aRegionTakesWhatBothBranchesUse() {
        const QStringList regions = regions_of("def @main(%x: " + kT + ", %c: bool) -> " + kT +
                                                   " { %0 = exp(%x); %1 = sqrt(%0); if (%c) { tanh(%1) } else { %1 } }",
                                               {{"a", {"exp", "sqrt"}}});
        QCOMPARE(regions.filter("exp sqrt").size(), 1);
    }

    void theReasonWhyABranchIsApartIsKept() {
        DecisionLog log;
        regions_of(
            "def @main(%x: " + kT + ", %c: bool) -> " + kT + " { %0 = exp(%x); if (%c) { sqrt(%0) } else { %0 } }",
            {{"a", {"exp", "sqrt"}}}, true, &log);
        const auto& all = log.decisions();
        QVERIFY(std::any_of(all.begin(), all.end(), [](const Decision& decision) {
            return decision.kind == DecisionKind::WouldCloseCycle &&
                   decision.detail.text() == "the regions are in different functions or branches";
        }));
    }

    /// The value of a let can't wait for a var that is bound inside the let.
    void aRegionDoesNotReachIntoALaterLet() {
        std::string text = "def @main(%x: " + kT + ", %w: " + kT + R"() {
            %0 = exp(%x);
            let %u = sqrt(%0);
            let %v = sqrt(%w);
            %1 = add(%0, %v);
            add(%1, %u)
        })";
        QStringList regions = regions_of(text, {{"a", {"exp", "add"}}});
        QVERIFY(regions.filter("exp add").isEmpty());
    }

    void defaultRegionsMergeAsTvmMergesThem() {
        Module module = merged(annotated(module_of("def @main(%x: " + kT + ") { tanh(exp(%x)) }"), {{"a", {"sqrt"}}}));
        int marks = 0;
        for (ExprId id : post_order(module, module.find_function("main")))
            if (const OpRecord* op = called_op_record(module, id)) marks += op->name.rfind("annotation.", 0) == 0;
        QCOMPARE(marks, 2);
    }

    /// Graphs of 5 to 300 operators, with and without decisions, for which the search stores more.
    void randomRegionsMergeAsWithRestrictionSets() {
        int merges = 0, refusals = 0;
        for (uint64_t seed = 1; seed <= 1500; ++seed) {
            RandomModuleOptions options;
            options.operators = seed % 20 == 0 ? 300 : 5 + int(seed % 60);
            options.control_flow = seed % 5 == 0;
            RandomModule random(seed, options);
            Module input = random.make();
            AnnotateOptions annotate_options;
            annotate_options.include_non_call_ops = seed % 2;
            Result<Module> module = annotate_target(input, random_placement(input, random), annotate_options);
            if (!module) QFAIL(module.error().message.c_str());
            std::vector<MergeDecision> decisions;
            const std::vector<int32_t> expected = restriction_set_classes(*module);
            QVERIFY2(merger_classes(*module, &decisions) == expected && merger_classes(*module, nullptr) == expected,
                     qPrintable(QString("seed %1").arg(seed)));
            for (const MergeDecision& decision : decisions) {
                merges += decision.kind == DecisionKind::Merged;
                refusals += decision.kind == DecisionKind::WouldCloseCycle;
            }
        }
        QVERIFY2(merges > 1500 && refusals > 150,
                 qPrintable(QString("%1 merges, %2 refusals").arg(merges).arg(refusals)));
    }

    /// tanh, the first to refuse exp, stays recorded behind later ones when exp and its merged region were refused. The
    /// path through it is so long that a search from its end alone would find it late.
    void theFirstThatRefusedIsRemembered() {
        for (const char* join : {"add(%3, %0)", "add(%0, %3)"}) {
            const std::string text = "def @main(%x: " + kT + ", %y: " + kT + R"() {
                %0 = exp(%x);
                %1 = tanh(abs(tanh(abs(tanh(abs(tanh(%0)))))));
                %2 = sqrt(%0);
                %3 = exp(%y);
                %4 = tanh(%3);
                %5 = )" + join + R"(;
                (%1, %2, %4, add(%5, %1))
            })";
            const std::vector<BackendOps> backends{{"a", {"exp", "add"}}, {"b", {"tanh", "sqrt"}}, {"c", {"abs"}}};
            const Module module = annotated(module_of(text), backends, false);
            QCOMPARE(merger_classes(module, nullptr), restriction_set_classes(module));
        }
    }

    /// For regions that were merged and separated again, only the last decision counts.
    void eachPairOfRegionsIsDecidedOnce() {
        int cycles = 0;
        for (uint64_t seed = 1; seed <= 3000; ++seed) {
            RandomModule random(seed, {5 + int(seed % 60)});
            Module input = random.make();
            Result<Module> module = annotate_target(input, random_placement(input, random), {});
            if (!module) QFAIL(module.error().message.c_str());
            DecisionLog log;
            merged(*module, &log);
            std::set<std::pair<ExprId, ExprId>> decided;
            for (const Decision& decision : log.decisions()) {
                const std::string where = "seed " + std::to_string(seed);
                QVERIFY2(decided.emplace(decision.subject, decision.other).second, where.c_str());
                if (decision.kind != DecisionKind::WouldCloseCycle) continue;
                QVERIFY2(!decision.path.empty(), where.c_str());
                ++cycles;
            }
        }
        QVERIFY2(cycles > 300, qPrintable(QString::number(cycles)));
    }

    void withoutALogTheResultIsTheSame() {
        Module module = annotated(module_of("def @main(%x: " + kT + ") { %0 = exp(%x); add(%0, tanh(sqrt(%0))) }"),
                                  {{"a", {"exp", "add", "tanh"}}, {"b", {"sqrt"}}});
        DecisionLog log;
        QCOMPARE(text_of(merged(module)), text_of(merged(module, &log)));
        QVERIFY(!log.decisions().empty());
    }

    void orderedListKeepsItsOrderThroughManyMoves() {
        std::vector<uint32_t> order(200);
        for (uint32_t i = 0; i < 200; ++i) order[i] = i;
        OrderedList list(order);
        uint64_t random = 1;
        for (int step = 0; step < 20000; ++step) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            // Most moves go to one position, which uses up the gaps there.
            uint32_t element = uint32_t(random >> 33) % 200, after = step % 3 ? 7 : uint32_t(random >> 45) % 200;
            if (element == after) continue;
            list.move_behind(element, after);
            order.erase(std::find(order.begin(), order.end(), element));
            order.insert(std::find(order.begin(), order.end(), after) + 1, element);
        }
        for (size_t i = 1; i < order.size(); ++i) QVERIFY(list.before(order[i - 1], order[i]));
    }
};

PARTITA_TEST(TestMergeRegions)

}  // namespace test_merge_regions

#include "test_merge_regions.moc"
