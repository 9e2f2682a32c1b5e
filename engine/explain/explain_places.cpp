// Of the explainer: from an operator to the patterns that have one of its kind.
#include <algorithm>
#include <set>

#include "engine/explain/explain.h"
#include "engine/explain/pattern_nodes.h"
#include "engine/ops/registry.h"
#include "engine/rules/pattern_matcher.h"
#include "engine/support/one_line.h"

namespace partita {

/// Lets a call be a part of a pattern, and goes on from there to what the pattern has around it, as far as it is found.
class FlowExplainer::PlaceSearch {
public:
    PlaceSearch(FlowExplainer& explainer, const CompositePattern& composite, ExprId call)
        : explainer_(explainer), composite_(composite), call_(call), pattern_(*composite.pattern),
          matcher_(pattern_, explainer.module_, pattern_.has_dominator() ? explainer.dataflow_around(call) : nullptr,
                   composite.transparent) {
        best_.pattern = composite.name;
        for (uint32_t node = 0; node < pattern_.nodes().size(); ++node) best_.of += op_of(pattern_, node).valid();
    }

    /// Returns the best place; nothing where the pattern has no call of the operator.
    std::optional<PatternPlace> find() {
        const OpId op = explainer_.module_.called_op(call_);
        for (uint32_t node = 0; node < pattern_.nodes().size(); ++node) {
            if (!op.valid() || op_of(pattern_, node) != op) continue;
            part_ = node;
            if (matcher_.match_part(node, call_)) climb(node, call_);
            else fail(node, call_);
        }
        return best_.part.empty() ? std::nullopt : std::optional(best_);
    }

private:
    static constexpr int kMostSteps = 200, kMostUsers = 16;

    size_t matched_ops() const {
        size_t count = 0;
        for (uint32_t node = 0; node < pattern_.nodes().size(); ++node)
            count += op_of(pattern_, node).valid() && !matcher_.matches(node).empty();
        return count;
    }

    void offer(size_t matched, ExprId at, Sentence reason, bool whole = false) {
        if (!best_.part.empty() && std::pair(whole, matched) <= std::pair(best_.whole, best_.matched)) return;
        best_.part = std::string(pattern_.source(part_));
        best_.matched = matched;
        best_.at = at;
        best_.reason = std::move(reason);
        best_.whole = whole;
    }

    /// What `node` should be at `expr` is not there. What had matched before counts: it stays in the pattern.
    void fail(uint32_t node, ExprId expr, size_t before = 0) {
        PatternFailure failure = matcher_.explain_part(node, expr);
        offer(before, failure.expr,
              {SENTENCE("Engine", "at %1: '%2' does not match: %3"),
               {explainer_.names_.name(failure.expr), std::string(pattern_.source(failure.node)),
                std::move(failure.reason)}});
    }

    /// The part of the pattern from `node` down is found at `expr`.
    void climb(uint32_t node, ExprId expr) {
        if (++steps_ > kMostSteps) return;
        const size_t matched = matched_ops();
        if (stands_for(pattern_, pattern_.root(), node) && matcher_.match(expr) && has_call()) {
            PatternPlace whole = best_;
            explainer_.explain_whole(composite_, expr, matcher_, whole);
            offer(matched, expr, whole.reason, true);
        }
        std::set<std::string> wanted;
        for (uint32_t user = 0; user < pattern_.nodes().size(); ++user)
            if (has_child(user, node)) go_on(user, expr, matched, wanted);
        if (wanted.empty()) return;
        std::string ops;
        for (const std::string& op : wanted) ops += (ops.empty() ? "" : " | ") + op;
        const std::span<const ExprId> users = explainer_.facts_.users(expr);
        MissingUser missing{ops, expr, users.empty() ? ExprId() : users[0], matched};
        const bool optional = best_.whole && best_.at == expr && best_.matched == matched && best_.reason.empty();
        if (optional) best_.reason = missing.reason(explainer_.names_);
        else offer(matched, expr, missing.reason(explainer_.names_));
    }

    /// Whether the match has the call as the part, and not another alternative in its place.
    bool has_call() const {
        const std::span<const ExprId> matches = matcher_.matches(part_);
        return std::find(matches.begin(), matches.end(), call_) != matches.end();
    }

    bool has_child(uint32_t user, uint32_t node) const {
        const PatternNode& outer = pattern_.nodes()[user];
        const bool is_call = outer.kind == PatternKind::Call;
        if (!is_call && outer.kind != PatternKind::Tuple && outer.kind != PatternKind::Projection) return false;
        return std::any_of(outer.children.begin() + (is_call ? 1 : 0), outer.children.end(),
                           [&](uint32_t child) { return stands_for(pattern_, child, node); });
    }

    /// Looks for what the pattern has above, among the users of `expr`; without one, its op is `wanted`.
    void go_on(uint32_t user, ExprId expr, size_t matched, std::set<std::string>& wanted) {
        const Module& module = explainer_.module_;
        const OpId op = op_of(pattern_, user);
        const PatternKind kind = pattern_.nodes()[user].kind;
        const auto is_such = [&](ExprId other) {
            if (kind == PatternKind::Tuple) return module.kind(other) == ExprKind::Tuple;
            if (kind == PatternKind::Projection) return module.kind(other) == ExprKind::Projection;
            return op.valid() && module.called_op(other) == op;
        };
        int looked = 0;
        for (ExprId other : explainer_.facts_.users(expr)) {
            if (!is_such(other) || ++looked > kMostUsers) continue;
            if (matcher_.match_part(user, other)) climb(user, other);
            else fail(user, other, matched);
        }
        if (looked == 0 && op.valid()) wanted.insert(op_registry()[op].name);
    }

    FlowExplainer& explainer_;
    const CompositePattern& composite_;
    const ExprId call_;
    const Pattern& pattern_;
    PatternMatcher matcher_;
    PatternPlace best_;
    uint32_t part_ = 0;  ///< of the pattern, that the call is tried as
    int steps_ = 0;
};

/// The pattern matches at `root`: says whether it is a composite, and if not, why.
void FlowExplainer::explain_whole(const CompositePattern& composite, ExprId root, const PatternMatcher& matcher,
                                  PatternPlace& place) {
    place.reason = {};
    for (const Decision* decision : decisions_on(root)) {
        if (decision->rule != composite.name) continue;
        if (decision->kind == DecisionKind::PatternMatched) return;
        if (decision->kind == DecisionKind::PatternRefused) place.reason = explain_match(*decision).reason;
    }
    if (place.reason.empty() && flow_.stage("composite"))
        place.reason = why_no_composite(composite, root, matcher).reason;
}

std::vector<PatternPlace> FlowExplainer::pattern_places(ExprId call) {
    std::vector<PatternPlace> places;
    for (size_t i = 0; i < backends_.size(); ++i)
        for (const CompositePattern& composite : backends_[i].patterns)
            if (std::optional<PatternPlace> place = PlaceSearch(*this, composite, call).find()) {
                place->backend = int(i);
                places.push_back(std::move(*place));
            }
    std::stable_sort(places.begin(), places.end(), [](const PatternPlace& a, const PatternPlace& b) {
        return std::pair(a.missing(), b.matched) < std::pair(b.missing(), a.matched);
    });
    return places;
}

std::string FlowExplainer::to_text(const PatternPlace& place) const {
    std::string text = backend_name(place.backend) + ", " + on_one_line(place.pattern) + ": as " + place.part + ", " +
                       std::to_string(place.matched) + " of " + std::to_string(place.of) + " operators" +
                       (place.whole ? ", it matches" : "");
    return place.reason.empty() ? text : text + ": " + place.reason.text();
}

nlohmann::json FlowExplainer::to_json(const PatternPlace& place) const {
    nlohmann::json json{{"backend", backend_name(place.backend)},
                        {"pattern", place.pattern},
                        {"part", place.part},
                        {"matched", place.matched},
                        {"of", place.of},
                        {"matches", place.whole},
                        {"text", place.reason.text()}};
    if (place.at.valid()) json["at"] = expression_json(place.at);
    return json;
}

}  // namespace partita
