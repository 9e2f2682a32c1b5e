// The built-in backend, named `default`: runs a region with the ops' own kernels. Takes every region without control
// flow whose ops have kernels.
#include "engine/backends/backends.h"
#include "engine/ops/registry.h"
#include "engine/program/straight_line.h"

namespace partita {

namespace {

class ReferenceRegion : public CompiledRegion {
public:
    explicit ReferenceRegion(std::unique_ptr<StraightLine> line) : line_(std::move(line)) {}

    Status run(const RegionRun& run) override {
        step_ms_.resize(line_->graph().steps.size());
        Status done = line_->run(run, run.op_times ? step_ms_.data() : nullptr);
        if (done && run.op_times)
            for (size_t i = 0; i < step_ms_.size(); ++i)
                run.op_times->push_back({line_->graph().steps[i].expr, step_ms_[i]});
        return done;
    }

    size_t workspace_bytes() const override { return line_->workspace_bytes(); }

private:
    std::unique_ptr<StraightLine> line_;
    std::vector<double> step_ms_;
};

class ReferenceBackend : public Backend {
public:
    std::string_view name() const override { return "default"; }
    std::string_view summary() const override { return "the built-in kernels, which take every operator"; }

    Result<std::unique_ptr<CompiledRegion>> compile(const Module& module, ExprId function,
                                                    const CompileOptions& options) override {
        Result<FlatGraph> graph = flatten(module, function, false);
        if (!graph) return graph.error();
        if (!graph->straight_line) return error("a region with control flow can't be compiled");
        if (!options.known_inputs.empty()) {
            ThreadPool threads(options.threads);
            fold_known(module, *graph, options.known_inputs, threads, options.cancel);
        }
        Result<std::unique_ptr<StraightLine>> line = StraightLine::make(module, std::move(*graph), {});
        if (!line) return line.error();
        return std::unique_ptr<CompiledRegion>(std::make_unique<ReferenceRegion>(std::move(*line)));
    }

    Result<Listing> list(const Module& module, ExprId function, const CompileOptions&) override {
        const Result<FlatGraph> graph = flatten(module, function, false);
        if (!graph) return graph.error();
        Listing listing;
        for (const FlatStep& step : graph->steps) {
            listing.text += op_registry()[step.op].name + "\n";
            const auto line = uint32_t(listing.lines.size() + 1);
            listing.lines.push_back({line, line, step.expr});
        }
        return listing;
    }
};

}  // namespace

std::unique_ptr<Backend> make_reference_backend() { return std::make_unique<ReferenceBackend>(); }

}  // namespace partita
