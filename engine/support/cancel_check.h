// Checks a CancelToken in loops with many short iterations.
#pragma once

#include <utility>

#include "engine/support/cancel.h"

namespace partita {

/// Reads the flag in every 1024th iteration.
class CancelCheck {
public:
    explicit CancelCheck(CancelToken token) : token_(std::move(token)) {}
    bool operator()() { return ++turns_ % 1024 == 0 && token_.cancelled(); }

private:
    CancelToken token_;
    unsigned turns_ = 0;
};

}  // namespace partita
