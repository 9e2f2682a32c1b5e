// The module in float64, by which rounding is told from faults.
#include <QtTest>
#include <set>

#include "engine/flow/flow.h"
#include "engine/ops/registry.h"
#include "engine/passes/in_double.h"
#include "engine/runtime/run.h"
#include "engine/session/session.h"
#include "random_module.h"
#include "relay_testing.h"
#include "tests/registry.h"

namespace test_in_double {

using namespace partita;
using namespace partita::testing;

namespace {

ModulePtr module_from(std::string_view text) { return std::make_shared<const Module>(typed_module(text)); }

RunOptions once(const Module& module) {
    RunOptions options;
    options.repeat = 1;
    options.warmup = 0;
    options.threads = 1;
    options.all_on_default = true;
    options.inputs = make_inputs(module, 7, {});
    return options;
}

/// Returns what differs between a module's results and those in float64, or "".
std::string against_double(const Module& module) {
    const RunOptions options = once(module);
    Result<RunReport> plain = run_module(std::make_shared<Module>(module), options);
    if (!plain) return "can't be run: " + plain.error().message;
    Result<Module> widened = in_double(module);
    if (!widened) return widened.error().message;
    Result<RunReport> exact = run_module(std::make_shared<Module>(std::move(*widened)), options);
    if (!exact) return "can't be run in float64: " + exact.error().message;
    for (size_t i = 0; i < plain->outputs.size(); ++i) {
        const Tensor &a = plain->outputs[i], &b = exact->outputs[i];
        if (a.shape() != b.shape()) return "another shape";
        if (b.dtype() != (a.dtype().is_float() ? kFloat64 : a.dtype())) return "the type " + b.dtype().to_string();
        for (int64_t k = 0; k < a.size(); ++k) {
            const double x = a.at(k), y = b.at(k);
            if (x == y || (std::isnan(x) && std::isnan(y))) continue;
            if (std::isinf(x) && x * y > 0 && std::fabs(y) > std::numeric_limits<float>::max()) continue;
            if (!(std::fabs(x - y) <= 1e-3 * (1 + std::fabs(y)))) return "the value " + std::to_string(y);
        }
    }
    return "";
}

OutputDifference judged(float own, float expected, double in_double) {
    Tensor a(kFloat32, {1}), b(kFloat32, {1}), c(kFloat64, {1});
    a.set(0, own);
    b.set(0, expected);
    c.set(0, in_double);
    std::vector<OutputDifference> differences = compare_outputs({a}, {b}, 1e-4);
    judge(differences, {a}, {b}, {c});
    return differences.at(0);
}

}  // namespace

class TestInDouble : public QObject {
    Q_OBJECT

private slots:
    void everyOperatorsExampleIsWidenedOrRefused() {
        std::set<std::string> refused;
        for (const OpRecord& op : op_registry().records()) {
            if (!op.kernel || op.name == "opaque") continue;
            const ModulePtr module = module_from(op.example);
            bool has_float = false;
            for (uint32_t i = 0; i < module->size(); ++i)
                if (const TypeId type = module->type(ExprId(i)); module->types().is_tensor(type))
                    has_float = has_float || module->types().dtype(type).is_float();
            if (!has_float) continue;
            const std::string difference = against_double(*module);
            if (!difference.empty()) refused.insert(op.name + ": " + difference);
        }
        for (const std::string& each : refused) qInfo("%s", each.c_str());
        // Numbers that are quantized have float32 scales; bits are read as they are; RoIAlign has no kernel.
        const auto is_known = [](const std::string& text) {
            return text.starts_with("qnn.") || text.starts_with("reinterpret: ") ||
                   text ==
                       "vision.roi_align: can't be run in float64: vision.roi_align of float64 is not supported on "
                       "default";
        };
        QVERIFY(std::all_of(refused.begin(), refused.end(), is_known));
    }

    void randomModulesAgreeButForRounding() {
        for (uint64_t seed = 0; seed < 200; ++seed) {
            const Module module = RandomModule(seed, {.operators = 20, .control_flow = seed % 2 == 1}).make();
            const std::string difference = against_double(module);
            QVERIFY2(difference.empty(), (std::to_string(seed) + ": " + difference).c_str());
        }
    }

    void whatHasNoFloat64IsRefused() {
        QVERIFY(!in_double(*module_from("def @main(%x: (Tensor[(2), float32], Tensor[(2), float32])) { %x.0 }")));
    }

    void roundingIsNoFault() {
        QVERIFY(!judged(1.0004f, 1.0004f, 1.0).from_double);  // nothing to judge
        const OutputDifference rounded = judged(1.0004f, 0.9997f, 1.0);
        QVERIFY(rounded.from_double && rounded.within_tolerance);
        QVERIFY(std::fabs(rounded.from_double->own - 0.0004 / 1.05) < 1e-6);
        QVERIFY(std::fabs(rounded.from_double->expected - 0.0003 / 1.05) < 1e-6);
        QVERIFY(!judged(1.0016f, 0.9997f, 1.0).within_tolerance);  // more than four times as far
        QVERIFY(judged(1.0f, 0.9997f, 1.0).within_tolerance);      // nearer than default
        QVERIFY(!judged(1.1f, 0.9f, 1.0).within_tolerance);        // default is no measure
        QVERIFY(!judged(INFINITY, 0.9f, 1.0).from_double);
    }

    void aRunBeyondTheToleranceIsHeldAgainstFloat64() {
        const ModulePtr module = module_from(R"(
def @main(%x: Tensor[(4, 512), float32], %w: Tensor[(64, 512), float32]) {
  %0 = nn.dense(%x, %w, units=64);
  nn.relu(%0)
})");
        FlowOptions options;
        options.backends.push_back(load_backend("dnnl").value());
        const FlowResult flow = run_flow(module, options).value();
        RunOptions run;
        run.repeat = 1;
        const RunReport report = run_and_compare(flow.last(), module, run, 1e-9).value().report;
        QVERIFY(report.differences.at(0).max_rel_error > 1e-9);
        QVERIFY(report.differences.at(0).from_double);
        QVERIFY(report.differences.at(0).from_double->own < 1e-5);
        QCOMPARE(report.not_judged, std::string());
    }
};

PARTITA_TEST(TestInDouble)

}  // namespace test_in_double

#include "test_in_double.moc"
