// Ops of the nn family that move elements: padding, space to channels or batch and back, dilation. Source: TVM 0.9,
// src/relay/op/nn/{pad,nn}.cc and topi/{nn.h,nn/*.py}.
#include <algorithm>
#include <cmath>

#include "engine/ops/c_writer.h"
#include "engine/ops/converted.h"
#include "engine/ops/families.h"
#include "engine/ops/gather.h"
#include "engine/ops/layout.h"
#include "engine/ops/nn_spatial.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"
#include "engine/ops/strided_copy.h"

namespace partita {

namespace {

Result<TypeId> padded_type(const TypeQuery& query, int64_t minimum) {
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]);
    auto widths = checked_pairs(query.attributes, "pad_width", data.size(), minimum);
    if (!widths) return widths.error();
    std::vector<int64_t> shape(data.begin(), data.end());
    for (size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == kDynamicDim) continue;
        auto extent = checked_add(shape[i], (*widths)[i].first + (*widths)[i].second);
        if (!extent || *extent < 0) return error("pad_width removes more than axis " + std::to_string(i) + " has");
        shape[i] = *extent;
    }
    return checked_tensor(types, types.dtype(query.arguments[0]), shape);
}

Result<TypeId> pad_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    const std::string& mode = query.attributes.string("pad_mode");
    if (mode != "constant" && mode != "edge" && mode != "reflect")
        return error("pad_mode must be \"constant\", \"edge\" or \"reflect\", not \"" + mode + "\"");
    for (int64_t dim : query.types.shape(query.arguments[1]))
        if (dim != 1) return error("the padding value must have one element");
    return padded_type(query, mode == "constant" ? std::numeric_limits<int32_t>::min() : 0);
}

Result<TypeId> mirror_pad_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    const std::string& mode = query.attributes.string("mode");
    if (mode != "SYMMETRIC" && mode != "REFLECT")
        return error("mode must be \"SYMMETRIC\" or \"REFLECT\", not \"" + mode + "\"");
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]);
    auto widths = checked_pairs(query.attributes, "pad_width", data.size(), 0);
    if (!widths) return widths.error();
    for (size_t i = 0; i < data.size(); ++i) {
        int64_t most = data[i] - (mode == "REFLECT" ? 1 : 0);
        if (data[i] != kDynamicDim && std::max((*widths)[i].first, (*widths)[i].second) > std::max<int64_t>(most, 0))
            return error("pad_width is more than axis " + std::to_string(i) + " has to mirror");
    }
    return padded_type(query, 0);
}

Result<TypeId> sub_pixel_relation(const TypeQuery& query, bool to_space) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    auto layout = Layout::parse(query.attributes.string("layout"));
    if (!layout) return layout.error();
    auto sizes = plain_sizes(query, *layout, "NCHW");
    if (!sizes) return sizes.error();
    const std::string& mode = query.attributes.string("mode");
    if (mode != "DCR" && mode != "CDR") return error("mode must be \"DCR\" or \"CDR\", not \"" + mode + "\"");
    int64_t block = query.attributes.integer("block_size");
    if (block < 1 || block > 32768) return error("block_size must be positive, not " + std::to_string(block));
    auto scale = [&](int64_t& size, int64_t factor, bool grow) -> bool {
        if (size == kDynamicDim) return true;
        if (!grow && size % factor != 0) return false;
        if (!grow) size /= factor;
        return !grow || !__builtin_mul_overflow(size, factor, &size);
    };
    if (!scale((*sizes)[1], block * block, !to_space) || !scale((*sizes)[2], block, to_space) ||
        !scale((*sizes)[3], block, to_space))
        return error("block_size " + std::to_string(block) + " does not divide the data");
    return checked_tensor(query.types, query.types.dtype(query.arguments[0]), layout->shape_of("NCHW", *sizes));
}

Result<TypeId> depth_to_space_relation(const TypeQuery& query) { return sub_pixel_relation(query, true); }
Result<TypeId> space_to_depth_relation(const TypeQuery& query) { return sub_pixel_relation(query, false); }

struct BlockShape {
    std::vector<int64_t> blocks;
    int64_t product = 1;
    std::vector<std::pair<int64_t, int64_t>> borders;  ///< paddings or crops
};

Result<BlockShape> read_blocks(const TypeQuery& query, const char* borders) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    BlockShape result;
    size_t count = query.attributes.integers("block_shape").size();
    auto blocks = checked_integers(query.attributes, "block_shape", count, 1);
    if (!blocks) return blocks.error();
    result.blocks = *blocks;
    if (query.types.shape(query.arguments[0]).size() < count + 1)
        return error("the data must have a batch axis and one for each of the " + std::to_string(count) + " blocks");
    for (int64_t block : result.blocks) {
        auto product = checked_multiply(result.product, block);
        if (!product) return error("block_shape is too large");
        result.product = *product;
    }
    auto pairs = checked_pairs(query.attributes, borders, count, 0);
    if (!pairs) return pairs.error();
    result.borders = *pairs;
    return result;
}

Result<TypeId> space_to_batch_relation(const TypeQuery& query) {
    auto blocks = read_blocks(query, "paddings");
    if (!blocks) return blocks.error();
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]);
    std::vector<int64_t> shape(data.begin(), data.end());
    auto batch = checked_multiply(shape[0], blocks->product);
    if (!batch) return error("the result would be too large");
    shape[0] = *batch;
    for (size_t i = 0; i < blocks->blocks.size(); ++i) {
        if (shape[i + 1] == kDynamicDim) continue;
        auto padded = checked_add(shape[i + 1], blocks->borders[i].first + blocks->borders[i].second);
        if (!padded || *padded % blocks->blocks[i] != 0)
            return error("the padded axis " + std::to_string(i + 1) + " is not a multiple of its block");
        shape[i + 1] = *padded / blocks->blocks[i];
    }
    return checked_tensor(types, types.dtype(query.arguments[0]), shape);
}

Result<TypeId> batch_to_space_relation(const TypeQuery& query) {
    auto blocks = read_blocks(query, "crops");
    if (!blocks) return blocks.error();
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]);
    std::vector<int64_t> shape(data.begin(), data.end());
    if (shape[0] != kDynamicDim) {
        if (shape[0] % blocks->product != 0) return error("the batch is not a multiple of the blocks");
        shape[0] /= blocks->product;
    }
    for (size_t i = 0; i < blocks->blocks.size(); ++i) {
        if (shape[i + 1] == kDynamicDim) continue;
        auto extent = checked_multiply(shape[i + 1], blocks->blocks[i]);
        if (!extent) return error("the result would be too large");
        shape[i + 1] = *extent - blocks->borders[i].first - blocks->borders[i].second;
        if (shape[i + 1] < 0) return error("crops removes more than axis " + std::to_string(i + 1) + " has");
    }
    return checked_tensor(types, types.dtype(query.arguments[0]), shape);
}

Result<TypeId> dilate_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]);
    auto strides = checked_integers(query.attributes, "strides", data.size(), 1);
    if (!strides) return strides.error();
    std::vector<int64_t> shape(data.begin(), data.end());
    for (size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == kDynamicDim || shape[i] == 0) continue;
        auto spread = checked_multiply(shape[i] - 1, (*strides)[i]);
        if (!spread) return error("the result would be too large");
        shape[i] = *spread + 1;
    }
    return checked_tensor(types, types.dtype(query.arguments[0]), shape);
}

// ---- Kernels that move elements ----

/// Returns the result's axes as loops, without source terms.
std::vector<GatherAxis> result_axes(std::span<const int64_t> shape) {
    std::vector<GatherAxis> axes(shape.size());
    std::vector<int64_t> strides = row_major_strides(shape);
    for (size_t d = 0; d < shape.size(); ++d)
        for (int64_t i = 0; i < shape[d]; ++i) axes[d].target.push_back(i * strides[d]);
    return axes;
}

/// An element of any type made from a number.
struct FillerElement {
    alignas(8) std::byte bytes[8] = {};

    FillerElement(DataType dtype, double value) {
        if (dtype.is_bool()) value = value != 0;
        with_element_type(dtype, [&](auto tag) {
            using Element = typename decltype(tag)::type;
            *reinterpret_cast<Element*>(bytes) = Element(convert<Wide<Element>>(value));
        });
    }
};

/// The source of a border element of an axis.
enum class Border { Filler, Edge, Reflect, Symmetric };

int64_t border_source(int64_t index, int64_t extent, Border border) {
    if (index >= 0 && index < extent) return index;
    switch (border) {
        case Border::Filler: return -1;
        case Border::Edge: return std::clamp<int64_t>(index, 0, extent - 1);
        case Border::Reflect: index = index < 0 ? -index : 2 * (extent - 1) - index; break;
        case Border::Symmetric: index = index < 0 ? -index - 1 : 2 * extent - 1 - index; break;
    }
    // Borders wider than the data, which the relation allows only for pad, repeat the edge.
    return std::clamp<int64_t>(index, 0, extent - 1);
}

Status pad_elements(const KernelCall& call, std::span<const std::pair<int64_t, int64_t>> widths, Border border,
                    const void* filler) {
    const TensorView &data = call.inputs[0], &result = call.outputs[0];
    if (data.dtype.bytes() > 8) return unsupported_types(call);
    std::vector<int64_t> strides = row_major_strides(data.shape);
    std::vector<GatherAxis> axes = result_axes(result.shape);
    for (size_t d = 0; d < axes.size(); ++d)
        for (int64_t i = 0; i < result.shape[d]; ++i) {
            int64_t source = border_source(i - widths[d].first, data.shape[d], data.shape[d] ? border : Border::Filler);
            axes[d].source.push_back(source < 0 ? GatherAxis::kFiller : source * strides[d]);
        }
    gather_elements(axes, data.data, result.data, filler, data.dtype.bytes(), call.threads);
    return Nothing();
}

Status pad_kernel(const KernelCall& call) {
    const std::string& mode = call.attributes.string("pad_mode");
    auto widths =
        checked_pairs(call.attributes, "pad_width", call.inputs[0].shape.size(), std::numeric_limits<int32_t>::min());
    if (!widths) return widths.error();
    double value = 0;
    bool known = with_element_type(call.inputs[1].dtype, [&](auto tag) {
        using Element = typename decltype(tag)::type;
        value = double(Wide<Element>(*call.inputs[1].as<Element>()));
    });
    if (!known) return unsupported_types(call);
    FillerElement filler(call.outputs[0].dtype, value);
    Border border = mode == "edge" ? Border::Edge : mode == "reflect" ? Border::Reflect : Border::Filler;
    // The value itself if the types agree: a double cannot hold every int64.
    const void* bytes = call.inputs[1].dtype == call.outputs[0].dtype ? call.inputs[1].data : filler.bytes;
    return pad_elements(call, *widths, border, bytes);
}

Status mirror_pad_kernel(const KernelCall& call) {
    auto widths = checked_pairs(call.attributes, "pad_width", call.inputs[0].shape.size(), 0);
    if (!widths) return widths.error();
    bool symmetric = call.attributes.string("mode") == "SYMMETRIC";
    FillerElement zero(call.outputs[0].dtype, 0);
    return pad_elements(call, *widths, symmetric ? Border::Symmetric : Border::Reflect, zero.bytes);
}

/// Returns the index of an axis of the data for the result's index `i - before`, mirrored or clamped as in
/// border_source.
std::string border_index_in_c(const std::string& index, int64_t extent, Border border) {
    std::string last = std::to_string(extent - 1), mirrored = index;
    if (border == Border::Reflect)
        mirrored = "(" + index + " < 0 ? -" + index + " : " + index + " > " + last + " ? " +
                   std::to_string(2 * (extent - 1)) + " - " + index + " : " + index + ")";
    if (border == Border::Symmetric)
        mirrored = "(" + index + " < 0 ? -" + index + " - 1 : " + index + " > " + last + " ? " +
                   std::to_string(2 * extent - 1) + " - " + index + " : " + index + ")";
    return "(" + mirrored + " < 0 ? 0 : " + mirrored + " > " + last + " ? " + last + " : " + mirrored + ")";
}

Status pad_loops_in_c(const CLoops& loops, std::span<const std::pair<int64_t, int64_t>> widths, Border border,
                      const std::string& filler) {
    const CTensor &data = loops.inputs[0], &result = loops.outputs[0];
    bool empty = element_count(data.shape).value_or(0) == 0;
    if (empty && border != Border::Filler)
        return error(loops.attributes.op().name + " of an empty tensor can't be written in C");
    std::vector<int64_t> to = row_major_strides(result.shape), from = row_major_strides(data.shape);
    CWriter code(loops.code, loops.indent);
    std::string target = "0", source = "0", inside;
    for (size_t d = 0; d < result.shape.size(); ++d) {
        std::string i = "i" + std::to_string(d), j = "j" + std::to_string(d);
        code.open_loop(i, result.shape[d]);
        target += " + " + i + " * " + std::to_string(to[d]);
        code.line("const int64_t " + j + " = " + i + " - " + c_constant(kInt64, widths[d].first) + ";");
        if (border == Border::Filler)
            inside += (inside.empty() ? "" : " && ") + j + " >= 0 && " + j + " < " + std::to_string(data.shape[d]);
        source += " + " + (border == Border::Filler ? j : border_index_in_c(j, data.shape[d], border)) + " * " +
                  std::to_string(from[d]);
    }
    std::string value = data.name + "[" + source + "]";
    if (empty) value = "(" + c_type(result.dtype) + ")" + filler;
    else if (!inside.empty()) value = inside + " ? " + value + " : (" + c_type(result.dtype) + ")" + filler;
    if (empty)
        for (size_t d = 0; d < result.shape.size(); ++d) code.line("(void)j" + std::to_string(d) + ";");
    code.line(result.name + "[" + target + "] = " + value + ";");
    for (size_t d = 0; d < result.shape.size(); ++d) code.close();
    return Nothing();
}

Status pad_in_c(const CLoops& loops) {
    const std::string& mode = loops.attributes.string("pad_mode");
    auto widths =
        checked_pairs(loops.attributes, "pad_width", loops.inputs[0].shape.size(), std::numeric_limits<int32_t>::min());
    if (!widths) return widths.error();
    if (!(loops.inputs[1].dtype == loops.outputs[0].dtype))
        return error("nn.pad with a value of another type can't be written in C");
    Border border = mode == "edge" ? Border::Edge : mode == "reflect" ? Border::Reflect : Border::Filler;
    return pad_loops_in_c(loops, *widths, border, loops.inputs[1].name + "[0]");
}

Status mirror_pad_in_c(const CLoops& loops) {
    auto widths = checked_pairs(loops.attributes, "pad_width", loops.inputs[0].shape.size(), 0);
    if (!widths) return widths.error();
    bool symmetric = loops.attributes.string("mode") == "SYMMETRIC";
    return pad_loops_in_c(loops, *widths, symmetric ? Border::Symmetric : Border::Reflect, "0");
}

Status dilate_kernel(const KernelCall& call) {
    const TensorView &data = call.inputs[0], &result = call.outputs[0];
    if (data.dtype.bytes() > 8) return unsupported_types(call);
    std::vector<int64_t> steps = call.attributes.integers("strides"), strides = row_major_strides(data.shape);
    std::vector<GatherAxis> axes = result_axes(result.shape);
    for (size_t d = 0; d < axes.size(); ++d)
        for (int64_t i = 0; i < result.shape[d]; ++i)
            axes[d].source.push_back(i % steps[d] ? GatherAxis::kFiller : i / steps[d] * strides[d]);
    FillerElement filler(result.dtype, call.attributes.real("dilation_value"));
    gather_elements(axes, data.data, result.data, filler.bytes, data.dtype.bytes(), call.threads);
    return Nothing();
}

/// Copies between an image with deep channels and a wide one, place by place of the block.
template <bool to_space>
Status sub_pixel_kernel(const KernelCall& call) {
    auto offsets = image_offsets(call, "NCHW");
    if (!offsets) return offsets.error();
    int64_t block = call.attributes.integer("block_size");
    bool channels_first = call.attributes.string("mode") == "CDR";
    const auto& deep_sizes = to_space ? offsets->data_sizes : offsets->result_sizes;
    const auto& deep = to_space ? offsets->data : offsets->result;
    const auto& wide = to_space ? offsets->result : offsets->data;
    int64_t channels = deep_sizes[1] / (block * block);
    int64_t batch = deep_sizes[0], rows = deep_sizes[2], columns = deep_sizes[3];
    int64_t images = batch * channels * block * block;
    size_t bytes = call.inputs[0].dtype.bytes();
    const auto* from = call.inputs[0].as<std::byte>();
    auto* to = call.outputs[0].as<std::byte>();
    call.threads.parallel_for(
        images, std::max<int64_t>(1, 16384 / std::max<int64_t>(1, rows * columns)), [&](int64_t begin, int64_t end) {
            for (int64_t image = begin; image < end; ++image) {
                int64_t block_column = image % block, block_row = image / block % block;
                int64_t channel = image / block / block % channels, n = image / block / block / channels;
                int64_t in_block = block_row * block + block_column;
                int64_t deep_channel =
                    channels_first ? channel * block * block + in_block : in_block * channels + channel;
                int64_t deep_base = deep[0][size_t(n)] + deep[1][size_t(deep_channel)];
                int64_t wide_base = wide[0][size_t(n)] + wide[1][size_t(channel)];
                for (int64_t y = 0; y < rows; ++y)
                    for (int64_t x = 0; x < columns; ++x) {
                        int64_t in_deep = deep_base + deep[2][size_t(y)] + deep[3][size_t(x)];
                        int64_t in_wide = wide_base + wide[2][size_t(y * block + block_row)] +
                                          wide[3][size_t(x * block + block_column)];
                        std::copy_n(from + size_t(to_space ? in_deep : in_wide) * bytes, bytes,
                                    to + size_t(to_space ? in_wide : in_deep) * bytes);
                    }
            }
        });
    return Nothing();
}

/// For layouts without blocks.
template <bool to_space>
std::vector<TensorCopy> sub_pixel_copies(const CopyQuery& query) {
    auto layout = Layout::parse(query.attributes.string("layout"));
    const int64_t block = query.attributes.integer("block_size");
    const std::span<const int64_t> deep_shape = to_space ? query.inputs[0] : query.outputs[0];
    const std::vector<int64_t> from = row_major_strides(query.inputs[0]), to = row_major_strides(query.outputs[0]);
    const std::vector<int64_t>&deep = to_space ? from : to, &wide = to_space ? to : from;
    auto at = [&](char axis) { return size_t(layout->position(axis)); };
    const int64_t channels = deep_shape[at('C')] / (block * block);
    const bool channels_first = query.attributes.string("mode") == "CDR";
    const int64_t of_channel = deep[at('C')] * (channels_first ? block * block : 1);
    const int64_t of_place = deep[at('C')] * (channels_first ? 1 : channels);
    TensorCopy made;
    auto add = [&](int64_t extent, int64_t in_deep, int64_t in_wide) {
        made.copy.add_extent(extent, to_space ? in_deep : in_wide, to_space ? in_wide : in_deep);
    };
    add(deep_shape[at('N')], deep[at('N')], wide[at('N')]);
    add(channels, of_channel, wide[at('C')]);
    add(deep_shape[at('H')], deep[at('H')], wide[at('H')] * block);
    add(block, of_place * block, wide[at('H')]);
    add(deep_shape[at('W')], deep[at('W')], wide[at('W')] * block);
    add(block, of_place, wide[at('W')]);
    return {made};
}

template <bool to_space>
Status sub_pixel_in_c(const CLoops& loops) {
    auto layout = Layout::parse(loops.attributes.string("layout"));
    if (!layout || layout->is_blocked())
        return error(loops.attributes.op().name + " of a blocked layout can't be written in C");
    return write_copies(sub_pixel_copies<to_space>, loops);
}

std::vector<TensorCopy> dilate_copies(const CopyQuery& query) {
    const std::vector<int64_t> steps = query.attributes.integers("strides");
    const std::vector<int64_t> from = row_major_strides(query.inputs[0]), to = row_major_strides(query.outputs[0]);
    TensorCopy made;
    for (size_t d = 0; d < from.size(); ++d) made.copy.add_extent(query.inputs[0][d], from[d], to[d] * steps[d]);
    return {made};
}

Status dilate_in_c(const CLoops& loops) {
    const double value = loops.attributes.real("dilation_value");
    const DataType dtype = loops.outputs[0].dtype;
    if (!dtype.is_float() && !(std::abs(value) < 128 && value >= 0))
        return error("nn.dilate of integers with the value " + std::to_string(value) + " can't be written in C");
    write_fill(loops, c_constant(dtype, value));
    return write_copies(dilate_copies, loops);
}

/// Copies between a tensor whose batch holds blocks and one whose spatial axes do. `borders` are paddings or crops of
/// the spatial side. Elements of the batch side outside the spatial side are the filler.
Status batch_blocks(const KernelCall& call, bool to_batch, const BlockShape& blocks, const void* filler) {
    const TensorView& batch_side = to_batch ? call.outputs[0] : call.inputs[0];
    const TensorView& space_side = to_batch ? call.inputs[0] : call.outputs[0];
    std::vector<int64_t> batch_strides = row_major_strides(batch_side.shape),
                         space_strides = row_major_strides(space_side.shape);
    int64_t batch = space_side.shape[0];
    size_t count = blocks.blocks.size();
    // For each place in a block, one gather over the positions of blocks.
    for (int64_t place = 0; place < blocks.product; ++place) {
        std::vector<GatherAxis> axes(batch_side.shape.size());
        for (int64_t n = 0; n < batch; ++n) {
            axes[0].target.push_back((place * batch + n) * batch_strides[0]);
            axes[0].source.push_back(n * space_strides[0]);
        }
        int64_t rest = place;
        for (size_t d = axes.size(); d-- > 1;) {
            bool divided = d <= count;
            int64_t block = divided ? blocks.blocks[d - 1] : 1, before = divided ? blocks.borders[d - 1].first : 0;
            int64_t in_block = rest % block;
            rest /= block;
            for (int64_t i = 0; i < batch_side.shape[d]; ++i) {
                int64_t index = i * block + in_block - before;
                bool inside = index >= 0 && index < space_side.shape[d];
                if (!inside && !to_batch) continue;
                axes[d].target.push_back(i * batch_strides[d]);
                axes[d].source.push_back(inside ? index * space_strides[d] : GatherAxis::kFiller);
            }
        }
        if (!to_batch)
            for (GatherAxis& axis : axes) std::swap(axis.source, axis.target);
        gather_elements(axes, call.inputs[0].data, call.outputs[0].data, filler, call.inputs[0].dtype.bytes(),
                        call.threads);
    }
    return Nothing();
}

BlockShape blocks_of(const KernelCall& call, const char* borders) {
    BlockShape shape;
    shape.blocks = call.attributes.integers("block_shape");
    for (int64_t block : shape.blocks) shape.product *= block;
    if (auto pairs = checked_pairs(call.attributes, borders, shape.blocks.size(), 0)) shape.borders = *pairs;
    return shape;
}

Status space_to_batch_kernel(const KernelCall& call) {
    if (call.inputs[0].dtype.bytes() > 8) return unsupported_types(call);
    FillerElement filler(call.outputs[0].dtype, call.attributes.real("pad_value"));
    return batch_blocks(call, true, blocks_of(call, "paddings"), filler.bytes);
}

Status batch_to_space_kernel(const KernelCall& call) {
    if (call.inputs[0].dtype.bytes() > 8) return unsupported_types(call);
    return batch_blocks(call, false, blocks_of(call, "crops"), nullptr);
}

/// Writes batch_blocks in C, as one loop nest over the result's elements.
Status batch_blocks_in_c(const CLoops& loops, bool to_batch, const char* borders, const std::string& filler) {
    const CTensor &data = loops.inputs[0], &result = loops.outputs[0];
    if (element_count(result.shape).value_or(0) == 0) return Nothing();
    std::vector<int64_t> blocks = loops.attributes.integers("block_shape"), from = row_major_strides(data.shape),
                         to = row_major_strides(result.shape);
    auto widths = checked_pairs(loops.attributes, borders, blocks.size(), 0);
    if (!widths) return widths.error();
    const std::string batch = number(to_batch ? data.shape[0] : result.shape[0]);
    CWriter code(loops.code, loops.indent);
    for (size_t d = 0; d < result.shape.size(); ++d) code.open_loop("i" + number(int64_t(d)), result.shape[d]);
    std::string target = "0", inside = "1", source = "0", place = "0";
    for (size_t d = 0; d < result.shape.size(); ++d) target += " + i" + number(int64_t(d)) + " * " + number(to[d]);
    int64_t rest = 1;  // divisor of a place in a block
    for (size_t d = result.shape.size(); d-- > 1;) {
        std::string i = "i" + number(int64_t(d)), j = "j" + number(int64_t(d));
        bool divided = d <= blocks.size();
        std::string block = number(divided ? blocks[d - 1] : 1), before = number(divided ? (*widths)[d - 1].first : 0);
        if (to_batch) {
            code.line("const int64_t " + j + " = " + i + " * " + block + " + i0 / " + batch + " / " + number(rest) +
                      " % " + block + " - " + before + ";");
            inside += " && " + j + " >= 0 && " + j + " < " + number(data.shape[d]);
        } else {
            code.line("const int64_t " + j + " = (" + i + " + " + before + ") / " + block + ";");
            place += " + (" + i + " + " + before + ") % " + block + " * " + number(rest);
        }
        source += " + " + j + " * " + number(from[d]);
        if (divided) rest *= blocks[d - 1];
    }
    std::string first = to_batch ? "i0 % " + batch : "((" + place + ") * " + batch + " + i0)";
    std::string element = data.name + "[" + source + " + " + first + " * " + number(from[0]) + "]";
    code.line(result.name + "[" + target + "] = " + (to_batch ? inside + " ? " + element + " : " + filler : element) +
              ";");
    for (size_t d = 0; d < result.shape.size(); ++d) code.close();
    return Nothing();
}

Status space_to_batch_in_c(const CLoops& loops) {
    DataType dtype = loops.outputs[0].dtype;
    double value = loops.attributes.real("pad_value");
    std::string filler;
    bool known = with_element_type(dtype, [&](auto tag) {
        auto converted = convert<Wide<typename decltype(tag)::type>>(value);
        filler = dtype.is_float() ? c_constant(dtype, double(converted)) : c_constant(dtype, int64_t(converted));
    });
    if (!known) return error("nn.space_to_batch_nd of " + dtype.to_string() + " can't be written in C");
    return batch_blocks_in_c(loops, true, "paddings", filler);
}

Status batch_to_space_in_c(const CLoops& loops) { return batch_blocks_in_c(loops, false, "crops", ""); }

}  // namespace

Result<std::vector<int64_t>> plain_sizes(const TypeQuery& query, const Layout& layout, std::string_view axes) {
    if (!layout.has_axes(axes))
        return error("layout must be convertible to " + std::string(axes) + ", \"" + layout.text() + "\" is not");
    return layout.sizes_of(axes, query.types.shape(query.arguments[0]));
}

Result<ImageOffsets> image_offsets(const KernelCall& call, std::string_view axes) {
    auto layout = Layout::parse(call.attributes.string("layout"));
    if (!layout) return layout.error();
    auto data_sizes = layout->sizes_of(axes, call.inputs[0].shape),
         result_sizes = layout->sizes_of(axes, call.outputs[0].shape);
    if (!data_sizes || !result_sizes) return error("the shapes do not fit the layout");
    if (call.inputs[0].dtype.bytes() > 8) return unsupported_types(call);
    return ImageOffsets{*data_sizes, *result_sizes, layout->offsets(axes, *data_sizes, call.inputs[0].shape),
                        layout->offsets(axes, *result_sizes, call.outputs[0].shape)};
}

OpRecord spatial_record(std::string name, std::string summary, std::vector<std::string> inputs, OpPattern pattern,
                        TypeRelation relation, std::string example) {
    OpRecord record;
    record.name = std::move(name);
    record.summary = std::move(summary);
    record.inputs = std::move(inputs);
    record.pattern = pattern;
    record.relation = relation;
    record.example = std::move(example);
    return record;
}

std::vector<OpRecord> nn_spatial_ops() {
    using enum AttributeKind;
    std::vector<OpRecord> ops;
    auto add = [&ops](OpRecord record, Kernel kernel, std::vector<AttributeField> fields,
                      CLoopsEmitter c_loops = nullptr) {
        record.kernel = kernel;
        record.c_loops = c_loops;
        record.attributes = std::move(fields);
        ops.push_back(std::move(record));
    };
    add(spatial_record("nn.pad", "Puts a border round the data.", {"data", "pad_val"}, OpPattern::Injective,
                       pad_relation, "fn (%x: Tensor[(2, 3), float32]) { nn.pad(%x, 0f, pad_width=[[0, 0], [1, 2]]) }"),
        pad_kernel,
        {required_field("pad_width", Object, "for each axis, how many elements before and after"),
         optional_field("pad_mode", String, "constant", "constant, edge or reflect")},
        pad_in_c);
    add(spatial_record("nn.mirror_pad", "Puts a mirrored border round the data.", {"data"}, OpPattern::Injective,
                       mirror_pad_relation,
                       "fn (%x: Tensor[(2, 3), float32]) { nn.mirror_pad(%x, pad_width=[[0, 0], [1, 2]]) }"),
        mirror_pad_kernel,
        {optional_field("mode", String, "SYMMETRIC", "SYMMETRIC repeats the edge, REFLECT does not"),
         required_field("pad_width", Object, "for each axis, how many elements before and after")},
        mirror_pad_in_c);
    std::vector<AttributeField> sub_pixel{
        optional_field("block_size", Int, 1, "edge of a block"),
        optional_field("layout", String, "NCHW", "order of the data's dimensions"),
        optional_field("mode", String, "DCR", "DCR: blocks first, CDR: channels first")};
    add(spatial_record("nn.depth_to_space", "Spreads channels over blocks of the image.", {"data"},
                       OpPattern::Injective, depth_to_space_relation,
                       "fn (%x: Tensor[(1, 8, 2, 3), float32]) { nn.depth_to_space(%x, block_size=2) }"),
        sub_pixel_kernel<true>, sub_pixel, sub_pixel_in_c<true>);
    add(spatial_record("nn.space_to_depth", "Gathers blocks of the image in channels.", {"data"}, OpPattern::Injective,
                       space_to_depth_relation,
                       "fn (%x: Tensor[(1, 2, 4, 6), float32]) { nn.space_to_depth(%x, block_size=2) }"),
        sub_pixel_kernel<false>, sub_pixel, sub_pixel_in_c<false>);
    add(spatial_record("nn.space_to_batch_nd", "Gathers blocks of the spatial axes in the batch.", {"data"},
                       OpPattern::Injective, space_to_batch_relation,
                       "fn (%x: Tensor[(1, 4, 4, 2), float32]) "
                       "{ nn.space_to_batch_nd(%x, block_shape=[2, 2], paddings=[[0, 0], [0, 0]]) }"),
        space_to_batch_kernel,
        {optional_field("block_shape", IntegerList, integer_list({1, 1}), "extents of a block"),
         required_field("paddings", Object, "for each axis, how many elements before and after"),
         optional_field("pad_value", Double, 0.0, "what the padding is filled with")},
        space_to_batch_in_c);
    add(spatial_record("nn.batch_to_space_nd", "Spreads the batch over blocks of the spatial axes.", {"data"},
                       OpPattern::Injective, batch_to_space_relation,
                       "fn (%x: Tensor[(4, 2, 2, 2), float32]) "
                       "{ nn.batch_to_space_nd(%x, block_shape=[2, 2], crops=[[0, 0], [0, 0]]) }"),
        batch_to_space_kernel,
        {optional_field("block_shape", IntegerList, integer_list({1, 1}), "extents of a block"),
         required_field("crops", Object, "for each axis, how many elements are cut off before and after")},
        batch_to_space_in_c);
    add(spatial_record("nn.dilate", "Puts a value between neighbouring elements.", {"data"}, OpPattern::Injective,
                       dilate_relation, "fn (%x: Tensor[(2, 3), float32]) { nn.dilate(%x, strides=[1, 2]) }"),
        dilate_kernel,
        {optional_field("strides", IntegerList, integer_list({1, 1}), "distance of neighbours in the result"),
         optional_field("dilation_value", Double, 0.0, "what is put between")},
        dilate_in_c);
    return ops;
}

}  // namespace partita
