// The division that costs least: against all divisions that the flow can make of small random modules, with made-up
// tables of costs.
#include "tests/engine/pass_testing.h"

#include "engine/costs/best_division.h"
#include "tests/engine/random_module.h"

using namespace partita;
using namespace partita::testing;

namespace {

const std::string kT = "Tensor[(2, 4), float32]";
const std::vector<std::string> kOps = {"exp", "add", "tanh", "sqrt", "multiply", "abs", "split", "concatenate"};

BackendDescription description(const std::string& text) {
    Result<BackendDescription> made = parse_backend_description(text, "test.json");
    if (!made) qFatal("%s: %s", text.c_str(), made.error().to_string().c_str());
    return std::move(*made);
}

/// Backends with rules for random operators, some with patterns and limits.
std::vector<BackendDescription> random_backends(RandomModule& random) {
    std::vector<BackendDescription> backends;
    const size_t count = 2 + random.below(2);
    for (size_t i = 0; i < count; ++i) {
        const std::string name(1, char('a' + i));
        std::string ops, patterns, limits;
        for (const std::string& op : kOps)
            if (random.below(3) > 0) ops += (ops.empty() ? "\"" : ", \"") + op + "\": true";
        if (random.below(2))
            patterns = ", \"patterns\": [{\"name\": \"" + name + ".pair\", \"pattern\": \"tanh(add(*, *))\"}]";
        if (random.below(3) == 0) limits = ", \"limits\": {\"min_ops\": 2}";
        backends.push_back(
            description("{\"name\": \"" + name + "\", \"ops\": {" + ops + "}" + patterns + limits + "}"));
    }
    return backends;
}

/// Gives every operator on every label, alone and after another, and every crossing a cost of eighths.
CostTable random_table(RandomModule& random, const CostModel& model) {
    CostTable table;
    const auto cost = [&] { return double(random.below(64)) / 8; };
    for (const CostModel::Operator& op : model.operators())
        for (uint16_t label = 0; label < model.labels(); ++label) {
            table.units[{op.key, "", model.name(label)}] = {cost(), 1};
            if (op.before >= 0 && random.below(2))
                table.units[{op.key, model.operators()[size_t(op.before)].key, model.name(label)}] = {cost(), 1};
        }
    for (uint16_t from = 0; from < model.labels(); ++from)
        for (uint16_t to = 0; to < model.labels(); ++to)
            table.crossings[{model.name(from), model.name(to)}] = {from == to && random.below(2) ? 0 : cost() / 4, 0};
    return table;
}

/// Returns the least price of all divisions that the rules allow, each made by the flow.
double least_of_all(const PlacementTask& task, const CostTable& table) {
    Labels labels(task.model.operators().size());
    double least = CostProblem::kForbidden;
    for (size_t i = 0; i < labels.size() || labels.empty();) {
        if (task.model.allows(labels)) {
            Result<PricedDivision> priced = price_division(task, table, labels);
            if (priced) least = std::min(least, priced->price);
        }
        for (i = 0; i < labels.size() && ++labels[i] == task.model.labels(); ++i) labels[i] = 0;
        if (i == labels.size()) break;
    }
    return least;
}

PlacementTask task_of(Module module, std::vector<BackendDescription> backends) {
    FlowOptions flow;
    flow.backends = std::move(backends);
    return *placement_task(std::make_shared<const Module>(std::move(module)), flow);
}

}  // namespace

class TestBestDivision : public QObject {
    Q_OBJECT

private slots:
    void equalsTheLeastOfAllDivisions() {
        int with_patterns = 0, second_choices = 0;
        for (uint64_t seed = 1; seed <= 300; ++seed) {
            RandomModule random(seed, {1 + int(seed % 6), false});
            const PlacementTask task = task_of(random.make(), random_backends(random));
            const CostTable table = random_table(random, task.model);
            Result<BestDivision> best = best_division(task, table, {}, 60, {});
            QVERIFY2(best, qPrintable(QString("seed %1").arg(seed)));
            QVERIFY2(best->proved, qPrintable(QString("seed %1").arg(seed)));
            const double least = least_of_all(task, table);
            QVERIFY2(std::abs(best->best.price - least) < 1e-9,
                     qPrintable(QString("seed %1: %2 instead of %3").arg(seed).arg(best->best.price).arg(least)));
            second_choices += best->tried > 1;
            with_patterns += task.flow.backends[0].patterns.empty() ? 0 : 1;
        }
        qInfo("%d of 300 needed more than one division", second_choices);
        QVERIFY(second_choices > 10 && with_patterns > 50);
    }
};

QTEST_APPLESS_MAIN(TestBestDivision)
#include "test_best_division.moc"
