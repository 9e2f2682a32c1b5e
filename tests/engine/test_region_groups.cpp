// Regions kept apart by hand.
#include <QtTest>

#include "engine/explain/explain.h"
#include "engine/flow/describe.h"
#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "engine/session/session.h"
#include "tests/registry.h"

namespace test_region_groups {

using namespace partita;

class TestRegionGroups : public QObject {
    Q_OBJECT

private:
    ModulePtr module_;

    ExprId call(std::string_view op) const {
        for (uint32_t i = 0; i < module_->size(); ++i)
            if (const OpRecord* record = called_op_record(*module_, ExprId(i)); record && record->name == op)
                return ExprId(i);
        return {};
    }
    Result<FlowResult> flow(RegionGroups groups) const {
        FlowOptions options;
        Result<BackendDescription> backend = load_backend("ccompiler");
        if (!backend) return backend.error();
        options.backends = {*backend};
        options.region_groups = std::move(groups);
        return run_flow(module_, options);
    }

private slots:
    void initTestCase() {
        Result<Module> module =
            parse_relay("def @main(%x: Tensor[(2, 8), float32]) { add(multiply(subtract(%x, %x), %x), %x) }");
        QVERIFY(module && infer_types(*module));
        module_ = std::make_shared<const Module>(std::move(*module));
    }

    void aGroupIsARegionOfItsOwn() {
        Result<FlowResult> together = flow({}), apart = flow({{call("add"), 1}});
        QVERIFY(together && apart);
        QCOMPARE(together->regions.size(), size_t(1));
        QCOMPARE(apart->regions.size(), size_t(2));
        for (const RegionInfo& region : apart->regions) QCOMPARE(region.backend_name, std::string("ccompiler"));
        QCOMPARE(flow({{call("add"), 1}, {call("multiply"), 1}})->regions.size(), size_t(2));
        QCOMPARE(flow({{call("add"), 1}, {call("multiply"), 2}})->regions.size(), size_t(3));
    }

    // Without the limit in the group its two calls were one region, outside the limit, and went back to default.
    void limitsHoldInGroups() {
        FlowOptions options;
        options.backends = {*load_backend("ccompiler")};
        options.backends[0].limits.max_outputs = 1;
        options.backends[0].limits.max_inputs = 1;
        Result<Module> module = parse_relay(
            "def @main(%x: Tensor[(2, 8), float32], %y: Tensor[(2, 8), float32]) { add(multiply(%x, %x), subtract(%y, "
            "%y)) }");
        QVERIFY(module && infer_types(*module));
        module_ = std::make_shared<const Module>(std::move(*module));
        for (int group : {0, 1}) {
            options.region_groups.clear();
            for (const char* op : {"add", "multiply", "subtract"}) options.region_groups[call(op)] = group;
            Result<FlowResult> result = run_flow(module_, options);
            QVERIFY(bool(result));
            QStringList on;
            for (const char* op : {"add", "multiply", "subtract"})
                on << QString::number(result->backend_of[call(op).value]);
            QCOMPARE(on.join(' '), "-1 0 0");
        }
        initTestCase();
    }

    void noStageShowsTheGroupsNames() {
        Result<FlowResult> apart = flow({{call("add"), 1}});
        QVERIFY(bool(apart));
        for (const ModulePtr& stage : {apart->stage("annotated"), apart->stage("merged"), apart->partitioned})
            QVERIFY(print_relay(*stage).find('\x1f') == std::string::npos);
        for (const Decision& decision : apart->log.decisions())
            QVERIFY(decision.rule.find('\x1f') == std::string::npos);
    }

    void theReasonIsThePersonsWish() {
        Result<FlowResult> apart = flow({{call("add"), 1}});
        QVERIFY(bool(apart));
        bool told = false;
        ExpressionNames names(*module_);
        for (const Decision& decision : apart->log.decisions())
            told |= describe(decision, names, {}).find("you keep them apart") != std::string::npos;
        QVERIFY(told);
        std::vector<BackendDescription> backends{*load_backend("ccompiler")};
        FlowExplainer explainer(*apart, backends);
        std::vector<RegionPairExplanation> pairs = explainer.explain_neighbours();
        QCOMPARE(pairs.size(), size_t(1));
        QCOMPARE(pairs[0].kind, RegionPairExplanation::Kind::KeptApart);
        QCOMPARE(QString::fromStdString(pairs[0].reason.text()), "you keep them apart");
    }
};

PARTITA_TEST(TestRegionGroups)

}  // namespace test_region_groups

#include "test_region_groups.moc"
