// `info`: operators, types, parameters, sizes.
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/json.h"
#include "app/cli/numbers_output.h"
#include "app/cli/reports_text.h"
#include "app/cli/terminal.h"
#include "engine/session/graph_division.h"
#include "engine/session/json.h"
#include "engine/support/amount.h"
#include "engine/support/one_line.h"

namespace partita::cli {
namespace {

struct InfoArguments {
    FlowArguments flow;
    std::vector<std::string> from, numbers;
    bool json = false;
};

/// Returns "input_ids[0], attention_mask[0]": where a dimension stands.
std::string places_text(const NamedDimension& dimension) {
    constexpr size_t kMost = 3;
    std::string text;
    for (size_t i = 0; i < dimension.inputs.size() && i < kMost; ++i)
        text += (i ? ", " : "") + on_one_line(dimension.inputs[i].first) + "[" +
                std::to_string(dimension.inputs[i].second) + "]";
    if (dimension.inputs.size() > kMost) text += " and " + std::to_string(dimension.inputs.size() - kMost) + " more";
    return text;
}

std::string source_text(const NamedDimension& dimension) {
    if (dimension.source == NamedDimension::Source::Given) return "given";
    if (dimension.source == NamedDimension::Source::Assumed) return "assumed";
    return dimension.relation.empty() ? dimension.found_at : on_one_line(dimension.relation);
}

std::string dimensions_text(const std::vector<NamedDimension>& dimensions) {
    Table table({"dimension", "size", "source", "inputs"});
    for (const NamedDimension& each : dimensions)
        table.add({on_one_line(each.name), std::to_string(each.value), source_text(each), places_text(each)});
    return table.empty() ? "" : "\n" + table.text();
}

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

Json info_json(const ModuleSummary& summary, const OpenedInput& opened, const std::string& file,
               const Reports* reports) {
    Json json{{"file", file}};
    json.update(summary_json(summary));
    if (!opened.dimensions.empty()) json["dimensions"] = dimensions_json(opened.dimensions);
    if (reports) json["from"] = reports_json(*reports);
    return json;
}

int run(const InfoArguments& arguments) {
    Result<OpenedInput> opened = open_input(arguments.flow);
    if (!opened) return refuse(opened.error());
    const std::string& file = arguments.flow.file;
    std::shared_ptr<const Reports> reports;
    if (!arguments.from.empty()) {
        Result<std::shared_ptr<const Reports>> read = read_reports(*opened, arguments.from);
        if (!read) return refuse(read.error(), file);
        reports = std::move(*read);
    }
    ModuleSummary summary = summarize(*opened->module);
    const std::shared_ptr<const Graph> graph = arguments.numbers.empty() ? nullptr : graph_of(*opened);
    Result<std::vector<NumberColumn>> numbers = std::vector<NumberColumn>();
    if (graph) numbers = read_number_files(*graph, arguments.numbers);
    if (!numbers) return refuse(numbers.error(), file);
    if (arguments.json) {
        Json json = info_json(summary, *opened, file, reports.get());
        if (graph) json["numbers"] = numbers_json(*graph, *numbers);
        print(json_text(json));
        return kDone;
    }
    print(wrapped(to_text(summary, file)) + dimensions_text(opened->dimensions) +
          (reports ? reports_text(*reports) : ""));
    if (graph) print(numbers_text(*graph, std::move(*numbers)));
    return kDone;
}

}  // namespace

void add_info_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("info", "show a module's operators, types, parameters and sizes");
    auto arguments = std::make_shared<InfoArguments>();
    add_file_options(*command, arguments->flow);
    add_from_option(*command, "--from", arguments->from);
    add_numbers_option(*command, arguments->numbers);
    command->add_flag("--json", arguments->json, "print JSON");
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
