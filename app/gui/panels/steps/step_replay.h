// The state of a division after the first decisions of its log: stepping is replay. Linear in the decisions replayed.
#pragma once

#include "app/gui/document/document.h"
#include "engine/flow/alike_steps.h"

namespace partita {

struct ReplayedState {
    FlowPtr flow;              ///< placements and regions so far
    RefusedMergesPtr refused;  ///< so far
};

using AlikeStepsPtr = std::shared_ptr<const AlikeSteps>;

/// Which decisions came before a step, and with it. Those that are alike in many blocks count as one, where the first
/// of them stands.
struct StepsUpTo {
    AlikeStepsPtr alike;  ///< may be null
    int64_t first = -1;   ///< the decision of the step, or the first of those that are alike
    int64_t last = -1;    ///< the last of those that are alike

    bool holds(size_t decision) const {
        const int64_t at = int64_t(alike ? alike->first(decision) : decision);
        return at < first || (at == first && int64_t(decision) <= last);
    }
};

/// What stood after these decisions of a flow.
ReplayedState replay(const FlowResult& flow, const StepsUpTo& steps);

}  // namespace partita
