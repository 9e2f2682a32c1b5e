// Convolutions and matrix products, with the chains after them.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "engine/backends/dnnl/library_faults.h"
#include "engine/backends/dnnl/lowering.h"
#include "engine/backends/dnnl/winograd.h"
#include "engine/ops/packed_product.h"
#include "engine/ops/registry.h"
#include "engine/ops/vector_units.h"

namespace partita::onednn {

using dnnl::memory;

namespace {

/// Returns the last `rank` of (depth, height, width).
memory::dims spatial(const Extents& extents, size_t rank, int64_t less = 0) {
    memory::dims dims;
    for (size_t axis = 3 - rank; axis < 3; ++axis) dims.push_back(extents[axis] - less);
    return dims;
}

/// Describes a weight's dimensions and strides as oneDNN names them: (groups,) output channels, input channels, kernel.
memory::desc describe_weight(const ConvolutionGeometry& geometry, memory::data_type type) {
    std::vector<int64_t> sizes = geometry.kernel_sizes();
    const std::string& axes = geometry.kernel_axes;
    std::vector<int64_t> strides(sizes.size());
    int64_t stride = 1;
    std::span<const LayoutDimension> order = geometry.kernel_layout.dimensions();
    for (size_t d = order.size(); d-- > 0;) {
        size_t axis = axes.find(order[d].axis);
        strides[axis] = stride;
        stride *= sizes[axis];
    }
    bool has_group_axis = axes[0] == 'G';
    size_t first = has_group_axis ? 1 : 0;
    // The first channel axis counts output channels, or input channels of a transposed convolution.
    int64_t first_size = sizes[first], second_size = sizes[first + 1];
    memory::dims dims, steps;
    if (geometry.groups > 1) {
        dims.push_back(geometry.groups);
        int64_t in_group = has_group_axis ? first_size : first_size / geometry.groups;
        steps.push_back(has_group_axis ? strides[0] : strides[first] * in_group);
        first_size = in_group;
    }
    if (geometry.transposed) {
        dims.insert(dims.end(), {second_size, first_size});
        steps.insert(steps.end(), {strides[first + 1], strides[first]});
    } else {
        dims.insert(dims.end(), {first_size, second_size});
        steps.insert(steps.end(), {strides[first], strides[first + 1]});
    }
    for (size_t d = first + 2; d < sizes.size(); ++d) {
        dims.push_back(sizes[d]);
        steps.push_back(strides[d]);
    }
    return memory::desc(dims, type, steps);
}

void select_vector_product(dnnl::inner_product_forward::primitive_desc& description) {
    dnnl::inner_product_forward::primitive_desc other = description;
    while (std::string_view(other.impl_info_str()).find("gemm:jit") == std::string_view::npos)
        if (!other.next_impl()) return;
    description = other;
}

bool is_channels_last(const memory::desc& desc) {
    memory::dims dims = desc.dims();
    if (dims.size() != 4 || desc.data.format_kind != dnnl_blocked || desc.data.format_desc.blocking.inner_nblks)
        return false;
    return dims[1] > 1 && desc.data.format_desc.blocking.strides[1] == 1;
}

/// Advances to an implementation that keeps values in blocks of channels, if there is one. oneDNN prefers one for
/// channels-last values, which is no faster, while Winograd's and the concatenation in place need blocks.
void select_blocked(dnnl::convolution_forward::primitive_desc& description) {
    dnnl::convolution_forward::primitive_desc other = description;
    while (other && std::string_view(other.impl_info_str()).starts_with("br"))
        if (!other.next_impl()) return;
    if (std::string_view(other.impl_info_str()).starts_with("jit")) description = other;
}

bool packs_in_each_run(std::string_view implementation) {
    return implementation.find("gemm:jit") != std::string_view::npos &&
           implementation.find("brgemm") == std::string_view::npos;
}

/// With AVX-512 oneDNN packs weights once, too. The own product is faster by a sixth where many rows are multiplied by
/// weights that come from memory (BERT-base, Llama), and slower by a tenth where the weights stay in the cache.
bool suits_own_product(int64_t rows, int64_t weights) {
    constexpr int64_t kFewestRows = 48, kFewestWeights = int64_t(1) << 19;
    return vector_unit() == VectorUnit::Avx512 && rows >= kFewestRows && weights >= kFewestWeights;
}

/// Convolutions that are computed as products of matrices add a tensor element by element, which takes ten times as
/// long as the product itself.
bool has_sum(std::span<const ChainLink> links) {
    return std::any_of(links.begin(), links.end(),
                       [](const ChainLink& link) { return link.kind == ChainLink::Kind::Sum; });
}

/// Channels of a group, given and made.
struct Group {
    int64_t given, made;

    explicit Group(const ConvolutionGeometry& geometry)
        : given(geometry.in_channels / geometry.groups), made(geometry.out_channels / geometry.groups) {}
    bool fills(int64_t block) const { return given % block == 0 && made % block == 0; }
};

/// Returns the layout for images of a convolution in groups. oneDNN prefers channels last for depthwise ones, too,
/// which takes twice as long as blocks. With AVX-512, channels of other groups are fastest where they are last, unless
/// each group fills blocks.
ImageLayout layout_for_groups(const ConvolutionGeometry& geometry) {
    using tag = memory::format_tag;
    const Group group(geometry);
    if (geometry.groups == 1 || geometry.rank != 2 || geometry.transposed || vector_unit() == VectorUnit::Baseline)
        return std::nullopt;
    if (group.given == 1 && group.made == 1) return product_block() == 16 ? tag::nChw16c : tag::nChw8c;
    const bool single = geometry.window.size == Extents{1, 1, 1};
    if (vector_unit() != VectorUnit::Avx512 || group.given == 1 || (group.fills(product_block()) && !single))
        return std::nullopt;
    return tag::nhwc;
}

double filled(int64_t channels, int64_t block) {
    return double(channels) / double((channels + block - 1) / block * block);
}

/// Returns the speed of a group as a part of the speed of full blocks, as it was measured.
double speed_of_group(const ConvolutionGeometry& geometry) {
    constexpr double kFullGroup = 0.65, kHalfBlocks = 0.42, kOfAChannel = 0.24;
    const Group group(geometry);
    const int64_t block = product_block();
    if (layout_for_groups(geometry)) {
        // Where both are fewer, the kernel takes a part of the register that divides them, if one does.
        if (std::max(group.given, group.made) >= block || !group.fills(4)) return filled(group.made, block);
        return (group.fills(8) ? 8.0 : 4.0) / double(block);
    }
    if (group.fills(block)) return kFullGroup;
    return group.fills(block / 2) ? kHalfBlocks
                                  : kOfAChannel * double(std::min(group.given, group.made)) / double(block);
}

/// Returns whether groups are faster as one with zeros between them: where their channels fill no blocks, oneDNN
/// computes them at a fraction of the speed.
bool suits_one_group(const ConvolutionGeometry& geometry) {
    constexpr double kWinograd = 1.7, kWorthIt = 1.2;
    const Group group(geometry);
    if (geometry.groups == 1 || group.given < 4 || group.made < 4 || geometry.transposed || geometry.rank != 2)
        return false;
    ConvolutionGeometry whole = geometry;
    whole.groups = 1;
    const double one = filled(geometry.in_channels, product_block()) * filled(geometry.out_channels, product_block()) *
                       (convolution_methods(whole).front() > 1 ? kWinograd : 1);
    const double worth = layout_for_groups(geometry) ? 1 / kWorthIt : kWorthIt;  // a change of layout, or none
    return one / double(geometry.groups) > worth * speed_of_group(geometry);
}

bool is_reference(const char* implementation) { return std::string_view(implementation).starts_with("ref"); }

}  // namespace

std::vector<int> permutation(std::string_view from, std::string_view to) {
    std::vector<int> order;
    for (char axis : from) order.push_back(int(to.find(axis)));
    return order;
}

Lowering::Affine Lowering::fold_affine(Links links, int64_t channels, bool weights_known) const {
    Affine affine;
    auto values = [&](ValueId value, std::vector<double>& to) {
        const float* floats = known_floats(value);
        if (!floats) return false;
        int64_t count = element_count(shape_of(value)).value_or(0);
        for (int64_t c = 0; c < channels; ++c) to.push_back(floats[count == 1 ? 0 : c]);
        return true;
    };
    std::vector<double> scale(size_t(channels), 1), bias(size_t(channels), 0);
    bool any_scale = false, any_bias = false;
    for (const ChainLink& link : links) {
        if (link.kind == ChainLink::Kind::Eltwise || link.kind == ChainLink::Kind::Sum) continue;
        std::vector<double> operand;
        if (link.kind == ChainLink::Kind::Bias) {
            if (values(link.operand, operand)) {
                for (size_t c = 0; c < bias.size(); ++c) bias[c] += operand[c];
                any_bias = true;
            } else if (!any_bias && !any_scale && affine.runtime_bias == kNone) {
                affine.runtime_bias = link.operand;
            } else {
                affine.folds = false;
            }
            if (affine.runtime_bias != kNone && any_bias) affine.folds = false;
            continue;
        }
        if (affine.runtime_bias != kNone || !weights_known) affine.folds = false;
        if (!affine.folds) break;
        std::vector<double> factor, shift(size_t(channels), 0);
        if (link.kind == ChainLink::Kind::Scale) {
            if (!values(link.operand, factor)) affine.folds = false;
        } else {
            Step norm = step_of(link.step);
            std::vector<double> gamma, beta, mean, variance;
            if (!values(norm.inputs[1], gamma) || !values(norm.inputs[2], beta) || !values(norm.inputs[3], mean) ||
                !values(norm.inputs[4], variance)) {
                affine.folds = false;
                break;
            }
            double epsilon = norm.attributes.real("epsilon");
            bool scaled = norm.attributes.boolean("scale"), centered = norm.attributes.boolean("center");
            for (size_t c = 0; c < bias.size(); ++c) {
                factor.push_back((scaled ? gamma[c] : 1) / std::sqrt(variance[c] + epsilon));
                shift[c] = (centered ? beta[c] : 0) - mean[c] * factor[c];
            }
            any_bias = true;
        }
        if (!affine.folds) break;
        for (size_t c = 0; c < bias.size(); ++c) {
            scale[c] *= factor[c];
            bias[c] = bias[c] * factor[c] + shift[c];
        }
        any_scale = true;
    }
    if (any_scale) affine.scale.assign(scale.begin(), scale.end());
    if (any_bias) affine.bias.assign(bias.begin(), bias.end());
    return affine;
}

SlotId Lowering::weights_in(ValueId value, const Desc& described, const Desc& wanted, const std::vector<float>& scale) {
    if (!is_known(value)) {
        SlotId given = view(in_plain_layout(value), described);
        if (described == wanted) return given;
        Buffer buffer;
        buffer.bytes = wanted.get_size();
        SlotId target = program_.add_slot(wanted, program_.add_buffer(buffer));
        emit_reorder(given, target, ExprId());
        return target;
    }
    return fixed_in(memory(described, program_.engine(), const_cast<void*>(known_bytes(value))), wanted, scale);
}

/// Returns weights as rows of one output channel, one after the other, each times its factor: groups and output
/// channels are the first dimensions.
memory Lowering::scaled_rows(const memory& from, const std::vector<float>& scale) {
    memory made(row_major(from.get_desc().dims(), from.get_desc().data_type()), program_.engine());
    dnnl::reorder(from, made).execute(program_.stream(), const_cast<memory&>(from), made);
    program_.stream().wait();
    if (scale.empty()) return made;
    auto* rows = static_cast<float*>(made.get_data_handle());
    const size_t count = made.get_desc().get_size() / sizeof(float), row = count / scale.size();
    for (size_t i = 0; i < count; ++i) rows[i] *= scale[i / row];
    return made;
}

/// Returns known weights, scaled, in the layout that the primitive requires.
SlotId Lowering::fixed_in(const memory& from, const Desc& wanted, const std::vector<float>& scale) {
    memory scaled = scale.empty() ? from : scaled_rows(from, scale);
    // Large weights are copied even if their layout is right: into large pages.
    bool small = wanted.get_size() < size_t(2) << 20;
    if (scaled.get_desc() == wanted && scale.empty() && small) return program_.add_fixed(scaled);
    memory target = program_.fixed_memory(wanted);
    dnnl::reorder(scaled, target).execute(program_.stream(), scaled, target);
    program_.stream().wait();
    return program_.add_fixed(target);
}

memory::data_type Lowering::bias_type(const Affine& affine) const {
    return affine.runtime_bias != kNone ? type_of(affine.runtime_bias) : memory::data_type::f32;
}

SlotId Lowering::bias_slot(const Affine& affine, const Desc& desc) {
    if (affine.runtime_bias != kNone) return view(in_plain_layout(affine.runtime_bias), desc);
    memory bias = program_.fixed_memory(desc);
    std::memcpy(bias.get_data_handle(), affine.bias.data(), affine.bias.size() * sizeof(float));
    return program_.add_fixed(bias);
}

/// Returns memory for the result of a chain. A chain that adds a tensor is computed in that tensor's memory; in a copy
/// of it if it is still needed or has another layout.
SlotId Lowering::destination(ValueId value, const Desc& tensor_desc, Links links, ExprId expr) {
    for (const ChainLink& link : links) {
        if (link.kind != ChainLink::Kind::Sum) continue;
        const ValueState& other = states_[link.operand];
        bool last_use = uses_left_[link.operand] == 1 && !other.shared && !is_known(link.operand);
        if (last_use && other.desc == tensor_desc) return define_in(value, tensor_desc, other.buffer);
        // What it is added to is made of it: a change of layout, or a copy if it has this layout already.
        const bool has_it = other.desc == tensor_desc || is_known(link.operand) ||
                            std::any_of(other.versions.begin(), other.versions.end(),
                                        [&](const auto& version) { return version.first == tensor_desc; });
        SlotId from = slot_in(link.operand, has_it && !is_known(link.operand) ? tensor_desc : other.desc);
        SlotId target = define(value, tensor_desc);
        taken_.emplace_back(link.operand, tensor_desc);
        if (has_it) emit_reorder(from, target, expr);
        else emit_reorder(from, target, ExprId(), note_change(link.operand, tensor_desc, false));
        return target;
    }
    return define(value, tensor_desc);
}

bool Lowering::is_integer(ValueId value) const {
    return type_of(value) == memory::data_type::s8 || type_of(value) == memory::data_type::u8;
}

/// Returns whether both operands and the result are floating-point numbers of one type.
bool Lowering::is_float_product(const Step& step) const {
    const ValueId data = step.inputs[0], weight = step.inputs[1];
    return dtype_of(data).is_float() && type_of(data) == type_of(weight) && type_of(data) == type_of(step.output);
}

std::optional<Lowering::FoldedProduct> Lowering::fold_product(const Step& step, Links links, const Desc& weight,
                                                              size_t channel_axis, int64_t channels,
                                                              DataZero data_zero) {
    FoldedProduct folded;
    if (is_integer(step.inputs[0])) {
        folded.integers = fold_integers(step, links, weight, channel_axis, data_zero);
        if (!folded.integers) return std::nullopt;
        folded.affine.bias = folded.integers->chain.bias;
        folded.attributes = attributes_with(folded.integers->chain.post_ops);
        if (const int32_t zero = folded.integers->data_zero) folded.attributes.set_zero_points(DNNL_ARG_SRC, 0, {zero});
    } else {
        const ValueId given = step.inputs[1];
        folded.affine = fold_affine(links, channels, is_known(given) && dtype_of(given) == kFloat32);
        folded.attributes = attributes_with(links);
    }
    if (!folded.affine.folds) return std::nullopt;
    return folded;
}

SlotId Lowering::weights_of(const FoldedProduct& folded, ValueId weight, const Desc& given, const Desc& wanted) {
    if (folded.integers && folded.integers->weights) return fixed_in(*folded.integers->weights, wanted, {});
    return weights_in(weight, given, wanted, folded.affine.scale);
}

/// Returns the weights of all groups as those of one, with zeros for the channels of other groups.
memory Lowering::in_one_group(const ConvolutionGeometry& geometry, const memory& weights) {
    const memory rows = scaled_rows(weights, {});
    memory::dims dims = rows.get_desc().dims();
    dims.erase(dims.begin());
    dims[0] = geometry.out_channels;
    dims[1] = geometry.in_channels;
    memory made(row_major(dims, memory::data_type::f32), program_.engine());
    const int64_t elements = std::accumulate(dims.begin() + 2, dims.end(), int64_t(1), std::multiplies<>());
    const int64_t row = geometry.in_channels * elements, given = row / geometry.groups;
    const auto* from = static_cast<const float*>(rows.get_data_handle());
    auto* to = static_cast<float*>(made.get_data_handle());
    std::fill_n(to, geometry.out_channels * row, 0.0F);
    for (int64_t out = 0; out < geometry.out_channels; ++out) {
        const int64_t group = out * geometry.groups / geometry.out_channels;
        std::copy_n(from + out * given, given, to + out * row + group * given);
    }
    return made;
}

bool Lowering::lower_convolution(const Step& step, Links links) {
    const bool transposed = step.op.name.ends_with("_transpose");
    const size_t rank = size_t(step.op.name[step.op.name.find("conv") + 4] - '0');
    const ValueId data = step.inputs[0], weight = step.inputs[1];
    Result<ConvolutionGeometry> geometry =
        convolution_geometry(step.attributes, rank, transposed, shape_of(data), shape_of(weight));
    if (!geometry || geometry->data_layout.is_blocked() || geometry->kernel_layout.is_blocked() ||
        geometry->out_layout.is_blocked())
        return false;
    const bool integers = is_integer(data);
    if (integers ? transposed : !is_float_product(step)) return false;
    Desc given_weight = describe_weight(*geometry, type_of(weight));
    std::optional<FoldedProduct> folded = fold_product(step, links, given_weight, geometry->out_layout.text().find('C'),
                                                       geometry->out_channels, DataZero::ByPrimitive);
    if (!folded) return false;
    std::optional<memory> known_weights;
    if (const float* floats = is_float_product(step) ? known_floats(weight) : nullptr)
        known_weights = memory(given_weight, program_.engine(), const_cast<float*>(floats));
    if (known_weights && suits_one_group(*geometry)) {
        known_weights = in_one_group(*geometry, *known_weights);
        given_weight = known_weights->get_desc();
        geometry->groups = 1;
        program_.note_mixing();
    }

    const ValueId result = links.empty() ? step.output : step_of(links.back().step).output;
    memory::dims data_dims{geometry->batch, geometry->in_channels};
    for (int64_t extent : spatial(geometry->input, rank)) data_dims.push_back(extent);
    const std::vector<int64_t> sizes = geometry->output_sizes();
    const Window& window = geometry->window;
    const Desc bias =
        folded->affine.has_bias() ? row_major({geometry->out_channels}, bias_type(folded->affine)) : Desc();
    const Convolution convolution{step,
                                  links,
                                  *geometry,
                                  *std::move(folded),
                                  result,
                                  rank,
                                  given_weight,
                                  std::move(known_weights),
                                  any(data_dims, type_of(data)),
                                  any(given_weight.dims(), integers ? memory::data_type::s8 : type_of(weight)),
                                  bias,
                                  any(memory::dims(sizes.begin(), sizes.end()), type_of(result)),
                                  spatial(window.stride, rank),
                                  spatial(window.dilation, rank, 1),
                                  spatial(window.pad_before, rank),
                                  spatial(window.pad_after, rank)};
    return transposed ? lower_transposed(convolution) : lower_direct(convolution);
}

bool Lowering::lower_transposed(const Convolution& convolution) {
    // TVM's padding at the end includes rows that are cut off; oneDNN requires what fits the result's extent.
    memory::dims after = convolution.after;
    const memory::dims from = convolution.data.dims(), to = convolution.target.dims();
    for (size_t d = 0; d < convolution.rank; ++d) {
        const int64_t size = convolution.geometry.window.size[3 - convolution.rank + d];
        const int64_t reach = (size - 1) * (convolution.dilation[d] + 1) + 1;
        after[d] = (from[2 + d] - 1) * convolution.strides[d] + reach - convolution.before[d] - to[2 + d];
    }
    const dnnl::deconvolution_forward::desc description(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::deconvolution_direct, convolution.data, convolution.weight,
        convolution.bias, convolution.target, convolution.strides, convolution.dilation, convolution.before, after);
    const dnnl::deconvolution_forward::primitive_desc chosen(description, convolution.folded.attributes,
                                                             program_.engine());
    if (is_reference(chosen.impl_info_str())) return false;
    emit_convolution(convolution, chosen, dnnl::deconvolution_forward(chosen));
    return true;
}

bool Lowering::lower_direct(const Convolution& convolution) {
    const bool floats = dtype_of(convolution.step.inputs[0]) == kFloat32;
    const ImageLayout layout = floats ? layout_for_groups(convolution.geometry) : std::nullopt;
    if (convolution.known_weights && lower_to_own_convolution(convolution, layout)) return true;
    if (has_sum(convolution.links) && spoils_sum(convolution.geometry)) return false;
    return (layout && lower_to_primitive(convolution, layout)) || lower_to_primitive(convolution, std::nullopt);
}

bool Lowering::lower_to_own_convolution(const Convolution& convolution, ImageLayout layout) {
    if (layout != memory::format_tag::nhwc && lower_pointwise(convolution)) return true;
    if (prefers_blocks(convolution) && lower_patches(convolution)) return true;
    for (WinogradTile tile : convolution_methods(convolution.geometry))
        if (tile != 1 && lower_winograd(convolution, tile)) return true;
    return false;
}

bool Lowering::prefers_blocks(const Convolution& convolution) const {
    const ValueId data = convolution.step.inputs[0];
    return dtype_of(data) == kFloat32 && !is_channels_last(current(data));
}

bool Lowering::lower_to_primitive(const Convolution& convolution, ImageLayout layout) {
    const auto described = [&](const Desc& desc) {
        return layout ? Desc(desc.dims(), desc.data_type(), *layout) : desc;
    };
    const dnnl::convolution_forward::desc description(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, described(convolution.data),
        convolution.weight, convolution.bias, described(convolution.target), convolution.strides, convolution.dilation,
        convolution.before, convolution.after);
    dnnl::convolution_forward::primitive_desc chosen(description, convolution.folded.attributes, program_.engine(),
                                                     true);
    // Advancing to another implementation reads `description` again.
    if (prefers_blocks(convolution) && layout != memory::format_tag::nhwc) select_blocked(chosen);
    if (!chosen || is_reference(chosen.impl_info_str())) return false;
    if (dtype_of(convolution.step.inputs[0]) == kFloat32 && packs_in_each_run(chosen.impl_info_str()) &&
        has_sum(convolution.links))
        return false;
    emit_convolution(convolution, chosen, dnnl::convolution_forward(chosen));
    return true;
}

template <class Description>
void Lowering::emit_convolution(const Convolution& convolution, const Description& chosen,
                                const dnnl::primitive& primitive) {
    const ConvolutionGeometry& geometry = convolution.geometry;
    const std::vector<int> to_tensor = permutation(geometry.data_axes, geometry.out_layout.text());
    const std::vector<int> from_axes = permutation(geometry.data_axes, geometry.data_layout.text());
    const SlotId source = in_layout(convolution.step.inputs[0], chosen.src_desc().permute_axes(from_axes));
    Arguments arguments{{DNNL_ARG_SRC, view(source, chosen.src_desc())}};
    const FoldedProduct& folded = convolution.folded;
    arguments.emplace_back(
        DNNL_ARG_WEIGHTS,
        convolution.known_weights
            ? fixed_in(*convolution.known_weights, chosen.weights_desc(), folded.affine.scale)
            : weights_of(folded, convolution.step.inputs[1], convolution.given_weight, chosen.weights_desc()));
    const Affine& affine = folded.affine;
    if (affine.has_bias()) arguments.emplace_back(DNNL_ARG_BIAS, bias_slot(affine, convolution.bias));
    const SlotId target = destination(convolution.result, chosen.dst_desc().permute_axes(to_tensor), convolution.links,
                                      convolution.step.expr);
    arguments.emplace_back(DNNL_ARG_DST, view(target, chosen.dst_desc()));
    emit(primitive, std::move(arguments), chosen.scratchpad_desc(), convolution.step, convolution.links);
}

bool Lowering::lower_dense(const Step& step, Links links) {
    const ValueId data = step.inputs[0], weight = step.inputs[1];
    const bool integers = is_integer(data);
    if (shape_of(data).size() != 2 || (!integers && !is_float_product(step))) return false;
    const ValueId result = links.empty() ? step.output : step_of(links.back().step).output;
    const bool reshaped = shape_of(result).size() != 2;  // its rows have several dimensions
    const int64_t channels = shape_of(step.output)[1];
    const std::optional<FoldedProduct> folded = fold_product(step, links, plain(weight), 1, channels, DataZero::InBias);
    if (!folded) return false;
    const Affine& affine = folded->affine;
    if (lower_quantized(step, links, affine)) return true;
    const Desc bias = affine.has_bias() ? row_major({channels}, bias_type(affine)) : Desc();
    // Weights that change with each run are used as they are: reordering them costs more than it gains. So are weights
    // for a single row, which oneDNN streams through fastest row by row: 27 GB/s against 19 in blocks.
    const bool one_row = shape_of(data)[0] == 1 && dtype_of(data) == kFloat32;
    const memory::data_type weight_type = integers ? memory::data_type::s8 : type_of(weight);
    Desc result_desc =
        reshaped ? row_major(dims_of(step.output), type_of(result)) : any(dims_of(result), type_of(result));
    Desc weight_desc = is_known(weight) && !one_row ? any(dims_of(weight), weight_type) : plain(weight);
    dnnl::inner_product_forward::desc description(dnnl::prop_kind::forward_inference, any(dims_of(data), type_of(data)),
                                                  weight_desc, bias, result_desc);
    dnnl::inner_product_forward::primitive_desc chosen(description, folded->attributes, program_.engine());
    if (is_reference(chosen.impl_info_str())) return false;
    const bool prefers_own =
        packs_in_each_run(chosen.impl_info_str()) || suits_own_product(shape_of(data)[0], shape_of(data)[1] * channels);
    if (prefers_own && lower_packed(step, links, affine)) return true;
    if (one_row) select_vector_product(chosen);
    const SlotId source = in_layout(data, chosen.src_desc());
    const SlotId weights = weights_of(*folded, weight, plain(weight), chosen.weights_desc());
    Arguments arguments{{DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, weights}};
    if (affine.has_bias()) arguments.push_back({DNNL_ARG_BIAS, bias_slot(affine, bias)});
    const SlotId target = destination(result, reshaped ? plain(result) : chosen.dst_desc(), links, step.expr);
    arguments.push_back({DNNL_ARG_DST, view(target, chosen.dst_desc())});
    emit(dnnl::inner_product_forward(chosen), std::move(arguments), chosen.scratchpad_desc(), step, links);
    return true;
}

bool Lowering::lower_matmul(const Step& step, Links links) {
    ValueId a = step.inputs[0], b = step.inputs[1];
    size_t rank = shape_of(step.output).size();
    if (!dtype_of(a).is_float() || type_of(a) != type_of(b) || type_of(a) != type_of(step.output)) return false;
    if (shape_of(a).size() != rank || shape_of(b).size() != rank) return false;
    ValueId result = links.empty() ? step.output : step_of(links.back().step).output;
    int64_t channels = shape_of(step.output).back();
    Affine affine = fold_affine(links, channels, false);
    if (!affine.folds) return false;
    std::vector<int> swap;
    for (size_t d = 0; d < rank; ++d) swap.push_back(int(d));
    std::swap(swap[rank - 1], swap[rank - 2]);
    Desc left = plain(a), right = plain(b), target = plain(result);
    if (step.attributes.boolean("transpose_a")) left = left.permute_axes(swap);
    if (step.attributes.boolean("transpose_b")) right = right.permute_axes(swap);
    const bool has_bias = affine.has_bias();
    memory::dims bias_dims(rank, 1);
    bias_dims[rank - 1] = channels;
    Desc bias = has_bias ? row_major(bias_dims, bias_type(affine)) : Desc();
    Desc right_wanted = is_known(b) ? any(right.dims(), type_of(b)) : right;
    dnnl::matmul::desc description = has_bias ? dnnl::matmul::desc(left, right_wanted, bias, target)
                                              : dnnl::matmul::desc(left, right_wanted, target);
    dnnl::matmul::primitive_desc chosen(description, attributes_with(links), program_.engine());
    SlotId source = view(in_plain_layout(a), left);
    SlotId weights = weights_in(b, right, chosen.weights_desc(), {});
    Arguments arguments{{DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, weights}};
    if (has_bias) arguments.push_back({DNNL_ARG_BIAS, bias_slot(affine, bias)});
    arguments.push_back({DNNL_ARG_DST, destination(result, target, links, step.expr)});
    emit(dnnl::matmul(chosen), std::move(arguments), chosen.scratchpad_desc(), step, links);
    return true;
}

}  // namespace partita::onednn
