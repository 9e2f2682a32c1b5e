// `partition`: runs composite, annotate, merge and partition, or a part of them.
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/output_options.h"
#include "app/cli/terminal.h"
#include "engine/session/export.h"

namespace partita::cli {
namespace {

struct PartitionArguments {
    FlowArguments flow;
    std::string output = "-";
    bool quiet = false, force = false;
};

int run(const PartitionArguments& arguments) {
    const ExportForm* form =
        arguments.output == "-" ? find_export_form("relay") : export_form_of_file(arguments.output);
    if (!form) {
        report_error("can't tell the form from the name " + arguments.output + "; expected one of " + export_endings());
        return kWrongUsage;
    }
    std::optional<FlowOutcome> outcome = open_and_run_flow(arguments.flow, asks_rules(arguments.flow));
    if (!outcome) return kRefused;
    ExportSubject subject = export_subject(outcome->result, outcome->backends, outcome->title);
    subject.force = arguments.force;
    if (!check_required(arguments.flow, *outcome)) return kRefused;
    if (Status written = export_to_file(subject, arguments.output, form); !written) return refuse(written.error());
    if (!arguments.quiet && (arguments.flow.until.empty() || arguments.flow.until == "partition")) {
        report({Severity::Note, arguments.flow.file, {}, placement_summary(*outcome)});
        report_fallbacks(arguments.flow, *outcome);
    }
    return kDone;
}

}  // namespace

void add_partition_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand(
        "partition",
        "annotate, merge and partition a module, or run some of the passes (composite, annotate, merge, partition)");
    auto arguments = std::make_shared<PartitionArguments>();
    add_file_options(*command, arguments->flow);
    add_backend_options(*command, arguments->flow);
    add_partition_options(*command, arguments->flow);
    add_output_file(
        *command, "-o,--output", arguments->output,
        "the output file; its ending determines the form: " + export_endings() + ". By default, prints Relay text")
        ->type_name("OUT");
    add_force_flag(*command, arguments->force);
    command->add_flag("-q,--quiet", arguments->quiet, "don't print how many calls went where");
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
