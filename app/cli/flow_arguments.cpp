#include "app/cli/flow_arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>

#include "app/cli/command.h"
#include "app/cli/terminal.h"
#include "app/cli/waiting.h"
#include "engine/explain/coverage.h"
#include "engine/flow/names.h"
#include "engine/flow/region_names.h"
#include "engine/frontends/generate.h"
#include "engine/ir/function_uses.h"
#include "engine/ops/registry.h"
#include "engine/partitioners/partitioner.h"
#include "engine/session/project.h"
#include "engine/support/number_text.h"

namespace partita::cli {
namespace {

constexpr size_t kShownFaults = 10;

std::optional<int64_t> size_of_text(std::string_view text) {
    int64_t value = 0;
    const char* end = text.data() + text.size();
    auto [stop, fault] = std::from_chars(text.data(), end, value);
    if (fault != std::errc() || stop != end || value < 0) return {};
    return value;
}

std::vector<std::string> parts_of(const std::string& list) {
    std::vector<std::string> parts;
    size_t begin = 0;
    for (size_t comma; (comma = list.find(',', begin)) != std::string::npos; begin = comma + 1)
        parts.push_back(list.substr(begin, comma - begin));
    parts.push_back(list.substr(begin));
    return parts;
}

/// Returns the sizes in "NAME=N,N"; nothing if that is not its form.
std::optional<std::vector<std::string>> sizes_in(const std::string& text) {
    const size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0) return {};
    std::vector<std::string> sizes = parts_of(text.substr(equals + 1));
    for (const std::string& size : sizes)
        if (!size_of_text(size)) return {};
    return sizes;
}

std::string check_dimension(const std::string& text) {
    return sizes_in(text) ? "" : "expects NAME=N with N a size, not '" + text + "'";
}

std::string check_override(const std::string& text) {
    size_t equals = text.rfind('=');
    bool both = equals != std::string::npos && equals > 0 && equals + 1 < text.size();
    return both ? "" : "expects SELECTOR=BACKEND, not '" + text + "'";
}

std::string check_backend_list(const std::string& list) {
    const std::vector<std::string> parts = parts_of(list);
    const bool complete =
        std::none_of(parts.begin(), parts.end(), [](const std::string& part) { return part.empty(); });
    return complete ? "" : "expects names separated by commas, not '" + list + "'";
}

OpenOptions open_options(const FlowArguments& arguments) {
    OpenOptions options = arguments.open;
    for (const std::string& text : arguments.dimensions) {
        size_t equals = text.rfind('=');
        options.dimensions[text.substr(0, equals)] = *size_of_text(std::string_view(text).substr(equals + 1));
    }
    return options;
}

Result<std::vector<BackendPtr>> load_backends(const std::vector<std::string>& names) {
    std::vector<BackendPtr> backends;
    for (const std::string& name : names) {
        Result<BackendDescription> backend = load_backend(name);
        if (!backend) {
            Diagnostic fault = backend.error();
            if (fault.file.empty()) fault.file = "--backends " + name;  // not in FILE
            return fault;
        }
        backends.push_back(std::make_shared<BackendDescription>(std::move(*backend)));
    }
    return backends;
}

const DivideWords& divide_words() {
    static const DivideWords words{"--backends", "--override", "--allow-commands",
                                   "give --annotated instead of --backends"};
    return words;
}

FlowStage stage_of(const std::string& name) {
    if (name == "simplify") return FlowStage::Simplify;
    if (name == "composite") return FlowStage::Composite;
    if (name == "annotate") return FlowStage::Annotate;
    if (name == "merge") return FlowStage::Merge;
    return FlowStage::Partition;
}

PartitionStyle style_of(const std::string& name) {
    return name == "inline" ? PartitionStyle::Inline : PartitionStyle::Global;
}

/// Splits each SELECTOR=BACKEND; a selector may contain a '='.
std::vector<std::pair<std::string, std::string>> overrides_in(const std::vector<std::string>& texts) {
    std::vector<std::pair<std::string, std::string>> overrides;
    for (const std::string& text : texts) {
        const size_t equals = text.rfind('=');
        overrides.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return overrides;
}

/// Adds a flag that switches off what is on without it.
void add_off_flag(CLI::App& command, const std::string& name, bool& on, const std::string& help) {
    command.add_flag_callback(
        name, [&on] { on = false; }, help);
}

}  // namespace

void require_known_backend(const std::string& option, const std::string& name) {
    if (name.find_first_of("/.\\") != std::string::npos) return;
    const Result<BackendDescription> known = builtin_backend(name);
    if (known) return;
    Diagnostic fault = known.error();
    fault.file = option + name;
    throw UsageFault{std::move(fault)};
}

CLI::Option* add_backend_list(CLI::App& command, const std::string& option, std::vector<std::string>& names,
                              const std::string& help) {
    const auto take = [&names](const std::vector<std::string>& lists) {
        names.clear();
        for (const std::string& list : lists)
            for (const std::string& name : parts_of(list)) {
                require_known_backend("--backends ", name);
                names.push_back(name);
            }
    };
    return command.add_option_function<std::vector<std::string>>(option, take, help)
        ->allow_extra_args(false)
        ->check(check_backend_list)
        ->type_name("F.json,...");
}

void add_dimension_option(CLI::App& command, FlowArguments& arguments) {
    command
        .add_option(
            "--dim", arguments.dimensions,
            "ONNX: the size of a symbolic dimension; may be repeated. Sizes that follow from others need not be given. "
            "`run` takes several, and shows a table")
        ->allow_extra_args(false)
        ->check(check_dimension)
        ->type_name("NAME=N[,N...]");
}

void add_allow_option(CLI::App& command, FlowArguments& arguments) {
    command.add_flag(
        "--allow-commands", arguments.divide.allow_commands,
        "let backend descriptions run the code that they name: the annotator that says which calls they take "
        "and, where a module runs, the library or command of their codegen. Without this option, such a description is "
        "refused");
}

void add_from_option(CLI::App& command, const std::string& option, std::vector<std::string>& files) {
    command
        .add_option(
            option, files,
            "what another program said of the model: a profile, log or table of a kind that `formats` lists; may "
            "be repeated")
        ->allow_extra_args(false)
        ->type_name("F");
}

void add_file_options(CLI::App& command, FlowArguments& arguments) {
    command
        .add_option(
            "FILE", arguments.file,
            "a model of a form that `formats` lists, or a project of the window (.partita); - for Relay text from "
            "standard input; or random:N, chain:N, ladder:N, wide:N for a generated graph of N operators")
        ->required();
    command
        .add_option("--compiler", arguments.open.compiler,
                    "the compiler of annotations in a text without a metadata section")
        ->type_name("NAME");
    add_dimension_option(command, arguments);
    command.add_flag("--strict", arguments.open.strict, "ONNX: refuse a model with unsupported operators");
    command
        .add_option("--float16", arguments.open.float16,
                    "LiteRT: a float32 constant that is read as if the file had it as float16, behind a DEQUANTIZE; "
                    "may be repeated, and a pattern: '*' means all")
        ->allow_extra_args(false)
        ->type_name("CONSTANT");
}

namespace {

std::vector<std::string> partitioner_names() {
    std::vector<std::string> names{PartitionerChoice::kOwn};
    for (const Partitioner& partitioner : partitioners()) names.emplace_back(partitioner.name);
    return names;
}

std::string check_key_value(const std::string& text) {
    const size_t equals = text.find('=');
    return equals != std::string::npos && equals > 0 ? "" : "expects KEY=VALUE, not '" + text + "'";
}

PartitionerChoice& chosen_partitioner(DivideRequest& divide) {
    if (!divide.partitioner) divide.partitioner = PartitionerChoice{"", {}};
    return *divide.partitioner;
}

void add_partitioner_options(CLI::App& command, DivideRequest& divide) {
    add_partitioner_option(command, "--partitioner", divide,
                           "the algorithm that divides; `partitioners` lists them with their options; default tvm, for "
                           "a Relax file relax, or the project's");
    command
        .add_option_function<std::vector<std::string>>(
            "--option",
            [&divide](const std::vector<std::string>& options) {
                for (const std::string& option : options)
                    chosen_partitioner(divide).options[option.substr(0, option.find('='))] =
                        option.substr(option.find('=') + 1);
            },
            "an option of the partitioner; may be repeated")
        ->type_name("KEY=VALUE")
        ->check(check_key_value)
        ->allow_extra_args(false);
}

}  // namespace

void add_partitioner_option(CLI::App& command, const std::string& option, DivideRequest& divide,
                            const std::string& help) {
    take_one_of(command
                    .add_option_function<std::string>(
                        option, [&divide](const std::string& name) { chosen_partitioner(divide).name = name; }, help)
                    ->type_name("P"),
                partitioner_names());
}

void add_backend_options(CLI::App& command, FlowArguments& arguments) {
    DivideRequest& divide = arguments.divide;
    add_backend_list(
        command, "--backends", arguments.backends,
        "description files, or names of built-in backends, in order of priority. They replace the backends of a "
        "project, and their rules apply; manual assignments stay");
    add_allow_option(command, arguments);
    command
        .add_option_function<std::vector<std::string>>(
            "--override", [&divide](const std::vector<std::string>& texts) { divide.overrides = overrides_in(texts); },
            "assign the calls that SEL selects to BACKEND, or to default; overrides the rules; may be "
            "repeated. SEL is a "
            "call's number as explain prints it (#12), an op's name or a pattern of names (op:nn.conv2d*), or "
            "name:PATTERN for the names that an ONNX model gives its nodes; where no whole name matches, the part in "
            "front of or behind a slash does, so that the name of a loop stands for all that is in it")
        ->allow_extra_args(false)
        ->check(check_override)
        ->type_name("SEL=BACKEND");
    command
        .add_option("--placement", divide.placement,
                    "divide as a placement says that `place` wrote; without --backends, those of the placement")
        ->type_name("F");
    add_from_option(command, "--from", divide.from);
    command.add_flag("--placement-partly", divide.placement_partly,
                     "apply a placement of another module as far as its operators are found here");
    command
        .add_option("--require", arguments.required,
                    "fail if a call (that SEL selects) does not go to BACKEND; may be repeated")
        ->allow_extra_args(false)
        ->type_name("BACKEND[=SEL]");
    add_partitioner_options(command, divide);
    command.add_flag("--lower", divide.lower, "first write operators that Relay does not have as Relay's own");
    command.add_flag("--simplify", divide.simplify, "first decompose batch_norm, remove dropout and fold constants");
    command.add_flag("--fold", divide.fold, "first fold constants, and nothing else");
    command.add_flag("--annotated", divide.annotated, "FILE has annotations already: skip composite and annotate");
    add_off_flag(command, "--no-composite", divide.composite, "skip the pass that matches the backends' patterns");
    add_off_flag(command, "--no-merge", divide.merge, "skip the pass that merges neighbouring regions");
    add_off_flag(command, "--no-non-call-ops", divide.non_call_ops,
                 "do not place tuples, projections and other non-calls with their operands");
}

void add_partition_options(CLI::App& command, FlowArguments& arguments) {
    PartitionOptions& partition = arguments.divide.partition;
    take_one_of(
        command
            .add_option("--until", arguments.until,
                        "the last pass to run: simplify, composite, annotate, merge or partition; default partition")
            ->type_name("PASS"),
        {"simplify", "composite", "annotate", "merge", "partition"});
    take_one_of(command
                    .add_option_function<std::string>(
                        "--style", [&partition](const std::string& style) { partition.style = style_of(style); },
                        "global: sub-functions as global functions (TVM 0.9); inline: bound in the caller (early TVM); "
                        "default global")
                    ->type_name("STYLE"),
                {"global", "inline"});
    command
        .add_option("--module-name", partition.module_name,
                    "the module name in the names of sub-functions; default 'default'")
        ->type_name("NAME");
    add_off_flag(command, "--no-mangle", partition.mangle_names,
                 "name sub-functions dnnl_main_0, as before TVM's name mangling, not tvmgen_default_dnnl_main_0");
    add_off_flag(command, "--no-bind-constants", partition.bind_constants,
                 "keep constants as arguments of the sub-functions that use them");
}

namespace {

/// Reads all of standard input, up to a limit.
Result<std::string> read_standard_input() {
    constexpr size_t kMost = size_t(1) << 31, kBlock = size_t(1) << 16;
    std::string text;
    for (size_t read = kBlock; read == kBlock;) {
        const size_t before = text.size();
        if (before > kMost) return error("standard input has more than 2 GiB; save it to a file first");
        text.resize(before + kBlock);
        read = std::fread(text.data() + before, 1, kBlock, stdin);
        text.resize(before + read);
    }
    if (std::ferror(stdin)) return error("standard input can't be read");
    return text;
}

Result<OpenedModule> open_standard_input(const OpenOptions& options) {
    Result<std::string> text = read_standard_input();
    if (!text) return text.error();
    return open_text(*text, "-", options);
}

Result<OpenedInput> open_named(const FlowArguments& arguments) {
    const OpenOptions options = open_options(arguments);
    if (arguments.file != "-") return open_input_file(arguments.file, options);
    Result<OpenedModule> opened = open_standard_input(options);
    if (!opened) return opened.error();
    return OpenedInput(std::move(*opened));
}

Result<OpenedInput> open_generated(const FlowArguments& arguments, const Result<GraphName>& name) {
    if (!name) return name.error();
    Result<Module> made = generate_graph(name->kind, name->operators, 1);
    if (!made) return made.error();
    return OpenedInput({std::make_shared<const Module>(std::move(*made)), arguments.file, {}, {}, nullptr, nullptr});
}

}  // namespace

/// Refuses, as wrong usage, an override to a backend that --backends does not give.
static void require_overrides_known(const FlowArguments& arguments, const std::vector<BackendPtr>& backends) {
    std::vector<BackendDescription> given;
    for (const BackendPtr& backend : backends) given.push_back(*backend);
    for (const auto& [selector, name] : arguments.divide.overrides)
        if (std::string fault = unknown_backend(name, given, divide_words()); !fault.empty())
            throw UsageFault{error("--override " + selector + "=" + name + ": " + fault)};
}

Result<DivideRequest> divide_request(const FlowArguments& arguments) {
    Result<std::vector<BackendPtr>> backends = load_backends(arguments.backends);
    if (!backends) return backends.error();
    if (!arguments.backends.empty()) require_overrides_known(arguments, *backends);
    DivideRequest request = arguments.divide;
    request.words = divide_words();
    request.backends = std::move(*backends);
    request.until = stage_of(arguments.until);
    return request;
}

Result<std::vector<FlowArguments>> with_each_size(const FlowArguments& arguments) {
    constexpr size_t kMost = 1000;
    std::vector<FlowArguments> all{arguments};
    all.front().dimensions.clear();
    for (const std::string& text : arguments.dimensions) {
        const std::vector<std::string> sizes = *sizes_in(text);
        if (sizes.size() > kMost / all.size())
            return error("--dim " + text + ": these are more than " + std::to_string(kMost) + " combinations of sizes");
        std::vector<FlowArguments> longer;
        for (const FlowArguments& each : all)
            for (const std::string& size : sizes) {
                longer.push_back(each);
                longer.back().dimensions.push_back(text.substr(0, text.rfind('=') + 1) + size);
            }
        all = std::move(longer);
    }
    return all;
}

namespace {

/// Refuses several sizes where one is wanted.
Status check_single_sizes(const FlowArguments& arguments) {
    for (const std::string& text : arguments.dimensions)
        if (sizes_in(text)->size() > 1) return error("--dim " + text + ": only `run` takes several sizes");
    return Nothing();
}

}  // namespace

Result<OpenedInput> open_input(const FlowArguments& arguments, bool with_notes) {
    Waiting::tell("reading");
    if (Status single = check_single_sizes(arguments); !single) return single.error();
    if (const std::optional<Result<GraphName>> name = parse_graph_name(arguments.file))
        return open_generated(arguments, *name);
    Result<OpenedInput> opened = open_named(arguments);
    if (!opened) {
        Diagnostic fault = opened.error();
        if (fault.file.empty()) fault.file = arguments.file;
        return fault;
    }
    for (Diagnostic note : opened->notes) {
        if (!with_notes) break;
        if (note.file.empty()) note.file = arguments.file;
        report(note);
    }
    Status known = check_dimensions(*opened, open_options(arguments).dimensions);
    if (known) known = check_float16(*opened, arguments.open.float16);
    if (!known) {
        Diagnostic fault = known.error();
        fault.file = arguments.file;
        return fault;
    }
    return opened;
}

Result<FlowOutcome> run_flow(const FlowArguments& arguments, const OpenedInput& input, bool log_decisions) {
    Waiting::tell("dividing");
    Result<DivideRequest> request = divide_request(arguments);
    if (!request) return request.error();
    request->log_decisions = log_decisions;
    std::vector<Diagnostic> notes;
    Result<Divided> divided = divide(input, std::move(*request), notes);
    for (const Diagnostic& note : notes) report(note);
    if (!divided) return divided.error();
    Waiting::tell("");
    FlowOutcome outcome{std::move(divided->options), {},          std::move(divided->result), file_title(input.path),
                        divided->partition,          input.module};
    outcome.backends = outcome.options.backends;
    outcome.dimensions = input.dimensions;
    outcome.operators = input.operators;
    outcome.graph = input.graph;
    outcome.reports = divided->reports;
    return outcome;
}

std::optional<FlowOutcome> open_and_run_flow(const FlowArguments& arguments, bool log_decisions) {
    Result<OpenedInput> opened = open_input(arguments);
    if (!opened) {
        report(opened.error());
        return std::nullopt;
    }
    Result<FlowOutcome> outcome = run_flow(arguments, *opened, log_decisions);
    if (!outcome) {
        report(outcome.error());
        return std::nullopt;
    }
    for (const std::string& warning : outcome->result.warnings) {
        report({Severity::Warning, arguments.file, {}, warning});
    }
    return std::move(*outcome);
}

std::string placement_summary(const FlowOutcome& outcome) {
    const FlowResult& flow = outcome.result;
    ExpressionNames names(*flow.input);
    const FunctionUses uses(*flow.input);
    std::map<int, int64_t> calls_of_backend;
    for (ExprId call : names.calls())
        if (computed_op(*flow.input, call)) calls_of_backend[flow.backend_of[call.value]] += uses.times(call);
    std::string text = std::to_string(flow.regions.size()) + (flow.regions.size() == 1 ? " region" : " regions");
    text += ", calls: ";
    for (size_t i = 0; i < outcome.backends.size(); i++) {
        text += std::to_string(calls_of_backend[int(i)]) + " on " + outcome.backends[i].name + ", ";
    }
    return text + std::to_string(calls_of_backend[-1]) + " on default";
}

void report_fallbacks(const FlowArguments& arguments, const FlowOutcome& outcome) {
    if (outcome.backends.empty()) return;
    CoverageReport coverage = report_coverage(outcome.result, outcome.backends);
    report({Severity::Note, arguments.file, {}, coverage_summary(coverage)});
}

bool asks_rules(const FlowArguments& arguments) { return !arguments.backends.empty() || is_project(arguments.file); }

std::vector<GateResult> check_requirements(const FlowArguments& arguments, const FlowOutcome& outcome) {
    std::vector<GateResult> results;
    for (const std::string& text : arguments.required) {
        Result<GateResult> result = check_requirement(text, outcome.result, outcome.backends, divide_words());
        if (!result) throw UsageFault{error("--require " + text + ": " + result.error().message)};
        results.push_back(std::move(*result));
    }
    return results;
}

bool report_faults(const FlowArguments& arguments, const FlowOutcome& outcome, std::span<const GateResult> results) {
    bool held = true;
    for (const auto& [gate, faults] : results) {
        held = held && faults.empty();
        for (size_t i = 0; i < std::min(faults.size(), kShownFaults); ++i) {
            if (faults[i].call.valid())
                report(
                    {Severity::Error, arguments.file, outcome.result.input->position(faults[i].call), faults[i].text});
            else report_error(faults[i].text);
        }
        if (faults.size() > kShownFaults)
            report_error("and " + std::to_string(faults.size() - kShownFaults) + " more calls; `explain` shows why");
    }
    return held;
}

bool check_required(const FlowArguments& arguments, const FlowOutcome& outcome) {
    return report_faults(arguments, outcome, check_requirements(arguments, outcome));
}

std::string check_number(const std::string& text, bool may_be_zero) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, value);
    if (fault == std::errc() && stop == end && std::isfinite(value) && (value > 0 || (may_be_zero && value == 0)))
        return {};
    return std::string("expected a number ") + (may_be_zero ? "of 0 or more" : "above 0") + ", not '" + text + "'";
}

static std::string check_seed(const std::string& text) {
    uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, value);
    return fault == std::errc() && stop == end ? std::string()
                                               : "expected a whole number of at most 64 bits, not '" + text + "'";
}

void add_run_settings(CLI::App& command, RunSettings& settings) {
    command
        .add_option("--seed", settings.seed,
                    "the seed for generated parameter values; default " + std::to_string(settings.seed))
        ->check(check_seed)
        ->type_name("N");
    command.add_option("--threads", settings.threads, "number of threads; 0, the default: one for each core")
        ->check(CLI::Range(0, 1024))
        ->type_name("N");
    command
        .add_option("--warmup", settings.warmup,
                    "number of runs before the measured ones; default " + std::to_string(settings.warmup))
        ->check(CLI::Range(0, 1000000))
        ->type_name("N");
    command
        .add_option("--repeat", settings.repeat, "number of measured runs; default " + std::to_string(settings.repeat))
        ->check(CLI::Range(1, 1000000))
        ->type_name("N");
    command.add_flag("--steady", settings.steady,
                     "warm up, and measure on until the times agree; --warmup and --repeat are then the fewest runs");
    command
        .add_option("--cache-dir", settings.cache_folder,
                    "the folder for compiled code; by default partita in XDG_CACHE_HOME, or ~/.cache/partita")
        ->type_name("D");
    command
        .add_option("--time-limit", settings.time_limit,
                    "abort a run that takes longer, with an error; fractions are allowed")
        ->check([](const std::string& text) { return check_number(text, false); })
        ->type_name("SECONDS");
}

RunOptions run_options(const RunSettings& settings, const FlowOutcome& outcome) {
    RunOptions options;
    options.seed = settings.seed;
    options.threads = settings.threads;
    options.warmup = settings.warmup;
    options.repeat = settings.repeat;
    options.steady = settings.steady;
    options.cache_folder = settings.cache_folder;
    options.progress = [](double fraction, const std::string& what) { Waiting::tell(what, fraction); };
    for (const BackendDescription& backend : outcome.backends) {
        options.codegen[backend.name] = backend.codegen;
        if (backend.halves_refused) options.halved.insert(backend.name);
    }
    return options;
}

bool check_code(const FlowArguments& arguments, const FlowOutcome& outcome) {
    if (arguments.divide.allow_commands) return true;
    const std::vector<Diagnostic> faults = foreign_code_of(outcome.backends, divide_words());
    for (const Diagnostic& fault : faults) report(fault);
    return faults.empty();
}

TimeLimit::TimeLimit(double seconds, const CancelToken& token) : seconds_(seconds) {
    if (seconds <= 0) return;
    watch_ = std::thread([this, token] {
        std::unique_lock lock(mutex_);
        const auto longest = std::chrono::duration<double>(std::min(seconds_, 1e9));
        if (ended_.wait_for(lock, longest, [this] { return over_; })) return;
        reached_ = true;
        token.cancel();
    });
}

TimeLimit::~TimeLimit() {
    if (!watch_.joinable()) return;
    {
        std::lock_guard lock(mutex_);
        over_ = true;
    }
    ended_.notify_one();
    watch_.join();
}

Diagnostic TimeLimit::explain(Diagnostic fault) const {
    if (reached_) fault.message = "the run took longer than " + general_text(seconds_) + " s, its --time-limit";
    return fault;
}

std::string file_title(const std::string& path) {
    size_t slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace partita::cli
