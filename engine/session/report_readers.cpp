#include "engine/session/report_readers.h"

#include <algorithm>
#include <array>

#include "engine/frontends/litert/reports.h"
#include "engine/frontends/onnxruntime/reports.h"
#include "engine/frontends/onnxruntime/steering.h"
#include "engine/frontends/torch/reports.h"
#include "engine/session/front_ends.h"
#include "engine/session/project.h"
#include "engine/support/source_file.h"

namespace partita {

namespace {

/// Enter new kinds here; those that look for less come last.
constexpr std::array kReaders = {
    ReportReader{"etdump", "an ETDump of ExecuTorch", torch::is_etdump, torch::read_etdump, torch::match_etdump,
                 "ExecuTorch"},
    ReportReader{"onnx-devices", "an ONNX model with device_configurations", onnxruntime::is_device_configuration,
                 onnxruntime::read_device_configuration, onnxruntime::match_report, "The model"},
    ReportReader{"onnxruntime-layers", "rules of ONNX Runtime's layer assignment", onnxruntime::is_layer_rules,
                 onnxruntime::read_layer_report, onnxruntime::match_layers, "The rule"},
    ReportReader{"executorch-why-no-partition", "ExecuTorch's table of reasons", torch::is_why_no_partition,
                 torch::read_why_no_partition, torch::match_by_name, "ExecuTorch"},
    ReportReader{"xnnpack-log", "a debug log of XNNPACK's partitioner", torch::is_xnnpack_log, torch::read_xnnpack_log,
                 torch::match_by_name, "ExecuTorch"},
    ReportReader{"vulkan-log", "a log of Vulkan's partitioner", torch::is_vulkan_log, torch::read_vulkan_log,
                 torch::match_by_name, "ExecuTorch"},
    ReportReader{"coreml-log", "a log of Core ML's partitioner", torch::is_coreml_log, torch::read_coreml_log,
                 torch::match_by_name, "ExecuTorch"},
    ReportReader{"executorch-delegation", "ExecuTorch's table of what is delegated", torch::is_delegation_info,
                 torch::read_delegation_info, torch::match_by_name, "ExecuTorch"},
    ReportReader{"torch-tensorrt-dry-run", "torch_tensorrt's dry run", torch::is_tensorrt_dry_run,
                 torch::read_tensorrt_dry_run, torch::match_by_name, "torch_tensorrt"},
    ReportReader{"onnxruntime-assignment", "a dump of ONNX Runtime's assignments", onnxruntime::is_assignment,
                 onnxruntime::read_assignment, onnxruntime::match_report, "ONNX Runtime"},
    ReportReader{"winml-analysis", "winml's analysis", onnxruntime::is_winml, onnxruntime::read_winml,
                 onnxruntime::match_by_operator, "winml"},
    ReportReader{"openvino-map", "OpenVINO's map of nodes to devices", onnxruntime::is_openvino_map,
                 onnxruntime::read_openvino_map, onnxruntime::match_report, "OpenVINO"},
    ReportReader{"onnxruntime-profile", "a profile of ONNX Runtime", onnxruntime::is_profile, onnxruntime::read_profile,
                 onnxruntime::match_report, "ONNX Runtime"},
    ReportReader{"litert-profile", "a profile of benchmark_model", litert::is_profile, litert::read_profile,
                 litert::match_report, "LiteRT"},
    ReportReader{"vela-layers", "Vela's table of layers", litert::is_vela_layers, litert::read_vela_layers,
                 litert::match_report, "Vela"},
    ReportReader{"vela-log", "what Vela prints", litert::is_vela_log, litert::read_vela_log, litert::match_report,
                 "Vela"},
    ReportReader{"edgetpu-table", "the table of the Edge TPU's compiler", litert::is_edge_tpu_table,
                 litert::read_edge_tpu_table, litert::match_report, "the Edge TPU's compiler"},
    ReportReader{"litert-log", "a log of LiteRT's delegates or compilers", litert::is_delegate_log,
                 litert::read_delegate_log, litert::match_report, "LiteRT"},
    ReportReader{"onnxruntime-log", "a verbose log of ONNX Runtime (log_severity_level=0)", onnxruntime::is_log,
                 onnxruntime::read_log, onnxruntime::match_report, "ONNX Runtime"},
};

/// Returns "a, b, or c".
std::string all_titles() {
    std::string text;
    for (const ReportReader& reader : kReaders)
        text += std::string(text.empty()                  ? ""
                            : &reader == &kReaders.back() ? ", or "
                                                          : ", ") +
                std::string(reader.title);
    return text;
}

}  // namespace

std::span<const ReportReader> report_readers() { return kReaders; }

bool is_report_file(const std::string& path) {
    constexpr size_t kHead = size_t(1) << 20;
    const FrontEnd& relay = front_ends().back();
    if (is_project(path) || (has_ending_of(relay, path) && !path.ends_with(".txt"))) return false;
    const Result<std::shared_ptr<const SourceFile>> file = SourceFile::open(path);
    if (!file) return false;
    std::string head(std::min((*file)->size(), kHead), '\0');
    if (Status read = (*file)->read(0, head.size(), head.data()); !read) return false;
    std::string_view text = head;
    if (text.find('\0') != std::string_view::npos) return torch::is_etdump(text);
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    // A model may name anything, and a text that begins as one is one.
    const auto of_models = front_ends().first(front_ends().size() - 1);
    if (text.starts_with("#[version") ||
        std::any_of(of_models.begin(), of_models.end(), [&](const FrontEnd& f) { return f.recognizes(text); }))
        return false;
    return std::any_of(kReaders.begin(), kReaders.end(), [&](const ReportReader& r) { return r.recognizes(text); });
}

Result<ProgramReport> read_report(std::string_view text, const std::string& file, const ReportReader*& reader) {
    const auto refused = [&file](Diagnostic fault) {
        fault.file = file;
        return fault;
    };
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return refused(
            error("the file is empty; ONNX Runtime writes a profile when the session ends, not if it is "
                  "killed"));
    reader = std::find_if(kReaders.begin(), kReaders.end(), [&](const ReportReader& r) { return r.recognizes(text); });
    if (reader == kReaders.end())
        return refused(error("the file is no report that is known; expected " + all_titles()));
    Result<ProgramReport> report = reader->read(text);
    if (!report) return refused(report.error());
    report->kind = reader->kind;
    if (report->rows.empty() && report->all_on.empty() && report->notes.empty())
        return refused(error("no row of the file tells anything of a node; expected " + all_titles()));
    return report;
}

}  // namespace partita
