// Dividing a file as the command line and Python do: reads it, chooses backends and passes, runs the flow.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/flow/flow_choice.h"
#include "engine/session/input_files.h"
#include "engine/session/session.h"

namespace partita {

/// A module, and the choice of a project.
struct OpenedInput : OpenedModule {
    std::optional<FlowChoice> choice;
    std::vector<Bookmark> bookmarks;  ///< of a project
    std::vector<InputFile> inputs;    ///< of a project
    ModulePtr base;  ///< what the choice refers to and the flow starts from: the opened module, or what it rewrites

    OpenedInput() = default;
    explicit OpenedInput(OpenedModule opened) : OpenedModule(std::move(opened)), base(module) {}
};
/// Reads a file: what open_module reads, or a project.
Result<OpenedInput> open_input_file(const std::string& path, const OpenOptions& options);

/// What a caller calls the parts of a request: for messages.
struct DivideWords {
    std::string backends, overrides, allow_commands;
    std::string keep_annotations;  ///< what to give so that the file's own annotations are kept
};

struct DivideRequest {
    DivideWords words;
    /// In order of priority; none: those of the project or the placement, else built-in ones that the module names.
    std::vector<BackendPtr> backends;
    std::vector<std::pair<std::string, std::string>> overrides;  ///< selectors of calls, backends; the last one counts
    std::string placement;                                       ///< a file that `place` wrote; "": none
    bool placement_partly = false;                               ///< as far as its operators are found
    bool allow_commands = false;  ///< descriptions may start programs that decide about calls
    bool annotated = false;       ///< the file's own annotations are kept
    bool lower = false, simplify = false, fold = false, composite = true, merge = true, non_call_ops = true;
    std::optional<PartitionerChoice> partitioner;  ///< none, or without a name: the project's, else the usual one
    PartitionOptions partition;
    FlowStage until = FlowStage::Partition;
    bool log_decisions = true;
    /// What other programs said of the file. Without backends and a placement, what they tell is the division, or what
    /// the partitioner divides by.
    std::vector<std::string> from;
    CancelToken cancel;
};

struct Reports;  // engine/session/reports.h

struct Divided {
    FlowOptions options;  ///< with the backends that indices of the result refer to
    FlowResult result;
    bool partition = true;  ///< false for a project that is not partitioned: its window exports an earlier stage
    std::shared_ptr<const Reports> reports;  ///< null: `from` was empty
};
/// Divides a module. The only backend's file is applied as the file itself says. `notes` receives what the user should
/// know. If there is nothing to divide by, the result is the module, simplified where that is asked for.
Result<Divided> divide(const OpenedInput& input, DivideRequest request, std::vector<Diagnostic>& notes);

/// Returns the options by which `divide` would divide.
Result<FlowOptions> division_options(const OpenedInput& input, DivideRequest request, std::vector<Diagnostic>& notes);

/// Starts the annotator that a description names, if it does not run yet. Refused without `allow_commands`.
Result<BackendPtr> start_backend(const BackendPtr& backend, bool allow_commands, const DivideWords& words,
                                 std::vector<Diagnostic>& notes, const CancelToken& cancel);

/// Returns one fault for each description that would run code it brings along: a library or a program.
std::vector<Diagnostic> foreign_code_of(std::span<const BackendDescription> backends, const DivideWords& words);

/// Returns what is wrong with the name of a backend; "" if it is "default" or one of `backends`.
std::string unknown_backend(const std::string& name, std::span<const BackendDescription> backends,
                            const DivideWords& words);

}  // namespace partita
