#include "engine/frontends/torch/reports.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <unordered_map>

namespace partita::torch {

namespace {

constexpr std::string_view kWhy = "WhyNoPartition: Node ", kBecause = " was not partitioned because ",
                           kVulkan = "[Vulkan Partitioner] Due to [",
                           kCoreMl = "Skipping op for CoreML delegation because ";
/// What stands in a row's `op` where it tells of all nodes of a type.
constexpr std::string_view kOfType = "all of this type";

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

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

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    return text;
}

/// The cells of a line of a grid, which stand between │.
std::vector<std::string_view> cells_of(std::string_view line) {
    constexpr std::string_view kBar = "│";
    std::vector<std::string_view> cells;
    if (!line.starts_with(kBar)) return cells;
    for (line.remove_prefix(kBar.size()); !line.empty();) {
        const size_t end = std::min(line.find(kBar), line.size());
        cells.push_back(trimmed(line.substr(0, end)));
        line.remove_prefix(std::min(end + kBar.size(), line.size()));
    }
    return cells;
}

/// Calls each(cells) for every row of a grid below its head, the lines of a cell put together.
template <class Each>
void for_each_row(std::string_view text, Each each) {
    std::vector<std::vector<std::string_view>> cells;
    bool below_head = false;
    const auto finish = [&] {
        if (below_head && !cells.empty()) each(cells);
        cells.clear();
    };
    for_each_line(text, [&](std::string_view line) {
        if (line.starts_with("╞")) {
            cells.clear();
            below_head = true;
        } else if (line.starts_with("├") || line.starts_with("╘")) {
            finish();
        } else if (const std::vector<std::string_view> parts = cells_of(line); !parts.empty()) {
            cells.resize(std::max(cells.size(), parts.size()));
            for (size_t i = 0; i < parts.size(); ++i)
                if (!parts[i].empty()) cells[i].push_back(parts[i]);
        }
    });
    finish();
}

/// Words that were wrapped at 35 letters: longer ones were cut, which leaves their line full.
std::string unwrapped(const std::vector<std::string_view>& lines) {
    constexpr size_t kWidth = 35;
    std::string text;
    size_t last_line = 0;
    for (std::string_view line : lines) {
        const size_t word = text.size() - (text.rfind(' ') == std::string::npos ? 0 : text.rfind(' ') + 1);
        const bool was_cut = last_line == kWidth && word + std::min(line.find(' '), line.size()) > kWidth;
        if (!text.empty() && !was_cut) text += ' ';
        text += line;
        last_line = line.size();
    }
    return text;
}
/// Of a name, which has no spaces.
std::string joined(const std::vector<std::string_view>& lines) {
    std::string text;
    for (std::string_view line : lines) text += line;
    return text;
}

ProgramReport report_of(std::vector<ReportRow> rows) {
    ProgramReport report;
    report.rows = std::move(rows);
    return report;
}

ReportRow row_of(std::string name, std::string op, std::string backend, std::string reason) {
    ReportRow row;
    row.name = std::move(name);
    row.op = std::move(op);
    row.backend = std::move(backend);
    row.reason = std::move(reason);
    return row;
}

/// The name of a node without the number that tells it from others of its kind.
std::string_view without_number(std::string_view name) {
    const size_t at = name.find_last_not_of("0123456789");
    return at != std::string_view::npos && at + 1 < name.size() && name[at] == '_' ? name.substr(0, at) : name;
}

/// "aten.add.Tensor" of any way to write it.
std::string_view short_op(std::string_view op) {
    for (std::string_view prefix : {"executorch.exir.dialects.edge.ops.", "torch.ops."})
        if (op.starts_with(prefix)) op.remove_prefix(prefix.size());
    return op;
}

class NameMatcher {
public:
    explicit NameMatcher(const std::vector<FileNode>& nodes) {
        for (const FileNode& node : nodes) {
            by_name_.emplace(node.name, &node);
            by_op_[short_op(node.op)].push_back(&node);
            by_type_[without_number(node.name)].push_back(&node);
        }
    }

    /// Returns all nodes that a row is of.
    std::vector<const FileNode*> find(const ReportRow& row) const {
        if (row.op == kOfType) return listed(by_type_, row.name);
        if (!row.name.empty()) {
            const auto found = by_name_.find(row.name);
            return found == by_name_.end() ? std::vector<const FileNode*>() : std::vector{found->second};
        }
        std::vector<const FileNode*> all = listed(by_op_, short_op(row.op));
        // Types stand behind the operator: "aten.add.Tensor float32[1, 5]".
        if (const size_t space = row.op.find(' '); space != std::string::npos) {
            all = listed(by_op_, short_op(std::string_view(row.op).substr(0, space)));
            const std::string_view type = std::string_view(row.op).substr(space + 1);
            std::erase_if(all, [&](const FileNode* node) { return node->types.empty() || node->types[0] != type; });
            if (all.size() != 1) return {};
        }
        return all;
    }

private:
    using Lists = std::unordered_map<std::string_view, std::vector<const FileNode*>>;
    static std::vector<const FileNode*> listed(const Lists& lists, std::string_view key) {
        const auto found = lists.find(key);
        return found == lists.end() ? std::vector<const FileNode*>() : found->second;
    }

    std::unordered_map<std::string_view, const FileNode*> by_name_;
    Lists by_op_, by_type_;
};

}  // namespace

// --- the grid of reasons, log lines -----------------------------------------------------------------------------

bool is_why_no_partition(std::string_view text) { return holds(text, "│ Node name") && holds(text, "│ Reason"); }
Result<ProgramReport> read_why_no_partition(std::string_view text) {
    std::vector<ReportRow> rows;
    for_each_row(text, [&](const std::vector<std::vector<std::string_view>>& cells) {
        if (cells.size() < 4) return;
        rows.push_back(row_of(joined(cells[0]), joined(cells[1]), "", unwrapped(cells[3])));
    });
    return report_of(std::move(rows));
}

bool is_xnnpack_log(std::string_view text) { return holds(text, kWhy) && holds(text, kBecause); }
Result<ProgramReport> read_xnnpack_log(std::string_view text) {
    std::vector<ReportRow> rows;
    for_each_line(text, [&](std::string_view line) {
        const size_t begin = line.find(kWhy), because = line.find(kBecause);
        if (begin == std::string_view::npos || because == std::string_view::npos || because < begin) return;
        std::string_view reason = line.substr(because + kBecause.size());
        if (reason.ends_with('.')) reason.remove_suffix(1);
        const size_t name = begin + kWhy.size();
        rows.push_back(row_of(std::string(line.substr(name, because - name)), "", "", std::string(reason)));
    });
    return report_of(std::move(rows));
}

namespace {

/// "torch.float32: torch.Size([1, 5])", the first of a list too, as "float32[1, 5]".
std::string type_of_result(std::string_view text) {
    constexpr std::string_view kTorch = "torch.", kSize = ": torch.Size([";
    const size_t dtype = text.find(kTorch), size = text.find(kSize);
    if (dtype == std::string_view::npos || size == std::string_view::npos || size < dtype) return {};
    const size_t begin = size + kSize.size(), end = text.find(']', begin);
    if (end == std::string_view::npos) return {};
    return std::string(text.substr(dtype + kTorch.size(), size - dtype - kTorch.size())) + "[" +
           std::string(text.substr(begin, end - begin)) + "]";
}

}  // namespace

bool is_vulkan_log(std::string_view text) { return holds(text, kVulkan); }
Result<ProgramReport> read_vulkan_log(std::string_view text) {
    std::vector<ReportRow> rows;
    for_each_line(text, [&](std::string_view line) {
        const size_t begin = line.find(kVulkan), skipping = line.find("], skipping ");
        if (begin == std::string_view::npos || skipping == std::string_view::npos) return;
        const std::string_view what = line.substr(skipping + 12);
        const size_t equals = what.find(" = "), bracket = what.find('(', equals + 3);
        if (equals == std::string_view::npos || bracket == std::string_view::npos) return;
        const size_t reason = begin + kVulkan.size();
        const std::string type = type_of_result(what.substr(0, equals));
        rows.push_back(
            row_of("", std::string(what.substr(equals + 3, bracket - equals - 3)) + (type.empty() ? "" : " " + type),
                   "", std::string(line.substr(reason, skipping - reason))));
    });
    return report_of(std::move(rows));
}

bool is_coreml_log(std::string_view text) { return holds(text, kCoreMl); }
Result<ProgramReport> read_coreml_log(std::string_view text) {
    std::vector<ReportRow> rows;
    for_each_line(text, [&](std::string_view line) {
        const size_t begin = line.find(kCoreMl), colon = line.rfind(": ");
        if (begin == std::string_view::npos || colon == std::string_view::npos || colon < begin) return;
        const size_t reason = begin + kCoreMl.size();
        if (colon < reason) return;
        rows.push_back(row_of("", std::string(trimmed(line.substr(colon + 2))), "",
                              std::string(line.substr(reason, colon - reason))));
    });
    return report_of(std::move(rows));
}

// --- tables of counts -------------------------------------------------------------------------------------------

bool is_delegation_info(std::string_view text) {
    return holds(text, "Number of delegated nodes:") || holds(text, "occurrences_in_delegated_graphs");
}
/// Tells of a node where all of its type are delegated, or none.
Result<ProgramReport> read_delegation_info(std::string_view text) {
    std::vector<ReportRow> rows;
    for_each_row(text, [&](const std::vector<std::vector<std::string_view>>& cells) {
        if (cells.size() < 4 || cells[1].empty() || cells[2].empty() || cells[3].empty()) return;
        const std::string type = joined(cells[1]);
        const bool some = cells[2][0] != "0", others = cells[3][0] != "0";
        if (type == "Total" || some == others) {
            if (type != "Total")
                rows.push_back(
                    row_of(type + ": " + std::string(cells[2][0]) + " delegated, " + std::string(cells[3][0]) + " not",
                           "", "", ""));
            return;
        }
        rows.push_back(row_of(type, std::string(kOfType), some ? "delegate" : "",
                              others ? "no node of its type is delegated" : ""));
    });
    return report_of(std::move(rows));
}

bool is_tensorrt_dry_run(std::string_view text) {
    return holds(text, "Dry-Run Results for Graph") || holds(text, "currently set to run in Torch") ||
           holds(text, "Unsupported or Excluded Nodes:");
}
Result<ProgramReport> read_tensorrt_dry_run(std::string_view text) {
    std::vector<ReportRow> rows;
    std::vector<std::string> unsupported;
    bool lists_ops = false, counts_unsupported = false;
    for_each_line(text, [&](std::string_view line) {
        constexpr std::string_view kNode = "Node: ", kPlace = ", with layer location: ";
        const std::string_view plain = trimmed(line);
        if (holds(line, "ported Nodes:") || holds(line, "Excluded Nodes:")) {
            counts_unsupported = holds(line, "Excluded Nodes:");
        } else if (const size_t count = plain.find(" + Operator Count:"); count != std::string_view::npos) {
            // A debug log counts by operator: what it says is of all nodes that have it.
            if (counts_unsupported && plain.starts_with("- "))
                rows.push_back(row_of("", std::string(plain.substr(2, count - 2)), "Torch",
                                      "unsupported or excluded from conversion"));
        } else if (holds(line, "ops are currently unsupported or excluded")) {
            lists_ops = true;
        } else if (plain.starts_with(kNode) && holds(plain, kPlace)) {
            lists_ops = false;
            const size_t place = plain.find(kPlace);
            const std::string op(plain.substr(kNode.size(), place - kNode.size()));
            const std::string_view path = plain.substr(place + kPlace.size());
            const bool refused = std::find(unsupported.begin(), unsupported.end(), op) != unsupported.end();
            rows.push_back(row_of(std::string(path.substr(path.rfind('/') + 1)), op, "Torch",
                                  refused ? "unsupported or excluded from conversion"
                                          : "supported, but not put in a TensorRT engine by the partitioner"));
        } else if (const size_t colon = plain.rfind(": "); lists_ops && colon != std::string_view::npos) {
            unsupported.emplace_back(plain.substr(0, colon));
        } else if (plain.empty()) {
            lists_ops = lists_ops && unsupported.empty();
        }
    });
    return report_of(std::move(rows));
}

Result<MatchedReport> match_by_name(const ProgramReport& report, const std::vector<FileNode>& nodes) {
    const NameMatcher matcher(nodes);
    MatchedReport matched;
    std::vector<std::string> told;
    for (const ReportRow& row : report.rows) {
        ++matched.rows;
        const std::vector<const FileNode*> found = matcher.find(row);
        matched.matched_rows += !found.empty();
        for (const FileNode* node : found) {
            NodeReport& of = matched.nodes[node->name];
            if (!row.backend.empty()) of.backend = row.backend;
            if (of.reason.empty()) of.reason = row.reason;
        }
        const std::string title = row.name.empty() ? row.op : row.name;
        if (found.empty() &&
            std::find(matched.unmatched.begin(), matched.unmatched.end(), title) == matched.unmatched.end())
            matched.unmatched.push_back(title);
    }
    if (matched.rows > 0 && matched.matched_rows == 0)
        return error("it is of another model: none of its " + std::to_string(matched.rows) +
                     " rows names a node of this one");
    return matched;
}

}  // namespace partita::torch
