// The division that costs least: against all divisions that the flow can make of small random modules, with made-up
// tables of costs.
#include "tests/engine/pass_testing.h"

#include "engine/costs/best_division.h"
#include "tests/engine/random_module.h"
#include "tests/registry.h"

namespace test_best_division {

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
        if (random.below(4) == 0)
            limits = ", \"limits\": {\"weight_bytes\": " + std::to_string(1 + 16 * random.below(8)) + "}";
        if (random.below(4) == 0)
            limits = ", \"limits\": {\"max_live_bytes\": " + std::to_string(32 * (2 + random.below(6))) + "}";
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
        constexpr int kModules = 1000, kLargeOnes = 2;
        int with_patterns = 0, second_choices = 0;
        for (uint64_t seed = 1; seed <= kModules; ++seed) {
            const bool large = seed <= kLargeOnes;
            RandomModule random(seed, {large ? 7 + int(seed % 2) : 1 + int(seed % 6), false});
            Module module = random.make();
            std::vector<BackendDescription> backends = random_backends(random);
            if (large) backends.resize(2);
            const PlacementTask task = task_of(std::move(module), std::move(backends));
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
        qInfo("%d of %d needed more than one division", second_choices, kModules);
        QVERIFY(second_choices > 30 && with_patterns > 150);
    }

    /// A residual connection around another backend's operators crosses from a region to the next: the model learns it
    /// in one step, and tries no other labels.
    void refusedMergesAreLearned() {
        std::string text = "def @main(%x: Tensor[(2, 4), float32]) {\n  %0 = add(%x, %x);\n";
        constexpr int kBlocks = 30;
        for (int i = 0; i < kBlocks; ++i) {
            const auto value = [&](int k) { return "%" + std::to_string(3 * i + k); };
            text += "  " + value(1) + " = tanh(" + value(0) + ");\n  " + value(2) + " = exp(" + value(1) + ");\n";
            text += "  " + value(3) + " = add(" + value(0) + ", " + value(2) + ");\n";
        }
        text += "  sqrt(%" + std::to_string(3 * kBlocks) + ")\n}\n";
        const PlacementTask task =
            task_of(module_of(text), {description(R"({"name": "a", "ops": {"add": true, "sqrt": true}})"),
                                      description(R"({"name": "b", "ops": {"tanh": true, "exp": true}})")});
        CostTable table;
        for (const CostModel::Operator& op : task.model.operators())
            for (uint16_t label = 0; label < 3; ++label)
                table.units[{op.key, "", task.model.name(label)}] = {op.accepted[label] && label != 0 ? 1.0 : 9.0, 1};
        for (const char* from : {"default", "a", "b"})
            for (const char* to : {"default", "a", "b"}) table.crossings[{from, to}] = {0.25, 0};
        Result<BestDivision> best = best_division(task, table, {}, 10, {});
        QVERIFY(best && best->proved);
        QCOMPARE(best->tried, 2);
        // Each block: three operators, into b and back, and past it from one region of a to the next; %x and the
        // result.
        QCOMPARE(best->best.price, 2 + kBlocks * (3 + 3 * 0.25) + 2 * 0.25);
    }

    /// Operators with different gains for each byte of weights: too many to enumerate what fits.
    void budgetsForWeightsHaveABound() {
        constexpr int kOps = 60;
        std::string parameters = "%x: Tensor[(64, 8), float32]", body;
        RandomModule random(5, {1, false});
        double all = 0;
        for (int i = 0; i < kOps; ++i) {
            const int size = 8 * (1 + int(random.below(12)));
            const std::string shape = "Tensor[(" + std::to_string(size) + ", 8), float32]";
            parameters += ", %w" + std::to_string(i) + "_weight: " + shape;
            body += "  %" + std::to_string(i) + " = nn.dense(%x, %w" + std::to_string(i) +
                    "_weight, units=" + std::to_string(size) + ");\n";
            all += 4 * 8 * size;
        }
        std::string results;
        for (int i = 0; i < kOps; ++i) results += (i ? ", %" : "%") + std::to_string(i);
        const std::string text = "def @main(" + parameters + ") {\n" + body + "  (" + results + ")\n}\n";
        const int room = int(all / 2);
        const PlacementTask task =
            task_of(module_of(text), {description("{\"name\": \"a\", \"ops\": {\"nn.dense\": true}, \"limits\": "
                                                  "{\"weight_bytes\": " +
                                                  std::to_string(room) + "}}")});
        CostTable table;
        for (const CostModel::Operator& op : task.model.operators()) {
            const double on_default = 2 + double(random.below(64)) / 8;
            table.units[{op.key, "", "default"}] = {on_default, 1};
            table.units[{op.key, "", "a"}] = {on_default / double(2 + random.below(4)), 1};
        }
        for (const char* from : {"default", "a"})
            for (const char* to : {"default", "a"}) table.crossings[{from, to}] = {0, 0};
        Result<BestDivision> best = best_division(task, table, {}, 2, {});
        QVERIFY(best);
        double used = 0;
        for (size_t i = 0; i < best->best.labels.size(); ++i)
            if (best->best.division.labels[i] == 1) used += task.model.operators()[i].weight_mb * 1e6;
        qInfo("%.0f of %d bytes used, gap %.2f %%, %d tried", used, room, 100 * best->gap(), best->tried);
        QVERIFY(used <= room);
        QVERIFY(best->bound <= best->best.price * (1 + 1e-9));
        BestDivision proved;
        proved.proved = true;
        QCOMPARE(proved.gap(), 0.0);
        QVERIFY2(best->gap() < 0.02, qPrintable(QString::number(best->gap())));
    }
};

PARTITA_TEST(TestBestDivision)

}  // namespace test_best_division

#include "test_best_division.moc"
