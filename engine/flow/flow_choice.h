// The user's choices for dividing a module: a value. Undo keeps the previous one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/flow/hand_placement.h"
#include "engine/support/shared_value.h"

namespace partita {

using BackendPtr = std::shared_ptr<const BackendDescription>;

/// An expression that a person marked to find again.
struct Bookmark {
    ExprId expression;
    std::string name;  ///< its expression_name
    std::string note;  ///< what the person wrote about it; "" for nothing

    bool operator==(const Bookmark&) const = default;
};

/// A backend of a project that failed to load. It keeps its position in the project until the user finds or removes it.
struct MissingBackend {
    size_t place = 0;  ///< position among the backends of the project
    std::string name;  ///< of a built-in one, or the absolute path of a file
    std::string text;  ///< the description, if the project contains it
    std::string fault;
};

struct FlowChoice {
    static constexpr size_t kRewritings = 6;

    std::vector<BackendPtr> backends;        ///< in order of priority
    std::vector<MissingBackend> missing;     ///< in order of position
    SharedValue<HandPlacement> overrides;    ///< expressions of the opened or simplified module
    SharedValue<ExpressionMap<int>> groups;  ///< regions kept apart; expressions as in overrides
    PartitionerChoice partitioner;
    ReportedPtr reported;                            ///< as in FlowOptions
    std::shared_ptr<const FileOperators> operators;  ///< of the module's file; null: it states none
    std::shared_ptr<const Graph> graph;              ///< the same; as in FlowOptions
    GraphOfFile graph_of_file;                       ///< the same; empty of a module that was edited
    bool annotate = false;  ///< place by the rules of the backends; overrides apply in any case
    bool merge = false;
    bool partition = false;
    bool lower = false;  ///< as in FlowOptions
    bool simplify = false;
    bool fold = false;
    bool composite = true;
    bool include_non_call_ops = true;
    bool mangle_names = true;
    bool bind_constants = true;
    bool by_cost = false;          ///< the overrides are a placement by measured cost
    bool carries_regions = false;  ///< not chosen: the module has regions of its own

    /// Returns whether there is anything to compute. `annotated`: the file has annotations already.
    bool active(bool annotated) const {
        return annotate || merge || partition || rewrites() || annotated || carries_regions || !overrides->empty();
    }
    /// Returns whether another module than the opened one is divided; overrides and groups refer to that one.
    bool rewrites() const { return rewriting() > 0; }
    /// Returns a number for how the module is rewritten, below kRewritings; 0: not at all.
    size_t rewriting() const { return (simplify ? 4 : fold ? 2 : 0) + (lower ? 1 : 0); }
    /// Returns whether `other` divides the same module.
    bool rewrites_as(const FlowChoice& other) const { return rewriting() == other.rewriting(); }
    /// Returns the choice for a module that is rewritten already.
    FlowChoice after_rewriting() const;
    /// Replaces a missing backend by `backend`.
    void find_missing(size_t index, BackendPtr backend);
    /// Returns the index of a backend by name, or -1 (default or unknown).
    int backend_index(std::string_view name) const;
    /// Returns the name of a backend; "default" for none.
    std::string backend_name(int backend) const;
};

/// Adds the backends that a module names and the choice lacks: built-in ones, and others without rules or a known
/// codegen. Also records whether the module has regions. Returns false if nothing was added.
bool add_backends_of_module(FlowChoice& choice, const Module& module);

/// Lets reports decide: their backends take what they say, and have no rules.
void choose_reported(FlowChoice& choice, const ReportedPtr& reported);

/// Returns what the file of the only backend does in its `partition_for_X`; null if there is no such thing.
const AnnotatorFlow* own_flow(const std::vector<BackendPtr>& backends);
/// Takes over what a file's own `partition_for_X` does.
void choose_flow(FlowChoice& choice, const AnnotatorFlow& flow);

/// The descriptions of the chosen backends; those whose rules are about a file's operators have these.
std::vector<BackendDescription> descriptions_of(const FlowChoice& choice);

/// Returns the engine's options for a choice. Without `annotate`, the backends have no rules, so that only overrides
/// place. The flow always runs to the end, because the sub-functions define the regions.
FlowOptions flow_options(const FlowChoice& choice, bool annotated, const CancelToken& cancel);

}  // namespace partita
