#include "engine/backends/ccompiler/ccompiler_backend.h"

#include <omp.h>

#include "engine/backends/ccompiler/c_source.h"
#include "engine/backends/ccompiler/shared_library.h"

namespace partita {

namespace {

using RegionFunction = int32_t (*)(const void* const* inputs, void* const* outputs, const void* const* constants,
                                   void* workspace);

class CRegion : public CompiledRegion {
public:
    CRegion(const Module& module, CSource source, std::unique_ptr<SharedLibrary> library, RegionFunction function)
        : source_(std::move(source)), library_(std::move(library)), function_(function) {
        for (ConstantId constant : source_.constants) constants_.push_back(module.constant_value(constant).bytes());
    }

    Status run(const RegionRun& run) override {
        inputs_.clear();
        outputs_.clear();
        for (const TensorView& input : run.inputs) inputs_.push_back(input.data);
        for (const TensorView& output : run.outputs) outputs_.push_back(output.data);
        omp_set_num_threads(run.threads.threads());
        int32_t status = function_(inputs_.data(), outputs_.data(), constants_.data(), run.workspace);
        if (status != 0) return error("the compiled region failed with status " + std::to_string(status));
        return Nothing();
    }

    size_t workspace_bytes() const override { return source_.workspace_bytes; }
    std::string listing() const override { return source_.text; }

private:
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
        Result<FlatGraph> graph = flatten(module, function, false);
        if (!graph) return graph.error();
        if (!graph->straight_line) return error("a region with control flow can't be written in C yet");
        Result<CSource> source = write_c_source(module, *graph);
        if (!source) return source.error();
        LibraryOptions library_options;
        library_options.cache_folder = options.cache_folder;
        library_options.cancel = options.cancel;
        Result<CompiledLibrary> compiled = compile_c(source->text, library_options);
        if (!compiled) return compiled.error();
        auto entry = reinterpret_cast<RegionFunction>(compiled->library->symbol("partita_region"));
        if (!entry) return error("the compiled region has no function partita_region");
        return std::unique_ptr<CompiledRegion>(
            std::make_unique<CRegion>(module, std::move(*source), std::move(compiled->library), entry));
    }
};

}  // namespace

std::unique_ptr<Backend> make_ccompiler_backend() { return std::make_unique<CCompilerBackend>(); }

}  // namespace partita
