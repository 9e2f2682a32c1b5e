// A dump of ONNX Runtime's assignment API (Session_GetEpGraphAssignmentInfo, since 1.24): {"ort": VERSION,
// "ep_subgraphs": [{"ep", "nodes": [{"name", "op_type", "domain"}]}]}.
#include "engine/frontends/onnxruntime/reports.h"
#include "engine/support/json_reader.h"

namespace partita::onnxruntime {

namespace {

std::string member_text(const JsonValue& object, std::string_view key) {
    const JsonValue* value = object.member(key);
    return value && value->is(JsonValue::Kind::String) ? value->text : std::string();
}

}  // namespace

bool is_assignment(std::string_view text) { return text.find("\"ep_subgraphs\"") != std::string_view::npos; }

Result<ProgramReport> read_assignment(std::string_view text) {
    ProgramReport report;
    const Result<JsonValue> json = read_json(text);
    if (!json) return json.error();
    const JsonValue* parts = json->member("ep_subgraphs");
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

}  // namespace partita::onnxruntime
