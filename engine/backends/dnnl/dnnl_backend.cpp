// The backend `dnnl`: regions on oneDNN 2.6. Chains are fused into primitives, constant weights are reordered once,
// values stay in the layouts that the primitives choose. Ops that oneDNN does not support run on the kernels of
// `default` inside the region, with a notice; so does a whole run that meets NaN.
#include <omp.h>

#include <algorithm>
#include <thread>

#include "engine/backends/backends.h"
#include "engine/backends/dnnl/checked_program.h"
#include "engine/backends/dnnl/lowering.h"

namespace partita {

namespace {

class DnnlRegion : public CompiledRegion {
public:
    DnnlRegion(const Module& module, FlatGraph graph, dnnl::engine engine)
        : graph_(std::move(graph)), checked_(module, graph_, {}, std::move(engine)) {}

    Status prepare(const Module& module, const CompileOptions& options) {
        onednn::Lowering lowering(module, graph_, options.known_inputs, checked_.program());
        if (Status done = lowering.run(); !done) return done;
        notices_ = lowering.notices();
        return Nothing();
    }

    Status run(const RegionRun& run) override { return checked_.run(run); }
    size_t workspace_bytes() const override { return checked_.program().workspace_bytes(); }
    std::vector<std::string> notices() const override { return notices_; }
    Listing listing() const { return checked_.program().listing(); }

private:
    FlatGraph graph_;  ///< holds values computed when the region was compiled
    onednn::CheckedProgram checked_;
    std::vector<std::string> notices_;
};

class DnnlPlan : public CompiledPlan {
public:
    DnnlPlan(const Module& module, FlatGraph graph, std::span<CompiledRegion* const> kept, dnnl::engine engine)
        : graph_(std::move(graph)), checked_(module, graph_, kept, std::move(engine)) {}

    Status prepare(const Module& module, std::span<CompiledRegion* const> kept, const CompileOptions& options) {
        onednn::Lowering lowering(module, graph_, kept, options.known_inputs, checked_.program());
        if (Status done = lowering.run(); !done) return done;
        for (uint32_t region = 0; region < graph_.regions.size(); ++region) {
            notices_.push_back(lowering.notices(region));
            milliseconds_.push_back(lowering.milliseconds(region));
        }
        layouts_ = lowering.take_layouts();
        return Nothing();
    }

    Status run(const RegionRun& run) override { return checked_.run(run); }
    size_t workspace_bytes() const override { return checked_.program().workspace_bytes(); }
    size_t unshared_bytes() const override { return checked_.program().unshared_bytes(); }
    PlannedMemory memory() const override { return checked_.program().memory(); }
    std::vector<std::string> notices(uint32_t region) const override { return notices_[region]; }
    double compile_ms(uint32_t region) const override { return milliseconds_[region]; }
    const PlanLayouts& layouts() const override { return layouts_; }

private:
    FlatGraph graph_;  ///< holds values computed when the plan was compiled
    onednn::CheckedProgram checked_;
    std::vector<std::vector<std::string>> notices_;
    std::vector<double> milliseconds_;
    PlanLayouts layouts_;
};

/// Primitives divide their work when they are created.
void set_threads(int threads) {
    omp_set_num_threads(threads > 0 ? threads : int(std::max(1u, std::thread::hardware_concurrency())));
}

dnnl::engine processor() { return dnnl::engine(dnnl::engine::kind::cpu, 0); }

class DnnlBackend : public Backend {
public:
    std::string_view name() const override { return "dnnl"; }
    std::string_view summary() const override { return "oneDNN, with fused chains and blocked layouts"; }

    Result<std::unique_ptr<CompiledRegion>> compile(const Module& module, ExprId function,
                                                    const CompileOptions& options) override {
        Result<std::unique_ptr<DnnlRegion>> region = make(module, function, options);
        if (!region) return region.error();
        return std::unique_ptr<CompiledRegion>(std::move(*region));
    }

    Result<Listing> list(const Module& module, ExprId function, const CompileOptions& options) override {
        const Result<std::unique_ptr<DnnlRegion>> region = make(module, function, options);
        if (!region) return region.error();
        return (*region)->listing();
    }

    bool makes_plans() const override { return true; }

    Result<std::unique_ptr<CompiledPlan>> compile_plan(const Module& module, const FlatGraph& graph,
                                                       std::span<CompiledRegion* const> kept,
                                                       const CompileOptions& options) override {
        set_threads(options.threads);
        try {
            auto plan = std::make_unique<DnnlPlan>(module, graph, kept, processor());
            if (Status done = plan->prepare(module, kept, options); !done) return done.error();
            return std::unique_ptr<CompiledPlan>(std::move(plan));
        } catch (const dnnl::error& failure) {
            return error(std::string("oneDNN: ") + failure.what());
        }
    }

private:
    static Result<std::unique_ptr<DnnlRegion>> make(const Module& module, ExprId function,
                                                    const CompileOptions& options) {
        Result<FlatGraph> graph = flatten(module, function, false);
        if (!graph) return graph.error();
        if (!graph->straight_line) return error("oneDNN can't run a region with control flow");
        set_threads(options.threads);
        if (!options.known_inputs.empty()) {
            ThreadPool threads(options.threads);
            fold_known(module, *graph, options.known_inputs, threads, options.cancel);
        }
        try {
            auto region = std::make_unique<DnnlRegion>(module, std::move(*graph), processor());
            if (Status done = region->prepare(module, options); !done) return done.error();
            return region;
        } catch (const dnnl::error& failure) {
            return error(std::string("oneDNN: ") + failure.what());
        }
    }
};

}  // namespace

std::unique_ptr<Backend> make_dnnl_backend() { return std::make_unique<DnnlBackend>(); }

}  // namespace partita
