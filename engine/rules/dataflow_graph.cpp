#include "engine/rules/dataflow_graph.h"

#include <algorithm>

namespace partita {

DataflowGraph::DataflowGraph(const Module& module, ExprId function, PositionTable& positions)
    : module_(module), positions_(positions) {
    order_expressions(function);
    connect();
}

DataflowGraph::~DataflowGraph() {
    for (ExprId id : order_) positions_[id.value] = kNone;
}

/// As post_order, but with a let's value before its variable.
void DataflowGraph::order_expressions(ExprId function) {
    struct Frame {
        ExprId id;
        uint32_t next;
    };
    constexpr uint32_t kEntered = kNone - 1;
    constexpr uint32_t kLetOrder[] = {1, 0, 2};
    std::vector<Frame> stack{{function, 0}};
    bool lets = false;
    while (!stack.empty()) {
        Frame& frame = stack.back();
        std::span<const ExprId> operands = module_.operands(frame.id);
        if (frame.next == operands.size()) {
            positions_[frame.id.value] = uint32_t(order_.size());
            order_.push_back(frame.id);
            stack.pop_back();
            continue;
        }
        bool let = module_.kind(frame.id) == ExprKind::Let;
        lets |= let;
        ExprId operand = operands[let ? kLetOrder[frame.next] : frame.next];
        ++frame.next;
        if (positions_[operand.value] != kNone) continue;
        positions_[operand.value] = kEntered;
        stack.push_back({operand, 0});
    }
    if (!lets) return;
    let_values_.resize(order_.size());
    for (ExprId id : order_)
        if (module_.kind(id) == ExprKind::Let) {
            uint32_t var = position(module_.operands(id)[0]);
            // A recursive function would be its own input.
            if (position(module_.operands(id)[1]) < var) let_values_[var] = module_.operands(id)[1];
        }
}

void DataflowGraph::connect() {
    outputs_begin_.assign(order_.size() + 1, 0);
    for (uint32_t i = 0; i < order_.size(); ++i)
        for_each_input(i, [&](ExprId input) { ++outputs_begin_[position(input) + 1]; });
    for (size_t i = 1; i < outputs_begin_.size(); ++i) outputs_begin_[i] += outputs_begin_[i - 1];
    outputs_.resize(outputs_begin_.back());
    std::vector<uint32_t> next(outputs_begin_.begin(), outputs_begin_.end() - 1);
    for (uint32_t i = 0; i < order_.size(); ++i)
        for_each_input(i, [&](ExprId input) { outputs_[next[position(input)]++] = i; });
}

uint32_t DataflowGraph::ancestor_at(uint32_t position, uint32_t depth) const {
    while (depth_[position] > depth) position = depth_[jump_[position]] >= depth ? jump_[position] : parent_[position];
    return position;
}

uint32_t DataflowGraph::common_dominator(uint32_t a, uint32_t b) const {
    if (a == kNone || b == kNone) return kNone;
    if (depth_[a] > depth_[b]) std::swap(a, b);
    b = ancestor_at(b, depth_[a]);
    while (a != b) {
        // Equal depths have jumps of equal depths.
        if (depth_[a] == 1) return kNone;  // roots of different trees
        bool far = jump_[a] != jump_[b];
        a = far ? jump_[a] : parent_[a];
        b = far ? jump_[b] : parent_[b];
    }
    return a;
}

void DataflowGraph::build_dominators() {
    uint32_t count = uint32_t(order_.size());
    parent_.assign(count, kNone);
    jump_.assign(count, 0);
    depth_.assign(count, 1);
    for (uint32_t i = count; i-- > 0;) {
        jump_[i] = i;
        std::span<const uint32_t> out = outputs(i);
        if (out.empty() || i + 1 == count) continue;
        uint32_t parent = out[0];
        for (uint32_t output : out.subspan(1)) parent = common_dominator(parent, output);
        if (parent == kNone) continue;
        parent_[i] = parent;
        depth_[i] = depth_[parent] + 1;
        uint32_t jump = jump_[parent];
        bool same_stride = depth_[parent] - depth_[jump] == depth_[jump] - depth_[jump_[jump]];
        jump_[i] = same_stride ? jump_[jump] : parent;
    }
    children_begin_.assign(count + 1, 0);
    for (uint32_t parent : parent_)
        if (parent != kNone) ++children_begin_[parent + 1];
    for (size_t i = 1; i < children_begin_.size(); ++i) children_begin_[i] += children_begin_[i - 1];
    children_.resize(children_begin_.back());
    std::vector<uint32_t> next(children_begin_.begin(), children_begin_.end() - 1);
    for (uint32_t i = count; i-- > 0;)
        if (parent_[i] != kNone) children_[next[parent_[i]]++] = i;
}

bool DataflowGraph::post_dominates(uint32_t dominator, uint32_t other) {
    if (depth_.empty()) build_dominators();
    if (dominator == other || depth_[other] <= depth_[dominator]) return false;
    return ancestor_at(other, depth_[dominator]) == dominator;
}

std::vector<uint32_t> DataflowGraph::dominated_by(uint32_t position) {
    if (depth_.empty()) build_dominators();
    return {children_.begin() + children_begin_[position], children_.begin() + children_begin_[position + 1]};
}

}  // namespace partita
