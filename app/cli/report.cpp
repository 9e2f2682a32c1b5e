// `report`: one page with the graph's picture, the placement and its causes, and the times.
#include <algorithm>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/output_options.h"
#include "app/cli/picture_options.h"
#include "app/cli/terminal.h"
#include "engine/flow/reported_division.h"
#include "engine/runtime/machine.h"
#include "engine/session/export.h"
#include "engine/session/reported_run.h"

namespace partita::cli {
namespace {

struct ReportArguments {
    FlowArguments flow;
    RunSettings run;
    std::string output;
    bool no_run = false, force = false;
    PictureGrouping grouping = PictureGrouping::Automatic;
};

/// Runs the module and compares it with the unpartitioned one.
Result<RunReport> measure(const ReportArguments& arguments, const OpenedModule& opened, const FlowOutcome& outcome) {
    const RunOptions options = run_options(arguments.run, outcome);
    const TimeLimit limit(arguments.run.time_limit, options.cancel);
    Result<RunComparison> comparison = run_and_compare(outcome.result.last(), opened.module, options);
    if (!comparison) return limit.explain(comparison.error());
    number_operators(comparison->report, *outcome.result.input, &outcome.result);
    return std::move(comparison->report);
}

int run(const ReportArguments& arguments) {
    const ExportForm* form = export_form_of_file(arguments.output);
    if (arguments.output == "-") form = find_export_form("report");
    if (!form || (form->name != "report" && form->name != "markdown")) {
        report_error("a report is a file whose name ends in .html or .md, not " + arguments.output);
        return kWrongUsage;
    }
    Result<OpenedInput> opened = open_input(arguments.flow);
    if (!opened) return refuse(opened.error());
    Result<FlowOutcome> outcome = run_flow(arguments.flow, *opened, true);
    if (!outcome) return refuse(outcome.error(), arguments.flow.file);
    if (!check_required(arguments.flow, *outcome)) return kRefused;
    const ReportedPtr& reported = outcome->result.reported;  // what another program did isn't run here
    const bool runs = !arguments.no_run && !reported;
    if (runs && !check_code(arguments.flow, *outcome)) return kRefused;
    std::optional<RunReport> measured;
    std::optional<MachineLimits> machine;
    if (reported && reported->has_times) measured = reported_run(outcome->result);
    if (runs) {
        Result<RunReport> done = measure(arguments, *opened, *outcome);
        if (!done) return refuse(done.error(), arguments.flow.file);
        measured = std::move(*done);
        machine = measure_machine(arguments.run.threads);
    }
    ExportSubject subject = export_subject(outcome->result, outcome->backends, outcome->title,
                                           measured ? &*measured : nullptr, machine ? &*machine : nullptr);
    subject.grouping = arguments.grouping;
    subject.force = arguments.force;
    add_notes(subject, opened->bookmarks);
    Status written = export_to_file(subject, arguments.output, form);
    if (!written) return refuse(written.error());
    bool equal = !measured || std::all_of(measured->differences.begin(), measured->differences.end(),
                                          [](const OutputDifference& each) { return each.within_tolerance; });
    if (!equal) report({Severity::Error, arguments.flow.file, {}, "the partitioned module computes different values"});
    return equal ? kDone : kRefused;
}

}  // namespace

void add_report_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand(
        "report", "write one page with the picture, what goes where and why, and where the time goes");
    auto arguments = std::make_shared<ReportArguments>();
    add_file_options(*command, arguments->flow);
    add_backend_options(*command, arguments->flow);
    add_output_file(*command, "-o,--output", arguments->output,
                    "the output file: .html, or .md with its pictures in files beside it; - is HTML on standard output")
        ->required()
        ->type_name("OUT");
    add_force_flag(*command, arguments->force);
    command->add_flag("--no-run", arguments->no_run, "do not run the module; omit the times");
    add_group_option(*command, arguments->grouping);
    add_run_settings(*command, arguments->run);
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
