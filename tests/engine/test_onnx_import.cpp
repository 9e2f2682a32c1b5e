// ONNX import: imported modules, and messages for invalid files.
#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <thread>

#include <sys/resource.h>

#include "engine/diff/module_diff.h"
#include "engine/frontends/onnx/importer.h"
#include "engine/frontends/onnx/model.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ops/registry.h"
#include "engine/passes/lower_whole_operators.h"
#include "engine/runtime/run.h"
#include "engine/session/onnx_conformance.h"
#include "engine/session/session.h"
#include "engine/support/file.h"
#include "tests/engine/onnx_writer.h"

using namespace partita;
namespace w = onnx_writer;

namespace {

std::string refusal(const std::string& bytes, const OnnxOptions& options = {}) {
    Result<OnnxImport> imported = import_onnx(bytes, options);
    return imported ? "" : imported.error().message;
}

w::GraphParts relu_graph() {
    return {
        {w::node("Relu", {"x"}, {"y"}, {}, "first")}, {}, {w::value_info("x", {2, 3})}, {w::value_info("y", {2, 3})}};
}

w::GraphParts relu_chain(int length) {
    w::GraphParts parts{{}, {}, {w::value_info("x", {2, 3})}, {w::value_info("v" + std::to_string(length), {2, 3})}};
    for (int i = 0; i < length; ++i)
        parts.nodes.push_back(w::node("Relu", {i ? "v" + std::to_string(i) : "x"}, {"v" + std::to_string(i + 1)}));
    return parts;
}

const OpRecord* op_of_output(const Module& module) {
    return called_op_record(module, module.body(module.find_function("main")));
}

std::vector<ExprId> calls_of(const Module& module, std::string_view name) {
    std::vector<ExprId> calls;
    for (uint32_t i = 0; i < module.size(); ++i)
        if (const OpRecord* op = called_op_record(module, ExprId(i)); op && op->name == name)
            calls.push_back(ExprId(i));
    return calls;
}

std::string reference_folder() {
    QByteArray given = qgetenv("PARTITA_REFERENCE");
    return given.isEmpty() ? PARTITA_SOURCE_DIR "/../shared/reference" : given.toStdString();
}

}  // namespace

class TestOnnxImport : public QObject {
    Q_OBJECT

private slots:
    void nodesKeepTheirNamesAsLabels() {
        Result<OnnxImport> imported = import_onnx(w::model(relu_graph()), {});
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        const Module& module = imported->module;
        ExprId body = module.body(module.find_function("main"));
        QCOMPARE(called_op_record(module, body)->name, std::string("nn.relu"));
        QCOMPARE(module.label(body), std::string_view("first"));
        QVERIFY(module.typed());
    }

    void masksThatAreEqualAreMadeOnce() {
        const auto masks_of = [](const std::vector<int64_t>& windows) {
            w::GraphParts parts{{}, {}, {w::value_info("x0", {1, 96, 8})}, {}};
            std::string x = "x0";
            for (size_t i = 0; i < windows.size(); ++i) {
                const std::string y = "x" + std::to_string(i + 1);
                parts.nodes.push_back(
                    w::node("Attention", {x, x, x}, {y},
                            {w::attribute("q_num_heads", 2), w::attribute("kv_num_heads", 2),
                             w::attribute("is_causal", 1), w::attribute("left_window_size", windows[i])}));
                x = y;
            }
            parts.outputs.push_back(w::value_info(x, {1, 96, 8}));
            Result<OnnxImport> imported = import_onnx(w::model(parts, 26), {});
            if (!imported) qFatal("%s", imported.error().message.c_str());
            std::set<ExprId> masks;
            for (ExprId call : calls_of(imported->module, "nn.attention"))
                if (imported->module.arguments(call).size() > 3) masks.insert(imported->module.arguments(call)[3]);
            return masks.size();
        };
        QCOMPARE(masks_of({-1, -1, -1, -1}), size_t(0));
        QCOMPARE(masks_of({8, -1, 8, 9, -1}), size_t(2));
    }

    void attentionIsOneCall_data() {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<QString>("printed");
        // x: queries; s: keys for both heads; m, f: masks; p: a past; n: numbers of keys but one; t: their total
        const auto row = [](const char* name, const std::string& node, const char* printed) {
            const w::GraphParts parts{
                {node},
                {w::number(2, 6) + w::bytes(8, "t") + w::bytes(5, w::varint(6))},
                {w::value_info("x", {1, 6, 8}), w::value_info("s", {1, 6, 4}), w::value_info("m", {6, 6}, 9),
                 w::value_info("f", {6, 6}), w::value_info("p", {1, 2, 5, 4}), w::value_info("n", {1}, 6)},
                {w::value_info("y", {1, 6, 8})}};
            const std::string runtime = w::bytes(8, w::bytes(1, "com.microsoft") + w::number(2, 1));
            QTest::newRow(name) << QByteArray::fromStdString(w::model(parts, 23, runtime)) << QString(printed);
        };
        const auto attention = [](const std::vector<std::string>& inputs, int own_heads, bool is_causal = false,
                                  const std::vector<std::string>& outputs = {"y"}) {
            return w::node("Attention", inputs, outputs,
                           {w::attribute("q_num_heads", 2), w::attribute("kv_num_heads", own_heads),
                            w::attribute("is_causal", is_causal)},
                           "attend");
        };
        row("as it is", attention({"x", "x", "x"}, 2), "()");
        row("shared keys, causal", attention({"x", "s", "s"}, 1, true), "(is_causal)");
        row("behind a past", attention({"x", "x", "x", "", "p", "p"}, 2, true, {"y", "k", "v"}),
            "(is_causal, causal_offset=5)");
        row("a mask of bool", attention({"x", "x", "x", "m"}, 2), "(mask)");
        row("a mask of floats", attention({"x", "x", "x", "f"}, 2), "(mask)");
        row("scores shown", attention({"x", "x", "x"}, 2, true, {"y", "", "", "scores"}), "");
        row("of ONNX Runtime",
            w::node("MultiHeadAttention", {"x", "x", "x"}, {"y"},
                    {w::attribute("num_heads", 2), w::attribute("unidirectional", 1)}, "attend", "com.microsoft"),
            "(is_causal)");
        row("of ONNX Runtime, shared keys",
            w::node("GroupQueryAttention", {"x", "s", "s", "", "", "n", "t"}, {"y", "k", "v"},
                    {w::attribute("num_heads", 2), w::attribute("kv_num_heads", 1)}, "attend", "com.microsoft"),
            "(is_causal)");
    }
    void attentionIsOneCall() {
        QFETCH(QByteArray, model);
        QFETCH(QString, printed);
        Result<OnnxImport> imported = import_onnx(model.toStdString(), {});
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        const Module& module = imported->module;
        const std::vector<ExprId> calls = calls_of(module, "nn.attention");
        QCOMPARE(calls.empty(), printed.isEmpty());
        QCOMPARE(calls_of(module, "nn.softmax").empty(), !printed.isEmpty());
        if (calls.empty()) return;
        QCOMPARE(calls.size(), size_t(1));
        QStringList found;
        if (module.arguments(calls[0]).size() > 3) found << QStringLiteral("mask");
        const AttributesView attributes = attributes_of(module, calls[0]);
        if (attributes.boolean("is_causal")) found << QStringLiteral("is_causal");
        if (const int64_t offset = attributes.integer("causal_offset"))
            found << QStringLiteral("causal_offset=%1").arg(offset);
        // Lowered, its parts keep the name of the node.
        QCOMPARE(module.label(calls[0]), std::string_view("attend"));
        const Result<Module> lowered = lower_whole_operators(module);
        QVERIFY2(bool(lowered), lowered ? "" : lowered.error().message.c_str());
        for (ExprId call : calls_of(*lowered, "nn.softmax")) QCOMPARE(lowered->label(call), std::string_view("attend"));
        QCOMPARE(calls_of(*lowered, "nn.softmax").size(), size_t(1));
        QCOMPARE(QLatin1Char('(') + found.join(QStringLiteral(", ")) + QLatin1Char(')'), printed);
    }

    void shapeArithmeticIsFolded() {
        // Reshape(x, Concat(Gather(Shape(x), 0), [-1]))
        w::GraphParts parts{
            {w::node("Shape", {"x"}, {"s"}), w::node("Gather", {"s", "zero"}, {"first"}, {w::attribute("axis", 0)}),
             w::node("Concat", {"first", "rest"}, {"shape"}, {w::attribute("axis", 0)}),
             w::node("Reshape", {"x", "shape"}, {"y"})},
            {w::integers("zero", {0}), w::integers("rest", {-1})},
            {w::value_info("x", {2, 3, 4})},
            {w::value_info("y", {2, 12})}};
        Result<OnnxImport> imported = import_onnx(w::model(parts), {});
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QVERIFY(imported->unsupported.empty());
        const Module& module = imported->module;
        ExprId body = module.body(module.find_function("main"));
        QCOMPARE(module.types().to_string(module.type(body)), std::string("Tensor[(2, 12), float32]"));
        QCOMPARE(module.kind(module.arguments(body)[0]), ExprKind::Var);
    }

    void compressWithoutAnAxisTakesFromTheFlatData() {
        const std::string condition =
            w::number(1, 6) + w::number(2, 9) + w::bytes(8, "keep") + w::bytes(9, std::string("\0\1\0\0\1\1", 6));
        w::GraphParts parts{{w::node("Compress", {"x", "keep"}, {"y"})},
                            {condition, w::tensor("x", {2, 3}, {10, 11, 12, 13, 14, 15})},
                            {},
                            {w::value_info("y", {3})}};
        Result<OnnxImport> imported = import_onnx(w::model(parts), {});
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        const Module& module = imported->module;
        const Tensor& y = module.constant(module.body(module.find_function("main")));
        QCOMPARE(y.shape(), std::vector<int64_t>{3});
        QCOMPARE(std::vector<double>({y.at(0), y.at(1), y.at(2)}), std::vector<double>({11, 14, 15}));
    }

    void aConstantStaysWhereItIsWhileOthersAreAdded() {
        Module module;
        const Tensor& first = module.constant(module.add_constant(Tensor::scalar(kFloat32, 7.0f)));
        for (int i = 0; i < 1000; ++i) module.add_constant(Tensor::scalar(kFloat32, float(i)));
        QCOMPARE(&first, &module.constant_value(ConstantId(0)));
    }

    void symbolicDimensionsAreBoundByOption() {
        w::GraphParts parts = relu_graph();
        parts.inputs = {w::value_info("x", {-1, 3})};
        OnnxOptions options;
        options.dimensions["N"] = 5;
        Result<OnnxImport> imported = import_onnx(w::model(parts), options);
        QVERIFY(imported);
        ExprId main = imported->module.find_function("main");
        QCOMPARE(imported->module.types().to_string(imported->module.type(imported->module.parameters(main)[0])),
                 std::string("Tensor[(5, 3), float32]"));
        Result<OnnxImport> unbound = import_onnx(w::model(parts), {});
        QVERIFY(unbound);
        QCOMPARE(unbound->notes.size(), size_t(1));
        QCOMPARE(unbound->dimensions.size(), size_t(1));
        QCOMPARE(unbound->dimensions[0].name, std::string("N"));
        QCOMPARE(unbound->dimensions[0].value, int64_t(1));
    }

    void unsupportedOpBecomesAnOpaqueNode() {
        w::GraphParts parts{{w::node("Frobnicate", {"x"}, {"y"}, {}, "odd", "com.example")},
                            {},
                            {w::value_info("x", {2, 3})},
                            {w::value_info("y", {4})}};
        Result<OnnxImport> imported = import_onnx(w::model(parts), {});
        QVERIFY(imported);
        QCOMPARE(op_of_output(imported->module)->name, std::string("opaque"));
        QCOMPARE(imported->unsupported.size(), size_t(1));
        RunOptions options;
        Result<RunReport> report = run_module(std::make_shared<const Module>(std::move(imported->module)), options);
        QVERIFY(!report);
        QVERIFY2(report.error().message.find("Frobnicate") != std::string::npos, report.error().message.c_str());
        OnnxOptions strict;
        strict.strict = true;
        QVERIFY(refusal(w::model(parts), strict).find("Frobnicate") != std::string::npos);
    }

    void aRunNamesTheOperatorsThatAreMissing() {
        // Without a declared type, the shape after the unknown operator is unknown.
        w::GraphParts parts{
            {w::node("Frobnicate", {"x"}, {"t"}, {}, "odd", "com.example"), w::node("Relu", {"t"}, {"r"}),
             w::node("Unheard", {"r"}, {"u"}, {}, "first"), w::node("Unheard", {"u"}, {"y"}, {}, "second")},
            {},
            {w::value_info("x", {2, 3})},
            {w::value_info("y", {4})}};
        Result<OnnxImport> imported = import_onnx(w::model(parts), {});
        QVERIFY(imported);
        Result<RunReport> report = run_module(std::make_shared<const Module>(std::move(imported->module)), {});
        QVERIFY(!report);
        for (const char* part :
             {"Frobnicate of 'com.example' (node 'odd')", "Unheard (first at node 'first'), 2 times"})
            QVERIFY2(report.error().message.find(part) != std::string::npos, report.error().message.c_str());
    }

    void openingCanBeCancelled() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("m.onnx").toStdString();
        QVERIFY(write_file(path, w::model(relu_graph())));
        OpenOptions options;
        QVERIFY(open_module(path, options));
        options.cancel.cancel();
        Result<OpenedModule> opened = open_module(path, options);
        QVERIFY(!opened);
        QCOMPARE(opened.error().message, std::string("cancelled"));
    }

    void ofManyMissingOperatorsTheFirstAreNamed() {
        std::vector<std::string> nodes;
        const auto value = [](int i) { return "v" + std::to_string(i); };
        for (int i = 0; i < 13; ++i)
            nodes.push_back(w::node("Op" + std::to_string(100 + i), {value(i)}, {value(i + 1)}));
        w::GraphParts parts{nodes, {}, {w::value_info("v0", {4})}, {w::value_info("v13", {4})}};
        Result<OnnxImport> imported = import_onnx(w::model(parts), {});
        QVERIFY(imported);
        Result<RunReport> report = run_module(std::make_shared<const Module>(std::move(imported->module)), {});
        QVERIFY(!report);
        const std::string& message = report.error().message;
        QVERIFY2(message.find("Op109") != std::string::npos && message.ends_with("; and 3 more"), message.c_str());
    }

    void namesInMessagesStayOnOneLine() {
        w::GraphParts parts{{w::node("Un\nheard", {"x"}, {"y"}, {}, "no\nde.onnx: error: spoofed", "do\nmain")},
                            {},
                            {w::value_info("x", {2, 3})},
                            {w::value_info("y", {4})}};
        Result<OnnxImport> imported = import_onnx(w::model(parts), {});
        QVERIFY(imported);
        QCOMPARE(imported->notes.size(), size_t(1));
        QVERIFY2(imported->notes[0].message.find('\n') == std::string::npos, imported->notes[0].message.c_str());
        Result<RunReport> report = run_module(std::make_shared<const Module>(std::move(imported->module)), {});
        QVERIFY(!report);
        QVERIFY2(report.error().message.find('\n') == std::string::npos, report.error().message.c_str());
        w::GraphParts missing = relu_graph();
        missing.nodes = {w::node("Relu", {"no\nwhere"}, {"y"})};
        QVERIFY(refusal(w::model(missing)).find('\n') == std::string::npos);
    }

    void functionsAreInlined() {
        std::string body = w::node("Add", {"a", "a"}, {"t"}), body2 = w::node("Relu", {"t"}, {"b"});
        std::string function = w::bytes(1, "Twice") + w::bytes(4, "a") + w::bytes(5, "b") + w::bytes(7, body) +
                               w::bytes(7, body2) + w::bytes(9, w::number(2, 13)) + w::bytes(10, "mine");
        w::GraphParts parts{
            {w::node("Twice", {"x"}, {"y"}, {}, "", "mine")}, {}, {w::value_info("x", {2})}, {w::value_info("y", {2})}};
        Result<OnnxImport> imported = import_onnx(w::model(parts, 13, w::bytes(25, function)), {});
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QVERIFY(imported->unsupported.empty());
        QCOMPARE(op_of_output(imported->module)->name, std::string("nn.relu"));
    }

    void aFunctionGivenMoreThanItTakesIsRefused() {
        const std::string function =
            w::bytes(25, w::bytes(1, "twice") + w::bytes(4, "a") + w::bytes(5, "b") +
                             w::bytes(7, w::node("Add", {"a", "a"}, {"b"})) + w::bytes(10, "own"));
        w::GraphParts parts = relu_graph();
        parts.nodes = {w::node("twice", {"x", "x"}, {"y"}, {}, "", "own")};
        QCOMPARE(refusal(w::model(parts, 13, function)),
                 std::string("the function 'twice' has 1 inputs and 1 outputs, but a node gives it 2 and wants 1"));
        parts.nodes = {w::node("twice", {"x"}, {"y", "z"}, {}, "", "own")};
        QCOMPARE(refusal(w::model(parts, 13, function)),
                 std::string("the function 'twice' has 1 inputs and 1 outputs, but a node gives it 1 and wants 2"));
    }

    /// Returns functions, each of which calls the one before ten times.
    static std::string laughing(const std::string& innermost, int depth) {
        const auto function = [](const std::string& name, const std::vector<std::string>& nodes) {
            std::string text = w::bytes(1, name) + w::bytes(4, "t0") + w::bytes(5, "t" + std::to_string(nodes.size()));
            for (const std::string& node : nodes) text += w::bytes(7, node);
            return w::bytes(25, text + w::bytes(9, w::number(2, 13)) + w::bytes(10, "own"));
        };
        std::string functions = function("f0", {innermost});
        for (int i = 1; i <= depth; ++i) {
            std::vector<std::string> calls;
            for (int k = 0; k < 10; ++k)
                calls.push_back(w::node("f" + std::to_string(i - 1), {"t" + std::to_string(k)},
                                        {"t" + std::to_string(k + 1)}, {}, "", "own"));
            functions += function("f" + std::to_string(i), calls);
        }
        w::GraphParts parts = relu_graph();
        parts.nodes = {w::node("f" + std::to_string(depth), {"x"}, {"y"}, {}, "", "own")};
        return w::model(parts, 13, functions);
    }

    /// A few bytes that expand to millions of nodes, or to fewer that are large.
    void aModelThatUnfoldsTooFarIsRefused() {
        QVERIFY(refusal(laughing(w::node("Relu", {"t0"}, {"t1"}), 7)).find("unfolds to over 2000001 nodes") !=
                std::string::npos);
        std::string texts = w::bytes(1, "texts") + w::number(20, 8);
        for (int i = 0; i < 64; ++i) texts += w::bytes(9, std::string(10000, 'x'));
        QVERIFY(refusal(laughing(w::node("Nothing", {"t0"}, {"t1"}, {texts}), 4)).find("unfolds to over 2000") !=
                std::string::npos);
        QVERIFY(import_onnx(laughing(w::node("Relu", {"t0"}, {"t1"}), 3), {}));
    }

    /// Names that are alike in Relay once took quadratic time: 12 s for these.
    void manyInputsOfOneNameAreNamedApart() {
        constexpr int kInputs = 10000;
        w::GraphParts parts;
        for (int i = 0; i < kInputs; ++i) {
            const std::string name = "x" + QString(QChar(0x4e00 + i)).toStdString();
            parts.inputs.push_back(w::value_info(name, {1}));
        }
        parts.nodes = {w::node("Relu", {"x" + QString(QChar(0x4e00)).toStdString()}, {"y"})};
        parts.outputs = {w::value_info("y", {1})};
        QElapsedTimer timer;
        timer.start();
        const Result<OnnxImport> imported = import_onnx(w::model(parts), {});
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QVERIFY2(timer.elapsed() < 3000, qPrintable(QString::number(timer.elapsed())));
        std::set<std::string_view> names;
        for (ExprId parameter : imported->module.parameters(imported->module.find_function("main")))
            names.insert(imported->module.name(parameter));
        QCOMPARE(names.size(), size_t(kInputs));
    }

    /// The same bytes of the file, in each iteration of a loop and each call of a function.
    void aConstantThatIsRepeatedIsHeldOnce() {
        std::string raw;
        for (float value : {1.0f, 2.0f}) raw.append(reinterpret_cast<const char*>(&value), 4);
        const std::string weight = w::number(1, 2) + w::number(2, 1) + w::bytes(8, "w") + w::bytes(9, raw);
        const std::string held = w::bytes(1, "value") + w::bytes(5, weight) + w::number(20, 4);
        const std::string function = w::bytes(25, w::bytes(1, "f") + w::bytes(4, "a") + w::bytes(5, "b") +
                                                      w::bytes(7, w::node("Constant", {}, {"k"}, {held})) +
                                                      w::bytes(7, w::node("Add", {"a", "k"}, {"b"})) +
                                                      w::bytes(9, w::number(2, 13)) + w::bytes(10, "own"));
        w::GraphParts parts{{w::node("f", {"x"}, {"t"}, {}, "", "own"), w::node("f", {"t"}, {"y"}, {}, "", "own")},
                            {},
                            {w::value_info("x", {2})},
                            {w::value_info("y", {2})}};
        const Result<OnnxImport> imported = import_onnx(w::model(parts, 13, function), {});
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        const Module& module = imported->module;
        const ExprId second = module.body(module.find_function("main")), first = module.arguments(second)[0];
        const Tensor &one = module.constant(module.arguments(first)[1]),
                     &other = module.constant(module.arguments(second)[1]);
        QCOMPARE(one.at(1), 2.0);
        QVERIFY(one.bytes() == other.bytes());
    }

    /// A few bytes that take hours to compute stay calls.
    void whatIsTooMuchWorkIsNotComputedWhileTheModelIsRead() {
        w::GraphParts parts{{w::node("ConstantOfShape", {"s"}, {"a"}), w::node("MatMul", {"a", "a"}, {"b"}),
                             w::node("Add", {"x", "b"}, {"y"})},
                            {w::integers("s", {3000, 3000})},
                            {w::value_info("x", {3000, 3000})},
                            {w::value_info("y", {3000, 3000})}};
        QElapsedTimer timer;
        timer.start();
        const Result<OnnxImport> imported = import_onnx(w::model(parts), {});
        QVERIFY2(imported && imported->unsupported.empty(), imported ? "" : imported.error().message.c_str());
        QVERIFY2(timer.elapsed() < 3000, qPrintable(QString::number(timer.elapsed())));
        const Module& module = imported->module;
        QVERIFY(module.kind(module.arguments(module.body(module.find_function("main")))[1]) == ExprKind::Call);
        // Smaller ones are computed until their sum is too large.
        parts.initializers = {w::integers("s", {100, 100})};
        parts.inputs = {w::value_info("x", {100, 100})};
        const Result<OnnxImport> small = import_onnx(w::model(parts), {});
        QVERIFY(small && small->module.kind(small->module.arguments(
                             small->module.body(small->module.find_function("main")))[1]) == ExprKind::Constant);
    }

    void operatorSetsThatAreNotKnownBringAWarning() {
        for (int opset : {0, 1, 6, 999}) {
            Result<OnnxImport> imported = import_onnx(w::model(relu_graph(), opset), {});
            QVERIFY2(imported && imported->notes.size() == 1 && imported->notes[0].severity == Severity::Warning,
                     qPrintable(QString::number(opset)));
        }
        QVERIFY(import_onnx(w::model(relu_graph(), 13), {})->notes.empty());
    }

    void recursionInFunctionsIsRefused() {
        std::string body = w::node("Loop_", {"a"}, {"b"}, {}, "", "mine");
        std::string function =
            w::bytes(1, "Loop_") + w::bytes(4, "a") + w::bytes(5, "b") + w::bytes(7, body) + w::bytes(10, "mine");
        w::GraphParts parts{
            {w::node("Loop_", {"x"}, {"y"}, {}, "", "mine")}, {}, {w::value_info("x", {2})}, {w::value_info("y", {2})}};
        QVERIFY(refusal(w::model(parts, 13, w::bytes(25, function))).find("calls itself") != std::string::npos);
    }

    void badFilesAreRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("message");
        auto row = [](const char* name, const std::string& bytes, const char* message) {
            QTest::newRow(name) << QByteArray(bytes.data(), qsizetype(bytes.size())) << QString(message);
        };
        w::GraphParts good = relu_graph(), bad = good;
        row("empty", "", "empty");
        row("noGraph", w::number(1, 7), "no graph");
        row("truncated", w::model(good).substr(0, w::model(good).size() - 5), "damaged");
        row("wrongWireType", w::number(1, 7) + w::number(7, 3), "damaged");
        bad.nodes = {w::node("Relu", {"nowhere"}, {"y"})};
        row("undefinedInput", w::model(bad), "not defined before it");
        bad.nodes = {w::node("Relu", {"b"}, {"a"}), w::node("Relu", {"a"}, {"b"})};
        row("cycle", w::model(bad), "cycle");
        bad.nodes = {w::node("Relu", {"x"}, {"y"}), w::node("Tanh", {"x"}, {"y"})};
        row("duplicateName", w::model(bad), "defined twice");
        bad = good;
        bad.outputs = {w::value_info("z", {1})};
        row("missingOutput", w::model(bad), "output 'z' is not defined");
        bad = good;
        bad.inputs = {w::value_info("x", {int64_t(1) << 40, int64_t(1) << 40})};
        row("hugeDimension", w::model(bad), "impossible shape");
        bad = good;
        bad.initializers = {w::tensor("w", {1000, 1000, 1000}, {1})};
        row("tooFewBytes", w::model(bad), "needs 4000000000 bytes");
        bad.initializers = {w::tensor("w", {-4}, {1})};
        row("negativeDimension", w::model(bad), "negative dimension -4");
        bad = good;
        bad.inputs.push_back(bad.inputs[0]);
        row("duplicateInput", w::model(bad), "input 'x' is defined twice");
        bad = good;
        bad.initializers = {w::tensor("w", {int64_t(1) << 31, int64_t(1) << 31, 4}, {1})};
        row("overflowingCount", w::model(bad), "impossible shape");
        std::string function = w::bytes(25, w::bytes(1, "F") + w::bytes(4, "a") + w::bytes(5, "b") +
                                                w::bytes(7, w::node("Relu", {"a"}, {"b"})) + w::bytes(10, "own"));
        row("duplicateFunction", w::model(good, 13, function + function), "function 'F' is defined twice");
        row("gigabytesThatAreNotThere", w::number(1, 7) + w::varint(2 << 3 | 2) + w::varint(1 << 30) + "abc",
            "damaged");
        std::string nested = w::graph(good);
        for (int i = 0; i < 100; ++i) {
            w::GraphParts outer = good;
            outer.nodes = {w::node("If", {"x"}, {"y"}, {w::graph_attribute("then_branch", nested)})};
            nested = w::graph(outer);
        }
        row("deepNesting", w::number(1, 7) + w::bytes(7, nested), "nested");
    }
    void badFilesAreRefused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, message);
        std::string said = refusal(bytes.toStdString());
        QVERIFY2(QString::fromStdString(said).contains(message), said.empty() ? "it was taken" : said.c_str());
    }

    void externalDataStaysInsideTheFolder_data() {
        QTest::addColumn<QString>("location");
        QTest::addColumn<bool>("good");
        QTest::newRow("beside") << "weights.bin" << true;
        QTest::newRow("parent") << "../secret.bin" << false;
        QTest::newRow("absolute") << "/etc/passwd" << false;
        QTest::newRow("link") << "link.bin" << false;
        QTest::newRow("missing") << "nowhere.bin" << false;
    }
    void externalDataStaysInsideTheFolder() {
        QFETCH(QString, location);
        QFETCH(bool, good);
        QTemporaryDir folder;
        std::string root = folder.path().toStdString() + "/model";
        std::filesystem::create_directory(root);
        std::vector<float> values{1, 2, 3, 4};
        std::string raw(reinterpret_cast<const char*>(values.data()), 16);
        std::ofstream(root + "/weights.bin", std::ios::binary) << raw;
        std::ofstream(root + "/../secret.bin", std::ios::binary) << raw;
        std::filesystem::create_symlink("../secret.bin", root + "/link.bin");
        std::string tensor = w::number(1, 4) + w::number(2, 1) + w::bytes(8, "w") +
                             w::bytes(13, w::bytes(1, "location") + w::bytes(2, location.toStdString())) +
                             w::number(14, 1);
        w::GraphParts parts{
            {w::node("Add", {"x", "w"}, {"y"})}, {tensor}, {w::value_info("x", {4})}, {w::value_info("y", {4})}};
        OnnxOptions options;
        options.file = root + "/model.onnx";
        Result<OnnxImport> imported = import_onnx(w::model(parts), options);
        QCOMPARE(bool(imported), good);
        if (!good) return;
        ExprId add = imported->module.body(imported->module.find_function("main"));
        QCOMPARE(imported->module.constant(imported->module.arguments(add)[1]).at(2), 3.0);
    }

    void manyFilesBesideTheModelAreNotAllKeptOpen() {
        constexpr int kFiles = 80, kElements = 30000;
        QTemporaryDir folder;
        w::GraphParts parts{{}, {}, {w::value_info("x", {kElements})}, {w::value_info("y", {kElements})}};
        for (int i = 0; i < kFiles; ++i) {
            std::string file = std::to_string(i) + ".bin", last = i ? "s" + std::to_string(i) : "x";
            std::vector<float> values(kElements, float(i));
            QVERIFY(write_file(folder.filePath(file.c_str()).toStdString(),
                               {reinterpret_cast<const char*>(values.data()), 4 * values.size()}));
            parts.initializers.push_back(w::number(1, kElements) + w::number(2, 1) + w::bytes(8, "w" + file) +
                                         w::bytes(13, w::bytes(1, "location") + w::bytes(2, file)) + w::number(14, 1));
            parts.nodes.push_back(
                w::node("Add", {last, "w" + file}, {i + 1 < kFiles ? "s" + std::to_string(i + 1) : "y"}));
        }
        const std::string path = folder.filePath("model.onnx").toStdString();
        QVERIFY(write_file(path, w::model(parts)));
        auto open_files = [] {
            return QDir("/proc/self/fd").entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot).size();
        };
        const auto before = open_files();
        Result<OpenedModule> opened = open_module(path, {});
        QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
        QVERIFY2(open_files() > before && open_files() <= before + 64,
                 qPrintable(QString("%1 more files are open").arg(open_files() - before)));
        const Module& module = *opened->module;
        double sum = 0;
        for (uint32_t i = 0; i < module.size(); ++i)
            if (module.kind(ExprId(i)) == ExprKind::Constant) sum += module.constant(ExprId(i)).at(kElements - 1);
        QCOMPARE(sum, kFiles * (kFiles - 1) / 2.0);
    }

    void largeWeightsAreReadWhenTheyAreWanted_data() {
        QTest::addColumn<bool>("beside");
        QTest::newRow("in the model") << false;
        QTest::newRow("beside the model") << true;
    }
    void largeWeightsAreReadWhenTheyAreWanted() {
        QFETCH(bool, beside);
        QTemporaryDir folder;
        const std::string path = folder.filePath("model.onnx").toStdString();
        const std::string data = beside ? folder.filePath("weights.bin").toStdString() : path;
        const auto write = [&] {
            std::vector<float> values(100000);
            for (size_t i = 0; i < values.size(); ++i) values[i] = float(i);
            std::string raw(reinterpret_cast<const char*>(values.data()), 4 * values.size());
            const std::string head = w::number(1, 100000) + w::number(2, 1) + w::bytes(8, "w");
            const std::string outside =
                w::bytes(13, w::bytes(1, "location") + w::bytes(2, "weights.bin")) + w::number(14, 1);
            w::GraphParts parts{{w::node("Add", {"x", "w"}, {"y"})},
                                {head + (beside ? outside : w::bytes(9, raw))},
                                {w::value_info("x", {100000})},
                                {w::value_info("y", {100000})}};
            if (beside) QVERIFY(write_file(data, raw));
            QVERIFY(write_file(path, w::model(parts)));
        };
        const auto weights = [](const Module& module) {
            return module.constant(module.arguments(module.body(module.find_function("main")))[1]);
        };
        write();
        Result<OpenedModule> opened = open_module(path, {});
        QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
        // A different file of the same name counts as another one.
        QVERIFY(write_file(data, "other"));
        QCOMPARE(weights(*opened->module).at(0), 0.0);
        QCOMPARE(weights(*opened->module).at(99999), 99999.0);

        // What is one file's is compared without reading it: when the file has changed, nothing could be read.
        write();
        opened = open_module(path, {});
        Result<OpenedModule> again = open_module(path, {});
        QVERIFY(opened && again);
        std::filesystem::resize_file(data, 4096);
        QCOMPARE(diff_modules(*opened->module, *again->module).same, size_t(3));
        write();
        again = open_module(path, {});
        QVERIFY(again);
        QVERIFY_THROWS_EXCEPTION(DataLost, (void)diff_modules(*opened->module, *again->module));

        // A change of the file by another program is reported; with a mapping it would kill the process.
        write();
        opened = open_module(path, {});
        QVERIFY(opened);
        std::filesystem::resize_file(data, 4096);
        QVERIFY_THROWS_EXCEPTION(DataLost, (void)weights(*opened->module).at(99999));
        Result<RunReport> report = run_module(opened->module, {});
        QVERIFY(!report);
        QVERIFY2(report.error().message.find("has changed since it was opened") != std::string::npos,
                 report.error().message.c_str());
    }

    void whatIsComputedFromWeightsWaitsUntilItIsWanted() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("model.onnx").toStdString();
        std::vector<float> values(size_t(200) * 300);
        for (size_t i = 0; i < values.size(); ++i) values[i] = float(i);
        const std::string raw(reinterpret_cast<const char*>(values.data()), 4 * values.size());
        w::GraphParts parts{
            {w::node("MatMul", {"x", "w"}, {"y"})},
            {w::number(1, 200) + w::number(1, 300) + w::number(2, 1) + w::bytes(8, "w") + w::bytes(9, raw)},
            {w::value_info("x", {2, 200})},
            {w::value_info("y", {2, 300})}};
        QVERIFY(write_file(path, w::model(parts)));
        Result<OpenedModule> opened = open_module(path, {});
        QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
        // The product takes the transposed matrix.
        const Module& module = *opened->module;
        const Tensor& matrix = module.constant(module.arguments(module.body(module.find_function("main")))[1]);
        QCOMPARE(matrix.shape(), (std::vector<int64_t>{300, 200}));
        QVERIFY(!matrix.in_memory());
        // One look, as an exporter takes it, keeps nothing.
        QCOMPARE(static_cast<const float*>(matrix.lent_bytes().get())[1], 300.0f);
        QVERIFY(!matrix.in_memory());
        QVERIFY(!print_relay(module).empty());
        QVERIFY(!matrix.in_memory());
        QCOMPARE(matrix.at(200), 1.0);
        QVERIFY(matrix.in_memory());
        QCOMPARE(matrix.at(1), 300.0);
        // Its operand is read again where it is needed, and missed where the file is another one.
        opened = open_module(path, {});
        QVERIFY(opened);
        std::filesystem::resize_file(path, 4096);
        Result<RunReport> report = run_module(opened->module, {});
        QVERIFY(!report);
        QVERIFY2(report.error().message.find("has changed since it was opened") != std::string::npos,
                 report.error().message.c_str());
    }

    void aStackThatIsTransposedForItsProductStaysAsItIs() {
        const auto products_of = [](const std::vector<int64_t>& axes) {
            w::GraphParts parts{{w::node("Transpose", {"k"}, {"t"}, {w::list_attribute("perm", axes)}),
                                 w::node("MatMul", {"q", "t"}, {"y"})},
                                {},
                                {w::value_info("q", {2, 3, 4, 5}), w::value_info("k", {2, 3, 5, 5})},
                                {w::value_info("y", {2, 3, 4, 5})}};
            const Result<OnnxImport> imported = import_onnx(w::model(parts), {});
            return imported ? print_relay(imported->module) : imported.error().message;
        };
        const std::string swapped = products_of({0, 1, 3, 2});
        QVERIFY2(swapped.find("transpose_b=True") != std::string::npos, swapped.c_str());
        QVERIFY2(swapped.find("transpose(") == std::string::npos, swapped.c_str());
        const std::string kept = products_of({0, 1, 2, 3});
        QVERIFY2(kept.find("transpose(") != std::string::npos, kept.c_str());
        QVERIFY2(kept.find("transpose_b") == std::string::npos, kept.c_str());
    }

    void aFileThatChangesWhileItIsOpenedIsRefused() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("model.onnx").toStdString();
        const std::string model = w::model(relu_chain(20000));
        QVERIFY(write_file(path, model));
        OnnxOptions options;
        options.file = path;
        const auto opened = [&path] { return SourceFile::open(path); };
        Result<std::shared_ptr<const SourceFile>> file = opened();
        QVERIFY(file);
        QVERIFY(import_onnx(*file, options));

        // Truncated between opening and parsing; touching a mapping would kill the process here.
        std::filesystem::resize_file(path, 5000);
        Result<OnnxImport> shortened = import_onnx(*file, options);
        QVERIFY(!shortened);
        QCOMPARE(shortened.error().to_string(),
                 path + ": error: the file has changed since it was opened; open it again");
        // Overwritten with the same number of bytes.
        QVERIFY(file = opened());
        std::ofstream(path, std::ios::binary | std::ios::in) << "other";
        std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds(1));
        QVERIFY(!import_onnx(*file, options));
    }

    void aFileThatIsShortenedWhileItIsReadNeverCrashes_data() {
        QTest::addColumn<QByteArray>("bytes");
        const std::string model = w::model(relu_chain(20000));
        QTest::newRow("onnx") << QByteArray(model.data(), qsizetype(model.size()));
        QByteArray text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) {\n";
        for (int i = 0; i < 20000; ++i)
            text += "  %" + QByteArray::number(i) + " = exp(" +
                    (i ? "%" + QByteArray::number(i - 1) : QByteArray("%x")) + ");\n";
        QTest::newRow("text") << text + "  exp(%19999)\n}\n";
    }
    void aFileThatIsShortenedWhileItIsReadNeverCrashes() {
        QFETCH(QByteArray, bytes);
        QTemporaryDir folder;
        const std::string path = folder.filePath("model").toStdString();
        std::atomic<bool> done = false;
        std::thread writer([&] {
            while (!done) {
                std::ofstream(path, std::ios::binary) << bytes.toStdString();  // truncates it first
                std::filesystem::resize_file(path, 5000);
            }
        });
        int taken = 0, refused = 0;
        for (int turn = 0; turn < 300; ++turn) {
            Result<OpenedModule> module = open_module(path);
            if (!module) QCOMPARE(module.error().file, path);
            ++(module ? taken : refused);
        }
        done = true;
        writer.join();
        qInfo("%d times the file was taken, %d refused", taken, refused);
        QVERIFY(refused > 0);
    }

    void onlyTheStructureOfAFileIsRead() {
        // Reading touches no page of 4 GiB of weights, which are holes in the file.
        constexpr size_t kWeights = size_t(1) << 30;
        QTemporaryDir folder;
        const std::string path = folder.filePath("model.onnx").toStdString();
        const std::string head =
            w::number(1, 1 << 28) + w::number(2, 1) + w::bytes(8, "w") + w::varint(9 << 3 | 2) + w::varint(kWeights);
        const std::string after = w::bytes(12, w::value_info("y", {2, 3})) + w::bytes(11, w::value_info("x", {2, 3})) +
                                  w::bytes(1, w::node("Relu", {"x"}, {"y"}));
        const std::string tensor = w::varint(5 << 3 | 2) + w::varint(head.size() + kWeights) + head;
        const std::string start = w::number(1, 7) + w::bytes(8, w::number(2, 13)) + w::varint(7 << 3 | 2) +
                                  w::varint(4 * (tensor.size() + kWeights) + after.size());
        std::ofstream file(path, std::ios::binary);
        file << start;
        for (char name : {'a', 'b', 'c', 'd'}) {
            std::string named = tensor;
            named[named.find('w')] = name;
            file << named;
            file.seekp(std::streamoff(kWeights), std::ios::cur);
        }
        file << after;
        file.close();
        rusage before, later;
        getrusage(RUSAGE_SELF, &before);
        Result<OpenedModule> opened = open_module(path);
        getrusage(RUSAGE_SELF, &later);
        QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
        QVERIFY2(later.ru_maxrss - before.ru_maxrss < 20'000,
                 QByteArray::number(qint64(later.ru_maxrss - before.ru_maxrss)));
        QCOMPARE(op_of_output(*opened->module)->name, std::string("nn.relu"));
    }

    void parsingStopsWhereItIsCancelled() {
        const std::string model = w::model(relu_chain(20000));
        onnx::ModelBytes bytes(model);
        CancelToken cancelled;
        cancelled.cancel();
        Result<onnx::Model> parsed = onnx::parse_model(bytes, cancelled);
        QVERIFY(!parsed);
        QCOMPARE(parsed.error().message, std::string("cancelled"));
    }

    void damagedBytesNeverCrash() {
        w::GraphParts parts{{w::node("Conv", {"x", "w"}, {"c"}, {w::attribute("group", 1)}),
                             w::node("Relu", {"c"}, {"r"}), w::node("Reshape", {"r", "s"}, {"y"})},
                            {w::tensor("w", {2, 1, 3, 3}, std::vector<float>(18, 0.5f)), w::integers("s", {1, -1})},
                            {w::value_info("x", {1, 1, 8, 8})},
                            {w::value_info("y", {1, 72})}};
        std::string bytes = w::model(parts);
        QVERIFY(import_onnx(bytes, {}));
        for (size_t i = 0; i < bytes.size(); ++i) {
            (void)import_onnx(std::string_view(bytes).substr(0, i), {});
            for (int flip : {0x01, 0x08, 0x80, 0xff}) {
                std::string damaged = bytes;
                damaged[i] = char(damaged[i] ^ flip);
                (void)import_onnx(damaged, {});
            }
        }
    }

    void realFilesDamagedAtRandomNeverCrash() {
        std::vector<std::string> tests = find_onnx_tests("/usr/share/libonnx-testdata/data");
        if (tests.empty()) QSKIP("Debian's libonnx-testdata is not installed");
        std::mt19937 random(1);
        auto below = [&](size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(random); };
        int taken = 0, refused = 0;
        for (const std::string& test : tests) {
            Result<std::string> bytes = read_file(test + "/model.onnx");
            if (!bytes || bytes->size() > 200'000) continue;
            for (int turn = 0; turn < 6; ++turn) {
                std::string damaged = *bytes;
                if (turn == 0) damaged.resize(below(damaged.size()));
                for (int flip = 0; turn > 0 && flip < (1 << turn) / 2; ++flip)
                    damaged[below(damaged.size())] ^= char(1 << below(8));
                ++(import_onnx(damaged, {}) ? taken : refused);
            }
        }
        qInfo("%d damaged files were taken, %d refused", taken, refused);
        QVERIFY(taken + refused > 5000);
    }

    void anUnknownConditionKeepsBothBranches() {
        auto branch = [](const char* op) {
            return w::graph({{w::node(op, {"x"}, {"r"})}, {}, {}, {w::value_info("r", {2, 3})}});
        };
        w::GraphParts parts{{w::node("If", {"c"}, {"y"},
                                     {w::graph_attribute("then_branch", branch("Exp")),
                                      w::graph_attribute("else_branch", branch("Relu"))})},
                            {},
                            {w::value_info("c", {}, 9), w::value_info("x", {2, 3})},
                            {w::value_info("y", {2, 3})}};
        OnnxOptions options;
        options.strict = true;
        Result<OnnxImport> imported = import_onnx(w::model(parts), options);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        auto module = std::make_shared<const Module>(std::move(imported->module));
        QVERIFY(module->kind(module->body(module->find_function("main"))) == ExprKind::If);
        for (bool condition : {true, false}) {
            RunOptions run;
            run.inputs["c"] = Tensor(kBool, {});
            run.inputs["c"].set(0, condition);
            run.inputs["x"] = Tensor(kFloat32, {2, 3});
            Result<RunReport> report = run_module(module, run);
            QVERIFY2(report, report ? "" : report.error().message.c_str());
            QCOMPARE(report->outputs[0].at(0), condition ? 1.0 : 0.0);
        }
    }

    /// A shape of ten thousand dimensions in the file once produced gigabytes of printed types.
    void aLargeTypeOfManyNodesIsBounded() {
        constexpr size_t kRank = 10000, kNodes = 5000;
        w::GraphParts parts{{w::node("Reshape", {"x", "s"}, {"0"})},
                            {w::integers("s", std::vector<int64_t>(kRank, 1))},
                            {w::value_info("x", {1})},
                            {w::value_info("last", {1})}};
        for (size_t i = 1; i < kNodes; ++i)
            parts.nodes.push_back(
                w::node("Relu", {std::to_string(i - 1)}, {i + 1 < kNodes ? std::to_string(i) : "last"}));
        const Result<OnnxImport> imported = import_onnx(w::model(parts), {});
        QVERIFY(!imported);
        QVERIFY2(imported.error().message.find("tensors and dimensions in all") != std::string::npos,
                 imported.error().message.c_str());
    }

    void opaqueNodesKeepTheirAttributes() {
        w::GraphParts parts{{w::node("Unheard", {"x"}, {"y"}, {w::attribute("count", 3)}, "", "own")},
                            {},
                            {w::value_info("x", {2, 3})},
                            {w::value_info("y", {4})}};
        Result<OnnxImport> imported = import_onnx(w::model(parts), {});
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        const Module& module = imported->module;
        AttributesView attributes = attributes_of(module, module.body(module.find_function("main")));
        QCOMPARE(attributes["node_attributes"].to_string(), std::string("[[\"count\", \"int\", \"3\"]]"));
    }

    void lightModelsGiveTheirExpectedOutput_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"bvlc_alexnet", "densenet121", "inception_v1", "resnet50", "squeezenet"})
            QTest::newRow(name) << name;
    }
    void lightModelsGiveTheirExpectedOutput() {
        QFETCH(QString, name);
        std::string stem = reference_folder() + "/onnx-light/light_" + name.toStdString();
        if (!std::filesystem::exists(stem + ".onnx")) QSKIP("no reference data beside the project");
        Result<OpenedModule> opened = open_module(stem + ".onnx");
        QVERIFY2(opened, opened ? "" : opened.error().to_string().c_str());
        Result<std::string> bytes = read_file(stem + "_output_0.pb");
        QVERIFY(bytes);
        Result<onnx::TensorProto> proto = onnx::parse_tensor(*bytes);
        QVERIFY(proto);
        Result<Tensor> expected = onnx::tensor_value(*proto, {});
        QVERIFY(expected);
        const Module& module = *opened->module;
        ExprId input = module.parameters(module.find_function("main"))[0];
        auto shape = module.types().shape(module.type(input));
        // ONNX's test input for the light models: element i is i / size (backend/test/runner).
        Tensor data(kFloat32, {shape.begin(), shape.end()});
        for (int64_t i = 0; i < data.size(); ++i) data.data<float>()[i] = float(double(i) / double(data.size()));
        RunOptions options;
        options.inputs[std::string(module.name(input))] = data;
        options.warmup = 0;
        options.repeat = 1;
        Result<RunReport> report = run_module(opened->module, options);
        QVERIFY2(report, report ? "" : report.error().to_string().c_str());
        std::vector<OutputDifference> off = compare_outputs(report->outputs, {*expected}, 1e-3);
        QVERIFY2(off[0].within_tolerance, QByteArray::number(off[0].max_rel_error));
    }
};

QTEST_GUILESS_MAIN(TestOnnxImport)
#include "test_onnx_import.moc"
