// A backend that executes: takes a sub-function, compiles it once, runs it many times.
//
// "Can take" is asked by compiling: a refusal is a diagnostic with the reason, upon which the runtime falls back to
// `default` and says so.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/module.h"
#include "engine/ops/op.h"
#include "engine/program/flat_graph.h"
#include "engine/support/cancel.h"
#include "engine/support/thread_pool.h"

namespace partita {

/// The time of one op inside a region, where the backend can tell.
struct OpTime {
    ExprId expr;  ///< in the module that was compiled; invalid for a change of layout between ops
    double milliseconds = 0;
    uint32_t region = UINT32_MAX;  ///< of a plan: index into FlatGraph::regions to which the time counts
    bool inside = false;           ///< of a plan: already counted in the last one that isn't inside
    bool is_copy = false;          ///< without `expr`: a copy over the region's border, rather than a change of layout
};

/// What one run of a region is given. Tuple inputs and outputs stand flattened.
struct RegionRun {
    std::span<const TensorView> inputs;
    std::span<const TensorView> outputs;
    ThreadPool& threads;
    std::vector<OpTime>* op_times = nullptr;  ///< null: don't measure
    CancelToken cancel;
    void* workspace =
        nullptr;  ///< CompiledRegion::workspace_bytes(), aligned to 64; its content may change between runs
};

class CompiledRegion {
public:
    virtual ~CompiledRegion() = default;
    /// Not called from two threads at once.
    virtual Status run(const RegionRun& run) = 0;
    /// Bytes that a run needs for intermediate values. The runtime gives all regions the same ones.
    virtual size_t workspace_bytes() const { return 0; }
    /// What the user should know: ops that run on `default` inside the region, and why.
    virtual std::vector<std::string> notices() const { return {}; }
    /// Whether the region gave up at a run, and `default` runs it since.
    virtual bool fell_back() const { return false; }
    /// What was generated, for people: C source, a list of primitives. May be empty.
    virtual std::string listing() const { return {}; }
};

/// A function with the regions of one backend and all that lies between them, compiled as one program: values stay in
/// the backend's layouts from region to region. Each op still runs where it was placed.
class CompiledPlan : public CompiledRegion {
public:
    using CompiledRegion::notices;
    /// Of a region of the graph: what the user should know, and what compiling it took.
    virtual std::vector<std::string> notices(uint32_t region) const = 0;
    virtual double compile_ms(uint32_t region) const = 0;
    /// What the intermediate values would take if none shared memory.
    virtual size_t unshared_bytes() const = 0;
};

struct CompileOptions {
    int threads = 0;           ///< 0: as many as the machine has cores
    std::string cache_folder;  ///< "" = the user's cache directory
    CancelToken cancel;
    /// One for each flattened input, or empty. Where `data` is not null, the input has this value in every run and the
    /// memory outlives the region: its layout can be changed once.
    std::vector<TensorView> known_inputs;
};

class Backend {
public:
    virtual ~Backend() = default;
    virtual std::string_view name() const = 0;
    virtual std::string_view summary() const = 0;
    /// `function` is a function of `module` whose parameters and result are tensors or tuples of tensors of known
    /// shape. `module` outlives the result.
    virtual Result<std::unique_ptr<CompiledRegion>> compile(const Module& module, ExprId function,
                                                            const CompileOptions& options) = 0;
    /// Whether there is a plan where several regions meet.
    virtual bool makes_plans() const { return false; }
    /// `graph` is a function of `module` in which this backend's regions are written out; `kept` has for each step that
    /// still calls a sub-function what executes it, null for the others. These outlive the result, as `module` does.
    virtual Result<std::unique_ptr<CompiledPlan>> compile_plan(const Module& module, const FlatGraph& graph,
                                                               std::span<CompiledRegion* const> kept,
                                                               const CompileOptions& options);
};

}  // namespace partita
