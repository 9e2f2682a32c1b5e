#include "app/cli/reports_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/cli/terminal.h"
#include "engine/support/amount.h"
#include "engine/support/one_line.h"

namespace partita::cli {

namespace {

std::string share_text(double part, double whole) {
    return whole > 0 ? ", " + std::to_string(int(std::lround(100 * part / whole))) + " % of their time" : "";
}

Json report_json(const ReadReport& report) {
    const auto text_or_null = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
    Json nodes = Json::object();
    for (const auto& [name, node] : report.matched.nodes)
        nodes[name] = Json{{"backend", text_or_null(node.backend)},
                           {"time_us", report.has_times ? Json(node.time_us) : Json()},
                           {"reason", text_or_null(node.reason)}};
    for (const auto& [name, node] : report.matched.nodes) {
        if (!node.row.empty()) nodes[name]["row"] = node.row;
        if (!node.asked.empty()) nodes[name]["verdict"] = Json{{"backend", node.asked}, {"takes", node.verdict}};
    }
    return Json{{"file", report.file},
                {"kind", report.kind},
                {"rows", report.matched.rows},
                {"matched_rows", report.matched.matched_rows},
                {"time_us", report.matched.time_us},
                {"matched_time_us", report.matched.matched_time_us},
                {"nodes", std::move(nodes)},
                {"unmatched", report.matched.unmatched},
                {"inserted", report.matched.inserted},
                {"inserted_rows", report.matched.inserted_rows},
                {"notes", report.matched.notes}};
}

}  // namespace

std::string reports_text(const Reports& reports) {
    std::string text;
    for (const ReadReport& report : reports.read) {
        const MatchedReport& matched = report.matched;
        text += "\n" + on_one_line(report.file) + ": " + report.kind + ", ";
        text += matched.rows == 0
                    ? "which tells of all nodes at once\n"
                    : std::to_string(matched.matched_rows) + " of " + std::to_string(matched.rows) +
                          " rows are of nodes here" + share_text(matched.matched_time_us, matched.time_us) + "\n";
        if (matched.inserted_rows > 0)
            text += "  " + std::to_string(matched.inserted_rows) + " rows are of nodes that " + report.program +
                    " put in" + share_text(matched.inserted_time_us, matched.time_us) + "\n";
        if (matched.runs > 1 && report.has_times)
            text += "  it is of " + std::to_string(matched.runs) + " runs: the times below are those of one\n";
        for (const std::string& note : matched.notes) text += "  " + on_one_line(note) + "\n";
        std::map<std::string, std::pair<int, double>> by_backend;
        for (const auto& [_, node] : matched.nodes) {
            auto& [count, time] = by_backend[node.backend.empty() ? "(not said)" : node.backend];
            ++count;
            time += node.time_us / matched.runs;
        }
        Table table({"backend", "nodes", "us"});
        for (const auto& [backend, sum] : by_backend)
            table.add(
                {on_one_line(backend), std::to_string(sum.first), matched.time_us > 0 ? amount_text(sum.second) : ""});
        if (!table.empty()) text += table.text();
        constexpr size_t kMostTold = 10;
        for (size_t i = 0; i < std::min(matched.unmatched.size(), kMostTold); ++i)
            text += "  no node here: " + on_one_line(matched.unmatched[i]) + "\n";
        if (matched.unmatched.size() > kMostTold)
            text += "  and " + std::to_string(matched.unmatched.size() - kMostTold) + " more\n";
    }
    return text;
}

std::string reported_calls_text(const Reports& reports, const ExpressionNames& names, std::span<const ExprId> calls) {
    const ReportedDivision& reported = *reports.reported;
    Table table({"call", "reported on", "us", "reason"});
    std::set<const ReportedNode*> timed;  // a node may be several calls
    for (const ExprId call : calls) {
        const ReportedNode* node = reported.find(names.module(), call);
        const bool has_time = node && node->time_us >= 0 && timed.insert(node).second;
        table.add({names.name(call),
                   node && node->backend >= 0 ? reported.backends[size_t(node->backend)] : "(not said)",
                   has_time ? amount_text(node->time_us / reported.runs) : "", node ? on_one_line(node->reason) : ""});
    }
    return table.empty() ? "" : "\n" + table.text();
}

Json reports_json(const Reports& reports) {
    Json list = Json::array();
    for (const ReadReport& report : reports.read) list.push_back(report_json(report));
    return list;
}

}  // namespace partita::cli
