#include "engine/frontends/onnxruntime/rows_by_place.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>

#include "engine/support/visiting_order.h"

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

/// The sizes of a type: of "float32[1, 5]" 1 and 5. Nothing where it is unknown or hangs on inputs.
std::optional<std::vector<int64_t>> sizes_of(const std::vector<std::string>& types) {
    const size_t begin = types.empty() ? std::string::npos : types[0].find('[');
    if (begin == std::string::npos) return std::nullopt;
    std::vector<int64_t> sizes;
    for (size_t at = begin + 1; at < types[0].size() && types[0][at] != ']'; at += types[0][at] == ',' ? 2 : 0) {
        int64_t size = -1;
        const auto [stop, fault] = std::from_chars(types[0].data() + at, types[0].data() + types[0].size(), size);
        if (fault != std::errc() || size < 0) return std::nullopt;
        sizes.push_back(size);
        at = size_t(stop - types[0].data());
    }
    return sizes;
}

double count_of(const std::vector<int64_t>& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), 1.0, std::multiplies<>());
}

/// Returns whether the results can be the same: products of matrices are made of fewer dimensions than they had, and
/// what channels come last in has its sizes in another order.
bool can_be_result(const std::vector<std::string>& of_row, const std::vector<std::string>& of_node) {
    const auto a = sizes_of(of_row), b = sizes_of(of_node);
    if (!a || !b) return true;
    return count_of(*a) == count_of(*b) && (a->empty() || b->empty() || a->back() == b->back() ||
                                            std::is_permutation(a->begin(), a->end(), b->begin(), b->end()));
}

/// Returns whether a row normalizes with the square root that the node computes: one for each of its vectors.
bool can_normalize_by(const ReportRow& row, const FileNode& node) {
    const auto a = sizes_of(row.types), b = sizes_of(node.types);
    if (!row.op.ends_with("LayerNormalization") || node.op != "Sqrt") return false;
    return !a || !b || a->empty() || count_of(*a) == count_of(*b) * double(a->back());
}

bool is_work_of(const ReportRow& row, const FileNode& node) {
    return can_normalize_by(row, node) || (does_work_of(row, node) && can_be_result(row.types, node.types));
}

/// What transformers make a part of the operator before it.
bool can_follow(const FileNode& node) {
    static const std::set<std::string_view> ops = {
        "Add",      "BatchNormalization", "Clip", "Div",  "Dropout", "HardSigmoid",
        "Identity", "LeakyRelu",          "Mul",  "Relu", "Sigmoid", "Sub",
        "Tanh"};
    return ops.contains(node.op);
}

/// Constants are folded, but for quantized weights, which go into the row of what uses them.
bool was_computed_before(const FileNode& node) { return node.is_constant && node.op != "DequantizeLinear"; }

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
        place_work();
        place_by_number();
        absorb_added();
        constexpr int kMostRounds = 20;
        for (int round = 0; round < kMostRounds && (place_by_order() || place_by_number()); ++round) {
        }
        for (int round = 0; round < kMostRounds && absorb(&Placer::fused_neighbour); ++round) {
        }
        find_bounds();
        for (int round = 0; round < kMostRounds && absorb(&Placer::row_of_what_it_follows); ++round) {
        }
    }

private:
    bool is_fused(int64_t row, size_t node) const { return row >= 0 && rows_[size_t(row)].op != nodes_[node].op; }

    /// A row that is named after its result did the work of the only node behind that whose it can be.
    void place_work() {
        for (size_t i = 0; i < nodes_.size(); ++i)
            if (is_fused(row_of_[i], i) && !does_work_of(rows_[size_t(row_of_[i])], nodes_[i]))
                place_work(i, row_of_[i]);
    }
    void place_work(size_t result, int64_t row) {
        constexpr size_t kMostParts = 20;
        std::vector<std::vector<size_t>> ways = {{result}}, found;  // from the result on
        for (size_t i = 0; i < ways.size() && ways.size() < kMostParts; ++i)
            for (size_t use : std::set(before_[ways[i].back()].begin(), before_[ways[i].back()].end())) {
                if (row_of_[use] >= 0 || behind_[use].size() != 1) continue;
                std::vector<size_t> way = ways[i];
                way.push_back(use);
                if (does_work_of(rows_[size_t(row)], nodes_[use])) found.push_back(std::move(way));
                else if (can_follow(nodes_[use])) ways.push_back(std::move(way));
            }
        if (found.size() == 1)
            for (size_t part : found[0]) row_of_[part] = row;
    }

    bool place_by_number() {
        std::map<std::string_view, std::vector<int64_t>> rows_of;
        const auto of_file =
            std::count_if(nodes_.begin(), nodes_.end(), [](const auto& node) { return node.index >= 0; });
        std::set<int64_t> has_work;
        for (size_t i = 0; i < nodes_.size(); ++i)
            if (row_of_[i] >= 0 && is_work_of(rows_[size_t(row_of_[i])], nodes_[i])) has_work.insert(row_of_[i]);
        for (int64_t row : unnamed_)
            if (rows_[size_t(row)].index >= of_file && !has_work.contains(row))
                rows_of[rows_[size_t(row)].op].push_back(row);
        if (rows_of.empty()) return false;
        const std::vector<uint32_t> order = runtime_order();
        // A Gemm of a product and a sum goes before other rows of products.
        if (auto found = rows_of.find("Gemm"); found != rows_of.end()) {
            place_by_number(found->second, order);
            rows_of.erase(found);
        }
        for (auto& [_, rows] : rows_of) place_by_number(rows, order);
        return std::erase_if(unnamed_, [this](int64_t row) { return placed_[size_t(row)]; }) > 0;
    }

    std::vector<uint32_t> runtime_order() const {
        std::vector<std::vector<uint32_t>> from(nodes_.size());
        std::vector<uint32_t> leaves;
        for (uint32_t i = 0; i < nodes_.size(); ++i) {
            from[i].assign(before_[i].begin(), before_[i].end());
            std::sort(from[i].begin(), from[i].end());
            if (nodes_[i].index >= 0 && behind_[i].empty()) leaves.push_back(i);
        }
        return visiting_order(from, leaves);
    }

    bool can_be_made_of(const ReportRow& row, size_t node) const {
        if (row_of_[node] >= 0 || !is_work_of(row, nodes_[node])) return false;
        return row.op != "Gemm" || nodes_[node].op != "MatMul" || is_added_to(node);
    }
    /// MatMulAddFusion wants a product that a sum alone uses.
    bool is_added_to(size_t node) const {
        return behind_[node].size() == 1 && nodes_[behind_[node][0]].op == "Add" && row_of_[behind_[node][0]] < 0;
    }

    /// Rows of one operator; those of one shape are held against the nodes that have it.
    void place_by_number(std::vector<int64_t>& rows, const std::vector<uint32_t>& order) {
        std::sort(rows.begin(), rows.end(),
                  [this](int64_t a, int64_t b) { return rows_[size_t(a)].index < rows_[size_t(b)].index; });
        std::map<std::vector<std::string>, std::vector<int64_t>> by_type;
        for (int64_t row : rows) by_type[rows_[size_t(row)].types].push_back(row);
        placed_.resize(rows_.size());
        for (const auto& [_, alike] : by_type) place_alike(alike, order);
    }

    void place_alike(const std::vector<int64_t>& rows, const std::vector<uint32_t>& order) {
        constexpr int kMostTries = 300;  // each is linear in the graph
        if (++tries_ > kMostTries) return;
        std::vector<size_t> made_of;
        for (size_t node : order)
            if (can_be_made_of(rows_[size_t(rows.front())], node)) made_of.push_back(node);
        if (made_of.size() != rows.size()) return;
        for (size_t i = 0; i < rows.size(); ++i) row_of_[made_of[i]] = rows[i];
        find_bounds();
        const bool fits = std::all_of(made_of.begin(), made_of.end(), [this](size_t node) {
            return from_[node] <= row_of_[node] && row_of_[node] <= to_[node];
        });
        for (size_t i = 0; i < rows.size(); ++i) {
            placed_[size_t(rows[i])] = fits;
            if (!fits) row_of_[made_of[i]] = -1;
        }
    }

    /// MatMulAddFusion: the product and the sum that alone uses it are one Gemm, named after the product.
    void absorb_added() {
        for (size_t i = 0; i < nodes_.size(); ++i)
            if (row_of_[i] >= 0 && rows_[size_t(row_of_[i])].op == "Gemm" && nodes_[i].op == "MatMul" && is_added_to(i))
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

    /// Returns the rows of no named node in which the node can have run; two of too many to look at.
    std::vector<int64_t> possible_rows(size_t node) const {
        constexpr int kMostLookedAt = 100;
        std::vector<int64_t> found;
        int looked_at = 0;
        for (auto at = std::lower_bound(unnamed_.begin(), unnamed_.end(), from_[node]);
             at != unnamed_.end() && *at <= to_[node]; ++at) {
            if (++looked_at > kMostLookedAt) return {*at, *at};
            if (can_hold(rows_[size_t(*at)], nodes_[node])) found.push_back(*at);
        }
        return found;
    }

    bool place_by_order() {
        find_bounds();
        bool any = false;
        for (size_t i = 0; i < nodes_.size(); ++i) {
            if (row_of_[i] >= 0 || nodes_[i].holder >= 0 || (before_[i].empty() && behind_[i].empty())) continue;
            const std::vector<int64_t> rows = possible_rows(i);
            row_of_[i] = rows.size() == 1 ? rows[0] : -1;
            any |= row_of_[i] >= 0;
        }
        return any;
    }

    bool absorb(int64_t (Placer::*row_for)(size_t) const) {
        bool any = false;
        for (size_t i = 0; i < nodes_.size(); ++i) {
            if (row_of_[i] >= 0 || nodes_[i].holder >= 0 || was_computed_before(nodes_[i])) continue;
            const int64_t row = (this->*row_for)(i);
            row_of_[i] = row >= 0 && is_inserted(rows_[size_t(row)]) ? -1 : row;
            any |= row_of_[i] >= 0;
        }
        return any;
    }

    /// The row of what alone uses the node, or of what it alone uses, if that was fused. What can follow does.
    int64_t fused_neighbour(size_t node) const {
        if (const int64_t use = followed(node); use >= 0 && row_of_[size_t(use)] >= 0)
            if (nodes_[node].op == "BatchNormalization" || is_fused(row_of_[size_t(use)], size_t(use)))
                return row_of_[size_t(use)];
        if (const int64_t at = row_of_users(node); at >= 0 && is_fused(at, behind_[node][0])) {
            const ReportRow& row = rows_[size_t(at)];
            const bool is_before_convolution = row.op.ends_with("Conv") && does_work_of(row, nodes_[behind_[node][0]]);
            if (!(is_before_convolution && can_follow(nodes_[node])) &&
                (does_work_of(row, nodes_[node]) || can_hold(row, nodes_[node])))
                return at;
        }
        for (size_t use : before_[node])
            if (behind_[use].size() == 1 && is_fused(row_of_[use], use)) return row_of_[use];
        return -1;
    }

    /// The row in which all ran that use the node; -1 if there are several.
    int64_t row_of_users(size_t node) const {
        int64_t row = -1;
        for (size_t user : behind_[node]) {
            if (row_of_[user] < 0 || (row >= 0 && row_of_[user] != row)) return -1;
            row = row_of_[user];
        }
        return row;
    }

    /// What has no row though what uses it has one went into the row of what it alone uses. Two changes of
    /// one kind are made one, at the place of the second.
    int64_t row_of_what_it_follows(size_t node) const {
        static const std::set<std::string_view> changes = {"Transpose", "Reshape", "Cast"};
        if (behind_[node].size() == 1 && changes.contains(nodes_[node].op) &&
            nodes_[behind_[node][0]].op == nodes_[node].op && possible_rows(node).empty())
            return row_of_[behind_[node][0]];
        const int64_t use = followed(node);
        const bool is_known = use >= 0 && to_[node] < int64_t(rows_.size()) && possible_rows(node).empty();
        return is_known ? row_of_[size_t(use)] : -1;
    }

    /// What a node can be a part of: the only thing besides constants that it uses, and that nothing else uses; of a
    /// product of two the quotient (DivMulFusion), of a sum of two the convolution that ran last, which was given the
    /// other. -1 if there is none.
    int64_t followed(size_t node) const {
        int64_t only = -1, quotient = -1, last = -1;
        size_t uses = 0;
        for (size_t use : before_[node]) {
            if (nodes_[use].is_constant) continue;
            only = ++uses == 1 ? int64_t(use) : -1;
            if (nodes_[use].op == "Div") quotient = quotient < 0 ? int64_t(use) : -1;
            if (last < 0 || row_of_[use] > row_of_[size_t(last)]) last = int64_t(use);
        }
        int64_t found = only;
        if (uses > 1 && nodes_[node].op == "Mul") found = quotient;
        if (uses > 1 && nodes_[node].op == "Add" && row_of_[size_t(last)] >= 0 &&
            rows_[size_t(row_of_[size_t(last)])].op.ends_with("Conv"))
            found = last;
        return can_follow(nodes_[node]) && found >= 0 && behind_[size_t(found)].size() == 1 ? found : -1;
    }

    const std::vector<ReportRow>& rows_;
    const std::vector<FileNode>& nodes_;
    std::vector<int64_t>& row_of_;
    int tries_ = 0;                                     ///< see place_alike
    std::vector<bool> placed_;                          ///< by row: see place_by_number
    std::vector<std::vector<size_t>> before_, behind_;  ///< by node, of the main graph
    std::vector<int64_t> from_, to_;                    ///< by node: see find_bounds
    std::vector<int64_t> unnamed_;                      ///< rows of no known node, in order
};

}  // namespace

bool does_work_of(const ReportRow& row, const FileNode& node) {
    // Not every name that ends alike is one: a MatMul is no Mul.
    static const std::set<std::string_view> prefixes = {
        "",     "Fused", "Nhwc",  "NhwcFused", "QLinear", "Q",          "QOrdered",       "DynamicQuantize",
        "Bias", "Fast",  "Quick", "Group",     "Skip",    "Simplified", "SkipSimplified", "Packed"};
    static const std::set<std::string_view> suffixes = {"Integer", "IntegerToFloat", "NBits"};
    const std::string_view op = row.op;
    const std::string_view own = node.op, other = own == "MatMul" ? std::string_view("Gemm") : own;
    for (std::string_view kind : {own, other})
        if (op.ends_with(kind) && prefixes.contains(op.substr(0, op.size() - kind.size()))) return true;
    return op.starts_with(own) && suffixes.contains(op.substr(own.size()));
}

bool is_inserted(const ReportRow& row) {
    static const std::set<std::string_view> ops = {"MemcpyFromHost", "MemcpyToHost", "ReorderInput", "ReorderOutput"};
    if (ops.contains(row.op)) return true;
    // That one is joined with a Reshape of the file.
    if (row.name.starts_with("gemm_") && row.name.ends_with("_new_reshape")) return false;
    for (std::string_view begin : {"gemm_input_reshape", "gemm_output_reshape", "InsertedPrecisionFreeCast_"})
        if (row.name.starts_with(begin)) return true;
    // Of several Gathers that became a Split; of a DequantizeLinear without a name that has several readers.
    static const std::set<std::string_view> around_split = {"Squeeze", "Unsqueeze", "Slice"};
    if (around_split.contains(row.op) && (row.name == row.op || row.name.starts_with(row.op + "_token_"))) return true;
    if (row.op == "DequantizeLinear" && row.name.starts_with("/duplicated")) return true;
    if (row.op == "DequantizeLinear" && row.name.find("_bias_dq") != std::string::npos) return true;
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
