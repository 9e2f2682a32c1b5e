// All that belongs to what is open. Opening swaps it as one value, and so do an edit, its undo and its redo with the
// part that an edit changes.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <QString>

#include "app/gui/document/problems.h"
#include "app/gui/document/runs.h"
#include "engine/edits/edits.h"
#include "engine/flow/flow_choice.h"
#include "engine/session/input_files.h"
#include "engine/session/named_module.h"
#include "engine/session/session.h"

namespace partita {

struct RuleFault;  ///< engine/explain/explain.h
class FlowMemory;  ///< engine/flow/flow_memory.h

/// Pairs of producer and consumer whose regions must not be merged, because a cycle would close.
using RefusedMerges = std::vector<std::pair<ExprId, ExprId>>;
using RefusedMergesPtr = std::shared_ptr<const RefusedMerges>;

/// How many calls a rule took and refused, or a pattern matched and did not.
struct RuleCount {
    int takes = 0;  ///< of those that were accepted the ones that their backend has in the end
    int accepted = 0, refuses = 0;
};
/// By backend and rule ("ops.add"), and by kAnyBackend and a pattern's name.
using RuleCounts = std::map<std::pair<int, std::string>, RuleCount>;
using RuleCountsPtr = std::shared_ptr<const RuleCounts>;
inline constexpr int kAnyBackend = -1;

/// The calls that rules in Python refused, by backend and the line of its file at which they ended.
using RefusedAtLine = std::map<std::pair<int, int>, std::vector<ExprId>>;
using RefusedAtLinePtr = std::shared_ptr<const RefusedAtLine>;

using RuleFaultsPtr = std::shared_ptr<const std::vector<RuleFault>>;

/// Chosen sizes of symbolic dimensions by their names.
using Dimensions = std::map<std::string, int64_t>;

/// The file that is open, and how it stands to what is saved. An edit leaves it as it is.
struct OpenedFile {
    QString path;               ///< the module's
    QString project_path;       ///< "" while it was not saved
    std::string unknown;        ///< members of the project that this version does not know
    bool on_disk = false;       ///< a lesson is not: there is nothing to go on with
    bool unsaved = false;       ///< opened from the journal or the session, with handwork, and not saved since
    bool own_backends = false;  ///< a project or a lesson is open
    bool is_model = false;      ///< there to be run: an ONNX file, or with weights of its own
    std::vector<NamedDimension> symbolic_dimensions;
    bool dimensions_chosen = false;
    std::vector<Bookmark> saved_bookmarks;
    std::vector<InputFile> inputs, saved_inputs;  ///< with which it is run; the others are made
};

/// A module with what a person chose and marked: what an edit exchanges, and its undo brings back.
struct ModuleState {
    ModulePtr module;
    /// What the choice may rewrite it to, by FlowChoice::rewriting(); null until that was made.
    std::array<ModulePtr, FlowChoice::kRewritings> rewritings;
    ModulePtr opened;                    ///< as it was read, before any edit
    std::shared_ptr<const Graph> graph;  ///< OpenedModule::graph; null after an edit
    mutable NamedModulePtr named;        ///< of the shown module, as soon as it was asked for
    std::string digest;                  ///< of the module's file as it was read
    FlowChoice choice;
    bool annotated = false;
    bool edited = false;
    std::vector<ExprId> selection;
    std::vector<Bookmark> bookmarks;

    /// Returns the place of what the choice rewrites the module to.
    ModulePtr& rewritten() { return rewritings[choice.rewriting()]; }
    bool isRewritten() const { return choice.rewrites() && rewritings[choice.rewriting()]; }
    /// Returns what the flow starts from: the module, or what it was rewritten to once that was made. Keeping it makes
    /// ids, and with them the picture, stay the same from one choice to the next.
    // cppcheck-suppress returnTempReference
    const ModulePtr& base() const { return isRewritten() ? rewritings[choice.rewriting()] : module; }
    bool divides() const { return choice.active(annotated); }
};
using ModuleStatePtr = std::shared_ptr<const ModuleState>;

/// What the flow makes of the module and the choice.
struct DocumentDivision {
    FlowPtr flow;                     ///< null while nothing is chosen
    RefusedMergesPtr refused_merges;  ///< null without a flow, as the next
    RuleCountsPtr rule_counts;
    RefusedAtLinePtr refused_at_line;
    RuleFaultsPtr rule_faults;
};

/// What the last edit, undo or redo did to the expressions.
struct LastChange {
    ModulePtr before, after;
    std::vector<ExprId> image;
};

struct OpenedState {
    static constexpr int kNoStep = -1;

    OpenedFile file;
    ModuleState content;
    DocumentDivision division;
    std::shared_ptr<FlowMemory> flow_memory;  ///< what changes of the division leave as it was
    quint64 divided_revision = 0;             ///< of the choice that the division answers
    int divided_step = kNoStep;               ///< of the undo stack: whose choice the division answers
    RunHistory runs;
    Problems problems;
    LastChange last_change;
};

}  // namespace partita
