// The engine's interface to the window and the command line: opens a module, runs the flow, runs and exports the
// result.
//
// Everything here is a value or a pointer to something immutable, and every function is thread-safe: the window calls
// them on worker threads.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/flow/flow.h"
#include "engine/flow/names.h"
#include "engine/frontends/onnx/named_dimension.h"
#include "engine/graph/graph.h"
#include "engine/ir/module.h"
#include "engine/runtime/compare_runs.h"
#include "engine/support/cancel.h"

namespace partita {

class FunctionUses;   // engine/ir/function_uses.h
class FileOperators;  // engine/ir/file_operators.h

struct OpenOptions {
    /// The compiler name for annotations in a text without a metadata section.
    std::string compiler;
    bool strict = false;                        ///< ONNX: refuse unsupported ops
    std::map<std::string, int64_t> dimensions;  ///< ONNX: sizes of symbolic dimensions
    std::vector<std::string> float16;           ///< LiteRT: constants read as such: names of values, or patterns
    bool correct_dimensions = false;            ///< ONNX: replaces those that contradict the model, with a warning
    CancelToken cancel;
    bool* lacks_compiler = nullptr;  ///< set if the text is refused because `compiler` is missing
};

struct OpenedModule {
    ModulePtr module;  ///< typed
    std::string path;
    std::vector<Diagnostic> notes;                        ///< warnings and notes of the frontend
    std::vector<NamedDimension> dimensions;               ///< ONNX: those that the inputs name, with the sizes used
    std::shared_ptr<const Graph> graph;                   ///< of a plain graph: as it stands in the file
    GraphOfFile graph_of_file = {};                       ///< of a file whose nodes are no calls: ONNX
    std::shared_ptr<const FileOperators> operators = {};  ///< for backends whose rules are about them; null: none
};

/// Reads a file by its ending and content: Relay text, ONNX, a module as JSON (see also project.h for `.partita`).
Result<OpenedModule> open_module(const std::string& path, const OpenOptions& options = {});
/// Reads Relay text, or a module as JSON; messages call it `name`.
Result<OpenedModule> open_text(std::string_view text, const std::string& name, const OpenOptions& options = {});

/// Refuses sizes of dimensions that the module does not have; they would be ignored otherwise.
Status check_dimensions(const OpenedModule& opened, const std::map<std::string, int64_t>& dimensions);
/// Refuses constants of 16 bits where the file can't have any; they would be ignored otherwise.
Status check_float16(const OpenedModule& opened, const std::vector<std::string>& float16);
/// Refuses to run a module whose sizes nobody gave, where 1 is no guess: only that of the first dimension of inputs,
/// the batch, is. `option` says how a size is given: "--dim NAME=SIZE".
Status check_sizes_known(const std::vector<NamedDimension>& dimensions, const std::string& option);
/// Returns the sizes with which the same module is read again: those that nothing else determines.
std::map<std::string, int64_t> free_sizes(const std::vector<NamedDimension>& dimensions);

/// The results of the partitioned module compared with those of the original.
struct RunComparison {
    RunReport report;     ///< run of the partitioned module
    RunReport reference;  ///< run of the original on `default`
};
Result<RunReport> run_partitioned(ModulePtr partitioned, const RunOptions& options);
/// Numbers the operators of a report as in the module that the flow started from. With a flow, names the regions, too.
void number_operators(RunReport& report, const Module& started_from, const FlowResult* flow = nullptr);
/// Gives compared regions their short names.
void name_regions(std::vector<RegionDifference>& regions, const FlowResult& flow);
/// Outputs beyond the tolerance are judged by a run of the original in float64.
Result<RunComparison> run_and_compare(ModulePtr partitioned, const ModulePtr& original, const RunOptions& options,
                                      double tolerance = 1e-4);

struct OpCount {
    std::string op;  ///< "" for calls of functions
    int64_t calls = 0;
    double flops = 0;
};
/// What a function that is called twice holds counts twice.
struct ModuleSummary {
    int64_t calls = 0;
    int functions = 0, parameters = 0, constants = 0;
    double parameter_bytes = 0, constant_bytes = 0, flops = 0;
    std::vector<OpCount> ops;                                 ///< by number of calls
    std::vector<std::pair<std::string, std::string>> inputs;  ///< name and type of @main's parameters
    std::string output_type;
};
ModuleSummary summarize(const Module& module);
ModuleSummary summarize(const Module& module, const FunctionUses& uses);

}  // namespace partita
