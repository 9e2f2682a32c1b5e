// ONNX import: functions of the model, subgraphs, the order of nodes, and what a file may lack.
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

#include "engine/flow/names.h"
#include "engine/frontends/onnx/importer.h"
#include "engine/ir/name_scope.h"
#include "engine/rules/backend_description.h"
#include "engine/runtime/run.h"
#include "engine/session/session.h"
#include "engine/support/file.h"
#include "tests/engine/onnx_testing.h"
#include "tests/registry.h"

namespace test_onnx_functions {

using namespace partita;
namespace w = onnx_writer;

namespace {

std::string real_attribute(std::string_view name, float value) {
    return w::bytes(1, name) + w::real(2, value) + w::number(20, 1);
}

/// An attribute of a node in a function that has the value of one of the call.
std::string attribute_of_call(std::string_view name, std::string_view of_call, int type) {
    return w::bytes(1, name) + w::number(20, type) + w::bytes(21, of_call);
}

struct FunctionParts {
    std::string name;
    std::vector<std::string> inputs, outputs, nodes;
    std::vector<std::string> attributes = {}, defaults = {};
    std::string overload = {};
};

std::string function(const FunctionParts& parts) {
    std::string message = w::bytes(1, parts.name);
    for (const std::string& input : parts.inputs) message += w::bytes(4, input);
    for (const std::string& output : parts.outputs) message += w::bytes(5, output);
    for (const std::string& attribute : parts.attributes) message += w::bytes(6, attribute);
    for (const std::string& node : parts.nodes) message += w::bytes(7, node);
    message += w::bytes(9, w::number(2, 17)) + w::bytes(10, "mine");
    for (const std::string& attribute : parts.defaults) message += w::bytes(11, attribute);
    if (!parts.overload.empty()) message += w::bytes(13, parts.overload);
    return w::bytes(25, message);
}

std::string call(std::string_view name, const std::vector<std::string>& inputs, const std::string& output,
                 const std::vector<std::string>& attributes = {}, std::string_view label = "",
                 std::string_view overload = "") {
    const std::string node = w::node(name, inputs, {output}, attributes, label, "mine");
    return overload.empty() ? node : node + w::bytes(8, overload);
}

w::GraphParts graph_of(std::vector<std::string> nodes) {
    return {std::move(nodes), {}, {w::value_info("x", {2})}, {w::value_info("y", {2})}};
}

std::string branch(std::vector<std::string> nodes) {
    return w::graph({std::move(nodes), {}, {}, {w::value_info("r", {2})}});
}

std::string if_node(const std::string& condition, const std::string& then_branch, const std::string& else_branch,
                    const std::string& output, std::string_view label = "") {
    return w::node("If", {condition}, {output},
                   {w::graph_attribute("then_branch", then_branch), w::graph_attribute("else_branch", else_branch)},
                   label);
}

/// Returns the outputs of a model for x = (-1, 2), or the reason why there are none.
std::string outputs_of(const std::string& bytes, bool condition = true) {
    OnnxOptions options;
    options.strict = true;
    Result<OnnxImport> imported = import_onnx(bytes, options);
    if (!imported) return imported.error().message;
    RunOptions run;
    for (const std::string& name : imported->inputs) {
        Tensor& input = run.inputs[name] = name == "c" ? Tensor(kBool, {}) : Tensor(kFloat32, {2});
        input.set(0, name == "c" ? condition : -1);
        if (name != "c") input.set(1, 2);
    }
    Result<RunReport> report = run_module(std::make_shared<const Module>(std::move(imported->module)), run);
    if (!report) return report.error().message;
    return QString("%1 %2").arg(report->outputs[0].at(0)).arg(report->outputs[0].at(1)).toStdString();
}

/// Returns the labels of the calls of an operator, in the order of the module.
std::vector<std::string> labels_of(const Module& module, std::string_view op) {
    std::vector<std::string> labels;
    for (uint32_t i = 0; i < module.size(); ++i)
        if (const OpRecord* called = called_op_record(module, ExprId(i));
            called && (called->name == op || (called->foreign && op == "opaque")))
            labels.emplace_back(module.label(ExprId(i)));
    return labels;
}

}  // namespace

class TestOnnxFunctions : public QObject {
    Q_OBJECT

private slots:
    void anAttributeThatACallLeavesOutHasItsDefault() {
        const std::string leaky = function({"Leaky",
                                            {"a"},
                                            {"b"},
                                            {w::node("LeakyRelu", {"a"}, {"b"}, {attribute_of_call("alpha", "k", 1)})},
                                            {},
                                            {real_attribute("k", 3)}});
        QCOMPARE(outputs_of(w::model(graph_of({call("Leaky", {"x"}, "y")}), 17, leaky)), std::string("-3 2"));
        const std::string given = call("Leaky", {"x"}, "y", {real_attribute("k", 4)});
        QCOMPARE(outputs_of(w::model(graph_of({given}), 17, leaky)), std::string("-4 2"));
    }

    /// Of a body's nodes, and of what Scan is made of besides: by pattern and by scope.
    void whatANodeWithABodyBecomesIsFoundByItsName() {
        const w::GraphParts body{{w::node("Add", {"s", "t"}, {"so"}, {}, "add"), w::node("Exp", {"so"}, {"yo"})},
                                 {},
                                 {w::value_info("s", {2}), w::value_info("t", {2})},
                                 {w::bytes(1, "so"), w::bytes(1, "yo")}};
        const std::string scan =
            w::node("Scan", {"h", "x"}, {"last", "y"},
                    {w::graph_attribute("body", w::graph(body)), w::attribute("num_scan_inputs", 1)}, "head/rnn");
        const w::GraphParts graph{
            {w::node("Abs", {"x"}, {"x1"}, {}, "head/first"), scan, w::node("Neg", {"y"}, {"z"}, {}, "head/last")},
            {},
            {w::value_info("h", {2}), w::value_info("x", {3, 2})},
            {w::bytes(1, "last"), w::bytes(1, "z"), w::bytes(1, "x1")}};
        const Result<OnnxImport> made = import_onnx(w::model(graph, 17), {});
        QVERIFY(bool(made));
        const ExpressionNames names(made->module);
        const size_t all = names.calls().size();
        QVERIFY(all > 2 + 2 * 3);
        QCOMPARE(names.select("name:head/rnn/*").size(), all - 2);
        QCOMPARE(names.select("name:head/rnn/add").size(), size_t(3));
        QCOMPARE(names.select("name:head/rnn/yo").size(), size_t(3));
        QCOMPARE(names.select("name:head/rnn").size(), all - 2);
        QCOMPARE(names.select("name:head/last").size(), size_t(1));
        QCOMPARE(names.select("name:rnn/add").size(), size_t(3));
        for (ExprId call : names.select("name:head/rnn/*"))
            QCOMPARE(scopes_of_name(made->module.label(call)).at(1), std::string_view("rnn"));
    }

    /// Its results have the form of what a turn would make, none of them; the state stays.
    void aScanOfNothingMakesNothing() {
        const w::GraphParts body{
            {w::node("Add", {"s", "t"}, {"so"}), w::node("Concat", {"so", "t"}, {"yo"}, {w::attribute("axis", 0)})},
            {},
            {w::value_info("s", {2}), w::value_info("t", {2})},
            {w::value_info("so", {2}), w::value_info("yo", {4})}};
        const w::GraphParts graph{
            {w::node("Scan", {"h", "x"}, {"last", "y"},
                     {w::graph_attribute("body", w::graph(body)), w::attribute("num_scan_inputs", 1)})},
            {},
            {w::value_info("h", {2}), w::value_info("x", {0, 2})},
            {w::value_info("last", {2}), w::value_info("y", {0, 4})}};
        const Result<OnnxImport> made = import_onnx(w::model(graph, 17), {});
        QVERIFY(bool(made));
        QVERIFY(made->unsupported.empty());
        const Module& module = made->module;
        QCOMPARE(module.types().to_string(module.type(module.body(module.find_function("main")))),
                 std::string("(Tensor[(2), float32], Tensor[(0, 4), float32])"));
    }

    void anAttributeWithoutADefaultIsThatOfTheOperatorWhereTheCallLeavesItOut() {
        const std::string leaky = function(
            {"Leaky", {"a"}, {"b"}, {w::node("LeakyRelu", {"a"}, {"b"}, {attribute_of_call("alpha", "k", 1)})}, {"k"}});
        QCOMPARE(outputs_of(w::model(graph_of({call("Leaky", {"x"}, "y")}), 17, leaky)), std::string("-0.01 2"));
    }

    void functionsHandAttributesToFunctions() {
        const std::string inner = function(
            {"Inner", {"a"}, {"b"}, {w::node("LeakyRelu", {"a"}, {"b"}, {attribute_of_call("alpha", "k", 1)})}, {"k"}});
        FunctionParts outer{"Outer", {"a"}, {"b"}, {}, {}, {real_attribute("outer_k", 5)}};
        outer.nodes = {call("Inner", {"a"}, "b", {attribute_of_call("k", "outer_k", 1)})};
        QCOMPARE(outputs_of(w::model(graph_of({call("Outer", {"x"}, "y")}), 17, inner + function(outer))),
                 std::string("-5 2"));
    }

    void branchesOfAFunctionSeeItsAttributes() {
        FunctionParts parts{"Chosen", {"c", "a"}, {"b"}, {}, {}, {real_attribute("k", 3)}};
        parts.nodes = {if_node("c", branch({w::node("LeakyRelu", {"a"}, {"r"}, {attribute_of_call("alpha", "k", 1)})}),
                               branch({w::node("Neg", {"a"}, {"r"})}), "b")};
        w::GraphParts graph = graph_of({call("Chosen", {"c", "x"}, "y")});
        graph.inputs.push_back(w::value_info("c", {}, 9));
        const std::string model = w::model(graph, 17, function(parts));
        QCOMPARE(outputs_of(model, true), std::string("-3 2"));
        QCOMPARE(outputs_of(model, false), std::string("1 -2"));
    }

    void branchesOfAFunctionMayUseAnInputThatTheCallLeavesOut() {
        FunctionParts parts{"Limited", {"c", "a", "low", "high"}, {"b"}, {}};
        parts.nodes = {if_node("c", branch({w::node("Clip", {"a", "low", "high"}, {"r"})}),
                               branch({w::node("Neg", {"a"}, {"r"})}), "b")};
        w::GraphParts graph = graph_of({call("Limited", {"c", "x", "", "one"}, "y")});
        graph.inputs.push_back(w::value_info("c", {}, 9));
        graph.initializers = {w::tensor("one", {}, {1})};
        QCOMPARE(outputs_of(w::model(graph, 17, function(parts))), std::string("-1 1"));
        graph.nodes = {call("Limited", {"c", "x"}, "y")};
        QCOMPARE(outputs_of(w::model(graph, 17, function(parts))), std::string("-1 2"));
    }

    void aReferenceOutsideOfAFunctionIsRefused() {
        const std::string node = w::node("LeakyRelu", {"x"}, {"y"}, {attribute_of_call("alpha", "k", 1)});
        QVERIFY(refusal(w::model(graph_of({node}), 17)).find("refers to an attribute of a function") !=
                std::string::npos);
    }

    void overloadsAreToldApart() {
        FunctionParts one{"Act", {"a"}, {"b"}, {w::node("Neg", {"a"}, {"b"})}}, other = one;
        other.nodes = {w::node("Relu", {"a"}, {"b"})};
        other.overload = "rectified";
        const std::string functions = function(one) + function(other);
        QCOMPARE(outputs_of(w::model(graph_of({call("Act", {"x"}, "y")}), 17, functions)), std::string("1 -2"));
        QCOMPARE(outputs_of(w::model(graph_of({call("Act", {"x"}, "y", {}, "", "rectified")}), 17, functions)),
                 std::string("0 2"));
        QVERIFY(refusal(w::model(graph_of({call("Act", {"x"}, "y")}), 17, functions + function(one)))
                    .find("defined twice") != std::string::npos);
    }

    void nodesOfAFunctionAreNamedBehindTheirCall() {
        const std::string twice =
            function({"Twice", {"a"}, {"b"}, {w::node("Exp", {"a"}, {"t"}, {}, "e"), w::node("Neg", {"t"}, {"b"})}});
        const std::string model = w::model(
            graph_of({call("Twice", {"x"}, "t", {}, "first"), call("Twice", {"t"}, "y", {}, "second")}), 17, twice);
        const Module module = import_onnx(model, {})->module;
        QCOMPARE(labels_of(module, "exp"), (std::vector<std::string>{"first/e", "second/e"}));
        QCOMPARE(labels_of(module, "negative"), (std::vector<std::string>{"first/b", "second/b"}));
    }

    void aNodeWithSubgraphsKeepsItsName() {
        const std::string big = branch({w::node("Exp", {"x"}, {"r"}, {}, "big/exp")}),
                          small = branch({w::node("Neg", {"x"}, {"r"}, {}, "small/neg")});
        w::GraphParts parts = graph_of({if_node("c", big, small, "t", "head/switch"), w::node("Abs", {"t"}, {"y"})});
        parts.inputs.push_back(w::value_info("c", {}, 9));
        const Module module = import_onnx(w::model(parts, 17), {})->module;
        const ExprId body = module.body(module.find_function("main"));
        QCOMPARE(module.label(module.arguments(body)[0]), std::string_view("head/switch"));
        QCOMPARE(labels_of(module, "exp"), std::vector<std::string>{"head/switch/big/exp"});
        // Of branches that differ the node is shown: under its own name, too.
        parts.nodes[0] = if_node(
            "c", w::graph({{w::node("ReduceMax", {"x"}, {"r"}, {}, "big/max")}, {}, {}, {w::value_info("r", {1})}}),
            small, "t", "head/switch");
        const OnnxImport shown = *import_onnx(w::model(parts, 17), {});
        QCOMPARE(labels_of(shown.module, "opaque"), std::vector<std::string>{"head/switch"});
        QVERIFY2(shown.notes[0].message.find("If (node 'head/switch')") == 0, shown.notes[0].message.c_str());
    }

    void whatCanNotBeRunIsNamedByItsResultWhereItHasNoName() {
        const OnnxImport shown = *import_onnx(w::model(graph_of({w::node("Strange", {"x"}, {"y"})}), 17), {});
        QVERIFY2(shown.notes[0].message.find("Strange (node 'y')") == 0, shown.notes[0].message.c_str());
    }

    void nodesMayStandInAnyOrder() {
        const std::string late = w::node("Neg", {"x"}, {"t"}), early = w::node("Relu", {"t"}, {"y"});
        QCOMPARE(outputs_of(w::model(graph_of({early, late}), 17)), std::string("1 0"));
        // A subgraph uses what a later node of the graph around it makes.
        w::GraphParts parts =
            graph_of({if_node("c", branch({w::node("Relu", {"t"}, {"r"})}),
                              branch({w::node("Exp", {"u"}, {"r"}), w::node("Sub", {"x", "x"}, {"u"})}), "y"),
                      late});
        parts.inputs.push_back(w::value_info("c", {}, 9));
        QCOMPARE(outputs_of(w::model(parts, 17), true), std::string("1 0"));
        QCOMPARE(outputs_of(w::model(parts, 17), false), std::string("1 1"));
    }

    void aCycleIsNamed() {
        const std::vector<std::string> nodes{w::node("Neg", {"b"}, {"a"}, {}, "one"),
                                             w::node("Add", {"x", "a"}, {"b"}, {}, "two"),
                                             w::node("Relu", {"b"}, {"y"})};
        QCOMPARE(refusal(w::model(graph_of(nodes), 17)),
                 std::string("the graph has a cycle: 'one', which needs 'two', which needs 'one'"));
        QCOMPARE(refusal(w::model(graph_of({w::node("Add", {"x", "y"}, {"y"}, {}, "self")}), 17)),
                 std::string("the graph has a cycle: 'self', which needs 'self'"));
    }

    void aValueThatNothingDefinesIsNamed() {
        QCOMPARE(refusal(w::model(graph_of({w::node("Relu", {"nothing"}, {"y"}, {}, "n")}), 17)),
                 std::string("the node 'n' uses the value 'nothing', which nothing defines"));
    }

    void aModelWithoutItsWeightsIsShown() {
        QTemporaryDir folder;
        const auto entry = [](std::string_view key, std::string_view value) {
            return w::bytes(13, w::bytes(1, key) + w::bytes(2, value));
        };
        const std::string weights = w::number(1, 2) + w::number(2, 1) + w::bytes(8, "weights") +
                                    entry("location", "gone.bin") + w::number(14, 1);
        w::GraphParts parts =
            graph_of({w::node("Mul", {"x", "scaled"}, {"y"}), w::node("Exp", {"weights"}, {"scaled"})});
        parts.initializers = {weights};
        const std::string path = folder.filePath("m.onnx").toStdString();
        QVERIFY(write_file(path, w::model(parts, 17)));
        const Result<OpenedModule> opened = open_module(path);
        QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
        QVERIFY2(opened->notes[0].message.find("'gone.bin'") != std::string::npos, opened->notes[0].message.c_str());
        QCOMPARE(labels_of(*opened->module, "exp"), std::vector<std::string>{"scaled"});
        const Result<RunReport> report = run_module(opened->module, {});
        QVERIFY(!report);
        QVERIFY2(report.error().message.find("the values of 'weights' are missing: 'gone.bin'") != std::string::npos,
                 report.error().message.c_str());
    }

    void valuesOfOtherTypesAreShown_data() {
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<QByteArray>("initializer");
        QTest::addColumn<QByteArray>("type");
        const auto row = [](const char* name, const std::string& input, const std::string& initializer,
                            const char* type) {
            QTest::newRow(name) << QByteArray::fromStdString(input) << QByteArray::fromStdString(initializer)
                                << QByteArray(type);
        };
        const auto typed = [](int field) { return w::bytes(1, "t") + w::bytes(2, w::bytes(field, "")); };
        const std::string strings = w::number(1, 1) + w::number(2, 8) + w::bytes(6, "text") + w::bytes(8, "t");
        row("strings", w::value_info("t", {2}, 8), "", "STRING");
        row("complex", w::value_info("t", {2}, 14), "", "COMPLEX64");
        row("a sequence", typed(4), "", "sequence");
        row("an optional", typed(9), "", "optional");
        row("a sparse tensor", typed(8), "", "sparse tensor");
        row("an initializer of strings", "", w::bytes(5, strings), "STRING");
        row("a sparse initializer", "", w::bytes(15, w::bytes(1, w::tensor("t", {1}, {1}))), "sparse tensor");
    }
    void valuesOfOtherTypesAreShown() {
        QFETCH(QByteArray, input);
        QFETCH(QByteArray, initializer);
        QFETCH(QByteArray, type);
        w::GraphParts parts = graph_of({w::node("Strange", {"t"}, {"u"}), w::node("Add", {"x", "u"}, {"y"})});
        if (!input.isEmpty()) parts.inputs.push_back(input.toStdString());
        const std::string model =
            w::number(1, 7) + w::bytes(8, w::number(2, 17)) + w::bytes(7, w::graph(parts) + initializer.toStdString());
        const Result<OnnxImport> shown = import_onnx(model, {});
        QVERIFY2(shown, shown ? "" : shown.error().message.c_str());
        QCOMPARE(labels_of(shown->module, "opaque"), (std::vector<std::string>{"t", "u"}));
        QVERIFY2(shown->notes[0].message.find("its type is " + type.toStdString()) != std::string::npos,
                 shown->notes[0].message.c_str());
        QVERIFY(!run_module(std::make_shared<const Module>(shown->module), {}));
        OnnxOptions strict;
        strict.strict = true;
        QVERIFY(!refusal(model, strict).empty());
    }
};

PARTITA_TEST(TestOnnxFunctions)

}  // namespace test_onnx_functions

#include "test_onnx_functions.moc"
