// ONNX export: what branches compute stands in them; operators of types that ONNX lacks.
#include <QtTest>
#include <algorithm>

#include "engine/edits/edits.h"
#include "engine/exporters/onnx/split.h"
#include "engine/flow/flow.h"
#include "engine/frontends/onnx/importer.h"
#include "engine/frontends/onnx/model.h"
#include "engine/frontends/relay/parser.h"
#include "engine/passes/infer_types.h"
#include "engine/runtime/run.h"
#include "engine/session/export.h"
#include "tests/engine/onnx_testing.h"
#include "tests/engine/same_outputs.h"
#include "tests/registry.h"

namespace test_onnx_export_branches {

using namespace partita;
namespace w = onnx_writer;

namespace {

ModulePtr typed(std::string_view text) {
    Result<Module> module = parse_relay("#[version = \"0.0.5\"]\n" + std::string(text));
    if (!module) qFatal("%s", module.error().message.c_str());
    if (Status status = infer_types(*module); !status) qFatal("%s", status.error().message.c_str());
    return std::make_shared<const Module>(std::move(*module));
}

std::string exported(const ModulePtr& module) {
    Result<std::string> bytes = write_onnx(export_subject(module, "test"));
    return bytes ? *bytes : "refused: " + bytes.error().message;
}

std::string names_of(const onnx::Graph& graph);

/// Returns the operators of nodes, those of subgraphs in parentheses: "Exp If(Add, Identity)".
std::string names_of(std::span<const onnx::Node> nodes) {
    std::string names;
    for (const onnx::Node& node : nodes) {
        names += (names.empty() ? "" : " ") + std::string(node.op_type);
        for (size_t i = 0; i < node.attributes.size(); ++i)
            for (const onnx::Graph& graph : node.attributes[i].graphs) names += "(" + names_of(graph) + ")";
    }
    return names;
}

std::string names_of(const onnx::Graph& graph) { return names_of(std::span(graph.nodes)); }

std::string nodes_of(const std::string& bytes) {
    const Result<onnx::Model> model = onnx::parse_model(bytes);
    return model ? names_of(model->graph) : bytes;
}

/// Returns how the outputs of a module differ from those of its export read back.
std::string difference_after_export(const ModulePtr& module) {
    const std::string bytes = exported(module);
    OnnxOptions options;
    options.strict = true;
    Result<OnnxImport> back = import_onnx(bytes, options);
    return back ? partita::testing::difference_of_outputs(*module, back->module) : bytes + back.error().message;
}

const std::string kT = "Tensor[(2, 3), float32]";

}  // namespace

class TestOnnxExportBranches : public QObject {
    Q_OBJECT

private slots:
    void whatABranchComputesStandsInIt_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("nodes");
        const auto row = [](const char* name, const char* body, const char* nodes) {
            QTest::newRow(name) << QString(body) << QString(nodes);
        };
        row("operators", "if (%c) { exp(tanh(%x)) } else { sqrt(%x) }", "If(Tanh Exp)(Sqrt)");
        row("what stands outside", "%0 = exp(%x); if (%c) { tanh(%0) } else { %0 }", "Exp If(Tanh)(Identity)");
        row("what both branches use", "%0 = exp(%x); if (%c) { tanh(%0) } else { sqrt(%0) }", "Exp If(Tanh)(Sqrt)");
        row("what is used behind, too", "%0 = exp(%x); %1 = if (%c) { tanh(%0) } else { %x }; add(%1, %0)",
            "Exp If(Tanh)(Identity) Add");
        row("constants", "if (%c) { add(%x, 2f) } else { ones(shape=[2, 3], dtype=\"float32\") }",
            "If(Add)(ConstantOfShape)");
        row("a branch in a branch", "if (%c) { %0 = exp(%x); if (%c) { sqrt(%0) } else { %0 } } else { %x }",
            "If(Exp If(Sqrt)(Identity))(Identity)");
        row("one value twice", "%0 = if (%c) { %1 = exp(%x); (%1, %1) } else { (%x, %x) }; add(%0.0, %0.1)",
            "If(Exp Identity)(Identity Identity) Add");
        row("a let", "if (%c) { let %v = exp(%x); add(%v, %v) } else { %x }", "If(Exp Add)(Identity)");
        row("a function called in its place",
            "%0 = fn (%a: Tensor[(2, 3), float32]) { exp(%a) }; if (%c) { %0(%x) } else { %x }", "If(Exp)(Identity)");
    }
    void whatABranchComputesStandsInIt() {
        QFETCH(QString, body);
        QFETCH(QString, nodes);
        const ModulePtr module =
            typed("def @main(%c: bool, %x: " + kT + ") -> " + kT + " { " + body.toStdString() + " }");
        QCOMPARE(QString::fromStdString(nodes_of(exported(module))), nodes);
        QCOMPARE(difference_after_export(module), std::string());
    }

    void regionsInABranchStayThere() {
        const ModulePtr module = typed("def @main(%c: bool, %x: " + kT + ") -> " + kT +
                                       " { %0 = exp(%x); if (%c) { tanh(exp(%0)) } else { %0 } }");
        FlowOptions options;
        options.backends = {*builtin_backend("ccompiler_wide")};
        const Result<FlowResult> flow = run_flow(module, options);
        QVERIFY2(flow, flow ? "" : flow.error().message.c_str());
        const ModulePtr divided = flow->last();
        QVERIFY(divided->functions().size() > 1);
        QCOMPARE(difference_after_export(divided), std::string());
        const auto files = onnx_export::split_models(*divided, {});
        QVERIFY2(files, files ? "" : files.error().message.c_str());
        for (const auto& file : *files) {
            if (!file.name.ends_with(".onnx")) continue;
            std::string bytes;
            std::shared_ptr<const void> lent;
            for (const auto& piece : file.pieces) bytes += piece.bytes(lent);
            QCOMPARE(refusal(bytes), std::string());
        }
    }

    void aWindowOfPaddingAloneIsRefused() {
        const auto pool = [](const char* extent) {
            return exported(typed("def @main(%x: Tensor[(1, 3, " + std::string(extent) +
                                  ", 5), float32]) { "
                                  "nn.max_pool2d(%x, pool_size=[2, 2], strides=[3, 3], padding=[1, 0, 1, 0], "
                                  "ceil_mode=True) }"));
        };
        QVERIFY2(
            pool("5").find("nn.max_pool2d: with ceil_mode its last window begins behind the data") != std::string::npos,
            pool("5").c_str());
        QCOMPARE(nodes_of(pool("6")), std::string("MaxPool"));
    }

    void operatorsOfTypesThatOnnxLacksAreWrittenInOthers() {
        QCOMPARE(nodes_of(exported(typed("def @main(%x: Tensor[(2, 3), bool]) { max(%x, axis=[1]) }"))),
                 std::string("Cast ReduceMax Cast"));
        const std::string one_hot =
            exported(typed("def @main(%i: int32) { one_hot(%i, 1f, 0f, depth=4, axis=-1, dtype=\"float32\") }"));
        QCOMPARE(nodes_of(one_hot), std::string("Cast Less Where Reshape Unsqueeze Unsqueeze Concat OneHot Reshape"));
    }

    void anInputThatWasRenamedIsWrittenSo() {
        w::GraphParts parts = relu_graph();
        const Module module = import_onnx(w::model(parts), {})->module;
        const EditResult renamed =
            rename_expression(module, module.parameters(module.find_function("main"))[0], "image");
        const std::string bytes = exported(std::make_shared<const Module>(*renamed->module));
        QCOMPARE(import_onnx(bytes, {})->inputs, std::vector<std::string>{"image"});
    }
};

PARTITA_TEST(TestOnnxExportBranches)

}  // namespace test_onnx_export_branches

#include "test_onnx_export_branches.moc"
