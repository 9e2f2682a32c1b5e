// A region as oneDNN primitives over planned memory: the result of the lowering, which a run executes.
//
// Buffers are places in memory, not yet addresses: inputs and outputs of the region, fixed data (weights in the layout
// that a primitive chose), and blocks of the arena that are live from one step to another. A buffer may be part of
// another one, which makes a concatenation free. Slots are oneDNN's memory objects on buffers.
#pragma once

#include <dnnl.hpp>

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/backends/dnnl/nan_notes.h"
#include "engine/program/backend.h"
#include "engine/support/large_memory.h"

namespace partita::onednn {

using BufferId = uint32_t;
using SlotId = uint32_t;
inline constexpr uint32_t kNone = UINT32_MAX;

struct Buffer {
    enum class Kind : uint8_t { Arena, Input, Output, Fixed };
    Kind kind = Kind::Arena;
    size_t bytes = 0;
    uint32_t index = 0;                ///< of the input or output
    const void* data = nullptr;        ///< for a fixed one
    uint32_t first = kNone, last = 0;  ///< first and last step of its live range
    BufferId parent = kNone;
    size_t parent_offset = 0;
};

struct Slot {
    dnnl::memory memory;
    BufferId buffer;
};

struct OwnKernelCall {
    std::span<const TensorView> views;  ///< of the inputs, then the outputs
    void* workspace;
    int threads;
};

/// A primitive; a kernel of `default` if `op` is set; a kernel of this backend if `compute` is; or a region of another
/// backend if `other` is.
struct ProgramStep {
    dnnl::primitive primitive;
    std::unordered_map<int, dnnl::memory> arguments;
    const OpRecord* op = nullptr;
    CompiledRegion* other = nullptr;
    std::function<void(const OwnKernelCall& call)> compute;
    BufferId workspace = kNone;  ///< of the other region, or of the backend's kernel
    const AttributeList* attributes = nullptr;
    std::vector<TensorView> views;
    std::vector<BufferId> view_buffers;
    uint32_t input_count = 0;
    ExprId expr;                                         ///< its time counts for it
    std::vector<std::pair<ExprId, double>> shares = {};  ///< or for several: parts that add up to 1
    uint32_t region = kNone;                             ///< of a plan; its time counts for it
    uint32_t change = kNone;                             ///< of a plan's layout changes
    bool is_copy = false;                                ///< of an output that is another value
    bool is_small = false;                               ///< a primitive that is not worth a second thread
    bool keeps_nan = false;                              ///< `compute` treats NaN as the kernels of `default`
    std::string what;                                    ///< for the listing
};

class Program {
public:
    explicit Program(dnnl::engine engine) : engine_(std::move(engine)), stream_(engine_) {}

    const dnnl::engine& engine() const { return engine_; }
    dnnl::stream& stream() { return stream_; }

    // Building.
    BufferId add_buffer(Buffer buffer);
    Buffer& buffer(BufferId id) { return buffers_[id]; }
    SlotId add_slot(const dnnl::memory::desc& desc, BufferId buffer);
    /// Memory for known values, such as a reordered weight. It lives as long as the program.
    dnnl::memory fixed_memory(const dnnl::memory::desc& desc) { return {desc, engine_, pool_.take(desc.get_size())}; }
    SlotId add_fixed(const dnnl::memory& memory);
    const Slot& slot(SlotId id) const { return slots_[id]; }
    uint32_t next_step() const { return uint32_t(steps_.size()); }
    /// Marks a buffer as used by the next step to be added.
    void touch(BufferId id);
    void add_step(ProgramStep step) { steps_.push_back(std::move(step)); }
    std::vector<ProgramStep>& steps() { return steps_; }
    /// Returns the outermost buffer that contains a buffer, and the offset in it.
    std::pair<BufferId, size_t> root(BufferId id) const;
    /// Notes that the next step multiplies by zero what its operator would not read: a tile, or the channels of other
    /// groups. NaN that is given to it would spread without a flag.
    void note_mixing() { last_mixing_ = next_step(); }
    bool mixes() const { return last_mixing_ != kNone; }
    void note_known_nan() { knows_nan_ = true; }
    /// Plans the arena. Nothing may be added afterwards.
    void finish();

    // Running.
    size_t workspace_bytes() const { return arena_bytes_; }
    size_t unshared_bytes() const { return unshared_bytes_; }
    PlannedMemory memory() const;
    /// Returns whether an input, or a constant, has NaN that would spread.
    bool is_given_nan(const RegionRun& run) const;
    Status run(const RegionRun& run, NanNotes& notes);
    /// Returns one line for each step.
    Listing listing() const;

private:
    void bind(const RegionRun& run);
    Status run_step(ProgramStep& step, const RegionRun& run);
    Status run_noted(ProgramStep& step, const RegionRun& run, NanNotes& notes);
    static void note_time(const ProgramStep& step, double milliseconds, std::vector<OpTime>& times);
    void* address(BufferId id, const RegionRun& run) const;

    dnnl::engine engine_;
    dnnl::stream stream_;
    std::vector<Buffer> buffers_;
    std::vector<Slot> slots_;
    std::vector<ProgramStep> steps_;
    MemoryPool pool_;
    std::vector<size_t> offsets_;
    std::vector<const void*> bound_;
    std::vector<OpTime> times_of_other_;
    size_t arena_bytes_ = 0, unshared_bytes_ = 0;
    uint32_t last_mixing_ = kNone;
    bool knows_nan_ = false;
};

}  // namespace partita::onednn
