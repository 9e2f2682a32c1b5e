// A dump of ONNX Runtime's assignment API (Session_GetEpGraphAssignmentInfo, since 1.24): {"ort": VERSION,
// "ep_subgraphs": [{"ep", "nodes": [{"name", "op_type", "domain"}]}]}. A part is a capability: one node, or those that
// a provider compiled into one.
#include <set>

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
    std::set<std::string> compiles;  // providers of which a part has several nodes
    int number = 0;
    for (const JsonValue& part : parts->items) {
        const JsonValue* nodes = part.member("nodes");
        if (!nodes) continue;
        if (nodes->items.size() > 1) compiles.insert(member_text(part, "ep"));
        for (const JsonValue& node : nodes->items) {
            ReportRow row;
            row.name = member_text(node, "name");
            row.op = member_text(node, "op_type");
            row.backend = member_text(part, "ep");
            row.group = number;
            if (!row.name.empty() || !row.op.empty()) report.rows.push_back(std::move(row));
        }
        ++number;
    }
    for (ReportRow& row : report.rows)
        if (!compiles.contains(row.backend)) row.group = -1;
    return report;
}

}  // namespace partita::onnxruntime
