// The JSON of `winml analyze --output` (models/output.py): {"metadata": {"operator_counts"}, "results": [{"ep_type",
// "classification": {"supported", "partial", "unsupported", "unknown": [names of operators or patterns]}}]}.
#include <algorithm>
#include <set>

#include "engine/frontends/onnxruntime/reports.h"
#include "engine/support/json_reader.h"

namespace partita::onnxruntime {

namespace {

std::string text_of(const JsonValue& object, std::string_view key) {
    const JsonValue* value = object.member(key);
    return value && value->is(JsonValue::Kind::String) ? value->text : std::string();
}

}  // namespace

bool is_winml(std::string_view text) {
    return text.find("\"classification\"") != std::string_view::npos &&
           text.find("\"ep_type\"") != std::string_view::npos;
}

Result<ProgramReport> read_winml(std::string_view text) {
    ProgramReport report;
    const Result<JsonValue> json = read_json(text);
    if (!json) return json.error();
    const JsonValue* results = json->member("results");
    if (!results) return report;
    for (const JsonValue& result : results->items) {
        const JsonValue* classes = result.member("classification");
        std::string asked = text_of(result, "ep_type");
        if (asked.empty()) asked = text_of(result, "ihv_type");
        if (!classes || asked.empty()) continue;
        for (const JsonMember& of : classes->members)
            for (const JsonValue& name : of.value.items) {
                ReportRow row;
                row.op = name.text;
                row.asked = asked;
                row.verdict = of.key == "supported";
                if (!row.verdict) row.reason = asked + ": " + of.key;
                if (of.key == "unknown" || of.key == "partial") row.asked.clear();  // neither yes nor no
                if (!row.op.empty()) report.rows.push_back(std::move(row));
            }
    }
    return report;
}

/// A verdict is about all nodes of an operator; one about a pattern is of no node.
Result<MatchedReport> match_by_operator(const ProgramReport& report, const std::vector<FileNode>& nodes) {
    std::multimap<std::string_view, const FileNode*> by_op;
    for (const FileNode& node : nodes) by_op.emplace(node.op, &node);
    MatchedReport matched;
    for (const ReportRow& row : report.rows) {
        ++matched.rows;
        const auto [begin, end] = by_op.equal_range(row.op);
        if (begin == end) matched.unmatched.push_back(row.op);
        else ++matched.matched_rows;
        for (auto at = begin; at != end; ++at) {
            NodeReport& of = matched.nodes[at->second->name];
            if (of.reason.empty()) of.reason = row.reason;
            if (of.asked.empty() && !row.asked.empty()) of.asked = row.asked, of.verdict = row.verdict;
        }
    }
    if (matched.matched_rows == 0) return error("it is of another model: none of the operators that it names is here");
    return matched;
}

}  // namespace partita::onnxruntime
