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

std::string row_of(const std::string& name, const std::string& op, int index, int begin, int duration,
                   const std::string& shape = "") {
    return quoted("{'cat' : 'Node','pid' :7,'tid' :9,'dur' :" + std::to_string(duration) +
                  ",'ts' :" + std::to_string(begin) + ",'ph' : 'X','name' :'") +
           name +
           quoted("_kernel_time','args' : {'thread_scheduling_stats' : {'main_thread': {'core': 1}},'node_index' : '" +
                  std::to_string(index) + "','provider' : 'CPUExecutionProvider','op_name' : '" + op + "'" +
                  (shape.empty() ? "" : ",'output_type_shape' : [{'float':[" + shape + "]}]") + "}},\n");
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
        QTest::newRow("with its activation") << "/conv"
                                             << "FusedConv" << 77 << "/conv";
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

    /// Nodes without a name of whose operator all lines say the same are known; of others nothing is guessed.
    void namelessNodesOfALogAreKnownWhereAllSayTheSame() {
        const std::vector<FileNode> nameless = {{"Cast_0", "Cast", 0, {"a"}, false},
                                                {"Cast_1", "Cast", 1, {"b"}, false},
                                                {"Abs_2", "Abs", 2, {"c"}, false},
                                                {"Abs_3", "Abs", 3, {"d"}, false},
                                                {"/e", "Exp", 4, {"e"}, true}};
        const std::string at =
            "2026-11-28 22:24:25.003 [V:onnxruntime:, session_state.cc:1 VerifyEachNodeIsAssignedToAnEp] ";
        const std::string text = at + " Node(s) placed on [A]. Number of nodes: 3\n" + at + "  Cast ()\n" + at +
                                 "  Cast ()\n" + at + "  Abs ()\n" + at +
                                 " Node(s) placed on [B]. Number of nodes: 2\n" + at + "  Abs ()\n" + at +
                                 "  Exp (/e)\n";
        const ReportReader* reader = nullptr;
        const Result<MatchedReport> report = match_report(*read_report(text, "f", reader), nameless);
        QVERIFY(report);
        QCOMPARE(report->matched_rows, size_t(3));
        QCOMPARE(report->nodes.at("Cast_1").backend, std::string("A"));
        QVERIFY(!report->nodes.contains("Abs_2") && !report->nodes.contains("Abs_3"));
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

    /// As 1.30 calls what it makes of several Gathers of one value, and what stands around it.
    void gathersThatBecameASplitAreFound() {
        const std::vector<FileNode> nodes = {
            {"m", "MatMul", 0, {"1"}, true, {}, {}, {"0"}}, {"q", "Gather", 1, {"2"}, true, {}, {}, {"1", "i"}},
            {"k", "Gather", 2, {"3"}, true, {}, {}, {"1"}}, {"s", "Mul", 3, {"4"}, true, {}, {}, {"2", "3"}},
            {"n", "Pow", 4, {"5"}, true, {}, {}, {"4"}},
        };
        const std::string text =
            profile(row_of("m", "MatMul", 0, 1, 1) + row_of("q/GatherSliceToSplitFusion", "Split", 20, 2, 4) +
                    row_of("Squeeze", "Squeeze", 21, 6, 1) + row_of("Squeeze_token_3", "Squeeze", 22, 7, 1) +
                    row_of("s", "Mul", 3, 8, 5) +
                    row_of("n/SimplifiedLayerNormFusion/", "SimplifiedLayerNormalization", 23, 13, 2));
        const ReportReader* reader = nullptr;
        const Result<ProgramReport> read = read_report(text, "f", reader);
        const Result<MatchedReport> report = match_report(*read, nodes);
        QVERIFY(report);
        QCOMPARE(report->matched_rows, size_t(4));
        QCOMPARE(report->inserted_rows, size_t(2));
        QVERIFY(report->unmatched.empty());
        QCOMPARE(report->nodes.at("q").time_us, 4.0);
        QCOMPARE(report->nodes.at("n").time_us, 2.0);
    }

    /// Convolutions with what follows them, as the levels "basic" and "extended" make them: the second branch ran
    /// first.
    void convolutionsAreFoundByTheirNumbers() {
        const auto node = [](const char* name, const char* op, int index, const char* input, const char* type) {
            return FileNode{name, op, index, {std::string(name) + "_out"}, true, {}, {type}, {input}};
        };
        std::vector<FileNode> nodes = {
            node("pool", "MaxPool", 0, "x", "float32[1, 8, 4, 4]"),
            node("a", "Conv", 1, "pool_out", "float32[1, 8, 4, 4]"),
            node("a_norm", "BatchNormalization", 2, "a_out", "float32[1, 8, 4, 4]"),
            node("a_relu", "Relu", 3, "a_norm_out", "float32[1, 8, 4, 4]"),
            node("b", "Conv", 4, "pool_out", "float32[1, 8, 4, 4]"),
            node("b_relu", "Relu", 5, "b_out", "float32[1, 8, 4, 4]"),
            node("c", "Conv", 6, "b_relu_out", "float32[1, 9, 2, 2]"),
            node("c_relu", "Relu", 7, "c_out", "float32[1, 9, 2, 2]"),
            node("d", "Conv", 8, "c_relu_out", "float32[1, 9, 2, 2]"),
            node("d_norm", "BatchNormalization", 9, "d_out", "float32[1, 9, 2, 2]"),
            node("flat", "Flatten", 10, "d_norm_out", "float32[1, 36]"),
        };
        for (FileNode& of : nodes) of.is_named = of.index == 0 || of.index >= 8;
        const std::string text =
            profile(row_of("pool", "MaxPool", 0, 1, 1) + row_of("FusedConv_22", "FusedConv", 22, 2, 20, "1,8,4,4") +
                    row_of("FusedConv_21", "FusedConv", 21, 30, 10, "1,8,4,4") +
                    row_of("FusedConv_23", "FusedConv", 23, 40, 30, "1,9,2,2") +
                    row_of("d", "Conv", 8, 80, 40, "1,9,2,2") + row_of("flat", "Flatten", 10, 130, 1));
        const ReportReader* reader = nullptr;
        const Result<ProgramReport> read = read_report(text, "f", reader);
        const Result<MatchedReport> report = match_report(*read, nodes);
        QVERIFY(report);
        QCOMPARE(report->matched_rows, size_t(6));
        // The runtime visits first what leads to the last node (see runtime_order), and numbers what it makes.
        for (const auto& [name, row] : std::map<std::string, std::string>{{"b", "FusedConv FusedConv_21"},
                                                                          {"b_relu", "FusedConv FusedConv_21"},
                                                                          {"a", "FusedConv FusedConv_22"},
                                                                          {"a_norm", "FusedConv FusedConv_22"},
                                                                          {"a_relu", "FusedConv FusedConv_22"},
                                                                          {"c_relu", "FusedConv FusedConv_23"},
                                                                          {"d_norm", "Conv d"}})
            QCOMPARE(report->nodes.at(name).row, row);
        QCOMPARE(report->nodes.at("a").time_us, 20.0);  // those of a row: the node whose work it does
        QCOMPARE(report->nodes.at("a_relu").time_us, 0.0);
        QCOMPARE(report->nodes.at("c").time_us, 30.0);
    }

    /// The names end alike.
    void aProductOfMatricesIsNoMul() {
        const std::vector<FileNode> nodes = {
            {"Mul_0", "Mul", 0, {"1"}, false, {}, {"float32[2, 8]"}, {"x"}},
            {"MatMul_1", "MatMul", 1, {"2"}, false, {}, {"float32[2, 8]"}, {"1"}},
            {"relu", "Relu", 2, {"3"}, true, {}, {"float32[2, 8]"}, {"2"}},
        };
        const std::string text =
            profile(row_of("FusedMatMul_20", "FusedMatMul", 20, 1, 9, "2,8") + row_of("relu", "Relu", 2, 20, 1, "2,8"));
        const ReportReader* reader = nullptr;
        const Result<MatchedReport> report = match_report(*read_report(text, "f", reader), nodes);
        QVERIFY(report);
        QCOMPARE(report->nodes.at("MatMul_1").time_us, 9.0);
        QCOMPARE(report->nodes.at("Mul_0").row, std::string("FusedMatMul FusedMatMul_20"));
        QCOMPARE(report->nodes.at("Mul_0").time_us, 0.0);
    }

    /// A row that is named after its result; and a sum that went into the convolution that was given the other.
    void whatARowOfChannelBlocksDidIsFound() {
        const std::vector<FileNode> nodes = {
            {"a", "Conv", 0, {"1"}, true, {}, {}, {"x"}}, {"b", "BatchNormalization", 1, {"2"}, true, {}, {}, {"1"}},
            {"c", "Conv", 2, {"3"}, true, {}, {}, {"x"}}, {"d", "Add", 3, {"4"}, true, {}, {}, {"2", "3"}},
            {"e", "Relu", 4, {"5"}, true, {}, {}, {"4"}}, {"f", "Conv", 5, {"6"}, true, {}, {}, {"5"}},
            {"g", "Relu", 6, {"7"}, true, {}, {}, {"6"}}, {"h", "Flatten", 7, {"8"}, true, {}, {}, {"7"}},
        };
        const std::string text = profile(row_of("3_nchwc", "Conv", 20, 1, 3) + row_of("2_bn_nchwc", "Conv", 21, 4, 5) +
                                         row_of("7_nchwc", "Conv", 22, 10, 7) + row_of("h", "Flatten", 7, 20, 1));
        const ReportReader* reader = nullptr;
        const Result<ProgramReport> read = read_report(text, "f", reader);
        const Result<MatchedReport> report = match_report(*read, nodes);
        QVERIFY(report);
        QCOMPARE(report->matched_rows, size_t(4));
        QCOMPARE(report->nodes.at("a").time_us, 5.0);
        QCOMPARE(report->nodes.at("d").row, std::string("Conv 2_bn_nchwc"));
        QCOMPARE(report->nodes.at("e").row, std::string("Conv 2_bn_nchwc"));
        QCOMPARE(report->nodes.at("f").time_us, 7.0);
        QCOMPARE(report->nodes.at("g").row, std::string("Conv 7_nchwc"));
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
