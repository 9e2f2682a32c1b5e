// Matches a pattern at an expression, with the rules of TVM 0.9's DFPatternMatcher (src/relay/ir/dataflow_matcher.cc):
// a pattern node matches only one expression node; `add` and `multiply` are tried in both orders; a product of a
// quotient is also tried re-associated; the first alternative that matches is kept.
//
// A match costs time in the size of the pattern, not of the graph; a dominator's path costs the expressions on it, up
// to a bound after which it does not match. Recursion is as deep as the pattern. Memory is reused from match to match.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/rules/dataflow_graph.h"
#include "engine/rules/pattern.h"
#include "engine/support/sentence.h"

namespace partita {

/// The reason of a failed match: the failure after which the most of the pattern had matched.
struct PatternFailure {
    uint32_t node = 0;   ///< of the pattern
    ExprId expr;         ///< that did not match it
    Sentence reason;     ///< "it is a call of tanh"
    size_t matched = 0;  ///< nodes of the pattern that had matched by then
};

class PatternMatcher {
public:
    /// `transparent`: ops whose calls are skipped if they do not match themselves. Dominators never match without a
    /// graph.
    PatternMatcher(const Pattern& pattern, const Module& module, DataflowGraph* graph = nullptr,
                   std::span<const OpId> transparent = {});

    bool match(ExprId expr) { return match_part(pattern_.root(), expr); }
    /// The same for a part of the pattern.
    bool match_part(uint32_t node, ExprId expr);
    /// Returns what a pattern node matched; empty if it was not part of the match. Several only inside a dominator.
    std::span<const ExprId> matches(uint32_t node) const { return memo_[node]; }
    /// Returns expressions by Pattern::names(); invalid if the name was not part of the match.
    std::vector<ExprId> bound() const;
    bool is_transparent(ExprId expr) const;

    /// Returns why the pattern does not match at `expr`. Costs a match.
    PatternFailure explain(ExprId expr) { return explain_part(pattern_.root(), expr); }
    PatternFailure explain_part(uint32_t node, ExprId expr);

private:
    const PatternNode& node(uint32_t id) const {
        return id < pattern_.nodes().size() ? pattern_.nodes()[id] : extra_[id - pattern_.nodes().size()];
    }
    bool visit(uint32_t id, ExprId expr);
    bool visit_node(uint32_t id, ExprId expr);
    bool visit_call(uint32_t id, ExprId expr);
    bool visit_arguments(uint32_t id, std::span<const ExprId> arguments, bool reversed);
    bool visit_reassociated(uint32_t id, ExprId expr);
    bool visit_function(const PatternNode& node, ExprId expr);
    bool visit_all(std::span<const uint32_t> children, std::span<const ExprId> operands);
    bool visit_attributes(uint32_t id, ExprId expr);
    bool visit_dominator(uint32_t id, ExprId expr);
    bool matches_path(const PatternNode& node, ExprId expr);
    bool dominates_parent(const PatternNode& node, ExprId expr);
    bool equals_scalar(const PatternNode& node, ExprId expr) const;
    using WantedAttribute = std::pair<std::string, AttributeValue>;
    std::optional<AttributeValue> attribute_of(ExprId expr, const std::string& key) const;
    const WantedAttribute* differing_attribute(const PatternNode& node, ExprId expr) const;
    bool has_attributes(const PatternNode& node, ExprId expr) const;
    Sentence attribute_reason(const PatternNode& node, ExprId expr) const;
    bool calls(ExprId expr, OpId op) const { return op.valid() && module_.called_op(expr) == op; }
    bool is_pattern_call(uint32_t id, OpId op) const;
    uint32_t derived_call(uint32_t callee, uint32_t left, uint32_t right);
    void undo(size_t watermark);
    bool fail(uint32_t id, ExprId expr);
    Sentence kind_of(ExprId expr) const;
    Sentence dominator_reason(const PatternNode& dominator) const;
    Sentence reason_of(uint32_t id, ExprId expr) const;

    const Pattern& pattern_;
    const Module& module_;
    DataflowGraph* graph_;
    std::vector<OpId> transparent_;
    OpId add_, multiply_, divide_;
    std::vector<std::vector<ExprId>> memo_;  ///< by pattern node
    std::vector<uint32_t> matched_;          ///< in order, to be undone
    bool memoize_ = true;
    uint32_t steps_ = 0;
    std::vector<PatternNode> extra_;  ///< re-associated calls
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> derived_;
    bool explaining_ = false;
    size_t best_matched_ = 0;
    PatternFailure failure_;
};

}  // namespace partita
