// `run`: runs a module, partitioned or as it is, measures it, and compares it with the unpartitioned one.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "engine/session/tensors.h"

namespace partita::cli {
namespace {

struct RunArguments {
    FlowArguments flow;
    std::vector<std::string> inputs;  ///< NAME=F.npy, or F.npz
    uint64_t seed = 0;
    int threads = 0, warmup = 1, repeat = 5;
    bool compare = false, operators = false, json = false;
    double tolerance = 1e-4;
    std::string output_folder, cache_folder;
};

Result<std::map<std::string, Tensor>> read_inputs(const std::vector<std::string>& texts) {
    std::map<std::string, Tensor> inputs;
    for (const std::string& text : texts) {
        size_t equals = text.find('=');
        if (equals == std::string::npos) {
            Result<std::map<std::string, Tensor>> archive = read_npz(text);
            if (!archive) {
                Diagnostic fault = archive.error();
                if (fault.file.empty()) fault.file = text;
                return fault;
            }
            for (auto& [name, tensor] : *archive) inputs[name] = std::move(tensor);
            continue;
        }
        std::string path = text.substr(equals + 1);
        Result<Tensor> tensor = read_npy(path);
        if (!tensor) {
            Diagnostic fault = tensor.error();
            if (fault.file.empty()) fault.file = path;
            return fault;
        }
        inputs[text.substr(0, equals)] = std::move(*tensor);
    }
    return inputs;
}

/// A misspelt name would otherwise be silently replaced by made-up values.
Status check_input_names(const std::map<std::string, Tensor>& inputs, const Module& module) {
    ModuleSummary summary = summarize(module);
    for (const auto& [name, tensor] : inputs) {
        bool known = std::any_of(summary.inputs.begin(), summary.inputs.end(),
                                 [&](const auto& input) { return input.first == name; });
        if (!known) return error("--input " + name + ": @main has no parameter of that name");
    }
    return Nothing();
}

Status write_outputs(const std::vector<Tensor>& outputs, const std::string& folder) {
    std::error_code fault;
    std::filesystem::create_directories(folder, fault);
    if (fault) return error("can't make the folder " + folder + ": " + fault.message());
    for (size_t i = 0; i < outputs.size(); i++) {
        std::string path = folder + "/output_" + std::to_string(i) + ".npy";
        if (Status written = write_npy(path, outputs[i]); !written) return written;
    }
    return Nothing();
}

Json timing_json(const Timing& time) {
    return {{"median_ms", time.median}, {"min_ms", time.minimum}, {"spread_ms", time.spread}};
}

Json region_json(const RegionTiming& region) {
    Json json{{"name", region.name}, {"backend", region.backend}, {"executed_by", region.executed_by}};
    json.update(timing_json(region.time));
    json["compile_ms"] = region.compile_ms;
    json["calls"] = region.calls;
    json["flops"] = region.flops;
    json["bytes"] = region.bytes;
    if (!region.notice.empty()) json["notice"] = region.notice;
    json["ops"] = Json::array();
    for (const OpTiming& op : region.ops) {
        Json entry{{"name", op.name}};
        entry.update(timing_json(op.time));
        json["ops"].push_back(std::move(entry));
    }
    return json;
}

Json to_json(const RunReport& report, const RunArguments& arguments) {
    Json json{{"file", arguments.flow.file}};
    json.update(timing_json(report.time));
    json["peak_bytes"] = report.peak_bytes;
    json["regions"] = Json::array();
    for (const RegionTiming& region : report.regions) json["regions"].push_back(region_json(region));
    json["outputs"] = Json::array();
    for (const Tensor& output : report.outputs) {
        json["outputs"].push_back({{"dtype", output.dtype().to_string()}, {"shape", output.shape()}});
    }
    if (!arguments.compare) return json;
    double absolute = 0, relative = 0;
    json["differences"] = Json::array();
    for (const OutputDifference& difference : report.differences) {
        absolute = std::max(absolute, difference.max_abs_error);
        relative = std::max(relative, difference.max_rel_error);
        json["differences"].push_back({{"output", difference.output},
                                       {"max_abs_error", difference.max_abs_error},
                                       {"max_rel_error", difference.max_rel_error},
                                       {"within_tolerance", difference.within_tolerance}});
    }
    json["max_abs_error"] = absolute;
    json["max_rel_error"] = relative;
    return json;
}

std::string to_text(const RunReport& report, const RunArguments& arguments) {
    Table regions({"region", "backend", "executed by", "calls", "median ms", "min ms", "spread", "compile ms"});
    for (const RegionTiming& region : report.regions) {
        regions.add({region.name, region.backend, region.executed_by, std::to_string(region.calls),
                     fixed(region.time.median, 3), fixed(region.time.minimum, 3), fixed(region.time.spread, 3),
                     fixed(region.compile_ms, 1)});
    }
    regions.add({"whole run", "", "", "", fixed(report.time.median, 3), fixed(report.time.minimum, 3),
                 fixed(report.time.spread, 3), ""});
    std::string text = regions.text();
    text += "intermediate values: " + short_number(double(report.peak_bytes), "B") + " at the most\n";
    if (arguments.operators) {
        Table operators({"operator", "region", "median ms", "min ms"});
        for (const RegionTiming& region : report.regions) {
            for (const OpTiming& op : region.ops) {
                operators.add({op.name, region.name, fixed(op.time.median, 3), fixed(op.time.minimum, 3)});
            }
        }
        if (!operators.empty()) text += "\n" + operators.text();
    }
    for (const OutputDifference& difference : report.differences) {
        char line[200];
        std::snprintf(line, sizeof line, "output %d: largest absolute error %.3g, relative %.3g: %s\n",
                      difference.output, difference.max_abs_error, difference.max_rel_error,
                      difference.within_tolerance ? "equal within the tolerance" : "DIFFERENT");
        text += line;
    }
    return text;
}

Result<RunReport> execute(const RunArguments& arguments, const OpenedModule& opened, ModulePtr partitioned,
                          const RunOptions& options) {
    if (!arguments.compare) return run_partitioned(std::move(partitioned), options);
    Result<RunComparison> comparison =
        run_and_compare(std::move(partitioned), opened.module, options, arguments.tolerance);
    if (!comparison) return comparison.error();
    return std::move(comparison->report);
}

/// Says what did not run where it should, and fails where --require forbids it.
bool check_fallbacks(const RunArguments& arguments, const RunReport& report_of_run) {
    bool allowed = true;
    for (const RegionTiming& region : report_of_run.regions) {
        if (region.notice.empty()) continue;
        bool required = std::any_of(arguments.flow.required.begin(), arguments.flow.required.end(),
                                    [&](const std::string& text) { return text.substr(0, text.find('=')) == region.backend; });
        if (required) allowed = false;
        report({required ? Severity::Error : Severity::Warning, arguments.flow.file, {},
                region.name + " of " + region.backend + " was run by " + region.executed_by + ": " + region.notice});
    }
    return allowed;
}

int run(const RunArguments& arguments) {
    Result<std::map<std::string, Tensor>> inputs = read_inputs(arguments.inputs);
    if (!inputs) return refuse(inputs.error());
    Result<OpenedModule> opened = open_input(arguments.flow);
    if (!opened) return refuse(opened.error());
    if (Status named = check_input_names(*inputs, *opened->module); !named) {
        return refuse(named.error(), arguments.flow.file);
    }
    Result<FlowOutcome> outcome = run_flow(arguments.flow, *opened, !arguments.flow.backends.empty());
    if (!outcome) return refuse(outcome.error(), arguments.flow.file);
    if (!check_required(arguments.flow, *outcome)) return kRefused;

    RunOptions options;
    options.inputs = std::move(*inputs);
    options.seed = arguments.seed;
    options.threads = arguments.threads;
    options.warmup = arguments.warmup;
    options.repeat = arguments.repeat;
    options.cache_folder = arguments.cache_folder;
    for (const BackendDescription& backend : outcome->backends) options.codegen[backend.name] = backend.codegen;
    Result<RunReport> done = execute(arguments, *opened, outcome->result.last(), options);
    if (!done) return refuse(done.error(), arguments.flow.file);

    bool allowed = check_fallbacks(arguments, *done);
    print(arguments.json ? json_text(to_json(*done, arguments)) : to_text(*done, arguments));
    if (!outcome->backends.empty()) report({Severity::Note, arguments.flow.file, {}, placement_summary(*outcome)});
    report_fallbacks(arguments.flow, *outcome);
    if (!arguments.output_folder.empty()) {
        if (Status written = write_outputs(done->outputs, arguments.output_folder); !written) {
            return refuse(written.error());
        }
    }
    bool equal = std::all_of(done->differences.begin(), done->differences.end(),
                             [](const OutputDifference& each) { return each.within_tolerance; });
    if (!equal) report({Severity::Error, arguments.flow.file, {}, "the partitioned module computes something else"});
    return equal && allowed ? kDone : kRefused;
}

}  // namespace

void add_run_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("run", "run a module, time its regions, compare it with the unpartitioned one");
    auto arguments = std::make_shared<RunArguments>();
    add_file_options(*command, arguments->flow);
    add_backend_options(*command, arguments->flow);
    command->add_option("--input", arguments->inputs,
                        "the value of a parameter of @main, or an archive of several; may be repeated. Parameters "
                        "without a value get one made from the seed")
        ->allow_extra_args(false)
        ->type_name("NAME=F.npy|F.npz");
    command->add_option("--seed", arguments->seed, "for the values that are made")->type_name("N");
    command->add_option("--threads", arguments->threads, "0: as many as the machine has cores")
        ->check(CLI::Range(0, 1024))
        ->type_name("N");
    command->add_option("--warmup", arguments->warmup, "runs before the measured ones")
        ->check(CLI::Range(0, 1000000))
        ->type_name("N");
    command->add_option("--repeat", arguments->repeat, "measured runs")->check(CLI::Range(1, 1000000))->type_name("N");
    command->add_flag("--compare", arguments->compare, "also run the module unpartitioned on default, and compare");
    command->add_option("--tolerance", arguments->tolerance, "largest relative error for floating-point outputs")
        ->type_name("X");
    command->add_option("--output-dir", arguments->output_folder, "gets output_0.npy, output_1.npy, ...")->type_name("D");
    command->add_option("--cache-dir", arguments->cache_folder, "where compiled code is kept")->type_name("D");
    command->add_flag("--ops", arguments->operators, "also the time of each operator");
    command->add_flag("--json", arguments->json, "print JSON");
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
