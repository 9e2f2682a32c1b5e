// The terms that decide a rule's value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

/// A part of a rule that decided its value, with the values it was computed from.
struct RuleTerm {
    std::string text;    ///< "args[0].dtype == 'float32'", with variables of `all` and `exists` filled in
    bool value = false;  ///< a term without a value counts as the opposite of the wanted value
    std::string error;   ///< why the term has no value; else ""
    struct Operand {
        std::string text;   ///< "args[0].dtype"
        std::string value;  ///< "'int8'"
        ExprId expr;        ///< the expression that the operand belongs to
    };
    std::vector<Operand> operands;
    int alternative = 0;             ///< if the rule is false: see RuleExplanation in engine/rules/rule.h
    uint32_t begin = 0, end = 0;     ///< byte range in the rule's text
    uint32_t node = 0;               ///< identifies the term in the rule, together with `elements`
    std::vector<uint32_t> elements;  ///< the index at which each enclosing `all` or `exists` was

    /// Returns the text, or its negation if a rule of that value depends on the term being false:
    /// "!has(attrs.channels)".
    std::string stated(bool rule_value) const;
    /// Returns "args[0].dtype == 'float32': args[0].dtype is 'int8'".
    std::string to_string(bool rule_value) const;
};

}  // namespace partita
