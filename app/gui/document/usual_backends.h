// The backends that a module without a choice of its own is opened with.
#pragma once

#include <vector>

#include "engine/rules/backend_description.h"

namespace partita {

/// oneDNN for all that it can run, generated C for the rest.
const std::vector<BackendPtr>& backends_for_speed();
/// What TVM 0.9 gives to its backends, as lessons and books show it.
const std::vector<BackendPtr>& backends_as_in_tvm();

struct UsualBackends {
    bool chosen = false;               ///< by a person; then whatever is opened begins with `backends`
    std::vector<BackendPtr> backends;  ///< empty while none were chosen

    /// Returns those of a model, which is there to be run, or of a text, which is there to be read.
    const std::vector<BackendPtr>& of(bool model) const;
    /// Returns what is opened next begins with after a person chose `now`. One of the two usual pairs says nothing of
    /// other modules.
    UsualBackends after(const std::vector<BackendPtr>& now) const;
};

/// Whether they have the same names and rules, in the same order.
bool same_backends(const std::vector<BackendPtr>& a, const std::vector<BackendPtr>& b);

}  // namespace partita
