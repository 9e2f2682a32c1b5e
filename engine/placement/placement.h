// Placement: the backend of each call, from the backends' rules in order of priority and the overrides.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/decision_log.h"
#include "engine/rules/backend_description.h"
#include "engine/support/cancel.h"

namespace partita {

/// For each expression of one module, an index into `backends`, kDefault, or kUndecided.
struct Placement {
    static constexpr int16_t kDefault = -1;          ///< the built-in backend, named "default"
    static constexpr int kFirstRuleGroup = 1 << 24;  ///< of `groups`: beyond those that a person makes
    std::vector<std::string> backends;               ///< names, in order of priority
    std::vector<int16_t> backend_of;                 ///< by ExprId; valid for calls only
    std::vector<bool>
        kept_out;  ///< by ExprId: tuples and projections that go to default whatever their operands do; empty: none
    std::map<ExprId, int> groups;  ///< by origin: calls that annotators put into regions of their own

    std::string_view backend_name(ExprId call) const {
        int16_t index = backend_of[call.value];
        return index < 0 ? std::string_view("default") : std::string_view(backends[size_t(index)]);
    }
};

/// Manual assignments: expression of the flow's first module -> backend name ("default" to keep it out).
using Overrides = std::map<ExprId, std::string>;

/// Places each call. An override wins; then the first backend whose rule accepts the call, or whose name is the first
/// part of the call's composite name. A derived module finds its overrides through origins. Calls in functions with an
/// attribute `compiler` may go to that backend only. A call of an op that a backend lists as transparent, and that is
/// not placed otherwise, follows its operand, or all its users, if that is the backend. Logs Accepted, RuleFailed,
/// NoRule, Overridden or Inherited for every call; nothing for a backend without rules.
Placement place(const Module& module, std::span<const BackendDescription> backends, const Overrides& overrides = {},
                DecisionLog* log = nullptr, const CancelToken& cancel = {});

/// Fails unless each expression of the module goes to default or to a backend of the placement.
Status verify_placement(const Placement& placement, const Module& module);

/// Places the calls of one module repeatedly while a person changes overrides; evaluates the rules once.
///
/// Construction costs as much as the function `place`; each `place` of a placer then costs a few nanoseconds for each
/// expression. The result is that of the function `place` for the same overrides; not if construction was cancelled,
/// which leaves calls on default.
class Placer {
public:
    Placer(ModulePtr module, std::span<const BackendDescription> backends, const CancelToken& cancel = {});
    Placement place(const Overrides& overrides, DecisionLog* log = nullptr) const;
    const ModulePtr& module() const { return module_; }

private:
    ModulePtr module_;
    std::vector<BackendDescription> backends_;
    std::vector<ExprId> calls_;       ///< in graph order
    std::vector<int16_t> by_rules_;   ///< by expression: the first backend whose rules accept the call
    std::map<ExprId, int> groups_;    ///< of calls, by annotators
    std::vector<Decision> verdicts_;  ///< verdicts for all calls
};

}  // namespace partita
