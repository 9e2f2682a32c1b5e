#include "engine/flow/collect_regions.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "engine/flow/names.h"
#include "engine/ops/annotations.h"
#include "engine/ops/cost.h"
#include "engine/ops/registry.h"
#include "engine/passes/op_builder.h"

namespace partita {

namespace {

class RegionCollector {
public:
    RegionCollector(FlowResult& flow, const FlowOptions& options)
        : flow_(flow), options_(options), seen_(flow.partitioned->size()) {}

    void collect_regions();
    void collect_carried();

private:
    void collect_region(ExprId function, std::string name);

    FlowResult& flow_;
    const FlowOptions& options_;
    std::vector<uint8_t> seen_;  ///< by expression of the partitioned module
    std::vector<ExprId> stack_;  ///< for collect_region; empty between calls
};

void RegionCollector::collect_region(ExprId function, std::string name) {
    const Module& module = *flow_.partitioned;
    const FunctionInfo& info = module.function_info(function);
    const TypeTable& types = module.types();
    RegionInfo region;
    region.backend_name = info.string_attribute("Compiler");
    region.function = std::move(name);
    for (size_t i = 0; i < options_.backends.size(); ++i)
        if (options_.backends[i].name == region.backend_name) region.backend = int(i);
    region.inputs = int(module.parameters(function).size());
    region.outputs = tensor_count(types, module.type(module.body(function)));
    for (ExprId parameter : module.parameters(function))
        region.boundary_bytes += type_bytes(types, module.type(parameter));
    region.boundary_bytes += type_bytes(types, module.type(module.body(function)));
    stack_.push_back(module.body(function));
    while (!stack_.empty()) {
        ExprId id = stack_.back();
        stack_.pop_back();
        if (seen_[id.value]) continue;
        seen_[id.value] = true;
        for (ExprId operand : module.operands(id))
            if (!seen_[operand.value]) stack_.push_back(operand);
        region.flops += call_flops(module, id);
        ExprKind kind = module.kind(id);
        ExprId origin = module.origin(id);
        if ((kind != ExprKind::Call && kind != ExprKind::Tuple && kind != ExprKind::Projection) || !origin.valid())
            continue;
        if (flow_.region_of[origin.value] >= 0) continue;
        flow_.region_of[origin.value] = int32_t(flow_.regions.size());
        flow_.backend_of[origin.value] = int16_t(region.backend);
        region.expressions.push_back(origin);
    }
    flow_.regions.push_back(std::move(region));
}

void RegionCollector::collect_regions() {
    const Module& module = *flow_.partitioned;
    flow_.regions.reserve(module.functions().size());
    for (const GlobalFunction& global : functions_in_natural_order(module)) {
        if (module.function_info(global.function).attribute("Compiler"))
            collect_region(global.function, std::string(module.names().text(global.name)));
    }
    if (options_.partition_options.style == PartitionStyle::Global && !carries_regions(*flow_.input)) return;
    std::vector<bool> is_global(module.size());
    for (const GlobalFunction& global : module.functions()) is_global[global.function.value] = true;
    for (uint32_t i = 0; i < module.size(); ++i) {
        ExprId id(i);
        if (module.kind(id) != ExprKind::Function || is_global[i] || !module.function_info(id).attribute("Compiler"))
            continue;
        collect_region(id, std::string(module.function_info(id).string_attribute("ExternalSymbol")));
    }
}

/// Collects the calls of regions that were functions in the input already, and what these contain.
void RegionCollector::collect_carried() {
    const Module& input = *flow_.input;
    if (!carries_regions(input)) return;
    std::unordered_map<std::string_view, int32_t> region_named;
    for (size_t i = 0; i < flow_.regions.size(); ++i) region_named.emplace(flow_.regions[i].function, int32_t(i));
    const Module& module = *flow_.partitioned;
    flow_.carried = opaque_expressions(input);
    for (uint32_t i = 0; i < module.size(); ++i) {
        const ExprId call(i), origin = module.origin(call);
        if (module.kind(call) != ExprKind::Call || !origin.valid() ||
            module.kind(module.callee(call)) != ExprKind::GlobalVar)
            continue;
        const auto region = region_named.find(module.name(module.callee(call)));
        if (region == region_named.end()) continue;
        flow_.region_of[origin.value] = region->second;
        flow_.backend_of[origin.value] = int16_t(flow_.regions[size_t(region->second)].backend);
        flow_.carried[origin.value] = true;
    }
}

}  // namespace

void collect_regions(FlowResult& flow, const FlowOptions& options) {
    RegionCollector collector(flow, options);
    collector.collect_regions();
    collector.collect_carried();
}

void collect_transparent_calls(FlowResult& flow, const FlowOptions& options) {
    const Module& input = *flow.input;
    const auto vanished = [&](ExprId id) {
        const OpRecord* op = called_op_record(input, id);
        const int16_t backend = flow.backend_of[id.value];
        return op && backend >= 0 && flow.region_of[id.value] < 0 &&
               options.backends[size_t(backend)].is_transparent(op->name);
    };
    const auto join = [&](ExprId call, ExprId neighbour) {
        const int32_t region = flow.region_of[neighbour.value];
        if (region < 0 || flow.regions[size_t(region)].backend != flow.backend_of[call.value]) return;
        flow.region_of[call.value] = region;
        flow.regions[size_t(region)].expressions.push_back(call);
    };
    for (uint32_t i = 0; i < input.size(); ++i)
        if (ExprId id(i); vanished(id) && !input.arguments(id).empty()) join(id, input.arguments(id)[0]);
    for (uint32_t i = input.size(); i-- > 0;)
        for (ExprId operand : input.operands(ExprId(i)))
            if (vanished(operand)) join(operand, ExprId(i));
}

}  // namespace partita
