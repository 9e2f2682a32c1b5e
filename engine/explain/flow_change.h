// The effect of an edit of rules or choices: the calls that the new division places elsewhere, and its regions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/flow/flow.h"

namespace partita {

struct FlowChange {
    struct Calls {
        std::vector<ExprId> calls;                       ///< of the flows' input
        std::vector<std::pair<std::string, int>> by_op;  ///< most frequent first
    };
    Calls gained;  ///< by a backend, from default
    Calls lost;    ///< to default
    Calls moved;   ///< from one backend to another
    int regions_before = 0, regions_after = 0;
    double boundary_bytes_before = 0, boundary_bytes_after = 0;

    bool nothing() const {
        return gained.calls.empty() && lost.calls.empty() && moved.calls.empty() && regions_before == regions_after &&
               boundary_bytes_before == boundary_bytes_after;
    }
};

/// Identifies backends by name. `before` may be null: everything was on default. Compares calls if both flows are of
/// the same module; else all that the new one places are gained. Linear in the module.
FlowChange compare_flows(const FlowResult* before, std::span<const std::string> backends_before,
                         const FlowResult& after, std::span<const std::string> backends_after);

}  // namespace partita
