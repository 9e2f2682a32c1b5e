// `.partita`: what a person chose for a module, as one JSON document. It names the module by its path (relative to the
// document where that is possible), the backends, the switches and the operators that were given by hand. An
// assignment carries the operator's name, so that one that no longer fits the module is noticed and left out. The times
// of the last runs stand there, too (run_record.h).
//
// The format has a version: older ones are brought up to date when they are read, newer ones are refused with a
// message. Members that this version does not know are kept and written back, also those of single assignments,
// bookmarks and backends with a text, told by their names, and those of runs. A project and its module can move
// together to another place: the module is looked for at the path that is given, then beside the project.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/flow/flow_choice.h"
#include "engine/runtime/run_record.h"
#include "engine/session/named_module.h"
#include "engine/support/cancel.h"

namespace partita {

struct ProjectAssignment {
    uint32_t expression = 0;  ///< ExprId in the opened (or simplified) module
    std::string name;         ///< expression_name of it
    std::string backend;      ///< "" where only the group was chosen
    int group = 0;            ///< regions that are kept apart; 0: none
};

struct Project {
    std::string module_path;  ///< absolute
    std::string module_text;  ///< the module itself in Relay text, where it was changed by hand; else empty
    /// A backend of the project. Where the rules were edited and not saved, the project holds their text.
    struct Backend {
        std::string name;  ///< of a built-in one, or a file's absolute path
        std::string text;  ///< "" where what ships, or the file, says it all
    };
    std::vector<Backend> backends;
    FlowChoice choice;  ///< without backends and overrides
    std::vector<ProjectAssignment> assignments;
    std::vector<Bookmark> bookmarks;
    std::map<std::string, int64_t> dimensions;  ///< of an ONNX model: what its symbolic dimensions were bound to
    std::vector<RunRecordPtr> runs;             ///< the oldest first; at most kMostKeptRuns
    std::string module_digest;  ///< of the module's file when the project was written; "" where it is not known
    std::string recovers;       ///< of an autosaved project: the project's own file, absolute; "" if it had none
    std::string unknown;        ///< members that this version does not know, as a JSON object; "" if there are none
};

inline constexpr int kProjectVersion = 2;
inline constexpr size_t kMostKeptRuns = 20;
inline constexpr size_t kMostKeptTimes = 5000;  ///< of regions and operators in one run: a project is written often

/// `file` is where the text was read from: relative paths start there.
Result<Project> read_project(const std::string& text, const std::string& file);
/// Version 1 had no digest. A hash of a file's content, to notice that it changed; empty where it can't be read.
std::string digest_of_file(const std::string& path, const CancelToken& cancel = {});
/// The text of a project that will stand in `file`.
std::string write_project(const Project& project, const std::string& file);

/// `names` are of the module that the choice's expressions are of.
Project project_of(const FlowChoice& choice, const std::string& module_path, const ExpressionNames& names);
/// The bookmarks of a project that fit `module`; others are left out without a word.
std::vector<Bookmark> bookmarks_of(const Project& project, const Module& module, const ExpressionNames& names);
/// With the module in it. Its expressions are numbered as they will be when the text is read again.
Result<Project> project_with_module(const FlowChoice& choice, const std::string& module_path, const Module& module,
                                    const std::vector<Bookmark>& bookmarks);
/// The choice of a project. Assignments that don't fit `module` are left out and noted; backends that can't be loaded
/// are noted, and kept as missing.
FlowChoice choice_of(const Project& project, const Module& module, const ExpressionNames& names,
                     std::vector<Diagnostic>& notes);

/// What a project says of the module that was read for it.
struct FittedProject {
    NamedModulePtr named;  ///< what the choice is of: the module or, where the project simplifies, its simplified form
    FlowChoice choice;
    std::vector<Bookmark> bookmarks;
};
/// Tells in the notes of `opened` what does not fit. `digest` is of the module's file as it is now.
Result<FittedProject> fit_project(const Project& project, OpenedModule& opened, const std::string& digest,
                                  const CancelToken& cancel = {});

struct OpenedProject {
    OpenedModule opened;
    FittedProject fitted;
};
inline bool is_project(std::string_view path) { return path.ends_with(".partita"); }
/// Reads the project in a file, and its module. Dimensions of the options come before those of the project.
Result<OpenedProject> open_project(const std::string& file, OpenOptions options = {});

}  // namespace partita
