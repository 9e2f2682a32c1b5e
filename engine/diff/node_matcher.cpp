#include "engine/diff/node_matcher.h"

#include <algorithm>
#include <unordered_map>

#include "engine/support/common_subsequence.h"
#include "engine/support/hash.h"

namespace partita {

namespace {

// The users of a value with thousands of them say little about it.
constexpr size_t kMostUsers = 64;
constexpr uint64_t kPaired = 0x70616972;

}  // namespace

NodeMatcher::NodeMatcher(const FlatView& before, const FlatView& after)
    : before_(before), after_(after), before_hashes_(hash(before)), after_hashes_(hash(after)),
      after_of_(before.nodes().size(), kNone), before_of_(after.nodes().size(), kNone) {
    const auto above_and_below = [](const FlatView&, const Hashes& h, uint32_t i) {
        return hash_combine(h.below[i], h.above[i]) | 1;
    };
    const auto unnamed = [](const FlatView&, const Hashes& h, uint32_t i) {
        return hash_combine(h.unnamed[i], h.above[i]) | 1;
    };
    const auto below = [](const FlatView&, const Hashes& h, uint32_t i) { return h.below[i] | 1; };
    const auto above = [](const FlatView& v, const Hashes& h, uint32_t i) {
        return hash_combine(v.nodes()[i].label, h.above[i]) | 1;
    };
    const auto name = [](const FlatView& v, const Hashes&, uint32_t i) {
        const FlatNode& node = v.nodes()[i];
        return node.name ? hash_combine(uint64_t(v.module().kind(node.expr)), node.name) | 1 : 0;
    };
    match_by(above_and_below, false);
    match_by(unnamed, false);  // a program may have numbered all names anew
    match_by(name, true);
    spread();
    match_by(above, true);
    match_by(below, true);
    spread();
    match_by(above, false);
    match_by(below, false);
    spread();
    by_operator_only_ = true;
    for (uint32_t i = 0; i < after_of_.size(); ++i)
        if (after_of_[i] != kNone) open_.emplace_back(i, after_of_[i]);
    spread();
    match_exchanged();
    spread();
    match_in_order();
    spread();
    match_exchanged();
    spread();
}

NodeMatcher::Hashes NodeMatcher::hash(const FlatView& view) {
    Hashes hashes;
    const size_t count = view.nodes().size();
    hashes.below.resize(count);
    hashes.above.resize(count);
    hashes.unnamed.resize(count);
    for (uint32_t i = 0; i < count; ++i) {
        const FlatNode& node = view.nodes()[i];
        const bool is_input = view.operands(i).empty();
        hashes.below[i] = hash_combine(node.label, node.name);
        hashes.unnamed[i] = is_input ? hashes.below[i] : hash_mix(node.label);
        for (uint32_t operand : view.operands(i)) {
            hashes.below[i] = hash_combine(hashes.below[i], hashes.below[operand]);
            hashes.unnamed[i] = hash_combine(hashes.unnamed[i], hashes.unnamed[operand]);
        }
    }
    for (const FlatView::Output& output : view.outputs()) hashes.above[output.node] += hash_mix(output.index + 17);
    for (uint32_t i = uint32_t(count); i-- > 0;) {
        // The order of users carries no meaning.
        for (const FlatView::Use& use : view.users(i))
            hashes.above[i] +=
                hash_combine(hash_combine(view.nodes()[use.user].label, use.index), hashes.above[use.user]);
    }
    return hashes;
}

void NodeMatcher::match(uint32_t a, uint32_t b) {
    after_of_[a] = b;
    before_of_[b] = a;
    open_.emplace_back(a, b);
}

void NodeMatcher::match_by(const Key& key, bool unique) {
    struct Bucket {
        std::vector<uint32_t> nodes;  // free nodes of the view before, last first
        uint32_t in_after = 0;
    };
    std::unordered_map<uint64_t, Bucket> buckets;
    for (uint32_t i = uint32_t(before_.nodes().size()); i-- > 0;)
        if (after_of_[i] == kNone)
            if (uint64_t k = key(before_, before_hashes_, i)) buckets[k].nodes.push_back(i);
    for (uint32_t i = 0; unique && i < after_.nodes().size(); ++i)
        if (before_of_[i] == kNone)
            if (auto found = buckets.find(key(after_, after_hashes_, i)); found != buckets.end())
                ++found->second.in_after;
    for (uint32_t i = 0; i < after_.nodes().size(); ++i) {
        if (before_of_[i] != kNone) continue;
        auto found = buckets.find(key(after_, after_hashes_, i));
        if (found == buckets.end() || found->second.nodes.empty()) continue;
        Bucket& bucket = found->second;
        if (unique && (bucket.in_after != 1 || bucket.nodes.size() != 1)) continue;
        const uint32_t node = bucket.nodes.back();
        if (before_.module().kind(before_.nodes()[node].expr) != after_.module().kind(after_.nodes()[i].expr)) continue;
        bucket.nodes.pop_back();
        match(node, i);
    }
}

/// Returns the kind of a node, without attributes and values. A weight may be a parameter in one file and a constant in
/// another.
uint64_t NodeMatcher::kind_of(const FlatView& view, uint32_t node) const {
    const Module& module = view.module();
    const ExprId id = view.nodes()[node].expr;
    const ExprKind kind = module.kind(id) == ExprKind::Constant ? ExprKind::Var : module.kind(id);
    const OpId op = module.called_op(id);
    return hash_combine(uint64_t(kind), op.valid() ? op.value + 1 : 0);
}

bool NodeMatcher::fits(uint32_t a, uint32_t b) const {
    if (!free(a, b)) return false;
    return by_operator_only_ ? kind_of(before_, a) == kind_of(after_, b)
                             : before_.nodes()[a].label == after_.nodes()[b].label;
}

void NodeMatcher::spread() {
    while (!open_.empty()) {
        const auto [a, b] = open_.back();
        open_.pop_back();
        spread_from(a, b);
    }
}

void NodeMatcher::spread_from(uint32_t a, uint32_t b) {
    std::span<const uint32_t> left = before_.operands(a), right = after_.operands(b);
    if (before_.nodes()[a].label == after_.nodes()[b].label || by_operator_only_)
        for (size_t i = 0; i < std::min(left.size(), right.size()); ++i)
            if (fits(left[i], right[i])) match(left[i], right[i]);
    std::span<const FlatView::Use> left_users = before_.users(a), right_users = after_.users(b);
    if (left_users.size() > kMostUsers || right_users.size() > kMostUsers) return;
    for (const FlatView::Use& use : left_users) {
        if (after_of_[use.user] != kNone) continue;
        for (const FlatView::Use& other : right_users) {
            if (use.index != other.index || !fits(use.user, other.user)) continue;
            match(use.user, other.user);
            break;
        }
    }
}

bool NodeMatcher::in_same_place(uint32_t a, uint32_t b) const {
    std::span<const uint32_t> left = before_.operands(a), right = after_.operands(b);
    if (left.size() != right.size()) return false;
    bool all_operands = true;
    for (size_t i = 0; i < left.size(); ++i) all_operands &= after_of_[left[i]] == right[i];
    if (all_operands) return true;
    if (before_.users(a).size() > kMostUsers || after_.users(b).size() > kMostUsers) return false;
    for (const FlatView::Use& use : before_.users(a))
        for (const FlatView::Use& other : after_.users(b))
            if (after_of_[use.user] == other.user && use.index == other.index) return true;
    return false;
}

/// Matches nodes whose operator was replaced: the first operand is matched with that of exactly one free node, and so
/// are all other operands, or a user.
void NodeMatcher::match_exchanged() {
    for (uint32_t a = 0; a < after_of_.size(); ++a) {
        std::span<const uint32_t> left = before_.operands(a);
        if (after_of_[a] != kNone || left.empty() || after_of_[left[0]] == kNone) continue;
        std::span<const FlatView::Use> users = after_.users(after_of_[left[0]]);
        if (users.size() > kMostUsers) continue;
        for (const FlatView::Use& use : users) {
            const uint32_t b = use.user;
            if (before_of_[b] != kNone || use.index != 0) continue;
            const ExprKind kind = before_.module().kind(before_.nodes()[a].expr);
            if (kind != after_.module().kind(after_.nodes()[b].expr) || kind != ExprKind::Call) continue;
            if (!in_same_place(a, b)) continue;
            match(a, b);
            break;
        }
    }
}

/// Returns the operators of a view in order: free nodes by their kind, matched nodes by their match in the view after.
NodeMatcher::Letters NodeMatcher::letters_of(const FlatView& view, const std::vector<uint32_t>& matches) const {
    Letters result;
    for (uint32_t node = 0; node < matches.size(); ++node) {
        if (view.operands(node).empty()) continue;
        const bool paired = matches[node] != kNone;
        const uint32_t in_after = &view == &after_ ? node : matches[node];
        result.nodes.push_back(node);
        result.letters.push_back(paired ? hash_combine(in_after, kPaired) : kind_of(view, node));
    }
    return result;
}

/// Pairs the remaining nodes by the order of the operators. Two models of one kind may share no name, weight or
/// attribute.
void NodeMatcher::match_in_order() {
    const Letters left = letters_of(before_, after_of_), right = letters_of(after_, before_of_);
    for (const auto& [i, j] : common_subsequence(left.letters, right.letters)) {
        const uint32_t a = left.nodes[i], b = right.nodes[j];
        if (free(a, b) && kind_of(before_, a) == kind_of(after_, b)) match(a, b);
    }
}

}  // namespace partita
