// What Python's classes hold: a module that was read, a backend, a module that was divided. All of them are values that
// do not change; any thread may use them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/flow/flow_choice.h"
#include "engine/session/export.h"
#include "engine/session/session.h"

namespace partita::python {

struct Opened {
    OpenedModule opened;
    std::optional<FlowChoice> choice;  ///< of a project
    ModulePtr base;                    ///< what the choice refers to: the opened module or its simplified form
    std::string title() const;
};

/// Reads a file: what open_module reads, or a project.
Result<Opened> open_file(const std::string& path, const OpenOptions& options);

struct DivideOptions {
    std::vector<BackendPtr> backends;  ///< in order of priority; none: those of the module or the project
    std::vector<std::pair<std::string, std::string>> overrides;  ///< selectors of calls and their backends
    bool simplify = false, composite = true, merge = true, non_call_ops = true;
    bool allow_commands = false;
    CancelToken cancel;
};

struct Division {
    std::shared_ptr<const Opened> opened;
    std::vector<BackendDescription> backends;
    FlowResult flow;
    bool allow_commands = false;

    ExportSubject subject() const;
};

/// Divides a module. Starts annotators that do not run yet; refuses them without allow_commands.
Result<Division> divide(std::shared_ptr<const Opened> opened, const DivideOptions& options);
/// Starts the annotator of a backend, if it names one and may.
Result<BackendPtr> start_backend(const BackendPtr& backend, bool allow_commands, const CancelToken& cancel);
/// Refuses to run code that descriptions bring along, unless that is allowed.
Status check_code(const Division& division);

}  // namespace partita::python
