// Runs a module: sub-functions on their backends, the rest on `default`. Measures times and compares outputs.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/ir/module.h"
#include "engine/ir/tensor.h"
#include "engine/program/plan_layouts.h"
#include "engine/runtime/memory_use.h"
#include "engine/support/cancel.h"
#include "engine/support/sentence.h"

namespace partita {

struct RunOptions {
    std::map<std::string, Tensor> inputs;  ///< by parameter name of @main; others are generated from the seed
    uint64_t seed = 0;
    int threads = 0;  ///< 0: one for each core
    int warmup = 1;
    int repeat = 5;
    /// Warms up and measures on until the times agree, see MeasuringTurns; warmup and repeat are the fewest runs then.
    bool steady = false;
    bool yardstick = false;  ///< times the yardstick before and after, also if not steady: for runs that are compared
    /// Backend name of a sub-function (`Compiler`) -> its codegen; missing: the backend of that name, else default.
    std::map<std::string, std::string> codegen;
    std::set<std::string> halved;      ///< backends: of a region that is refused, they get the parts that they take
    std::string cache_folder;          ///< "" = the user's cache directory
    bool all_on_default = false;       ///< runs all regions on `default`, whatever their backends
    bool keep_region_outputs = false;  ///< keeps the results of each call of a sub-function in @main in the report
    /// With keep_region_outputs: also runs each region on `default` with the same inputs, and passes the results of
    /// `default` on. Each region thus receives correct inputs, whatever the others compute. Compiles regions one by
    /// one, not in a plan.
    bool beside_default = false;
    CancelToken cancel;
    std::function<void(double fraction, const std::string& what)> progress;
};

/// Times are in milliseconds.
struct Timing {
    double median = 0, minimum = 0, spread = 0;  ///< spread: the interquartile range
    int samples = 0;                             ///< number of measurements
    double drift = 0;  ///< range of the medians of consecutive fifths; 0 with fewer than five measurements
    std::vector<float> parts =
        {};  ///< medians of consecutive parts, at most kMostParts; empty: only the above is known
};
inline constexpr size_t kMostParts = 12;

struct OpTiming {
    ExprId expr;    ///< in the module that was run
    ExprId origin;  ///< in the module that the flow started from; may be invalid
    std::string name;
    Timing time;
    double flops = 0;
    double bytes = 0;     ///< size of its arguments and result
    uint32_t number = 0;  ///< of `origin`, as ExpressionNames counts; 0: unknown
    /// The numbers of all calls whose work the time is of, where it is of several; else empty.
    std::vector<uint32_t> members = {};
};

struct RegionTiming {
    std::string name;         ///< of the sub-function, or "default" for what stayed in @main
    std::string short_name;   ///< "dnnl #17", if known: see engine/flow/region_names.h
    std::string backend;      ///< the backend it was placed on
    std::string executed_by;  ///< differs from `backend` after a fallback
    std::string notice;       ///< why it fell back; "" if it did not
    Timing time;
    double compile_ms = 0;
    Timing layout_time;      ///< part of the time: layout changes between ops, if the backend reports them
    int layout_changes = 0;  ///< number in one run
    Timing
        copy_time;   ///< part of the time: copies of inputs and outputs across the boundary, if the backend needs them
    int copies = 0;  ///< number in one run
    int calls = 0;   ///< ops in the region
    double flops = 0;
    double bytes = 0;  ///< size of its inputs and outputs
    std::vector<OpTiming> ops;
    std::vector<uint32_t> members = {};  ///< the numbers of its calls, if none is timed on its own; else empty

    /// Returns the name for people.
    const std::string& shown() const { return short_name.empty() ? name : short_name; }
};

/// The deviation of one output from the expected one. An element may differ by
///
///     |a - b| <= tolerance * (|b| + scale / 20),    scale = the largest |b| of the tensor,
///
/// This is numpy.allclose with rtol = tolerance and atol = rtol * scale / 20: rounding of sums affects all elements
/// alike, and the relative error of an element near zero is meaningless. Integers must be equal.
struct OutputDifference {
    /// The largest relative errors against a run in float64.
    struct FromDouble {
        double own = 0, expected = 0;
    };

    int output = 0;
    double max_abs_error = 0;  ///< largest |a - b|
    double max_rel_error = 0;  ///< largest |a - b| / (|b| + scale / 20), compared with the tolerance
    double tolerance = 0;      ///< the one applied: as requested, but no finer than the type can represent
    /// Also true if the output is no further from the results in float64 than float32 is anyway; see `judge`.
    bool within_tolerance = true;
    std::optional<FromDouble> from_double;  ///< of an output that was judged so
};

/// An event of the last run, in order.
struct TraceEvent {
    enum class Kind : uint8_t { Region, Op, LayoutChange, Copy };
    std::string name;
    double start_ms = 0, duration_ms = 0;
    int region = -1;  ///< index into RunReport::regions
    Kind kind = Kind::Region;
    ExprId origin;  ///< of an op: in the module that the flow started from; may be invalid
};

/// A thread of the pool that worked on a loop in the last run. Does not include a library's own threads.
struct ThreadSpan {
    int thread = 0;  ///< 0: the one that runs the module
    double start_ms = 0, duration_ms = 0;
};

/// The results of a call of a sub-function in the last run.
struct RegionOutputs {
    ExprId call;
    std::string name;
    std::vector<Tensor> outputs;
    std::vector<Tensor> own_outputs;  ///< with RunOptions::beside_default: the backend's results; else empty
};

struct RunReport {
    std::vector<Tensor> outputs;        ///< of the last run, with tuples flattened
    Timing time;                        ///< whole runs
    Timing yardstick;                   ///< of a steady measurement: fixed work, timed beside it
    std::vector<RegionTiming> regions;  ///< first what stayed in @main, then in the order of their first call
    size_t peak_bytes = 0;              ///< of intermediate values
    MemoryUse memory;                   ///< what takes them when; empty for modules with control flow
    size_t unshared_bytes = 0;          ///< size of @main's intermediate values if none shared memory
    size_t copied_bytes = 0;            ///< copied in each run for outputs that are inputs, constants or repeated
    int copies = 0;                     ///< number of these copies
    Timing copy_time;
    double compile_ms = 0;       ///< all regions, once
    double prepare_ms = 0;       ///< planning and computing what depends on parameters only, without compiling
    double first_run_ms = 0;     ///< the very first run: the first warm-up or, without one, measured
    int warmup = 0, repeat = 0;  ///< numbers of runs made
    int folded_calls = 0;        ///< calls of @main that depend on parameters only and were computed once
    int threads = 0;             ///< number used
    PlanLayouts layouts;         ///< of a plan: expressions of the module that the flow started from
    std::vector<Timing> layout_change_times;    ///< by change of `layouts`
    std::vector<TraceEvent> trace;              ///< empty for modules with control flow
    std::vector<ThreadSpan> thread_spans;       ///< of the same run
    std::vector<RegionOutputs> region_outputs;  ///< with RunOptions::keep_region_outputs; empty with control flow
    std::vector<OutputDifference> differences;  ///< filled by compare_outputs
    std::string not_judged;  ///< why differences beyond the tolerance were not judged by a run in float64; "" else
};

/// Generates a value for each parameter of @main that `given` lacks: He initialisation for weights, near 1 for scale
/// and variance, standard normal for data, small integers for quantized types, 0 and 1 for masks, and what lies within
/// the table for indices. The same seed gives the same values, whatever the order of parameters.
std::map<std::string, Tensor> make_inputs(const Module& module, uint64_t seed,
                                          const std::map<std::string, Tensor>& given);

/// Returns what make_inputs makes of the data that `given` lacks, without weights: names with a text such as "whole
/// numbers from 0 to 30521".
std::vector<std::pair<std::string, Sentence>> made_inputs(const Module& module,
                                                          const std::map<std::string, Tensor>& given);

/// Runs @main. Fails if an input is missing or has the wrong type, or if an op has no kernel.
Result<RunReport> run_module(ModulePtr module, const RunOptions& options);

/// Compares the outputs of two runs one by one; OutputDifference defines the measure.
std::vector<OutputDifference> compare_outputs(const std::vector<Tensor>& outputs, const std::vector<Tensor>& expected,
                                              double tolerance = 1e-4);

/// Returns whether an output differs by more than the tolerance, but might do so by rounding alone.
bool wants_judging(const std::vector<OutputDifference>& differences);
/// Tells rounding from faults in outputs beyond the tolerance by the results of the same module in float64: an output
/// is within if its error against them is at most four times that of the expected one, and no more than a hundred
/// tolerances.
void judge(std::vector<OutputDifference>& differences, const std::vector<Tensor>& outputs,
           const std::vector<Tensor>& expected, const std::vector<Tensor>& in_double);

}  // namespace partita
