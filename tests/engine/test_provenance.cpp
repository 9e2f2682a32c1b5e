// Where operators came from and what became of them: over simplifying, composites, regions and partitioning.
#include <QtTest>

#include "engine/explain/provenance.h"
#include "tests/engine/explain_testing.h"
#include "tests/registry.h"

namespace test_provenance {

using namespace partita;

namespace {

const char* const kPattern =
    R"json({"name": "npu", "patterns": [{"name": "npu.add_relu", "pattern": "nn.relu(add(*, *))"}]})json";

std::vector<ExprId> calls_of(const Module& module, std::string_view op) {
    std::vector<ExprId> calls;
    for (uint32_t i = 0; i < module.size(); ++i)
        if (const OpRecord* record = called_op_record(module, ExprId(i)); record && record->name == op)
            calls.push_back(ExprId(i));
    return calls;
}

const StagePlaces* at(const std::vector<StagePlaces>& stages, std::string_view stage) {
    for (const StagePlaces& places : stages)
        if (places.stage == stage) return &places;
    return nullptr;
}

}  // namespace

class TestProvenance : public QObject {
    Q_OBJECT

private slots:
    void anOperatorIsFoundAtEachStage() {
        const FlowResult flow = partita::testing::flow(partita::testing::parse("#[version = \"0.0.5\"]\n"
                                                                               "def @main(%x: Tensor[(2), float32]) {\n"
                                                                               "  %0 = add(%x, %x);\n"
                                                                               "  exp(nn.relu(%0))\n"
                                                                               "}\n"),
                                                       {partita::testing::describe_backend(kPattern)});
        const Provenance provenance(flow, nullptr);
        const std::vector<StagePlaces> stages = provenance.of(calls_of(*flow.input, "add").at(0));
        QVERIFY(!at(stages, "opened"));
        const StagePlaces* input = at(stages, "input");
        QVERIFY(input && input->places.size() == 1);
        QCOMPARE(input->places[0].position.line, 3u);
        const StagePlaces* composite = at(stages, "composite");
        QVERIFY(composite && composite->places.size() == 1);
        QCOMPARE(composite->places[0].composite, std::string("npu.add_relu"));
        const StagePlaces* partitioned = at(stages, "partitioned");
        QVERIFY(partitioned && partitioned->places.size() == 1);
        QCOMPARE(partitioned->places[0].name, std::string("add"));
        QCOMPARE(partitioned->places[0].function, flow.regions.at(0).function);
        // What stays on default stays in @main.
        const std::vector<StagePlaces> rest = provenance.of(calls_of(*flow.input, "exp").at(0));
        QCOMPARE(at(rest, "partitioned")->places.at(0).function, std::string("main"));
    }

    void whatSimplifyingMadeIsFollowedBack() {
        const ModulePtr opened = partita::testing::parse(
            "#[version = \"0.0.5\"]\n"
            "def @main(%x: Tensor[(1, 2, 2, 2), float32], %g: Tensor[(2), float32], %b: Tensor[(2), float32], %m: "
            "Tensor[(2), float32], %v: Tensor[(2), float32]) {\n"
            "  %0 = nn.batch_norm(%x, %g, %b, %m, %v);\n"
            "  nn.relu(%0.0)\n"
            "}\n");
        FlowOptions options;
        options.simplify = true;
        const Result<FlowResult> flow = run_flow(opened, options);
        QVERIFY(flow);
        const Provenance provenance(*flow, opened);
        const std::vector<ExprId> made = calls_of(*flow->input, "multiply");
        QVERIFY(!made.empty());
        const std::vector<StagePlaces> stages = provenance.of(made[0]);
        const StagePlaces* read = at(stages, "opened");
        QVERIFY(read && read->places.size() == 1);
        QVERIFY2(read->places[0].name == "nn.batch_norm" || read->places[0].name == "projection",
                 read->places[0].name.c_str());
        QVERIFY(!provenance.siblings(made[0]).empty());
        const std::vector<StagePlaces> relu = provenance.of(calls_of(*flow->input, "nn.relu").at(0));
        QCOMPARE(at(relu, "opened")->places.at(0).name, std::string("nn.relu"));
    }

    void eachCallOfAModelIsSomewhereAtEachStage() {
        const FlowResult flow =
            partita::testing::flow(std::make_shared<const Module>(*partita::testing::parse(
                                       "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) "
                                       "{ add(nn.relu(add(%x, %x)), nn.relu(%x)) }\n")),
                                   {partita::testing::describe_backend(kPattern)});
        const Provenance provenance(flow, flow.input);
        const ExpressionNames names(*flow.input);
        for (const ExprId call : names.calls())
            for (const StagePlaces& stage : provenance.of(call)) QVERIFY(!stage.places.empty());
        QVERIFY(provenance.of(ExprId(uint32_t(flow.input->size() + 5))).at(0).places.empty());
    }
};

PARTITA_TEST(TestProvenance)

}  // namespace test_provenance

#include "test_provenance.moc"
