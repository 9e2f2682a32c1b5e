// `partition`: the flow composite, annotate, merge, partition, or a part of it.
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/terminal.h"
#include "engine/session/export.h"

namespace partita::cli {
namespace {

struct PartitionArguments {
    FlowArguments flow;
    std::string output = "-";
    bool quiet = false;
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
        "annotate, merge and partition a module, or a part of that (composite, annotate, merge, partition)");
    auto arguments = std::make_shared<PartitionArguments>();
    add_file_options(*command, arguments->flow);
    add_backend_options(*command, arguments->flow);
    add_partition_options(*command, arguments->flow);
    command
        ->add_option("-o,--output", arguments->output,
                     "where the result goes; the ending chooses the form: " + export_endings() +
                         ". Without it Relay text is printed")
        ->type_name("OUT");
    command->add_flag("-q,--quiet", arguments->quiet, "don't say how many calls went where");
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
