// Layouts in the model of costs: known answers by a table made by hand, the bound against all divisions, and changes
// that are predicted against those of runs, value by value, of random placements of real models.
#include <QFileInfo>

#include "tests/engine/pass_testing.h"
#include "tests/engine/reference_data.h"

#include "engine/costs/best_division.h"
#include "engine/costs/layout_costs.h"
#include "engine/costs/measure_costs.h"
#include "engine/session/session.h"
#include "tests/registry.h"

namespace test_layout_costs {

using namespace partita;
using namespace partita::testing;

namespace {

const std::string kT = "Tensor[(1, 16, 10, 10), float32]";

BackendDescription accepting(const std::string& name, const std::string& ops) {
    Result<BackendDescription> made =
        parse_backend_description("{\"name\": \"" + name + "\", \"ops\": {" + ops + "}}", "test.json");
    if (!made) qFatal("%s", made.error().to_string().c_str());
    return std::move(*made);
}

PlacementTask task_of(ModulePtr module, std::vector<BackendDescription> backends) {
    FlowOptions flow;
    flow.backends = std::move(backends);
    Result<PlacementTask> task = placement_task(std::move(module), flow);
    if (!task) qFatal("%s", task.error().to_string().c_str());
    return std::move(*task);
}

PlacementTask task_of(const std::string& text, std::vector<BackendDescription> backends) {
    return task_of(std::make_shared<const Module>(module_of(text)), std::move(backends));
}

/// Times in a table by operator's name, backend and layouts. Values that cross cost nothing.
class TableMaker {
public:
    explicit TableMaker(const PlacementTask& task) : task_(task) {
        for (uint16_t from = 0; from < task.model.labels(); ++from)
            for (uint16_t to = 0; to < task.model.labels(); ++to)
                table_.crossings[{task.model.name(from), task.model.name(to)}] = {};
    }
    /// Layouts are given, taken and made for every operand and result.
    TableMaker& add(const std::string& name, const std::string& backend, const std::string& given,
                    const std::string& taken, const std::string& made, double ms) {
        for (const CostModel::Operator& op : task_.model.operators()) {
            if (!op.key.starts_with(name + "(")) continue;
            const auto all = [&](const std::string& layout, size_t count) {
                return std::vector<std::string>(count, layout);
            };
            const LayoutRule rule{all(taken, op.inputs.size()), all(made, op.outputs.size())};
            table_.layouts[{op.key, backend, all(given, op.inputs.size())}] = rule;
            table_.units[{op.key, "", backend, layouts_text(rule.taken, rule.made)}] = {ms, 1};
        }
        return *this;
    }
    TableMaker& change(const std::string& from, const std::string& to, double ms) {
        table_.changes[{kT, from, to}] = {ms, 1};
        return *this;
    }
    CostTable& table() { return table_; }

private:
    const PlacementTask& task_;
    CostTable table_;
};

/// exp, sqrt and tanh, which a takes in blocks; default follows with sqrt, and takes abs as rows.
CostTable blocks_table(const PlacementTask& task) {
    TableMaker maker(task);
    for (const char* op : {"exp", "tanh"}) {
        maker.add(op, "a", "", "B", "B", 1).add(op, "a", "B", "B", "B", 1);
        maker.add(op, "default", "", "", "", 5).add(op, "default", "B", "", "", 5);
    }
    maker.add("sqrt", "a", "", "B", "B", 2).add("sqrt", "a", "B", "B", "B", 2);
    maker.add("sqrt", "default", "", "", "", 1).add("sqrt", "default", "B", "B", "B", 1);
    maker.add("abs", "default", "", "", "", 1).add("abs", "default", "B", "", "", 1);
    return maker.change("", "B", 0.25).change("B", "", 0.5).table();
}

const std::string kOps = "\"exp\": true, \"sqrt\": true, \"tanh\": true";

PricedDivision priced(const PlacementTask& task, const CostTable& table, const Labels& labels) {
    Result<PricedDivision> made = price_division(task, table, labels);
    if (!made) qFatal("%s", made.error().message.c_str());
    return std::move(*made);
}

BestDivision best_of(const PlacementTask& task, const CostTable& table) {
    Result<BestDivision> best = best_division(task, table, {}, 10, {});
    if (!best) qFatal("%s", best.error().message.c_str());
    return std::move(*best);
}

RunOptions one_run() {
    RunOptions options;
    options.warmup = 0;
    options.repeat = 1;
    return options;
}

/// Runs what placing runs to learn of layouts.
void learn(CostMeasurer& measurer, const PlacementTask& task) {
    const auto run = [&](const Labels& labels) {
        if (Result<MeasuredDivision> done = measurer.run(labels); !done) qFatal("%s", done.error().message.c_str());
    };
    run(Labels(task.model.operators().size(), 0));
    for (uint16_t backend = 1; backend < task.model.labels(); ++backend) {
        for (const Labels& labels : measurer.islands(backend)) run(labels);
        FlowOptions alone = task.flow;
        alone.backends = {task.flow.backends[backend - 1u]};
        run(*labels_by_rules(task, alone));
    }
    run(*labels_by_rules(task, task.flow));
    for (uint64_t seed = 1; seed <= 4; ++seed) run(measurer.mixture(seed));
}

/// "3.0 Tensor[(1, 16, 10, 10), float32] aBcd16b -> " for each change. Results of a region that another backend
/// compiles come from outside, as inputs do.
std::multiset<std::string> predicted_changes(const PlacementTask& task, const CostTable& table,
                                             const CostedDivision& division) {
    const LayoutCosts costs(task.model, table);
    std::multiset<std::string> lines;
    const DivisionLayouts layouts = costs.lay_out(division.labels);
    for (const DivisionLayouts::Change& change : layouts.changes) {
        const CostModel::Value& value = task.model.values()[change.value];
        std::string maker = "from outside";
        const uint16_t label = value.producer < 0 ? 0 : division.labels[size_t(value.producer)];
        const bool planned = label == 0 || task.flow.backends[label - 1u].codegen == "dnnl";
        if (value.producer >= 0 && planned) {
            const CostModel::Operator& op = task.model.operators()[size_t(value.producer)];
            const auto place = std::find(op.outputs.begin(), op.outputs.end(), int32_t(change.value));
            maker = std::to_string(op.expr.value) + "." + std::to_string(place - op.outputs.begin());
        }
        lines.insert(maker + " " + value.type + " " + costs.name(layouts.of_value[change.value]) + " -> " +
                     costs.name(change.to));
    }
    return lines;
}

std::multiset<std::string> changes_of_run(const RunReport& report) {
    std::multiset<std::string> lines;
    for (const PlanLayouts::Change& change : report.layouts.changes) {
        const std::string maker = change.maker.valid()
                                      ? std::to_string(change.maker.value) + "." + std::to_string(change.number)
                                      : "from outside";
        lines.insert(maker + " " + change.type + " " + change.from + " -> " + change.to);
    }
    return lines;
}

/// Returns what the problem's other variables make of these labels.
double least_with(CostProblem problem, const Labels& labels) {
    for (size_t op = 0; op < labels.size(); ++op)
        for (size_t label = 0; label < problem.single[op].size(); ++label)
            if (label != labels[op]) problem.single[op][label] = CostProblem::kForbidden;
    return solve(problem).cost;
}

std::string difference(const std::multiset<std::string>& a, const std::multiset<std::string>& b) {
    std::vector<std::string> rest;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
    std::string text = std::to_string(rest.size());
    for (size_t i = 0; i < std::min<size_t>(rest.size(), 4); ++i) text += "\n    " + rest[i];
    return text;
}

}  // namespace

class TestLayoutCosts : public QObject {
    Q_OBJECT

private slots:
    /// Between two operators of a, sqrt runs in their blocks on default: nothing is laid out anew there.
    void whatFollowsKeepsTheLayout() {
        const PlacementTask task =
            task_of("def @main(%x: " + kT + ") { abs(tanh(sqrt(exp(%x)))) }", {accepting("a", kOps)});
        const CostTable table = blocks_table(task);
        QCOMPARE(priced(task, table, {1, 0, 1, 0}).price, 0.25 + 1 + 1 + 1 + 0.5 + 1);
        QCOMPARE(priced(task, table, {0, 0, 0, 0}).price, 5.0 + 1 + 5 + 1);
        const BestDivision best = best_of(task, table);
        QCOMPARE(best.best.labels, (Labels{1, 0, 1, 0}));
        QVERIFY(best.proved);
    }

    /// Laid out once for all who take it so; a result has a copy of its own.
    void usersShareWhatIsLaidOut() {
        const PlacementTask task = task_of(
            "def @main(%x: " + kT + ") { %0 = exp(%x); (abs(%0), abs(%0), abs(%0), %0) }", {accepting("a", kOps)});
        const CostTable table = blocks_table(task);
        QCOMPARE(priced(task, table, {1, 0, 0, 0}).price, 0.25 + 1 + 0.5 + 3 + 0.5);
        QCOMPARE(best_of(task, table).best.price, 0.25 + 1 + 0.5 + 3 + 0.5);
    }

    void theTermsTellWhatIsLaidOut() {
        const PlacementTask task = task_of("def @main(%x: " + kT + ") { abs(exp(%x)) }", {accepting("a", kOps)});
        const CostTable table = blocks_table(task);
        const PricedDivision made = priced(task, table, {1, 0});
        double layouts = 0, sum = 0;
        for (const CostTerm& term : task.model.terms(table, made.division)) {
            sum += term.ms;
            if (term.kind == CostTerm::Kind::Layout) layouts += term.ms;
        }
        QCOMPARE(layouts, 0.25 + 0.5);
        QCOMPARE(sum, made.price);
    }

    /// An operator in layouts that were not measured takes what it takes in others, and what computes by element
    /// follows.
    void whatTheTableLacksIsGuessed() {
        const PlacementTask task = task_of("def @main(%x: " + kT + ") { negative(exp(%x)) }", {accepting("a", kOps)});
        TableMaker maker(task);
        maker.add("exp", "a", "", "B", "B", 1).add("negative", "default", "", "", "", 2);
        maker.add("exp", "default", "B", "B", "B", 9);  // default knows of layouts
        CostTable table = maker.change("", "B", 0.25).change("B", "", 0.5).table();
        QCOMPARE(priced(task, table, {1, 0}).price, 0.25 + 1 + 2 + 0.5);
    }

    /// A table may come from anyone. exp uses up the layouts that there may be; what tanh does with others is left out.
    void layoutsBeyondTheMostAreLeftOut() {
        const PlacementTask task = task_of("def @main(%x: " + kT + ") { tanh(exp(%x)) }", {accepting("a", kOps)});
        TableMaker maker(task);
        for (char layout = 'A'; layout <= 'Z'; ++layout) {
            const std::string name(1, layout);
            maker.add("exp", "a", name, name, name, 1);
        }
        const LayoutCosts costs(task.model, maker.add("tanh", "a", "", "Z", "Z", 1).table());
        const OperatorLayouts known = costs.layouts_of(0, 1, {1}), beyond = costs.layouts_of(1, 1, {0});
        QVERIFY(costs.any() && known.made == std::vector<LayoutId>{1});
        QVERIFY(beyond.taken == std::vector<LayoutId>{0} && beyond.made == std::vector<LayoutId>{0});
    }

    /// Every division of random modules costs what the flow's division is priced at, or more than the bound.
    void theBoundHoldsForAllDivisions() {
        const char* texts[] = {
            "%0 = exp(%x); %1 = sqrt(%0); %2 = tanh(%0); (abs(%1), abs(%2), sqrt(%2))",
            "%0 = sqrt(%x); %1 = abs(%0); %2 = tanh(%1); %3 = sqrt(%2); abs(exp(%3))",
            "%0 = tanh(sqrt(%x)); %1 = abs(%0); %2 = exp(%0); (%2, sqrt(%1), sqrt(%2))",
        };
        for (const char* text : texts) {
            const PlacementTask task = task_of("def @main(%x: " + kT + ") { " + text + " }", {accepting("a", kOps)});
            const CostTable table = blocks_table(task);
            double least = CostProblem::kForbidden;
            const size_t count = task.model.operators().size();
            for (size_t bits = 0; bits < size_t(1) << count; ++bits) {
                Labels labels;
                for (size_t op = 0; op < count; ++op) labels.push_back(uint16_t(bits >> op & 1));
                if (!task.model.allows(labels)) continue;
                least = std::min(least, priced(task, table, labels).price);
            }
            const BestDivision best = best_of(task, table);
            QVERIFY2(std::abs(best.best.price - least) < 1e-9, text);
            QVERIFY2(best.proved && std::abs(best.bound - least) < 1e-9, text);
        }
    }

    void predictedChangesAreThoseOfRuns_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QStringList>("backends");
        const QStringList plain = {"dnnl", "ccompiler"}, wide = {"dnnl_all", "ccompiler_wide", "dnnl"};
        QTest::newRow("inception block") << "" << plain;
        QTest::newRow("inception block, three backends") << "" << wide;
        for (const char* name : {"squeezenet", "bvlc_alexnet", "inception_v1", "resnet50", "densenet121"})
            QTest::newRow(name) << reference_folder() + "/onnx-light/light_" + name + ".onnx" << plain;
        // Others on request: paths with colons between.
        for (const QString& file : qEnvironmentVariable("PARTITA_MODELS").split(':', Qt::SkipEmptyParts))
            QTest::newRow(qPrintable(QFileInfo(file).fileName())) << file << wide;
    }
    void predictedChangesAreThoseOfRuns() {
        QFETCH(QString, file);
        QFETCH(QStringList, backends);
        const int placements = qEnvironmentVariableIntValue("PARTITA_PLACEMENTS");
        if (!file.isEmpty() && !QFileInfo::exists(file)) QSKIP("no reference data beside the project");
        const Result<OpenedModule> opened = file.isEmpty()
                                                ? open_text(std::string("#[version = \"0.0.5\"]") + kBlock, "block")
                                                : open_module(file.toStdString());
        QVERIFY2(opened, opened ? "" : opened.error().to_string().c_str());
        std::vector<BackendDescription> descriptions;
        for (const QString& name : backends) descriptions.push_back(*load_backend(name.toStdString()));
        const PlacementTask task = task_of(opened->module, descriptions);
        CostTable table;
        CostMeasurer measurer(task, one_run(), table);
        learn(measurer, task);
        int off = 0, changes = 0;
        for (uint64_t seed = 101; seed < 101u + uint64_t(placements > 0 ? placements : 5); ++seed) {
            const Labels labels = measurer.mixture(seed);
            Result<FlowResult> flow = divide(task, labels);
            QVERIFY(flow);
            const double price = task.model.price(table, {labels, std::vector<int32_t>(labels.size(), -1)});
            const double least = least_with(task.model.problem(table), labels);
            QVERIFY2(std::abs(price - least) < 1e-9, qPrintable(QString("%1: %2, %3").arg(seed).arg(price).arg(least)));
            RunOptions options = one_run();
            for (const BackendDescription& each : task.flow.backends) options.codegen[each.name] = each.codegen;
            const Result<RunReport> report = run_module(flow->last(), options);
            QVERIFY2(report, report ? "" : report.error().to_string().c_str());
            const auto real = changes_of_run(*report);
            const auto told = predicted_changes(task, table, task.model.division_of(*flow));
            changes += int(real.size());
            if (real == told) continue;
            ++off;
            qWarning("placement %d: of %zu changes %s\n  are not predicted, of %zu predicted %s\n  do not happen",
                     int(seed), real.size(), difference(real, told).c_str(), told.size(),
                     difference(told, real).c_str());
        }
        QVERIFY(changes > 0 || !(file.isEmpty() || file.contains(QStringLiteral("onnx-light"))));  // convolutions
        QCOMPARE(off, 0);
    }

private:
    static constexpr const char* kBlock = R"(
def @main(%data: Tensor[(1, 16, 30, 30), float32], %w1_weight: Tensor[(32, 16, 1, 1), float32],
    %w2_weight: Tensor[(48, 16, 3, 3), float32], %w3_weight: Tensor[(16, 80, 1, 1), float32]) {
  %0 = nn.relu(nn.conv2d(%data, %w1_weight, padding=[0, 0, 0, 0], channels=32, kernel_size=[1, 1]));
  %1 = nn.relu(nn.conv2d(%data, %w2_weight, padding=[1, 1, 1, 1], channels=48, kernel_size=[3, 3]));
  %2 = (%0, %1);
  %3 = concatenate(%2, axis=1);
  %4 = nn.max_pool2d(negative(%3), pool_size=[2, 2], strides=[2, 2], padding=[0, 0, 0, 0]);
  %5 = nn.conv2d(%4, %w3_weight, padding=[0, 0, 0, 0], channels=16, kernel_size=[1, 1]);
  (nn.global_avg_pool2d(%5), nn.batch_flatten(%5), add(%5, nn.relu(%5)))
})";
};

PARTITA_TEST(TestLayoutCosts)

}  // namespace test_layout_costs

#include "test_layout_costs.moc"
