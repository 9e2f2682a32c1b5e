// The one face of the engine to the window and the command line: open a module, take it through the flow, look at
// what came out, run it, export it.
//
// Everything here is a value or a pointer to something immutable, and every function may be called on any thread: the
// window calls them on workers and shows what they return.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/ir/module.h"
#include "engine/passes/annotate_target.h"
#include "engine/passes/decision_log.h"
#include "engine/passes/partition_graph.h"
#include "engine/passes/region_groups.h"
#include "engine/placement/placement.h"
#include "engine/rules/backend_description.h"
#include "engine/runtime/run.h"
#include "engine/session/names.h"
#include "engine/support/cancel.h"

namespace partita {

struct OpenOptions {
    /// The compiler's name for annotations in a text without metadata section.
    std::string compiler;
    bool strict = false;                        ///< ONNX: refuse unsupported ops
    std::map<std::string, int64_t> dimensions;  ///< ONNX: values of symbolic dimensions
    CancelToken cancel;
    bool* lacks_compiler = nullptr;  ///< set where the text is refused for want of `compiler`
};

struct OpenedModule {
    ModulePtr module;  ///< typed
    std::string path;
    std::vector<Diagnostic> notes;  ///< warnings and notes of the frontend
    std::map<std::string, int64_t> symbolic_dimensions;  ///< ONNX: those of the inputs, with the values taken
};

/// Reads a file by its ending and content: Relay text, ONNX, a module as JSON (see also project.h for `.partita`).
Result<OpenedModule> open_module(const std::string& path, const OpenOptions& options = {});
/// Reads Relay text, or a module as JSON; `name` stands in messages.
Result<OpenedModule> open_text(std::string_view text, const std::string& name, const OpenOptions& options = {});

enum class FlowStage : uint8_t { Simplify, Composite, Annotate, Merge, Partition };

struct FlowOptions {
    std::vector<BackendDescription> backends;  ///< in order of priority
    Overrides overrides;                       ///< expressions of the input module
    RegionGroups region_groups;                ///< which a person keeps apart; expressions of the input module
    bool simplify = false;
    bool composite = true;
    bool annotate = true;  ///< false: the input carries its annotations already
    bool merge = true;
    AnnotateOptions annotate_options;
    PartitionOptions partition_options;
    FlowStage until = FlowStage::Partition;
    bool log_decisions = true;
    CancelToken cancel;
};

/// A region as the user sees it.
struct RegionInfo {
    int backend = -1;  ///< index into FlowOptions::backends
    std::string backend_name;
    std::string function;             ///< the sub-function's name
    std::vector<ExprId> expressions;  ///< calls, tuples, projections of the input module
    int inputs = 0, outputs = 0;
    double flops = 0;
    double boundary_bytes = 0;  ///< of inputs and outputs
};

struct PassTime {
    std::string pass;
    double milliseconds = 0;
};

/// Everything that follows from a module and its options. Stages that were not asked for are null.
struct FlowResult {
    ModulePtr input;  ///< the module that expressions in decisions, regions and overrides refer to
    ModulePtr simplified, composite, annotated, merged, partitioned;
    Placement placement;              ///< of the module that was annotated (composite, simplified or input)
    std::vector<int16_t> backend_of;  ///< by ExprId of `input`: index into backends, -1 default
    std::vector<int32_t> region_of;   ///< by ExprId of `input`: index into regions, or -1
    std::vector<RegionInfo> regions;
    DecisionLog log;
    std::vector<PassTime> times;
    std::vector<std::string> warnings;
    bool annotated_before = false;  ///< `input` carried its annotations: no rule was asked
    std::vector<bool> carried;      ///< by ExprId of `input`: in a region that it carried, or a call of one; empty: none

    /// The last stage that was made.
    ModulePtr last() const;
};

/// With options.simplify the simplified module becomes `input`.
Result<FlowResult> run_flow(ModulePtr module, const FlowOptions& options);

/// A sentence in plain words for a decision. The second form names expressions anew each time: for single decisions.
std::string describe(const Decision& decision, const ExpressionNames& names,
                     std::span<const BackendDescription> backends);
std::string describe(const Decision& decision, const Module& input, std::span<const BackendDescription> backends);
/// ExpressionNames(module).name(id): for single names.
std::string expression_name(const Module& module, ExprId id);

/// What a partitioned module computes beside what the original computes.
struct RunComparison {
    RunReport report;     ///< of the partitioned module
    RunReport reference;  ///< of the original on `default`
};
Result<RunReport> run_partitioned(ModulePtr partitioned, const RunOptions& options);
/// Gives the operators of a report their numbers in the module that the flow started from.
void number_operators(RunReport& report, const Module& started_from);
Result<RunComparison> run_and_compare(ModulePtr partitioned, ModulePtr original, const RunOptions& options,
                                      double tolerance = 1e-4);

struct OpCount {
    std::string op;  ///< "" for calls of functions
    int calls = 0;
    double flops = 0;
};
struct ModuleSummary {
    int functions = 0, calls = 0, parameters = 0, constants = 0;
    double parameter_bytes = 0, constant_bytes = 0, flops = 0;
    std::vector<OpCount> ops;                                 ///< by number of calls
    std::vector<std::pair<std::string, std::string>> inputs;  ///< name and type of @main's parameters
    std::string output_type;
};
ModuleSummary summarize(const Module& module);
/// Whether the module carries annotations already: `partition` then leaves them as they are.
bool has_annotations(const Module& module);
/// Whether the module carries its partition: regions that are functions of their own already. The flow leaves them as
/// they are, and tells of them as of regions that it made.
bool carries_regions(const Module& module);
/// Of a flow, given or named by the module: indexes of backends are 16 bits wide.
inline constexpr size_t kMostBackends = 1000;
/// The backends that annotations and regions of the module name, in the order of the module; one more than kMostBackends at
/// the most.
std::vector<std::string> backends_of_module(const Module& module);

}  // namespace partita
