// Profiles, logs and assignments of ONNX Runtime: what is in them, and whose it is. Texts are as 1.30 writes them.
#include <QtTest>

#include <random>

#include "engine/frontends/onnxruntime/reports.h"
#include "engine/session/report_readers.h"
#include "tests/registry.h"

namespace test_onnxruntime_reports {

using namespace partita;
using namespace partita::onnxruntime;

namespace {

std::string quoted(std::string text) {
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

std::string row_of(const std::string& name, const std::string& op, int index, int begin, int duration) {
    return quoted("{'cat' : 'Node','pid' :7,'tid' :9,'dur' :" + std::to_string(duration) +
                  ",'ts' :" + std::to_string(begin) + ",'ph' : 'X','name' :'") +
           name +
           quoted("_kernel_time','args' : {'thread_scheduling_stats' : {'main_thread': {'core': 1}},'node_index' : '" +
                  std::to_string(index) + "','provider' : 'CPUExecutionProvider','op_name' : '" + op + "'}},\n");
}

std::string profile(const std::string& events) {
    return "[\n{\"cat\" : \"Session\",\"pid\" :7,\"tid\" :9,\"dur\" :5,\"ts\" :1,\"ph\" : \"X\",\"name\" "
           ":\"model_run\",\"args\" : {}},\n" +
           events + "{}]\n";
}

const std::vector<FileNode>& nodes() {
    static const std::vector<FileNode> all = {
        {"/conv", "Conv", 0, {"c"}, true}, {"/relu", "Relu", 1, {"r"}, true}, {"Add_2", "Add", 2, {"a"}, false},
        {"/loop", "Loop", 3, {"l"}, true}, {"/mul", "Mul", 4, {"m"}, true},
    };
    return all;
}

MatchedReport matched(const std::string& text) {
    const ReportReader* reader = nullptr;
    const Result<ProgramReport> report = read_report(text, "f", reader);
    if (!report) qFatal("%s", report.error().message.c_str());
    Result<MatchedReport> made = match_report(*report, nodes());
    if (!made) qFatal("%s", made.error().message.c_str());
    return std::move(*made);
}

QString refusal(const std::string& text) {
    const ReportReader* reader = nullptr;
    const Result<ProgramReport> report = read_report(text, "f", reader);
    if (!report) return QString::fromStdString(report.error().message);
    const Result<MatchedReport> made = match_report(*report, nodes());
    return made ? QString() : QString::fromStdString(made.error().message);
}

const char* const kLog =
    "2026-11-28 22:24:25.003 [V:onnxruntime:, helper.cc:216 GetSupportedNodes] Operator type: [Relu] index: [1] name: "
    "[/relu] supported: [0]\n"
    "\x1b[0;93m2026-11-28 22:24:25.003 [W:onnxruntime:, session_state.cc:1383 VerifyEachNodeIsAssignedToAnEp]  Node(s) "
    "placed on [NpuExecutionProvider]. Number of nodes: 1\x1b[m\n"
    "2026-11-28 22:24:25.003 [V:onnxruntime:, session_state.cc:1116 VerifyEachNodeIsAssignedToAnEp]   Conv (/conv)\n"
    "2026-11-28 22:24:25.003 [V:onnxruntime:, session_state.cc:1383 VerifyEachNodeIsAssignedToAnEp]  Node(s) placed on "
    "[CPUExecutionProvider]. Number of nodes: 2\n"
    "2026-11-28 22:24:25.003 [V:onnxruntime:, session_state.cc:1385 VerifyEachNodeIsAssignedToAnEp]   Relu (/relu)\n"
    "2026-11-28 22:24:25.003 [V:onnxruntime:, session_state.cc:1385 VerifyEachNodeIsAssignedToAnEp]   MemcpyToHost "
    "(Memcpy)\n"
    "2026-11-28 22:24:25.003 [V:onnxruntime:, qnn.cc:1 GetCapability] Unsupported nodes in QNN EP: { name: /mul, type: "
    "Mul }{ name: /loop, type: Loop }\n";

}  // namespace

class TestOnnxruntimeReports : public QObject {
    Q_OBJECT

private slots:
    void rowsOfAProfileAreSummedByNode() {
        const MatchedReport report = matched(profile(
            row_of("/conv", "Conv", 0, 10, 5) + row_of("/relu", "Relu", 1, 20, 7) + row_of("/conv", "Conv", 0, 30, 6)));
        QCOMPARE(report.rows, size_t(3));
        QCOMPARE(report.matched_rows, size_t(3));
        QCOMPARE(report.nodes.at("/conv").time_us, 11.0);
        QCOMPARE(report.nodes.at("/conv").backend, std::string("CPUExecutionProvider"));
        QCOMPARE(report.time_us, 18.0);
    }

    void whatTheRuntimeRenamedIsTracedBack_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("op");
        QTest::addColumn<int>("index");
        QTest::addColumn<QString>("node");
        QTest::newRow("no name") << "Add_2"
                                 << "Add" << 2 << "Add_2";
        QTest::newRow("rebuilt") << "/relu_token_12"
                                 << "Relu" << 77 << "/relu";
        QTest::newRow("rebuilt twice") << "/relu/duplicated_token_1_token_2"
                                       << "Relu" << 77 << "/relu";
        QTest::newRow("fused") << "/mul/MatMulScaleFusion/"
                               << "FusedMatMul" << 77 << "/mul";
        QTest::newRow("by tensor") << "c_bn_nchwc_token_3"
                                   << "Conv" << 77 << "/conv";
        QTest::newRow("op only") << "Gelu_token_66"
                                 << "Gelu" << 77 << "";
        QTest::newRow("index of another op") << "Gelu"
                                             << "Gelu" << 1 << "";
    }
    void whatTheRuntimeRenamedIsTracedBack() {
        QFETCH(QString, name);
        QFETCH(QString, op);
        QFETCH(int, index);
        QFETCH(QString, node);
        const MatchedReport report = matched(
            profile(row_of("/conv", "Conv", 0, 10, 5) + row_of(name.toStdString(), op.toStdString(), index, 20, 3)));
        QCOMPARE(report.matched_rows, node.isEmpty() ? size_t(1) : size_t(2));
        if (node.isEmpty()) QCOMPARE(report.unmatched, std::vector{(op + " " + name).toStdString()});
        else QVERIFY(report.nodes.at(node.toStdString()).time_us >= 3);
    }

    /// A Loop's row comes behind those of its body and holds their time.
    void timesWithinALoopCountOnce() {
        const MatchedReport report =
            matched(profile(row_of("/mul", "Mul", 4, 12, 3) + row_of("/mul", "Mul", 4, 16, 3) +
                            row_of("/loop", "Loop", 3, 10, 20) + row_of("/relu", "Relu", 1, 40, 2)));
        QCOMPARE(report.time_us, 22.0);
        QCOMPARE(report.nodes.at("/mul").time_us, 6.0);
    }

    void namesAreReadThoughTheyAreNotEscaped() {
        const MatchedReport report =
            matched(profile(row_of("/conv", "Conv", 0, 10, 5) + row_of("a \"b\", <i>", "Gelu", 90, 20, 3)));
        QCOMPARE(report.unmatched, std::vector<std::string>{"Gelu a \"b\", <i>"});
    }

    void aLogTellsPlacesAndReasons() {
        const MatchedReport report = matched(kLog);
        QCOMPARE(report.nodes.at("/conv").backend, std::string("NpuExecutionProvider"));
        QCOMPARE(report.nodes.at("/relu").backend, std::string("CPUExecutionProvider"));
        QCOMPARE(report.nodes.at("/relu").reason, std::string("supported: [0]"));
        QCOMPARE(report.nodes.at("/relu").asked, std::string("NpuExecutionProvider"));
        QVERIFY(!report.nodes.at("/relu").verdict);
        QCOMPARE(report.nodes.at("/mul").reason, std::string("QNN does not support it"));
        QCOMPARE(report.nodes.at("/loop").reason, std::string("QNN does not support it"));
        QCOMPARE(report.nodes.at("/mul").backend, std::string());
        QCOMPARE(report.inserted, std::vector<std::string>{"MemcpyToHost Memcpy"});
        QCOMPARE(report.nodes.count("Add_2"), size_t(0));  // the file says nothing of it
    }

    void aLogOfOneProviderTellsItOfAllNodes() {
        const MatchedReport report = matched(
            "x [V:onnxruntime:, session_state.cc:1380 VerifyEachNodeIsAssignedToAnEp]  All nodes placed on "
            "[CPUExecutionProvider]. Number of nodes: 5\n");
        QCOMPARE(report.nodes.size(), size_t(5));
        QCOMPARE(report.nodes.at("Add_2").backend, std::string("CPUExecutionProvider"));
    }

    void anAssignmentTellsPlaces() {
        const MatchedReport report =
            matched(quoted("{'ort': '1.30.0', 'ep_subgraphs': [{'ep': 'Npu', 'nodes': [{'name': '/conv', 'op_type': "
                           "'Conv'}, 5]}, {}]}"));
        QCOMPARE(report.nodes.at("/conv").backend, std::string("Npu"));
        QCOMPARE(report.nodes.size(), size_t(1));
    }

    void whatIsNoReportOrOfAnotherModelIsRefused() {
        QVERIFY(refusal("").contains("empty"));
        QVERIFY(refusal("hello\n").contains("verbose log"));
        QVERIFY(refusal("[1, 2]").contains("no report"));
        QVERIFY(refusal(profile("")).contains("no row"));
        QVERIFY(refusal(profile(row_of("/other", "Conv", 50, 1, 1) + row_of("/b", "Gelu", 51, 2, 1)))
                    .contains("another model"));
    }

    /// What was made one has no name of the file's, but ran behind what it uses and before what uses it.
    void fusedRowsAreFoundByTheirPlace() {
        const std::vector<FileNode> chain = {
            {"a", "MatMul", 0, {"1"}, true, {}, {}, {"0"}},     {"b", "Add", 1, {"2"}, true, {}, {}, {"1", "w"}},
            {"c", "Erf", 2, {"3"}, true, {}, {}, {"2"}},        {"d", "Mul", 3, {"4"}, true, {}, {}, {"3", "2"}},
            {"e", "MatMul", 4, {"5"}, true, {}, {}, {"4"}},     {"f", "Sub", 5, {"6"}, true, {}, {}, {"5", "4"}},
            {"g", "ReduceMean", 6, {"7"}, true, {}, {}, {"6"}}, {"h", "MatMul", 7, {"8"}, true, {}, {}, {"7"}},
        };
        const std::string text = profile(row_of("a/MatMulAddFusion", "Gemm", 20, 1, 1) +
                                         row_of("Gelu", "Gelu", 21, 2, 4) + row_of("e", "MatMul", 4, 6, 1) +
                                         row_of("LayerNormalization_token_3", "LayerNormalization", 22, 8, 5) +
                                         row_of("h", "MatMul", 7, 20, 1));
        const ReportReader* reader = nullptr;
        const Result<ProgramReport> read = read_report(text, "f", reader);
        const Result<MatchedReport> report = match_report(*read, chain);
        QVERIFY(report);
        QCOMPARE(report->matched_rows, size_t(5));
        QCOMPARE(report->nodes.at("b").row, std::string("Gemm a/MatMulAddFusion"));
        QCOMPARE(report->nodes.at("c").row, std::string("Gelu Gelu"));
        QCOMPARE(report->nodes.at("d").time_us, 4.0);
        QCOMPARE(report->nodes.at("f").row, std::string("LayerNormalization LayerNormalization_token_3"));
        QCOMPARE(report->nodes.at("g").time_us, 5.0);
    }

    /// Where two rows could hold a node, neither is said to.
    void aRowIsNotGuessed() {
        const std::vector<FileNode> chain = {{"a", "MatMul", 0, {"1"}, true, {}, {}, {"0"}},
                                             {"b", "Mul", 1, {"2"}, true, {}, {}, {"1"}},
                                             {"c", "MatMul", 2, {"3"}, true, {}, {}, {"2"}}};
        const std::string text = profile(row_of("a", "MatMul", 0, 1, 1) + row_of("Gelu", "Gelu", 21, 2, 4) +
                                         row_of("Gelu_token_1", "Gelu", 22, 6, 5) + row_of("c", "MatMul", 2, 20, 1));
        const ReportReader* reader = nullptr;
        const Result<ProgramReport> read = read_report(text, "f", reader);
        const Result<MatchedReport> report = match_report(*read, chain);
        QVERIFY(report);
        QCOMPARE(report->nodes.count("b"), size_t(0));
        QCOMPARE(report->unmatched.size(), size_t(2));
    }

    void whatWasCompiledIsAGroup() {
        const MatchedReport report = matched(
            quoted("{'ep_subgraphs': [{'ep': 'Npu', 'nodes': [{'name': '/conv', 'op_type': 'Conv'}, {'name': "
                   "'/relu', 'op_type': 'Relu'}]}, {'ep': 'Npu', 'nodes': [{'name': '/mul', 'op_type': 'Mul'}]}, "
                   "{'ep': 'Cpu', 'nodes': [{'name': '/loop', 'op_type': 'Loop'}]}]}"));
        QCOMPARE(report.groups.size(), size_t(2));
        QCOMPARE(report.groups[0].nodes, (std::vector<size_t>{0, 1}));
        QCOMPARE(report.groups[1].nodes, (std::vector<size_t>{4}));
    }

    void damagedTextEndsInAnAnswer() {
        const std::string texts[] = {profile(row_of("/conv", "Conv", 0, 10, 5) + row_of("/loop", "Loop", 3, 20, 7)),
                                     kLog};
        std::mt19937 random(1);
        for (int i = 0; i < 20000; ++i) {
            std::string text = texts[i % 2];
            for (int k = 0; k < 3; ++k) text[random() % text.size()] = char(random());
            if (i % 3 == 0) text.resize(random() % text.size());
            const ReportReader* reader = nullptr;
            const Result<ProgramReport> report = read_report(text, "f", reader);
            if (report) (void)match_report(*report, nodes());
        }
    }
};

PARTITA_TEST(TestOnnxruntimeReports)

}  // namespace test_onnxruntime_reports

#include "test_onnxruntime_reports.moc"
