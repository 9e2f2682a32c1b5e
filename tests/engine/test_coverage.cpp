// The coverage report: shares, causes by frequency, requirements, effects of changes.
#include "reference_data.h"

#include "engine/explain/coverage.h"
#include "engine/explain/explain.h"
#include "engine/explain/what_if.h"
#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "tests/registry.h"

namespace test_coverage {

using namespace partita;
using namespace partita::testing;

namespace {

ModulePtr parse(const std::string& text) {
    auto module = parse_relay(text);
    if (!module) qFatal("%s", module.error().to_string().c_str());
    if (Status typed = infer_types(*module); !typed) qFatal("%s", typed.error().to_string().c_str());
    return std::make_shared<const Module>(std::move(*module));
}

const char* kChain = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4, 4), float32], %w: Tensor[(4, 4), float32]) {
  %0 = add(%x, %w);
  %1 = tanh(%0);
  %2 = multiply(%1, %w);
  %3 = tanh(%2);
  add(%3, %w)
}
)";

}  // namespace

class TestCoverage : public QObject {
    Q_OBJECT

private slots:
    void init() {
        options = {};
        options.backends = {*builtin_backend("ccompiler")};
        auto result = run_flow(parse(kChain), options);
        QVERIFY(result);
        flow = std::move(*result);
    }

    void aRuleThatAcceptsIsNoCauseToStay() {
        const ModulePtr module = flow.input;
        for (uint32_t i = 0; i < module->size(); ++i)
            if (const OpRecord* op = called_op_record(*module, ExprId(i)); op && op->name == "multiply")
                options.overrides[ExprId(i)] = "default";
        auto result = run_flow(module, options);
        QVERIFY(result);
        CoverageReport report = report_coverage(*result, options.backends);
        QCOMPARE(QString::fromStdString(coverage_summary(report)),
                 "3 of 5 calls stayed on default: no rule for tanh (2), multiply: kept by hand (1)");
    }

    void aFileThatIsAnnotatedSaysItself() {
        FlowOptions only_annotate = options;
        only_annotate.until = FlowStage::Annotate;
        auto annotated = run_flow(parse(kChain), only_annotate);
        QVERIFY(annotated);
        // A rule that would accept them now is no cause, because it was not evaluated.
        BackendDescription willing = options.backends[0];
        willing.ops = builtin_backend("dnnl")->ops;
        options.backends = {willing};
        options.annotate = false;
        auto result = run_flow(parse(print_relay(*annotated->stage("annotated"))), options);
        QVERIFY(result);
        CoverageReport report = report_coverage(*result, options.backends);
        QCOMPARE(QString::fromStdString(coverage_summary(report)),
                 "2 of 5 calls stayed on default: tanh: not annotated in the file (2)");
        QCOMPARE(report.causes[0].backend, -1);
        const std::string explained = explain_text(*result, options.backends, {});
        QVERIFY2(explained.find("default: not annotated in the file") != std::string::npos, explained.c_str());
        QVERIFY2(explained.find("ccompiler: annotated so in the file") != std::string::npos, explained.c_str());
        QVERIFY2(explained.find("compiler_begin") == std::string::npos, explained.c_str());
        auto list = what_if(*result, options);
        QVERIFY(list && list->empty());
    }

    /// This includes calls that a pattern would have matched together: the decision is logged once for all of them.
    void whatIsKeptByHandHasNoOtherCause() {
        const ModulePtr module = parse(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 3, 8, 8), float32], %w: Tensor[(4, 3, 3, 3), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3]);
  nn.relu(%0)
}
)");
        options.backends = {*builtin_backend("dnnl"), *builtin_backend("ccompiler")};
        options.composite = true;
        for (uint32_t i = 0; i < module->size(); ++i)
            if (module->kind(ExprId(i)) == ExprKind::Call) options.overrides[ExprId(i)] = "default";
        auto result = run_flow(module, options);
        QVERIFY(result && result->stage("composite"));
        QCOMPARE(QString::fromStdString(coverage_summary(report_coverage(*result, options.backends))),
                 "2 of 2 calls stayed on default: nn.conv2d: kept by hand (1), nn.relu: kept by hand (1)");
    }

    void sharesAndCausesAreCounted() {
        CoverageReport report = report_coverage(flow, options.backends);
        QCOMPARE(report.total.calls, 5);
        QCOMPARE(report.backends.size(), size_t(2));
        QCOMPARE(report.backends[0].share.calls, 3);
        QCOMPARE(report.backends[0].regions, 3);
        QCOMPARE(report.backends[0].boundary_tensors, 9);
        QCOMPARE(report.backends[0].boundary_bytes, 9 * 64.0);
        QCOMPARE(report.backends[1].share.calls, 2);
        QCOMPARE(report.total.parameter_bytes, 128.0);
        QCOMPARE(report.causes.size(), size_t(1));
        QCOMPARE(QString::fromStdString(report.causes[0].reason.text()), "no rule for tanh");
        QCOMPARE(report.causes[0].calls.size(), size_t(2));
        QCOMPARE(QString::fromStdString(coverage_summary(report)),
                 "2 of 5 calls stayed on default: no rule for tanh (2)");
    }

    void theReportIsWrittenInThreeForms() {
        CoverageReport report = report_coverage(flow, options.backends);
        QVERIFY(coverage_text(report).find("ccompiler  3      60.0 %") != std::string::npos);
        QVERIFY(coverage_markdown(report).find("| 2 | no rule for tanh |") != std::string::npos);
        QCOMPARE(coverage_json(report)["causes"][0]["calls"], 2);
    }

    void whatIfTellsWhatWouldVanish() {
        auto list = what_if(flow, options);
        QVERIFY(list);
        QCOMPARE(list->size(), size_t(1));
        QCOMPARE((*list)[0].before.regions, 3);
        QCOMPARE((*list)[0].after.regions, 1);
        QCOMPARE((*list)[0].calls_gained(), 2);
        QVERIFY((*list)[0].bytes_gone() > 0);
        QCOMPARE((*list)[0].changes.size(), size_t(1));
        // Applying a change gives the predicted result.
        options.backends = *with_changes(options.backends, (*list)[0].changes);
        auto tried = run_flow(flow.input, options);
        QVERIFY(tried);
        QCOMPARE(int(tried->regions.size()), 1);
    }

    void whatIsRequiredAndNotMetIsNamedWithItsCause() {
        QVERIFY(check_required(flow, options.backends, "ccompiler", "op:add").empty());
        auto unmet = check_required(flow, options.backends, "ccompiler", "");
        QCOMPARE(unmet.size(), size_t(2));
        QCOMPARE(QString::fromStdString(unmet[0].text), "tanh #2 is not on ccompiler: no rule for tanh");
        unmet = check_required(flow, options.backends, "npu", "op:add");
        QVERIFY(!unmet.empty());
        QCOMPARE(QString::fromStdString(unmet[0].text), "add #1 is not on npu: it went to ccompiler");
    }

    void regionsOutsideTheLimitsGoBackToDefault() {
        options.backends[0].limits.min_ops = 2;
        auto result = run_flow(flow.input, options);
        QVERIFY(result);
        QCOMPARE(result->regions.size(), size_t(0));
        CoverageReport report = report_coverage(*result, options.backends);
        QVERIFY(std::any_of(report.causes.begin(), report.causes.end(), [](const CoverageCause& cause) {
            return cause.reason.text() == "add: outside the limits of regions";
        }));
    }

private:
    FlowOptions options;
    FlowResult flow;
};

PARTITA_TEST(TestCoverage)

}  // namespace test_coverage

#include "test_coverage.moc"
