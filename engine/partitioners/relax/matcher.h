// Matches a pattern at a binding of a Relax program, with the rules of TVM's matcher
// (src/relax/ir/dataflow_matcher.cc): variables stand for what they are bound to; a node of the pattern matches one
// expression; sums and products are tried in both orders; of alternatives the left one is tried first and kept. Relax
// has no dominators, lets and functions in patterns: such nodes match nothing.
//
// A match costs time in the size of the pattern. Recursion is as deep as the pattern.
#pragma once

#include <vector>

#include "engine/frontends/relax/program.h"
#include "engine/rules/pattern.h"

namespace partita::relax {

/// What a node of the pattern matched: a value, by the variable that it is bound to, if it is.
struct Matched {
    const Expression* value = nullptr;  ///< null: nothing yet
    VariableNumber variable = kNone;    ///< of a variable without a binding: itself
    bool operator==(const Matched& other) const {
        return value == other.value && (value || variable == other.variable);
    }
};

class TextMatcher {
public:
    /// Both must outlive this; the program's bindings must not move.
    TextMatcher(const Program& program, const Pattern& pattern);

    /// Makes a binding known; those before the one that is matched must be.
    void bind(const Binding& binding);
    bool match(const Binding& root);
    /// Returns what the calls and projections of the pattern matched: the part of the program that is taken.
    std::vector<VariableNumber> inside() const;
    const Matched& matched(uint32_t node) const { return memo_[node]; }

private:
    const PatternNode& node(uint32_t id) const { return pattern_.nodes()[id]; }
    Matched resolved(const Expression& expression) const;
    TypeNumber type_of(const Matched& matched) const;
    bool visit(uint32_t id, const Matched& at);
    bool visit_operand(uint32_t id, const Expression& operand) { return visit(id, resolved(operand)); }
    bool visit_node(const PatternNode& node, const Matched& at);
    bool visit_call(const PatternNode& node, const Matched& at);
    bool visit_arguments(const PatternNode& node, const Expression& call, size_t count, bool reversed);
    bool is_operator(const PatternNode& node, const Expression& callee) const;
    bool has_attributes(const PatternNode& node, const Matched& at) const;
    bool has_type(const PatternNode& node, const Matched& at) const;
    void undo(size_t watermark);

    const Program& program_;
    const Pattern& pattern_;
    std::vector<const Binding*> bindings_;  ///< by variable
    std::vector<Matched> memo_;             ///< by pattern node
    std::vector<uint32_t> matched_;         ///< in order, to be undone
};

}  // namespace partita::relax
