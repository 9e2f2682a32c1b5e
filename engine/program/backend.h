// A backend that executes: it takes a sub-function, compiles it once, and runs it many times.
//
// Compiling decides whether a backend can take a region: a refusal is a diagnostic with the reason, and the runtime
// then falls back to `default` and reports it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/module.h"
#include "engine/ops/op.h"
#include "engine/program/flat_graph.h"
#include "engine/program/memory_plan.h"
#include "engine/program/plan_layouts.h"
#include "engine/support/cancel.h"
#include "engine/support/thread_pool.h"

namespace partita {

/// The time of one op in a region, if the backend can measure it.
struct OpTime {
    ExprId expr;  ///< in the compiled module; invalid for a layout change between ops
    double milliseconds = 0;
    uint32_t region = UINT32_MAX;  ///< in a plan: index into FlatGraph::regions of the region it belongs to
    bool inside = false;           ///< in a plan: included in the last time that is not inside
    bool is_copy = false;          ///< without `expr`: a copy across the region's boundary rather than a layout change
    uint32_t change = UINT32_MAX;  ///< in a plan: index into CompiledPlan::layouts().changes
};

/// The arguments of one run of a region, with tuples flattened.
struct RegionRun {
    std::span<const TensorView> inputs;
    std::span<const TensorView> outputs;
    ThreadPool& threads;
    std::vector<OpTime>* op_times = nullptr;  ///< null: do not measure
    CancelToken cancel;
    void* workspace =
        nullptr;  ///< CompiledRegion::workspace_bytes(), aligned to 64; its content may change between runs

    /// Of inputs, outputs and workspace: what is bound to the pointers of one run need not be bound again for the same.
    std::vector<const void*> pointers() const;
};

class CompiledRegion {
public:
    virtual ~CompiledRegion() = default;
    /// Runs the region. Not thread-safe.
    virtual Status run(const RegionRun& run) = 0;
    /// Returns the bytes that a run needs for intermediate values. All regions share one workspace.
    virtual size_t workspace_bytes() const { return 0; }
    /// Returns messages for the user: ops that run on `default` inside the region, and why.
    virtual std::vector<std::string> notices() const { return {}; }
    /// Returns whether the region failed in a run, so that `default` has run it since.
    virtual bool fell_back() const { return false; }
};

/// A function with the regions of one backend and everything between them, compiled as one program: values keep the
/// backend's layouts from region to region. Each op still runs where it was placed.
class CompiledPlan : public CompiledRegion {
public:
    using CompiledRegion::notices;
    /// Returns messages for the user about a region of the graph.
    virtual std::vector<std::string> notices(uint32_t region) const = 0;
    virtual double compile_ms(uint32_t region) const = 0;
    /// Returns the bytes of all intermediate values if none shared memory.
    virtual size_t unshared_bytes() const = 0;
    virtual PlannedMemory memory() const = 0;
    virtual const PlanLayouts& layouts() const = 0;
};

struct CompileOptions {
    int threads = 0;           ///< 0: one for each core
    std::string cache_folder;  ///< "" = the user's cache directory
    CancelToken cancel;
    /// A view for each flattened input, or empty. If `data` is not null, the input has this value in every run and its
    /// memory outlives the region, so its layout can be converted once.
    std::vector<TensorView> known_inputs;
};

/// The code that is made of a region, or where none is made what is handed over for it, for people to read.
struct Listing {
    enum class Form : uint8_t {
        C,      ///< source
        Json,   ///< what a plug-in is given
        Steps,  ///< a line for each primitive or kernel, in the order in which they run
    };
    /// Lines that compute an expression of the compiled module; they count from 1.
    struct Lines {
        uint32_t first = 0, last = 0;
        ExprId expr;
    };
    Form form = Form::Steps;
    std::string text;
    std::vector<Lines> lines;  ///< in the order of the text; several may share lines
};

class Backend {
public:
    virtual ~Backend() = default;
    virtual std::string_view name() const = 0;
    virtual std::string_view summary() const = 0;
    /// Compiles `function`, a function of `module` whose parameters and result are tensors of known shape or tuples of
    /// them. `module` outlives the result.
    virtual Result<std::unique_ptr<CompiledRegion>> compile(const Module& module, ExprId function,
                                                            const CompileOptions& options) = 0;
    /// Lists what `compile` would make of the function. Runs none of it, and no code that the user brought.
    virtual Result<Listing> list(const Module& module, ExprId function, const CompileOptions& options) = 0;
    /// Returns whether the backend can compile several regions into one plan.
    virtual bool makes_plans() const { return false; }
    /// Compiles a plan. `graph` is a function of `module` in which this backend's regions are inlined. `kept` has, for
    /// each step that still calls a sub-function, its compiled region, and null for the others. All these outlive the
    /// result.
    virtual Result<std::unique_ptr<CompiledPlan>> compile_plan(const Module& module, const FlatGraph& graph,
                                                               std::span<CompiledRegion* const> kept,
                                                               const CompileOptions& options);
};

}  // namespace partita
