// The state of a division after the first decisions of its log: stepping is replay. Linear in the decisions replayed.
#pragma once

#include "app/gui/document/document.h"

namespace partita {

/// A result like `flow` as it stood after `count` decisions: placements and regions so far.
FlowPtr replay(const FlowResult& flow, size_t count);

}  // namespace partita
