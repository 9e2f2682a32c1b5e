#include "engine/frontends/litert/reports.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <unordered_map>

namespace partita::litert {

namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string_view trimmed(std::string_view text) {
    const size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

template <class Each>
void for_each_line(std::string_view text, Each each) {
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        each(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// Returns what stands behind `before`, up to `after` or to the end; "" where `before` does not stand.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
    const size_t begin = text.find(before);
    if (begin == std::string_view::npos) return {};
    text.remove_prefix(begin + before.size());
    return after.empty() ? text : text.substr(0, text.find(after));
}

int64_t integer_of(std::string_view text, int64_t otherwise) {
    int64_t value = 0;
    text = trimmed(text);
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    return fault == std::errc() && end != text.data() ? value : otherwise;
}

double real_of(std::string_view text) {
    double value = 0;
    text = trimmed(text);
    (void)std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// Cuts what Android's log, TensorFlow Lite and LiteRT put in front of each line.
std::string_view message_of(std::string_view line) {
    if (const size_t tag = line.find(" tflite  : "); tag != std::string_view::npos) line.remove_prefix(tag + 11);
    else if (const size_t short_tag = line.find(" tflite: "); short_tag != std::string_view::npos)
        line.remove_prefix(short_tag + 9);
    for (std::string_view level : {"INFO: ", "VERBOSE: ", "WARNING: ", "ERROR: "})
        if (line.starts_with(level)) line.remove_prefix(level.size());
    if (line.starts_with('[') && has(line.substr(0, 80), ".cc:"))
        if (const size_t end = line.find("] "); end != std::string_view::npos) line.remove_prefix(end + 2);
    return line;
}

bool is_kind(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

/// A row that tells how many, and not which.
ReportRow count_row(std::string_view text) {
    ReportRow row;
    row.name = std::string(text.substr(0, 500));
    row.index = -2;
    return row;
}

// ---- Logs of delegates ----

class DelegateLog {
public:
    ProgramReport read(std::string_view text) {
        for_each_line(text, [this](std::string_view line) { read_line(trimmed(message_of(line))); });
        return std::move(report_);
    }

private:
    void read_line(std::string_view line) {
        if (has(line, "operations are not supported by GPU delegate:") || line.starts_with("Next operations")) {
            in_gpu_list_ = true;
            return;
        }
        if (has(line, "will run on the GPU") || has(line, "will run on the CPU")) {
            in_gpu_list_ = false;
            if (line.starts_with("No operations will run on the GPU")) report_.all_on = "CPU";
            report_.rows.push_back(count_row(line));
        } else if (line.starts_with("Replacing ")) read_replacing(line);
        else if (line.starts_with("LiteRT Op #")) read_compiler(line);
        else if (has(line, "partially compiled:") || has(line, "fully compiled") ||
                 line.starts_with("Partitioned subgraph<") || line.starts_with("Partitioning yielded"))
            report_.rows.push_back(count_row(line));
        else if (in_gpu_list_) read_refusal(line);
    }

    /// "Replacing 100 out of 138 node(s) with delegate (NAME) node, yielding ..."
    void read_replacing(std::string_view line) {
        const int64_t count = integer_of(line.substr(10), -1), of = integer_of(between(line, "out of ", " node"), -1);
        if (count >= 0 && count == of) report_.all_on = std::string(between(line, "delegate (", ")"));
        report_.rows.push_back(count_row(line));
    }

    /// "LiteRT Op #12 'GATHER_ND' (code=107) is not supported in Qualcomm Compiler."
    void read_compiler(std::string_view line) {
        ReportRow row;
        row.index = integer_of(line.substr(11), -1);
        row.op = std::string(between(line, "'", "'"));
        row.reason = std::string(between(line, ") ", ""));
        row.backend = "CPU";
        report_.rows.push_back(std::move(row));
    }

    /// "GATHER: Only support 1D indices" or "CUSTOM Name: Operation is not supported."
    void read_refusal(std::string_view line) {
        const size_t colon = line.find(": ");
        if (colon == std::string_view::npos) return;
        std::string_view kind = line.substr(0, colon);
        const bool custom = kind.starts_with("CUSTOM ");
        if (custom) kind.remove_prefix(7);
        if (!custom && !is_kind(kind)) return;
        ReportRow row;
        row.op = std::string(kind);
        row.reason = std::string(line.substr(colon + 2));
        row.backend = "CPU";
        report_.rows.push_back(std::move(row));
    }

    ProgramReport report_;
    bool in_gpu_list_ = false;
};

// ---- Profiles ----

/// The columns of a profile: how many, and where each stands.
struct Columns {
    size_t count = 0, average = 0;
};

class ProfileReader {
public:
    ProgramReport read(std::string_view text) {
        report_.has_times = true;
        for_each_line(text, [this](std::string_view line) { read_line(line); });
        return std::move(report_);
    }

private:
    static std::vector<std::string_view> cells(std::string_view line, char separator, size_t most) {
        std::vector<std::string_view> list;
        while (list.size() + 1 < most) {
            const size_t end = line.find(separator);
            if (end == std::string_view::npos) break;
            list.push_back(trimmed(line.substr(0, end)));
            line.remove_prefix(end + 1);
        }
        list.push_back(trimmed(line));
        return list;
    }

    void read_line(std::string_view line) {
        const bool table = has(line, "[node type]"), csv = line.starts_with("node type,");
        // In tables a separator stands in front of the first cell, too.
        if (table || separator_ == '\t') line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (table || csv) {
            separator_ = table ? '\t' : ',';
            const std::vector<std::string_view> titles = cells(line, separator_, SIZE_MAX);
            columns_ = {titles.size(), 0};
            for (size_t i = 0; i < titles.size(); ++i)
                if (titles[i] == "[avg ms]" || titles[i] == "avg_ms") columns_.average = i;
            return;
        }
        // The same nodes stand there once more, in another order or by kind.
        if (has(line, "=====") || has(line, "Top by")) in_order_ = has(line, "Run Order");
        if (!in_order_ || columns_.average == 0) return;
        // A name may hold the separator, and is last.
        const std::vector<std::string_view> row = cells(line, separator_, columns_.count);
        if (row.size() != columns_.count || row.back().empty()) return;
        add(row[0], row.back(), real_of(row[columns_.average]) * 1000);
    }

    void add(std::string_view kind, std::string_view name, double time_us) {
        if (kind.empty() || has(kind, "ModifyGraphWithDelegate") || has(kind, "AllocateTensors")) return;
        ReportRow row;
        row.op = std::string(kind);
        // [a, b]:3 is what makes a and b; 3 counts in the plan after delegation.
        const size_t end = name.rfind("]:");
        const bool listed = name.starts_with('[') && end != std::string_view::npos;
        row.name = std::string(listed ? name.substr(1, end - 1) : name);
        row.time_us = row.total_us = time_us;
        report_.rows.push_back(std::move(row));
    }

    ProgramReport report_;
    Columns columns_;
    char separator_ = '\t';
    bool in_order_ = true;
};

// ---- Matching ----

class Matcher {
public:
    explicit Matcher(const std::vector<FileNode>& nodes) : nodes_(nodes) {
        for (const FileNode& node : nodes) {
            by_kind_[node.op].push_back(&node);
            by_output_.emplace(node.name, &node);
            for (const std::string& output : node.outputs) by_output_.emplace(output, &node);
        }
    }

    std::vector<const FileNode*> find(const ReportRow& row) const {
        if (row.index >= 0) {
            const bool known = size_t(row.index) < nodes_.size() && nodes_[size_t(row.index)].op == row.op;
            return known ? std::vector{&nodes_[size_t(row.index)]} : std::vector<const FileNode*>();
        }
        if (!row.name.empty()) return by_name(row);
        const auto kind = by_kind_.find(row.op);
        // A row that names a kind means all of it, or no one knows which.
        return kind != by_kind_.end() && kind->second.size() == row.count ? kind->second
                                                                          : std::vector<const FileNode*>();
    }
    bool has_kind(const std::string& kind) const { return by_kind_.contains(kind); }

private:
    std::vector<const FileNode*> by_name(const ReportRow& row) const {
        // Of several outputs the first; a name may hold a comma.
        for (std::string_view name :
             {std::string_view(row.name), std::string_view(row.name).substr(0, row.name.find(", "))})
            if (const auto found = by_output_.find(name); found != by_output_.end() && found->second->op == row.op)
                return {found->second};
        return {};
    }

    const std::vector<FileNode>& nodes_;
    std::unordered_map<std::string_view, std::vector<const FileNode*>> by_kind_;
    std::unordered_map<std::string_view, const FileNode*> by_output_;
};

std::string title_of(const ReportRow& row) {
    std::string title = row.op;
    if (!row.name.empty()) title += (title.empty() ? "" : " ") + row.name;
    if (row.index >= 0) title += " #" + std::to_string(row.index);
    if (row.name.empty() && !row.reason.empty()) title += ": " + row.reason;
    return title;
}

}  // namespace

bool is_delegate_log(std::string_view text) {
    return (has(text, "Replacing ") && has(text, "with delegate")) || has(text, "not supported by GPU delegate") ||
           has(text, "will run on the GPU") || has(text, "LiteRT Op #") || has(text, "Partition Stats:") ||
           has(text, "Partitioned subgraph<") || has(text, "Partitioning yielded");
}

Result<ProgramReport> read_delegate_log(std::string_view text) { return DelegateLog().read(text); }

bool is_edge_tpu_table(std::string_view text) {
    return has(text, "run on Edge TPU") || (has(text, "Operator") && has(text, "Mapped to Edge TPU"));
}

Result<ProgramReport> read_edge_tpu_table(std::string_view text) {
    ProgramReport report;
    for_each_line(text, [&](std::string_view line) {
        const size_t end = line.find(' ');
        if (end == std::string_view::npos || !is_kind(line.substr(0, end))) return;
        const std::string_view rest = trimmed(line.substr(end));
        const int64_t count = integer_of(rest, 0);
        const size_t status = rest.find_first_not_of("0123456789");
        if (count < 1 || status == std::string_view::npos || status == 0) return;
        ReportRow row;
        row.op = std::string(line.substr(0, end));
        row.count = size_t(count);
        const std::string_view says = trimmed(rest.substr(status));
        const bool mapped = says == "Mapped to Edge TPU";
        row.backend = mapped ? "Edge TPU" : "CPU";
        if (!mapped) row.reason = std::string(says);
        report.rows.push_back(std::move(row));
    });
    return report;
}

bool is_vela_log(std::string_view text) {
    return has(text, "Placing on CPU instead") || has(text, "is a CPU only op") || has(text, "NPU operators = ");
}

Result<ProgramReport> read_vela_log(std::string_view text) {
    ProgramReport report;
    for_each_line(text, [&](std::string_view line) {
        const bool semantics = has(line, "Unsupported TensorFlow Lite semantics for ");
        const bool refused = semantics || has(line, "is not supported on the NPU"),
                   only = has(line, "is a CPU only op");
        if (refused || only) {
            ReportRow row;
            const std::string_view rest = between(line,
                                                  semantics ? "semantics for "
                                                  : only    ? "Info: "
                                                            : "Warning: ",
                                                  "");
            const size_t quote = rest.find('\''), last = rest.rfind('\'');
            if (quote == std::string_view::npos || last == quote) return;
            row.op = std::string(trimmed(rest.substr(0, quote)));
            row.name = std::string(rest.substr(quote + 1, last - quote - 1));
            row.backend = "CPU";
            if (only) row.reason = "it is an operator of the CPU alone";
            report.rows.push_back(std::move(row));
        } else if (line.starts_with(" ") && !report.rows.empty() && !trimmed(line).empty()) {
            // The constraint, and then the values.
            std::string_view part = trimmed(line);
            if (part.starts_with("- ")) part.remove_prefix(2);
            std::string& reason = report.rows.back().reason;
            if (reason.size() < 2000) reason += (reason.empty() ? "" : " ") + std::string(part.substr(0, 500));
        } else if (line.starts_with("CPU operators = ") || line.starts_with("NPU operators = "))
            report.rows.push_back(count_row(line));
    });
    return report;
}

bool is_vela_layers(std::string_view text) { return text.starts_with("TFLITE_operator,NNG Operator,"); }

Result<ProgramReport> read_vela_layers(std::string_view text) {
    ProgramReport report;
    constexpr size_t kColumns = 15, kCycles = 4;
    for_each_line(text, [&](std::string_view line) {
        if (is_vela_layers(line)) return;
        std::vector<std::string_view> cells;
        for (; cells.size() + 1 < kColumns && has(line, ","); line.remove_prefix(line.find(',') + 1))
            cells.push_back(trimmed(line.substr(0, line.find(','))));
        if (cells.size() + 1 != kColumns) return;
        ReportRow row;
        row.op = std::string(cells[0]);
        row.name = std::string(trimmed(line));
        row.backend = "NPU";
        row.reason = std::string(cells[kCycles]) + " cycles";
        report.rows.push_back(std::move(row));
    });
    return report;
}

bool is_profile(std::string_view text) {
    return has(text, "[node type]") || has(text, "node type, ") || has(text, "node type,start");
}

Result<ProgramReport> read_profile(std::string_view text) { return ProfileReader().read(text); }

Result<MatchedReport> match_report(const ProgramReport& report, const std::vector<FileNode>& nodes) {
    const Matcher matcher(nodes);
    MatchedReport matched;
    std::set<std::string> told;
    size_t naming = 0;
    if (!report.all_on.empty())
        for (const FileNode& node : nodes) matched.nodes[node.name].backend = report.all_on;
    for (const ReportRow& row : report.rows) {
        const bool counts = row.index == -2;
        const std::vector<const FileNode*> found = counts ? std::vector<const FileNode*>() : matcher.find(row);
        matched.rows += row.count;
        matched.time_us += row.total_us;
        naming += !counts && (!row.op.empty() && !matcher.has_kind(row.op)) ? 1 : 0;
        for (const FileNode* node : found) {
            NodeReport& of = matched.nodes[node->name];
            of.time_us += row.time_us;
            if (!row.backend.empty()) of.backend = row.backend;
            if (of.reason.empty()) of.reason = row.reason;
        }
        if (!found.empty()) {
            matched.matched_rows += row.count;
            matched.matched_time_us += row.total_us;
        } else if (told.insert(title_of(row)).second) matched.unmatched.push_back(title_of(row));
    }
    // Delegates' rows name kinds that no file has; a report of which no row fits is of another model.
    const size_t rows = size_t(
        std::count_if(report.rows.begin(), report.rows.end(), [](const ReportRow& row) { return row.index != -2; }));
    if (rows >= 3 && matched.matched_rows == 0 && naming * 5 > rows * 4)
        return error("it is of another model: none of its " + std::to_string(rows) + " rows names a node of this one");
    return matched;
}

}  // namespace partita::litert
