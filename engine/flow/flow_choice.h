// What a person chose for the division of a module: a value. Undo keeps the value before.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/flow/hand_placement.h"
#include "engine/support/shared_value.h"

namespace partita {

using BackendPtr = std::shared_ptr<const BackendDescription>;

/// An expression that a person wants to find again.
struct Bookmark {
    ExprId expression;
    std::string name;  ///< expression_name of it

    bool operator==(const Bookmark&) const = default;
};

/// A backend of a project that can't be loaded. It keeps its place in the project until it is found or left out.
struct MissingBackend {
    size_t place = 0;  ///< among the backends of the project
    std::string name;  ///< of a built-in one, or a file's absolute path
    std::string text;  ///< the description, where the project holds it
    std::string fault;
};

struct FlowChoice {
    std::vector<BackendPtr> backends;        ///< in order of priority
    std::vector<MissingBackend> missing;     ///< in the order of their places
    SharedValue<HandPlacement> overrides;    ///< expressions of the opened module, or of its simplified form
    SharedValue<ExpressionMap<int>> groups;  ///< regions that are kept apart; expressions as in overrides
    bool annotate = false;                   ///< place by the backends' rules; overrides count without it, too
    bool merge = false;
    bool partition = false;
    bool simplify = false;
    bool composite = true;
    bool include_non_call_ops = true;
    bool mangle_names = true;
    bool bind_constants = true;
    bool carries_regions = false;  ///< not chosen: the module has regions to show, whatever the rest is

    /// Whether there is anything to derive. `annotated` says that the file carries its annotations already.
    bool active(bool annotated) const {
        return annotate || merge || partition || simplify || annotated || carries_regions || !overrides->empty();
    }
    /// `backend` takes the place of a missing one.
    void find_missing(size_t index, BackendPtr backend);
    /// The index of a backend of that name, or -1 (default or unknown).
    int backend_index(std::string_view name) const;
    /// "default" for none.
    std::string backend_name(int backend) const;
};

/// Adds the backends that a module names and the choice lacks: those that ship, others without rules, executed by
/// nothing that is known. Also notes whether the module carries regions. False where there was nothing to add.
bool add_backends_of_module(FlowChoice& choice, const Module& module);

/// The engine's options for a choice. Without `annotate`, the backends go without rules, so that only overrides place.
/// The flow always goes to the end: the engine tells the regions of a division from its sub-functions.
FlowOptions flow_options(const FlowChoice& choice, bool annotated, const CancelToken& cancel);

}  // namespace partita
