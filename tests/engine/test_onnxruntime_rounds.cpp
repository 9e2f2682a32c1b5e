// What ONNX Runtime divides besides a graph as it stands: parts of functions that nobody takes, units of quantized
// nodes, what is behind an operator at which a provider stops.
#include <QtTest>

#include "engine/flow/flow_choice.h"
#include "engine/frontends/onnxruntime/reports.h"
#include "engine/graph/graph_json.h"
#include "engine/partitioners/given.h"
#include "engine/session/file_graph.h"
#include "engine/session/reports.h"
#include "engine/support/file.h"
#include "tests/engine/onnx_testing.h"
#include "tests/registry.h"

namespace test_onnxruntime_rounds {

using namespace partita;

namespace {

using Groups = std::vector<std::vector<std::string>>;

std::vector<std::string> names(const Graph& graph, const std::vector<NodeId>& nodes) {
    std::vector<std::string> list;
    for (NodeId node : nodes) list.push_back(graph[node].name);
    return list;
}

Groups groups_of(const Graph& graph, const Division& division) {
    Groups groups;
    for (const DividedRegion& region : division.regions) groups.push_back(names(graph, region.nodes));
    return groups;
}

/// The groups of a plain graph of which one provider takes nodes.
Groups divided(const std::string& nodes, std::vector<std::string> taken,
               std::map<std::string, std::string, std::less<>> options, const std::string& provider = "npu") {
    std::string text =
        "{'format': 'partita-graph', 'version': 1, 'inputs': ['x'], 'constants': ['w'], 'outputs': ['y'], "
        "'nodes': [" +
        nodes + "]}";
    std::replace(text.begin(), text.end(), '\'', '"');
    const Result<Graph> graph = read_graph_json(text);
    if (!graph) qFatal("%s", graph.error().message.c_str());
    Verdicts verdicts{{{provider, {}}}};
    for (const PlainNode& node : graph->nodes)
        verdicts.backends[0].takes.push_back(std::find(taken.begin(), taken.end(), node.name) != taken.end());
    const Result<Division> division = run_partitioner(*find_partitioner("onnxruntime"),
                                                      {*graph, NodeLinks(*graph), verdicts, std::move(options), {}});
    return groups_of(*graph, *division);
}

std::string node(const std::string& name, const std::string& op, const std::string& inputs, const std::string& output) {
    return "{'name': '" + name + "', 'op': '" + op + "', 'inputs': [" + inputs + "], 'outputs': ['" + output + "']}";
}

}  // namespace

class TestOnnxruntimeRounds : public QObject {
    Q_OBJECT

    struct Opened {
        QTemporaryDir folder;
        OpenedInput input;
        FileGraph file;
    };
    static void open(Opened& into, const std::string& bytes) {
        const std::string path = into.folder.filePath("m.onnx").toStdString();
        QVERIFY(write_file(path, bytes));
        Result<OpenedInput> opened = open_input_file(path, {});
        QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
        Result<FileGraph> file = file_graph(*opened);
        QVERIFY(file);
        into.input = std::move(*opened);
        into.file = std::move(*file);
    }
    static Groups divide(const Opened& opened, const std::vector<std::string>& taken) {
        Verdicts verdicts{{{"npu", {}}}};
        for (const FileNode& node : opened.file.nodes)
            verdicts.backends[0].takes.push_back(std::find(taken.begin(), taken.end(), node.name) != taken.end());
        const Graph& graph = *opened.file.graph;
        const Result<Division> division =
            run_partitioner(*find_partitioner("onnxruntime"), {graph, NodeLinks(graph), verdicts, {}, {}});
        return groups_of(graph, *division);
    }

    /// x -> Mul -> HardSwish -> Relu.
    static std::string with_hard_swish() {
        using namespace onnx_writer;
        return model({{onnx_writer::node("Mul", {"x", "x"}, {"a"}, {}, "mul"),
                       onnx_writer::node("HardSwish", {"a"}, {"b"}, {}, "hs"),
                       onnx_writer::node("Relu", {"b"}, {"y"}, {}, "relu")},
                      {},
                      {value_info("x", {2, 3})},
                      {value_info("y", {2, 3})}},
                     14);
    }

    /// Of a dump of what was assigned: a group, and nodes of the last resort.
    static std::string dump(const std::vector<std::pair<std::string, std::string>>& group,
                            const std::vector<std::pair<std::string, std::string>>& rest) {
        const auto node = [](const auto& named) {
            return "{\"name\": \"" + named.first + "\", \"op_type\": \"" + named.second + "\"}";
        };
        std::string text = "{\"ep_subgraphs\": [{\"ep\": \"Npu\", \"nodes\": [";
        for (const auto& named : group) text += (&named == &group.front() ? "" : ", ") + node(named);
        text += "]}";
        for (const auto& named : rest) text += ", {\"ep\": \"CPUExecutionProvider\", \"nodes\": [" + node(named) + "]}";
        return text + "]}";
    }
    static FlowResult as_reported(const Opened& opened, const std::string& report, Groups& groups) {
        const std::string file = opened.folder.filePath("dump.json").toStdString();
        if (!write_file(file, report)) qFatal("the dump was not written");
        const auto reports = read_reports(opened.input, {file});
        if (!reports) qFatal("%s", reports.error().message.c_str());
        const Graph& graph = *(*reports)->file->graph;
        groups = groups_of(graph, (*reports)->division);
        if (!check_division(graph, NodeLinks(graph), (*reports)->division).empty()) groups.push_back({"not sound"});
        FlowChoice choice;
        choose_reported(choice, (*reports)->reported);
        choice.graph_of_file = opened.input.graph_of_file;
        Result<FlowResult> flow = run_flow(opened.input.base, flow_options(choice, false, {}));
        if (!flow) qFatal("%s", flow.error().message.c_str());
        return std::move(*flow);
    }

private slots:
    /// Who takes all products takes that of the function, too.
    void whatNobodyTakesGivesWayToItsParts() {
        Opened opened;
        open(opened, with_hard_swish());
        QCOMPARE(divide(opened, {"mul", "hs", "relu"}), (Groups{{"mul", "hs", "relu"}}));
        QCOMPARE(divide(opened, {"mul", "relu"}), (Groups{{"mul"}, {"relu"}, {"hs/Mul"}}));
        QCOMPARE(divide(opened, {"relu"}), (Groups{{"relu"}}));
        const FileNode& part = opened.file.nodes.back();
        QCOMPARE(part.inputs, (std::vector<std::string>{"a", "_inlfunc_HardSwish_HS_X"}));
        QCOMPARE(part.outputs, std::vector<std::string>{"b"});
    }

    void aFunctionOfTheModelIsNodesOfItsOwn() {
        using namespace onnx_writer;
        const std::string function = bytes(25, bytes(1, "Blk") + bytes(4, "i") + bytes(5, "o") +
                                                   bytes(7, onnx_writer::node("Abs", {"i"}, {"t"}, {}, "f_abs")) +
                                                   bytes(7, onnx_writer::node("Exp", {"t"}, {"o"}, {}, "f_exp")) +
                                                   bytes(9, number(2, 13)) + bytes(10, "my")) +
                                     bytes(8, bytes(1, "my") + number(2, 1));
        Opened opened;
        open(opened, model({{onnx_writer::node("Blk", {"x"}, {"a"}, {}, "call0", "my"),
                             onnx_writer::node("Blk", {"a"}, {"b"}, {}, "call1", "my"),
                             onnx_writer::node("Neg", {"b"}, {"y"}, {}, "tail")},
                            {},
                            {value_info("x", {2, 3})},
                            {value_info("y", {2, 3})}},
                           13, function));
        std::vector<std::string> all;
        for (const FileNode& node : opened.file.nodes) all.push_back(node.name);
        QCOMPARE(all, (std::vector<std::string>{"call0", "call1", "tail", "_inlfunc_Blk_f_abs", "_inlfunc_Blk_f_exp",
                                                "_inlfunc_Blk_token_0_f_abs", "_inlfunc_Blk_token_0_f_exp"}));
        QCOMPARE(divide(opened, {"call0", "call1", "tail"}), (Groups{{"call0", "call1", "tail"}}));
        QCOMPARE(divide(opened, {"_inlfunc_Blk_f_exp", "_inlfunc_Blk_token_0_f_abs", "tail"}),
                 (Groups{{"_inlfunc_Blk_f_exp", "_inlfunc_Blk_token_0_f_abs"}, {"tail"}}));
        // The calls of the module bear the same labels: the report's division is that of the graph.
        QVERIFY((*opened.file.graph).nodes[3].expression.valid());
    }

    /// In a module the unrolled body is a call for each turn, and a sum between two products is on no backend.
    void anUnrolledBodyIsARegionForEachTurn() {
        using namespace onnx_writer;
        const std::string body = graph(
            {{onnx_writer::node("Mul", {"v", "v"}, {"m"}, {}, "mul"), onnx_writer::node("Sin", {"m"}, {"s"}, {}, "sin"),
              onnx_writer::node("Identity", {"c"}, {"go"}, {}, "go")},
             {},
             {value_info("i", {}, 7), value_info("c", {}, 9), value_info("v", {2})},
             {value_info("go", {}, 9), value_info("s", {2})}});
        const std::string turns = number(1, 1) + number(2, 7) + number(7, 3) + bytes(8, "n");
        Opened opened;
        open(opened, model({{onnx_writer::node("Loop", {"n", "", "x"}, {"y"}, {graph_attribute("body", body)}, "loop")},
                            {turns},
                            {value_info("x", {2})},
                            {value_info("y", {2})}}));
        FlowOptions options;
        options.backends.push_back(*parse_backend_description(R"({"name": "npu", "ops": {"multiply": true}})", "npu"));
        options.partitioner.name = "onnxruntime";
        options.graph_of_file = opened.input.graph_of_file;
        const Result<FlowResult> flow = run_flow(opened.input.base, options);
        QVERIFY2(flow, flow ? "" : flow.error().message.c_str());
        QCOMPARE(flow->regions.size(), size_t(3));
        QVERIFY(flow->warnings.empty());
    }

    /// What was made one is kept so; neighbours of the last resort are cut, of which one waits for it and one is waited
    /// for.
    void neighboursOfTheRestAreCutBesideWhatWasMadeOne() {
        using namespace onnx_writer;
        Opened opened;
        open(opened,
             model({{onnx_writer::node("Exp", {"x"}, {"g1"}, {}, "g1"), onnx_writer::node("Abs", {"x"}, {"a"}, {}, "a"),
                     onnx_writer::node("Neg", {"a"}, {"y"}, {}, "g2"),
                     onnx_writer::node("Add", {"a", "g1"}, {"z"}, {}, "b")},
                    {},
                    {value_info("x", {2, 3})},
                    {value_info("y", {2, 3}), value_info("z", {2, 3})}}));
        Groups groups;
        const FlowResult flow =
            as_reported(opened, dump({{"g1", "Exp"}, {"g2", "Neg"}}, {{"a", "Abs"}, {"b", "Add"}}), groups);
        QCOMPARE(groups, (Groups{{"g1", "g2"}, {"a"}, {"b"}}));
        QCOMPARE(flow.regions.size(), size_t(3));
    }

    /// A call that was taken as it is waits for no part.
    void aCallThatWasTakenHasItsPartsInIt() {
        Opened opened;
        open(opened, with_hard_swish());
        Groups groups;
        const FlowResult flow =
            as_reported(opened, dump({{"mul", "Mul"}, {"hs", "HardSwish"}}, {{"relu", "Relu"}}), groups);
        QCOMPARE(groups, (Groups{{"mul", "hs"}, {"relu"}}));
        QCOMPARE(flow.regions.size(), size_t(2));
    }

    void aFileThatChangedIsNotDividedInAnothersPlace() {
        Opened opened;
        open(opened, with_hard_swish());
        QVERIFY(write_file(opened.input.path, with_hard_swish() + onnx_writer::bytes(6, "another")));
        const auto graph = opened.input.graph_of_file(*opened.input.base);
        QVERIFY(!graph);
        QVERIFY(graph.error().message.find("has changed") != std::string::npos);
    }

    /// Rows of a log without a name belong to the parts, where there are as many.
    void rowsWithoutANameAreFoundInOrder() {
        Opened opened;
        open(opened, with_hard_swish());
        const std::string log = opened.folder.filePath("l.log").toStdString();
        const std::string placed = "x [V:onnxruntime:, s.cc:1 VerifyEachNodeIsAssignedToAnEp] ";
        QVERIFY(write_file(log, placed + " Node(s) placed on [Npu]. Number of nodes: 2\n" + placed + "  Mul (mul)\n" +
                                    placed + "  Mul ()\n" + placed +
                                    " Node(s) placed on [CPUExecutionProvider]. Number of nodes: 2\n" + placed +
                                    "  HardSigmoid ()\n" + placed + "  Relu (relu)\n"));
        const auto reports = read_reports(opened.input, {log});
        QVERIFY2(reports, reports ? "" : reports.error().message.c_str());
        QCOMPARE((*reports)->read[0].matched.matched_rows, size_t(4));
        QCOMPARE((*reports)->read[0].matched.nodes.at("hs/Mul").backend, std::string("Npu"));
        QCOMPARE((*reports)->reported->nodes[1].backend, int16_t(-1));  // its parts are apart
    }

    void aUnitOfQuantizedNodesIsOneNode() {
        const std::string chain =
            node("d1", "DequantizeLinear", "'x'", "a") + ", " + node("conv", "Conv", "'a', 'w'", "b") + ", " +
            node("q1", "QuantizeLinear", "'b'", "c") + ", " + node("d2", "DequantizeLinear", "'c'", "d") + ", " +
            node("sin", "Sin", "'d'", "e") + ", " + node("q2", "QuantizeLinear", "'e'", "f") + ", " +
            node("d3", "DequantizeLinear", "'f'", "g") + ", " + node("relu", "Relu", "'g'", "h") + ", " +
            node("q3", "QuantizeLinear", "'h'", "y");
        QCOMPARE(divided(chain, {"conv", "relu"}, {{"units", "yes"}}),
                 (Groups{{"d1", "conv", "q1"}, {"d3", "relu", "q3"}}));
        QCOMPARE(divided(chain, {"conv", "sin", "relu"}, {{"units", "yes"}}),
                 (Groups{{"d1", "conv", "q1", "d2", "sin", "q2", "d3", "relu", "q3"}}));
        QCOMPARE(divided(chain, {"conv", "relu"}, {}), (Groups{{"conv"}, {"relu"}}));
        const std::string weight =
            node("s", "Abs", "'x'", "a") + ", " + node("n", "Sin", "'a'", "b") + ", " +
            node("dw", "DequantizeLinear", "'w'", "wf") + ", " + node("da", "DequantizeLinear", "'b'", "bf") + ", " +
            node("conv", "Conv", "'bf', 'wf'", "c") + ", " + node("q", "QuantizeLinear", "'c'", "y");
        QCOMPARE(divided(weight, {"s", "conv"}, {{"units", "yes"}}), (Groups{{"s"}, {"dw", "da", "conv", "q"}}));
    }

    void qnnLeavesAQuantizationAlone() {
        const std::string one = node("n", "Sin", "'x'", "a") + ", " + node("q", "QuantizeLinear", "'a'", "y");
        QCOMPARE(divided(one, {"q"}, {}), Groups{{"q"}});
        QCOMPARE(divided(one, {"q"}, {}, "QNNExecutionProvider"), Groups());
    }

    void nothingBehindAStopIsTaken() {
        const std::string graph = node("a", "Abs", "'x'", "t") + ", " + node("nms", "NonMaxSuppression", "'t'", "u") +
                                  ", " + node("b", "Abs", "'u'", "y") + ", " + node("c", "Abs", "'x'", "z");
        QCOMPARE(divided(graph, {"a", "nms", "b", "c"}, {{"stop", "Foo,NonMaxSuppression"}}), (Groups{{"c", "a"}}));
    }
};

PARTITA_TEST(TestOnnxruntimeRounds)

}  // namespace test_onnxruntime_rounds

#include "test_onnxruntime_rounds.moc"
