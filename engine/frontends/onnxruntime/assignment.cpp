// A dump of ONNX Runtime's assignment API (Session_GetEpGraphAssignmentInfo, since 1.24): {"ort": VERSION,
// "ep_subgraphs": [{"ep", "nodes": [{"name", "op_type", "domain"}]}]}.
#include "engine/frontends/onnxruntime/runtime_report.h"
#include "engine/support/json_reader.h"

namespace partita::onnxruntime {

namespace {

std::string member_text(const JsonValue& object, std::string_view key) {
    const JsonValue* value = object.member(key);
    return value && value->is(JsonValue::Kind::String) ? value->text : std::string();
}

}  // namespace

RuntimeReport read_assignment(std::string_view text) {
    RuntimeReport report{"onnxruntime-assignment", {}, {}};
    const Result<JsonValue> json = read_json(text);
    const JsonValue* parts = json ? json->member("ep_subgraphs") : nullptr;
    if (!parts) return report;
    for (const JsonValue& part : parts->items) {
        const JsonValue* nodes = part.member("nodes");
        if (!nodes) continue;
        for (const JsonValue& node : nodes->items) {
            ReportRow row;
            row.name = member_text(node, "name");
            row.op = member_text(node, "op_type");
            row.backend = member_text(part, "ep");
            if (!row.name.empty() || !row.op.empty()) report.rows.push_back(std::move(row));
        }
    }
    return report;
}

Result<RuntimeReport> read_report(std::string_view text, const std::string& file) {
    const auto refused = [&file](const std::string& message) {
        Diagnostic fault = error(message);
        fault.file = file;
        return fault;
    };
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return refused("the file is empty; ONNX Runtime writes a profile when the session ends, not if it is killed");
    const bool is_json = text.find_first_not_of(" \t\r\n") == text.find_first_of("[{") && text.front() != '2';
    const bool is_assignment = text.find("\"ep_subgraphs\"") != std::string_view::npos;
    RuntimeReport report = is_assignment ? read_assignment(text) : is_json ? read_profile(text) : read_log(text);
    if (report.rows.empty() && report.all_on.empty())
        return refused(is_json
                           ? "the file has no rows of nodes: expected a profile of ONNX Runtime, its verbose log, or a "
                             "dump of its assignments"
                           : "no line tells where a node was placed: expected a verbose log of ONNX Runtime "
                             "(log_severity_level=0), its profile, or a dump of its assignments");
    return report;
}

}  // namespace partita::onnxruntime
