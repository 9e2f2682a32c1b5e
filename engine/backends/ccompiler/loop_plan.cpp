#include "engine/backends/ccompiler/loop_plan.h"

#include <algorithm>
#include <map>

#include "engine/ops/registry.h"
#include "engine/program/memory_plan.h"

namespace partita {

namespace {

/// A loop with more ops takes compilers too long.
constexpr size_t kMostOpsInALoop = 200;

class LoopPlanner {
public:
    LoopPlanner(const TypeTable& types, const FlatGraph& graph) : types_(types), graph_(graph) {}

    CLoopPlan run() {
        find_shared_memory();
        group_steps();
        place_values();
        return std::move(plan_);
    }

private:
    static constexpr uint32_t kNone = CLoopPlan::kNone;

    /// Returns null for a call of a sub-function.
    const OpRecord* op(uint32_t step) const {
        return graph_.steps[step].op.valid() ? &op_registry()[graph_.steps[step].op] : nullptr;
    }
    bool is_elementwise(uint32_t step) const { return op(step) && op(step)->c_element; }
    std::span<const int64_t> shape(ValueId value) const { return types_.shape(graph_.values[value].type); }
    size_t bytes(ValueId value) const {
        return size_t(element_count(shape(value)).value_or(0)) * types_.dtype(graph_.values[value].type).bytes();
    }

    bool is_alias(uint32_t step) const {
        return op(step) && op(step)->same_bytes && !op(step)->c_element && graph_.steps[step].output_count == 1 &&
               graph_.steps[step].input_count >= 1;
    }

    void find_shared_memory() {
        plan_.memory_of.resize(graph_.values.size());
        for (ValueId value = 0; value < plan_.memory_of.size(); ++value) plan_.memory_of[value] = value;
        for (uint32_t i = 0; i < graph_.steps.size(); ++i)
            if (is_alias(i))
                plan_.memory_of[graph_.steps[i].first_output] = plan_.memory_of[graph_.step_inputs(graph_.steps[i])[0]];
    }

    /// Puts each step into the first possible loop: not before the loops that make its operands, and only together with
    /// elementwise steps of its shape.
    void group_steps() {
        plan_.loop_of.assign(graph_.values.size(), kNone);
        std::map<std::vector<int64_t>, std::vector<uint32_t>> by_shape;
        for (uint32_t i = 0; i < graph_.steps.size(); ++i) {
            const FlatStep& step = graph_.steps[i];
            if (is_alias(i)) {
                plan_.loop_of[step.first_output] = plan_.loop_of[plan_.memory_of[step.first_output]];
                continue;
            }
            uint32_t earliest = 0;
            for (ValueId value : graph_.step_inputs(step)) {
                if (plan_.loop_of[value] == kNone) continue;
                bool direct =
                    plan_.memory_of[value] == value && is_elementwise(i) && same_shape(value, step.first_output);
                earliest = std::max(earliest, plan_.loop_of[value] + (direct ? 0 : 1));
            }
            uint32_t chosen = kNone;
            if (is_elementwise(i)) {
                std::span<const int64_t> dims = shape(step.first_output);
                std::vector<uint32_t>& candidates = by_shape[std::vector<int64_t>(dims.begin(), dims.end())];
                auto fit = std::lower_bound(candidates.begin(), candidates.end(), earliest);
                for (; fit != candidates.end() && chosen == kNone; ++fit)
                    if (plan_.loops[*fit].steps.size() < kMostOpsInALoop) chosen = *fit;
                if (chosen == kNone) {
                    candidates.push_back(uint32_t(plan_.loops.size()));
                    plan_.loops.push_back({true, graph_.values[step.first_output].type, {}});
                }
            } else {
                plan_.loops.push_back({});
            }
            if (chosen == kNone) chosen = uint32_t(plan_.loops.size() - 1);
            plan_.loops[chosen].steps.push_back(i);
            for (uint32_t k = 0; k < step.output_count; ++k) plan_.loop_of[step.first_output + k] = chosen;
        }
    }

    bool same_shape(ValueId a, ValueId b) const {
        std::span<const int64_t> x = shape(a), y = shape(b);
        return std::equal(x.begin(), x.end(), y.begin(), y.end());
    }

    /// Assigns each value that outlives its loop an output or a part of the workspace.
    void place_values() {
        plan_.output_of.assign(graph_.values.size(), kNone);
        plan_.stored.assign(graph_.values.size(), false);
        std::vector<uint32_t> last(graph_.values.size(), 0);
        for (uint32_t k = 0; k < graph_.outputs.size(); ++k) {
            ValueId value = graph_.outputs[k];
            ValueId owner = plan_.memory_of[value];
            bool made_here = graph_.values[owner].source == FlatValue::Source::Step;
            if (made_here) plan_.stored[owner] = true;
            if (made_here && owner == value && plan_.output_of[value] == kNone) plan_.output_of[value] = k;
            else plan_.copies.push_back({k, value});
            last[owner] = uint32_t(plan_.loops.size());
        }
        for (uint32_t i = 0; i < plan_.loops.size(); ++i)
            for (uint32_t step : plan_.loops[i].steps)
                for (ValueId value : graph_.step_inputs(graph_.steps[step])) {
                    ValueId owner = plan_.memory_of[value];
                    bool in_loop = plan_.loops[i].elementwise && owner == value && plan_.loop_of[value] == i;
                    if (!in_loop) plan_.stored[owner] = true;
                    last[owner] = std::max(last[owner], i);
                }
        for (uint32_t i = 0; i < plan_.loops.size(); ++i)
            if (!plan_.loops[i].elementwise)
                for (uint32_t step : plan_.loops[i].steps)
                    for (uint32_t k = 0; k < graph_.steps[step].output_count; ++k) {
                        plan_.stored[graph_.steps[step].first_output + k] = true;
                        last[graph_.steps[step].first_output + k] =
                            std::max(last[graph_.steps[step].first_output + k], i);
                    }
        plan_workspace(last);
    }

    void plan_workspace(const std::vector<uint32_t>& last) {
        std::vector<std::pair<MemoryBlock, ValueId>> blocks;
        for (ValueId value = 0; value < graph_.values.size(); ++value) {
            if (graph_.values[value].source != FlatValue::Source::Step || plan_.memory_of[value] != value) continue;
            if (!plan_.stored[value] || plan_.output_of[value] != kNone) continue;
            const size_t size = std::max<size_t>(bytes(value), 1);
            blocks.push_back({{size, plan_.loop_of[value], std::max(last[value], plan_.loop_of[value])}, value});
        }
        std::stable_sort(blocks.begin(), blocks.end(), [](auto& a, auto& b) { return a.first.first < b.first.first; });
        std::vector<MemoryBlock> only;
        for (auto& [block, value] : blocks) only.push_back(block);
        MemoryPlan plan = plan_memory(only);
        plan_.offset.assign(graph_.values.size(), 0);
        for (size_t i = 0; i < blocks.size(); ++i) plan_.offset[blocks[i].second] = plan.offsets[i];
        plan_.workspace_bytes = plan.arena_bytes;
    }

    const TypeTable& types_;
    const FlatGraph& graph_;
    CLoopPlan plan_;
};

}  // namespace

CLoopPlan plan_loops(const TypeTable& types, const FlatGraph& graph) { return LoopPlanner(types, graph).run(); }

}  // namespace partita
