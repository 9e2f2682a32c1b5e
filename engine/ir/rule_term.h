// What a rule's decision hangs on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

/// A part of a rule that decided, with what it found.
struct RuleTerm {
    std::string text;    ///< "args[0].dtype == 'float32'", with variables of `all` and `exists` filled in
    bool value = false;  ///< a term without a value counts as the opposite of what is wanted
    std::string error;   ///< why the term has no value; else ""
    struct Operand {
        std::string text;   ///< "args[0].dtype"
        std::string value;  ///< "'int8'"
        ExprId expr;        ///< the expression that it speaks of
    };
    std::vector<Operand> operands;
    int alternative = 0;             ///< where the rule is false: see RuleExplanation in engine/rules/rule.h
    uint32_t begin = 0, end = 0;     ///< bytes of the rule's text
    uint32_t node = 0;               ///< identity of the term inside the rule, with `elements`
    std::vector<uint32_t> elements;  ///< which element each enclosing `all` or `exists` was at

    /// The text, or its negation where a rule of that value hangs on its being false: "!has(attrs.channels)".
    std::string stated(bool rule_value) const;
    /// "args[0].dtype == 'float32': args[0].dtype is 'int8'"
    std::string to_string(bool rule_value) const;
};

}  // namespace partita
