// Padding, resizing and moves between space and depth.
#include <cmath>
#include <tuple>

#include "engine/exporters/onnx/call.h"
#include "engine/ops/relations.h"

namespace partita::onnx_export {

namespace {

std::vector<int64_t> pads_of(Call& c, const char* name) {
    auto widths = checked_pairs(c.attributes(), name, size_t(c.rank(0)), INT32_MIN);
    if (!widths) c.refuse(widths.error().message);
    std::vector<int64_t> pads;
    for (const auto& [before, after] : *widths) pads.push_back(before);
    for (const auto& [before, after] : *widths) pads.push_back(after);
    return pads;
}

Names pad(Call& c) {
    const std::string& mode = c.attributes().string("pad_mode");
    std::vector<int64_t> pads = pads_of(c, "pad_width");
    NodeAttributes attributes{{"mode", mode}};
    if (mode != "constant") return {c.node("Pad", {c.in(0), c.integers(pads)}, std::move(attributes))};
    std::string value = c.cast(c.in(1), c.dtype(1), c.dtype(0));
    if (!c.shape(1).empty()) value = c.reshape(value, {});
    return {c.node("Pad", {c.in(0), c.integers(pads), value}, std::move(attributes))};
}

/// Pads each axis with its elements in reverse, the edge among them, which ONNX's Pad leaves out: a Gather.
std::string symmetric(Call& c) {
    constexpr int64_t kMostMirrored = 1 << 20;
    const std::vector<int64_t> pads = pads_of(c, "pad_width"), shape = c.shape(0);
    std::string x = c.in(0);
    for (size_t axis = 0; axis < shape.size(); ++axis) {
        const int64_t before = pads[axis], after = pads[axis + shape.size()], extent = shape[axis];
        if (!before && !after) continue;
        if (c.result_shape()[axis] > kMostMirrored) c.refuse("an axis is too long to be mirrored by its indices");
        std::vector<int64_t> indices;
        for (int64_t i = -before; i < extent + after; ++i)
            indices.push_back(i < 0 ? -i - 1 : i < extent ? i : 2 * extent - i - 1);
        x = c.node("Gather", {x, c.integers(indices)}, {{"axis", int64_t(axis)}});
    }
    return x;
}

Names mirror_pad(Call& c) {
    if (c.attributes().string("mode") != "REFLECT") return {symmetric(c)};
    return {c.node("Pad", {c.in(0), c.integers(pads_of(c, "pad_width"))}, {{"mode", std::string("reflect")}})};
}

// --- resizing ---------------------------------------------------------------------------------------------------

struct Resize {
    std::string layout, method, coordinates, rounding;
    std::string_view axes;  ///< the plain layout: NCHW, ...
    double cubic = -0.75;
    bool exclude_outside = false;
};

std::string nearest_mode(const Resize& resize) {
    std::string rounding = resize.rounding;
    if (rounding.empty()) rounding = resize.coordinates == "align_corners" ? "round" : "floor";
    return rounding == "round" ? "round_prefer_ceil" : rounding;  // coordinates are not negative
}

std::string resized(Call& c, const Resize& resize) {
    std::string x = c.to_layout(c.in(0), resize.layout, resize.axes);
    std::vector<int64_t> sizes;
    for (char axis : resize.axes) sizes.push_back(c.result_shape()[resize.layout.find(axis)]);
    NodeAttributes attributes{{"coordinate_transformation_mode", resize.coordinates}, {"mode", resize.method}};
    if (resize.method == "nearest") attributes.push_back({"nearest_mode", nearest_mode(resize)});
    if (resize.method == "cubic") {
        attributes.push_back({"cubic_coeff_a", resize.cubic});
        attributes.push_back({"exclude_outside", int64_t(resize.exclude_outside)});
    }
    std::string y = c.node("Resize", {x, "", "", c.integers(sizes)}, std::move(attributes));
    return c.to_layout(y, resize.axes, resize.layout);
}

std::string method_of(Call& c, const std::string& method) {
    if (method == "nearest_neighbor") return "nearest";
    if (method == "cubic" || method == "bicubic") return "cubic";
    if (method == "linear" || method == "bilinear" || method == "trilinear") return "linear";
    c.refuse("the method " + method + " is not known");
}

Names resize_images(Call& c, std::string_view axes) {
    const AttributesView& a = c.attributes();
    Resize resize{a.string("layout"),
                  method_of(c, a.string("method")),
                  a.string("coordinate_transformation_mode"),
                  a.string("rounding_method"),
                  axes,
                  a.real("cubic_alpha"),
                  a.integer("cubic_exclude") != 0};
    if (resize.coordinates == "tf_crop_and_resize" || resize.coordinates == "tf_half_pixel_for_nn")
        c.refuse("coordinates by " + resize.coordinates + " are not supported");
    if (!(c.result_dtype() == c.dtype(0))) c.refuse("another element type of the result is not supported");
    return {resized(c, resize)};
}

Names resize1d(Call& c) { return resize_images(c, "NCW"); }
Names resize2d(Call& c) { return resize_images(c, "NCHW"); }
Names resize3d(Call& c) { return resize_images(c, "NCDHW"); }

Names upsampling(Call& c) {
    const AttributesView& a = c.attributes();
    Resize resize{a.string("layout"), method_of(c, a.string("method")), "asymmetric", "floor", "NCHW", -0.5};
    if (resize.method == "linear" && a.boolean("align_corners")) resize.coordinates = "align_corners";
    if (resize.method == "cubic") c.refuse("bicubic upsampling is not supported");
    return {resized(c, resize)};
}

Names upsampling3d(Call& c) {
    const AttributesView& a = c.attributes();
    Resize resize{a.string("layout"),
                  method_of(c, a.string("method")),
                  a.string("coordinate_transformation_mode"),
                  "",
                  "NCDHW",
                  -0.5};
    return {resized(c, resize)};
}

// --- space and depth --------------------------------------------------------------------------------------------

Names depth_to_space(Call& c) {
    const AttributesView& a = c.attributes();
    std::string x = c.to_layout(c.in(0), a.string("layout"), "NCHW");
    // ONNX names Relay's CDR differently.
    std::string mode = a.string("mode") == "DCR" ? "DCR" : "CRD";
    std::string y = c.node("DepthToSpace", {x}, {{"blocksize", a.integer("block_size")}, {"mode", mode}});
    return {c.to_layout(y, "NCHW", a.string("layout"))};
}

Names space_to_depth(Call& c) {
    const AttributesView& a = c.attributes();
    if (a.string("mode") != "DCR") c.refuse("ONNX has the order DCR only");
    std::string x = c.to_layout(c.in(0), a.string("layout"), "NCHW");
    std::string y = c.node("SpaceToDepth", {x}, {{"blocksize", a.integer("block_size")}});
    return {c.to_layout(y, "NCHW", a.string("layout"))};
}

/// The blocks of `space_to_batch_nd` and `batch_to_space_nd`, and the shape where each has an axis of its own:
/// (blocks..., batch, extents in blocks..., rest...).
struct Blocks {
    std::vector<int64_t> blocks, apart, before, after;
    size_t rank;

    Blocks(Call& c, const char* borders, std::vector<int64_t> in_batch)
        : blocks(c.attributes().integers("block_shape")), apart(blocks), rank(in_batch.size()) {
        auto pairs = checked_pairs(c.attributes(), borders, blocks.size(), 0);
        if (!pairs) c.refuse(pairs.error().message);
        for (int64_t block : blocks) in_batch[0] /= block;
        apart.insert(apart.end(), in_batch.begin(), in_batch.end());
        for (std::vector<int64_t>* side : {&before, &after}) side->assign(rank, 0);
        for (size_t i = 0; i < blocks.size(); ++i) std::tie(before[i + 1], after[i + 1]) = (*pairs)[i];
    }
    /// Which axis of `apart` stands at each place of (batch, extent, block, extent, block, ..., rest...).
    std::vector<int64_t> beside_their_extents() const {
        const int64_t count = int64_t(blocks.size());
        std::vector<int64_t> order{count};
        for (int64_t i = 0; i < count; ++i) order.insert(order.end(), {count + 1 + i, i});
        for (int64_t i = 2 * count + 1; i < count + int64_t(rank); ++i) order.push_back(i);
        return order;
    }
};

Names space_to_batch(Call& c) {
    const Blocks b(c, "paddings", c.result_shape());
    std::vector<int64_t> pads = b.before, beside, back(b.apart.size());
    pads.insert(pads.end(), b.after.begin(), b.after.end());
    const std::string filler = c.scalar(c.attributes().real("pad_value"), c.dtype(0));
    const std::string x = c.node("Pad", {c.in(0), c.integers(pads), filler}, {{"mode", std::string("constant")}});
    const std::vector<int64_t> order = b.beside_their_extents();
    for (size_t i = 0; i < order.size(); ++i) {
        beside.push_back(b.apart[size_t(order[i])]);
        back[size_t(order[i])] = int64_t(i);
    }
    return {c.reshape(c.transpose(c.reshape(x, beside), back), c.result_shape())};
}

Names batch_to_space(Call& c) {
    const Blocks b(c, "crops", c.shape(0));
    std::vector<int64_t> whole = c.result_shape(), end = whole;
    for (size_t i = 0; i < whole.size(); ++i) {
        end[i] += b.before[i];
        whole[i] = end[i] + b.after[i];
    }
    const std::string x = c.reshape(c.transpose(c.reshape(c.in(0), b.apart), b.beside_their_extents()), whole);
    return {c.node("Slice", {x, c.integers(b.before), c.integers(end)})};
}

// --- regions ----------------------------------------------------------------------------------------------------

/// Returns images and corners that were concatenated for `roi_align`; nothing if the regions have another form.
Names images_and_corners(Call& c) {
    auto whole = c.arguments_if(c.argument(1), "concatenate");
    if (whole.empty() || c.module().kind(whole[0]) != ExprKind::Tuple) return {};
    auto parts = c.module().operands(whole[0]);
    auto column = parts.size() == 2 ? c.arguments_if(parts[0], "reshape") : parts.first(0);
    auto images = column.empty() ? column : c.arguments_if(column[0], "cast");
    if (images.empty() || c.shape_of(parts[1]).back() != 4) return {};
    return {c.cast(c.value_of(images[0]), c.dtype_of(images[0]), kInt64), c.value_of(parts[1])};
}

Names roi_align(Call& c) {
    const AttributesView& a = c.attributes();
    if (a.string("mode") == "max") c.refuse("RoiAlign takes the largest of weighted elements, not of samples");
    Names parts = images_and_corners(c);
    if (parts.empty()) {
        const std::vector<int64_t> first{0}, second{1}, end{5}, axis{1};
        std::string images = c.node("Slice", {c.in(1), c.integers(first), c.integers(second), c.integers(axis)});
        parts = {c.cast(c.reshape(images, {c.shape(1)[0]}), c.dtype(1), kInt64),
                 c.node("Slice", {c.in(1), c.integers(second), c.integers(end), c.integers(axis)})};
    }
    std::vector<int64_t> bins = a.integers("pooled_size");
    return {c.node(
        "RoiAlign", {c.in(0), parts[1], parts[0]},
        {{"coordinate_transformation_mode", std::string(a.boolean("aligned") ? "half_pixel" : "output_half_pixel")},
         {"mode", std::string(a.string("mode") == "avg" ? "avg" : "max")},
         {"output_height", bins.at(0)},
         {"output_width", bins.at(1)},
         {"sampling_ratio", std::max<int64_t>(0, a.integer("sample_ratio"))},
         {"spatial_scale", a.real("spatial_scale")}})};
}

const CallWriterEntry kSpatialCallWriters[] = {
    {"image.resize1d", resize1d},
    {"image.resize2d", resize2d},
    {"image.resize3d", resize3d},
    {"nn.depth_to_space", depth_to_space},
    {"nn.mirror_pad", mirror_pad},
    {"nn.pad", pad},
    {"nn.space_to_batch_nd", space_to_batch},
    {"nn.batch_to_space_nd", batch_to_space},
    {"nn.space_to_depth", space_to_depth},
    {"nn.upsampling", upsampling},
    {"nn.upsampling3d", upsampling3d},
    {"vision.roi_align", roi_align},
};

}  // namespace

std::span<const CallWriterEntry> spatial_call_writers() { return kSpatialCallWriters; }

}  // namespace partita::onnx_export
