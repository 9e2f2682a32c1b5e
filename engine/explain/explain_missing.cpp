// The part of FlowExplainer that explains why a pattern matches nowhere: its last operator is not in the graph.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "engine/explain/explain.h"
#include "engine/explain/pattern_nodes.h"
#include "engine/ops/registry.h"
#include "engine/rules/pattern_matcher.h"

namespace partita {

bool stands_for(const Pattern& pattern, uint32_t node, uint32_t inner) {
    if (node == inner) return true;
    const PatternNode& outer = pattern.nodes()[node];
    switch (outer.kind) {
        case PatternKind::Alternative:
        case PatternKind::Attributes:
        case PatternKind::DType:
        case PatternKind::Shape:
        case PatternKind::Type:
            return std::any_of(outer.children.begin(), outer.children.end(),
                               [&](uint32_t child) { return stands_for(pattern, child, inner); });
        default: return false;
    }
}

OpId op_of(const Pattern& pattern, uint32_t node) {
    const PatternNode& call = pattern.nodes()[node];
    if (call.kind != PatternKind::Call) return {};
    const PatternNode& callee = pattern.nodes()[call.children[0]];
    return callee.kind == PatternKind::Op ? callee.op : OpId();
}

namespace {

/// Returns the ops whose calls take what `node` matches as an argument.
std::vector<OpId> ops_behind(const Pattern& pattern, uint32_t node) {
    std::vector<OpId> ops;
    for (uint32_t user = 0; user < pattern.nodes().size(); ++user) {
        const OpId op = op_of(pattern, user);
        if (!op.valid()) continue;
        const std::vector<uint32_t>& children = pattern.nodes()[user].children;
        if (std::any_of(children.begin() + 1, children.end(),
                        [&](uint32_t child) { return stands_for(pattern, child, node); }))
            ops.push_back(op);
    }
    return ops;
}

/// Returns "add | nn.bias_add", in the syntax of patterns.
std::string joined(const std::set<std::string>& ops) {
    std::string text;
    for (const std::string& op : ops) text += (text.empty() ? "" : " | ") + op;
    return text;
}

}  // namespace

Sentence FlowExplainer::MissingUser::reason(const ExpressionNames& names) const {
    if (!found.valid())
        return {SENTENCE("Engine", "it expects %1 after %2; here nothing is"), {wanted, names.name(after)}};
    return {SENTENCE("Engine", "it expects %1 after %2; here is %3"), {wanted, names.name(after), names.name(found)}};
}

bool FlowExplainer::has_root(const Pattern& pattern) {
    if (called_ops_.empty())
        for (ExprId call : names_.calls())
            if (const OpId op = module_.called_op(call); op.valid()) called_ops_.insert(op);
    const std::vector<OpId>& roots = pattern.root_ops();
    return pattern.any_root() ||
           std::any_of(roots.begin(), roots.end(), [&](OpId op) { return called_ops_.contains(op); });
}

std::optional<FlowExplainer::MissingUser> FlowExplainer::find_missing_user(const CompositePattern& composite,
                                                                           ExprId after) {
    const Pattern& pattern = *composite.pattern;
    const OpId op = module_.called_op(after);
    if (!op.valid() || pattern.has_dominator()) return {};
    PatternMatcher matcher(pattern, module_, nullptr, composite.transparent);
    const std::span<const ExprId> users = facts_.users(after);
    std::optional<MissingUser> missing;
    for (uint32_t node = 0; node < pattern.nodes().size(); ++node) {
        if (op_of(pattern, node) != op || !matcher.match_part(node, after)) continue;
        std::set<std::string> wanted;
        for (OpId behind : ops_behind(pattern, node)) {
            const bool used =
                std::any_of(users.begin(), users.end(), [&](ExprId user) { return module_.called_op(user) == behind; });
            if (used) return {};  // the op after it is missing
            wanted.insert(op_registry()[behind].name);
        }
        if (wanted.empty()) continue;
        size_t matched = 0;
        for (uint32_t part = 0; part < pattern.nodes().size(); ++part) matched += !matcher.matches(part).empty();
        if (!missing || matched > missing->matched)
            missing = {joined(wanted), after, users.empty() ? ExprId() : users[0], matched};
    }
    return missing;
}

/// Searches at a call that should be followed by another, and at one that follows in its place.
std::optional<FlowExplainer::MissingUser> FlowExplainer::find_missing_user_around(const CompositePattern& composite,
                                                                                  ExprId call) {
    if (has_root(*composite.pattern)) return {};
    std::optional<MissingUser> missing = find_missing_user(composite, call);
    for (ExprId argument : module_.arguments(call)) {
        if (missing) break;
        missing = find_missing_user(composite, argument);
        if (missing) missing->found = call;
    }
    return missing;
}

Sentence FlowExplainer::explain_absence(const CompositePattern& composite) {
    if (has_root(*composite.pattern)) return {};
    std::set<std::string> roots;
    for (OpId op : composite.pattern->root_ops()) roots.insert(op_registry()[op].name);
    // By the expected op, the op before it, and what was found.
    std::map<std::array<std::string, 3>, int> places;
    for (ExprId call : names_.calls()) {
        const std::optional<MissingUser> missing = find_missing_user(composite, call);
        if (!missing || !missing->found.valid()) continue;
        const OpRecord* found = called_op_record(module_, missing->found);
        if (found) ++places[{missing->wanted, called_op_record(module_, call)->name, found->name}];
    }
    const auto most = std::max_element(places.begin(), places.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == places.end()) return {SENTENCE("Engine", "nothing in this graph calls %1"), {joined(roots)}};
    const auto& [names, count] = *most;
    return {count == 1
                ? SENTENCE("Engine", "nothing in this graph calls %1; after %2 it expects %3, there is %4")
                : SENTENCE("Engine", "nothing in this graph calls %1; after %2 it expects %3, there is %4, %5 times"),
            {joined(roots), names[1], names[0], names[2], std::to_string(count)}};
}

}  // namespace partita
