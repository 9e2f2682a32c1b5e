#include "engine/program/straight_line.h"

#include <algorithm>
#include <cstring>

#include "engine/ops/registry.h"
#include "engine/program/memory_plan.h"
#include "engine/support/stopwatch.h"

namespace partita {

namespace {

constexpr uint32_t kNoOutput = UINT32_MAX;

TensorView view_of(const TypeTable& types, TypeId type) { return {nullptr, types.dtype(type), types.shape(type)}; }

}  // namespace

Result<std::unique_ptr<StraightLine>> StraightLine::make(const Module& module, FlatGraph graph,
                                                         std::vector<CompiledRegion*> regions) {
    std::unique_ptr<StraightLine> made(new StraightLine(module, std::move(graph)));
    if (Status planned = made->plan(std::move(regions)); !planned) return planned.error();
    return made;
}

Status StraightLine::plan(std::vector<CompiledRegion*> regions) {
    std::vector<bool> is_output(graph_.values.size());
    for (ValueId value : graph_.outputs) is_output[value] = true;
    memory_of_.resize(graph_.values.size());
    for (ValueId value = 0; value < memory_of_.size(); ++value) memory_of_[value] = value;

    instructions_.reserve(graph_.steps.size());
    static const AttributeList no_attributes;
    static const OpRecord no_op;
    for (size_t i = 0; i < graph_.steps.size(); ++i) {
        const FlatStep& step = graph_.steps[i];
        Instruction instruction{
            nullptr,          nullptr,          AttributesView(no_op, no_attributes), uint32_t(views_.size()),
            step.input_count, step.output_count};
        if (step.op.valid()) {
            const OpRecord& op = op_registry()[step.op];
            if (!op.kernel) return error(op.name + " has no kernel on default", module_.position(step.expr));
            instruction.attributes = attributes_of(module_, step.expr);
            if (op.same_bytes && step.output_count == 1 && step.input_count >= 1 && !is_output[step.first_output])
                memory_of_[step.first_output] = memory_of_[graph_.step_inputs(step)[0]];
            else instruction.kernel = op.kernel;
        } else {
            instruction.region = regions[i];
            region_bytes_ = std::max(region_bytes_, (regions[i]->workspace_bytes() + 63) / 64 * 64);
        }
        for (ValueId value : graph_.step_inputs(step)) view_values_.push_back(value);
        for (uint32_t k = 0; k < step.output_count; ++k) view_values_.push_back(step.first_output + k);
        while (views_.size() < view_values_.size())
            views_.push_back(view_of(module_.types(), graph_.values[view_values_[views_.size()]].type));
        instructions_.push_back(instruction);
    }
    region_op_times_.resize(graph_.steps.size());
    plan_memory_of_values();
    return Nothing();
}

void StraightLine::plan_memory_of_values() {
    output_of_.assign(graph_.values.size(), kNoOutput);
    for (uint32_t k = 0; k < graph_.outputs.size(); ++k) {
        ValueId value = graph_.outputs[k];
        bool free = graph_.values[value].source == FlatValue::Source::Step && memory_of_[value] == value;
        if (free && output_of_[value] == kNoOutput) {
            output_of_[value] = k;
        } else {
            copies_.push_back({k, value});
            copied_bytes_ += view_of(module_.types(), graph_.values[value].type).byte_size();
        }
    }
    std::vector<uint32_t> last(graph_.values.size(), 0);
    for (uint32_t i = 0; i < graph_.steps.size(); ++i) {
        const FlatStep& step = graph_.steps[i];
        for (ValueId value : graph_.step_inputs(step)) last[memory_of_[value]] = i;
        for (uint32_t k = 0; k < step.output_count; ++k) last[memory_of_[step.first_output + k]] = i;
    }
    // Outputs that are copied at the end must live until then.
    for (const Copy& copy : copies_) last[memory_of_[copy.value]] = uint32_t(graph_.steps.size());

    std::vector<MemoryBlock> blocks;
    std::vector<ValueId> owners;
    for (ValueId value = 0; value < graph_.values.size(); ++value) {
        const FlatValue& made = graph_.values[value];
        if (made.source != FlatValue::Source::Step || memory_of_[value] != value || output_of_[value] != kNoOutput)
            continue;
        blocks.push_back(
            {std::max<size_t>(view_of(module_.types(), made.type).byte_size(), 1), made.index, last[value]});
        owners.push_back(value);
    }
    MemoryPlan memory = plan_memory(blocks);
    offset_.assign(graph_.values.size(), 0);
    for (size_t i = 0; i < owners.size(); ++i) {
        offset_[owners[i]] = memory.offsets[i];
        const uint32_t output = owners[i] - graph_.steps[blocks[i].first].first_output;
        blocks_.push_back({blocks[i], memory.offsets[i], output, false});
    }
    arena_bytes_ = memory.arena_bytes;
    unshared_bytes_ = memory.block_bytes;
}

PlannedMemory StraightLine::memory() const {
    if (plan_) return plan_->plan().memory();
    PlannedMemory memory;
    memory.blocks = blocks_;
    for (uint32_t i = 0; i < graph_.steps.size(); ++i) {
        memory.steps.push_back({graph_.steps[i].expr, FlatGraph::kNoGroup});
        const CompiledRegion* region = instructions_[i].region;
        if (region && region->workspace_bytes() > 0)
            memory.blocks.push_back({{region->workspace_bytes(), i, i}, arena_bytes_, 0, true});
    }
    std::stable_sort(memory.blocks.begin(), memory.blocks.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    return memory;
}

void* StraightLine::address(ValueId value, const RegionRun& run) const {
    ValueId owner = memory_of_[value];
    const FlatValue& source = graph_.values[owner];
    switch (source.source) {
        case FlatValue::Source::Input: return run.inputs[source.index].data;
        case FlatValue::Source::Constant:
            return const_cast<void*>(module_.constant_value(ConstantId(source.index)).bytes());
        case FlatValue::Source::Folded: return const_cast<void*>(graph_.folded[source.index].bytes());
        case FlatValue::Source::Step: break;
    }
    if (output_of_[owner] != kNoOutput) return run.outputs[output_of_[owner]].data;
    return static_cast<std::byte*>(run.workspace) + offset_[owner];
}

void StraightLine::bind(const RegionRun& run) {
    std::vector<const void*> pointers = run.pointers();
    if (pointers == bound_) return;
    bound_ = std::move(pointers);

    for (size_t i = 0; i < views_.size(); ++i) views_[i].data = address(view_values_[i], run);
}

Status StraightLine::run_step(size_t number, const RegionRun& run) {
    if (run.cancel.cancelled()) return error("cancelled");
    const Instruction& step = instructions_[number];
    std::span<const TensorView> inputs(views_.data() + step.views_begin, step.input_count);
    std::span<const TensorView> outputs(views_.data() + step.views_begin + step.input_count, step.output_count);
    if (step.kernel) {
        Status done = step.kernel({inputs, outputs, step.attributes, run.threads});
        if (done) return done;
        Diagnostic failure = done.error();
        if (!failure.position.line) failure.position = module_.position(graph_.steps[number].expr);
        return failure;
    }
    if (!step.region) return Nothing();
    std::vector<OpTime>& times = region_op_times_[number];
    times.clear();
    void* workspace = static_cast<std::byte*>(run.workspace) + arena_bytes_;
    return step.region->run({inputs, outputs, run.threads, run.op_times ? &times : nullptr, run.cancel, workspace});
}

Status StraightLine::run_steps(const RegionRun& run, double* step_ms) {
    Stopwatch watch;
    for (size_t i = 0; i < instructions_.size(); ++i) {
        if (Status done = run_step(i, run); !done) return done;
        if (step_ms) step_ms[i] = watch.lap();
    }
    return Nothing();
}

void StraightLine::copy_outputs(const RegionRun& run) {
    Stopwatch watch;
    for (const Copy& copy : copies_) {
        size_t bytes = view_of(module_.types(), graph_.values[copy.value].type).byte_size();
        if (bytes) std::memcpy(run.outputs[copy.output].data, address(copy.value, run), bytes);
    }
    if (!copies_.empty()) copy_milliseconds_ = watch.milliseconds();
}

Status StraightLine::run(const RegionRun& run, double* step_ms) {
    if (plan_) return plan_->run(run, graph_, step_ms, region_op_times_);
    bind(run);
    if (Status done = run_steps(run, step_ms); !done) return done;
    copy_outputs(run);
    return Nothing();
}

}  // namespace partita
