#include "engine/backends/dnnl/dnnl_backend.h"

#include <omp.h>

#include "engine/backends/dnnl/lowering.h"

namespace partita {

namespace {

class DnnlRegion : public CompiledRegion {
public:
    DnnlRegion(FlatGraph graph, dnnl::engine engine) : graph_(std::move(graph)), program_(std::move(engine)) {}

    Status prepare(const Module& module, const CompileOptions& options) {
        onednn::Lowering lowering(module, graph_, options.known_inputs, program_);
        if (Status done = lowering.run(); !done) return done;
        notices_ = lowering.notices();
        return Nothing();
    }

    Status run(const RegionRun& run) override { return program_.run(run); }
    size_t workspace_bytes() const override { return program_.workspace_bytes(); }
    std::vector<std::string> notices() const override { return notices_; }
    std::string listing() const override { return program_.listing(); }

private:
    FlatGraph graph_;  ///< holds what was computed when the region was compiled
    onednn::Program program_;
    std::vector<std::string> notices_;
};

class DnnlBackend : public Backend {
public:
    std::string_view name() const override { return "dnnl"; }
    std::string_view summary() const override { return "oneDNN, with fused chains and blocked layouts"; }

    Result<std::unique_ptr<CompiledRegion>> compile(const Module& module, ExprId function,
                                                    const CompileOptions& options) override {
        Result<FlatGraph> graph = flatten(module, function, false);
        if (!graph) return graph.error();
        if (!graph->straight_line) return error("a region with control flow is nothing for oneDNN");
        ThreadPool threads(options.threads);
        omp_set_num_threads(threads.threads());  // primitives divide their work when they are made
        if (!options.known_inputs.empty()) fold_known(module, *graph, options.known_inputs, threads, options.cancel);
        try {
            auto region = std::make_unique<DnnlRegion>(std::move(*graph), dnnl::engine(dnnl::engine::kind::cpu, 0));
            if (Status done = region->prepare(module, options); !done) return done.error();
            return std::unique_ptr<CompiledRegion>(std::move(region));
        } catch (const dnnl::error& failure) {
            return error(std::string("oneDNN: ") + failure.what());
        }
    }
};

}  // namespace

std::unique_ptr<Backend> make_dnnl_backend() { return std::make_unique<DnnlBackend>(); }

}  // namespace partita
