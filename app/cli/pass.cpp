// `pass`: runs one pass on a module.
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/output_options.h"
#include "app/cli/terminal.h"
#include "engine/frontends/relay/printer.h"
#include "engine/session/passes.h"
#include "engine/support/file.h"

namespace partita::cli {
namespace {

struct PassArguments {
    std::string pass, output = "-";
    FlowArguments flow;
};

int run(const PassArguments& arguments) {
    const NamedPass& pass = *find_pass(arguments.pass);
    Result<DivideRequest> request = divide_request(arguments.flow);
    if (!request) return refuse(request.error());
    if (pass.asks_backends && request->backends.empty()) {
        report_error("the pass " + arguments.pass + " needs --backends");
        return kWrongUsage;
    }
    Result<OpenedInput> input = open_input(arguments.flow);
    if (!input) return refuse(input.error(), arguments.flow.file);
    std::vector<BackendDescription> backends;
    std::vector<Diagnostic> notes;
    for (const BackendPtr& backend : request->backends) {
        Result<BackendPtr> started =
            start_backend(backend, request->allow_commands, request->words, notes, request->cancel);
        if (!started) return refuse(started.error());
        backends.push_back(**started);
    }
    for (const Diagnostic& note : notes) report(note);
    const Result<Module> made = pass.run(*input->base, backends);
    if (!made) return refuse(made.error(), arguments.flow.file);
    const std::string text = print_relay(*made);
    if (arguments.output == "-") print(text);
    else if (Status written = write_file(arguments.output, text); !written)
        return refuse(written.error(), arguments.output);
    return kDone;
}

}  // namespace

void add_pass_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("pass", "run one pass on a module and print what it makes of it");
    auto arguments = std::make_shared<PassArguments>();
    std::vector<std::string> names;
    std::string meanings;
    for (const NamedPass& pass : named_passes()) {
        names.emplace_back(pass.name);
        meanings += (meanings.empty() ? "" : "; ") + std::string(pass.name) + " " + std::string(pass.title);
    }
    take_one_of(command->add_option("pass", arguments->pass, meanings)->required()->type_name("PASS"), names);
    add_file_options(*command, arguments->flow);
    add_backend_list(*command, "--backends", arguments->flow.backends,
                     "description files, or names of built-in backends, in order of priority");
    add_allow_option(*command, arguments->flow);
    add_output_file(*command, "-o,--output", arguments->output, "write the Relay text into a file")->type_name("OUT");
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
