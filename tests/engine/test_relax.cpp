// Relax text: the three dialects, faults with their places, and what is printed reads again as the same program.
#include <QtTest>

#include "engine/frontends/relax/printer.h"
#include "engine/frontends/relax/reader.h"
#include "engine/frontends/relax/to_module.h"
#include "engine/ops/registry.h"
#include "engine/runtime/run.h"
#include "engine/session/session.h"
#include "engine/support/base64.h"
#include "tests/engine/reference_data.h"
#include "tests/registry.h"

namespace test_relax {

using namespace partita;

namespace {

/// Writes ' for ".
std::string text_of(QByteArray text) { return text.replace('\'', '"').toStdString(); }

const QByteArray kHead = "@I.ir_module\nclass Module:\n    @R.function\n";

std::string function_of(const QByteArray& lines) {
    return text_of(
        kHead + "    def main(x: R.Tensor((2, 3), dtype='float32')) -> R.Tensor((2, 3), dtype='float32'):\n" + lines);
}

/// Returns what differs between two programs but for the names of variables; "" if nothing does.
QString difference(const relax::Program& a, const relax::Program& b) {
    if (a.functions.size() != b.functions.size() || a.prim_funcs != b.prim_funcs) return "other functions";
    for (const auto& function : a.functions) {
        const relax::Function* other = b.find(function->name);
        if (!other) return "no " + QString::fromStdString(function->name);
        const std::string one = structure_of(a, *function), two = structure_of(b, *other);
        if (one != two) return QString::fromStdString(one + "\n--- and\n" + two);
    }
    return {};
}

QString printed_and_read_again(const std::string& text) {
    const Result<relax::Program> program = relax::read(text);
    if (!program) return QString::fromStdString(program.error().to_string());
    const std::string printed = relax::print(*program);
    const Result<relax::Program> again = relax::read(printed);
    if (!again) return QString::fromStdString(again.error().to_string() + "\n" + printed);
    if (relax::print(*again) != printed) return "another text the second time";
    return difference(*program, *again);
}

std::string op_types(const Module& module) {
    std::string text;
    for (uint32_t i = 0; i < module.size(); ++i)
        if (const OpRecord* op = called_op_record(module, ExprId(i)))
            text += (text.empty() ? "" : " ") +
                    (op->name == "opaque" ? attributes_of(module, ExprId(i)).string("op_type") : op->name);
    return text;
}

std::string base64_of_floats(const std::vector<float>& values) {
    std::string bytes;
    const auto add = [&](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
    add(uint64_t(0xDD5E40F096B4A13F)), add(uint64_t(0)), add(int32_t(1)), add(int32_t(0)), add(int32_t(1));
    add(uint8_t(2)), add(uint8_t(32)), add(uint16_t(1)), add(int64_t(values.size())), add(int64_t(values.size() * 4));
    for (float value : values) add(value);
    std::string text;
    relay::Base64Writer writer(text);
    writer.write({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
    writer.finish();
    return text;
}

}  // namespace

class TestRelax : public QObject {
    Q_OBJECT

private slots:
    void everyDialectReadsAndPrintsTheSameAgain_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("symbolic sizes, calls of a PrimFunc")
            << "# from tvm.script import ir as I\n@I.ir_module\nclass Module:\n    @T.prim_func(private=True)\n"
               "    def relu(a: T.Buffer((2,), 'float32')):\n        # with T.block('root'):\n        T.evaluate(0)\n\n"
               "    @R.function\n    def main(x: R.Tensor(('n', 4), dtype='float32')) -> R.Tensor(('n * 4',), "
               "dtype='float32'):\n"
               "        n = T.int64()\n        cls = Module\n        with R.dataflow():\n"
               "            lv = R.call_tir(cls.relu, (x,), out_sinfo=R.Tensor((n, 4), dtype='float32'), "
               "tir_vars=R.shape([n]))\n"
               "            gv: R.Tensor((n * 4,), dtype='float32') = R.reshape(lv, R.shape([n * 4]))\n"
               "            R.output(gv)\n        return gv\n";
        QTest::newRow("v0.26")
            << "@I.ir_module\nclass Module:\n    @R.function\n"
               "    def main(x: R.Tensor((2, 3), dtype='float32'), k: T.int64, o: R.Any, s: R.Tensor(dtype='float32', "
               "ndim=2)) -> R.Tuple(R.Any, R.Tensor((2, 3), dtype='float32')):\n"
               "        with R.dataflow():\n            lv: R.Tensor((2, 3), dtype='float32') = R.clip(x, 0, "
               "T.float32(1.0))\n"
               "            lv1 = R.call_dps_packed('f', (lv,), out_ty=R.Tensor((2, 3), dtype='float32'))\n"
               "            R.output(lv1)\n        lv2: R.Any = R.call_packed('g', lv1, k, ty_args=(R.Any,))\n        "
               "return (lv2, lv1)\n";
        QTest::newRow("main of 2026-08")
            << "M = TypeVar('M')\n@I.ir_module\nclass Module:\n    @R.function\n"
               "    def main[M](x: R.Tensor((M, 3), dtype='float32')) -> R.Tensor((M, 3), dtype='float32'):\n"
               "        gv: R.Tensor((M, 3), dtype='float32') = R.nn.relu(x)\n        return gv\n";
        QTest::newRow("closures, if, match_cast, tuples")
            << "@I.ir_module\nclass Module:\n    I.module_attrs({'a': 1})\n    @R.function(pure=False)\n"
               "    def main(x: R.Tensor(dtype='float32', ndim=1), c: R.Tensor((), dtype='bool')) -> R.Tensor((3,), "
               "dtype='float32'):\n"
               "        y: R.Tensor((3,), dtype='float32') = R.match_cast(x, R.Tensor((3,), dtype='float32'))\n"
               "        # from tvm.script import relax as R\n        \n        @R.function\n"
               "        def inner(a: R.Tensor((3,), dtype='float32')) -> R.Tensor((3,), dtype='float32'):\n"
               "            R.func_attr({'Composite': 'b.add'})\n            gv: R.Tensor((3,), dtype='float32') = "
               "R.add(a, R.const(1.0, 'float32'))\n"
               "            return gv\n\n        if c:\n            z: R.Tensor((3,), dtype='float32') = inner(y)\n    "
               "        w: R.Tensor((3,), dtype='float32') = R.exp(z)\n"
               "        else:\n            w: R.Tensor((3,), dtype='float32') = R.negative(y)\n"
               "        t: R.Tuple(R.Tensor((3,), dtype='float32'), R.Tensor((3,), dtype='float32')) = w, y\n"
               "        u: R.Tensor((3,), dtype='float32') = t[1]\n        return u\n";
    }
    void everyDialectReadsAndPrintsTheSameAgain() {
        QFETCH(QString, text);
        QCOMPARE(printed_and_read_again(text_of(text.toUtf8())), QString());
        const Result<OpenedModule> opened = open_text(text_of(text.toUtf8()), "x.py");
        QVERIFY2(opened, opened ? "" : opened.error().to_string().c_str());
    }

    void everyReferenceReadsAndPrintsTheSameAgain() {
        if (testing::reference_folder().isEmpty()) QSKIP("no reference data");
        const QString folder = testing::reference_folder() + "/relax/";
        for (const char* file : {"random-graphs.jsonl", "tvm-suite.jsonl"})
            for (const auto& line : testing::read_json_lines(folder + file))
                for (const char* key : {"input", "composite", "merged", "annotated", "before", "after"})
                    if (line.contains(key) && line[key].is_string() &&
                        (key != std::string("merged") || line["merged_well_formed"].get<bool>()))
                        QCOMPARE(printed_and_read_again(line[key].get<std::string>()), QString());
        for (const QString& name : QDir(folder + "models").entryList({"*.py"})) {
            QCOMPARE(printed_and_read_again(testing::read_text(folder + "models/" + name)), QString());
            const Result<OpenedModule> opened = open_module((folder + "models/" + name).toStdString());
            QVERIFY2(opened, opened ? "" : opened.error().to_string().c_str());
        }
    }

    void linesAreJoinedInsideBrackets() {
        const std::string text = function_of(
            "        gv: R.Tensor(\n            (2, 3),\n            dtype='float32',  # of x\n        ) = R.add(\n"
            "            x, x\n        )\n        return gv\n");
        const Result<OpenedModule> opened = open_text(text, "x.py");
        QVERIFY2(opened, opened ? "" : opened.error().to_string().c_str());
        QCOMPARE(op_types(*opened->module), std::string("add"));
    }

    void operatorsAreTheEnginesWhereMeaningAgrees_data() {
        QTest::addColumn<QByteArray>("call");
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("op");
        QTest::newRow("same name") << QByteArray("R.nn.relu(x)") << QByteArray("2, 3") << QByteArray("nn.relu");
        QTest::newRow("arguments") << QByteArray("R.clip(x, R.prim_value(0), R.prim_value(6))") << QByteArray("2, 3")
                                   << QByteArray("clip");
        QTest::newRow("renamed") << QByteArray("R.permute_dims(x, axes=[1, 0])") << QByteArray("3, 2")
                                 << QByteArray("transpose");
        QTest::newRow("a list of one") << QByteArray("R.expand_dims(x, axis=[0])") << QByteArray("1, 2, 3")
                                       << QByteArray("expand_dims");
        QTest::newRow("shape") << QByteArray("R.reshape(x, R.shape([6]))") << QByteArray("6,") << QByteArray("reshape");
        QTest::newRow("slice") << QByteArray(
                                      "R.strided_slice(x, (R.prim_value(0),), (R.prim_value(1),), (R.prim_value(2),), "
                                      "assume_inbound=False)")
                               << QByteArray("1, 3") << QByteArray("strided_slice");
        QTest::newRow("unknown") << QByteArray("R.nn.gelu(x)") << QByteArray("2, 3") << QByteArray("relax.nn.gelu");
        QTest::newRow("statistics of the batch") << QByteArray("R.nn.softmax(x, axis=-1, fast=True)")
                                                 << QByteArray("2, 3") << QByteArray("relax.nn.softmax");
        QTest::newRow("another type") << QByteArray("R.exp(x)") << QByteArray("2, 4") << QByteArray("relax.exp");
    }
    void operatorsAreTheEnginesWhereMeaningAgrees() {
        QFETCH(QByteArray, call);
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, op);
        const Result<OpenedModule> opened = open_text(
            function_of("        gv: R.Tensor((" + type + "), dtype='float32') = " + call + "\n        return gv\n"),
            "x.py");
        QVERIFY2(opened, opened ? "" : opened.error().to_string().c_str());
        QCOMPARE(op_types(*opened->module), op.toStdString());
        QCOMPARE(opened->notes.size(), size_t(type == "2, 4"));
        QCOMPARE(opened->graph->nodes.at(0).name, std::string("gv"));
        QVERIFY(opened->graph->nodes[0].op.starts_with("relax."));
    }

    /// TVM's front end for ONNX writes training=True. One node, of which only the first field can be had.
    void whatIsNormalizedByTheBatchRuns() {
        const auto opened = [](const QByteArray& last) {
            const QByteArray tensor = "R.Tensor((2, 2, 2), dtype='float32')", row = "R.Tensor((2,), dtype='float32')";
            return open_text(text_of(kHead + "    def main(x: " + tensor + ", g: " + row + ", b: " + row +
                                     ", m: " + row + ", v: " + row + ") -> " + tensor + ":\n" + "        t: R.Tuple(" +
                                     tensor + ", " + row + ", " + row +
                                     ") = R.nn.batch_norm(x, g, b, m, v, axis=1, epsilon=0.5, center=True, scale=True, "
                                     "momentum=0.1, training=True)\n        y: " +
                                     tensor + " = t[0]\n        z: " + row + " = t[1]\n" + last),
                             "x.py");
        };
        const Result<OpenedModule> module = opened("        return y\n");
        QVERIFY2(module, module ? "" : module.error().to_string().c_str());
        QCOMPARE(module->graph->nodes.size(), size_t(1));
        RunOptions options;
        const auto given = [&](const char* name, std::vector<int64_t> shape, const std::vector<double>& values) {
            Tensor tensor(kFloat32, std::move(shape));
            for (size_t i = 0; i < values.size(); ++i) tensor.set(int64_t(i), values[i]);
            options.inputs.emplace(name, std::move(tensor));
        };
        const std::vector<double> x{1, 2, 3, 5, 7, 11, 13, 17}, g{2, -1}, b{0.5, 4};
        given("x", {2, 2, 2}, x);
        given("g", {2}, g);
        given("b", {2}, b);
        given("m", {2}, {100, 100});
        given("v", {2}, {100, 100});
        options.repeat = 1;
        const Result<RunReport> report = run_module(module->module, options);
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        for (size_t channel = 0; channel < 2; ++channel) {
            const size_t places[] = {channel * 2, channel * 2 + 1, channel * 2 + 4, channel * 2 + 5};
            double mean = 0, variance = 0;
            for (size_t at : places) mean += x[at] / 4;
            for (size_t at : places) variance += (x[at] - mean) * (x[at] - mean) / 4;
            for (size_t at : places) {
                const double wanted = (x[at] - mean) / std::sqrt(variance + 0.5) * g[channel] + b[channel];
                QVERIFY(std::abs(report->outputs[0].at(int64_t(at)) - wanted) < 1e-5);
            }
        }
        const Result<OpenedModule> more = opened(
            "        w: R.Tensor((2, 2, 2), dtype='float32') = R.add(y, y)\n"
            "        u: R.Tensor((2,), dtype='float32') = R.exp(z)\n"
            "        return w\n");
        QVERIFY(more);
        QVERIFY(op_types(*more->module).find("relax.nn.batch_norm") != std::string::npos);
    }

    void constantsAreReadFromBothForms_data() {
        QTest::addColumn<QByteArray>("json");
        const QByteArray tensor = QByteArray::fromStdString(base64_of_floats({1, 2, 3}));
        QTest::newRow("up to v0.20") << QByteArray(
            "{'root': 1, 'nodes': [{'type_key': ''}, {'type_key': 'Map', 'keys': ['relax.expr.Constant'], 'data': "
            "[2]}, "
            "{'type_key': 'Array', 'data': [3]}, {'type_key': 'relax.expr.Constant', 'attrs': {'data': '0'}}], "
            "'b64ndarrays': ['" +
            tensor + "'], 'attrs': {}}");
        QTest::newRow("from v0.22") << QByteArray(
            "{'root_index': 4, 'nodes': [{'type': 'ffi.String', 'data': 'relax.expr.Constant'}, {'type': 'ffi.Tensor', "
            "'data': '" +
            tensor +
            "'}, {'type': 'relax.expr.Constant', 'data': {'data': 1}}, {'type': 'ffi.Array', 'data': [2]}, "
            "{'type': 'ffi.Map', 'data': [0, 3]}], 'metadata': {}}");
        QTest::newRow("left out") << QByteArray();
    }
    void constantsAreReadFromBothForms() {
        QFETCH(QByteArray, json);
        const std::string text =
            text_of(json.isEmpty() ? QByteArray() : "metadata = tvm.ir.load_json('''" + json + "''')\n") +
            function_of(
                "        lv: R.Tensor((3,), dtype='float32') = metadata['relax.expr.Constant'][0]\n"
                "        gv: R.Tensor((2, 3), dtype='float32') = R.add(x, lv)\n        return gv\n");
        QCOMPARE(printed_and_read_again(text), QString());
        const Result<OpenedModule> opened = open_text(text, "x.py");
        QVERIFY2(opened, opened ? "" : opened.error().to_string().c_str());
        if (json.isEmpty()) return;
        QCOMPARE(opened->module->constants().size(), size_t(1));
        QCOMPARE(opened->module->constants()[0].at(2), 3.0);
    }

    void whatIsDividedAlreadyHasRegionsAndComposites() {
        const std::string text = text_of(
            "@I.ir_module\nclass Module:\n    @R.function\n    def f_dnnl(a: R.Tensor((3,), dtype='float32')) -> "
            "R.Tensor((3,), dtype='float32'):\n"
            "        R.func_attr({'Codegen': 'dnnl'})\n        @R.function\n"
            "        def inner(b: R.Tensor((3,), dtype='float32')) -> R.Tensor((3,), dtype='float32'):\n"
            "            R.func_attr({'Composite': 'dnnl.exp'})\n            gv: R.Tensor((3,), dtype='float32') = "
            "R.exp(b)\n            return gv\n"
            "        gv1: R.Tensor((3,), dtype='float32') = inner(a)\n        return gv1\n"
            "    @R.function\n    def main(x: R.Tensor((3,), dtype='float32')) -> R.Tensor((3,), dtype='float32'):\n"
            "        cls = Module\n        gv: R.Tensor((3,), dtype='float32') = cls.f_dnnl(x)\n        return gv\n");
        const Result<OpenedModule> opened = open_text(text, "x.py");
        QVERIFY2(opened, opened ? "" : opened.error().to_string().c_str());
        const Result<FlowResult> flow = run_flow(opened->module, {});
        QVERIFY(flow);
        const ExprId function = opened->module->find_function("f_dnnl");
        QCOMPARE(opened->module->function_info(function).string_attribute("Compiler"), std::string_view("dnnl"));
        const ExprId call = opened->module->body(function);
        QCOMPARE(opened->module->function_info(opened->module->callee(call)).string_attribute("Composite"),
                 std::string_view("dnnl.exp"));
    }

    void afterRunCodegenACallIsARegion() {
        const Result<OpenedModule> opened = open_text(
            function_of("        gv = R.call_dps_packed('fused_relax_exp1_dnnl', (x,), out_sinfo=R.Tensor((2, 3), "
                        "dtype='float32'))\n        return gv\n"),
            "x.py");
        QVERIFY2(opened, opened ? "" : opened.error().to_string().c_str());
        const ExprId function = opened->module->find_function("fused_relax_exp1_dnnl");
        QVERIFY(function.valid());
        QCOMPARE(opened->module->function_info(function).string_attribute("Compiler"), std::string_view("dnnl"));
    }

    /// A product of matrices in four dimensions is several calls here, and one node of one name.
    void aBindingOfSeveralCallsIsOneNode() {
        const Result<OpenedModule> opened = open_text(
            text_of(kHead + "    def main(x: R.Tensor((1, 2, 3, 4), dtype='float32'), y: R.Tensor((1, 2, 4, 5), "
                            "dtype='float32')) -> R.Tensor((1, 2, 3, 5), dtype='float32'):\n"
                            "        lv: R.Tensor((1, 2, 3, 5), dtype='float32') = R.matmul(x, y, out_dtype='void')\n"
                            "        gv: R.Tensor((1, 2, 3, 5), dtype='float32') = R.exp(lv)\n        return gv\n"),
            "x.py");
        QVERIFY2(opened, opened ? "" : opened.error().to_string().c_str());
        QCOMPARE(op_types(*opened->module), std::string("reshape reshape nn.batch_matmul reshape exp"));
        const Graph& graph = *opened->graph;
        QCOMPARE(graph.nodes.size(), size_t(2));
        QCOMPARE(graph.values.size(), size_t(4));
        QCOMPARE(graph.nodes[0].op, std::string("relax.matmul"));
        QCOMPARE(graph[graph.nodes[0].inputs.at(1)].name, std::string("y"));
        QCOMPARE(graph[graph.nodes[1].inputs.at(0)].name, std::string("lv"));
    }

    void faultsNameTheirPlace_data() {
        QTest::addColumn<QByteArray>("lines");
        QTest::addColumn<QString>("fault");
        QTest::newRow("unknown name") << QByteArray("        return y\n")
                                      << "x.py:5:16: error: expected a name that is bound before, found 'y'";
        QTest::newRow("no return") << QByteArray("        lv: R.Object = R.nn.relu(x)\n")
                                   << "x.py:3:5: error: expected a return in the function 'main'";
        QTest::newRow("type") << QByteArray("        lv: R.Tensr = x\n        return lv\n")
                              << "x.py:5:13: error: expected R.Tensor, R.Tuple, R.Shape, R.Prim, R.Object, R.Any or "
                                 "R.Callable, found 'R.Tensr'";
        QTest::newRow("no type")
            << QByteArray("        lv = R.nn.gelu(x)\n        return lv\n")
            << "x.py:5:9: error: expected the type of the result, NAME: R.Tensor(...) = ..., which is "
               "not inferred for relax.nn.gelu";
        QTest::newRow("bracket") << QByteArray(
                                        "        lv: R.Tensor((2, 3), dtype='float32') = R.exp(x\n        return lv\n")
                                 << "x.py:6:9: error: expected ',', found 'return'";
        QTest::newRow("string") << QByteArray("        lv: R.Tensor((2, 3), dtype='float32\n        return lv\n")
                                << "x.py:5:36: error: expected the end of the string that begins here";
        QTest::newRow("indentation")
            << QByteArray("        lv: R.Tensor((2, 3), dtype='float32') = R.exp(x)\n      return lv\n")
            << "x.py:6:7: error: expected a line with 8 blanks before it, found 'return'";
        QTest::newRow("field") << QByteArray(
                                      "        lv: R.Tensor((2, 3), dtype='float32') = x[0]\n        return lv\n")
                               << "x.py:5:9: error: expected a tuple to take field 0 of";
        QTest::newRow("too large") << QByteArray(
                                          "        lv: R.Tensor((4000000000, 4000000000, 4000000000), dtype='float32') "
                                          "= R.exp(x)\n        return lv\n")
                                   << "x.py:5:9: error: this type has too many elements";
        QTest::newRow("value")
            << QByteArray("        lv: R.Tensor((2, 3), dtype='float32')\n        return lv\n")
            << "x.py:5:9: error: expected a value for 'lv': TVM prints a name alone where a module is not well formed, "
               "since it is used before it is bound";
        QTest::newRow("fields of fields") << "        lv: R.Object = x" + QByteArray("[0]").repeated(200) + "\n"
                                          << "x.py:5:322: error: brackets and functions are nested too deep, found '['";
        QTest::newRow("deep") << "        lv: R.Object = " + QByteArray(200, '(') + "\n"
                              << "x.py:5:123: error: brackets and functions are nested too deep, found '('";
    }
    void faultsNameTheirPlace() {
        QFETCH(QByteArray, lines);
        QFETCH(QString, fault);
        const Result<OpenedModule> opened = open_text(function_of(lines), "x.py");
        QVERIFY(!opened);
        QCOMPARE(QString::fromStdString(opened.error().to_string()), fault);
    }

    /// A hundred thousand bindings are read, printed and read again without recursion over them.
    void aLongModuleOpens() {
        QByteArray lines = "        with R.dataflow():\n";
        QByteArray before = "x";
        for (int i = 0; i < 100000; ++i) {
            const QByteArray name = "lv" + QByteArray::number(i);
            lines += "            " + name + ": R.Tensor((2, 3), dtype='float32') = R.add(" + before + ", x)\n";
            before = name;
        }
        lines += "            R.output(" + before + ")\n        return " + before + "\n";
        const Result<OpenedModule> opened = open_text(function_of(lines), "x.py");
        QVERIFY2(opened, opened ? "" : opened.error().to_string().c_str());
        QCOMPARE(opened->graph->nodes.size(), size_t(100000));
        QCOMPARE(opened->graph->nodes[99999].name, std::string("lv99999"));
    }
};

PARTITA_TEST(TestRelax)

}  // namespace test_relax

#include "test_relax.moc"
