// `coverage`: how much of a module goes to each backend, and what prevents the rest.
#include <algorithm>
#include <memory>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/gates.h"
#include "app/cli/json.h"
#include "app/cli/reports_text.h"
#include "app/cli/terminal.h"
#include "engine/explain/coverage.h"
#include "engine/explain/report_truth.h"
#include "engine/explain/what_if.h"

namespace partita::cli {
namespace {

struct CoverageArguments {
    FlowArguments flow;
    bool json = false, markdown = false, what_if = false;
    size_t best = 0;  ///< 0: not requested
    std::string by = "regions";
    GateArguments gates;

    WhatIfGoal goal() const {
        return WhatIfGoal(std::find(goal_names().begin(), goal_names().end(), by) - goal_names().begin());
    }
    bool advice() const { return what_if || best > 0; }
};

/// The effects of other rules, as far as they were requested.
struct Advice {
    std::vector<WhatIf> list, best;
};

Result<Advice> advise(const CoverageArguments& arguments, const FlowOutcome& outcome) {
    Advice advice;
    if (!arguments.advice()) return advice;
    if (outcome.result.annotated_before)
        return error(std::string(arguments.what_if ? "--what-if" : "--best") +
                     " evaluates other rules, but this file has annotations already, so no rule applies");
    if (arguments.what_if) {
        Result<std::vector<WhatIf>> found = what_if(outcome.result, outcome.options, arguments.goal());
        if (!found) return found.error();
        advice.list = std::move(*found);
    }
    if (arguments.best) {
        Result<std::vector<WhatIf>> found =
            best_changes(outcome.result, outcome.options, arguments.best, arguments.goal());
        if (!found) return found.error();
        advice.best = std::move(*found);
    }
    return advice;
}

std::string advice_text(const CoverageArguments& arguments, const FlowOutcome& outcome, const CoverageShare& whole,
                        const Advice& advice) {
    std::string text;
    const auto add = [&](const std::vector<WhatIf>& list, const char* title) {
        if (arguments.markdown)
            text += "\n## What " + std::string(title) + "\n\n" + what_if_markdown(list, outcome.backends, whole, title);
        else text += "\n" + what_if_text(list, outcome.backends, whole, title);
    };
    if (arguments.what_if) add(advice.list, "if");
    if (arguments.best) add(advice.best, "gains most, one after the other");
    return text;
}

int run(const CoverageArguments& arguments) {
    Result<OpenedInput> opened = open_input(arguments.flow);
    if (!opened) return refuse(opened.error());
    Result<FlowOutcome> outcome = run_flow(arguments.flow, *opened, true);
    if (!outcome) return refuse(outcome.error(), arguments.flow.file);
    CoverageReport coverage = report_coverage(outcome->result, outcome->backends);
    Result<Advice> advice = advise(arguments, *outcome);
    if (!advice) return refuse(advice.error(), arguments.flow.file);
    // Rules divided: what the program took stands beside them.
    std::optional<FlowExplainer> explainer;
    std::vector<RuleTruth> truth;
    if (outcome->reports && !outcome->result.reported)
        truth = compare_with_report(explainer.emplace(outcome->result, outcome->backends), outcome->result,
                                    outcome->backends, *outcome->reports->reported);
    if (arguments.json) {
        nlohmann::json json = coverage_json(coverage);
        if (arguments.what_if) json["what_if"] = what_if_json(advice->list, outcome->backends);
        if (arguments.best) json["best"] = what_if_json(advice->best, outcome->backends);
        if (outcome->reports) json["from"] = reports_json(*outcome->reports);
        if (!truth.empty()) json["truth"] = rule_truth_json(truth, *explainer);
        print(json_text(json));
    } else {
        print(arguments.markdown ? coverage_markdown(coverage) : coverage_text(coverage));
        print(advice_text(arguments, *outcome, coverage.total, *advice));
        if (outcome->reports) print(reports_text(*outcome->reports));
        if (!truth.empty()) print(rule_truth_text(truth, *explainer, outcome->reports->reported->program));
    }
    return hold_gates(arguments.gates, arguments.flow, *outcome, coverage) ? kDone : kRefused;
}

}  // namespace

void add_coverage_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand(
        "coverage", "show how many calls, operations and parameters go to each backend, and what prevents the rest");
    auto arguments = std::make_shared<CoverageArguments>();
    add_file_options(*command, arguments->flow);
    add_backend_options(*command, arguments->flow);
    command->add_flag("--what-if", arguments->what_if,
                      "also show, for each cause, limit and move between backends, what would change without it");
    command
        ->add_option("--best", arguments->best,
                     "also find K changes of the rules, each the most effective after the ones before it")
        ->type_name("K")
        ->check(CLI::Range(1, 50));
    take_one_of(command
                    ->add_option("--by", arguments->by,
                                 "the figure that --what-if sorts by and --best improves: regions, boundary, calls or "
                                 "work; default regions")
                    ->type_name("FIGURE"),
                {goal_names().begin(), goal_names().end()});
    add_gate_options(*command, arguments->gates);
    CLI::Option* json = command->add_flag("--json", arguments->json, "print JSON");
    command->add_flag("--markdown", arguments->markdown, "print Markdown")->excludes(json);
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
