// The rule language: a subset of the Common Expression Language (CEL, github.com/google/cel-spec) over one call.
//
//   attrs.kernel_size == [1, 1] && args[0].dtype == 'float32'
//   args.all(a, a.dtype != 'int64') && product(result.shape) >= 1024
//
// A rule is compiled once: parsed, every name resolved, every type checked against the op's record. Evaluating walks a
// flat tree, without allocating for a typical rule, and costs well under a microsecond; it has no side effects, loops
// only over existing lists, and takes a bounded number of steps. An error (an argument that does not exist, a division
// by zero) makes a term neither true nor false, as in CEL: `false && error` is false, and a rule that ends in an error
// does not accept.
//
// In scope: `op`, `attrs.NAME`, `args[i]`, `result`, `users`, `name`, `scope`, `flops`, `bytes`, `function.name`,
// `function.attrs`, and for a pattern's check the names that the pattern binds. Fields of an expression: see
// rule_fields() in rule.cpp.
//
// A compiled rule is immutable and may be used from several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/rule_term.h"
#include "engine/ops/op.h"
#include "engine/rules/module_facts.h"
#include "engine/support/diagnostic.h"

namespace partita {

/// A name that a pattern binds, and the op that it calls if that is known.
struct RuleName {
    std::string name;
    const OpRecord* op = nullptr;
};

/// What a rule is compiled for.
struct RuleContext {
    const OpRecord* op = nullptr;  ///< null: any call, attributes are looked up when the rule is evaluated
    std::vector<RuleName> names;
};

/// What a rule is evaluated on.
struct RuleSubject {
    const Module& module;
    ExprId call;
    ModuleFacts* facts = nullptr;     ///< for `users` and `function`; if null, made for this evaluation
    std::span<const ExprId> bound{};  ///< by RuleContext::names; invalid if the pattern did not match that name
};

struct RuleExplanation {
    bool value = false;
    /// True rule: the terms that made it true. False rule: what would have to change. Changing the values of all terms
    /// with one `alternative` makes the rule true; at most kRuleAlternatives of them are listed.
    std::vector<RuleTerm> terms;
    std::string to_string() const;
};
inline constexpr int kRuleAlternatives = 8;

struct RuleProgram;

class Rule {
public:
    /// The diagnostic's position counts from the rule's own first character (line 1, column 1).
    static Result<std::shared_ptr<const Rule>> compile(std::string_view text, const RuleContext& context);

    Rule(std::unique_ptr<RuleProgram> program);
    ~Rule();

    bool evaluate(const RuleSubject& subject) const;
    RuleExplanation explain(const RuleSubject& subject) const;
    /// Returns the rule's value if the given terms had the opposite value; verifies explanations.
    bool evaluate_with_flipped(const RuleSubject& subject, std::span<const RuleTerm> flipped) const;

    const std::string& text() const;

private:
    std::unique_ptr<const RuleProgram> program_;
};

/// A word of the rule language with a line of help, for completion.
struct RuleWord {
    std::string_view word;
    std::string_view help;
};
std::span<const RuleWord> rule_names();    ///< at the top: op, attrs, args, ...
std::span<const RuleWord> rule_fields();   ///< after an expression and a dot: dtype, shape, ...
std::span<const RuleWord> rule_methods();  ///< after a value and a dot: all, exists, startsWith, ...
std::span<const RuleWord> rule_functions();
/// Returns element types, common ones first.
std::span<const std::string_view> dtype_names();
/// Returns "; did you mean 'float32'?", or "".
std::string dtype_suggestion(std::string_view word);

}  // namespace partita
