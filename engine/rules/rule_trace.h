// What evaluating a rule asks.
#pragma once

#include "engine/rules/rule.h"

namespace partita {

/// Returns the terms that evaluating a rule asks, in order, each with its value: as far as the rule's value was open.
/// `context`: what the rule was compiled for. Empty if it can't be compiled.
std::vector<RuleTerm> trace_rule(const Rule& rule, const RuleContext& context, const RuleSubject& subject);

/// Returns what an expression of the rule language is for a call, as text, or what went wrong with it there; "" without
/// a call. Fails where the text is no expression.
Result<std::string> expression_value(std::string_view text, const RuleSubject& subject);

}  // namespace partita
