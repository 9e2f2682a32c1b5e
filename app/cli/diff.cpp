// `diff`: the differences between two modules, or between two divisions of one.
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "engine/flow/region_names.h"
#include "engine/session/diff.h"
#include "engine/session/json.h"
#include "engine/session/project.h"

namespace partita::cli {
namespace {

struct DiffArguments {
    FlowArguments before, after;
    FlowArguments both;  ///< what applies to either side
    bool json = false, affected = false, quiet = false;
};

struct Side {
    ModulePtr module;        ///< divided if backends are given; null if an error was reported
    ModulePtr started_from;  ///< of a divided one
    Json regions = Json::array();
};

/// The names that regions have, as other commands tell them.
Json regions_json(const FlowResult& flow) {
    const ExpressionNames names(*flow.input);
    Json list = Json::array();
    for (const RegionInfo& region : flow.regions)
        list.push_back({{"function", region.function},
                        {"short_name", region_name(region, names)},
                        {"backend", region.backend_name}});
    return list;
}

Side module_of(const FlowArguments& arguments) {
    const DivideRequest& divide = arguments.divide;
    const bool rewrites = divide.simplify || divide.lower || divide.fold;
    const bool is_divided =
        !arguments.backends.empty() || !divide.placement.empty() || !divide.from.empty() || is_project(arguments.file);
    if (!is_divided && !rewrites) {
        Result<OpenedInput> opened = open_input(arguments);
        if (!opened) {
            refuse(opened.error(), arguments.file);
            return {};
        }
        return {opened->module, nullptr, Json::array()};
    }
    FlowArguments asked = arguments;
    if (!is_divided) asked.until = "simplify";
    std::optional<FlowOutcome> outcome = open_and_run_flow(asked, false);
    return outcome ? Side{outcome->result.last(), outcome->result.input, regions_json(outcome->result)} : Side();
}

/// A side, with the options that apply to both.
FlowArguments side(const FlowArguments& own, const FlowArguments& both) {
    FlowArguments all = own;
    const std::string placement = own.divide.placement.empty() ? both.divide.placement : own.divide.placement;
    all.divide = both.divide;
    all.divide.placement = placement;
    all.divide.from.insert(all.divide.from.end(), own.divide.from.begin(), own.divide.from.end());
    all.divide.partitioner = own.divide.partitioner;
    all.dimensions = both.dimensions;
    return all;
}

int run(const DiffArguments& arguments) {
    const Side a = module_of(side(arguments.before, arguments.both));
    const Side b = a.module ? module_of(side(arguments.after, arguments.both)) : Side();
    if (!a.module || !b.module) return kWrongUsage;  // 1 means that they differ
    const ModuleDiff diff = diff_modules(*a.module, *b.module);
    const DiffedModule before(*a.module, a.started_from.get()), after(*b.module, b.started_from.get());
    if (arguments.json) {
        Json json = diff_json(diff, before, after);
        json["regions"] = {{"before", a.regions}, {"after", b.regions}};
        print(json_text(json));
    } else if (!arguments.quiet) print(diff_text(diff, before, after, arguments.affected));
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
    add_partitioner_option(*command, "--partitioner-a", arguments->before.divide, "divide A by this algorithm");
    add_partitioner_option(*command, "--partitioner-b", arguments->after.divide, "divide B by this one");
    command
        ->add_option("--placement-a", arguments->before.divide.placement,
                     "divide A as a placement says that `place` wrote")
        ->type_name("F");
    command->add_option("--placement-b", arguments->after.divide.placement, "divide B so")->type_name("F");
    DivideRequest& divide = arguments->both.divide;
    command->add_option("--placement", divide.placement, "divide both so")->type_name("F");
    add_from_option(*command, "--from-a", arguments->before.divide.from);
    add_from_option(*command, "--from-b", arguments->after.divide.from);
    add_from_option(*command, "--from", divide.from);
    add_dimension_option(*command, arguments->both);
    add_allow_option(*command, arguments->both);
    command->add_flag("--lower", divide.lower,
                      "first write operators that Relay does not have as Relay's own, in both");
    command->add_flag("--simplify", divide.simplify,
                      "first decompose batch_norm, remove dropout and fold constants, in both");
    command->add_flag("--affected", arguments->affected, "also list operators that differ only in their type");
    CLI::Option* json = command->add_flag("--json", arguments->json, "print JSON");
    command->add_flag("--quiet", arguments->quiet, "print nothing; the exit status is the answer")->excludes(json);
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
