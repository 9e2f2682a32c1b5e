#include <cmath>

#include "engine/ops/families.h"
#include "engine/ops/layout.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"

namespace partita {

namespace {

Result<TypeId> channel_vector_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]);
    auto axis = checked_axis(query.attributes.integer("axis"), data.size());
    if (!axis) return axis.error();
    if (Status fits = expect_tensor(query, 1, types.dtype(query.arguments[0]), {data[size_t(*axis)]}); !fits)
        return fits.error();
    return query.arguments[0];
}

Result<TypeId> batch_flatten_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]);
    if (data.empty()) return error("the data must have at least one axis");
    int64_t features = 1;
    for (int64_t dim : data.subspan(1)) {
        auto product = checked_multiply(features, dim);
        if (!product) return error("the flattened axis is too large");
        features = *product;
    }
    return checked_tensor(types, types.dtype(query.arguments[0]), std::vector<int64_t>{data[0], features});
}

Result<TypeId> padded_type(const TypeQuery& query, int64_t minimum) {
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]);
    auto widths = checked_pairs(query.attributes, "pad_width", data.size(), minimum);
    if (!widths) return widths.error();
    std::vector<int64_t> shape(data.begin(), data.end());
    for (size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == kDynamicDim) continue;
        auto extent = checked_add(shape[i], (*widths)[i].first + (*widths)[i].second);
        if (!extent || *extent < 0) return error("pad_width takes away more than axis " + std::to_string(i) + " has");
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
    if (mode != "SYMMETRIC" && mode != "REFLECT") return error("mode must be \"SYMMETRIC\" or \"REFLECT\", not \"" + mode + "\"");
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

/// The data's sizes along `axes`, by the op's `layout` attribute.
Result<std::vector<int64_t>> plain_sizes(const TypeQuery& query, const Layout& layout, std::string_view axes) {
    if (!layout.has_axes(axes))
        return error("layout must be convertible to " + std::string(axes) + ", \"" + layout.text() + "\" is not");
    return layout.sizes_of(axes, query.types.shape(query.arguments[0]));
}

Result<int64_t> scaled_extent(int64_t extent, double scale, const char* name) {
    if (extent == kDynamicDim) return kDynamicDim;
    double result = std::round(double(extent) * scale);
    if (!(scale > 0) || !(result < 0x1p40)) return error(std::string(name) + " must be positive and not too large");
    return int64_t(result);
}

Result<TypeId> upsampling_relation(const TypeQuery& query, std::string_view axes, std::span<const char* const> scales) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    auto layout = Layout::parse(query.attributes.string("layout"));
    if (!layout) return layout.error();
    auto sizes = plain_sizes(query, *layout, axes);
    if (!sizes) return sizes.error();
    for (size_t i = 0; i < scales.size(); ++i) {
        auto extent = scaled_extent((*sizes)[i + 2], query.attributes.real(scales[i]), scales[i]);
        if (!extent) return extent.error();
        (*sizes)[i + 2] = *extent;
    }
    return checked_tensor(query.types, query.types.dtype(query.arguments[0]), layout->shape_of(axes, *sizes));
}

Result<TypeId> upsampling2d_relation(const TypeQuery& query) {
    static const char* const scales[] = {"scale_h", "scale_w"};
    const std::string& method = query.attributes.string("method");
    if (method != "nearest_neighbor" && method != "bilinear" && method != "bicubic")
        return error("method must be \"nearest_neighbor\", \"bilinear\" or \"bicubic\", not \"" + method + "\"");
    return upsampling_relation(query, "NCHW", scales);
}

Result<TypeId> upsampling3d_relation(const TypeQuery& query) {
    static const char* const scales[] = {"scale_d", "scale_h", "scale_w"};
    const std::string& method = query.attributes.string("method");
    if (method != "nearest_neighbor" && method != "trilinear")
        return error("method must be \"nearest_neighbor\" or \"trilinear\", not \"" + method + "\"");
    return upsampling_relation(query, "NCDHW", scales);
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
        if (shape[i + 1] < 0) return error("crops takes away more than axis " + std::to_string(i + 1) + " has");
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

Result<TypeId> cross_entropy_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    std::span<const int64_t> predictions = types.shape(query.arguments[0]);
    if (predictions.size() != 2) return error("the predictions must have rank 2");
    if (Status fits = expect_tensor(query, 1, types.dtype(query.arguments[1]), predictions); !fits) return fits.error();
    return types.tensor(types.dtype(query.arguments[0]), {});
}

OpRecord record_of(std::string name, std::string summary, std::vector<std::string> inputs, OpPattern pattern,
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

}  // namespace

std::vector<OpRecord> nn_activation_ops() {
    using enum AttributeKind;
    std::vector<OpRecord> ops;
    auto add = [&ops](OpRecord record, std::vector<AttributeField> fields = {}) {
        record.attributes = std::move(fields);
        ops.push_back(std::move(record));
    };
    add(record_of("nn.relu", "The larger of the data and zero.", {"data"}, OpPattern::Elementwise, identity_relation,
                  "fn (%x: Tensor[(2, 3), float32]) { nn.relu(%x) }"));
    add(record_of("nn.leaky_relu", "The data where positive, else alpha times it.", {"data"}, OpPattern::Elementwise,
                  identity_relation, "fn (%x: Tensor[(2, 3), float32]) { nn.leaky_relu(%x, alpha=0.1f) }"),
        {optional_field("alpha", Double, 0.25, "slope of the negative part")});
    add(record_of("nn.prelu", "The data where positive, else its channel's slope times it.", {"data", "alpha"},
                  OpPattern::Broadcast, channel_vector_relation,
                  "fn (%x: Tensor[(2, 3, 4), float32], %a: Tensor[(3), float32]) { nn.prelu(%x, %a) }"),
        {optional_field("axis", Int, 1, "the channels' axis")});
    add(record_of("nn.bias_add", "Adds a vector along one axis.", {"data", "bias"}, OpPattern::Broadcast,
                  channel_vector_relation,
                  "fn (%x: Tensor[(2, 3, 4), float32], %b: Tensor[(3), float32]) { nn.bias_add(%x, %b) }"),
        {optional_field("axis", Int, 1, "the axis that the vector runs along")});
    add(record_of("nn.batch_flatten", "Joins all axes but the first.", {"data"}, OpPattern::Injective,
                  batch_flatten_relation, "fn (%x: Tensor[(2, 3, 4), float32]) { nn.batch_flatten(%x) }"));
    add(record_of("nn.pad", "Puts a border round the data.", {"data", "pad_val"}, OpPattern::Injective, pad_relation,
                  "fn (%x: Tensor[(2, 3), float32]) { nn.pad(%x, 0f, pad_width=[[0, 0], [1, 2]]) }"),
        {required_field("pad_width", Object, "for each axis, how many elements before and after"),
         optional_field("pad_mode", String, "constant", "constant, edge or reflect")});
    add(record_of("nn.mirror_pad", "Puts a mirrored border round the data.", {"data"}, OpPattern::Injective,
                  mirror_pad_relation, "fn (%x: Tensor[(2, 3), float32]) { nn.mirror_pad(%x, pad_width=[[0, 0], [1, 2]]) }"),
        {optional_field("mode", String, "SYMMETRIC", "SYMMETRIC repeats the edge, REFLECT does not"),
         required_field("pad_width", Object, "for each axis, how many elements before and after")});
    add(record_of("nn.upsampling", "Enlarges an image.", {"data"}, OpPattern::Injective, upsampling2d_relation,
                  "fn (%x: Tensor[(1, 2, 3, 3), float32]) { nn.upsampling(%x, scale_h=2f, scale_w=2f) }"),
        {required_field("scale_h", Double, "factor of the height"), required_field("scale_w", Double, "factor of the width"),
         optional_field("layout", String, "NCHW", "order of the data's dimensions"),
         optional_field("method", String, "nearest_neighbor", "nearest_neighbor, bilinear or bicubic"),
         optional_field("align_corners", Bool, false, "whether the corners of data and result coincide")});
    add(record_of("nn.upsampling3d", "Enlarges a volume.", {"data"}, OpPattern::Injective, upsampling3d_relation,
                  "fn (%x: Tensor[(1, 2, 2, 3, 3), float32]) "
                  "{ nn.upsampling3d(%x, scale_d=2f, scale_h=2f, scale_w=2f) }"),
        {required_field("scale_d", Double, "factor of the depth"), required_field("scale_h", Double, "factor of the height"),
         required_field("scale_w", Double, "factor of the width"),
         optional_field("layout", String, "NCDHW", "order of the data's dimensions"),
         optional_field("method", String, "nearest_neighbor", "nearest_neighbor or trilinear"),
         optional_field("coordinate_transformation_mode", String, "half_pixel", "half_pixel, align_corners or asymmetric")});
    std::vector<AttributeField> sub_pixel{optional_field("block_size", Int, 1, "edge of a block"),
                                          optional_field("layout", String, "NCHW", "order of the data's dimensions"),
                                          optional_field("mode", String, "DCR", "DCR: blocks first, CDR: channels first")};
    add(record_of("nn.depth_to_space", "Spreads channels over blocks of the image.", {"data"}, OpPattern::Injective,
                  depth_to_space_relation, "fn (%x: Tensor[(1, 8, 2, 3), float32]) { nn.depth_to_space(%x, block_size=2) }"),
        sub_pixel);
    add(record_of("nn.space_to_depth", "Gathers blocks of the image in channels.", {"data"}, OpPattern::Injective,
                  space_to_depth_relation, "fn (%x: Tensor[(1, 2, 4, 6), float32]) { nn.space_to_depth(%x, block_size=2) }"),
        sub_pixel);
    add(record_of("nn.space_to_batch_nd", "Gathers blocks of the spatial axes in the batch.", {"data"}, OpPattern::Injective,
                  space_to_batch_relation,
                  "fn (%x: Tensor[(1, 4, 4, 2), float32]) "
                  "{ nn.space_to_batch_nd(%x, block_shape=[2, 2], paddings=[[0, 0], [0, 0]]) }"),
        {optional_field("block_shape", IntegerList, integer_list({1, 1}), "extents of a block"),
         required_field("paddings", Object, "for each axis, how many elements before and after"),
         optional_field("pad_value", Double, 0.0, "what the padding is filled with")});
    add(record_of("nn.batch_to_space_nd", "Spreads the batch over blocks of the spatial axes.", {"data"},
                  OpPattern::Injective, batch_to_space_relation,
                  "fn (%x: Tensor[(4, 2, 2, 2), float32]) "
                  "{ nn.batch_to_space_nd(%x, block_shape=[2, 2], crops=[[0, 0], [0, 0]]) }"),
        {optional_field("block_shape", IntegerList, integer_list({1, 1}), "extents of a block"),
         required_field("crops", Object, "for each axis, how many elements are cut off before and after")});
    add(record_of("nn.dilate", "Puts a value between neighbouring elements.", {"data"}, OpPattern::Injective, dilate_relation,
                  "fn (%x: Tensor[(2, 3), float32]) { nn.dilate(%x, strides=[1, 2]) }"),
        {optional_field("strides", IntegerList, integer_list({1, 1}), "distance of neighbours in the result"),
         optional_field("dilation_value", Double, 0.0, "what is put between")});
    add(record_of("nn.cross_entropy", "Mean cross entropy of probabilities.", {"x", "y"}, OpPattern::Opaque,
                  cross_entropy_relation,
                  "fn (%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float32]) { nn.cross_entropy(%x, %y) }"));
    add(record_of("nn.cross_entropy_with_logits", "Mean cross entropy of logarithms of probabilities.", {"x", "y"},
                  OpPattern::Opaque, cross_entropy_relation,
                  "fn (%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float32]) { nn.cross_entropy_with_logits(%x, %y) }"));
    return ops;
}

}  // namespace partita
