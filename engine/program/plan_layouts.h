// The layouts in which the steps of a plan take and make their values.
//
// A layout is a text that is equal for equal layouts of values of one type, such as "aBcd16b"; "" is row-major, and
// stands for values that are the same in every run, too.
#pragma once

#include <string>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

struct PlanLayouts {
    struct Step {
        ExprId expr;                     ///< in the compiled module; in a run's report: where the flow started from
        std::vector<std::string> given;  ///< by operand: as the value was made
        std::vector<std::string> taken;  ///< by operand: as the step takes it
        std::vector<std::string> made;   ///< by result
    };
    /// A value that is laid out anew in each run.
    struct Change {
        ExprId maker;         ///< the call that makes the value, as `Step::expr`; invalid: an input
        uint32_t number = 0;  ///< of the call's results, or of the flattened inputs
        std::string from, to;
        std::string type;        ///< of the value
        bool is_output = false;  ///< done for a result of the function
    };
    std::vector<Step> steps;  ///< in the order of the plan; those that were computed once are missing
    std::vector<Change> changes;
};

}  // namespace partita
