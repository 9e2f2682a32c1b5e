// OpenVINO's map of nodes to devices, {"friendly name": "CPU"}, as its HETERO plugin takes it.
#include "engine/frontends/onnxruntime/reports.h"
#include "engine/support/json_reader.h"

namespace partita::onnxruntime {

namespace {

/// "CPU", "GPU", "NPU", with the number of one: "GPU.1".
bool is_device(std::string_view name) {
    for (std::string_view device : {"CPU", "GPU", "NPU"})
        if (name == device || (name.starts_with(device) && name.substr(device.size()).starts_with('.'))) return true;
    return false;
}

}  // namespace

bool is_openvino_map(std::string_view text) {
    const size_t colon = text.find(':'), begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || text[begin] != '{' || colon == std::string_view::npos) return false;
    const size_t quote = text.find_first_not_of(" \t\r\n", colon + 1);
    if (quote == std::string_view::npos || text[quote] != '"') return false;
    const std::string_view value = text.substr(quote + 1);
    return is_device(value.substr(0, value.find('"')));
}

Result<ProgramReport> read_openvino_map(std::string_view text) {
    ProgramReport report;
    const Result<JsonValue> json = read_json(text);
    if (!json) return json.error();
    for (const JsonMember& member : json->members) {
        if (!member.value.is(JsonValue::Kind::String)) continue;
        ReportRow row;
        row.name = member.key;
        row.backend = member.value.text;
        report.rows.push_back(std::move(row));
    }
    return report;
}

}  // namespace partita::onnxruntime
