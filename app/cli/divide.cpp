// `divide`, `check-division`: a file's plain graph, divided by an algorithm of the table or by a file.
#include <algorithm>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/json.h"
#include "app/cli/numbers_output.h"
#include "app/cli/output_options.h"
#include "app/cli/terminal.h"
#include "engine/flow/partitioning.h"
#include "engine/partitioners/given.h"
#include "engine/session/graph_division.h"
#include "engine/session/reports.h"
#include "engine/session/steer_onnx.h"
#include "engine/support/file.h"
#include "engine/support/spelling.h"

namespace partita::cli {
namespace {

struct DivideArguments {
    FlowArguments flow;
    std::string verdicts, placement, tags, output, steer;
    std::vector<std::string> numbers;
    bool all = false, json = false;
};

/// A file, opened and rewritten as requested, and its graph.
struct Opened {
    OpenedInput input;
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const FileGraph> file = nullptr;
    std::shared_ptr<const Reports> reports = nullptr;
};
Result<Opened> open_graph(const FlowArguments& arguments, DivideRequest& request, bool of_file = false) {
    Result<OpenedInput> input = open_input(arguments);
    if (!input) return input.error();
    if (Status rewritten = rewrite_first(*input, request); !rewritten) return rewritten.error();
    Opened opened{std::move(*input), nullptr};
    const Partitioner* partitioner = request.partitioner ? find_partitioner(request.partitioner->name) : nullptr;
    if (of_file || (partitioner && partitioner->divides_file)) {
        Result<FileGraph> own = file_graph(opened.input);
        if (!own) return own.error();
        opened.graph = own->graph;
        opened.file = std::make_shared<const FileGraph>(std::move(*own));
    } else {
        opened.graph = graph_of(opened.input);
    }
    if (request.from.empty()) return opened;
    Result<std::shared_ptr<const Reports>> reports = read_reports(opened.input, request.from);
    if (!reports) return reports.error();
    opened.reports = std::move(*reports);
    opened.graph = opened.reports->file->graph;
    opened.file = opened.reports->file;
    return opened;
}

Json outcome_json(const std::string& partitioner, const Opened& opened, const Division& division,
                  const std::vector<Unsound>& unsound) {
    const Graph& graph = *opened.graph;
    return Json{{"partitioner", partitioner},
                {"error", division.error.empty() ? Json() : Json(division.error)},
                {"regions", division_json(graph, division, *opened.input.base)},
                {"unsound", unsound_json(graph, unsound)}};
}

std::string counted(size_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

void print_division(const Graph& graph, const Division& division, bool all) {
    Table table({"region", "backend", "nodes", "inputs", "outputs", "first node", "last node"});
    size_t taken = 0;
    for (size_t i = 0; i < division.regions.size(); ++i) {
        const DividedRegion& region = division.regions[i];
        taken += region.nodes.size();
        table.add({std::to_string(i), region.backend, std::to_string(region.nodes.size()),
                   std::to_string(region.inputs.size()), std::to_string(region.outputs.size()),
                   region.nodes.empty() ? "" : node_title(graph, region.nodes.front()),
                   region.nodes.empty() ? "" : node_title(graph, region.nodes.back())});
    }
    if (!table.empty()) print(folded(table.text(), all));
    print(counted(division.regions.size(), "region") + ", " + std::to_string(taken) + " of " +
          counted(graph.nodes.size(), "node") + "\n");
    if (!division.error.empty()) print("the original ends with: " + division.error + "\n");
}

int tell(const Opened& opened, const std::string& partitioner, Division division, const DivideArguments& arguments,
         const std::vector<NumberColumn>& numbers = {}) {
    complete_boundaries(*opened.graph, division);
    const std::vector<Unsound> unsound = check_division(*opened.graph, NodeLinks(*opened.graph), division);
    if (arguments.json) {
        Json outcome = outcome_json(partitioner, opened, division, unsound);
        if (!numbers.empty()) outcome["numbers"] = numbers_json(*opened.graph, numbers, &division);
        print(json_text(outcome));
    } else {
        print_division(*opened.graph, division, arguments.all);
        print(numbers_text(*opened.graph, numbers, &division));
    }
    constexpr size_t kMostTold = 10;
    for (size_t i = 0; i < std::min(unsound.size(), kMostTold); ++i)
        report({Severity::Warning,
                opened.input.path,
                {},
                "not sound: " + unsound_text(*opened.graph, division, unsound[i])});
    if (unsound.size() > kMostTold)
        report(
            {Severity::Warning, opened.input.path, {}, "and " + std::to_string(unsound.size() - kMostTold) + " more"});
    return unsound.empty() ? kDone : kRefused;
}

/// Writes what the runtime is told; the settings, which go with it, are printed.
int steer(const DivideArguments& arguments, const Opened& opened, const Division& division) {
    const Result<Steering> steering = steer_onnx(opened.input.path, *opened.file, division, arguments.steer);
    if (!steering) return refuse(steering.error(), arguments.flow.file);
    for (const std::string& warning : steering->warnings) report({Severity::Warning, opened.input.path, {}, warning});
    if (!steering->model.empty() && (arguments.output.empty() || arguments.output == "-")) {
        report_error("--steer " + arguments.steer + " writes a model: give its file with -o");
        return kWrongUsage;
    }
    const bool has_file = !arguments.output.empty() && arguments.output != "-";
    const bool writes_settings = steering->model.empty() && has_file;
    if (!steering->settings.empty() && !writes_settings) print(steering->settings + "\n");
    if (!has_file) return kDone;
    Status written = write_file(arguments.output, writes_settings ? steering->settings + "\n" : steering->model);
    return written ? kDone : refuse(written.error(), arguments.output);
}

int divide_file(const DivideArguments& arguments) {
    Result<DivideRequest> request = divide_request(arguments.flow);
    if (!request) return refuse(request.error());
    PartitionerChoice chosen = request->partitioner.value_or(PartitionerChoice{"", {}});
    const Partitioner* partitioner = find_partitioner(chosen.name);
    const bool asks = (!partitioner || partitioner->asks_backends) && request->from.empty();
    if (asks && request->backends.empty() && arguments.verdicts.empty()) {
        report_error((chosen.name.empty() ? "dividing" : "the partitioner " + chosen.name) +
                     " needs --backends, --verdicts or --from: who takes which node");
        return kWrongUsage;
    }
    Result<Opened> opened = open_graph(arguments.flow, *request, !arguments.steer.empty());
    if (!opened) return refuse(opened.error(), arguments.flow.file);
    if (opened->reports && (chosen.name.empty() || chosen.is_own())) {
        if (!arguments.steer.empty()) return steer(arguments, *opened, opened->reports->division);
        tell(*opened, "report", opened->reports->division, arguments);
        return kDone;
    }
    if (chosen.name.empty()) chosen.name = PartitionerChoice::usual(*opened->input.module, opened->graph.get()).name;
    const bool of_calls = std::any_of(request->backends.begin(), request->backends.end(),
                                      [](const BackendPtr& backend) { return asks_about_calls(*backend); });
    if (arguments.verdicts.empty() && needs_calls(chosen.name, *opened->graph, of_calls))
        opened->graph = graph_of_calls(*opened->input.base);
    request->partitioner.reset();
    GraphDivideRequest divide{chosen.name, chosen.options, arguments.verdicts, std::move(*request)};
    if (opened->reports) divide.reported = opened->reports->reported;
    std::vector<Diagnostic> notes;
    Result<Division> division = divide_graph(opened->input, *opened->graph, divide, notes);
    for (const Diagnostic& note : notes) report(note);
    if (!division) return refuse(division.error(), arguments.flow.file);
    const Result<std::vector<NumberColumn>> numbers = read_number_files(*opened->graph, arguments.numbers);
    if (!numbers) return refuse(numbers.error());
    if (!arguments.tags.empty()) {
        const std::string text = division_tags(*opened->graph, *division, arguments.tags.ends_with(".py"));
        if (arguments.tags == "-") print(text);
        else if (Status written = write_file(arguments.tags, text); !written)
            return refuse(written.error(), arguments.tags);
    }
    if (!arguments.steer.empty()) return steer(arguments, *opened, *division);
    if (!arguments.output.empty())
        if (Status written = write_in_order_of_regions(opened->input, *opened->graph, *division, arguments.output);
            !written)
            return refuse(written.error(), arguments.flow.file);
    tell(*opened, chosen.name, *division, arguments, *numbers);
    return kDone;
}

int check_file(const DivideArguments& arguments) {
    if (arguments.placement.empty() == arguments.flow.divide.from.empty()) {
        report_error("check-division needs either --placement, the division, or --from, what another program made");
        return kWrongUsage;
    }
    Result<DivideRequest> request = divide_request(arguments.flow);
    if (!request) return refuse(request.error());
    Result<Opened> opened = open_graph(arguments.flow, *request);
    if (!opened) return refuse(opened.error(), arguments.flow.file);
    if (opened->reports) return tell(*opened, "report", opened->reports->division, arguments);
    const Result<std::string> text = read_file(arguments.placement);
    if (!text) return refuse(text.error(), arguments.placement);
    const Result<Division> division = read_division(*opened->graph, *text, arguments.placement);
    if (!division) return refuse(division.error());
    return tell(*opened, "given", *division, arguments);
}

}  // namespace

void add_divide_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("divide", "divide the plain graph of a file by a partitioner of the table");
    auto arguments = std::make_shared<DivideArguments>();
    add_file_options(*command, arguments->flow);
    add_backend_options(*command, arguments->flow);
    command
        ->add_option("--verdicts", arguments->verdicts,
                     "who takes which node, instead of the backends' rules: a JSON file {\"backend\": NAME, \"taken\": "
                     "[NODES]}, or a list of such in order of priority")
        ->type_name("V.json");
    add_numbers_option(*command, arguments->numbers);
    add_output_file(*command, "--tags", arguments->tags,
                    "write the tag of each node, for ExecuTorch: as JSON or, to a name that ends in .py, as a function "
                    "that sets delegation_tag")
        ->type_name("OUT");
    add_output_file(*command, "-o,--output", arguments->output,
                    "write a LiteRT file again with its operators in an order in which those of a region stand "
                    "together, so that LiteRT's compiler plug-ins are given these regions; nothing else changes")
        ->type_name("OUT.tflite");
    take_one_of(
        command
            ->add_option("--steer", arguments->steer,
                         "tell ONNX Runtime to divide so, instead of printing the division: layers (annotations, "
                         "written with -o, and the setting that goes with them, printed), names (a setting by "
                         "the names of nodes), devices (device_configurations, written with -o), openvino (a "
                         "map for OpenVINO)")
            ->type_name("FORM"),
        {std::begin(kSteeringForms), std::end(kSteeringForms)});
    command->add_flag("--all", arguments->all, "print long lists whole on a terminal, too");
    command->add_flag("--json", arguments->json, "print JSON");
    command->callback([arguments, &status] { status = divide_file(*arguments); });
}

void add_check_division_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand(
        "check-division",
        "tell whether a division is sound: each node once, no region waits for itself through others");
    auto arguments = std::make_shared<DivideArguments>();
    add_file_options(*command, arguments->flow);
    command
        ->add_option("--placement", arguments->placement,
                     "the division: JSON as `divide --json` prints it, {\"regions\": [{\"backend\", \"nodes\"}]}")
        ->type_name("P.json");
    add_from_option(*command, "--from", arguments->flow.divide.from);
    command->add_flag("--json", arguments->json, "print JSON");
    command->callback([arguments, &status] { status = check_file(*arguments); });
}

}  // namespace partita::cli
