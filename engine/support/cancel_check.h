// Asks a CancelToken in loops of many short turns.
#pragma once

#include <utility>

#include "engine/support/cancel.h"

namespace partita {

/// Looks at the flag at every 1024th turn.
class CancelCheck {
public:
    explicit CancelCheck(CancelToken token) : token_(std::move(token)) {}
    bool operator()() { return ++turns_ % 1024 == 0 && token_.cancelled(); }

private:
    CancelToken token_;
    unsigned turns_ = 0;
};

}  // namespace partita
