// Planes of row-major values: transpositions that only change their order wait until something needs them in order, and
// blocks of channels are made of them where they are.
#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "engine/backends/dnnl/lowering.h"
#include "engine/backends/dnnl/openmp_threads.h"
#include "engine/ops/channel_blocks.h"
#include "engine/ops/vector_units.h"

namespace partita::onednn {

using dnnl::memory;

/// A move of an element takes as long as so many multiplications.
static constexpr double kWorkOfMove = 8;

static int64_t product_of(std::span<const int64_t> extents) {
    return std::accumulate(extents.begin(), extents.end(), int64_t(1), std::multiplies<>());
}

std::optional<ChannelBlocks> channel_blocks(const memory::desc& desc) {
    using tag = memory::format_tag;
    const memory::dims dims = desc.dims();
    if (desc.data_type() != memory::data_type::f32 || dims.size() != 4 || vector_unit() == VectorUnit::Baseline)
        return std::nullopt;
    const auto is = [&](tag layout) { return desc == memory::desc(dims, desc.data_type(), layout); };
    const bool wide = vector_unit() == VectorUnit::Avx512;
    ChannelBlocks shape{dims[1], dims[2] * dims[3], 0, false};
    if (is(tag::nChw8c)) shape.lanes = 8;
    else if (wide && is(tag::nChw16c)) shape.lanes = 16;
    else if (is(tag::nhwc)) shape.last = true, shape.lanes = wide && dims[1] >= 16 ? 16 : 8;
    const bool suits = shape.lanes > 0 && dims[1] >= (shape.last ? shape.lanes : 1);
    return suits ? std::optional(shape) : std::nullopt;
}

/// Returns where each element of a transposition's result is in the data, of which `extents` are the dimensions.
static std::vector<int64_t> transposed_order(std::span<const int64_t> extents, std::span<const size_t> axes) {
    std::vector<int64_t> order{0};
    for (size_t d : axes) {
        const int64_t stride = product_of(extents.subspan(d + 1));
        std::vector<int64_t> wider;
        for (int64_t first : order)
            for (int64_t i = 0; i < extents[d]; ++i) wider.push_back(first + i * stride);
        order = std::move(wider);
    }
    return order;
}

/// The last axes stay where they are, so that whole planes change places.
bool Lowering::defer_transpose(const Step& step, std::span<const size_t> axes) {
    constexpr int64_t kFewestElements = 16, kMostPlanes = 1 << 16;
    const ValueId data = step.inputs[0];
    const std::span<const int64_t> shape = shape_of(data);
    size_t moved = axes.size();
    while (moved > 0 && axes[moved - 1] == moved - 1) --moved;
    const int64_t plane = product_of(shape.subspan(moved)), count = product_of(shape.first(moved));
    if (dtype_of(data) != kFloat32 || is_known(data) || plane < kFewestElements || count > kMostPlanes) return false;
    if (const auto& given = states_[data].planes; given && given->plane != plane) settle(data);
    std::vector<int64_t> order = transposed_order(shape.first(moved), axes.first(moved));
    if (const auto& given = states_[data].planes)
        for (int64_t& place : order) place = given->order[size_t(place)];
    ValueState& made = states_[step.output];
    made.buffer = states_[data].planes ? states_[data].buffer : program_.slot(in_plain_layout(data)).buffer;
    made.desc = plain(step.output);
    made.planes = std::make_shared<const PlaneOrder>(PlaneOrder{plane, std::move(order), step.expr, region_});
    made.shared = states_[data].shared = true;
    return true;
}

/// Returns whether values of the same elements have the same planes, too, where those of the first are not in order.
bool Lowering::keeps_planes(ValueId from, ValueId to) const {
    if (!states_[from].planes) return false;
    const std::span<const int64_t> shape = shape_of(to);
    for (size_t d = 0; d < shape.size(); ++d)
        if (product_of(shape.subspan(d)) == states_[from].planes->plane) return true;
    return false;
}

bool Lowering::split_planes(const Step& step, uint32_t outputs) {
    const ValueState whole = states_[step.inputs[0]];
    if (!whole.planes) return false;
    for (uint32_t i = 0; i < outputs; ++i)
        if (product_of(shape_of(step.output + i)) % whole.planes->plane != 0) return false;
    auto next = whole.planes->order.begin();
    for (uint32_t i = 0; i < outputs; ++i) {
        const auto begin = next;
        next += product_of(shape_of(step.output + i)) / whole.planes->plane;
        ValueState& part = states_[step.output + i];
        part.desc = plain(step.output + i);
        part.buffer = whole.buffer;
        part.shared = true;
        part.planes = std::make_shared<const PlaneOrder>(
            PlaneOrder{whole.planes->plane, {begin, next}, whole.planes->expr, whole.planes->region});
    }
    for (ValueId value : step.inputs) --uses_left_[value];
    return true;
}

bool Lowering::makes_blocks_of_planes(ValueId value, const Desc& desc) const {
    const std::optional<ChannelBlocks> blocks = channel_blocks(desc);
    return blocks && blocks->plane == states_[value].planes->plane;
}

void Lowering::settle(ValueId value) {
    ValueState& state = states_[value];
    if (!state.planes) return;
    Buffer buffer;
    buffer.bytes = state.desc.get_size();
    const SlotId to = program_.add_slot(state.desc, program_.add_buffer(buffer));
    copy_planes_to(value, to);
    state.planes = nullptr;
    state.buffer = program_.slot(to).buffer;
    state.shared = false;
    state.versions.push_back({state.desc, to});
}

void Lowering::copy_plain(ValueId value, SlotId to, ExprId expr) {
    if (!states_[value].planes) return emit_reorder(in_layout(value, current(value)), to, expr);
    if (plan_) taken_.emplace_back(value, current(value));
    copy_planes_to(value, to);
}

void Lowering::copy_planes_to(ValueId value, SlotId to) {
    const std::shared_ptr<const PlaneOrder> planes = states_[value].planes;
    ProgramStep made;
    made.expr = planes->expr;
    made.region = planes->region;
    made.what = "transpose (whole planes)";
    made.view_buffers = {states_[value].buffer, program_.slot(to).buffer};
    made.views.resize(2, {nullptr, kFloat32, shape_of(value)});
    made.input_count = 1;
    made.compute = [planes](const OwnKernelCall& call) {
        const auto* from = static_cast<const float*>(call.views[0].data);
        auto* to = static_cast<float*>(call.views[1].data);
        const auto count = int64_t(planes->order.size()), plane = planes->plane;
        on_openmp_threads(call.threads, kWorkOfMove * double(count * plane), count, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i)
                std::memcpy(to + i * plane, from + planes->order[size_t(i)] * plane, size_t(plane) * sizeof(float));
        });
    };
    for (BufferId buffer : made.view_buffers) program_.touch(buffer);
    program_.add_step(std::move(made));
}

bool Lowering::change_blocks(SlotId from, SlotId to, std::shared_ptr<const PlaneOrder> order, ProgramStep& made) const {
    const Desc given = program_.slot(from).memory.get_desc(), wanted = program_.slot(to).memory.get_desc();
    const bool makes_blocks = wanted != row_major(wanted.dims(), memory::data_type::f32);
    const std::optional<ChannelBlocks> blocks = channel_blocks(makes_blocks ? wanted : given);
    const Desc& other = makes_blocks ? given : wanted;
    if (!blocks || other != row_major(other.dims(), memory::data_type::f32)) return false;
    const ChannelBlocks shape = *blocks;
    const int64_t count = given.dims()[0] * shape.parts();
    made.view_buffers = {program_.slot(from).buffer, program_.slot(to).buffer};
    made.views.resize(2, {nullptr, kFloat32, {}});
    made.input_count = 1;
    made.what = makes_blocks ? "reorder (of planes)" : "reorder (to planes)";
    made.compute = [=, order = std::move(order)](const OwnKernelCall& call) {
        const auto* data = static_cast<const float*>(call.views[0].data);
        auto* result = static_cast<float*>(call.views[1].data);
        const double work = kWorkOfMove * double(count * shape.lanes * shape.plane);
        on_openmp_threads(call.threads, work, count, [&](int64_t begin, int64_t end) {
            if (!makes_blocks) return blocks_to_planes(shape, data, result, begin, end);
            planes_to_blocks(shape, data, order ? std::span(order->order) : std::span<const int64_t>(), result, begin,
                             end);
        });
    };
    return true;
}

}  // namespace partita::onednn
