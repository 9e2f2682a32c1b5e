// What a text of rules in Python is worth: it runs, where it may, for most that can be wrong with it shows only then.
#pragma once

#include <vector>

#include "app/gui/document/document.h"

namespace partita {

struct PythonCheck {
    BackendPtr description;  ///< with its annotator running; null where there is a fault, or it may not run
    bool may_not_run = false;
    std::vector<Diagnostic> faults, notes;
};

/// Checks a description that was made of a text (annotator_backend). `by_hand`: the description that runs, whose text a
/// person changed in the window; that is permission enough, as far as the files beside it are those that run. Null:
/// only what was permitted before runs. Blocks: for a worker.
PythonCheck check_python(const BackendDescription& made, const BackendPtr& by_hand, const CancelToken& cancel);

}  // namespace partita
