// The options shared by several commands: the file, the backends, the extent of the flow.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/session/divide.h"
#include "engine/session/gates.h"

namespace partita::cli {

struct FlowArguments {
    std::string file;
    OpenOptions open;                     ///< without sizes of dimensions
    std::vector<std::string> dimensions;  ///< NAME=N, for `run` also NAME=N,N,...
    std::vector<std::string> backends;
    std::vector<std::string> required;  ///< BACKEND[=SELECTOR]
    std::string until;                  ///< the last pass; "" if it was not given
    DivideRequest divide;               ///< without backends, which are loaded when it is carried out
};
/// A name that is misspelt is wrong usage; what is wrong with a file is found when it is read. `option`: what gave the
/// name, with a space; "" for an argument.
void require_known_backend(const std::string& option, const std::string& name);

/// Adds an option that takes names of backends, separated by commas; may be repeated.
CLI::Option* add_backend_list(CLI::App& command, const std::string& option, std::vector<std::string>& names,
                              const std::string& help);
/// Adds an option that chooses the algorithm that divides.
void add_partitioner_option(CLI::App& command, const std::string& option, DivideRequest& divide,
                            const std::string& help);
/// Add `--dim` and `--allow-commands` alone.
void add_dimension_option(CLI::App& command, FlowArguments& arguments);
void add_allow_option(CLI::App& command, FlowArguments& arguments);
/// Adds an option for reports of other programs on FILE; may be repeated.
void add_from_option(CLI::App& command, const std::string& option, std::vector<std::string>& files);
/// Adds FILE and the options for reading it.
void add_file_options(CLI::App& command, FlowArguments& arguments);
/// Adds --backends and the options for placement.
void add_backend_options(CLI::App& command, FlowArguments& arguments);
/// Adds the options that only `partition` and `export` have: the last pass and the style.
void add_partition_options(CLI::App& command, FlowArguments& arguments);

/// Returns the arguments once for each combination of the sizes that --dim lists; the last name changes fastest.
/// Refuses too many.
Result<std::vector<FlowArguments>> with_each_size(const FlowArguments& arguments);

/// How a module is run and measured.
struct RunSettings {
    uint64_t seed = 0;
    int threads = 0, warmup = 1, repeat = 5;
    bool steady = false;
    std::string cache_folder;
    double time_limit = 0;  ///< seconds; 0: none
};
/// Returns what is wrong with an option's number, which must be finite and at least (or above) 0; "" if it is valid.
std::string check_number(const std::string& text, bool may_be_zero);

void add_run_settings(CLI::App& command, RunSettings& settings);

/// Reads FILE, or generates the graph that it names (`random:N` and so on). Prints the frontend's notes, if wanted.
Result<OpenedInput> open_input(const FlowArguments& arguments, bool with_notes = true);

/// Returns what the arguments request, with the backends loaded.
Result<DivideRequest> divide_request(const FlowArguments& arguments);

/// The results of the flow, with the backends that its indices refer to.
struct FlowOutcome {
    FlowOptions options;
    std::vector<BackendDescription> backends;
    FlowResult result;
    std::string title;      ///< name of the module's file
    bool partition = true;  ///< false for a project that is not partitioned: its window exports an earlier stage
    ModulePtr opened;       ///< the module as it was read
    std::vector<NamedDimension> dimensions = {};
    std::shared_ptr<const Graph> graph = nullptr;      ///< the plain graph that was read; null: another form was
    std::shared_ptr<const Reports> reports = nullptr;  ///< null: --from was not given
    std::shared_ptr<const FileOperators> operators = nullptr;
};
/// How a size is given, for messages.
inline constexpr const char* kDimOption = "--dim NAME=SIZE";
Result<FlowOutcome> run_flow(const FlowArguments& arguments, const OpenedInput& input, bool log_decisions);
/// Calls open_input and run_flow and reports every error. Returns nothing if there was one.
std::optional<FlowOutcome> open_and_run_flow(const FlowArguments& arguments, bool log_decisions);

/// Returns `3 regions, calls: 12 on dnnl, 57 on default`, for standard error.
std::string placement_summary(const FlowOutcome& outcome);
/// Reports how many calls stayed on default and why, the most frequent causes first. Needs the log of decisions.
void report_fallbacks(const FlowArguments& arguments, const FlowOutcome& outcome);
/// Returns whether the rules of backends are evaluated, so that causes can be reported.
bool asks_rules(const FlowArguments& arguments);
/// Returns what --require asks and which calls violate it, with the cause; needs the log of decisions.
std::vector<GateResult> check_requirements(const FlowArguments& arguments, const FlowOutcome& outcome);
/// Reports each fault, of a call with its position. Returns whether there was none.
bool report_faults(const FlowArguments& arguments, const FlowOutcome& outcome, std::span<const GateResult> results);
/// Does both.
bool check_required(const FlowArguments& arguments, const FlowOutcome& outcome);

RunOptions run_options(const RunSettings& settings, const FlowOutcome& outcome);
/// Refuses a description that brings code along (a library or a command) and names the code, unless --allow-commands is
/// given.
bool check_code(const FlowArguments& arguments, const FlowOutcome& outcome);

/// Cancels a run that takes longer than its limit.
class TimeLimit {
public:
    /// 0 seconds: no limit.
    TimeLimit(double seconds, const CancelToken& token);
    ~TimeLimit();
    /// Returns `fault`, or an error about the limit if it ended the run.
    Diagnostic explain(Diagnostic fault) const;

private:
    const double seconds_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool over_ = false;
    std::atomic<bool> reached_ = false;
    std::thread watch_;
};

/// Returns the name of a file without folders, for titles.
std::string file_title(const std::string& path);

}  // namespace partita::cli
