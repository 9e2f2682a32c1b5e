// The options that several commands share: which file, which backends, how far the flow goes.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/flow/flow_choice.h"
#include "engine/session/session.h"

namespace partita::cli {

struct FlowArguments {
    std::string file;
    std::string compiler;                 ///< of annotations without a metadata section
    std::vector<std::string> dimensions;  ///< NAME=N
    bool strict = false;
    std::vector<std::string> backends;
    std::vector<std::string> overrides;  ///< SELECTOR=BACKEND
    std::vector<std::string> required;   ///< BACKEND[=SELECTOR]
    bool allow_commands = false;
    bool simplify = false, annotated = false;
    bool no_composite = false, no_merge = false, no_non_call_ops = false, no_bind_constants = false, no_mangle = false;
    std::string style = "global", until, module_name = "default";  ///< until: "" where it was not given
};

/// An option that names backends, with commas between; may be repeated.
CLI::Option* add_backend_list(CLI::App& command, const std::string& option, std::vector<std::string>& names,
                              const std::string& help);
/// FILE and how it is read.
void add_file_options(CLI::App& command, FlowArguments& arguments);
/// --backends and what steers the placement.
void add_backend_options(CLI::App& command, FlowArguments& arguments);
/// What only `partition` and `export` need: how far, in which style.
void add_partition_options(CLI::App& command, FlowArguments& arguments);

/// How a module is run and measured.
struct RunSettings {
    uint64_t seed = 0;
    int threads = 0, warmup = 1, repeat = 5;
    std::string cache_folder;
    double time_limit = 0;  ///< seconds; 0: none
};
/// For options: what is wrong with a finite number, of 0 or more, or above 0; "" where nothing is.
std::string check_number(const std::string& text, bool may_be_zero);

void add_run_settings(CLI::App& command, RunSettings& settings);

/// What FILE is: a module; of a project, also what was chosen for it.
struct OpenedInput : OpenedModule {
    std::optional<FlowChoice> choice;
    ModulePtr base;  ///< what the choice is of, and what the flow starts from: the module or its simplified form
};
/// Reads FILE, or generates the graph that it names (`random:N` and so on); prints the frontend's notes.
Result<OpenedInput> open_input(const FlowArguments& arguments);

/// Everything that the flow made, with the backends that its indices refer to.
struct FlowOutcome {
    FlowOptions options;
    std::vector<BackendDescription> backends;
    FlowResult result;
    std::string title;      ///< the name of the module's file
    bool partition = true;  ///< false for a project that is not partitioned: its window exports what comes before
};
Result<FlowOutcome> run_flow(const FlowArguments& arguments, const OpenedInput& input, bool log_decisions);
/// open_input and run_flow, with every error reported: nothing where there was one.
std::optional<FlowOutcome> open_and_run_flow(const FlowArguments& arguments, bool log_decisions);

/// `3 regions, calls: 12 on dnnl, 57 on default`, for standard error.
std::string placement_summary(const FlowOutcome& outcome);
/// Says how many calls stayed on default and why, the most frequent causes first. Needs the log of decisions.
void report_fallbacks(const FlowArguments& arguments, const FlowOutcome& outcome);
/// Whether backends are asked by their rules, so that causes are there to be told.
bool asks_rules(const FlowArguments& arguments);
/// Reports each call that --require wants elsewhere, with its cause; that needs the log of decisions. False where there
/// was one.
bool check_required(const FlowArguments& arguments, const FlowOutcome& outcome);

RunOptions run_options(const RunSettings& settings, const FlowOutcome& outcome);
/// A description that brings code along, a library or a command, is refused and the code named, unless that was
/// allowed.
bool check_code(const FlowArguments& arguments, const FlowOutcome& outcome);

/// Cancels a run that takes longer than its limit.
class TimeLimit {
public:
    /// 0 seconds: no limit.
    TimeLimit(double seconds, const CancelToken& token);
    ~TimeLimit();
    /// `fault`, or what it means where the limit ended the run.
    Diagnostic explain(Diagnostic fault) const;

private:
    const double seconds_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool over_ = false;
    std::atomic<bool> reached_ = false;
    std::thread watch_;
};

/// The name of a file without folders, for titles.
std::string file_title(const std::string& path);

}  // namespace partita::cli
