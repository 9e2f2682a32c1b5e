// All ops except convolutions and matrix products.
#include <algorithm>

#include "engine/backends/dnnl/library_faults.h"
#include "engine/backends/dnnl/lowering.h"
#include "engine/ops/blocked_pooling.h"
#include "engine/ops/packed_product.h"
#include "engine/ops/registry.h"
#include "engine/ops/window.h"

namespace partita::onednn {

using dnnl::memory;

namespace {

constexpr auto kInference = dnnl::prop_kind::forward_inference;

dnnl::primitive_attr with_user_scratchpad() {
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attributes;
}

/// Returns the description with ones before its dimensions, for the same bytes.
memory::desc with_rank(const memory::desc& desc, size_t rank) {
    memory::dims dims = desc.dims();
    if (dims.size() >= rank) return desc;
    dims.insert(dims.begin(), rank - dims.size(), 1);
    return desc.reshape(dims);
}

bool is_plain_relu(const ChainLink& link) {
    return link.kind == ChainLink::Kind::Eltwise && link.algorithm == int(dnnl::algorithm::eltwise_relu) &&
           link.alpha == 0;
}

}  // namespace

bool Lowering::lower_eltwise(const Step& step) {
    std::optional<Eltwise> eltwise = eltwise_of(module_, graph_, step.number);
    if (!eltwise) return false;
    Desc desc = current(step.inputs[0]);
    dnnl::eltwise_forward::desc description(kInference, dnnl::algorithm(eltwise->algorithm), desc, eltwise->alpha,
                                            eltwise->beta);
    dnnl::eltwise_forward::primitive_desc chosen(description, with_user_scratchpad(), program_.engine());
    SlotId source = in_layout(step.inputs[0], desc), target = define(step.output, desc);
    emit(dnnl::eltwise_forward(chosen), {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, target}}, chosen.scratchpad_desc(),
         step, {});
    return true;
}

bool Lowering::lower_binary(const Step& step, dnnl::algorithm algorithm, Links links) {
    ValueId a = step.inputs[0], b = step.inputs[1];
    for (const ChainLink& link : links)
        if (link.kind != ChainLink::Kind::Eltwise) return lower_channelwise(step, links);
    if (type_of(a) != type_of(b) || type_of(a) != type_of(step.output)) return false;
    if (links.empty() && lower_eltwise(step)) return true;
    memory::dims dims = dims_of(step.output);
    bool bias_add = step.op.name == "nn.bias_add";
    // The larger of NaN and a number is the second one.
    bool commutes = algorithm == dnnl::algorithm::binary_add || algorithm == dnnl::algorithm::binary_mul;
    // oneDNN broadcasts its second operand only.
    if (!bias_add && commutes && dims_of(a) != dims) std::swap(a, b);
    if (dims_of(a) != dims) return false;
    Desc first = current(a), second;
    if (bias_add) {
        std::optional<size_t> axis = channel_axis_of(module_, graph_, step.number, b);
        memory::dims bias_dims(dims.size(), 1);
        bias_dims[*axis] = dims[*axis];
        second = row_major(bias_dims, type_of(b));
    } else if (dims_of(b) == dims) {
        // The layout that is not plain is preferred by its producers and users.
        if (first == plain(a) && current(b) != plain(b)) first = current(b);
        second = first;
    } else {
        second = with_rank(plain(b), dims.size());
    }
    const std::vector<int> order = order_with_blocks_second(first);
    const Desc layout = first.permute_axes(order), operand = second.permute_axes(order);
    if (!links.empty() && spoils_chain_of_binary(layout, operand)) return false;
    ValueId result = links.empty() ? step.output : step_of(links.back().step).output;
    dnnl::binary::desc description(algorithm, layout, operand, layout);
    dnnl::binary::primitive_desc chosen(description, attributes_with(links), program_.engine());
    // Two orders of magnitude slower than the kernel of `default`.
    if (std::string_view(chosen.impl_info_str()).starts_with("ref")) return false;
    SlotId left = in_layout(a, first);
    SlotId right = second == first ? in_layout(b, second) : view(in_plain_layout(b), second);
    SlotId target = define(result, first);
    if (layout != first) {
        left = view(left, layout);
        right = view(right, operand);
        target = view(target, layout);
    }
    emit(dnnl::binary(chosen), {{DNNL_ARG_SRC_0, left}, {DNNL_ARG_SRC_1, right}, {DNNL_ARG_DST, target}},
         chosen.scratchpad_desc(), step, links);
    return true;
}

/// Returns nothing for what oneDNN has no pooling for.
std::optional<Lowering::PoolWindow> Lowering::pool_window(const Step& step) const {
    const bool maximum = step.op.name.find("max") != std::string::npos;
    ValueId data = step.inputs[0];
    size_t rank = shape_of(data).size();
    if (rank < 3 || rank > 5 || !dtype_of(data).is_float()) return std::nullopt;
    constexpr const char* plain_layouts[] = {"NCW", "NCHW", "NCDHW"};
    const AttributeValue* layout = step.attributes.find("layout");
    if (!layout || !layout->as_string() || *layout->as_string() != plain_layouts[rank - 3]) return std::nullopt;
    const std::string& out_layout = step.attributes.string("out_layout");
    if (!out_layout.empty() && out_layout != plain_layouts[rank - 3]) return std::nullopt;
    size_t spatial = rank - 2;
    const memory::dims input = dims_of(data), output = dims_of(step.output), ones(spatial, 1), zeros(spatial, 0);
    PoolWindow made{dnnl::algorithm::pooling_avg_exclude_padding, ones, ones, zeros, zeros, zeros};
    if (maximum) made.algorithm = dnnl::algorithm::pooling_max;
    if (!step.attributes.find("pool_size")) {
        // A global pool, or an adaptive one with the same result.
        for (size_t d = 0; d < spatial; ++d) {
            if (output[2 + d] != 1) return std::nullopt;
            made.size[d] = input[2 + d];
        }
        return made;
    }
    std::vector<int64_t> pool_size = step.attributes.integers("pool_size");
    Result<Window> window = read_window(step.attributes, pool_size, spatial);
    if (!window) return std::nullopt;
    bool include = !maximum && step.attributes.boolean("count_include_pad");
    if (include) made.algorithm = dnnl::algorithm::pooling_avg_include_padding;
    for (size_t d = 0; d < spatial; ++d) {
        size_t axis = 3 - spatial + d;
        made.size[d] = window->size[axis];
        made.strides[d] = window->stride[axis];
        made.dilation[d] = window->dilation[axis] - 1;
        made.before[d] = window->pad_before[axis];
        const int64_t last = (output[2 + d] - 1) * made.strides[d] - made.before[d];
        made.after[d] = last + window->reach(axis) - input[2 + d];
        bool incomplete = made.after[d] > window->pad_after[axis];
        if (include && incomplete) return std::nullopt;  // elements beyond the padding would be counted
        if (last >= input[2 + d]) return std::nullopt;   // a window after the data is the maximum of nothing
    }
    return made;
}

bool Lowering::lower_pool(const Step& step) {
    const std::optional<PoolWindow> window = pool_window(step);
    if (!window) return false;
    if (lower_blocked_pool(step, *window)) return true;
    const ValueId data = step.inputs[0];
    const auto choose = [&](const Desc& from) {
        const dnnl::pooling_v2_forward::desc description(
            kInference, window->algorithm, from, any(dims_of(step.output), type_of(step.output)), window->strides,
            window->size, window->dilation, window->before, window->after);
        return dnnl::pooling_v2_forward::primitive_desc(description, with_user_scratchpad(), program_.engine());
    };
    const auto is_fast = [](const auto& chosen) { return std::string_view(chosen.impl_info_str()).starts_with("jit"); };
    Desc desc = current(data);
    dnnl::pooling_v2_forward::primitive_desc chosen = choose(desc);
    if (!is_fast(chosen) && desc.dims().size() == 4 && desc.dims()[1] >= kPooledChannels &&
        dtype_of(data) == kFloat32) {
        // For plain images oneDNN takes several times as long as the change of layout.
        const Desc blocks(desc.dims(), memory::data_type::f32, memory::format_tag::nChw8c);
        if (const auto other = choose(blocks); is_fast(other)) {
            chosen = other;
            desc = blocks;
        }
    }
    SlotId source = in_layout(data, desc), target = define(step.output, chosen.dst_desc());
    emit(dnnl::pooling_v2_forward(chosen), {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, target}}, chosen.scratchpad_desc(),
         step, {});
    return true;
}

bool Lowering::lower_softmax(const Step& step) {
    Desc desc = plain(step.inputs[0]);
    int axis = int(axis_of(step.attributes.integer("axis"), shape_of(step.output).size()));
    dnnl::softmax_v2_forward::desc description(kInference, dnnl::algorithm::softmax_accurate, desc, desc, axis);
    dnnl::softmax_v2_forward::primitive_desc chosen(description, with_user_scratchpad(), program_.engine());
    SlotId source = in_layout(step.inputs[0], desc), target = define(step.output, desc);
    emit(dnnl::softmax_v2_forward(chosen), {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, target}}, chosen.scratchpad_desc(),
         step, {});
    return true;
}

bool Lowering::lower_batch_norm(const Step& step, Links links) {
    ValueId data = step.inputs[0];
    size_t rank = shape_of(data).size();
    if (lower_channelwise(step, links)) return true;
    bool relu = links.size() == 1 && is_plain_relu(links[0]);
    if (!relu && !links.empty()) return false;
    if (uses_[step.output + 1] || uses_[step.output + 2]) return false;  // the statistics are used too
    if (rank < 2 || axis_of(step.attributes.integer("axis"), rank) != 1 || dtype_of(data) != kFloat32) return false;
    using dnnl::normalization_flags;
    normalization_flags flags = normalization_flags::use_global_stats;
    bool scaled = step.attributes.boolean("scale"), centered = step.attributes.boolean("center");
    if (scaled) flags = flags | normalization_flags::use_scale;
    if (centered) flags = flags | normalization_flags::use_shift;
    if (!links.empty()) flags = flags | normalization_flags::fuse_norm_relu;
    const double epsilon = step.attributes.real("epsilon");
    const Desc desc = spoils_filling_channels(current(data), epsilon) ? plain(data) : current(data);
    dnnl::batch_normalization_forward::desc description(kInference, desc, float(epsilon), flags);
    dnnl::batch_normalization_forward::primitive_desc chosen(description, with_user_scratchpad(), program_.engine());
    Arguments arguments{{DNNL_ARG_SRC, in_layout(data, desc)}};
    if (scaled) arguments.push_back({DNNL_ARG_SCALE, in_plain_layout(step.inputs[1])});
    if (centered) arguments.push_back({DNNL_ARG_SHIFT, in_plain_layout(step.inputs[2])});
    arguments.push_back({DNNL_ARG_MEAN, in_plain_layout(step.inputs[3])});
    arguments.push_back({DNNL_ARG_VARIANCE, in_plain_layout(step.inputs[4])});
    ValueId result = links.empty() ? step.output : step_of(links.back().step).output;
    arguments.push_back({DNNL_ARG_DST, define(result, desc)});
    emit(dnnl::batch_normalization_forward(chosen), std::move(arguments), chosen.scratchpad_desc(), step, links);
    return true;
}

/// Lowers a step and its chain that compute y = a x + b, with known a and b for each channel, and perhaps relu after
/// it: a normalization with constant statistics.
bool Lowering::lower_channelwise(const Step& step, Links links) {
    ValueId data = step.inputs[0], operand = step.inputs[1];
    std::vector<ChainLink> chain(links.begin(), links.end());
    if (step.op.name == "nn.batch_norm") {
        if (uses_[step.output + 1] || uses_[step.output + 2]) return false;
        if (axis_of(step.attributes.integer("axis"), shape_of(data).size()) != 1) return false;
        chain.insert(chain.begin(), {ChainLink::Kind::BatchNorm, step.number});
    } else {
        if (dims_of(data) != dims_of(step.output)) std::swap(data, operand);
        std::optional<size_t> axis = channel_axis_of(module_, graph_, step.number, operand);
        if (axis != 1u || dims_of(data) != dims_of(step.output)) return false;
        chain.insert(chain.begin(), {step.op.name == "multiply" ? ChainLink::Kind::Scale : ChainLink::Kind::Bias,
                                     step.number, operand});
    }
    size_t rank = shape_of(data).size();
    if (rank < 2 || dtype_of(data) != kFloat32) return false;
    using dnnl::normalization_flags;
    normalization_flags flags =
        normalization_flags::use_global_stats | normalization_flags::use_scale | normalization_flags::use_shift;
    for (size_t i = 0; i < links.size(); ++i) {
        if (links[i].kind == ChainLink::Kind::Sum) return false;
        if (links[i].kind != ChainLink::Kind::Eltwise) continue;
        if (i + 1 < links.size() || !is_plain_relu(links[i])) return false;
        flags = flags | normalization_flags::fuse_norm_relu;
    }
    int64_t channels = shape_of(data)[1];
    Affine affine = fold_affine(chain, channels, true);
    if (!affine.folds || affine.runtime_bias != kNone) return false;
    Desc desc = current(data), vector = row_major({channels}, memory::data_type::f32);
    dnnl::batch_normalization_forward::desc description(kInference, desc, kEpsilonOfOne, flags);
    dnnl::batch_normalization_forward::primitive_desc chosen(description, with_user_scratchpad(), program_.engine());
    auto constants = [&](const std::vector<float>& values, float otherwise) {
        memory made = program_.fixed_memory(vector);
        auto* floats = static_cast<float*>(made.get_data_handle());
        for (size_t c = 0; c < size_t(channels); ++c) floats[c] = values.empty() ? otherwise : values[c];
        return program_.add_fixed(made);
    };
    ValueId result = links.empty() ? step.output : step_of(links.back().step).output;
    Arguments arguments{{DNNL_ARG_SRC, in_layout(data, desc)},
                        {DNNL_ARG_SCALE, constants(affine.scale, 1)},
                        {DNNL_ARG_SHIFT, constants(affine.bias, 0)},
                        {DNNL_ARG_MEAN, constants({}, 0)},
                        {DNNL_ARG_VARIANCE, constants({}, kVarianceOfOne)},
                        {DNNL_ARG_DST, define(result, desc)}};
    emit(dnnl::batch_normalization_forward(chosen), std::move(arguments), chosen.scratchpad_desc(), step, links);
    return true;
}

bool Lowering::lower_layer_norm(const Step& step) {
    ValueId data = step.inputs[0];
    size_t rank = shape_of(data).size();
    if (rank < 2 || axis_of(step.attributes.integer("axis"), rank) + 1 != rank || dtype_of(data) != kFloat32)
        return false;
    using dnnl::normalization_flags;
    normalization_flags flags = normalization_flags::none;
    bool scaled = step.attributes.boolean("scale"), centered = step.attributes.boolean("center");
    if (scaled) flags = flags | normalization_flags::use_scale;
    if (centered) flags = flags | normalization_flags::use_shift;
    Desc desc = plain(data);
    dnnl::layer_normalization_forward::desc description(kInference, desc, float(step.attributes.real("epsilon")),
                                                        flags);
    dnnl::layer_normalization_forward::primitive_desc chosen(description, with_user_scratchpad(), program_.engine());
    Arguments arguments{{DNNL_ARG_SRC, in_layout(data, desc)}};
    if (scaled) arguments.push_back({DNNL_ARG_SCALE, in_plain_layout(step.inputs[1])});
    if (centered) arguments.push_back({DNNL_ARG_SHIFT, in_plain_layout(step.inputs[2])});
    arguments.push_back({DNNL_ARG_DST, define(step.output, desc)});
    emit(dnnl::layer_normalization_forward(chosen), std::move(arguments), chosen.scratchpad_desc(), step, {});
    return true;
}

bool Lowering::lower_lrn(const Step& step) {
    ValueId data = step.inputs[0];
    if (shape_of(data).size() != 4 || step.attributes.integer("axis") != 1 ||
        step.attributes.integer("size") % 2 == 0)  // of which oneDNN takes one less
        return false;
    Desc desc = current(data);
    dnnl::lrn_forward::desc description(kInference, dnnl::algorithm::lrn_across_channels, desc,
                                        step.attributes.integer("size"), float(step.attributes.real("alpha")),
                                        float(step.attributes.real("beta")), float(step.attributes.real("bias")));
    dnnl::lrn_forward::primitive_desc chosen(description, with_user_scratchpad(), program_.engine());
    SlotId source = in_layout(data, desc), target = define(step.output, desc);
    emit(dnnl::lrn_forward(chosen), {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, target}}, chosen.scratchpad_desc(), step,
         {});
    return true;
}

/// A transposition changes the order of the dimensions, and a reorder that of the elements.
bool Lowering::lower_transpose(const Step& step) {
    const ValueId data = step.inputs[0];
    const std::vector<size_t> axes = transposed_axes(step.attributes, shape_of(data).size());
    if (axes.empty()) return false;
    if (defer_transpose(step, axes)) return true;
    std::vector<int> places(axes.size());  // of the operand's dimensions in the result
    for (size_t d = 0; d < axes.size(); ++d) places[axes[d]] = int(d);
    const SlotId from = in_layout(data, current(data));
    emit_reorder(view(from, current(data).permute_axes(places)), define(step.output, plain(step.output)), step.expr);
    return true;
}

bool Lowering::lower_concatenate(const Step& step) {
    size_t axis = axis_of(step.attributes.integer("axis"), shape_of(step.output).size());
    if (place_side_by_side(step, axis) || change_side_by_side(step, axis)) return true;
    std::vector<Desc> descs;
    for (ValueId value : step.inputs) descs.push_back(current(value));
    dnnl::concat::primitive_desc chosen(int(axis), descs, program_.engine(), with_user_scratchpad());
    Arguments arguments;
    for (size_t i = 0; i < step.inputs.size(); ++i)
        arguments.push_back({DNNL_ARG_MULTIPLE_SRC + int(i), in_layout(step.inputs[i], descs[i])});
    arguments.push_back({DNNL_ARG_DST, define(step.output, chosen.dst_desc())});
    emit(dnnl::concat(chosen), std::move(arguments), chosen.scratchpad_desc(), step, {});
    return true;
}

/// Where a part ends within a block of channels, for which oneDNN is slow, or its planes are not in order, all change
/// their layouts into the row-major result.
bool Lowering::change_side_by_side(const Step& step, size_t axis) {
    const memory::dims dims = dims_of(step.output);
    const auto fills = [&](ValueId part) {
        return !states_[part].planes && dims_of(part)[axis] % product_block() == 0;
    };
    if (std::all_of(step.inputs.begin(), step.inputs.end(), fills)) return false;
    if (std::any_of(dims.begin(), dims.begin() + int64_t(axis), [](int64_t extent) { return extent != 1; }))
        return false;
    const BufferId whole = program_.slot(define(step.output, plain(step.output))).buffer;
    size_t offset = 0;
    for (ValueId value : step.inputs) {
        const Desc part = plain(value);
        copy_plain(value, part_of(whole, offset, part), step.expr);
        offset += part.get_size();
    }
    return true;
}

/// Returns memory for a part of a buffer.
SlotId Lowering::part_of(BufferId whole, size_t offset, const Desc& desc) {
    Buffer part;
    part.bytes = desc.get_size();
    part.parent = whole;
    part.parent_offset = offset;
    return program_.add_slot(desc, program_.add_buffer(part));
}

/// Parts of row-major values along their outermost dimension are where the whole is.
bool Lowering::lower_split(const Step& step, uint32_t outputs) {
    const ValueId data = step.inputs[0];
    const memory::dims dims = dims_of(data);
    const size_t axis = axis_of(step.attributes.integer("axis"), dims.size());
    if (!is_typed(data) || is_known(data) ||
        std::any_of(dims.begin(), dims.begin() + int64_t(axis), [](int64_t extent) { return extent != 1; }))
        return false;
    if (split_planes(step, outputs)) return true;
    const BufferId whole = program_.slot(in_plain_layout(data)).buffer;
    size_t offset = 0;
    for (uint32_t i = 0; i < outputs; ++i) {
        ValueState& state = states_[step.output + i];
        const SlotId slot = part_of(whole, offset, plain(step.output + i));
        state.desc = plain(step.output + i);
        state.buffer = program_.slot(slot).buffer;
        state.versions.push_back({state.desc, slot});
        state.shared = true;
        offset += state.desc.get_size();
    }
    states_[data].shared = true;
    for (ValueId value : step.inputs) --uses_left_[value];
    return true;
}

/// The plan moves data in any layout; the kernel gets the row-major parts.
bool Lowering::lower_concatenation_on_default(const Step& step) {
    try {
        if (place_side_by_side(step, axis_of(step.attributes.integer("axis"), shape_of(step.output).size())))
            return true;
        bool plain_parts = std::all_of(step.inputs.begin(), step.inputs.end(),
                                       [this](ValueId value) { return current(value) == plain(value); });
        return !plain_parts && lower_concatenate(step);
    } catch (const dnnl::error&) {
        return false;
    }
}

bool Lowering::has_padding(ValueId value) const {
    return current(value).get_size() != size_t(element_count(shape_of(value)).value_or(0)) * dtype_of(value).bytes();
}

/// Makes the parts of a concatenation directly in the result if they are contiguous there. Copies parts that are inputs
/// or already have other memory.
bool Lowering::place_side_by_side(const Step& step, size_t axis) {
    memory::dims dims = dims_of(step.output);
    for (size_t d = 0; d < axis; ++d)
        if (dims[d] != 1) return false;
    for (ValueId value : step.inputs)
        if (states_[value].planes) return false;
    std::optional<memory::format_tag> common;
    for (const auto& layout : usual_layouts(dims.size())) {
        bool all = std::all_of(step.inputs.begin(), step.inputs.end(), [&](ValueId value) {
            return current(value) == Desc(dims_of(value), type_of(value), layout.first);
        });
        if (all) {
            common = layout.first;
            break;
        }
    }
    if (!common) return false;
    Desc whole(dims, type_of(step.output), *common);
    size_t sum = 0;
    for (ValueId value : step.inputs) {
        // Parts whose last block of channels is padded would leave a hole; so would parts along an axis that is not
        // outermost.
        if (has_padding(value)) return false;
        sum += current(value).get_size();
    }
    if (sum != whole.get_size()) return false;
    memory::dims strides(whole.data.format_desc.blocking.strides,
                         whole.data.format_desc.blocking.strides + dims.size());
    for (size_t d = 0; d < dims.size(); ++d)
        if (d != axis && dims[d] != 1 && strides[d] >= strides[axis]) return false;

    SlotId target = define(step.output, whole);
    BufferId buffer = program_.slot(target).buffer;
    size_t offset = 0;
    for (ValueId value : step.inputs) {
        ValueState& state = states_[value];
        size_t bytes = state.desc.get_size();
        Buffer& own = program_.buffer(state.buffer);
        bool free =
            own.kind == Buffer::Kind::Arena && own.parent == kNone && own.bytes == bytes && state.buffer != buffer;
        if (free) {
            own.parent = buffer;
            own.parent_offset = offset;
        } else {
            const Desc desc = state.desc;
            const SlotId from = in_layout(value, desc);
            emit_reorder(from, part_of(buffer, offset, desc), step.expr);
        }
        state.shared = true;
        offset += bytes;
    }
    states_[step.output].shared = true;
    return true;
}

}  // namespace partita::onednn
