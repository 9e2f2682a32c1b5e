// `info`: operators, types, parameters, sizes.
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "engine/session/json.h"
#include "engine/support/amount.h"

namespace partita::cli {
namespace {

struct InfoArguments {
    FlowArguments flow;
    bool json = false;
};

std::string to_text(const ModuleSummary& summary, const std::string& file) {
    std::string text = file + "\n";
    text += "  calls       " + std::to_string(summary.calls) + " in " + std::to_string(summary.functions) +
            (summary.functions == 1 ? " function\n" : " functions\n");
    text +=
        "  parameters  " + std::to_string(summary.parameters) + ", " + amount_text(summary.parameter_bytes, "B") + "\n";
    text +=
        "  constants   " + std::to_string(summary.constants) + ", " + amount_text(summary.constant_bytes, "B") + "\n";
    text += "  operations  " + amount_text(summary.flops, "FLOP") + "\n";
    text += "  result      " + summary.output_type + "\n\n";
    Table operators({"operator", "calls", "FLOP"});
    for (const OpCount& op : summary.ops)
        operators.add({op.op.empty() ? "(function call)" : op.op, std::to_string(op.calls), amount_text(op.flops)});
    if (!operators.empty()) text += operators.text() + "\n";
    Table inputs({"parameter", "type"});
    for (const auto& [name, type] : summary.inputs) inputs.add({"%" + name, type});
    return text + (inputs.empty() ? "" : inputs.text());
}

Json info_json(const ModuleSummary& summary, const std::string& file) {
    Json json{{"file", file}};
    json.update(summary_json(summary));
    return json;
}

int run(const InfoArguments& arguments) {
    Result<OpenedInput> opened = open_input(arguments.flow);
    if (!opened) return refuse(opened.error());
    ModuleSummary summary = summarize(*opened->module);
    print(arguments.json ? json_text(info_json(summary, arguments.flow.file)) : to_text(summary, arguments.flow.file));
    return kDone;
}

}  // namespace

void add_info_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("info", "show a module's operators, types, parameters and sizes");
    auto arguments = std::make_shared<InfoArguments>();
    add_file_options(*command, arguments->flow);
    command->add_flag("--json", arguments->json, "print JSON");
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
