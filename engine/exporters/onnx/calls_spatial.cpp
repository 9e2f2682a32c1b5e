// Padding, resizing and moves between space and depth.
#include <cmath>

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

Names mirror_pad(Call& c) {
    if (c.attributes().string("mode") != "REFLECT") c.refuse("ONNX's Pad does not repeat the edge when it mirrors");
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
    {"image.resize1d", resize1d},          {"image.resize2d", resize2d},  {"image.resize3d", resize3d},
    {"nn.depth_to_space", depth_to_space}, {"nn.mirror_pad", mirror_pad}, {"nn.pad", pad},
    {"nn.space_to_depth", space_to_depth}, {"nn.upsampling", upsampling}, {"nn.upsampling3d", upsampling3d},
    {"vision.roi_align", roi_align},
};

}  // namespace

std::span<const CallWriterEntry> spatial_call_writers() { return kSpatialCallWriters; }

}  // namespace partita::onnx_export
