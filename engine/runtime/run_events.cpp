#include "engine/runtime/run_events.h"

#include <algorithm>

#include "engine/ir/called_function.h"
#include "engine/ops/registry.h"

namespace partita {

namespace {

constexpr size_t kMostEvents = 200000;

}  // namespace

std::unordered_map<ExprId, int> RunEvents::region_places(const FlatGraph& graph) const {
    bool has_default = regions_.regions().empty();
    for (const FlatStep& step : graph.steps) has_default |= step.op.valid();
    std::unordered_map<ExprId, int> index;
    int next = has_default ? 1 : 0;
    for (const Region& region : regions_.regions()) index[region.function] = next++;
    return index;
}

MemoryUse RunEvents::memory_use(const StraightLine& line) const {
    MemoryUse memory;
    const PlannedMemory planned = line.memory();
    if (planned.steps.size() > kMostEvents) return memory;
    const std::unordered_map<ExprId, int> places = region_places(line.graph());
    std::vector<ExprId> function_of;  // by step: the sub-function that it runs, or that it is inside of
    for (const PlannedMemory::Step& step : planned.steps) {
        const bool inside = step.region != FlatGraph::kNoGroup && step.region < line.plan_regions().size();
        function_of.push_back(inside ? line.plan_regions()[step.region].function : called_region(step.expr));
        MemoryUse::Step& told = memory.steps.emplace_back(memory_step(step.expr, function_of.back(), 0, places));
        if (!inside && function_of.back().valid()) {
            told.name = regions_.find(function_of.back())->report.name;
            told.origin = ExprId();
        }
    }
    for (const PlannedMemory::Block& block : planned.blocks) {
        const size_t first = std::min<size_t>(block.first, planned.steps.size() - 1);
        MemoryUse::Step owner = memory_step(planned.steps[first].expr, function_of[first], block.output, places);
        memory.blocks.push_back(
            {std::move(owner), block.bytes, block.offset, block.first, block.last, block.workspace});
    }
    return memory;
}

ExprId RunEvents::called_region(ExprId expr) const {
    const ExprId function = expr.valid() ? called_function(module_, expr) : ExprId();
    return function.valid() && regions_.contains(function) ? function : ExprId();
}

MemoryUse::Step RunEvents::memory_step(ExprId expr, ExprId function, uint32_t output,
                                       const std::unordered_map<ExprId, int>& places) const {
    MemoryUse::Step step;
    const auto place = places.find(function);
    step.region = place == places.end() ? 0 : place->second;
    ExprId made = expr;
    if (expr.valid() && function.valid() && called_region(expr) == function) {
        made = module_.body(function);
        if (module_.kind(made) == ExprKind::Tuple && output < module_.operands(made).size())
            made = module_.operands(made)[output];
    }
    if (!made.valid()) {
        step.name = "change of layout";
        return step;
    }
    const OpRecord* op = called_op_record(module_, made);
    step.name = op ? op->name : "call";
    step.origin = module_.origin(made);
    return step;
}

std::vector<TraceEvent> RunEvents::trace(const StraightLine& line, std::span<const double> step_ms) const {
    std::vector<TraceEvent> events;
    const std::vector<FlatStep>& steps = line.graph().steps;
    std::unordered_map<ExprId, int> index = region_places(line.graph());
    double at = 0;
    for (size_t i = 0; i < steps.size() && events.size() < kMostEvents; ++i) {
        if (steps[i].op.valid()) events.push_back(of_op(steps[i], at, step_ms[i]));
        else add_region(events, steps[i], at, step_ms[i], index[steps[i].function], line.region_op_times()[i]);
        at += step_ms[i];
    }
    if (line.copies() > 0)
        events.push_back({"copies of outputs", at, line.copy_milliseconds(), -1, TraceEvent::Kind::Copy, {}});
    return events;
}

TraceEvent RunEvents::of_op(const FlatStep& step, double start, double milliseconds) const {
    return {op_registry()[step.op].name, start, milliseconds, 0, TraceEvent::Kind::Op, module_.origin(step.expr)};
}

void RunEvents::add_region(std::vector<TraceEvent>& events, const FlatStep& step, double start, double milliseconds,
                           int region, const std::vector<OpTime>& inside) const {
    events.push_back(
        {regions_.find(step.function)->report.name, start, milliseconds, region, TraceEvent::Kind::Region, {}});
    double at = start;
    for (const OpTime& op : inside) {
        events.push_back(event_inside(op, at, region));
        at += op.milliseconds;
    }
}

TraceEvent RunEvents::event_inside(const OpTime& op, double start, int region) const {
    if (op.expr.valid()) {
        const OpRecord* record = called_op_record(module_, op.expr);
        return {record ? record->name : "call", start, op.milliseconds, region, TraceEvent::Kind::Op,
                module_.origin(op.expr)};
    }
    if (op.is_copy) return {"copy over the border", start, op.milliseconds, region, TraceEvent::Kind::Copy, {}};
    return {"change of layout", start, op.milliseconds, region, TraceEvent::Kind::LayoutChange, {}};
}

}  // namespace partita
