// What LiteRT's delegates, compilers and tools print, read and matched to nodes.
#include <QtTest>

#include <QTemporaryDir>

#include "engine/session/report_readers.h"
#include "engine/session/session.h"
#include "engine/support/file.h"
#include "tests/registry.h"

namespace test_litert_reports {

using namespace partita;

namespace {

/// CONV_2D c1, GATHER g, CONV_2D c2, MEAN m
std::vector<FileNode> nodes() {
    return {{"c1", "CONV_2D", 0, {"c1"}, true},
            {"g", "GATHER", 1, {"g"}, true},
            {"c2", "CONV_2D", 2, {"c2"}, true},
            {"a/m", "MEAN", 3, {"a/m"}, true}};
}

struct Told {
    std::string kind;
    MatchedReport matched;
};

Told told_by(const std::string& text) {
    const ReportReader* reader = nullptr;
    const Result<ProgramReport> report = read_report(text, "log", reader);
    if (!report) return {report.error().message, {}};
    Result<MatchedReport> matched = reader->match(*report, nodes());
    return matched ? Told{report->kind, *matched} : Told{matched.error().message, {}};
}

}  // namespace

class TestLitertReports : public QObject {
    Q_OBJECT
private slots:
    void aKindOfWhichThereIsOneIsFound() {
        const Told told = told_by(
            "05-31 10:38:42.607 22206 22206 E tflite  : Following operations are not supported by GPU delegate:\n"
            "05-31 10:38:42.607 22206 22206 E tflite  : CONV_2D: Expected 1 or 2 input tensor(s), but node has 3 "
            "runtime inputs.\n"
            "05-31 10:38:42.607 22206 22206 E tflite  : GATHER: Only support 1D indices\n"
            "05-31 10:38:42.607 22206 22206 E tflite  : 2 operations will run on the GPU, and the remaining 2 "
            "operations will run on the CPU.\n");
        QCOMPARE(told.kind, std::string("litert-log"));
        QCOMPARE(told.matched.nodes.size(), size_t(1));
        QCOMPARE(told.matched.nodes.at("g").reason, std::string("Only support 1D indices"));
        // Which of the two convolutions is meant the log does not say.
        QCOMPARE(told.matched.unmatched.at(0),
                 std::string("CONV_2D: Expected 1 or 2 input tensor(s), but node has 3 runtime inputs."));
    }

    void whatReplacesAllNodesHasAll() {
        const Told all = told_by(
            "VERBOSE: Replacing 4 out of 4 node(s) with delegate (TfLiteXNNPackDelegate) node, yielding 1 partitions "
            "for subgraph 0 (main).\n");
        QCOMPARE(all.matched.nodes.at("c2").backend, std::string("TfLiteXNNPackDelegate"));
        const Told part = told_by(
            "INFO: Replacing 3 out of 4 node(s) with delegate (TfLiteGpuDelegateV2) node, yielding 2 partitions for "
            "subgraph 0 (main).\n");
        QVERIFY(part.matched.nodes.empty());
        QCOMPARE(part.matched.unmatched.size(), size_t(1));
    }

    void theNumberOfAnOperatorFindsIt() {
        const Told told = told_by(
            "ERROR: [qnn_compiler_plugin.cc:490] LiteRT Op #1 'GATHER' (code=36) is not supported in Qualcomm "
            "Compiler.\n");
        QCOMPARE(told.matched.nodes.at("g").reason, std::string("is not supported in Qualcomm Compiler."));
    }

    void aKindOfTheEdgeTpusTableMeansAllOfItOrNone() {
        const Told told = told_by(
            "Number of operations that will run on Edge TPU: 2\n"
            "Operator                       Count      Status\n\n"
            "CONV_2D                        2          Mapped to Edge TPU\n"
            "MEAN                           1          Operation not supported\n"
            "GATHER                         3          Mapped to Edge TPU\n");
        QCOMPARE(told.kind, std::string("edgetpu-table"));
        QCOMPARE(told.matched.nodes.at("c1").backend, std::string("Edge TPU"));
        QCOMPARE(told.matched.nodes.at("a/m").reason, std::string("Operation not supported"));
        QVERIFY(!told.matched.nodes.contains("g"));
    }

    void velaGivesTheConstraintAndTheValues() {
        const Told told = told_by(
            "Warning: MEAN 'a/m' is not supported on the NPU. Placing on CPU instead\n"
            " - Product of reduced axes must be no greater than: 65536\n"
            "   Op has a product of 70000\n"
            "Info: GATHER 'g' is a CPU only op\n"
            "CPU operators = 2 (50.0%)\n");
        QCOMPARE(told.kind, std::string("vela-log"));
        QCOMPARE(told.matched.nodes.at("a/m").reason,
                 std::string("Product of reduced axes must be no greater than: 65536 Op has a product of 70000"));
        QCOMPARE(told.matched.nodes.at("g").backend, std::string("CPU"));
        QCOMPARE(told.matched.unmatched, std::vector<std::string>{"CPU operators = 2 (50.0%)"});
    }

    void velasTableHasCycles() {
        const Told told = told_by(
            "TFLITE_operator,NNG Operator,SRAM Usage,Peak%,Op Cycles,Network%,NPU,SRAM AC,DRAM AC,OnFlash AC,OffFlash "
            "AC,MAC Count,Network%,Util%,Name\n"
            "CONV_2D,Conv2DBias,1024,50.0,777,10.0,777,1,2,3,4,5,6.0,7.0,c2\n");
        QCOMPARE(told.kind, std::string("vela-layers"));
        QCOMPARE(told.matched.nodes.at("c2").reason, std::string("777 cycles"));
    }

    void timesOfAProfileGoToTheNodeThatMakesTheTensor() {
        const Told text = told_by(
            "============================== Run Order ==============================\n"
            "\t             [node type]\t  [first]\t [avg ms]\t     [%]\t  [cdf%]\t  [mem KB]\t[times called]\t[Name]\n"
            "\t                 CONV_2D\t    0.110\t    0.093\t 44.899%\t 44.899%\t     0.000\t        1\t[c1]:0\n"
            "\t   TfLiteXNNPackDelegate\t    0.110\t    1.000\t 44.899%\t 44.899%\t     0.000\t        1\t[a/m]:4\n"
            "============================== Top by Computation Time ==============================\n"
            "\t             [node type]\t  [first]\t [avg ms]\t     [%]\t  [cdf%]\t  [mem KB]\t[times called]\t[Name]\n"
            "\t                 CONV_2D\t    0.110\t    0.093\t 44.899%\t 44.899%\t     0.000\t        1\t[c1]:0\n");
        QCOMPARE(text.kind, std::string("litert-profile"));
        QCOMPARE(text.matched.nodes.at("c1").time_us, 93.0);
        QCOMPARE(text.matched.rows, size_t(2));
        QCOMPARE(text.matched.unmatched, std::vector<std::string>{"TfLiteXNNPackDelegate a/m"});
        const Told csv = told_by(
            "node type, start, first, avg_ms, %, cdf%, mem KB, times called, name\n"
            "GATHER, 0, 0.11, 0.5, 44.8994%, 44.8994%, 0, 1, [g, other]:1\n");
        QCOMPARE(csv.matched.nodes.at("g").time_us, 500.0);
    }

    void aReportIsNoModel() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.log").toStdString();
        QVERIFY(bool(write_file(path,
                                "VERBOSE: Replacing 4 out of 4 node(s) with delegate (TfLiteXNNPackDelegate) "
                                "node, yielding 1 partitions for subgraph 0 (main).\n")));
        const Result<OpenedModule> opened = open_module(path);
        QVERIFY(!opened);
        QVERIFY(opened.error().message.starts_with("it is what another program said of a model"));
    }

    void aReportOfAnotherModelIsRefused() {
        QVERIFY(told_by("node type, start, first, avg_ms, %, cdf%, mem KB, times called, name\n"
                        "LSTM, 0, 1, 1, 1%, 1%, 0, 1, [p]:0\nSVDF, 0, 1, 1, 1%, 1%, 0, 1, [q]:1\nRNN, 0, 1, 1, 1%, 1%, "
                        "0, 1, [r]:2\n")
                    .kind.find("another model") != std::string::npos);
    }
};

PARTITA_TEST(TestLitertReports)

}  // namespace test_litert_reports

#include "test_litert_reports.moc"
