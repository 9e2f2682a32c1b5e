// `bisect`: which operator of which region gives other values than default, or is refused by its compiler.
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/json.h"
#include "app/cli/output_options.h"
#include "app/cli/run_inputs.h"
#include "app/cli/terminal.h"
#include "app/cli/waiting.h"
#include "engine/flow/names.h"
#include "engine/session/bisect.h"
#include "engine/support/one_line.h"

namespace partita::cli {
namespace {

struct BisectArguments {
    FlowArguments flow;
    RunSettings run;
    std::vector<std::string> inputs;
    double tolerance = 1e-4;
    std::string output_folder;
    bool force = false, json = false;
};

std::vector<std::string> call_titles(const Culprit& culprit, const ExpressionNames& names) {
    std::vector<std::string> titles;
    for (ExprId call : culprit.calls) titles.push_back(names.name(call));
    return titles;
}

void print_text(const Culprit& culprit, const std::vector<std::string>& calls) {
    for (size_t i = 0; i < culprit.steps.size(); ++i)
        print("  " + std::to_string(i + 1) + ". " + on_one_line(culprit.steps[i].what.text()) + "\n");
    if (culprit.fault == Culprit::Fault::None) return print("no region differs from default\n");
    std::string list;
    for (const std::string& call : calls) list += (list.empty() ? "" : ", ") + on_one_line(call);
    print((culprit.fault == Culprit::Fault::Refused ? "refused in " : "wrong in ") + on_one_line(culprit.title) + ": " +
          list + " (" + std::to_string(culprit.runs) + (culprit.runs == 1 ? " run" : " runs") + ")\n");
    if (!culprit.notice.empty()) print("  " + on_one_line(culprit.notice) + "\n");
}

Json json_of(const Culprit& culprit, const std::vector<std::string>& calls) {
    const bool found = culprit.fault != Culprit::Fault::None;
    std::vector<std::string> steps;
    for (const Culprit::Step& step : culprit.steps) steps.push_back(step.what.text());
    Json json{{"culprit", calls},
              {"runs", culprit.runs},
              {"region", found ? Json(culprit.title) : Json()},
              {"function", found ? Json(culprit.region) : Json()},
              {"fault", !found                                     ? Json()
                        : culprit.fault == Culprit::Fault::Refused ? Json("refused")
                                                                   : Json("wrong values")},
              {"steps", steps}};
    if (!culprit.notice.empty()) json["notice"] = culprit.notice;
    return json;
}

int bisect(const BisectArguments& arguments) {
    const std::string& file = arguments.flow.file;
    Result<OpenedInput> opened = open_input(arguments.flow);
    if (!opened) return refuse(opened.error(), file);
    if (Status known = check_sizes_known(opened->dimensions, kDimOption); !known) return refuse(known.error(), file);
    Result<std::map<std::string, Tensor>> inputs = read_run_inputs(arguments.inputs, *opened);
    if (!inputs) return refuse(inputs.error(), file);
    Result<FlowOutcome> outcome = run_flow(arguments.flow, *opened, false);
    if (!outcome) return refuse(outcome.error(), file);
    if (!check_code(arguments.flow, *outcome)) return kRefused;
    RunOptions options = run_options(arguments.run, *outcome);
    const TimeLimit limit(arguments.run.time_limit, options.cancel);
    options.inputs = make_inputs(*opened->module, options.seed, *inputs);
    Result<Culprit> culprit = find_culprit(outcome->result, options, arguments.tolerance,
                                           [](const Culprit::Step& step) { Waiting::tell(step.what.text()); });
    if (!culprit) return refuse(limit.explain(culprit.error()), file);
    const ExpressionNames names(*outcome->result.input);
    const std::vector<std::string> calls = call_titles(*culprit, names);
    if (arguments.json) print(json_text(json_of(*culprit, calls)));
    else print_text(*culprit, calls);
    if (culprit->fault == Culprit::Fault::None) return kDone;
    if (arguments.output_folder.empty()) return kRefused;
    if (Status written = write_smallest(*culprit, arguments.output_folder, arguments.force); !written)
        return refuse(written.error(), file);
    return kRefused;
}

}  // namespace

void add_bisect_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand(
        "bisect",
        "find the operator that a backend computes wrong, or that its compiler refuses; ends with 1 if there is one");
    auto arguments = std::make_shared<BisectArguments>();
    add_file_options(*command, arguments->flow);
    add_backend_options(*command, arguments->flow);
    add_input_option(*command, arguments->inputs);
    add_run_settings(*command, arguments->run);
    add_tolerance_option(*command, arguments->tolerance);
    add_output_folder(*command, "--output-dir", arguments->output_folder,
                      "the folder for the smallest region that shows the fault, region.relay, with its inputs, and a "
                      "picture of each step",
                      kSmallestModuleFile)
        ->type_name("D");
    add_force_flag(*command, arguments->force);
    command->add_flag("--json", arguments->json, "print JSON");
    command->callback([arguments, &status] { status = bisect(*arguments); });
}

}  // namespace partita::cli
