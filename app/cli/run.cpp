// `run`: runs a module, partitioned or unchanged, measures it, and compares it with the unpartitioned one.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/decode_output.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/output_options.h"
#include "app/cli/run_inputs.h"
#include "app/cli/run_output.h"
#include "app/cli/terminal.h"
#include "engine/runtime/compare_runs.h"
#include "engine/runtime/machine.h"
#include "engine/runtime/memory_use.h"
#include "engine/runtime/npy.h"
#include "engine/runtime/ran_where.h"
#include "engine/runtime/run_record.h"
#include "engine/runtime/trace.h"
#include "engine/session/decode.h"
#include "engine/session/reported_run.h"
#include "engine/support/own_folder.h"
#include "engine/support/stopwatch.h"

namespace partita::cli {
namespace {

struct RunArguments {
    FlowArguments flow;
    RunSettings run;
    std::vector<std::string> inputs;  ///< as add_input_option has them
    int decode = 0;                   ///< tokens to generate
    bool compare = false, compare_boundaries = false, operators = false, roofline = false, json = false;
    bool no_fallback = false, force = false;
    double tolerance = 1e-4;
    std::string output_folder, trace_file, memory_file, save_file, earlier_file;
};

constexpr const char* kOutputPrefix = "output_";

Status write_outputs(const std::vector<Tensor>& outputs, const std::string& folder, bool force) {
    std::string content;
    std::vector<NewFile> files;
    for (size_t i = 0; i < outputs.size(); i++)
        files.push_back({kOutputPrefix + std::to_string(i) + ".npy", 1, [&content, &tensor = outputs[i]](size_t) {
                             return std::string_view(content = format_npy(tensor));
                         }});
    return write_own_folder({folder, kOutputPrefix, force}, files);
}

Result<RunReport> execute(const RunArguments& arguments, const OpenedModule& opened, ModulePtr partitioned,
                          const RunOptions& options) {
    if (!arguments.compare) return run_partitioned(std::move(partitioned), options);
    Result<RunComparison> comparison =
        run_and_compare(std::move(partitioned), opened.module, options, arguments.tolerance);
    if (!comparison) return comparison.error();
    return std::move(comparison->report);
}

/// Reports regions that fell back; `with_notes` false: only what is forbidden. Returns false if --require or
/// --no-fallback forbids it.
bool check_fallbacks(const RunArguments& arguments, const RunReport& report_of_run, bool with_notes) {
    bool allowed = true;
    for (const RegionTiming& region : report_of_run.regions) {
        if (region.notice.empty()) continue;
        bool required =
            std::any_of(arguments.flow.required.begin(), arguments.flow.required.end(),
                        [&](const std::string& text) { return text.substr(0, text.find('=')) == region.backend; });
        required = required || (arguments.no_fallback && fell_back(region));
        if (required) allowed = false;
        if (!required && !with_notes) continue;
        report({required ? Severity::Error : Severity::Warning,
                arguments.flow.file,
                {},
                region.shown() + " of " + region.backend + " was run by " + region.executed_by + ": " + region.notice});
    }
    return allowed;
}

/// Adds what was requested in addition to the run.
Status complete(RunOutput& output, const RunArguments& arguments, const OpenedModule& opened, const FlowResult& flow,
                RunOptions options) {
    if (arguments.roofline) output.machine = measure_machine(arguments.run.threads);
    if (!arguments.compare_boundaries) return Nothing();
    options.inputs = make_inputs(*opened.module, options.seed, options.inputs);
    Result<std::vector<RegionDifference>> regions = compare_regions(flow.last(), options, arguments.tolerance);
    if (!regions) return regions.error();
    output.boundaries = std::move(*regions);
    name_regions(*output.boundaries, flow);
    return Nothing();
}

Status write_files(const RunOutput& output, const RunArguments& arguments, const FlowOutcome& outcome) {
    if (!arguments.output_folder.empty()) {
        Status written = write_outputs(output.report.outputs, arguments.output_folder, arguments.force);
        if (!written) return written;
    }
    if (!arguments.trace_file.empty()) {
        const ExpressionNames names(*outcome.result.input);
        const std::string trace = chrome_trace(output.report, [&](ExprId call) { return names.number(call); });
        if (Status written = write_file(arguments.trace_file, trace); !written) return written;
    }
    if (!arguments.memory_file.empty()) {
        if (output.report.memory.empty())
            return error("--memory: a module with control flow has no plan of its memory");
        if (Status written = write_file(arguments.memory_file, memory_json(output.report)); !written) return written;
    }
    if (arguments.save_file.empty()) return Nothing();
    RunRecord record;
    record.title = outcome.title;
    for (const BackendDescription& backend : outcome.backends)
        record.backends +=
            (record.backends.empty() ? "" : ",") + (backend.file.empty() ? backend.name : file_title(backend.file));
    record.made = time_stamp();
    record.model = model_key(*outcome.opened);
    if (output.machine) record.machine = *output.machine;
    record.report = output.report;
    return save_run(arguments.save_file, record);
}

/// Reports differences. Returns false if there are any.
bool check_equal(const RunOutput& output, const std::string& file) {
    const bool equal = all_within(output.report);
    if (!equal) report({Severity::Error, file, {}, "the partitioned module computes different values"});
    const RegionDifference* wrong = output.boundaries ? first_wrong(*output.boundaries) : nullptr;
    if (wrong) report({Severity::Error, file, {}, boundary_verdict(*output.boundaries)});
    return equal && !wrong;
}

/// A run with what it was made of.
struct FinishedRun {
    RunOutput output;
    FlowOutcome outcome;
    bool allowed = true;    ///< by --require and --no-fallback
    double prepare_ms = 0;  ///< for opening, dividing, compiling and planning
};

using InputMaker = std::function<Result<std::map<std::string, Tensor>>(const OpenedInput&)>;

/// Opens the file, divides and runs it. Reports every error; returns nothing if there was one.
std::optional<FinishedRun> run_file(const RunArguments& arguments, bool with_notes, const InputMaker& make) {
    const std::string& file = arguments.flow.file;
    const auto failed = [&file](const Diagnostic& fault) -> std::optional<FinishedRun> {
        refuse(fault, file);
        return std::nullopt;
    };
    const Stopwatch watch;
    Result<OpenedInput> opened = open_input(arguments.flow, with_notes);
    if (!opened) return failed(opened.error());
    if (Status known = check_sizes_known(opened->dimensions, kDimOption); !known) return failed(known.error());
    Result<std::map<std::string, Tensor>> inputs = make(*opened);
    if (!inputs) return failed(inputs.error());
    Result<FlowOutcome> outcome = run_flow(arguments.flow, *opened, asks_rules(arguments.flow));
    if (!outcome) return failed(outcome.error());
    if (!check_required(arguments.flow, *outcome)) return {};
    if (!check_code(arguments.flow, *outcome)) return {};

    const double opened_ms = watch.milliseconds();
    RunOptions options = run_options(arguments.run, *outcome);
    const TimeLimit limit(arguments.run.time_limit, options.cancel);
    options.yardstick = !arguments.save_file.empty() || !arguments.earlier_file.empty();
    options.inputs = std::move(*inputs);
    Result<RunReport> done = execute(arguments, *opened, outcome->result.last(), options);
    if (!done) return failed(limit.explain(done.error()));
    RunOutput output;
    output.file = file;
    output.dimensions = opened->dimensions;
    output.made_inputs = made_inputs(*opened->module, options.inputs);
    output.report = std::move(*done);
    number_operators(output.report, *outcome->result.input, &outcome->result);
    output.compared = arguments.compare;
    output.operators = arguments.operators;
    if (Status complemented = complete(output, arguments, *opened, outcome->result, options); !complemented)
        return failed(limit.explain(complemented.error()));
    const bool allowed = check_fallbacks(arguments, output.report, with_notes);
    const double prepare_ms = opened_ms + output.report.compile_ms + output.report.prepare_ms;
    return FinishedRun{std::move(output), std::move(*outcome), allowed, prepare_ms};
}

InputMaker given_inputs(const RunArguments& arguments) {
    return [&arguments](const OpenedInput& opened) { return read_run_inputs(arguments.inputs, opened); };
}

/// Refuses to compare with a run of something else, before anything is measured.
Status check_model(const RunArguments& arguments, const std::optional<RunRecord>& earlier, const Module& module) {
    RunRecord now;
    now.title = file_title(arguments.flow.file);
    now.model = model_key(module);
    if (!earlier || are_of_one_model(*earlier, now)) return Nothing();
    return Diagnostic{Severity::Error, arguments.earlier_file, {}, "this run is of another model, or of other sizes"};
}

int run_once(const RunArguments& arguments) {
    std::optional<RunRecord> earlier;
    const InputMaker make = [&](const OpenedInput& opened) -> Result<std::map<std::string, Tensor>> {
        if (!arguments.earlier_file.empty()) {
            Result<RunRecord> loaded = load_run_of(opened, arguments.earlier_file);
            if (!loaded) return in_file(loaded.error(), arguments.earlier_file);
            earlier = std::move(*loaded);
        }
        if (Status same = check_model(arguments, earlier, *opened.module); !same) return same.error();
        return given_inputs(arguments)(opened);
    };
    std::optional<FinishedRun> run = run_file(arguments, true, make);
    if (!run) return kRefused;
    RunOutput& output = run->output;
    output.earlier = std::move(earlier);
    print(arguments.json ? json_text(run_json(output)) : run_text(output));
    if (!run->outcome.backends.empty())
        report({Severity::Note, arguments.flow.file, {}, placement_summary(run->outcome)});
    if (const std::string made = made_inputs_text(output, arguments.run.seed); !made.empty())
        report({Severity::Note, arguments.flow.file, {}, made});
    report_fallbacks(arguments.flow, run->outcome);
    if (Status written = write_files(output, arguments, run->outcome); !written) return refuse(written.error());
    return check_equal(output, arguments.flow.file) && run->allowed ? kDone : kRefused;
}

/// Returns an option that makes a file of one run, if it was given; "" otherwise.
std::string option_of_one_run(const RunArguments& arguments) {
    for (const auto& [name, value] :
         {std::pair<const char*, const std::string&>("--output-dir", arguments.output_folder),
          {"--trace", arguments.trace_file},
          {"--memory", arguments.memory_file},
          {"--save-run", arguments.save_file},
          {"--compare-run", arguments.earlier_file}})
        if (!value.empty()) return name;
    return {};
}

/// Runs the module for each combination of sizes and prints one table.
int run_sizes(const RunArguments& arguments, const std::vector<FlowArguments>& sizes) {
    if (const std::string option = option_of_one_run(arguments); !option.empty())
        return refuse(error(option + " is for one run, but --dim gives several sizes"), arguments.flow.file);
    std::vector<RunOutput> outputs;
    Json json{{"file", arguments.flow.file}, {"sizes", Json::array()}};
    bool good = true;
    for (const FlowArguments& size : sizes) {
        RunArguments sized = arguments;
        sized.flow = size;
        std::optional<FinishedRun> run = run_file(sized, outputs.empty(), given_inputs(arguments));
        if (!run) return kRefused;
        report_fallbacks(size, run->outcome);
        good = check_equal(run->output, arguments.flow.file) && run->allowed && good;
        if (arguments.json) json["sizes"].push_back(run_json(run->output));
        run->output.report.outputs.clear();  // the table does not show them
        outputs.push_back(std::move(run->output));
    }
    print(arguments.json ? json_text(json) : sizes_text(outputs));
    return good ? kDone : kRefused;
}

/// Refuses what makes no sense for a decoder.
Status check_decoding(const RunArguments& arguments, const Decoder& decoder) {
    if (const std::string option = option_of_one_run(arguments); !option.empty())
        return error(option + " is for one run, but --decode makes several");
    const std::string past = decoder.dimensions().front();
    for (const std::string& text : arguments.flow.dimensions)
        if (text.substr(0, text.rfind('=')) == past)
            return error("--dim " + text + ": --decode starts with an empty cache and makes it longer itself");
    return Nothing();
}

/// Opens the file as it is first given, to learn what its inputs mean.
Result<Decoder> make_decoder(const RunArguments& arguments) {
    const Result<OpenedInput> opened = open_input(arguments.flow, false);
    if (!opened) return opened.error();
    Result<std::map<std::string, Tensor>> given = read_run_inputs(arguments.inputs, *opened);
    if (!given) return given.error();
    return Decoder::make(*opened, *given, arguments.run.seed);
}

/// Returns the arguments for the next step: with the sizes that the decoder wants.
RunArguments of_step(const RunArguments& arguments, const Decoder& decoder) {
    RunArguments step = arguments;
    const std::vector<std::string> set = decoder.dimensions();
    std::erase_if(step.flow.dimensions, [&](const std::string& text) {
        return std::find(set.begin(), set.end(), text.substr(0, text.rfind('='))) != set.end();
    });
    for (const auto& [name, size] : decoder.sizes()) step.flow.dimensions.push_back(name + "=" + std::to_string(size));
    return step;
}

/// Generates tokens one by one and prints the time of each.
int decode(const RunArguments& arguments) {
    const std::string& file = arguments.flow.file;
    Result<Decoder> decoder = make_decoder(arguments);
    if (!decoder) return refuse(decoder.error(), file);
    if (Status sound = check_decoding(arguments, *decoder); !sound) return refuse(sound.error(), file);
    DecodeOutput output;
    output.file = file;
    bool good = true;
    for (int i = 0; i < arguments.decode; ++i) {
        const InputMaker next = [&](const OpenedInput& opened) { return decoder->inputs(*opened.module); };
        std::optional<FinishedRun> run = run_file(of_step(arguments, *decoder), i == 0, next);
        if (!run) return kRefused;
        if (i == 0) report_fallbacks(arguments.flow, run->outcome);
        good = check_equal(run->output, file) && run->allowed && good;
        DecodeStep step{decoder->past(), decoder->length(), {}, run->prepare_ms, {}};
        Result<std::vector<int64_t>> tokens = decoder->take(run->output.report.outputs);
        if (!tokens) return refuse(tokens.error(), file);
        step.tokens = std::move(*tokens);
        run->output.report.outputs.clear();  // the decoder has the caches
        step.output = std::move(run->output);
        output.steps.push_back(std::move(step));
    }
    print(arguments.json ? json_text(decode_json(output)) : decode_text(output));
    return good ? kDone : kRefused;
}

int run(const RunArguments& arguments) {
    if (arguments.decode > 0) return decode(arguments);
    const Result<std::vector<FlowArguments>> sizes = with_each_size(arguments.flow);
    if (!sizes) return refuse(sizes.error(), arguments.flow.file);
    return sizes->size() > 1 ? run_sizes(arguments, *sizes) : run_once(arguments);
}

}  // namespace

void add_run_command(CLI::App& app, int& status) {
    CLI::App* command =
        app.add_subcommand("run", "run a module, time its regions, compare it with the unpartitioned one");
    auto arguments = std::make_shared<RunArguments>();
    add_file_options(*command, arguments->flow);
    add_backend_options(*command, arguments->flow);
    add_input_option(*command, arguments->inputs);
    add_run_settings(*command, arguments->run);
    command->add_flag("--compare", arguments->compare,
                      "also run the unpartitioned module on default and compare the results");
    command->add_flag("--compare-boundaries", arguments->compare_boundaries,
                      "also compare the results of each region with those of default for the same inputs, and name "
                      "those that differ");
    command->add_flag("--no-fallback", arguments->no_fallback,
                      "fail if default ran a region because its backend could not");
    add_tolerance_option(*command, arguments->tolerance);
    command->add_flag(
        "--roofline", arguments->roofline,
        "also show bytes moved, FLOP/s, and the share of this machine's peak performance, which is measured first");
    add_output_file(*command, "--trace", arguments->trace_file, "write the last run in Chrome's trace format")
        ->type_name("F.json");
    add_output_file(*command, "--memory", arguments->memory_file,
                    "write what the plan of the run keeps in memory at each step, and what takes most at the peak")
        ->type_name("F.json");
    add_output_file(*command, "--save-run", arguments->save_file, "save the times, for --compare-run and compare-runs")
        ->type_name("F.json");
    command
        ->add_option("--compare-run", arguments->earlier_file,
                     "compare the times with those of a saved run, or with what another program's profile tells: ratio "
                     "and noise")
        ->type_name("F.json");
    add_output_folder(*command, "--output-dir", arguments->output_folder,
                      "the folder for output_0.npy, output_1.npy, ...", kOutputPrefix)
        ->type_name("D");
    add_force_flag(*command, arguments->force);
    command
        ->add_option("--decode", arguments->decode,
                     "ONNX: generate N tokens with a decoder and show the time of each: present... goes back in as "
                     "past..., the most likely token as input_ids. --input input_ids=F.npy is the prompt; without it "
                     "one is made, as long as --dim says")
        ->check(CLI::Range(1, 100000))
        ->type_name("N");
    command->add_flag("--ops", arguments->operators, "also show the time of each operator");
    command->add_flag("--json", arguments->json, "print JSON");
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
