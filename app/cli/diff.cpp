// `diff`: the differences between two modules, or between two divisions of one.
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "engine/session/diff.h"
#include "engine/session/json.h"
#include "engine/session/project.h"

namespace partita::cli {
namespace {

struct DiffArguments {
    FlowArguments before, after;
    bool json = false, affected = false, quiet = false;
};

/// Returns the module of one side, divided if backends are given. Null if an error was reported.
ModulePtr module_of(const FlowArguments& arguments) {
    if (arguments.backends.empty() && !is_project(arguments.file)) {
        Result<OpenedInput> opened = open_input(arguments);
        if (!opened) {
            refuse(opened.error(), arguments.file);
            return nullptr;
        }
        return opened->module;
    }
    std::optional<FlowOutcome> outcome = open_and_run_flow(arguments, false);
    return outcome ? outcome->result.last() : nullptr;
}

int run(const DiffArguments& arguments) {
    const ModulePtr before = module_of(arguments.before);
    const ModulePtr after = before ? module_of(arguments.after) : nullptr;
    if (!before || !after) return kWrongUsage;  // 1 means that they differ
    const ModuleDiff diff = diff_modules(*before, *after);
    if (arguments.json) print(json_text(diff_json(diff, *before, *after)));
    else if (!arguments.quiet) print(diff_text(diff, *before, *after, arguments.affected));
    return diff.identical() ? kDone : kRefused;
}

}  // namespace

void add_diff_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("diff",
                                           "show which operators were added, removed and changed from A to B; exit "
                                           "status 1 if they differ, 2 if one can't be read or divided");
    auto arguments = std::make_shared<DiffArguments>();
    command->add_option("A", arguments->before.file, "the module before: a file, or random:N and so on")->required();
    command->add_option("B", arguments->after.file, "the module after")->required();
    add_backend_list(*command, "--backends-a", arguments->before.backends, "divide A among these backends first");
    add_backend_list(*command, "--backends-b", arguments->after.backends, "divide B among these backends first");
    command->add_flag("--affected", arguments->affected, "also list operators that differ only in their type");
    CLI::Option* json = command->add_flag("--json", arguments->json, "print JSON");
    command->add_flag("--quiet", arguments->quiet, "print nothing; the exit status is the answer")->excludes(json);
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
