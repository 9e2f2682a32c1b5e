// The cost of a division: known answers, terms that add up, the order of backends, files of costs and placements.
#include "tests/engine/pass_testing.h"

#include "engine/costs/flip_cost.h"
#include "engine/costs/measure_costs.h"
#include "engine/costs/over_sizes.h"
#include "engine/costs/pareto.h"
#include "engine/costs/place_by_cost.h"
#include "engine/costs/placement_file.h"
#include "engine/costs/reentry.h"
#include "engine/session/placing.h"
#include "tests/registry.h"

namespace test_cost_model {

using namespace partita;
using namespace partita::testing;

namespace {

const std::string kT = "Tensor[(250, 1000), float32]";  // 1 MB

BackendDescription backend(const std::string& name, const std::string& ops, const std::string& rest = {}) {
    Result<BackendDescription> made =
        parse_backend_description("{\"name\": \"" + name + "\", \"ops\": {" + ops + "}" + rest + "}", "test.json");
    if (!made) qFatal("%s", made.error().to_string().c_str());
    return std::move(*made);
}

PlacementTask task_of(const std::string& text, std::vector<BackendDescription> backends) {
    FlowOptions flow;
    flow.backends = std::move(backends);
    Result<PlacementTask> task = placement_task(std::make_shared<const Module>(module_of(text)), flow);
    if (!task) qFatal("%s", task.error().to_string().c_str());
    return std::move(*task);
}

/// Times by operator's name and backend; crossings of `crossing` ms for an MB.
CostTable table_of(const PlacementTask& task, const std::map<std::pair<std::string, std::string>, double>& times,
                   double crossing) {
    CostTable table;
    for (const CostModel::Operator& op : task.model.operators())
        for (const auto& [key, ms] : times)
            if (op.key.starts_with(key.first + "(")) table.units[{op.key, "", key.second}] = {ms, 1};
    for (uint16_t from = 0; from < task.model.labels(); ++from)
        for (uint16_t to = 0; to < task.model.labels(); ++to)
            table.crossings[{task.model.name(from), task.model.name(to)}] = {0, from == to ? 0 : crossing};
    return table;
}

BestDivision best_of(const PlacementTask& task, const CostTable& table) {
    Result<BestDivision> best = best_division(task, table, {}, 10, {});
    if (!best) qFatal("%s", best.error().message.c_str());
    return std::move(*best);
}

/// Returns the labels' backends: "a default a".
std::string shown(const PlacementTask& task, const Labels& labels) {
    std::string text;
    for (uint16_t label : labels) text += (text.empty() ? "" : " ") + task.model.name(label);
    return text;
}

const std::string kChain = "def @main(%x: " + kT + ") { abs(sqrt(exp(%x))) }";
const std::string kAll = "\"exp\": true, \"sqrt\": true, \"abs\": true, \"add\": true";

}  // namespace

class TestCostModel : public QObject {
    Q_OBJECT

private slots:
    /// sqrt is quicker on default, but the values would have to cross twice.
    void aCrossingDecides() {
        const PlacementTask task = task_of(kChain, {backend("a", kAll)});
        const std::map<std::pair<std::string, std::string>, double> times = {
            {{"exp", "a"}, 1},       {{"sqrt", "a"}, 3},       {{"abs", "a"}, 1},
            {{"exp", "default"}, 9}, {{"sqrt", "default"}, 2}, {{"abs", "default"}, 9}};
        const BestDivision dear = best_of(task, table_of(task, times, 0.75));
        QCOMPARE(shown(task, dear.best.labels), std::string("a a a"));
        QCOMPARE(dear.best.price, 1 + 3 + 1 + 2 * 0.75);  // in and out
        const BestDivision cheap = best_of(task, table_of(task, times, 0.25));
        QCOMPARE(shown(task, cheap.best.labels), std::string("a default a"));
        QCOMPARE(cheap.best.price, 1 + 2 + 1 + 4 * 0.25);
    }

    /// A value that goes to several users on one backend crosses once.
    void severalUsersShareACrossing() {
        const PlacementTask task =
            task_of("def @main(%x: " + kT + ") { %0 = exp(%x); (sqrt(%0), sqrt(%0), sqrt(%0), sqrt(%0), sqrt(%0)) }",
                    {backend("a", "\"sqrt\": true")});
        const CostTable table =
            table_of(task, {{{"exp", "default"}, 1}, {{"sqrt", "a"}, 1}, {{"sqrt", "default"}, 1.5}}, 0.25);
        // Five results come back: one crossing each, and one for the operand.
        QCOMPARE(best_of(task, table).best.price, 1 + 5 * 1 + 6 * 0.25);
    }

    /// C is compiled and timed for a region as a whole: what follows another operator gets what that leaves of it.
    void aRegionsTimeIsSharedAmongItsOperators() {
        const PlacementTask task =
            task_of("def @main(%x: " + kT + ") { multiply(add(%x, %x), %x) }", {*load_backend("ccompiler")});
        RunOptions run;
        run.warmup = 0;
        run.repeat = 1;
        CostTable table;
        CostMeasurer measurer(task, run, table);
        for (const Labels& labels : {Labels{1, 0}, Labels{0, 1}, Labels{1, 1}}) QVERIFY(measurer.run(labels));
        const std::string first = task.model.operators()[0].key, second = task.model.operators()[1].key;
        for (const std::string& after : {std::string(), first})
            QVERIFY2(table.find({second, after, "ccompiler"}), after.c_str());
    }

    /// Two curves: one for each that a backend may have little of.
    void placementsForFewerRegionsAndFewerWeights() {
        const std::string matrix = "Tensor[(1000, 1000), float32]";
        const PlacementTask task =
            task_of("def @main(%x: " + kT + ", %w_weight: " + matrix +
                        ") { exp(nn.dense(exp(nn.dense(%x, %w_weight, units=1000)), %w_weight, units=1000)) }",
                    {backend("a", "\"nn.dense\": true")});
        QTemporaryDir folder;
        PlacingRequest request;
        request.module = task.module;
        request.flow = task.flow;
        request.place.measure_seconds = 0;
        request.cost_file = folder.filePath("costs.json").toStdString();
        request.curves = true;
        QVERIFY(save_costs(
            request.cost_file,
            table_of(task, {{{"nn.dense", "a"}, 1}, {{"nn.dense", "default"}, 9}, {{"exp", "default"}, 1}}, 0.25)));
        const Result<PlacedModule> placed = place_module(std::move(request));
        QVERIFY2(placed, placed ? "" : placed.error().to_string().c_str());
        for (const auto* curve : {&placed->by_regions, &placed->by_weights}) {
            QVERIFY(curve->size() >= 2);
            QCOMPARE(curve->front().regions, 2);
            QVERIFY(curve->front().weight_mb > 3.9 && curve->front().predicted_ms < curve->back().predicted_ms);
        }
        QCOMPARE(placed->by_regions.back().regions, 0);
        QCOMPARE(placed->by_weights.back().weight_mb, 0.0);
    }

    /// An operator alone between others on default, so that its time is that of its region.
    void operatorsAreMeasuredAlone() {
        const PlacementTask task = task_of("def @main(%x: " + kT + ") { abs(sqrt(exp(abs(%x)))) }",
                                           {backend("a", "\"exp\": true, \"sqrt\": true")});
        CostTable table;
        QCOMPARE(CostMeasurer(task, {}, table).islands(1), (std::vector<Labels>{{0, 1, 0, 0}, {0, 0, 1, 0}}));
    }

    void whatIsMeasuredAgainIsNotWhatTheTableKnew() {
        const PlacementTask task = task_of(kChain, {*load_backend("ccompiler")});
        const double wrong = 1e6;
        CostTable table = table_of(task, {{{"exp", "default"}, wrong}, {{"sqrt", "default"}, wrong}}, 1);
        PlaceOptions options;
        options.measure_seconds = 0.1;
        options.measure_again = true;
        options.run.warmup = 0;
        options.run.repeat = 1;
        QVERIFY(place_by_cost(task, table, options));
        for (const auto& [key, time] : table.units) QVERIFY2(time.ms < wrong, key.op.c_str());
        QVERIFY(table.find({task.model.operators()[0].key, "", "default"}));
    }

    void crossingsAreFittedToWholeRuns_data() {
        QTest::addColumn<double>("op_ms");
        QTest::addColumn<double>("times_expected");
        QTest::addColumn<int>("runs");
        QTest::newRow("as expected") << 0.01 << 1.0 << 400;
        QTest::newRow("few runs, as between processes") << 0.2 << 40.0 << 30;
    }
    /// Runs whose times are sums of known costs are priced as they were.
    void crossingsAreFittedToWholeRuns() {
        QFETCH(double, op_ms);
        QFETCH(double, times_expected);
        QFETCH(int, runs);
        const std::string small = "Tensor[(25, 1000), float32]";  // 0.1 MB
        const PlacementTask task =
            task_of("def @main(%x: " + kT + ", %y: " + small +
                        ") { (abs(sqrt(exp(abs(sqrt(exp(%x)))))), abs(sqrt(exp(abs(exp(%y)))))) }",
                    {backend("a", kAll), backend("b", kAll)});
        std::map<std::pair<std::string, std::string>, double> times;
        for (const char* op : {"exp", "sqrt", "abs"})
            for (const auto& [name, ms] : {std::pair("default", 1.5 * op_ms), {"a", 1.25 * op_ms}, {"b", 0.5 * op_ms}})
                times[{op, name}] = ms;
        CostTable known = table_of(task, times, 0);
        double further = 0.75;
        for (uint16_t from = 0; from < 3; ++from)
            for (uint16_t to = 0; to < 3; ++to) {
                if (from == 0 && to == 0) continue;
                const CrossingCost expected = CostModel::unmeasured_crossing(from, to);
                further += 0.25;
                known.crossings[{task.model.name(from), task.model.name(to)}] = {
                    times_expected * expected.ms, further * times_expected * expected.ms_per_mb};
            }
        CostTable fitted = known;
        for (auto& [pair, crossing] : fitted.crossings) crossing = {};
        const CostMeasurer measurer(task, {}, fitted);
        std::vector<MeasuredDivision> measured;
        for (int seed = 0; seed < runs; ++seed) {
            MeasuredDivision& run = measured.emplace_back();
            run.division.labels = measurer.mixture(uint64_t(seed));
            run.division.regions.assign(run.division.labels.size(), -1);
            // Every other operator begins a region, so that regions of one backend meet.
            for (size_t i = 0; i < run.division.labels.size(); ++i)
                if (run.division.labels[i] != 0) run.division.regions[i] = int32_t(i / 2);
            run.ms = task.model.price(known, run.division);
        }
        fit_crossings(task.model, measured, fitted);
        QCOMPARE(fitted.crossings.size(), known.crossings.size());
        // Not the crossings one by one: what goes to a backend comes back, so that only sums are determined.
        for (const MeasuredDivision& run : measured) {
            const double price = task.model.price(fitted, run.division);
            QVERIFY2(std::abs(price - run.ms) < 0.06 * run.ms,
                     (shown(task, run.division.labels) + ": " + std::to_string(price) + " instead of " +
                      std::to_string(run.ms))
                         .c_str());
        }
    }

    void aMatchIsTakenAsAWholeOrNotAtAll() {
        const std::string text = "def @main(%x: " + kT + ") { abs(tanh(exp(%x))) }";
        const std::string pattern = ", \"patterns\": [{\"name\": \"a.pair\", \"pattern\": \"tanh(exp(*))\"}]";
        const PlacementTask task = task_of(text, {backend("a", "\"exp\": true", pattern)});
        std::map<std::pair<std::string, std::string>, double> times = {
            {{"exp", "a"}, 5}, {{"tanh", "a"}, 1}, {{"exp", "default"}, 1}, {{"tanh", "default"}, 3}};
        times[{"abs", "default"}] = 1;
        QCOMPARE(shown(task, best_of(task, table_of(task, times, 0)).best.labels),
                 std::string("default default default"));
        times[{"exp", "a"}] = 2;
        const BestDivision both = best_of(task, table_of(task, times, 0));
        QCOMPARE(shown(task, both.best.labels), std::string("a a default"));
        QCOMPARE(divide(task, both.best.labels)->regions.size(), size_t(1));
        // Of a mixture a match remains if all of it is there.
        Labels whole{1, 1, 0}, half{0, 1, 0};
        task.model.make_allowed(whole);
        task.model.make_allowed(half);
        QCOMPARE(shown(task, whole), std::string("a a default"));
        QCOMPARE(shown(task, half), std::string("default default default"));
        // Alone, exp may go without its match.
        times[{"exp", "a"}] = 0.5;
        times[{"tanh", "default"}] = 0.5;
        QCOMPARE(shown(task, best_of(task, table_of(task, times, 0)).best.labels), std::string("a default default"));
    }

    /// The diamond: what a refused merge costs is known after the flow alone; the answer is still proved.
    void refusedMergesArePriced() {
        const PlacementTask task =
            task_of("def @main(%x: " + kT + ") { %0 = exp(%x); add(%0, tanh(%0)) }", {backend("a", kAll)});
        CostTable table = table_of(task,
                                   {{{"exp", "a"}, 1},
                                    {{"exp", "default"}, 1.5},
                                    {{"add", "a"}, 1},
                                    {{"add", "default"}, 1.5},
                                    {{"tanh", "default"}, 1}},
                                   0);
        table.crossings[{"a", "a"}] = {10, 0};
        const BestDivision best = best_of(task, table);
        QVERIFY(best.proved);
        QCOMPARE(best.best.price, 3.5);  // one of the two on a, or the region boundary costs 10
    }

    void weightsCostNothing() {
        const PlacementTask task = task_of("def @main(%x: " + kT +
                                               ", %w_weight: Tensor[(8, 1000), float32]) { "
                                               "nn.dense(%x, multiply(%w_weight, %w_weight), units=8) }",
                                           {backend("a", "\"nn.dense\": true")});
        QCOMPARE(task.model.operators().size(), size_t(1));
        QCOMPARE(task.model.values().size(), size_t(2));
        // Both go to the backend, although the rules refuse multiply: it is computed once.
        QCOMPARE(task.model.overrides_of({1}).size(), size_t(2));
    }

    /// Its results may have users on several.
    void whatIsComputedOnceGoesAlongWithItsFirstUser() {
        const PlacementTask task = task_of("def @main(%x: " + kT +
                                               ", %w_weight: Tensor[(8, 1000), float32]) {\n"
                                               "  %0 = split(%w_weight, indices_or_sections=2);\n"
                                               "  (nn.dense(%x, %0.0, units=4), nn.dense(%x, %0.1, units=4))\n}\n",
                                           {backend("a", "\"nn.dense\": true")});
        QCOMPARE(task.model.operators().size(), size_t(2));
        for (const auto& [labels, name] : {std::pair(Labels{1, 0}, "a"), std::pair(Labels{0, 1}, "default")}) {
            const Overrides overrides = task.model.overrides_of(labels);
            const auto split = std::find_if(overrides.begin(), overrides.end(), [&](const auto& each) {
                return op_registry()[task.module->called_op(each.first)].name == "split";
            });
            QVERIFY(split != overrides.end());
            QCOMPARE(split->second, std::string(name));
        }
    }

    void theOrderOfBackendsChangesNothing() {
        const auto price = [](std::vector<BackendDescription> backends) {
            const PlacementTask task = task_of(kChain, std::move(backends));
            const CostTable table = table_of(task,
                                             {{{"exp", "a"}, 1},
                                              {{"exp", "b"}, 2},
                                              {{"sqrt", "a"}, 2},
                                              {{"sqrt", "b"}, 1},
                                              {{"abs", "a"}, 1},
                                              {{"abs", "b"}, 1}},
                                             0.25);
            const BestDivision best = best_of(task, table);
            return std::pair(best.best.price, shown(task, best.best.labels));
        };
        const auto forwards = price({backend("a", kAll), backend("b", kAll)});
        const auto backwards = price({backend("b", kAll), backend("a", kAll)});
        QCOMPARE(forwards.first, backwards.first);
        QCOMPARE(forwards.second, backwards.second);
    }

    void termsAddUp() {
        const PlacementTask task =
            task_of("def @main(%x: " + kT + ") { %0 = exp(%x); %1 = sqrt(%0); add(abs(%1), add(%0, %1)) }",
                    {backend("a", kAll), backend("b", kAll)});
        CostTable table = table_of(task,
                                   {{{"exp", "a"}, 1},
                                    {{"sqrt", "a"}, 2},
                                    {{"abs", "b"}, 0.125},
                                    {{"add", "a"}, 3},
                                    {{"exp", "default"}, 2},
                                    {{"sqrt", "default"}, 2}},
                                   0.375);
        const CostModel::Operator& root = task.model.operators()[1];
        table.units[{root.key, task.model.operators()[0].key, "a"}] = {0.5, 1};
        const Labels labels = best_of(task, table).best.labels;
        const CostedDivision now = price_division(task, table, labels)->division;
        for (uint32_t op = 0; op < labels.size(); ++op)
            for (uint16_t to = 0; to < task.model.labels(); ++to) {
                Labels moved = labels;
                moved[op] = to;
                const Result<FlipCost> flip = flip_cost(task, table, now, {}, op, to);
                QVERIFY(flip);
                const double difference =
                    price_division(task, table, moved)->price - price_division(task, table, labels)->price;
                QVERIFY(std::abs(flip->ms - difference) < 1e-9);
            }
    }

    /// The regret of a backend is what solving again with the operator held there costs more.
    void regretIsSolvingAgain() {
        const std::string text =
            "def @main(%x: " + kT + ") { %0 = exp(%x); %1 = sqrt(%0); %2 = abs(%1); add(%2, add(%0, exp(%2))) }";
        const std::vector<BackendDescription> backends = {backend("a", kAll), backend("b", "\"sqrt\": true")};
        const PlacementTask task = task_of(text, backends);
        const CostTable table = table_of(task,
                                         {{{"exp", "a"}, 1},
                                          {{"sqrt", "b"}, 0.5},
                                          {{"sqrt", "a"}, 2},
                                          {{"abs", "a"}, 0.25},
                                          {{"add", "a"}, 3},
                                          {{"add", "default"}, 3.5},
                                          {{"exp", "default"}, 2}},
                                         0.375);
        const BestDivision best = best_of(task, table);
        QVERIFY(best.proved);
        const std::vector<std::vector<double>> least = least_costs(task, table, best.reentries, {});
        for (uint32_t op = 0; op < task.model.operators().size(); ++op)
            for (uint16_t to = 0; to < task.model.labels(); ++to) {
                if (!task.model.operators()[op].accepted[to]) {
                    QVERIFY(least[op][to] == CostProblem::kForbidden);
                    continue;
                }
                FlowOptions held;
                held.backends = backends;
                held.overrides[task.model.operators()[op].expr] = task.model.name(to);
                const Result<PlacementTask> again = placement_task(task.module, held);
                QVERIFY(again);
                QVERIFY(std::abs(least[op][to] - best_of(*again, table).best.price) < 1e-9);
                const Labels with = best_labels_with(task, table, best.reentries, op, to, {});
                QCOMPARE(with[op], to);
                QVERIFY(std::abs(price_division(task, table, with)->price - least[op][to]) < 1e-9);
            }
    }

    /// What is quick on `a` depends on the size; over both sizes the loss of the large one weighs more.
    void onePlacementForSeveralSizes() {
        const auto sized = [](int rows) {
            return task_of("def @main(%x: Tensor[(" + std::to_string(rows) + ", 1000), float32]) { abs(exp(%x)) }",
                           {backend("a", "\"exp\": true")});
        };
        const PlacementTask small = sized(1), large = sized(1000);
        const CostTable small_costs =
            table_of(small, {{{"exp", "a"}, 1}, {{"exp", "default"}, 2}, {{"abs", "default"}, 0}}, 0);
        const CostTable large_costs =
            table_of(large, {{{"exp", "a"}, 9}, {{"exp", "default"}, 3}, {{"abs", "default"}, 0}}, 0);
        const auto placed = [](const PlacementTask& task, const CostTable& table) {
            const BestDivision best = best_of(task, table);
            return SizedPlacement{&task, &table, best.best.labels, best.best.price};
        };
        const std::vector<SizedPlacement> sizes = {placed(small, small_costs), placed(large, large_costs)};
        QCOMPARE(shown(small, sizes[0].labels), std::string("a default"));
        QCOMPARE(shown(large, sizes[1].labels), std::string("default default"));
        const Result<OverSizes> all = place_over_sizes(sizes, {});
        QVERIFY(all);
        QCOMPARE(all->size_decides, std::vector<uint32_t>{0});
        QCOMPARE(shown(small, all->labels), std::string("default default"));
        QCOMPARE(all->predicted_ms, (std::vector<double>{2, 3}));
        const PlacementTask other = task_of(kChain, {backend("a", kAll)});
        const CostTable other_costs = table_of(other, {}, 0);
        QVERIFY(!place_over_sizes(std::vector<SizedPlacement>{sizes[0], placed(other, other_costs)}, {}));
    }

    /// The same operators, one of which takes other values.
    void sizesThatAreJoinedOtherwiseHaveNoPlacementInCommon() {
        const auto joined = [](const std::string& operands) {
            return task_of("def @main(%x: " + kT + ") { %0 = exp(%x); %1 = exp(%0); add" + operands + " }",
                           {backend("a", "\"exp\": true")});
        };
        const PlacementTask both = joined("(%0, %1)"), one = joined("(%1, %1)");
        const CostTable costs =
            table_of(both, {{{"exp", "a"}, 1}, {{"exp", "default"}, 2}, {{"add", "default"}, 1}}, 0);
        const auto placed = [&](const PlacementTask& task) {
            const BestDivision best = best_of(task, costs);
            return SizedPlacement{&task, &costs, best.best.labels, best.best.price};
        };
        QVERIFY(place_over_sizes(std::vector<SizedPlacement>{placed(both), placed(both)}, {}));
        QVERIFY(!place_over_sizes(std::vector<SizedPlacement>{placed(both), placed(one)}, {}));
    }

    /// The way round leads over an operator of another backend, which two others of the first follow.
    void aValueThatCrossesWaitsForWhatLiesBetween() {
        const PlacementTask task =
            task_of("def @main(%x: " + kT + ") { %0 = exp(%x); add(%0, abs(abs(sqrt(%0)))) }", {backend("a", kAll)});
        const std::vector<Reentry> found = find_reentries(task.model, {{1, 0, 1, 1, 1}, {0, -1, 1, 1, 1}});
        QCOMPARE(found.size(), size_t(1));
        QCOMPARE(task.model.values()[found[0].value].producer, 0);
        QCOMPARE(found[0].user, 4u);
        QCOMPARE(found[0].between, 1u);
    }

    void fewerRegionsAreAChoice() {
        const PlacementTask task =
            task_of("def @main(%x: " + kT + ") { exp(tanh(exp(tanh(exp(%x))))) }", {backend("a", "\"exp\": true")});
        const CostTable table =
            table_of(task, {{{"exp", "a"}, 1}, {{"exp", "default"}, 2}, {{"tanh", "default"}, 1}}, 0.25);
        const Result<std::vector<ParetoPoint>> curve = pareto_curve(task, table, ParetoGoal::Regions);
        QVERIFY(curve && curve->size() >= 2);
        for (size_t i = 1; i < curve->size(); ++i) {
            QVERIFY((*curve)[i].regions < (*curve)[i - 1].regions);
            QVERIFY((*curve)[i].predicted_ms >= (*curve)[i - 1].predicted_ms);
        }
        QCOMPARE(curve->back().regions, 0);
    }

    void whatCantBePlacedIsRefused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reason");
        QTest::newRow("control flow") << QString::fromStdString("def @main(%x: " + kT +
                                                                ", %c: bool) { if (%c) { exp(%x) } else { %x } }")
                                      << QString("control flow");
        QTest::newRow("no main") << QString::fromStdString("def @f(%x: " + kT + ") { exp(%x) }")
                                 << QString("no function @main");
    }
    void whatCantBePlacedIsRefused() {
        QFETCH(QString, text);
        QFETCH(QString, reason);
        FlowOptions flow;
        flow.backends = {backend("a", kAll)};
        const Result<PlacementTask> task =
            placement_task(std::make_shared<const Module>(module_of(text.toStdString())), flow);
        QVERIFY(!task);
        QVERIFY2(QString::fromStdString(task.error().message).contains(reason), task.error().message.c_str());
    }

    void tablesOfCostsAreRead() {
        CostTable table;
        table.processor = "made up";
        table.threads = 2;
        table.add({"exp(Tensor[(2), float32])", "", "a"}, 1);
        table.add({"exp(Tensor[(2), float32])", "", "a"}, 3);
        table.add({"exp(Tensor[(2), float32])", "sqrt(Tensor[(2), float32])", "default"}, 0.25);
        table.crossings[{"a", "default"}] = {0.5, 2};
        table.add({"exp(Tensor[(2), float32])", "", "a", "B>B"}, 5);
        table.layouts[{"exp(Tensor[(2), float32])", "a", {"", "B"}}] = {{"B", "B"}, {"B"}};
        table.add_change({"Tensor[(2), float32]", "", "B"}, 0.5);
        table.runs["0123456789abcdef"] = {1.5, 1.25};
        const Result<CostTable> read = parse_cost_table(format_cost_table(table), "costs.json");
        QVERIFY2(read, read ? "" : read.error().to_string().c_str());
        QCOMPARE(read->units.size(), size_t(3));
        QCOMPARE(read->layouts.size(), size_t(1));
        QCOMPARE(read->change_ms({"Tensor[(2), float32]", "", "B"}, 1), 0.5);
        QCOMPARE(read->find({"exp(Tensor[(2), float32])", "", "a"})->ms, 2.0);
        QCOMPARE(read->runs, table.runs);
        QCOMPARE(format_cost_table(*read), format_cost_table(table));
    }

    void hostileTablesAreRefusedWithTheirPlace_data() {
        QTest::addColumn<QByteArray>("units");
        QTest::addColumn<QString>("place");
        const QByteArray unit = "{\"operator\": \"exp\", \"backend\": \"a\", \"ms\": %, \"samples\": 1}";
        const auto with = [&](const char* ms) { return QByteArray(unit).replace("%", ms); };
        QTest::newRow("negative") << with("-1") << "costs.json:2:53: error: ms must be a number from 0 up";
        QTest::newRow("huge") << with("1e308") << "costs.json:2:53: error: ms must be at most 86400000";
        QTest::newRow("too large for a double") << with("1e999") << "costs.json:2:";
        QTest::newRow("not a number") << with("NaN") << "costs.json:2:53: error: ";
        QTest::newRow("a text") << with("\"1\"") << "costs.json:2:53: error: \"ms\" can't be a string";
        QTest::newRow("missing") << QByteArray("{\"operator\": \"exp\", \"ms\": 1}")
                                 << "costs.json:2:11: error: a table of costs needs \"backend\" here";
        QTest::newRow("twice") << with("1") + ",\n" + with("2") << "costs.json:3:1: error: the table has a time";
        const QByteArray layouts =
            "], \"layouts\": [{\"operator\": \"exp\", \"backend\": \"a\", \"given\": [%], "
            "\"taken\": [\"\"], \"made\": [\"\"]}";
        QTest::newRow("a layout that is none") << QByteArray(layouts).replace("%", "1") << "must be a list of texts";
        QTest::newRow("layouts of two") << QByteArray(layouts).replace("%", "\"\", \"\"") << "for each that is given";
        QTest::newRow("a negative change")
            << QByteArray("], \"layout_changes\": [{\"type\": \"T\", \"ms\": -1, \"samples\": 1}")
            << "ms must be a number from 0 up";
        QTest::newRow("a million and one") << QByteArray("0,").repeated(1000000) + "0"
                                           << "at most a million entries";
    }
    void hostileTablesAreRefusedWithTheirPlace() {
        QFETCH(QByteArray, units);
        QFETCH(QString, place);
        const QByteArray text =
            "{\"partita_costs\": 1, \"processor\": \"\", \"threads\": 1, \"crossings\": [],\n\"units\": [" + units +
            "]}";
        const Result<CostTable> read = parse_cost_table(text.toStdString(), "costs.json");
        QVERIFY(!read);
        const std::string message = read.error().to_string();
        QVERIFY2(QString::fromStdString(message).contains(place), message.c_str());
    }

    void aPlacementFindsItsOperatorsAgain() {
        const Module before = module_of(kChain);
        const PlacementTask task = task_of(kChain, {backend("a", kAll)});
        PlacementFile file;
        file.title = "chain.relay";
        file.backends = {"a"};
        file.operators = placed_operators(*task.module, task.model.overrides_of({1, 0, 1}));
        const Result<PlacementFile> read = parse_placement(format_placement(file), "p.json");
        QVERIFY2(read, read ? "" : read.error().to_string().c_str());
        QCOMPARE(format_placement(*read), format_placement(file));
        for (bool PlacementFile::*flag : {&PlacementFile::lower, &PlacementFile::simplify, &PlacementFile::fold}) {
            PlacementFile other = file;
            other.*flag = true;
            QVERIFY((*parse_placement(format_placement(other), "p.json")).*flag);
            QVERIFY(!((*read).*flag));
        }

        const FittedPlacement same = fit_placement(*read, *task.module);
        QVERIFY(same.missing.empty());
        QCOMPARE(same.moved, 0);
        QCOMPARE(shown(task, task.model.labels_of(same.overrides)), std::string("a default a"));

        // The same operators of another size.
        const PlacementTask smaller =
            task_of("def @main(%x: Tensor[(2, 2), float32]) { abs(sqrt(exp(%x))) }", {backend("a", kAll)});
        const FittedPlacement resized = fit_placement(*read, *smaller.module);
        QVERIFY(resized.missing.empty());
        QCOMPARE(resized.resized, 3);
        QCOMPARE(resized.moved, 0);
        QCOMPARE(shown(smaller, smaller.model.labels_of(resized.overrides)), std::string("a default a"));

        // One operator more at the beginning: the others are found under other numbers.
        const PlacementTask longer =
            task_of("def @main(%x: " + kT + ") { abs(sqrt(exp(tanh(%x)))) }", {backend("a", kAll)});
        const FittedPlacement moved = fit_placement(*read, *longer.module);
        QCOMPARE(moved.moved, 3);
        QCOMPARE(moved.missing.size(), size_t(1));
        QCOMPARE(shown(longer, longer.model.labels_of(moved.overrides)), std::string("default a default a"));

        // Of two that are equal each takes its own.
        const auto twice = [](const char* begin, const char* end) {
            return task_of("def @main(%x: " + kT + ") { exp(exp(" + begin + "%x" + end + ")) }", {backend("a", kAll)});
        };
        const PlacementTask two = twice("", ""), behind = twice("tanh(tanh(", "))");
        file.operators = placed_operators(*two.module, two.model.overrides_of({1, 1}));
        const FittedPlacement equal = fit_placement(file, *behind.module);
        QCOMPARE(equal.moved, 2);
        QCOMPARE(equal.missing.size(), size_t(2));
        QCOMPARE(shown(behind, behind.model.labels_of(equal.overrides)), std::string("default default a a"));
    }
};

PARTITA_TEST(TestCostModel)

}  // namespace test_cost_model

#include "test_cost_model.moc"
