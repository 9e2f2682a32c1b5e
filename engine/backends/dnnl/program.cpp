#include "engine/backends/dnnl/program.h"

#include <omp.h>

#include <algorithm>
#include <chrono>

#include "engine/ops/quiet_nan.h"
#include "engine/program/memory_plan.h"

namespace partita::onednn {

BufferId Program::add_buffer(Buffer buffer) {
    buffers_.push_back(buffer);
    return BufferId(buffers_.size() - 1);
}

SlotId Program::add_slot(const dnnl::memory::desc& desc, BufferId buffer) {
    slots_.push_back({dnnl::memory(desc, engine_, DNNL_MEMORY_NONE), buffer});
    return SlotId(slots_.size() - 1);
}

SlotId Program::add_fixed(const dnnl::memory& memory) {
    Buffer buffer;
    buffer.kind = Buffer::Kind::Fixed;
    buffer.bytes = memory.get_desc().get_size();
    buffer.data = memory.get_data_handle();
    slots_.push_back({memory, add_buffer(buffer)});
    return SlotId(slots_.size() - 1);
}

void Program::touch(BufferId id) {
    Buffer& buffer = buffers_[id];
    buffer.first = std::min(buffer.first, next_step());
    buffer.last = std::max(buffer.last, next_step());
}

std::pair<BufferId, size_t> Program::root(BufferId id) const {
    size_t offset = 0;
    while (buffers_[id].parent != kNone) {
        offset += buffers_[id].parent_offset;
        id = buffers_[id].parent;
    }
    return {id, offset};
}

void Program::finish() {
    for (BufferId id = 0; id < buffers_.size(); ++id) {
        if (buffers_[id].parent == kNone || buffers_[id].first == kNone) continue;
        Buffer& whole = buffers_[root(id).first];
        whole.first = std::min(whole.first, buffers_[id].first);
        whole.last = std::max(whole.last, buffers_[id].last);
    }
    std::vector<std::pair<MemoryBlock, BufferId>> blocks;
    for (BufferId id = 0; id < buffers_.size(); ++id) {
        const Buffer& buffer = buffers_[id];
        if (buffer.kind != Buffer::Kind::Arena || buffer.parent != kNone || buffer.first == kNone) continue;
        blocks.push_back({{std::max<size_t>(buffer.bytes, 1), buffer.first, buffer.last}, id});
    }
    std::stable_sort(blocks.begin(), blocks.end(), [](auto& a, auto& b) { return a.first.first < b.first.first; });
    std::vector<MemoryBlock> only;
    for (auto& [block, id] : blocks) only.push_back(block);
    MemoryPlan plan = plan_memory(only);
    offsets_.assign(buffers_.size(), 0);
    for (size_t i = 0; i < blocks.size(); ++i) offsets_[blocks[i].second] = plan.offsets[i];
    arena_bytes_ = plan.arena_bytes;
    unshared_bytes_ = plan.block_bytes;
}

PlannedMemory Program::memory() const {
    PlannedMemory memory;
    for (const ProgramStep& step : steps_) memory.steps.push_back({step.expr, step.region});
    for (BufferId id = 0; id < buffers_.size(); ++id) {
        const Buffer& buffer = buffers_[id];
        if (buffer.kind != Buffer::Kind::Arena || buffer.parent != kNone || buffer.first == kNone) continue;
        const bool is_workspace = buffer.first < steps_.size() && steps_[buffer.first].workspace == id;
        memory.blocks.push_back({{buffer.bytes, buffer.first, buffer.last}, offsets_[id], 0, is_workspace});
    }
    std::stable_sort(memory.blocks.begin(), memory.blocks.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    return memory;
}

void* Program::address(BufferId id, const RegionRun& run) const {
    auto [whole, offset] = root(id);
    const Buffer& buffer = buffers_[whole];
    std::byte* base = nullptr;
    switch (buffer.kind) {
        case Buffer::Kind::Input: base = static_cast<std::byte*>(run.inputs[buffer.index].data); break;
        case Buffer::Kind::Output: base = static_cast<std::byte*>(run.outputs[buffer.index].data); break;
        case Buffer::Kind::Fixed: base = static_cast<std::byte*>(const_cast<void*>(buffer.data)); break;
        case Buffer::Kind::Arena: base = static_cast<std::byte*>(run.workspace) + offsets_[whole]; break;
    }
    return base + offset;
}

void Program::bind(const RegionRun& run) {
    std::vector<const void*> pointers = run.pointers();
    if (pointers == bound_) return;
    for (Slot& slot : slots_)
        if (buffers_[slot.buffer].kind != Buffer::Kind::Fixed || buffers_[slot.buffer].parent != kNone ||
            slot.memory.get_data_handle() == nullptr)
            slot.memory.set_data_handle(address(slot.buffer, run));
    for (ProgramStep& step : steps_)
        for (size_t i = 0; i < step.views.size(); ++i) step.views[i].data = address(step.view_buffers[i], run);
    bound_ = std::move(pointers);
}

Status Program::run_step(ProgramStep& step, const RegionRun& run) {
    std::span<const TensorView> views(step.views);
    std::span<const TensorView> inputs = views.first(step.input_count), outputs = views.subspan(step.input_count);
    if (step.op) return step.op->kernel({inputs, outputs, AttributesView(*step.op, *step.attributes), run.threads});
    if (step.compute) {
        void* workspace = step.workspace == kNone ? nullptr : address(step.workspace, run);
        step.compute({views, workspace, run.threads.threads()});
        return Nothing();
    }
    if (step.other) {
        times_of_other_.clear();
        return step.other->run({inputs, outputs, run.threads, run.op_times ? &times_of_other_ : nullptr, run.cancel,
                                address(step.workspace, run)});
    }
    if (step.is_small) omp_set_num_threads(1);
    step.primitive.execute(stream_, step.arguments);
    if (step.is_small) omp_set_num_threads(run.threads.threads());
    return Nothing();
}

bool Program::is_given_nan(const RegionRun& run) const {
    const auto has_it = [&](const Buffer& buffer) {
        return buffer.kind == Buffer::Kind::Input && buffer.first != kNone && has_nan(run.inputs[buffer.index]);
    };
    return mixes() && (knows_nan_ || std::any_of(buffers_.begin(), buffers_.end(), has_it));
}

/// Runs a step. Kernels of `default`, and those that treat NaN alike, note nothing but NaN that would spread; only the
/// latter run on all threads.
Status Program::run_noted(ProgramStep& step, const RegionRun& run, NanNotes& notes) {
    if (!step.op && !step.other && !step.keeps_nan) return run_step(step, run);
    notes.begin_harmless(step.keeps_nan);
    Status done = run_step(step, run);
    notes.end_harmless(step.keeps_nan);
    if (done && mixes() && &step - steps_.data() < last_mixing_)
        notes.add(std::any_of(step.views.begin() + step.input_count, step.views.end(), has_nan));
    return done;
}

void Program::note_time(const ProgramStep& step, double milliseconds, std::vector<OpTime>& times) {
    if (step.shares.empty()) times.push_back({step.expr, milliseconds, step.region, false, step.is_copy, step.change});
    for (const auto& [expr, share] : step.shares) times.push_back({expr, milliseconds * share, step.region});
}

Status Program::run(const RegionRun& run, NanNotes& notes) {
    using Clock = std::chrono::steady_clock;
    omp_set_num_threads(run.threads.threads());
    try {
        bind(run);
        Clock::time_point before = Clock::now();
        for (ProgramStep& step : steps_) {
            if (run.cancel.cancelled()) return error("cancelled");
            if (Status done = run_noted(step, run, notes); !done) return done;
            if (!run.op_times) continue;
            Clock::time_point after = Clock::now();
            note_time(step, std::chrono::duration<double, std::milli>(after - before).count(), *run.op_times);
            before = after;
            if (!step.other) continue;
            for (const OpTime& time : times_of_other_)
                run.op_times->push_back({time.expr, time.milliseconds, step.region, true});
        }
        stream_.wait();
    } catch (const dnnl::error& failure) {
        return error(std::string("oneDNN: ") + failure.what());
    }
    return Nothing();
}

Listing Program::listing() const {
    Listing listing;
    uint32_t line = 0;
    for (const ProgramStep& step : steps_) {
        listing.text += step.what + "\n";
        ++line;
        if (step.expr.valid()) listing.lines.push_back({line, line, step.expr});
    }
    return listing;
}

}  // namespace partita::onednn
