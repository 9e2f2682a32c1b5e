#include "engine/frontends/onnxruntime/rows_by_place.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <unordered_map>

namespace partita::onnxruntime {

namespace {

/// What a fused operator is made of (onnxruntime/core/optimizer). One that is not here may be made of anything.
struct FusedOp {
    std::string_view ending;  ///< of its name
    std::set<std::string_view> parts;
};
const std::vector<FusedOp>& fused_ops() {
    static const std::vector<FusedOp> ops = {
        {"LayerNormalization",
         {"Add", "ReduceMean", "Sub", "Pow", "Mul", "Sqrt", "Div", "Reciprocal", "Cast", "LayerNormalization",
          "SimplifiedLayerNormalization", "Gather"}},
        {"Gelu", {"Div", "Erf", "Add", "Mul", "Tanh", "Pow", "Sqrt", "Sigmoid", "Cast", "Gelu"}},
        {"Reshape", {"Reshape", "Unsqueeze", "Squeeze", "Flatten"}},
    };
    return ops;
}

bool can_hold(const ReportRow& row, const FileNode& node) {
    for (const FusedOp& op : fused_ops())
        if (row.op.ends_with(op.ending)) return op.parts.contains(node.op);
    return row.op != node.op;
}

class Placer {
public:
    Placer(const std::vector<ReportRow>& rows, const std::vector<FileNode>& nodes, std::vector<int64_t>& row_of)
        : rows_(rows), nodes_(nodes), row_of_(row_of), before_(nodes.size()), behind_(nodes.size()),
          from_(nodes.size()), to_(nodes.size()) {
        std::unordered_map<std::string_view, size_t> producers;
        for (size_t i = 0; i < nodes.size(); ++i)
            for (const std::string& output : nodes[i].outputs)
                if (nodes[i].holder < 0 && !output.empty()) producers.emplace(output, i);
        for (size_t i = 0; i < nodes.size(); ++i)
            for (const std::string& input : nodes[i].inputs)
                if (const auto found = producers.find(input); nodes[i].holder < 0 && found != producers.end()) {
                    before_[i].push_back(found->second);
                    behind_[found->second].push_back(i);
                }
        std::vector<bool> named(rows.size());
        for (int64_t row : row_of)
            if (row >= 0) named[size_t(row)] = true;
        for (size_t i = 0; i < rows.size(); ++i)
            if (!named[i] && !is_inserted(rows[i]) && compiled_number(rows[i]) < 0) unnamed_.push_back(int64_t(i));
    }

    void place() {
        absorb_added();
        constexpr int kMostRounds = 20;
        for (int round = 0; round < kMostRounds && place_by_order(); ++round) {
        }
        for (int round = 0; round < kMostRounds && absorb(); ++round) {
        }
    }

private:
    bool is_fused(int64_t row, size_t node) const { return row >= 0 && rows_[size_t(row)].op != nodes_[node].op; }

    /// MatMulAddFusion: the product and the sum that alone uses it are one Gemm, named after the product.
    void absorb_added() {
        for (size_t i = 0; i < nodes_.size(); ++i)
            if (row_of_[i] >= 0 && rows_[size_t(row_of_[i])].op == "Gemm" && nodes_[i].op == "MatMul" &&
                behind_[i].size() == 1 && nodes_[behind_[i][0]].op == "Add" && row_of_[behind_[i][0]] < 0)
                row_of_[behind_[i][0]] = row_of_[i];
    }

    /// Finds the rows between which each node ran: `from_` is the last of what it uses, `to_` the first of its users.
    void find_bounds() {
        for (size_t i = 0; i < nodes_.size(); ++i) {
            from_[i] = -1;
            for (size_t use : before_[i]) from_[i] = std::max(from_[i], row_of_[use] >= 0 ? row_of_[use] : from_[use]);
        }
        for (size_t i = nodes_.size(); i-- > 0;) {
            to_[i] = int64_t(rows_.size());
            for (size_t user : behind_[i]) to_[i] = std::min(to_[i], row_of_[user] >= 0 ? row_of_[user] : to_[user]);
        }
    }

    /// Returns the only row in which the node can have run; -1 if there is none, or several.
    int64_t only_row(size_t node) const {
        constexpr int kMostLookedAt = 100;
        int64_t found = -1;
        int looked_at = 0;
        for (auto at = std::lower_bound(unnamed_.begin(), unnamed_.end(), from_[node]);
             at != unnamed_.end() && *at <= to_[node]; ++at) {
            if (++looked_at > kMostLookedAt) return -1;
            if (!can_hold(rows_[size_t(*at)], nodes_[node])) continue;
            if (found >= 0) return -1;
            found = *at;
        }
        return found;
    }

    bool place_by_order() {
        find_bounds();
        bool any = false;
        for (size_t i = 0; i < nodes_.size(); ++i) {
            if (row_of_[i] >= 0 || nodes_[i].holder >= 0 || (before_[i].empty() && behind_[i].empty())) continue;
            row_of_[i] = only_row(i);
            any |= row_of_[i] >= 0;
        }
        return any;
    }

    bool absorb() {
        bool any = false;
        for (size_t i = 0; i < nodes_.size(); ++i) {
            if (row_of_[i] >= 0 || nodes_[i].holder >= 0) continue;
            // Into the row of what alone uses it, or of what it alone uses.
            int64_t row = -1;
            if (behind_[i].size() == 1 && is_fused(row_of_[behind_[i][0]], behind_[i][0])) row = row_of_[behind_[i][0]];
            for (size_t use : before_[i])
                if (row < 0 && behind_[use].size() == 1 && is_fused(row_of_[use], use)) row = row_of_[use];
            if (row >= 0 && is_inserted(rows_[size_t(row)])) row = -1;
            row_of_[i] = row;
            any |= row >= 0;
        }
        return any;
    }

    const std::vector<ReportRow>& rows_;
    const std::vector<FileNode>& nodes_;
    std::vector<int64_t>& row_of_;
    std::vector<std::vector<size_t>> before_, behind_;  ///< by node, of the main graph
    std::vector<int64_t> from_, to_;                    ///< by node: see find_bounds
    std::vector<int64_t> unnamed_;                      ///< rows of no known node, in order
};

}  // namespace

bool is_inserted(const ReportRow& row) {
    static const std::set<std::string_view> ops = {"MemcpyFromHost", "MemcpyToHost", "ReorderInput", "ReorderOutput"};
    if (ops.contains(row.op)) return true;
    // That one is joined with a Reshape of the file.
    if (row.name.starts_with("gemm_") && row.name.ends_with("_new_reshape")) return false;
    for (std::string_view begin : {"gemm_input_reshape", "gemm_output_reshape", "InsertedPrecisionFreeCast_"})
        if (row.name.starts_with(begin)) return true;
    return row.op == "Transpose" && (row.name.starts_with("Transpose") || row.name.empty());
}

int64_t compiled_number(const ReportRow& row) {
    const std::string begin = row.backend + "_" + row.op + "_";
    if (row.backend.empty() || row.op.empty() || !row.name.starts_with(begin)) return -1;
    int64_t number = -1;
    const char* end = row.name.data() + row.name.size();
    const auto [stop, fault] = std::from_chars(row.name.data() + begin.size(), end, number);
    return fault == std::errc() && stop == end && number >= 0 ? number : -1;
}

void place_rows(const std::vector<ReportRow>& rows, const std::vector<FileNode>& nodes, std::vector<int64_t>& row_of) {
    Placer(rows, nodes, row_of).place();
}

}  // namespace partita::onnxruntime
