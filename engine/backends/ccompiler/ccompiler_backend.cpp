// The backend `ccompiler`: writes a region as C source, from which the system's compiler makes a shared library.
#include <omp.h>

#include <set>

#include "engine/backends/backends.h"
#include "engine/backends/ccompiler/c_source.h"
#include "engine/backends/ccompiler/shared_library.h"
#include "engine/ops/registry.h"

namespace partita {

namespace {

using RegionFunction = int32_t (*)(const void* const* inputs, void* const* outputs, const void* const* constants,
                                   void* workspace, const CHost* host);

class CRegion : public CompiledRegion {
public:
    CRegion(const Module& module, FlatGraph graph, CSource source, std::unique_ptr<SharedLibrary> library,
            RegionFunction function)
        : module_(module), graph_(std::move(graph)), source_(std::move(source)), library_(std::move(library)),
          function_(function) {
        for (ConstantId constant : source_.constants) constants_.push_back(module.constant_value(constant).bytes());
    }

    Status run(const RegionRun& run) override {
        inputs_.clear();
        outputs_.clear();
        for (const TensorView& input : run.inputs) inputs_.push_back(input.data);
        for (const TensorView& output : run.outputs) outputs_.push_back(output.data);
        omp_set_num_threads(run.threads.threads());
        Host host{{run_step}, this, &run.threads, Nothing()};
        int32_t status = function_(inputs_.data(), outputs_.data(), constants_.data(), run.workspace, &host);
        if (!host.failure) return host.failure;
        if (status != 0)
            return error(
                "an index is out of range, or an integer is divided by zero, in a region that runs as generated C");
        return Nothing();
    }

    size_t workspace_bytes() const override { return source_.workspace_bytes; }
    std::vector<std::string> notices() const override {
        std::set<std::string> names;
        for (uint32_t step : source_.host_steps) names.insert(op_registry()[graph_.steps[step].op].name);
        std::string list;
        for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
        if (list.empty()) return {};
        return {"on default inside the region: " + list};
    }

private:
    struct Host : CHost {
        Host(CHost base, const CRegion* region, ThreadPool* threads, Status failure)
            : CHost(base), region(region), threads(threads), failure(std::move(failure)) {}
        const CRegion* region;
        ThreadPool* threads;
        mutable Status failure;
    };

    static int32_t run_step(const CHost* base, int32_t number, const void* const* inputs, void* const* outputs) {
        auto* host = static_cast<const Host*>(base);
        const CRegion& region = *host->region;
        const FlatStep& step = region.graph_.steps[region.source_.host_steps[size_t(number)]];
        const TypeTable& types = region.module_.types();
        std::vector<TensorView> in, out;
        for (ValueId value : region.graph_.step_inputs(step)) {
            TypeId type = region.graph_.values[value].type;
            in.push_back({const_cast<void*>(inputs[in.size()]), types.dtype(type), types.shape(type)});
        }
        for (uint32_t k = 0; k < step.output_count; ++k) {
            TypeId type = region.graph_.values[step.first_output + k].type;
            out.push_back({outputs[k], types.dtype(type), types.shape(type)});
        }
        Status done =
            op_registry()[step.op].kernel({in, out, attributes_of(region.module_, step.expr), *host->threads});
        if (!done) host->failure = done;
        return done ? 0 : 1;
    }

    const Module& module_;
    FlatGraph graph_;
    CSource source_;
    std::unique_ptr<SharedLibrary> library_;
    RegionFunction function_;
    std::vector<const void*> inputs_, constants_;
    std::vector<void*> outputs_;
};

class CCompilerBackend : public Backend {
public:
    std::string_view name() const override { return "ccompiler"; }
    std::string_view summary() const override { return "C source, compiled by the system's compiler"; }

    Result<std::unique_ptr<CompiledRegion>> compile(const Module& module, ExprId function,
                                                    const CompileOptions& options) override {
        Result<FlatGraph> graph = flat(module, function);
        if (!graph) return graph.error();
        Result<CSource> source = write_c_source(module, *graph);
        if (!source) return source.error();
        LibraryOptions library_options;
        library_options.cache_folder = options.cache_folder;
        library_options.cancel = options.cancel;
        Result<CompiledLibrary> compiled = compile_c(source->text, library_options);
        if (!compiled) return compiled.error();
        auto entry = reinterpret_cast<RegionFunction>(compiled->library->symbol("partita_region"));
        if (!entry) return error("the compiled region has no function partita_region");
        return std::unique_ptr<CompiledRegion>(std::make_unique<CRegion>(module, std::move(*graph), std::move(*source),
                                                                         std::move(compiled->library), entry));
    }

    Result<Listing> list(const Module& module, ExprId function, const CompileOptions&) override {
        const Result<FlatGraph> graph = flat(module, function);
        if (!graph) return graph.error();
        Result<CSource> source = write_c_source(module, *graph);
        if (!source) return source.error();
        Listing listing{Listing::Form::C, std::move(source->text), {}};
        for (const CSource::Lines& lines : source->lines)
            listing.lines.push_back({lines.first, lines.last, graph->steps[lines.step].expr});
        return listing;
    }

private:
    static Result<FlatGraph> flat(const Module& module, ExprId function) {
        Result<FlatGraph> graph = flatten(module, function, false);
        if (graph && !graph->straight_line) return error("a region with control flow can't be written in C yet");
        return graph;
    }
};

}  // namespace

std::unique_ptr<Backend> make_ccompiler_backend() { return std::make_unique<CCompilerBackend>(); }

}  // namespace partita
