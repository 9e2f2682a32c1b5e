// The state of a division after the first decisions of its log: stepping is replay. Linear in the decisions replayed.
#pragma once

#include "app/gui/document/document.h"

namespace partita {

struct ReplayedState {
    FlowPtr flow;              ///< placements and regions so far
    RefusedMergesPtr refused;  ///< so far
};

/// What stood after the first `count` decisions of a flow.
ReplayedState replay(const FlowResult& flow, size_t count);

}  // namespace partita
