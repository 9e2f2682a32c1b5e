#include "engine/frontends/onnxruntime/reports.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "engine/frontends/onnx/model.h"

namespace partita::onnxruntime {

namespace {

void add_nodes(const onnx::Graph& graph, bool is_main, std::vector<FileNode>& nodes) {
    int64_t index = 0;
    for (const onnx::Node& node : graph.nodes) {
        for (const onnx::Attribute& attribute : node.attributes)  // at most 64 levels: parse_model
            for (const onnx::Graph& body : attribute.graphs) add_nodes(body, false, nodes);
        if (node.op_type == "Constant") continue;
        FileNode made;
        made.op = std::string(node.op_type);
        made.is_named = !node.name.empty();
        made.name = made.is_named ? std::string(node.name) : made.op + "_" + std::to_string(index);
        made.index = is_main ? index : -1;
        made.outputs.assign(node.outputs.begin(), node.outputs.end());
        nodes.push_back(std::move(made));
        ++index;
    }
}

/// Cuts what the runtime's transformers append to names. Returns false if there is nothing to cut.
bool strip(std::string& name) {
    if (const size_t token = name.rfind("_token_");
        token != std::string::npos && token + 7 < name.size() &&
        name.find_first_not_of("0123456789", token + 7) == std::string::npos) {
        name.resize(token);
        return true;
    }
    for (std::string_view suffix :
         {"/MatMulAddFusion", "/MatMulAddFusion/", "_new_reshape", "/duplicated", "/LayerNormFusion/",
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

bool is_inserted(const ReportRow& row) {
    static const std::set<std::string_view> ops = {"MemcpyFromHost", "MemcpyToHost", "ReorderInput", "ReorderOutput"};
    if (ops.contains(row.op)) return true;
    for (std::string_view begin : {"gemm_input_reshape", "gemm_output_reshape", "InsertedPrecisionFreeCast_"})
        if (row.name.starts_with(begin)) return true;
    return row.op == "Transpose" && (row.name.starts_with("Transpose") || row.name.empty());
}

class Matcher {
public:
    explicit Matcher(const std::vector<FileNode>& nodes) : nodes_(nodes) {
        for (size_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i].is_named) by_name_.emplace(nodes[i].name, i);
            if (nodes[i].index >= 0) by_index_.emplace(nodes[i].index, i);
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
    static bool fits(const ReportRow& row, const FileNode& node) { return row.op.empty() || row.op == node.op; }

    const std::vector<FileNode>& nodes_;
    std::unordered_map<std::string_view, size_t> by_name_, by_output_;
    std::unordered_map<int64_t, size_t> by_index_;
};

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

}  // namespace

Result<std::vector<FileNode>> nodes_of_file(const std::string& path) {
    Result<std::shared_ptr<const SourceFile>> file = SourceFile::open(path);
    if (!file) return file.error();
    onnx::ModelBytes bytes(*file);
    const Result<onnx::Model> model = onnx::parse_model(bytes);
    if (!model) return model.error();
    std::vector<FileNode> nodes;
    add_nodes(model->graph, true, nodes);
    return nodes;
}

Result<MatchedReport> match_report(const ProgramReport& report, const std::vector<FileNode>& nodes) {
    const Matcher matcher(nodes);
    if (Status same = check_model(report, matcher); !same) return same.error();
    MatchedReport matched;
    std::set<std::string> told;
    if (!report.all_on.empty())
        for (const FileNode& node : nodes) matched.nodes[node.name].backend = report.all_on;
    for (const ReportRow& row : report.rows) {
        matched.rows += row.count;
        matched.time_us += row.total_us;
        if (const FileNode* node = matcher.find(row)) {
            matched.matched_rows += row.count;
            matched.matched_time_us += row.total_us;
            NodeReport& of = matched.nodes[node->name];
            of.time_us += row.time_us;
            if (!row.backend.empty()) of.backend = row.backend;
            if (of.reason.empty()) of.reason = row.reason;
        } else if (told.insert(title_of(row)).second) {
            (is_inserted(row) ? matched.inserted : matched.unmatched).push_back(title_of(row));
        }
    }
    return matched;
}

}  // namespace partita::onnxruntime
