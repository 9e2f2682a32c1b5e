// ONNX import: the modules that models become.
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <set>

#include "engine/frontends/onnx/builder.h"
#include "engine/frontends/onnx/model.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ir/traversal.h"
#include "engine/ops/foreign.h"
#include "engine/passes/lower_whole_operators.h"
#include "engine/runtime/run.h"
#include "engine/session/session.h"
#include "engine/support/file.h"
#include "tests/engine/onnx_testing.h"
#include "tests/engine/op_testing.h"
#include "tests/engine/same_outputs.h"
#include "tests/registry.h"

namespace test_onnx_import {

using namespace partita;
using partita::testing::message_of;
using partita::testing::outputs_of;
namespace w = onnx_writer;

namespace {

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
    /// 2 GiB, and four times what the file gives.
    void soMuchIsComputedWhileAFileIsRead() {
        constexpr int64_t kMiB = int64_t(1) << 20;
        const auto taken = [](int64_t given, int64_t each) {
            Module module;
            partita::onnx::Builder builder(module);
            builder.note_given(given);
            int64_t count = 0;
            while (count < 10000 && builder.may_hold(kUInt8, std::array{each})) ++count;
            return count;
        };
        QCOMPARE(taken(0, 512 * kMiB), int64_t(4));
        QCOMPARE(taken(0, 1024 * kMiB), int64_t(2));
        QCOMPARE(taken(0, 1024 * kMiB + 1), int64_t(0));  // nothing that large
        QCOMPARE(taken(0, 768 * kMiB), int64_t(2));
        QCOMPARE(taken(256 * kMiB, 768 * kMiB), int64_t(4));
    }

    void nodesKeepTheirNamesAsLabels() {
        Result<OnnxImport> imported = import_onnx(w::model(relu_graph()), {});
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        const Module& module = imported->module;
        ExprId body = module.body(module.find_function("main"));
        QCOMPARE(called_op_record(module, body)->name, std::string("nn.relu"));
        QCOMPARE(module.label(body), std::string_view("first"));
        QVERIFY(module.typed());
    }

    void aRealAttributeHasTheDigitsThatTheFileMeans() {
        const std::string alpha = w::bytes(1, "alpha") + w::real(2, 0.003F) + w::number(20, 1);
        constexpr int kDouble = 11;
        for (const auto& [type, expected] : {std::pair(1, 0.003), {kDouble, double(0.003F)}}) {
            w::GraphParts parts{{w::node("LeakyRelu", {"x"}, {"y"}, {alpha})},
                                {},
                                {w::value_info("x", {2}, type)},
                                {w::value_info("y", {2}, type)}};
            const Result<OnnxImport> imported = import_onnx(w::model(parts), {});
            QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
            const Module& module = imported->module;
            QCOMPARE(attributes_of(module, module.body(module.find_function("main"))).real("alpha"), expected);
        }
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

    void unsupportedOpKeepsItsName() {
        w::GraphParts parts{{w::node("Frobnicate", {"x"}, {"y"}, {}, "odd", "com.example")},
                            {},
                            {w::value_info("x", {2, 3})},
                            {w::value_info("y", {4})}};
        Result<OnnxImport> imported = import_onnx(w::model(parts), {});
        QVERIFY(imported);
        QCOMPARE(op_of_output(imported->module)->name, std::string("Frobnicate"));
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

    void queriesKeysAndValuesMayBePacked() {
        const std::string heads = w::attribute("num_heads", 2);
        const auto module_of = [&](const std::vector<std::string>& inputs, const std::vector<std::string>& infos) {
            const w::GraphParts parts{{w::node("MultiHeadAttention", inputs, {"y"}, {heads}, "", "com.microsoft")},
                                      {},
                                      infos,
                                      {w::value_info("y", {1, 3, 8})}};
            return import_onnx(w::model(parts, 17, w::bytes(8, w::bytes(1, "com.microsoft") + w::number(2, 1))), {});
        };
        Tensor packed(kFloat32, {1, 3, 2, 3, 4});
        Tensor keys_and_values(kFloat32, {1, 3, 2, 2, 4});
        std::map<std::string, Tensor> apart;
        const char* const names[] = {"q", "k", "v"};
        for (const char* name : names) apart.emplace(name, Tensor(kFloat32, {1, 3, 8}));
        for (int64_t i = 0; i < packed.size(); ++i) {
            packed.set(i, std::sin(double(i)));
            apart.at(names[i / 4 % 3]).set(i / 12 * 4 + i % 4, std::sin(double(i)));
            if (const int64_t part = i / 4 % 3; part > 0)
                keys_and_values.set((i / 12 * 2 + part - 1) * 4 + i % 4, std::sin(double(i)));
        }
        const auto together = module_of({"x"}, {w::value_info("x", packed.shape())});
        const auto three = module_of({"q", "k", "v"}, {w::value_info("q", {1, 3, 8}), w::value_info("k", {1, 3, 8}),
                                                       w::value_info("v", {1, 3, 8})});
        QVERIFY2(bool(together) && together->unsupported.empty(), message_of(together).c_str());
        const auto two =
            module_of({"q", "kv"}, {w::value_info("q", {1, 3, 8}), w::value_info("kv", keys_and_values.shape())});
        QVERIFY2(bool(two) && two->unsupported.empty(), message_of(two).c_str());
        QVERIFY2(bool(three) && three->unsupported.empty(), message_of(three).c_str());
        const auto found = outputs_of(together->module, {{"x", packed}}), wanted = outputs_of(three->module, apart);
        QVERIFY2(bool(found) && bool(wanted), message_of(found).c_str());
        for (int64_t i = 0; i < 24; ++i) QCOMPARE((*found)[0].at(i), (*wanted)[0].at(i));
        const auto also = outputs_of(two->module, {{"q", apart.at("q")}, {"kv", keys_and_values}});
        QVERIFY2(bool(also), message_of(also).c_str());
        for (int64_t i = 0; i < 24; ++i) QCOMPARE((*also)[0].at(i), (*wanted)[0].at(i));
    }

    void numbersBeyondFloat8AreNoneWhereTheyAreNotCut() {
        w::GraphParts parts{{w::node("Cast", {"x"}, {"e"}, {w::attribute("to", 17), w::attribute("saturate", 0)}),
                             w::node("Cast", {"e"}, {"y"}, {w::attribute("to", 1)})},
                            {},
                            {w::value_info("x", {4})},
                            {w::value_info("y", {4})}};
        const auto imported = import_onnx(w::model(parts, 19), {});
        QVERIFY2(bool(imported), message_of(imported).c_str());
        Tensor x(kFloat32, {4});
        const double given[] = {448, -464, 480, -500};
        for (int i = 0; i < 4; ++i) x.set(i, given[i]);
        const auto found = outputs_of(imported->module, {{"x", x}});
        QVERIFY2(bool(found), message_of(found).c_str());
        QCOMPARE((*found)[0].at(0), 448.0);
        QCOMPARE((*found)[0].at(1), -448.0);
        QVERIFY(std::isnan((*found)[0].at(2)) && std::isnan((*found)[0].at(3)));
    }

    void boxesAndScoresOfOtherRanksAreRefused() {
        const w::GraphParts parts{{w::node("NonMaxSuppression", {"boxes", "scores", "most"}, {"y"})},
                                  {w::tensor("boxes", {1, 2, 4}, {0, 0, 1, 1, 0, 0, 2, 2}),
                                   w::tensor("scores", {1, 2}, {0.5F, 0.6F}), w::integers("most", {2})},
                                  {},
                                  {w::value_info("y", {2, 3}, 7)}};
        OnnxOptions strict;
        strict.strict = true;
        const std::string found = refusal(w::model(parts), strict);
        QVERIFY2(found.find("boxes and scores do not fit") != std::string::npos, found.c_str());
    }

    void aNameThatBeginsWithADigitBecomesOneOfRelay() {
        const w::GraphParts parts{
            {w::node("Relu", {"0/x"}, {"y"})}, {}, {w::value_info("0/x", {2})}, {w::value_info("y", {2})}};
        const auto imported = import_onnx(w::model(parts), {});
        QVERIFY2(bool(imported), message_of(imported).c_str());
        const std::string text = print_relay(imported->module);
        QVERIFY2(text.find("%v0_x") != std::string::npos, text.c_str());
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

    /// A loop whose end depends on data: its body is a function, what it takes from around it are the call's last
    /// inputs.
    void bodiesThatAreNotConvertedAreFunctions() {
        constexpr int kBool = 9;
        const std::string body =
            w::graph({{w::node("Add", {"state", "y"}, {"next"}, {}, "add"), w::node("Less", {"next", "x"}, {"less"}),
                       w::node("Own", {"again"}, {"other"}, {}, "own", "mine")},
                      {},
                      {w::value_info("turn", {}, 7), w::value_info("again", {}, kBool), w::value_info("state", {1})},
                      {w::value_info("less", {1}, kBool), w::value_info("next", {1}), w::value_info("other", {1})}});
        w::GraphParts graph{
            {w::node("Relu", {"x"}, {"y"}, {}, "relu"),
             w::node("Loop", {"", "on", "x"}, {"z", "all"}, {w::graph_attribute("body", body)}, "loop")},
            {},
            {w::value_info("x", {1}), w::value_info("on", {}, kBool)},
            {w::value_info("z", {1})}};
        Result<OnnxImport> imported = import_onnx(w::model(graph), {});
        QVERIFY2(imported, message_of(imported).c_str());
        const Module& module = imported->module;
        QCOMPARE(module.functions().size(), size_t(2));
        QCOMPARE(imported->unsupported.size(), size_t(2));  // each once, however often it was tried
        const ExprId call = module.operands(module.body(module.find_function("main")))[0];
        const std::vector<CallBody> bodies = bodies_of(module, call);
        QCOMPARE(bodies.size(), size_t(1));
        QCOMPARE(bodies[0].label, std::string("body"));
        QCOMPARE(bodies[0].captured, size_t(2));
        const std::span<const ExprId> parameters = module.parameters(bodies[0].function);
        QCOMPARE(parameters.size(), size_t(5));
        QVERIFY(!bodies[0].from[0].valid());  // the number of turns is left out
        QCOMPARE(module.name(bodies[0].from[1]), std::string_view("on"));
        QCOMPARE(module.name(bodies[0].from[2]), std::string_view("x"));
        QCOMPARE(module.label(bodies[0].from[3]), std::string_view("relu"));
        QCOMPARE(module.name(bodies[0].from[4]), std::string_view("x"));
        for (ExprId id : post_order(module, bodies[0].function))
            if (module.kind(id) == ExprKind::Var)
                QVERIFY(std::find(parameters.begin(), parameters.end(), id) != parameters.end());
        // The text has all of it.
        const Result<OpenedModule> again = open_text(print_relay(module), "text");
        QVERIFY2(bool(again), again ? "" : again.error().to_string().c_str());
        QCOMPARE(print_relay(*again->module), print_relay(module));
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
        QCOMPARE(attributes["node_attributes"].to_string(), std::string("[[\"count\", 3]]"));
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

PARTITA_TEST(TestOnnxImport)

}  // namespace test_onnx_import

#include "test_onnx_import.moc"
