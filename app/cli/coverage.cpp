// `coverage`: what part of a module goes where, and what keeps the rest away.
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "engine/session/explanation.h"

namespace partita::cli {
namespace {

struct CoverageArguments {
    FlowArguments flow;
    bool json = false, markdown = false, what_if = false;
};

int run(const CoverageArguments& arguments) {
    Result<OpenedInput> opened = open_input(arguments.flow);
    if (!opened) return refuse(opened.error());
    Result<FlowOutcome> outcome = run_flow(arguments.flow, *opened, true);
    if (!outcome) return refuse(outcome.error(), arguments.flow.file);
    CoverageReport coverage = report_coverage(outcome->result, outcome->backends);
    std::vector<WhatIf> list;
    if (arguments.what_if) {
        if (outcome->result.annotated_before)
            return refuse(error("--what-if asks what other rules would change, but this file carries its annotations, and no rule is asked"), arguments.flow.file);
        Result<std::vector<WhatIf>> found = what_if(outcome->result, outcome->options);
        if (!found) return refuse(found.error(), arguments.flow.file);
        list = std::move(*found);
    }
    if (arguments.json) {
        nlohmann::json json = coverage_json(coverage);
        if (arguments.what_if) json["what_if"] = what_if_json(list, outcome->backends);
        print(json_text(json));
    } else {
        print(arguments.markdown ? coverage_markdown(coverage) : coverage_text(coverage));
        auto what_if_form = arguments.markdown ? what_if_markdown : what_if_text;
        if (arguments.what_if) print("\n" + what_if_form(list, outcome->backends));
    }
    return check_required(arguments.flow, *outcome) ? kDone : kRefused;
}

}  // namespace

void add_coverage_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand(
        "coverage", "show what share of calls, operations and parameters goes where, and what keeps the rest away");
    auto arguments = std::make_shared<CoverageArguments>();
    add_file_options(*command, arguments->flow);
    add_backend_options(*command, arguments->flow);
    command->add_flag("--what-if", arguments->what_if,
                      "also, for each cause, how many regions and boundary bytes would vanish if it were gone");
    CLI::Option* json = command->add_flag("--json", arguments->json, "print JSON");
    command->add_flag("--markdown", arguments->markdown, "print Markdown")->excludes(json);
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
