// The one face of the engine to the window and the command line: open a module, take it through the flow, look at
// what came out, run it, export it.
//
// Everything here is a value or a pointer to something immutable, and every function may be called on any thread: the
// window calls them on workers and shows what they return.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/flow/flow.h"
#include "engine/flow/names.h"
#include "engine/ir/module.h"
#include "engine/runtime/run.h"
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
    std::vector<Diagnostic> notes;                       ///< warnings and notes of the frontend
    std::map<std::string, int64_t> symbolic_dimensions;  ///< ONNX: those of the inputs, with the values taken
};

/// Reads a file by its ending and content: Relay text, ONNX, a module as JSON (see also project.h for `.partita`).
Result<OpenedModule> open_module(const std::string& path, const OpenOptions& options = {});
/// Reads Relay text, or a module as JSON; `name` stands in messages.
Result<OpenedModule> open_text(std::string_view text, const std::string& name, const OpenOptions& options = {});

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

}  // namespace partita
