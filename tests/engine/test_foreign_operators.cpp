// Operators that the engine does not know, in each format: they go by their own names.
#include <QtTest>

#include "engine/exporters/exporter.h"
#include "engine/flow/flow.h"
#include "engine/frontends/model_explorer/reader.h"
#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/printer.h"
#include "engine/graph/graph_json.h"
#include "engine/graph/graph_of_module.h"
#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"
#include "engine/session/export.h"
#include "engine/session/graph_division.h"
#include "engine/session/numbers.h"
#include "engine/session/session.h"
#include "tests/registry.h"

namespace test_foreign_operators {

using namespace partita;

namespace {

/// moc 6.4 loses a class where a raw string holds quotes and brackets: a backtick stands for a quote.
std::string q(std::string text) {
    std::replace(text.begin(), text.end(), '`', '"');
    return text;
}

const char* const kRelay =
    "#[version = `0.0.5`]\n"
    "def @main(%x: Tensor[(2, 3), float32], %n: Tensor[(2), int64]) {\n"
    "  %0 = nn.relu(%x) /* ty=Tensor[(2, 3), float32] */;\n"
    "  %1 = dyn.reshape(%0, %n, newshape=[]) /* ty=Tensor[(?, ?), float32] */;\n"
    "  %2 = vision.some_counts(%1, 0.5f /* ty=float32 */, id_index=0, names=[`a`, `b`]) /* ty=(Tensor[(1), int32], "
    "Tensor[(1, 5, 6), float32]) span=x.py:3 */;\n"
    "  %3 = argwhere(%0) /* ty=Tensor[(?, 2), int32] */;\n"
    "  %4 = %2.1;\n"
    "  (%3, %4)\n"
    "}\n";

std::vector<std::string> operators_of(const Module& module) {
    std::vector<std::string> names;
    for (ExprId id : post_order(module, module.find_function("main")))
        if (const OpRecord* op = called_op_record(module, id)) names.push_back(op->name);
    std::sort(names.begin(), names.end());
    return names;
}

std::string graph_text(const std::string& op, const std::string& attributes) {
    return q("{`format`: `partita-graph`, `version`: 1, `inputs`: [`x`], `outputs`: [`y`], `nodes`: [{`name`: `a`, "
             "`op`: ") +
           op + q(", `inputs`: [`x`, ``, `x`], `outputs`: [`y`], `attributes`: ") + attributes + "}]}";
}

OpenedModule opened(std::string_view text) {
    Result<OpenedModule> result = open_text(text, "text");
    if (!result) qWarning("%s", result.error().to_string().c_str());
    return result ? *result : OpenedModule{};
}

BackendDescription backend_of(const std::string& text) {
    Result<BackendDescription> parsed = parse_backend_description(text, "npu.json");
    if (!parsed) qWarning("%s", parsed.error().to_string().c_str());
    return parsed ? *parsed : BackendDescription{};
}

bool is_taken(const OpenedModule& of, const std::string& description) {
    FlowOptions options;
    options.backends = {backend_of(description)};
    Result<FlowResult> flow = run_flow(of.module, options);
    return flow && flow->regions.size() == 1;
}

}  // namespace

class TestForeignOperators : public QObject {
    Q_OBJECT private slots : void relayTextOpensWithTheTypesThatItStatesAndReadsBackEqual() {
        const OpenedModule read = opened(q(kRelay));
        QVERIFY(read.module);
        QCOMPARE(operators_of(*read.module),
                 (std::vector<std::string>{"argwhere", "dyn.reshape", "nn.relu", "vision.some_counts"}));
        const std::string text = print_relay(*read.module);
        const OpenedModule again = opened(text);
        QVERIFY(again.module);
        QCOMPARE(QString::fromStdString(print_relay(*again.module)), QString::fromStdString(text));
        QVERIFY(text.find("vision.some_counts(%1, 0.5f /* ty=float32 */, id_index=0, names=[\"a\", \"b\"])") !=
                std::string::npos);
    }

    /// Without types what is behind an unknown operator is unknown, too, and keeps its name.
    void relayTextWithoutTypesOpens() {
        const OpenedModule read =
            opened(q("#[version = `0.0.5`]\n"
                     "def @main(%x: Tensor[(2, 3), float32]) {\n"
                     "  %0 = argwhere(%x);\n"
                     "  let %y = nn.softmax(%0, axis=1);\n"
                     "  add(%y, nn.relu(%x))\n"
                     "}\n"));
        QVERIFY(read.module);
        QCOMPARE(operators_of(*read.module), (std::vector<std::string>{"add", "argwhere", "nn.relu", "nn.softmax"}));
        const Result<OpenedModule> cut =
            open_text("#[version = \"0.0.5\"]\ndef @main(%x: int32) { argwhere(%x).1 }", "t");
        QVERIFY(!cut);
        QVERIFY(cut.error().message.find("nothing states how many results there are") != std::string::npos);
    }

    void misspeltNamesAreStillTold() {
        const Result<OpenedModule> text =
            open_text("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) { nn.rellu(%x) }", "t");
        QVERIFY(!text);
        QVERIFY(text.error().message.find("did you mean `nn.relu`?") != std::string::npos);
        const auto rule = parse_backend_description(q("{`name`: `npu`, `ops`: {`nn.rellu`: true}}"), "npu.json");
        QVERIFY(!rule);
        QVERIFY(rule.error().message.find("did you mean") != std::string::npos);
        QVERIFY(parse_backend_description(q("{`name`: `npu`, `ops`: {`Conv`: true, `aten.mm.default`: true}}"), "n"));
    }

    void rulesReadWhatTheFileSays() {
        const OpenedModule frob = opened(graph_text("\"Frob\"", q("{`alpha`: 1.5, `mode`: `fast`, `axes`: [0, 1]}")));
        QVERIFY(frob.module);
        const auto rule = [](const std::string& text) {
            return q("{`name`: `npu`, `ops`: {`Frob`: `") + text + "\"}}";
        };
        QVERIFY(is_taken(frob, rule("attrs.alpha > 1.0 && attrs.mode == 'fast' && attrs.axes[1] == 1")));
        QVERIFY(!is_taken(frob, rule("attrs.alpha > 2.0")));
        QVERIFY(!is_taken(frob, rule("attrs.missing == 1")));
        QVERIFY(is_taken(frob, rule("!has(attrs.missing)")));
        QVERIFY(is_taken(frob, q("{`name`: `npu`, `ops`: {`opaque`: `attrs.op_type == 'Frob'`}}")));
        QVERIFY(is_taken(frob, q("{`name`: `npu`, `patterns`: [{`name`: `npu.f`, `pattern`: `Frob(*, *)`}]}")));
    }

    /// A rule for the engine's operator reads the attributes by name, not by their place in the engine's schema.
    void anOperatorOfTheSameNameHasItsOwnAttributes() {
        const OpenedModule conv = opened(graph_text("\"nn.conv2d\"", q("{`groups`: 2}")));
        QVERIFY(conv.module);
        QVERIFY(is_taken(conv, q("{`name`: `npu`, `ops`: {`nn.conv2d`: `attrs.groups == 2`}}")));
        QVERIFY(!is_taken(conv, q("{`name`: `npu`, `ops`: {`nn.conv2d`: `attrs.strides == [1, 1]`}}")));
        QVERIFY(is_taken(opened(print_relay(*conv.module)),
                         q("{`name`: `npu`, `ops`: {`nn.conv2d`: `attrs.groups == 2`}}")));
    }

    void whatWasReadIsWrittenBack() {
        const std::string attributes = q("{`alpha`:1.5,`axes`:[0,1],`flag`:true,`kept`:null,`mode`:`fast`}");
        const OpenedModule frob = opened(graph_text("\"Frob\"", attributes));
        QVERIFY(frob.module);
        for (const std::string& text : {print_relay(*frob.module), [&] {
                                            ExportSubject subject;
                                            subject.module = subject.graph = frob.module;
                                            return *write_json(subject);
                                        }()}) {
            const OpenedModule again = opened(text);
            QVERIFY2(again.module, text.c_str());
            const Graph graph = graph_of_module(*again.module, [](ExprId) { return std::string("a"); });
            QCOMPARE(graph.nodes.size(), size_t(1));
            QCOMPARE(graph.nodes[0].op, std::string("Frob"));
            QCOMPARE(graph.nodes[0].attributes, attributes);
            QCOMPARE(graph.nodes[0].inputs.size(), size_t(3));
            QVERIFY(!graph.nodes[0].inputs[1].valid());
        }
    }

    void hostileNamesAreHarmless() {
        const OpenedModule evil = opened(graph_text(q("`*/ system(1); <b>\\u001b[31m\\``"), "{}"));
        QVERIFY(evil.module);
        const std::string name = operators_of(*evil.module).front();
        QVERIFY(name.find_first_of("*<>\"'\\;& \x1b") == std::string::npos);
        QVERIFY(opened(print_relay(*evil.module)).module);
        QVERIFY(!opened(graph_text("\"q\"", std::string(1000, '[') + std::string(1000, ']'))).module);
        for (int i = 0; i < 70'000; ++i) QVERIFY(op_registry().foreign("many " + std::to_string(i)).valid());
        QCOMPARE(op_registry()[op_registry().foreign("one too many")].name, std::string("opaque"));
        QVERIFY(opened(graph_text("\"one too many\"", q("{`k`: 1}"))).module);
    }

    void modelExplorersGraphIsReadAndWritten() {
        const std::string text = q(
            "{`label`: `m`, `graphs`: [{`id`: `g`, `nodes`: [\n"
            "            {`id`: `1`, `label`: `Conv`, `namespace`: `layer/a`, `attrs`: [{`key`: `group`, `value`: "
            "`2`}],\n"
            "             `incomingEdges`: [{`sourceNodeId`: `w`, `targetNodeInputId`: `1`}, {`sourceNodeId`: `x`}],\n"
            "             `outputsMetadata`: [{`id`: `0`, `attrs`: [{`key`: `tensor_shape`, `value`: "
            "`float32[1,?,3]`}]}]},\n"
            "            {`id`: `x`, `label`: `input`}, {`id`: `w`, `label`: `weight`}]}, {`id`: `second`, `nodes`: "
            "[]}]}");
        Result<ModelExplorerFile> read = read_model_explorer(text);
        QVERIFY(read);
        QCOMPARE(read->others, std::vector<std::string>{"second"});
        const PlainNode& conv = read->graph.nodes[0];
        QCOMPARE(conv.name, std::string("layer/a/1"));
        QCOMPARE(conv.op, std::string("Conv"));
        QCOMPARE(read->graph[conv.inputs[0]].name, std::string("x"));
        QCOMPARE(read->graph[conv.inputs[1]].name, std::string("w"));
        QCOMPARE(read->graph[conv.outputs[0]].shape, (std::vector<int64_t>{1, kDynamicDim, 3}));
        ExportSubject subject;
        subject.plain = std::make_shared<const Graph>(read->graph);
        Result<ModelExplorerFile> again = read_model_explorer(*write_model_explorer(subject));
        QVERIFY(again);
        QCOMPARE(again->graph.nodes.size(), read->graph.nodes.size());
        QCOMPARE(again->graph.nodes[0].op, conv.op);
        QCOMPARE(again->graph[again->graph.nodes[0].outputs[0]].dtype, std::string("float32"));
        QVERIFY(opened(text).module);
    }

    void whatIsWrongInAGraphOfModelExplorerIsSaid_data() {
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("fault");
        QTest::newRow("no id") << "{'label': 'a'}"
                               << "a node has no \"id\"";
        QTest::newRow("twice") << "{'id': 'a'}, {'id': 'a'}"
                               << "two nodes have the id 'a'";
        QTest::newRow("from nowhere") << "{'id': 'a', 'incomingEdges': [{'sourceNodeId': 'b'}]}"
                                      << "there is no node 'b'";
        QTest::newRow("itself") << "{'id': 'a', 'incomingEdges': [{'sourceNodeId': 'a'}]}"
                                << "wait";
        QTest::newRow("far input") << "{'id': 'a', 'incomingEdges': [{'sourceNodeId': 'b', 'targetNodeInputId': "
                                      "'900000000000'}]}, {'id': 'b'}"
                                   << "";
    }
    void whatIsWrongInAGraphOfModelExplorerIsSaid() {
        QFETCH(QString, nodes);
        QFETCH(QString, fault);
        const QString text = "{'graphs': [{'id': 'g', 'label': '', 'nodes': [" + nodes + "]}]}";
        const Result<OpenedModule> read = open_text(QString(text).replace('\'', '"').toStdString(), "g.json");
        if (fault.isEmpty()) {
            QVERIFY2(read, read ? "" : read.error().to_string().c_str());
            return;
        }
        QVERIFY(!read);
        QVERIFY2(read.error().message.find(fault.toStdString()) != std::string::npos, read.error().message.c_str());
    }

    void numbersAreMatchedByNameValueAndNumber() {
        const OpenedModule frob = opened(graph_text("\"Frob\"", "{}"));
        QVERIFY(frob.graph);
        const auto read = [&](std::string_view text) { return read_numbers(*frob.graph, text, "dir/t.csv"); };
        Result<std::vector<NumberColumn>> csv = read("name,us,bytes\na,1.5,\ny,2,8\n\"q,r\",3,3\n");
        QVERIFY(csv);
        QCOMPARE(csv->size(), size_t(2));
        QCOMPARE((*csv)[0].values[0], 3.5);
        QCOMPARE((*csv)[1].values[0], 8.0);
        QCOMPARE((*csv)[0].unmatched, std::vector<std::string>{"q,r"});
        QCOMPARE(read("number,value\n1,7\n2,1\n")->front().sum(), 7.0);
        QCOMPARE(read("number,value\n1,7\n")->front().name, std::string("t.csv"));
        Result<std::vector<NumberColumn>> json = read(
            q("{`g`: {`results`: {`a`: {`value`: 2.5, `bgColor`: `red`}, `b`: 1}, `thresholds`: [{`value`: 1}]}}"));
        QVERIFY(json);
        QCOMPARE(json->front().sum(), 2.5);
        QCOMPARE(json->front().unmatched, std::vector<std::string>{"b"});
        QCOMPARE(difference(csv->at(0), csv->at(1)).values[0], 4.5);
        QCOMPARE(read("name,us\na,fast\n").error().to_string(),
                 std::string("dir/t.csv:2:1: error: 'fast' is no number"));
        QVERIFY(!read("node,us\n"));
        QVERIFY(!read(""));
        QVERIFY(!read("{\"results\": {\"a\": "));
    }
};

PARTITA_TEST(TestForeignOperators)

}  // namespace test_foreign_operators

#include "test_foreign_operators.moc"
