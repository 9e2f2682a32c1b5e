#include "engine/runtime/region_table.h"

#include "engine/backends/backends.h"
#include "engine/ops/cost.h"
#include "engine/rules/codegen.h"
#include "engine/runtime/halved_region.h"
#include "engine/support/stopwatch.h"

namespace partita {

namespace {

std::string name_of(const Module& module, ExprId function) {
    const FunctionInfo& info = module.function_info(function);
    for (const char* key : {"global_symbol", "ExternalSymbol"})
        if (std::string_view symbol = info.string_attribute(key); !symbol.empty()) return std::string(symbol);
    for (const GlobalFunction& global : module.functions())
        if (global.function == function) return std::string(module.names().text(global.name));
    return std::string(info.string_attribute("Compiler"));
}

}  // namespace

Region* RegionTable::find(ExprId function) const {
    auto it = by_function_.find(function);
    return it == by_function_.end() ? nullptr : it->second;
}

Region& RegionTable::add(ExprId function) {
    if (Region* known = find(function)) return *known;
    Region& region = regions_.emplace_back();
    by_function_[function] = &region;
    region.function = function;
    describe(region);
    return region;
}

std::string RegionTable::executor(ExprId function) const {
    if (options_.all_on_default) return "default";
    std::string backend(module_.function_info(function).string_attribute("Compiler"));
    auto chosen = options_.codegen.find(backend);
    if (chosen != options_.codegen.end()) return chosen->second;
    // The name comes from the module, and a module may not run programs.
    return foreign_code(backend) == ForeignCode::None ? backend : "default";
}

Region& RegionTable::compile(ExprId function, std::vector<TensorView> known_inputs) {
    Region& region = add(function);
    if (region.compiled || !region.failure.message.empty()) return region;

    CompileOptions options;
    options.threads = threads_;
    options.cache_folder = options_.cache_folder;
    options.cancel = options_.cancel;
    options.known_inputs = std::move(known_inputs);
    std::string name = executor(function);
    Stopwatch watch;
    if (!try_backend(region, name, options) && name != "default") {
        region.report.notice = region.failure.message;
        if (!try_halves(region, name, options)) try_backend(region, "default", options);
    }
    region.report.compile_ms = watch.milliseconds();
    if (options_.beside_default && region.compiled && region.report.executed_by != "default")
        put_beside_default(region, options);
    return region;
}

void RegionTable::put_beside_default(Region& region, const CompileOptions& options) {
    Result<std::unique_ptr<CompiledRegion>> reference =
        make_backend("default")->compile(module_, region.function, options);
    if (!reference) return;
    auto both = std::make_unique<RegionBesideDefault>(std::move(region.compiled), std::move(*reference));
    region.beside_default = both.get();
    region.compiled = std::move(both);
}

void RegionTable::describe(Region& region) const {
    RegionTiming& report = region.report;
    report.name = name_of(module_, region.function);
    report.backend = module_.function_info(region.function).string_attribute("Compiler");
    if (Result<FlatGraph> graph = flatten(module_, region.function, false); graph)
        for (const FlatStep& step : graph->steps) {
            region.ops.push_back(step.expr);
            report.flops += call_flops(module_, step.expr);
        }
    report.calls = int(region.ops.size());
    for (ExprId parameter : module_.parameters(region.function))
        report.bytes += type_bytes(module_.types(), module_.type(parameter));
    report.bytes += type_bytes(module_.types(), module_.type(module_.body(region.function)));
}

bool RegionTable::try_halves(Region& region, const std::string& name, const CompileOptions& options) {
    const std::unique_ptr<Backend> backend = make_backend(name);
    if (!backend || !options_.halved.contains(region.report.backend)) return false;
    Result<std::unique_ptr<CompiledRegion>> compiled = compile_halved(*backend, module_, region.function, options);
    if (!compiled) return false;
    region.compiled = std::move(*compiled);
    region.report.executed_by = backend->name();
    return true;
}

bool RegionTable::try_backend(Region& region, const std::string& name, const CompileOptions& options) {
    std::unique_ptr<Backend> backend = make_backend(name);
    if (!backend) {
        backend = make_backend("default");
        region.report.executed_by = "default";
        region.report.notice = "there is no backend " + region.report.backend + " here";
    }
    Result<std::unique_ptr<CompiledRegion>> compiled = backend->compile(module_, region.function, options);
    if (!compiled) {
        region.failure = compiled.error();
        return false;
    }
    region.compiled = std::move(*compiled);
    region.report.executed_by = backend->name();
    return true;
}

}  // namespace partita
