// `render`: draws a module, or a result of the flow.
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/output_options.h"
#include "app/cli/picture_options.h"
#include "app/cli/terminal.h"
#include "engine/session/export.h"

namespace partita::cli {
namespace {

struct RenderArguments {
    FlowArguments flow;
    std::string output;
    bool partitioned = false;
    PaperSize paper = PaperSize::A4;
    PictureGrouping grouping = PictureGrouping::Automatic;
};

int run(const RenderArguments& arguments) {
    const ExportForm* form = export_form_of_file(arguments.output);
    if (!form || !is_picture(*form)) {
        report_error("can't tell a picture's form from the name " + arguments.output +
                     "; expected an ending of .svg, .png, .pdf, .dot");
        return kWrongUsage;
    }
    std::optional<FlowOutcome> outcome = open_and_run_flow(arguments.flow, true);
    if (!outcome) return kRefused;
    ExportSubject subject = export_subject(outcome->result, outcome->backends, outcome->title);
    if (arguments.partitioned) subject = export_subject(outcome->result.last(), outcome->title);
    subject.paper = arguments.paper;
    subject.grouping = arguments.grouping;
    Status written = export_to_file(subject, arguments.output, form);
    return written ? kDone : refuse(written.error());
}

}  // namespace

void add_render_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("render", "draw a module: backends as colours, regions as outlines");
    auto arguments = std::make_shared<RenderArguments>();
    add_file_options(*command, arguments->flow);
    add_backend_options(*command, arguments->flow);
    add_output_file(*command, "-o,--output", arguments->output,
                    "the output file; its ending determines the form: .svg, .png, .pdf, .dot")
        ->required()
        ->type_name("OUT");
    command->add_flag("--partitioned", arguments->partitioned, "draw @main and each sub-function separately");
    add_paper_option(*command, arguments->paper);
    add_group_option(*command, arguments->grouping);
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
