// A change of a backend description, as its author would make it: of an operator's rule, a pattern's check, a limit, or
// a condition in a file in Python.
//
// Applying one costs a copy of the description and a walk over its text; unchanged rules are shared with the copy. A
// condition in Python is changed in the text that another process of the annotator's runs, never in the file; whoever
// asks for that has permission for what runs already.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/rules/backend_description.h"

namespace partita {

struct RuleChange {
    enum class Kind : uint8_t { Op, Check, Limit, Condition };
    Kind kind = Kind::Op;
    int backend = -1;           ///< index into the flow's list
    std::string name;           ///< the operator, the pattern, the limit: "max_inputs", or the condition's text
    std::string rule = "true";  ///< the new text; of Op "false": the backend has no rule for the operator
    double limit = 0;           ///< Limit: 0 is none
    ConditionPlace place = {};  ///< Condition

    bool operator==(const RuleChange&) const = default;
    /// Returns "ops.nn.conv2d: attrs.groups == 1", "limits.max_inputs: 13", "rules.py:7: a != 1 becomes False".
    std::string text() const;
};

/// Returns the descriptions with the changes, applied in order, to their meaning, and to their texts where those can
/// say it. Fails if a rule has a fault or there is no pattern of that name.
Result<std::vector<BackendDescription>> with_changes(std::span<const BackendDescription> backends,
                                                     std::span<const RuleChange> changes);

/// Returns the change after which a condition has the other value for every call, or is `inverted`; nothing where its
/// place is not in a file that the backend's annotator runs.
std::optional<RuleChange> change_of_condition(std::span<const BackendDescription> backends, int backend,
                                              const ConditionPlace& place, bool inverted);

/// Whether the description's text can say the change. A text in Python can only be given a rule for an operator that
/// has none there, and conditions of its own can be changed.
bool can_be_written(const BackendDescription& backend, const RuleChange& change);

/// Returns the text of a rule in which the terms that make it false have the value that it needs.
std::string without_terms(const std::string& rule, std::span<const RuleTerm> terms);

}  // namespace partita
