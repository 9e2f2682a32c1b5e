// The coverage report as a table, as Markdown and as JSON.
#include <algorithm>

#include "engine/explain/coverage.h"
#include "engine/explain/what_if.h"
#include "engine/support/amount.h"
#include "engine/support/number_text.h"
#include "engine/support/utf8.h"
#include "engine/support/whole_number.h"

namespace partita {

namespace {

using Row = std::vector<std::string>;

std::string share(double part, double whole) {
    if (whole <= 0) return "-";
    return fixed_text(100 * part / whole, 1) + " %";
}

std::vector<Row> backend_rows(const CoverageReport& report) {
    std::vector<Row> rows{
        {"backend", "calls", "of calls", "of FLOPs", "of parameters", "regions", "boundary tensors", "boundary"}};
    if (report.has_times) rows[0].push_back("us");
    for (const BackendCoverage& backend : report.backends) {
        bool offloads = backend.backend != "default";
        rows.push_back({backend.backend, std::to_string(backend.share.calls),
                        share(backend.share.calls, report.total.calls), share(backend.share.flops, report.total.flops),
                        share(backend.share.parameter_bytes, report.total.parameter_bytes),
                        offloads ? std::to_string(backend.regions) : "",
                        offloads ? std::to_string(backend.boundary_tensors) : "",
                        offloads ? amount_text(backend.boundary_bytes, "B") : ""});
        if (report.has_times) rows.back().push_back(amount_text(backend.share.time_us));
    }
    return rows;
}

std::vector<Row> op_rows(const CoverageReport& report) {
    Row head{"op", "calls", "FLOPs"};
    if (report.has_times) head.push_back("us");
    for (const BackendCoverage& backend : report.backends) head.push_back(backend.backend);
    std::vector<Row> rows{head};
    for (const OpCoverage& op : report.ops) {
        Row row{op.op, std::to_string(op.total.calls), amount_text(op.total.flops)};
        if (report.has_times) row.push_back(amount_text(op.total.time_us));
        for (const CoverageShare& part : op.backends) row.push_back(part.calls ? std::to_string(part.calls) : "");
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<Row> cause_rows(const CoverageReport& report) {
    bool several = report.backends.size() > 2;
    const bool deep = std::any_of(report.causes.begin(), report.causes.end(),
                                  [](const CoverageCause& cause) { return !cause.where.empty(); });
    Row head{"calls"};
    if (deep) head.push_back("where");
    head.push_back("cause");
    if (several) head.push_back("backend");
    if (report.has_times) head.push_back("us");
    std::vector<Row> rows{head};
    for (const CoverageCause& cause : report.causes) {
        Row row{std::to_string(cause.calls.size())};
        if (deep) row.push_back(cause.where.text());
        row.push_back(cause.words().text());
        if (several) row.push_back(cause.backend < 0 ? "" : report.backends[size_t(cause.backend)].backend);
        if (report.has_times) row.push_back(amount_text(cause.time_us));
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string table(const std::vector<Row>& rows) {
    std::vector<size_t> widths(rows[0].size());
    for (const Row& row : rows)
        for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], letter_count(row[i]));
    std::string text;
    for (const Row& row : rows) {
        std::string line;
        for (size_t i = 0; i < row.size(); ++i) line += row[i] + std::string(widths[i] - letter_count(row[i]) + 2, ' ');
        while (line.ends_with(' ')) line.pop_back();
        text += line + "\n";
    }
    return text;
}

std::string markdown_cell(const std::string& text) {
    std::string escaped;
    for (char c : text) {
        if (c == '|') escaped += '\\';
        escaped += c == '\n' ? ' ' : c;
    }
    return escaped;
}

std::string markdown(const std::vector<Row>& rows) {
    std::string text;
    for (size_t i = 0; i < rows.size(); ++i) {
        text += "|";
        for (const std::string& cell : rows[i]) text += " " + markdown_cell(cell) + " |";
        text += "\n";
        if (i > 0) continue;
        text += "|";
        for (size_t k = 0; k < rows[0].size(); ++k) text += " --- |";
        text += "\n";
    }
    return text;
}

nlohmann::json share_json(const CoverageShare& part) {
    return {{"calls", part.calls},
            {"flops", whole_number(part.flops)},
            {"parameter_bytes", whole_number(part.parameter_bytes)}};
}

std::string signed_share(double part, double whole) {
    const std::string text = share(part, whole);
    return part > 0 && !text.starts_with("0.0 ") ? "+" + text : text;
}

/// A change of the file is no backend's.
std::string backend_of(const WhatIf& entry, std::span<const BackendDescription> backends) {
    return entry.cause.backend < 0 ? "" : backends[size_t(entry.cause.backend)].name;
}

std::vector<Row> what_if_rows(std::span<const WhatIf> list, std::span<const BackendDescription> backends,
                              const CoverageShare& whole, std::string_view title) {
    std::vector<Row> rows{{std::string(title), "backend", "calls", "gained", "work", "regions", "boundary"}};
    for (const WhatIf& entry : list)
        rows.push_back(
            {entry.cause.words().text(), backend_of(entry, backends), std::to_string(entry.cause.calls.size()),
             (entry.calls_gained() > 0 ? "+" : "") + std::to_string(entry.calls_gained()),
             signed_share(entry.flops_gained(), whole.flops),
             std::to_string(entry.before.regions) + " to " + std::to_string(entry.after.regions),
             amount_text(entry.before.boundary_bytes, "B") + " to " + amount_text(entry.after.boundary_bytes, "B")});
    return rows;
}

}  // namespace

std::string coverage_text(const CoverageReport& report) {
    std::string text = table(backend_rows(report)) + "\n" + table(op_rows(report));
    if (!report.causes.empty()) text += "\nwhy calls stayed on default\n" + table(cause_rows(report));
    return text;
}

std::string coverage_markdown(const CoverageReport& report) {
    std::string text =
        "## Coverage\n\n" + markdown(backend_rows(report)) + "\n## Operators\n\n" + markdown(op_rows(report));
    if (!report.causes.empty()) text += "\n## Why calls stayed on default\n\n" + markdown(cause_rows(report));
    return text;
}

nlohmann::json coverage_json(const CoverageReport& report) {
    nlohmann::json json{{"total", share_json(report.total)},
                        {"backends", nlohmann::json::array()},
                        {"ops", nlohmann::json::array()},
                        {"causes", nlohmann::json::array()}};
    for (const BackendCoverage& backend : report.backends) {
        nlohmann::json item = share_json(backend.share);
        item["backend"] = backend.backend;
        item["regions"] = backend.regions;
        item["boundary_tensors"] = backend.boundary_tensors;
        item["boundary_bytes"] = whole_number(backend.boundary_bytes);
        json["backends"].push_back(std::move(item));
    }
    for (const OpCoverage& op : report.ops) {
        nlohmann::json item = share_json(op.total);
        item["op"] = op.op;
        for (size_t i = 0; i < op.backends.size(); ++i)
            item["backends"][report.backends[i].backend] = share_json(op.backends[i]);
        json["ops"].push_back(std::move(item));
    }
    for (const CoverageCause& cause : report.causes)
        json["causes"].push_back(
            {{"text", cause.reason.text()},
             {"op", cause.op},
             {"backend", cause.backend < 0 ? "default" : report.backends[size_t(cause.backend)].backend},
             {"calls", cause.calls.size()},
             {"matches", cause.matches},
             {"flops", whole_number(cause.flops)}});
    return json;
}

std::vector<const CoverageCause*> first_causes(const CoverageReport& report, size_t most) {
    std::vector<const CoverageCause*> list;
    for (const CoverageCause& cause : report.causes) {
        if (list.size() == most) break;
        const auto same = [&](const CoverageCause* other) { return other->reason.text() == cause.reason.text(); };
        if (std::none_of(list.begin(), list.end(), same)) list.push_back(&cause);
    }
    return list;
}

std::string coverage_summary(const CoverageReport& report) {
    constexpr size_t kShown = 3;
    const BackendCoverage& rest = report.backends.back();
    if (report.total.calls == 0) return "there are no calls of operators";
    if (rest.share.calls == 0) return "all " + std::to_string(report.total.calls) + " calls are offloaded";
    std::string text =
        std::to_string(rest.share.calls) + " of " + std::to_string(report.total.calls) + " calls stayed on default";
    const std::vector<const CoverageCause*> causes = first_causes(report, kShown + 1);
    for (size_t i = 0; i < std::min(causes.size(), kShown); ++i)
        text +=
            (i == 0 ? ": " : ", ") + causes[i]->reason.text() + " (" + std::to_string(causes[i]->calls.size()) + ")";
    return causes.size() > kShown ? text + ", ..." : text;
}

std::string what_if_text(std::span<const WhatIf> list, std::span<const BackendDescription> backends,
                         const CoverageShare& whole, std::string_view title) {
    const std::string of = title == "if" ? "" : std::string(title) + ": ";
    return list.empty() ? of + "no change of the rules to propose\n"
                        : table(what_if_rows(list, backends, whole, title));
}

std::string what_if_markdown(std::span<const WhatIf> list, std::span<const BackendDescription> backends,
                             const CoverageShare& whole, std::string_view title) {
    return markdown(what_if_rows(list, backends, whole, title));
}

nlohmann::json what_if_json(std::span<const WhatIf> list, std::span<const BackendDescription> backends) {
    nlohmann::json json = nlohmann::json::array();
    for (const WhatIf& entry : list) {
        nlohmann::json changes = nlohmann::json::array();
        for (const RuleChange& change : entry.changes)
            changes.push_back({{"backend", backends[size_t(change.backend)].name}, {"text", change.text()}});
        json.push_back({{"cause", entry.cause.reason.text()},
                        {"op", entry.cause.op},
                        {"backend", backend_of(entry, backends)},
                        {"changes", std::move(changes)},
                        {"float16", entry.float16},
                        {"calls", entry.cause.calls.size()},
                        {"matches", entry.cause.matches},
                        {"calls_gained", entry.calls_gained()},
                        {"flops_gained", whole_number(entry.flops_gained())},
                        {"regions_before", entry.before.regions},
                        {"regions_after", entry.after.regions},
                        {"boundary_bytes_before", whole_number(entry.before.boundary_bytes)},
                        {"boundary_bytes_after", whole_number(entry.after.boundary_bytes)}});
    }
    return json;
}

}  // namespace partita
