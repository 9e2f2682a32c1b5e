#include "engine/frontends/onnxruntime/reports.h"
#include "engine/frontends/onnxruntime/rows_by_place.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace partita::onnxruntime {

namespace {

/// Cuts what the runtime's transformers append to names. Returns false if there is nothing to cut.
bool strip(std::string& name) {
    if (const size_t token = name.rfind("_token_");
        token != std::string::npos && token + 7 < name.size() &&
        name.find_first_not_of("0123456789", token + 7) == std::string::npos) {
        name.resize(token);
        return true;
    }
    for (std::string_view suffix : {"/MatMulAddFusion", "/MatMulAddFusion/", "_new_reshape", "/duplicated",
                                    "/LayerNormFusion/", "/SimplifiedLayerNormFusion/", "/GatherSliceToSplitFusion",
                                    "/MatMulScaleFusion/", "/MatmulTransposeFusion/", "/GemmTransposeFusion/"})
        if (name.ends_with(suffix)) {
            name.resize(name.size() - suffix.size());
            return true;
        }
    if (name.starts_with("fused ")) {
        name.erase(0, 6);
        return true;
    }
    return false;
}

class Matcher {
public:
    explicit Matcher(const std::vector<FileNode>& nodes) : nodes_(nodes) {
        for (size_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i].is_named) by_name_.emplace(nodes[i].name, i);
            if (nodes[i].index >= 0) by_index_.emplace(nodes[i].index, i), ++main_nodes_;
            for (const std::string& output : nodes[i].outputs)
                if (!output.empty()) by_output_.emplace(output, i);
        }
    }

    /// Returns null where no node is known to be meant.
    const FileNode* find(const ReportRow& row) const {
        if (const auto exact = by_name_.find(row.name); exact != by_name_.end() && fits(row, nodes_[exact->second]))
            return &nodes_[exact->second];
        if (const auto at = by_index_.find(row.index); at != by_index_.end() && nodes_[at->second].op == row.op)
            return &nodes_[at->second];
        std::string name = row.name;
        while (strip(name))
            if (const auto found = by_name_.find(name); found != by_name_.end()) return &nodes_[found->second];
        // Programs that compile a graph of their own name nodes after tensors.
        if (row.op.empty())
            for (std::string_view end : {"", "_Output", "_output"})
                if (row.name.ends_with(end))
                    if (const auto found =
                            by_output_.find(std::string_view(row.name).substr(0, row.name.size() - end.size()));
                        found != by_output_.end())
                        return &nodes_[found->second];
        if (name.ends_with("_nchwc")) {
            name.resize(name.size() - 6);
            for (std::string_view end : {"_bn", "_mul"})
                if (name.ends_with(end)) name.resize(name.size() - end.size());
            if (const auto found = by_output_.find(name); found != by_output_.end()) return &nodes_[found->second];
        }
        return nullptr;
    }
    bool is_named_here(const ReportRow& row) const {
        const FileNode* node = find(row);
        return node && (!node->is_named || node->index != row.index || node->name == row.name);
    }

private:
    /// What was fused may have the name of the node whose work it does, and a number of its own.
    bool fits(const ReportRow& row, const FileNode& node) const {
        return row.op.empty() || row.op == node.op || (row.index >= main_nodes_ && does_work_of(row, node));
    }

    const std::vector<FileNode>& nodes_;
    std::unordered_map<std::string_view, size_t> by_name_, by_output_;
    std::unordered_map<int64_t, size_t> by_index_;
    int64_t main_nodes_ = 0;
};

bool is_nameless(const ReportRow& row) {
    return row.name.empty() || row.name == row.op + "_" + std::to_string(row.index);
}

/// Nodes that the runtime put in the place of an operator have no name: they are found in order, where there are as
/// many as there would be. `node_of` has the node of each row that is known.
void find_parts(const std::vector<ReportRow>& rows, const std::vector<FileNode>& nodes, std::vector<int64_t>& node_of) {
    std::map<std::string_view, std::vector<int64_t>> parts;                    // by operator
    std::map<std::pair<std::string_view, bool>, std::vector<size_t>> unnamed;  // verdicts apart from places
    for (size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].part_of >= 0 && !nodes[i].is_named) parts[nodes[i].op].push_back(int64_t(i));
    for (size_t i = 0; i < rows.size() && !parts.empty(); ++i)
        if (node_of[i] < 0 && is_nameless(rows[i])) unnamed[{rows[i].op, rows[i].asked.empty()}].push_back(i);
    for (const auto& [of, found] : unnamed)
        if (const auto wanted = parts.find(of.first); wanted != parts.end() && wanted->second.size() == found.size())
            for (size_t i = 0; i < found.size(); ++i) node_of[found[i]] = wanted->second[i];
}

/// Of a log: nodes without a name are known where the log places as many of their operator, all on one provider; what
/// else it says of that operator, once or several times of each, is then said of all of them.
void find_nameless(const std::vector<ReportRow>& rows, const std::vector<FileNode>& nodes,
                   std::vector<int64_t>& node_of) {
    std::map<std::string_view, std::vector<int64_t>> nameless;                     // by operator
    std::map<std::string_view, std::vector<size_t>> placed;                        // by operator
    std::map<std::pair<std::string_view, std::string>, std::vector<size_t>> said;  // by operator and text
    for (size_t i = 0; i < nodes.size(); ++i)
        if (!nodes[i].is_named) nameless[nodes[i].op].push_back(int64_t(i));
    for (size_t i = 0; i < rows.size() && !nameless.empty(); ++i) {
        if (node_of[i] >= 0 || rows[i].index >= 0 || !rows[i].name.empty()) continue;
        if (!rows[i].backend.empty()) placed[rows[i].op].push_back(i);
        else said[{rows[i].op, rows[i].asked + ": " + rows[i].reason}].push_back(i);
    }
    const auto give = [&](const std::vector<size_t>& from, const std::vector<int64_t>& to) {
        for (size_t i = 0; i < from.size(); ++i) node_of[from[i]] = to[i % to.size()];
    };
    for (const auto& [op, to] : nameless) {
        const std::vector<size_t>& from = placed[op];
        if (from.size() != to.size() || std::any_of(from.begin(), from.end(), [&](size_t row) {
                return rows[row].backend != rows[from.front()].backend;
            }))
            continue;
        give(from, to);
        for (auto at = said.lower_bound({op, ""}); at != said.end() && at->first.first == op; ++at)
            if (at->second.size() % to.size() == 0) give(at->second, to);
    }
}

/// Of the nodes that ran in a row the first bears its time whose operator the row has, or whose work it does; else the
/// one that it is named after, or the last, whose result is the row's.
void choose_bearers(const std::vector<ReportRow>& rows, const std::vector<FileNode>& nodes,
                    const std::vector<int64_t>& row_of, std::vector<int64_t>& node_of) {
    std::vector<int64_t> last(rows.size(), -1), works(rows.size(), -1), same(rows.size(), -1);
    for (size_t i = 0; i < nodes.size(); ++i) {
        if (row_of[i] < 0) continue;
        const auto row = size_t(row_of[i]);
        last[row] = int64_t(i);
        if (same[row] < 0 && rows[row].op == nodes[i].op) same[row] = int64_t(i);
        if (works[row] < 0 && does_work_of(rows[row], nodes[i])) works[row] = int64_t(i);
    }
    for (size_t i = 0; i < rows.size(); ++i)
        for (int64_t bearer : {last[i], node_of[i], works[i], same[i]})
            if (bearer >= 0) node_of[i] = bearer;
}

std::string title_of(const ReportRow& row) { return row.op.empty() ? row.name : row.op + " " + row.name; }

/// A row of a transformed model may well be unknown; of a report of this model not nearly all are.
Status check_model(const ProgramReport& report, const Matcher& matcher) {
    size_t rows = 0, known = 0, inserted = 0;
    for (const ReportRow& row : report.rows) {
        rows += row.count;
        if (matcher.is_named_here(row)) known += row.count;
        if (is_inserted(row)) inserted += row.count;
    }
    if (rows == 0 || known * 5 >= rows - inserted) return Nothing();
    return error("it is of another model: of its " + std::to_string(rows) + " rows " +
                 (known ? "only " + std::to_string(known) : "none") + " name" + (known == 1 ? "s" : "") +
                 " a node of this one");
}

/// Of several sessions in a log keeps the one that names most nodes of this model, the last of those.
ProgramReport of_one_session(ProgramReport report, const Matcher& matcher) {
    std::map<int, size_t> known;
    for (const ReportRow& row : report.rows) known[row.session] += matcher.find(row) ? 1 : 0;
    if (known.size() < 2) return report;
    const auto most =
        std::max_element(known.begin(), known.end(), [](const auto& a, const auto& b) { return a.second <= b.second; });
    std::erase_if(report.rows, [&](const ReportRow& row) { return row.session != most->first; });
    report.notes.push_back("of " + std::to_string(known.size()) + " sessions in the file this is number " +
                           std::to_string(most->first));
    return report;
}

}  // namespace

Result<MatchedReport> match_report(const ProgramReport& given, const std::vector<FileNode>& nodes) {
    const Matcher matcher(nodes);
    const ProgramReport report = of_one_session(given, matcher);
    if (Status same = check_model(report, matcher); !same) return same.error();
    MatchedReport matched;
    matched.notes = report.notes;
    matched.runs = report.runs;
    if (!report.all_on.empty())
        for (const FileNode& node : nodes) matched.nodes[node.name].backend = report.all_on;
    std::vector<int64_t> node_of(report.rows.size(), -1), row_of(nodes.size(), -1);
    for (size_t i = 0; i < report.rows.size(); ++i)
        if (const FileNode* node = matcher.find(report.rows[i])) node_of[i] = node - nodes.data();
    find_parts(report.rows, nodes, node_of);
    find_nameless(report.rows, nodes, node_of);
    for (size_t i = 0; i < report.rows.size(); ++i)
        if (node_of[i] >= 0 && row_of[size_t(node_of[i])] < 0) row_of[size_t(node_of[i])] = int64_t(i);
    if (report.has_times) place_rows(report.rows, nodes, row_of);
    choose_bearers(report.rows, nodes, row_of, node_of);
    std::vector<size_t> nodes_in(report.rows.size());
    for (int64_t row : row_of)
        if (row >= 0) ++nodes_in[size_t(row)];
    for (size_t i = 0; i < nodes.size(); ++i) {
        const int64_t row = row_of[i];
        if (row < 0 || nodes_in[size_t(row)] < 2) continue;
        NodeReport& of = matched.nodes[nodes[i].name];
        of.backend = report.rows[size_t(row)].backend;
        of.row = title_of(report.rows[size_t(row)]);
    }
    std::set<std::string> told;
    std::map<int, ReportedGroup> groups;
    for (size_t i = 0; i < report.rows.size(); ++i) {
        const ReportRow& row = report.rows[i];
        matched.rows += row.count;
        matched.time_us += row.total_us;
        if (node_of[i] < 0) {
            if (is_inserted(row)) matched.inserted_rows += row.count, matched.inserted_time_us += row.total_us;
            if (compiled_number(row) >= 0) matched.compiled.push_back(row);
            else if (told.insert(title_of(row)).second)
                (is_inserted(row) ? matched.inserted : matched.unmatched).push_back(title_of(row));
            continue;
        }
        matched.matched_rows += row.count;
        matched.matched_time_us += row.total_us;
        const FileNode& node = nodes[size_t(node_of[i])];
        NodeReport& of = matched.nodes[node.name];
        of.time_us += row.time_us;
        if (!row.backend.empty()) of.backend = row.backend;
        if (of.reason.empty()) of.reason = row.reason;
        if (of.asked.empty() && !row.asked.empty()) of.asked = row.asked, of.verdict = row.verdict;
        if (row_of[size_t(node_of[i])] == int64_t(i) && row.op != node.op && !row.op.empty()) of.row = title_of(row);
        if (row.group < 0) continue;
        groups[row.group].nodes.push_back(size_t(node_of[i]));
        groups[row.group].backend = row.backend;
    }
    for (auto& [_, group] : groups) matched.groups.push_back(std::move(group));
    std::stable_sort(matched.compiled.begin(), matched.compiled.end(),
                     [](const ReportRow& a, const ReportRow& b) { return compiled_number(a) < compiled_number(b); });
    return matched;
}

}  // namespace partita::onnxruntime
