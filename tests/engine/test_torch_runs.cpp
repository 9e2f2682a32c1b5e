// ExecuTorch's programs, and what its runs and partitioners, and torch_tensorrt, say of a model.
#include <QtTest>

#include <fstream>

#include <nlohmann/json.hpp>

#include "engine/frontends/torch/reports.h"
#include "engine/session/reports.h"
#include "engine/session/session.h"
#include "tests/engine/reference_data.h"
#include "tests/registry.h"

namespace test_torch_runs {

using namespace partita;
using namespace partita::testing;

namespace {

QString torch_reference() {
    const QString folder = reference_folder().isEmpty() ? QString() : reference_folder() + "/torch-export";
    return QFile::exists(folder + "/README.md") ? folder : QString();
}

const std::vector<FileNode>& nodes() {
    static const std::vector<FileNode> all = {
        {"aten_convolution_default_3",
         "executorch.exir.dialects.edge.ops.aten.convolution.default",
         0,
         {},
         true,
         "",
         {"float32[1, 8, 4, 4]"}},
        {"aten_topk_default",
         "executorch.exir.dialects.edge.ops.aten.topk.default",
         1,
         {},
         true,
         "",
         {"float32[1, 5]"}},
        {"aten_mul_tensor", "executorch.exir.dialects.edge.ops.aten.mul.Tensor", 2, {}, true, "", {"float32[2]"}},
        {"aten_mul_tensor_1", "executorch.exir.dialects.edge.ops.aten.mul.Tensor", 3, {}, true, "", {"float32[3]"}},
    };
    return all;
}

MatchedReport matched(const Result<ProgramReport>& report) {
    if (!report) qFatal("%s", report.error().message.c_str());
    Result<MatchedReport> made = torch::match_by_name(*report, nodes());
    if (!made) qFatal("%s", made.error().message.c_str());
    return std::move(*made);
}

std::string reason(const MatchedReport& report, const std::string& node) {
    const auto found = report.nodes.find(node);
    return found == report.nodes.end() ? "(nothing)" : found->second.reason;
}

}  // namespace

class TestTorchRuns : public QObject {
    Q_OBJECT

private slots:
    void wrappedCellsAreReadAsOneText() {
        const std::string grid =
            "╒═════╤═════╤═════╤═════╕\n"
            "│ Node name                           │ Target                              │ Torch func │ Reason │\n"
            "╞═════╪═════╪═════╪═════╡\n"
            "│ aten_convolution_default_3          │ aten.convolution.default            │ -          │ Convolution "
            "needs to have           │\n"
            "│                                     │                                     │            │ kernel_y<=64,  "
            "                     │\n"
            "│                                     │                                     │            │ "
            "kernel_x*kernel_y<=4096, got kernel │\n"
            "│                                     │                                     │            │ (2, 65)        "
            "                     │\n"
            "├─────┼─────┼─────┼─────┤\n"
            "│ quantized_decomposed_quantize_per_t │ quantized_decomposed.quantize_per_t │ -          │ "
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa │\n"
            "│ ensor_default_7                     │ ensor.default                       │            │ bbb            "
            "                     │\n"
            "╘═════╧═════╧═════╧═════╛\n";
        QVERIFY(torch::is_why_no_partition(grid));
        const Result<ProgramReport> report = torch::read_why_no_partition(grid);
        QCOMPARE(report->rows.size(), size_t(2));
        QCOMPARE(report->rows[0].reason,
                 std::string("Convolution needs to have kernel_y<=64, kernel_x*kernel_y<=4096, got kernel (2, 65)"));
        QCOMPARE(report->rows[1].name, std::string("quantized_decomposed_quantize_per_tensor_default_7"));
        QCOMPARE(report->rows[1].reason, std::string(35, 'a') + "bbb");
        QCOMPARE(reason(matched(report), "aten_convolution_default_3"), report->rows[0].reason);
    }

    void logLinesGiveTheFirstReasonOfANode() {
        const std::string log =
            "DEBUG:executorch:WhyNoPartition: Node aten_mul_tensor was not partitioned because invalid dtype.\n"
            "WhyNoPartition: Node aten_mul_tensor was not partitioned because something else.\n"
            "WhyNoPartition: Node unknown_node was not partitioned because 1.5 is odd.\n";
        const MatchedReport report = matched(torch::read_xnnpack_log(log));
        QCOMPARE(reason(report, "aten_mul_tensor"), std::string("invalid dtype"));
        QCOMPARE(report.unmatched, std::vector<std::string>{"unknown_node"});
        QCOMPARE(report.matched_rows, size_t(2));
    }

    void aRowWithoutANameBelongsToTheOnlyNodeThatFits() {
        const std::string log =
            "[Vulkan Partitioner] Due to [no operator implementation], skipping [torch.float32: torch.Size([1, 5]), "
            "torch.int64: torch.Size([1, 5])] = aten.topk.default(torch.float32: torch.Size([1, 1000]), 5,  ...)\n"
            "[Vulkan Partitioner] Due to [too high], skipping torch.float32: torch.Size([3]) = aten.mul.Tensor(a,  "
            "...)\n"
            "[Vulkan Partitioner] Due to [nobody], skipping torch.float32: torch.Size([9]) = aten.mul.Tensor(a,  "
            "...)\n";
        const MatchedReport report = matched(torch::read_vulkan_log(log));
        QCOMPARE(reason(report, "aten_topk_default"), std::string("no operator implementation"));
        QCOMPARE(reason(report, "aten_mul_tensor_1"), std::string("too high"));
        QCOMPARE(reason(report, "aten_mul_tensor"), std::string("(nothing)"));
        QCOMPARE(report.unmatched.size(), size_t(1));
    }

    void aTableOfCountsTellsOfTypesThatAreWhole() {
        const std::string table =
            "Number of delegated nodes: 2\n"
            "│    │ op_type │   occurrences_in_delegated_graphs │   occurrences_in_non_delegated_graphs │\n"
            "╞════╪═════════╪═══════╪═══════╡\n"
            "│  0 │ aten_mul_tensor │ 2 │ 0 │\n├────┤\n│  1 │ aten_topk_default │ 0 │ 1 │\n├────┤\n"
            "│  2 │ aten_convolution_default │ 1 │ 1 │\n├────┤\n│  3 │ Total │ 3 │ 2 │\n╘════╛\n";
        QVERIFY(torch::is_delegation_info(table));
        const MatchedReport report = matched(torch::read_delegation_info(table));
        QCOMPARE(report.nodes.at("aten_mul_tensor_1").backend, std::string("delegate"));
        QCOMPARE(reason(report, "aten_topk_default"), std::string("no node of its type is delegated"));
        QVERIFY(!report.nodes.contains("aten_convolution_default_3"));
        QCOMPARE(report.unmatched, std::vector<std::string>{"aten_convolution_default: 1 delegated, 1 not"});
    }

    void aDryRunTellsWhatStaysInTorchAndWhy() {
        const std::string text =
            "The following ops are currently unsupported or excluded from conversion, and are listed with their "
            "op-count:\n"
            " torch.ops.aten.topk.default: 1\n\nThe following nodes are currently set to run in Torch:\n"
            "Node: torch.ops.aten.topk.default, with layer location: head/aten_topk_default\n"
            "Node: torch.ops.aten.mul.Tensor, with layer location: blocks.0.attn/aten_mul_tensor\n";
        const MatchedReport report = matched(torch::read_tensorrt_dry_run(text));
        QCOMPARE(report.nodes.at("aten_topk_default").backend, std::string("Torch"));
        QCOMPARE(reason(report, "aten_topk_default"), std::string("unsupported or excluded from conversion"));
        QVERIFY(reason(report, "aten_mul_tensor").starts_with("supported, but"));
    }

    void aDebugLogCountsByOperator() {
        const std::string text =
            "Supported Nodes:\n- torch.ops.aten.topk.default + Operator Count: 1\n\n"
            "Unsupported or Excluded Nodes:\n- torch.ops.aten.mul.Tensor + Operator Count: 2\n";
        QVERIFY(torch::is_tensorrt_dry_run(text));
        const MatchedReport report = matched(torch::read_tensorrt_dry_run(text));
        QCOMPARE(report.nodes.size(), size_t(2));
        QCOMPARE(reason(report, "aten_mul_tensor_1"), std::string("unsupported or excluded from conversion"));
    }

    void aReportOfAnotherModelIsRefused() {
        const Result<ProgramReport> log =
            torch::read_xnnpack_log("WhyNoPartition: Node a was not partitioned because b.\n");
        const Result<MatchedReport> report = torch::match_by_name(*log, nodes());
        QVERIFY(!report && report.error().message.starts_with("it is of another model"));
    }

    void reportsOfTheReferenceAreRead() {
        const QString folder = torch_reference();
        if (folder.isEmpty()) QSKIP("the reference data are missing");
        const std::vector<std::pair<const char*, Result<ProgramReport> (*)(std::string_view)>> readers = {
            {"why_no_partition", torch::read_why_no_partition},
            {"xnnpack_log", torch::read_xnnpack_log},
            {"vulkan_log", torch::read_vulkan_log},
            {"delegation_info", torch::read_delegation_info},
            {"trt_dryrun", torch::read_tensorrt_dry_run}};
        for (const auto& [kind, read] : readers)
            for (const QString& name : QDir(folder + "/reports").entryList({QString(kind) + "*"})) {
                const Result<ProgramReport> report = read(read_text(folder + "/reports/" + name));
                QVERIFY2(report && !report->rows.empty(), qPrintable(name));
            }
    }

    void programsOfExecutorchShowTheirKernelsAndDelegates() {
        const QString folder = torch_reference();
        if (folder.isEmpty()) QSKIP("the reference data are missing");
        for (const nlohmann::json& entry : nlohmann::json::parse(read_text(folder + "/files/files.json"))) {
            const std::string name = entry["file"];
            if (!name.ends_with(".pte")) continue;
            const Result<OpenedModule> file = open_module((folder + "/files/").toStdString() + name);
            QVERIFY2(file, name.c_str());
            const nlohmann::json* shown = nullptr;
            for (const nlohmann::json& method : entry["methods"])
                if (!shown && !method["calls"].empty()) shown = &method;
            std::map<std::string, int> calls;
            for (const PlainNode& node : file->graph->nodes) ++calls[node.op];
            QCOMPARE(nlohmann::json(calls).dump(), (*shown)["calls"].dump());
        }
    }

    void timesOfDelegatesAreJoined() {
        const QString folder = torch_reference();
        if (folder.isEmpty()) QSKIP("the reference data are missing");
        const std::string begin = (folder + "/files/hand_made_delegates").toStdString();
        Result<OpenedModule> file = open_module(begin + ".etrecord");
        QVERIFY(file);
        const Result<std::shared_ptr<const Reports>> reports =
            read_reports(OpenedInput(std::move(*file)), {begin + ".etdp"});
        QVERIFY2(reports, reports ? "" : reports.error().message.c_str());
        const MatchedReport& report = (*reports)->read.at(0).matched;
        QCOMPARE(report.rows, report.matched_rows);
        QCOMPARE(report.nodes.at("aten_mean_dim").backend, std::string("DemoBackend"));
        QVERIFY(report.nodes.at("aten_mean_dim").time_us > 0);
        QCOMPARE(report.nodes.at("aten_convolution_default_1").backend, std::string("XnnpackBackend"));
        // Its events are in order: the clamp stands in front of the pooling, as the first activation does.
        QVERIFY(report.nodes.at("aten_relu_default").time_us > 0);
        QCOMPARE(report.nodes.at("aten_hardtanh_default").time_us, 0.0);
        const Result<OpenedModule> other = open_module(begin + ".etrecord");
        const Result<std::shared_ptr<const Reports>> foreign =
            read_reports(OpenedInput(*other), {(folder + "/files/tutorial_etdump.etdp").toStdString()});
        QVERIFY(!foreign);
    }

    void damagedDumpsAreRefused() {
        const QString folder = torch_reference();
        if (folder.isEmpty()) QSKIP("the reference data are missing");
        for (const char* name : {"cut.etdp", "size_prefix.etdp"}) {
            const Result<ProgramReport> report = torch::read_etdump(read_text(folder + "/hostile/" + name));
            QVERIFY2(!report && report.error().message.find("size prefix") != std::string::npos, name);
        }
        QVERIFY(torch::read_etdump(read_text(folder + "/hostile/no_prefix.etdp")));
    }
};

PARTITA_TEST(TestTorchRuns)

}  // namespace test_torch_runs

#include "test_torch_runs.moc"
