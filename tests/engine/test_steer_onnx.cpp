// What ONNX Runtime is told so that it divides as here: rules as 1.30 takes them, annotations and devices in the model.
// Outcomes of rules are those that 1.30.0 had.
#include <QtTest>

#include "engine/frontends/onnxruntime/reports.h"
#include "engine/frontends/onnxruntime/steering.h"
#include "engine/session/graph_division.h"
#include "engine/session/reports.h"
#include "engine/session/steer_onnx.h"
#include "engine/support/file.h"
#include "tests/engine/onnx_testing.h"
#include "tests/registry.h"

namespace test_steer_onnx {

using namespace partita;
using namespace partita::onnxruntime;

namespace {

/// Six nodes one behind the other, two in each block; the third holds a body.
std::string model_bytes() {
    using namespace onnx_writer;
    const auto body = [](const char* name) {
        return graph({{node("Abs", {"v1"}, {std::string(name) + "_y"}, {}, std::string(name) + "/abs")},
                      {},
                      {},
                      {value_info(std::string(name) + "_y", {2, 3})}});
    };
    GraphParts parts;
    parts.nodes = {
        node("Relu", {"x"}, {"v0"}, {}, "blk0/n0"),
        node("Exp", {"v0"}, {"v1"}, {}, "blk0/n1"),
        node("If", {"c"}, {"v2"},
             {graph_attribute("then_branch", body("t")), graph_attribute("else_branch", body("e"))}, "blk1/n2"),
        node("Tanh", {"v2"}, {"v3"}, {}, "blk1/n3"),
        node("Sqrt", {"v3"}, {"v4"}, {}, "blk2/n4"),
        node("Relu", {"v4"}, {"y"}, {}, "")};
    parts.inputs = {value_info("x", {2, 3}), value_info("c", {1}, 9)};
    parts.outputs = {value_info("y", {2, 3})};
    return model(parts);
}

QString device_of(const std::string& rules, const std::string& asked) {
    const Result<LayerRules> read = read_layer_rules(rules);
    if (!read) return QString::fromStdString(read.error().message);
    const int rule = read->rule_of(asked);
    return rule < 0 ? QString() : QString::fromStdString(read->rules[size_t(rule)].device);
}

}  // namespace

class TestSteerOnnx : public QObject {
    Q_OBJECT

    struct Steered {
        QTemporaryDir folder;
        std::string path;
        Steering made;
    };
    /// Steers the model by nodes that providers have; the rest is the CPU's.
    static void steer(Steered& into, const char* form, const std::map<std::string, std::string>& providers) {
        into.path = into.folder.filePath("m.onnx").toStdString();
        QVERIFY(write_file(into.path, model_bytes()));
        const Result<OpenedInput> opened = open_input_file(into.path, {});
        QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
        const Result<FileGraph> file = file_graph(*opened);
        QVERIFY(file);
        Division division;
        for (uint32_t i = 0; i < file->nodes.size(); ++i)
            if (const auto found = providers.find(file->nodes[i].name); found != providers.end())
                division.regions.push_back({found->second, {NodeId(i)}, {}, {}});
        Result<Steering> made = steer_onnx(into.path, *file, division, form);
        QVERIFY(made);
        into.made = std::move(*made);
    }
    /// Reads what was told back, and returns each node's provider.
    static std::map<std::string, std::string> read_back(const Steered& steered) {
        const std::string told = steered.folder.filePath("told.onnx").toStdString(),
                          settings = steered.folder.filePath("s.txt").toStdString();
        (void)write_file(told, steered.made.model.empty() ? model_bytes() : steered.made.model);
        (void)write_file(settings, steered.made.settings);
        const Result<OpenedInput> opened = open_input_file(told, {});
        if (!opened) qFatal("%s", opened.error().message.c_str());
        const auto reports = read_reports(*opened, {steered.made.settings.empty() ? told : settings});
        if (!reports) qFatal("%s", reports.error().message.c_str());
        std::map<std::string, std::string> providers;
        for (const auto& [name, node] : (*reports)->read[0].matched.nodes) providers[name] = node.backend;
        return providers;
    }

private slots:
    void rulesMeanWhatTheRuntimeTakesThemFor_data() {
        QTest::addColumn<QString>("rules");
        QTest::addColumn<QString>("asked");
        QTest::addColumn<QString>("device");
        const QString layers = "session.layer_assignment_settings=", names = "session.name_based_layer_assignment=";
        QTest::newRow("the first prefix in the list") << layers + "gpu(enc.1,enc); cpu(enc.0)"
                                                      << "enc.0"
                                                      << "gpu";
        QTest::newRow("a prefix beats an exact rule") << layers + "cpu(=enc.0); gpu(enc)"
                                                      << "enc.0"
                                                      << "gpu";
        QTest::newRow("exact") << layers + "cpu(=enc)"
                               << "enc.0"
                               << "";
        QTest::newRow("exact, met") << layers + "cpu(=enc.0)"
                                    << "enc.0"
                                    << "cpu";
        QTest::newRow("the longest part of a name") << names + "gpu(blk1); cpu(blk1/n2)"
                                                    << "blk1/n2"
                                                    << "cpu";
        QTest::newRow("of two as long the first") << names + "gpu(blk); cpu(lk1)"
                                                  << "blk1"
                                                  << "gpu";
        QTest::newRow("anywhere in a name") << names + "cpu(n2)"
                                            << "blk1/n2"
                                            << "cpu";
        QTest::newRow("as Python sets it")
            << "o.add_session_config_entry(\"session.layer_assignment_settings\", \"A(x)\")"
            << "x1"
            << "A";
        QTest::newRow("no bracket") << layers + "cpu enc"
                                    << ""
                                    << "missing '(' in the entry 'cpu enc'";
        QTest::newRow("twice") << layers + "cpu(enc,enc)"
                               << ""
                               << "the pattern 'enc' stands twice";
        QTest::newRow("no exact names")
            << names + "cpu(=blk1/n2)"
            << ""
            << "rules by name have no '=': all patterns are parts of names: 'cpu(=blk1/n2)'";
        QTest::newRow("both")
            << layers + "a(b)\n" + names + "a(b)"
            << ""
            << "both session.layer_assignment_settings and session.name_based_layer_assignment are set, "
               "of which the runtime takes one";
    }
    void rulesMeanWhatTheRuntimeTakesThemFor() {
        QFETCH(QString, rules);
        QFETCH(QString, asked);
        QFETCH(QString, device);
        QCOMPARE(device_of(rules.toStdString(), asked.toStdString()), device);
    }

    void whatIsToldIsReadBack_data() {
        QTest::addColumn<QString>("form");
        QTest::newRow("layers") << "layers";
        QTest::newRow("names") << "names";
        QTest::newRow("devices") << "devices";
        QTest::newRow("openvino") << "openvino";
    }
    void whatIsToldIsReadBack() {
        QFETCH(QString, form);
        const std::string gpu = form == "openvino" ? "GPU" : "CUDAExecutionProvider",
                          rest = form == "openvino" ? "CPU" : "CPUExecutionProvider";
        Steered steered;
        steer(steered, form.toLatin1().constData(),
              {{"blk0/n0", gpu}, {"blk1/n2", gpu}, {"t/abs", gpu}, {"e/abs", gpu}, {"blk2/n4", gpu}});
        if (QTest::currentTestFailed()) return;
        const std::map<std::string, std::string> back = read_back(steered);
        for (const char* name : {"blk0/n0", "blk1/n2", "t/abs", "e/abs", "blk2/n4"}) QCOMPARE(back.at(name), gpu);
        for (const char* name : {"blk0/n1", "blk1/n3"}) QCOMPARE(back.at(name), rest);
        if (form != "openvino" && form != "names") QCOMPARE(back.at("Relu_5"), rest);
    }

    /// Nothing else of the model changes, and what is told twice is told once.
    void theModelStaysTheSame() {
        Steered steered;
        steer(steered, "layers", {{"blk0/n0", "CUDAExecutionProvider"}});
        if (QTest::currentTestFailed()) return;
        ModelAdditions none;
        none.to_nodes.resize(8);
        const Result<std::string> back = with_additions(steered.made.model, none);
        QVERIFY(back);
        const Result<std::string> unchanged = with_additions(model_bytes(), {10, none.to_nodes, ""});
        QVERIFY(unchanged);
        QCOMPARE(QByteArray::fromStdString(*back), QByteArray::fromStdString(*unchanged));
        QVERIFY(!with_additions("\x08\x07garbage", none));
        QVERIFY(!with_additions(model_bytes(), {10, {}, ""}));  // of another number of nodes
    }

    void whatTheRuntimeWillNotDoIsSaid() {
        const auto warned = [](const char* form, const std::map<std::string, std::string>& providers) {
            Steered steered;
            steer(steered, form, providers);
            QString all;
            for (const std::string& warning : steered.made.warnings) all += QString::fromStdString(warning) + "\n";
            return all;
        };
        QVERIFY(warned("layers", {{"blk0/n0", "QNNExecutionProvider"}}).contains("partitioning_utils.cc:252"));
        QVERIFY(warned("layers", {{"blk0/n0", "npu"}}).contains("has no provider of the name 'npu'"));
        QVERIFY(warned("names", {{"Relu_5", "CUDAExecutionProvider"}}).contains("1 nodes have no name"));
        QVERIFY(warned("devices", {}).contains("does not read device_configurations"));
        QVERIFY(warned("openvino", {{"blk0/n0", "cuda"}}).contains("'cuda' names no device of OpenVINO"));
        QCOMPARE(warned("layers", {{"blk0/n0", "CUDAExecutionProvider"}}), QString());
    }

    void rulesOfAnotherModelAreRefused() {
        const Result<ProgramReport> report = read_layer_report("session.name_based_layer_assignment=cpu(foo)");
        QVERIFY(report);
        QVERIFY(!match_layers(*report, {FileNode{"n", "Relu", 0, {}, true}}));
    }
};

PARTITA_TEST(TestSteerOnnx)

}  // namespace test_steer_onnx

#include "test_steer_onnx.moc"
