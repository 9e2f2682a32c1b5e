// `.partita`: the user's choices for a module, as one JSON document. It names the module by its path (relative to the
// document if possible), the backends, the switches and the manual assignments. An assignment includes the name of the
// operator, so that one that no longer fits the module is detected and dropped. The document also holds the times of
// the last runs (run_record.h).
//
// The format has a version: older documents are updated on reading, newer ones are refused with a message. Unknown
// members are preserved, also those of runs and of single assignments, bookmarks and backends with a text, which are
// matched by name. A project and its module can move together: the module is looked up at its path, then beside the
// project.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/flow/flow_choice.h"
#include "engine/runtime/run_record.h"
#include "engine/session/input_files.h"
#include "engine/session/named_module.h"
#include "engine/support/cancel.h"

namespace partita {

struct ProjectAssignment {
    uint32_t expression = 0;  ///< ExprId in the opened or simplified module
    std::string name;         ///< its expression_name
    std::string backend;      ///< "" if only the group was chosen
    int group = 0;            ///< group of regions kept apart; 0: none
};

struct Project {
    std::string module_path;  ///< absolute
    std::string module_text;  ///< the module as Relay text if it was edited; else empty
    /// A backend of the project. The project contains the text of rules that were edited and not saved.
    struct Backend {
        std::string name;  ///< of a built-in one, or the absolute path of a file
        std::string text;  ///< "" if the built-in description or the file is up to date
    };
    std::vector<Backend> backends;
    FlowChoice choice;  ///< without backends and overrides
    std::vector<ProjectAssignment> assignments;
    std::vector<Bookmark> bookmarks;
    std::map<std::string, int64_t> dimensions;  ///< of an ONNX model: the values of its symbolic dimensions
    std::vector<InputFile> inputs;              ///< values for inputs of @main; the others are made
    std::vector<std::string> reports;           ///< absolute paths of what other programs said, which decides
    std::vector<RunRecordPtr> runs;             ///< the oldest first; at most kMostKeptRuns
    std::string module_digest;                  ///< of the module's file when the project was written; "" if unknown
    std::string recovers;  ///< for an autosaved project: the absolute path of its own file; "" if it has none
    std::string unknown;   ///< unknown members as a JSON object; "" if there are none
};

inline constexpr int kProjectVersion = 2;
inline constexpr size_t kMostKeptRuns = 20;
inline constexpr size_t kMostKeptTimes = 5000;  ///< regions and operators kept per run: projects are written often

/// Reads a project. `file` is where the text was read from: relative paths start there.
Result<Project> read_project(const std::string& text, const std::string& file);
/// Returns a hash of a file's content, to detect changes; empty if it cannot be read.
std::string digest_of_file(const std::string& path, const CancelToken& cancel = {});
/// Returns the text of a project to be stored in `file`.
std::string write_project(const Project& project, const std::string& file);

/// Makes a project of a choice. `names` belongs to the module of the choice's expressions.
Project project_of(const FlowChoice& choice, const std::string& module_path, const ExpressionNames& names);
/// Returns the bookmarks of a project that fit `module`; silently drops others.
std::vector<Bookmark> bookmarks_of(const Project& project, const Module& module, const ExpressionNames& names);
/// Makes a project that contains the module. Numbers its expressions as they will be when the text is read again.
Result<Project> project_with_module(const FlowChoice& choice, const std::string& module_path, const Module& module,
                                    const std::vector<Bookmark>& bookmarks);
/// Returns the choice of a project. Drops assignments that do not fit `module`, with a note; keeps backends that cannot
/// be loaded as missing, with a note.
FlowChoice choice_of(const Project& project, const Module& module, const ExpressionNames& names,
                     std::vector<Diagnostic>& notes);

/// A project applied to its module.
struct FittedProject {
    NamedModulePtr named;  ///< the module that the choice refers to: the opened one, or its simplified form if the
                           ///< project simplifies
    FlowChoice choice;
    std::vector<Bookmark> bookmarks;
    std::vector<InputFile> inputs;
};
/// Applies a project to its module. Adds a note to `opened` for each part that does not fit. `digest`: of the module's
/// file as it is now.
Result<FittedProject> fit_project(const Project& project, OpenedModule& opened, const std::string& digest,
                                  const CancelToken& cancel = {});

struct OpenedProject {
    OpenedModule opened;
    FittedProject fitted;
};
inline bool is_project(std::string_view path) { return path.ends_with(".partita"); }
/// Reads a project file and its module. Dimensions in the options override those of the project.
Result<OpenedProject> open_project(const std::string& file, OpenOptions options = {});

}  // namespace partita
