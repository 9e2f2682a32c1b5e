// Runs a module: sub-functions on their backends, the rest on `default`; measures, and compares.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/ir/module.h"
#include "engine/ir/tensor.h"
#include "engine/support/cancel.h"

namespace partita {

struct RunOptions {
    std::map<std::string, Tensor> inputs;  ///< by parameter name of @main; the others are made from the seed
    uint64_t seed = 0;
    int threads = 0;  ///< 0: as many as the machine has cores
    int warmup = 1;
    int repeat = 5;
    /// Backend name of a sub-function (`Compiler`) -> what executes it; missing: the backend of that name, else
    /// default.
    std::map<std::string, std::string> codegen;
    std::string cache_folder;          ///< "" = the user's cache directory
    bool all_on_default = false;       ///< runs all regions on `default`, whatever they ask for
    bool keep_region_outputs = false;  ///< what each call of a sub-function in @main gives is kept in the report
    /// With keep_region_outputs: each region also runs on `default`, with the same inputs, and what `default` gives
    /// flows on. So each region gets right inputs, whatever the others compute. Regions are compiled one by one, not in
    /// a plan.
    bool beside_default = false;
    CancelToken cancel;
    std::function<void(double fraction, const std::string& what)> progress;
};

/// Times are in milliseconds.
struct Timing {
    double median = 0, minimum = 0, spread = 0;  ///< spread: the interquartile range
    int samples = 0;                             ///< how many measurements these come from
};

struct OpTiming {
    ExprId expr;    ///< in the module that was run
    ExprId origin;  ///< in the module that the flow started from; may be invalid
    std::string name;
    Timing time;
    double flops = 0;
    double bytes = 0;     ///< of its arguments and result
    uint32_t number = 0;  ///< of `origin`, as ExpressionNames counts; 0: not known
};

struct RegionTiming {
    std::string name;         ///< the sub-function's, or "default" for what stayed in @main
    std::string backend;      ///< whose region it is
    std::string executed_by;  ///< differs from `backend` after a fall-back
    std::string notice;       ///< why it fell back; "" if it did not
    Timing time;
    double compile_ms = 0;
    Timing layout_time;      ///< of it: changing layouts between ops, where the backend can tell
    int layout_changes = 0;  ///< how many there are in one run
    Timing copy_time;        ///< of it: copying inputs and outputs over the border, where the backend must
    int copies = 0;          ///< how many there are in one run
    int calls = 0;           ///< ops in the region
    double flops = 0;
    double bytes = 0;  ///< of its inputs and outputs
    std::vector<OpTiming> ops;
};

/// How far one output is from the expected one. An element may be off by
///
///     |a - b| <= tolerance * (|b| + scale / 20),    scale = the largest |b| of the tensor,
///
/// numpy.allclose's measure with rtol = tolerance and atol = rtol * scale / 20: rounding of sums shows in all elements
/// alike, and an element near zero has no relative error worth the name. Integers must be equal.
struct OutputDifference {
    int output = 0;
    double max_abs_error = 0;  ///< largest |a - b|
    double max_rel_error = 0;  ///< largest |a - b| / (|b| + scale / 20): what is held against the tolerance
    double tolerance = 0;      ///< the one that was applied: what was asked for, but no finer than the type can tell
    bool within_tolerance = true;
};

/// What happened in the last run, in its order.
struct TraceEvent {
    enum class Kind : uint8_t { Region, Op, LayoutChange, Copy };
    std::string name;
    double start_ms = 0, duration_ms = 0;
    int region = -1;  ///< index into RunReport::regions
    Kind kind = Kind::Region;
    ExprId origin;  ///< of an op: in the module that the flow started from; may be invalid
};

/// A thread of the pool that worked on a loop, in the last run. Threads that a backend's library has of its own are not
/// seen.
struct ThreadSpan {
    int thread = 0;  ///< 0: the one that runs the module
    double start_ms = 0, duration_ms = 0;
};

/// What a call of a sub-function gave in the last run.
struct RegionOutputs {
    ExprId call;
    std::string name;
    std::vector<Tensor> outputs;
    std::vector<Tensor> own_outputs;  ///< with RunOptions::beside_default: what its backend gave; else empty
};

struct RunReport {
    std::vector<Tensor> outputs;        ///< of the last run, tuples flattened
    Timing time;                        ///< whole runs
    std::vector<RegionTiming> regions;  ///< first what stayed in @main, then in the order of their first call
    size_t peak_bytes = 0;              ///< of intermediate values
    size_t unshared_bytes = 0;          ///< what the intermediate values of @main would take if none shared memory
    size_t copied_bytes = 0;            ///< copied in each run because an output is an input, a constant or given twice
    int copies = 0;                     ///< how many these are
    Timing copy_time;
    double compile_ms = 0;          ///< of all regions, once
    double prepare_ms = 0;          ///< planning and computing what depends on parameters alone, without compiling
    double first_run_ms = 0;        ///< the very first run: warm-up or, where there is none, measured
    int warmup = 0, repeat = 0;     ///< runs that were made
    int folded_calls = 0;           ///< calls of @main that depend on parameters alone and were computed once
    int threads = 0;                ///< that were used
    std::vector<TraceEvent> trace;  ///< empty for modules with control flow
    std::vector<ThreadSpan> thread_spans;       ///< of the same run
    std::vector<RegionOutputs> region_outputs;  ///< with RunOptions::keep_region_outputs; not with control flow
    std::vector<OutputDifference> differences;  ///< filled by compare_outputs
};

/// A value for each parameter of @main that `given` lacks: He initialisation for weights, near 1 for scale and
/// variance, standard normal for data, small integers for quantized types. The same seed gives the same values,
/// whatever the order of parameters.
std::map<std::string, Tensor> make_inputs(const Module& module, uint64_t seed,
                                          const std::map<std::string, Tensor>& given);

/// Runs @main. Fails where an input is missing or of the wrong type, or an op has no kernel.
Result<RunReport> run_module(ModulePtr module, const RunOptions& options);

/// Compares outputs of two runs, output by output, by the measure of OutputDifference.
std::vector<OutputDifference> compare_outputs(const std::vector<Tensor>& outputs, const std::vector<Tensor>& expected,
                                              double tolerance = 1e-4);

}  // namespace partita
