#include "engine/session/reports.h"

#include "engine/frontends/onnxruntime/reports.h"
#include "engine/session/graph_division.h"
#include "engine/session/report_readers.h"
#include "engine/support/file.h"

namespace partita {

namespace {

std::string type_text(const PlainValue& value) {
    std::string sizes;
    for (int64_t size : value.shape) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
    return value.dtype + "[" + sizes + "]";
}

/// The nodes as the file names them; of a file that is no ONNX model those of its graph.
Result<std::vector<FileNode>> nodes_of(const OpenedInput& opened) {
    if (!opened.graph)
        if (Result<std::vector<FileNode>> of_onnx = onnxruntime::nodes_of_file(opened.path);
            of_onnx && !of_onnx->empty())
            return of_onnx;
    const std::shared_ptr<const Graph> graph = graph_of(opened);
    std::vector<FileNode> nodes;
    for (uint32_t i = 0; i < graph->nodes.size(); ++i) {
        const PlainNode& node = graph->nodes[i];
        FileNode made{node_title(*graph, NodeId(i)), node.op, int64_t(i), {}, !node.name.empty()};
        made.said = node.attributes;
        for (GraphValueId output : node.outputs)
            if (output.valid()) {
                made.outputs.push_back((*graph)[output].name);
                made.types.push_back(type_text((*graph)[output]));
            }
        nodes.push_back(std::move(made));
    }
    return nodes;
}

}  // namespace

Result<std::vector<ReadReport>> read_reports(const OpenedInput& opened, const std::vector<std::string>& files) {
    std::vector<ReadReport> reports;
    if (files.empty()) return reports;
    const Result<std::vector<FileNode>> nodes = nodes_of(opened);
    if (!nodes) return nodes.error();
    for (const std::string& file : files) {
        const auto of_file = [&file](Diagnostic fault) {
            fault.file = file;
            return fault;
        };
        const Result<std::string> text = read_file(file);
        if (!text) return of_file(text.error());
        const ReportReader* reader = nullptr;
        const Result<ProgramReport> report = read_report(*text, file, reader);
        if (!report) return report.error();
        Result<MatchedReport> matched = reader->match(*report, *nodes);
        if (!matched) return of_file(matched.error());
        reports.push_back({file, report->kind, report->has_times, std::move(*matched)});
    }
    return reports;
}

}  // namespace partita
