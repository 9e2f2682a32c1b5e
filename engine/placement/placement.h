// Placement: which backend each call goes to, from the backends' rules in order of priority and a person's overrides.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/decision_log.h"
#include "engine/rules/backend_description.h"

namespace partita {

/// For each expression of one module, an index into `backends`, kDefault, or kUndecided.
struct Placement {
    static constexpr int16_t kDefault = -1;  ///< the built-in backend, written "default"
    std::vector<std::string> backends;       ///< names, in order of priority
    std::vector<int16_t> backend_of;         ///< by ExprId; only calls are looked at
    std::vector<bool> kept_out;              ///< by ExprId: tuples and projections that go to default whatever their
                                             ///< operands do; empty: none

    std::string_view backend_name(ExprId call) const {
        int16_t index = backend_of[call.value];
        return index < 0 ? std::string_view("default") : std::string_view(backends[size_t(index)]);
    }
};

/// A person's own assignments: expression of the flow's first module -> backend name ("default" to keep it out).
using Overrides = std::map<ExprId, std::string>;

/// Asks the backends in order, for each call: an override wins; then the first backend whose rule accepts the call, or
/// whose name is the first part of the call's composite name. A module that was derived is looked up through origins.
/// Functions of the module with an attribute `compiler` are asked with that backend only.
/// A call of an op that a backend lists as transparent, and that nothing else has placed, goes where its operand goes,
/// or where all its users go, if that is the backend.
/// Logs Accepted, RuleFailed, NoRule, Overridden, Inherited for every call; nothing of a backend without rules.
Placement place(const Module& module, std::span<const BackendDescription> backends, const Overrides& overrides = {},
                DecisionLog* log = nullptr);

/// Places the calls of one module again and again while a person changes overrides: asks the rules once.
///
/// Making one costs what `place` costs; `place` of a placer then costs a few nanoseconds for each expression. The
/// result is what the function `place` gives for the same overrides.
class Placer {
public:
    Placer(ModulePtr module, std::span<const BackendDescription> backends);
    Placement place(const Overrides& overrides, DecisionLog* log = nullptr) const;
    const ModulePtr& module() const { return module_; }

private:
    ModulePtr module_;
    std::vector<BackendDescription> backends_;
    std::vector<ExprId> calls_;       ///< in graph order
    std::vector<int16_t> by_rules_;   ///< by expression: the first backend whose rules take the call
    std::vector<Decision> verdicts_;  ///< of all calls
};

}  // namespace partita
