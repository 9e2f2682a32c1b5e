// Programs of torch.export: what is read of an archive, the graph that PyTorch's partitioners see, results.
#include <QtTest>

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include "engine/frontends/torch/sizes.h"
#include "engine/runtime/run.h"
#include "engine/session/session.h"
#include "tests/engine/reference_data.h"
#include "tests/engine/torch_archives.h"
#include "tests/registry.h"

namespace test_torch_export {

using namespace partita;
using namespace partita::testing;

namespace {

class Files {
public:
    std::string write(const std::string& bytes, const char* name = "m.pt2") {
        const std::string path = folder_.filePath(name).toStdString();
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }

private:
    QTemporaryDir folder_;
};

OpenedModule opened(const std::string& path, const OpenOptions& options = {}) {
    Result<OpenedModule> read = open_module(path, options);
    if (!read) qFatal("%s", read.error().to_string().c_str());
    return std::move(*read);
}

QString messages(const std::vector<Diagnostic>& notes) {
    QString text;
    for (const Diagnostic& note : notes) text += QString::fromStdString(note.message) + '\n';
    return text;
}

/// What a file gives: its messages, or what refuses it.
QString said(const std::string& path) {
    const Result<OpenedModule> read = open_module(path);
    return read ? messages(read->notes) : "refused: " + QString::fromStdString(read.error().to_string());
}

std::vector<Tensor> outputs_of(const OpenedModule& file, std::map<std::string, Tensor> inputs) {
    RunOptions options;
    options.inputs = std::move(inputs);
    options.warmup = 0;
    options.repeat = 1;
    Result<RunReport> report = run_module(file.module, options);
    if (!report) qFatal("%s", report.error().message.c_str());
    return std::move(report->outputs);
}

Tensor tensor_of(std::vector<int64_t> shape, const std::vector<double>& numbers, DataType dtype = kFloat32) {
    Tensor made(dtype, std::move(shape));
    for (size_t i = 0; i < numbers.size(); ++i) made.set(int64_t(i), numbers[i]);
    return made;
}

std::vector<double> numbers(const Tensor& tensor) {
    std::vector<double> list;
    for (int64_t i = 0; i < tensor.size(); ++i) list.push_back(tensor.at(i));
    return list;
}

QStringList node_names(const Graph& graph) {
    QStringList names;
    for (const PlainNode& node : graph.nodes) names << QString::fromStdString(node.op + " " + node.name);
    return names;
}

/// x [2, 3], split along its last axis and joined the other way round; a buffer is changed, too.
ExportedProgram split_program() {
    ExportedProgram made;
    made.input("x", meta({"2", "3"}));
    made.value("a", meta({"2", "1"}))
        .value("b", meta({"2", "2"}))
        .value("y", meta({"2", "3"}))
        .value("z", meta({"2", "3"}));
    made.node("split", "torch.ops.aten.split_with_sizes.default",
              "self=" + tensor("x") + ";split_sizes={'as_ints':[1,2]};dim={'as_int':1}",
              "[{'as_tensors':[{'name':'a'},{'name':'b'}]}]", "k,,toy.M;k,layers.0,toy.L;k,layers.0.cut,toy.C");
    made.node("y", "torch.ops.aten.cat.default", "tensors={'as_tensors':[{'name':'b'},{'name':'a'}]};dim={'as_int':1}",
              "[" + tensor("y") + "]");
    made.node("z", "torch.ops.aten.strange.default", "self=" + tensor("y") + ";how={'as_string':'so'}",
              "[" + tensor("z") + "]");
    ExportedProgram::add(made.outputs, tensor("z"));
    ExportedProgram::add(made.output_specs, "{'buffer_mutation':{'arg':{'name':'z'},'buffer_name':'state'}}");
    made.output("y");
    return made;
}

double number_of(const nlohmann::json& value) {
    if (!value.is_string()) return value.is_boolean() ? double(value.get<bool>()) : value.get<double>();
    return value == "nan" ? NAN : value == "inf" ? HUGE_VAL : -HUGE_VAL;
}

Tensor recorded(const nlohmann::json& json) {
    Tensor made(*DataType::parse(json["dtype"].get<std::string>()), json["shape"].get<std::vector<int64_t>>());
    for (int64_t i = 0; i < made.size(); ++i) made.set(i, number_of(json["data"][size_t(i)]));
    return made;
}

/// Returns in what an output differs from what PyTorch computed; "" if it does not.
QString difference(const Tensor& found, const Tensor& wanted) {
    if (!(found.dtype() == wanted.dtype()) || found.shape() != wanted.shape())
        return QString::fromStdString("it is " + found.dtype().to_string() + " " + shape_to_string(found.shape()));
    for (int64_t i = 0; i < found.size(); ++i) {
        const double a = found.at(i), b = wanted.at(i);
        const bool same = a == b || (std::isnan(a) && std::isnan(b)) ||
                          (found.dtype().is_float() && std::abs(a - b) <= 1e-5 * std::max(1.0, std::abs(b)));
        if (!same) return QString("element %1 is %2, not %3").arg(i).arg(a).arg(b);
    }
    return {};
}

QString torch_reference() {
    const QString folder = reference_folder().isEmpty() ? QString() : reference_folder() + "/torch-export";
    return QFile::exists(folder + "/README.md") ? folder : QString();
}

}  // namespace

class TestTorchExport : public QObject {
    Q_OBJECT

private slots:
    void partitionersSeeTheNodesOfTheFileInItsOrder() {
        Files files;
        const OpenedModule file = opened(files.write(split_program().pt2()));
        QCOMPARE(node_names(*file.graph),
                 QStringList({"placeholder x", "torch.ops.aten.split_with_sizes.default split", "_operator.getitem a",
                              "_operator.getitem b", "torch.ops.aten.cat.default y", "torch.ops.aten.strange.default z",
                              "output output"}));
        const Graph& graph = *file.graph;
        QCOMPARE(graph.nodes[2].attributes, std::string("{\"index\": 0}"));
        QCOMPARE(graph.nodes[4].inputs.size(), size_t(2));
        QCOMPARE(graph[graph.nodes[4].inputs[0]].name, std::string("b"));
        QVERIFY(graph.nodes[1].attributes.find("toy.py, line 7") != std::string::npos);
        QCOMPARE(graph.nodes.back().inputs.size(), size_t(2));  // mutations are hidden from the user, not from PyTorch
    }

    void modulesAroundANodeStandInItsLabel() {
        Files files;
        const OpenedModule file = opened(files.write(split_program().pt2()));
        QStringList labels;
        for (uint32_t i = 0; i < file.module->size(); ++i)
            if (const std::string_view label = file.module->label(ExprId(i)); !label.empty())
                labels << QString::fromUtf8(label.data(), qsizetype(label.size()));
        QVERIFY2(labels.contains("layers.0/cut/split"), qPrintable(labels.join(' ')));
    }

    void mutationsOfBuffersAreNoResults() {
        Files files;
        const OpenedModule file = opened(files.write(split_program().pt2()));
        const std::vector<Tensor> outputs = outputs_of(file, {{"x", tensor_of({2, 3}, {1, 2, 3, 4, 5, 6})}});
        QCOMPARE(outputs.size(), size_t(1));
        QCOMPARE(numbers(outputs[0]), std::vector<double>({2, 3, 1, 5, 6, 4}));
        QVERIFY(messages(file.notes).contains("torch.ops.aten.strange.default (node 'z') is shown, but can't be run"));
    }

    void weightsAreViewsOfRecords() {
        ExportedProgram made;
        made.parameter("p_w", "w", meta({"3", "2"}))
            .parameter("p_t", "t", meta({"2", "2"}))
            .input("x", meta({"3", "2"}));
        made.value("y", meta({"3", "2"}));
        made.node("y", "torch.ops.aten.add.Tensor", "self=" + tensor("x") + ";other=" + tensor("p_w"),
                  "[" + tensor("y") + "]");
        made.output("y").output("p_t");
        const std::string entries =
            "'w':{'path_name':'weight_0','use_pickle':false,'tensor_meta':" + meta({"3", "2"}, 7, {"1", "3"}) +
            "},'t':{'path_name':'weight_0','use_pickle':false,'tensor_meta':" + meta({"2", "2"}, 7, {"3", "1"}, "1") +
            "}";
        Files files;
        const OpenedModule file = opened(files.write(made.pt2({{"weight_0", bytes_of({1, 2, 3, 4, 5, 6})}}, entries)));
        for (const Tensor& constant : file.module->constants())
            QVERIFY2(!constant.defined() || constant.size() == 1 || !constant.in_memory(), "read before it was wanted");
        const std::vector<Tensor> outputs = outputs_of(file, {{"x", tensor_of({3, 2}, {0, 0, 0, 0, 0, 0})}});
        QCOMPARE(numbers(outputs[0]), std::vector<double>({1, 4, 2, 5, 3, 6}));
        QCOMPARE(numbers(outputs[1]), std::vector<double>({2, 3, 5, 6}));
    }

    void whatReachesOutOfItsRecordHasNoValues() {
        ExportedProgram made;
        made.parameter("p_w", "w", meta({"2", "2"})).input("x", meta({"2", "2"})).value("y", meta({"2", "2"}));
        made.node("y", "torch.ops.aten.add.Tensor", "self=" + tensor("x") + ";other=" + tensor("p_w"),
                  "[" + tensor("y") + "]");
        made.output("y");
        Files files;
        for (const auto& [strides, offset, reason] :
             std::vector<std::tuple<std::vector<std::string>, std::string, const char*>>{
                 {{"2", "1"}, "1", "out of its record"},
                 {{"4611686018427387904", "4611686018427387904"}, "4611686018427387904", "out of its record"},
                 {{"1"}, "0", "strides"}}) {
            const std::string entry =
                "'w':{'path_name':'r','tensor_meta':" + meta({"2", "2"}, 7, strides, offset) + "}";
            const QString text = said(files.write(made.pt2({{"r", bytes_of({1, 2, 3, 4})}}, entry)));
            QVERIFY2(text.contains("the values of 'w' are missing") && text.contains(reason), qPrintable(text));
        }
        const QString text = said(files.write(
            made.pt2({}, "'w':{'path_name':'../../models/model.json','tensor_meta':" + meta({"2", "2"}) + "}")));
        QVERIFY2(text.contains("there is no record '../../models/model.json'"), qPrintable(text));
    }

    void sizesOfSymbolsAreGivenByName() {
        ExportedProgram made;
        made.input("x", meta({"s0", "2"})).value("y", meta({"s0 + s0", "2"}));
        made.node("y", "torch.ops.aten.cat.default", "tensors={'as_tensors':[{'name':'x'},{'name':'x'}]}",
                  "[" + tensor("y") + "]");
        made.output("y");
        made.ranges = "'s0':{'min_val':2,'max_val':9}";
        Files files;
        const std::string path = files.write(made.pt2());
        QCOMPARE(opened(path).dimensions.size(), size_t(1));
        QCOMPARE(opened(path).dimensions[0].value, int64_t(2));
        OpenOptions options;
        options.dimensions = {{"s0", 5}};
        const OpenedModule file = opened(path, options);
        QCOMPARE(
            file.module->types().to_string(file.module->function_info(file.module->find_function("main")).return_type),
            std::string("Tensor[(10, 2), float32]"));
        options.dimensions = {{"s0", 10}};
        const Result<OpenedModule> too_large = open_module(path, options);
        QVERIFY(!too_large && too_large.error().message.find("2 to 9") != std::string::npos);
    }

    void expressionsOfSizesAreParsedOnly_data() {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<qlonglong>("value");
        QTest::newRow("srepr") << "Mul(Integer(2), Symbol('s0', integer=True, positive=True))" << 14LL;
        QTest::newRow("text") << "2*s0 - 3" << 11LL;
        QTest::newRow("floor") << "FloorDiv(Add(Symbol('s0'), Integer(-10)), Integer(2))" << -2LL;
        QTest::newRow("power binds closer") << "2*s0**2" << 98LL;
        QTest::newRow("rest") << "Mod(Symbol('s0'), Integer(4))" << 3LL;
        QTest::newRow("unknown symbol") << "s0 + u1" << -1LL;
        QTest::newRow("code") << "__import__('os').system('true')" << -1LL;
        QTest::newRow("overflow") << "Mul(Integer(9223372036854775807), Symbol('s0'))" << -1LL;
        QTest::newRow("division by zero") << "FloorDiv(Symbol('s0'), Integer(0))" << -1LL;
        QTest::newRow("deep") << QString("(").repeated(6000) + "s0" + QString(")").repeated(6000) << -1LL;
        QTest::newRow("cut off") << "Add(Integer(1), " << -1LL;
    }
    void expressionsOfSizesAreParsedOnly() {
        QFETCH(QString, expression);
        QFETCH(qlonglong, value);
        const auto found = torch::value_of(expression.toStdString(), {{"s0", 7}});
        QCOMPARE(qlonglong(found.value_or(-1)), value);
    }

    void picklesAreReadAndNotRun() {
        ExportedProgram made;
        made.parameter("p_w", "w", meta({"2"})).input("x", meta({"2"})).value("y", meta({"2"}));
        made.node("y", "torch.ops.aten.add.Tensor", "self=" + tensor("x") + ";other=" + tensor("p_w"),
                  "[" + tensor("y") + "]");
        made.output("y");
        const auto archive = [&](const std::string& pickle) {
            const std::string weights =
                stored_zip({{"archive/data.pkl", pickle}, {"archive/data/0", bytes_of({3, 4})}});
            return stored_zip({{"serialized_exported_program.json", made.text()},
                               {"serialized_state_dict.pt", weights},
                               {"version", "8.7"}});
        };
        using namespace std::string_literals;
        const std::string tensor_pickle =
            "\x80\x02}X\x01\0\0\0wctorch._utils\n_rebuild_tensor_v2\n(("
            "X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\0"
            "0X\x03\0\0\0cpuK\x02tQK\0K\x02\x85K\x01\x85\x89"
            "ccollections\nOrderedDict\n)RtRs."s;
        Files files;
        const std::string path = files.write(archive(tensor_pickle));
        QVERIFY2(!said(path).contains("missing"), qPrintable(said(path)));
        QCOMPARE(numbers(outputs_of(opened(path), {{"x", tensor_of({2}, {1, 1})}})[0]), std::vector<double>({4, 5}));
        const QString text =
            said(files.write(archive("\x80\x02"
                                     "cos\nsystem\nX\x04\0\0\0true\x85R."s)));
        QVERIFY2(text.contains("the pickle calls os.system, and pickles are not run"), qPrintable(text));
        QVERIFY(said(files.write(archive("\x80\x02}"s))).contains("cut off"));
    }

    void faultsOfAProgramNameTheirPlaces() {
        Files files;
        const auto refusal = [&](auto change) {
            ExportedProgram made;
            made.input("x", meta({"2"})).value("a", meta({"2"})).value("b", meta({"2"}));
            change(made);
            return said(files.write(made.pt2()));
        };
        const auto relu = [](const std::string& from, const std::string& to) {
            return std::pair{"self=" + tensor(from), "[" + tensor(to) + "]"};
        };
        const auto add = [&](ExportedProgram& made, const std::string& from, const std::string& to) {
            made.node(to, "torch.ops.aten.relu.default", relu(from, to).first, relu(from, to).second);
        };
        QString text = refusal([&](auto& made) { add(made, "b", "a"), add(made, "a", "b"), made.output("b"); });
        QVERIFY2(text.contains("the node 'a' uses the value 'b', which the node 'b' behind it makes"),
                 qPrintable(text));
        text = refusal([&](auto& made) { add(made, "a", "a"), made.output("a"); });
        QVERIFY2(text.contains("the node 'a' uses its own result 'a'"), qPrintable(text));
        text = refusal([&](auto& made) { add(made, "x", "a"), add(made, "who", "a"), made.output("none"); });
        for (const char* part :
             {"'a' is defined twice", "'who', which nothing defines", "the output 'none' is made by nothing"})
            QVERIFY2(text.contains(part), qPrintable(text));
        text = refusal([&](auto& made) {
            made.node("a", "torch.ops.aten.relu.default",
                      "self={'as_tensor':{'name':'x'},'as_int':3};how={'as_int':'word'}", "[" + tensor("a") + "]");
        });
        for (const char* part :
             {"argument 'self' is both as_tensor and as_int", "argument 'how': as_int can't be a string"})
            QVERIFY2(text.contains(part), qPrintable(text));
    }

    void membersThatShareBytesOrUnpackToTooMuchAreRefused() {
        Files files;
        const std::string big(size_t(32) << 20, ' ');
        const QString text = said(files.write(stored_zip({{"models/model.json", big}}, ZIP_CM_DEFLATE)));
        QVERIFY2(text.contains("claims to unpack"), qPrintable(text));
        std::string cut = split_program().pt2();
        QVERIFY(said(files.write(cut.substr(0, cut.size() - 40))).startsWith("refused"));
        const size_t at = cut.find("graph_module");
        cut[at] = 'G';
        QVERIFY(said(files.write(cut)).contains("CRC-32"));
        const std::string json_text = split_program().text();
        const std::string deflated =
            stored_zip({{"m/archive_format", "pt2"}, {"m/models/model.json", json_text}}, ZIP_CM_DEFLATE);
        QVERIFY2(!said(files.write(deflated)).startsWith("refused"), "deflated JSON is read");
    }

    void oldFilesWriteEveryMemberOfAUnion() {
        ExportedProgram made;
        made.version = "1";
        made.input("x", meta({"2"}));
        made.value("y", "{'meta':" + meta({"2"}) + "}");
        made.node("", "torch.ops.aten.masked_fill.Scalar",
                  "self={'as_none':null,'as_tensor':{'name':'x'},'as_int':null};mask=" + tensor("x") +
                      ";value={'as_float':-Infinity}",
                  "[" + tensor("y") + "]");
        made.output("y");
        Files files;
        const OpenedModule file = opened(files.write(stored_zip({{"serialized_exported_program.json", made.text()}})));
        QCOMPARE(node_names(*file.graph)[1], QString("torch.ops.aten.masked_fill.Scalar y"));
        const Tensor result = outputs_of(file, {{"x", tensor_of({2}, {0, 5})}})[0];
        QCOMPARE(result.at(0), 0.0);
        QCOMPARE(result.at(1), -HUGE_VAL);
    }

    void resultsAreThoseOfPyTorch_data() {
        QTest::addColumn<QString>("file");
        const QString folder = torch_reference();
        if (folder.isEmpty()) QSKIP("the reference data are missing");
        for (const char* version : {"torch212", "torch28", "torch27"})
            for (const QString& name : QDir(folder + "/numerics/" + version).entryList({"*.pt2"}))
                QTest::newRow(qPrintable(QString(version) + "/" + name))
                    << folder + "/numerics/" + version + "/" + name;
    }
    void resultsAreThoseOfPyTorch() {
        QFETCH(QString, file);
        const QString name = QFileInfo(file).completeBaseName();
        const nlohmann::json all = nlohmann::json::parse(read_text(torch_reference() + "/numerics/" + name + ".json"));
        for (const nlohmann::json& run : all["runs"]) {
            OpenOptions options;
            std::map<std::string, Tensor> inputs;
            for (const auto& [input, value] : run["inputs"].items()) inputs[input] = recorded(value);
            for (const NamedDimension& dimension : opened(file.toStdString()).dimensions)
                for (const auto& [input, axis] : dimension.inputs)
                    if (inputs.contains(input))
                        options.dimensions[dimension.name] = inputs[input].shape()[size_t(axis)];
            const OpenedModule read = opened(file.toStdString(), options);
            QVERIFY2(!messages(read.notes).contains("can't be run"), qPrintable(messages(read.notes)));
            const std::vector<Tensor> outputs = outputs_of(read, inputs);
            QCOMPARE(outputs.size(), run["outputs"].size());
            const AttributeValue* names =
                read.module->function_info(read.module->find_function("main")).attribute("output_tensor_names");
            for (size_t i = 0; i < outputs.size(); ++i) {
                const std::string output = *(*names->as_list())[i].as_string();
                if (!run["outputs"].contains(output)) continue;
                const QString differs = difference(outputs[i], recorded(run["outputs"][output]));
                QVERIFY2(differs.isEmpty(), qPrintable(QString::fromStdString(output) + ": " + differs));
            }
        }
    }

    void hostileFilesAreRefusedOrSurvived() {
        const QString folder = torch_reference();
        if (folder.isEmpty()) QSKIP("the reference data are missing");
        for (const nlohmann::json& entry : nlohmann::json::parse(read_text(folder + "/hostile/files.json"))) {
            const QString name = QString::fromStdString(entry["file"].get<std::string>()),
                          path = folder + "/hostile/" + name;
            if (!QFile::exists(path) || name.endsWith(".etdp")) continue;
            const QString text = said(path.toStdString()),
                          expected = QString::fromStdString(entry["expect"].get<std::string>());
            const bool refuses = expected.startsWith("refuse") || expected.startsWith("message");
            const bool may_be_either =
                expected.contains(" or ") || expected.contains("or,") || expected.contains("that constant");
            if (refuses && !may_be_either) QVERIFY2(text.startsWith("refused: "), qPrintable(name + ": " + text));
            if (!refuses && !may_be_either && !expected.contains("else a message"))
                QVERIFY2(!text.startsWith("refused: "), qPrintable(name + ": " + text));
        }
    }
};

PARTITA_TEST(TestTorchExport)

}  // namespace test_torch_export

#include "test_torch_export.moc"
