// Resizing of images of one, two or three dimensions. Source: TVM 0.9, src/relay/op/image/resize.cc and
// python/tvm/topi/image/resize.py.
//
// Interpolation is separable: along each axis an output coordinate is a weighted sum of one, two or four elements.
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/ops/element_types.h"
#include "engine/ops/elementwise.h"
#include "engine/ops/families.h"
#include "engine/ops/interpolation_c.h"
#include "engine/ops/layout.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"

namespace partita {

namespace {

/// Returns the spatial axes of an op, outermost first: "W", "HW" or "DHW".
std::string_view spatial_axes(const OpRecord& op) {
    if (op.name == "image.resize1d") return "W";
    return op.name == "image.resize2d" ? "HW" : "DHW";
}

/// Returns the first spatial dimension in the layout; they must be adjacent and in order.
Result<size_t> first_spatial_dimension(const AttributesView& attributes) {
    auto layout = Layout::parse(attributes.string("layout"));
    if (!layout) return layout.error();
    std::string_view axes = spatial_axes(attributes.op());
    if (!layout->has_axes("NC" + std::string(axes))) return error("the layout " + layout->text() + " is not supported");
    size_t first = size_t(layout->position(axes[0]));
    for (size_t i = 0; i < axes.size(); ++i)
        if (layout->position(axes[i]) != int(first + i) || layout->block_of(axes[i]) != 1)
            return error("the layout " + layout->text() + " is not supported");
    return first;
}

bool is_known(const std::string& word, std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Returns the region of interest: the begin and end of each axis, zeros if it is not given.
Result<std::vector<double>> region_of(const AttributesView& attributes, size_t axes) {
    std::vector<double> region;
    const AttributeValue& value = attributes["roi"];
    if (const AttributeValue::List* list = value.as_list())
        for (const AttributeValue& item : *list) {
            if (const double* number = item.as_double()) region.push_back(*number);
            else if (const Integer* integer = item.as_integer()) region.push_back(double(integer->value));
            else return error("roi must be a list of numbers");
        }
    else if (!value.is_none()) return error("roi must be a list of numbers");
    if (region.empty()) region.assign(2 * axes, 0);
    if (region.size() != 2 * axes)
        return error("roi must have " + std::to_string(2 * axes) + " elements, not " + std::to_string(region.size()));
    return region;
}

Result<TypeId> resize_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    const AttributesView& attributes = query.attributes;
    size_t axes = spatial_axes(attributes.op()).size();
    auto first = first_spatial_dimension(attributes);
    if (!first) return first.error();
    if (Status integers = require_integers(attributes, "size"); !integers) return integers.error();
    auto size = checked_integers(attributes, "size", axes, 1);
    if (!size) return size.error();
    if (auto region = region_of(attributes, axes); !region) return region.error();
    const std::string &method = attributes.string("method"),
                      &mode = attributes.string("coordinate_transformation_mode");
    const std::string& rounding = attributes.string("rounding_method");
    if (!is_known(method, {"nearest_neighbor", "linear", "cubic"}))
        return error("the method \"" + method + "\" is not known");
    if (!is_known(mode, {"half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "tf_half_pixel_for_nn",
                         "tf_crop_and_resize"}))
        return error("the coordinate_transformation_mode \"" + mode + "\" is not known");
    if (!is_known(rounding, {"", "round", "round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}))
        return error("the rounding_method \"" + rounding + "\" is not known");
    std::vector<int64_t> shape = shape_copy(query.types, query.arguments[0]);
    auto layout = Layout::parse(attributes.string("layout"));
    if (shape.size() != layout->rank())
        return error("a tensor of layout " + layout->text() + " has rank " + std::to_string(layout->rank()) + ", not " +
                     std::to_string(shape.size()));
    for (size_t i = 0; i < axes; ++i) {
        if (shape[*first + i] == 0) return error("an image of no elements can't be resized");
        shape[*first + i] = (*size)[i];
    }
    DataType dtype = attributes.dtype("out_dtype");
    return checked_tensor(query.types, dtype.is_void() ? query.types.dtype(query.arguments[0]) : dtype, shape);
}

// ---- Coordinates and weights ----

constexpr int kMostTaps = 4;

/// The elements along an axis that make one output coordinate.
struct Taps {
    int count = 0;
    std::array<int64_t, kMostTaps> index{};
    std::array<float, kMostTaps> weight{};
    bool outside = false;  ///< of the region: gets the extrapolation value
};

struct AxisResize {
    int64_t from = 1, to = 1;
    float begin = 0, end = 0;  ///< of the region of interest
    std::string mode, method, rounding;
    float alpha = 0;
    bool exclude_outside = false;
};

float source_coordinate(const AxisResize& axis, int64_t position) {
    float x = float(position), scale = float(axis.from) / float(axis.to);
    if (axis.mode == "align_corners") return axis.to > 1 ? float(axis.from - 1) / float(axis.to - 1) * x : 0;
    if (axis.mode == "asymmetric") return scale * x;
    if (axis.mode == "pytorch_half_pixel") return axis.to > 1 ? (x + 0.5f) * scale - 0.5f : 0;
    if (axis.mode == "tf_half_pixel_for_nn") return (x + 0.5f) * scale;
    if (axis.mode == "tf_crop_and_resize") {
        float last = float(axis.from - 1);
        if (axis.to <= 1) return 0.5f * (axis.begin + axis.end) * last;
        return axis.begin * last + x * (axis.end - axis.begin) * last / float(axis.to - 1);
    }
    return (x + 0.5f) * scale - 0.5f;
}

float nearest(const AxisResize& axis, float x) {
    // Keeps an integer that was computed slightly too small or too large, as in TVM.
    constexpr float kEpsilon = 1e-5f;
    std::string rounding = axis.rounding;
    if (rounding.empty()) rounding = axis.mode == "align_corners" ? "round" : "floor";
    if (rounding == "round") return std::round(x);
    if (rounding == "round_prefer_floor") return std::ceil(x - 0.5f);
    if (rounding == "round_prefer_ceil") return std::floor(x + 0.5f);
    return rounding == "floor" ? std::floor(x + kEpsilon) : std::ceil(x - kEpsilon);
}

std::array<float, kMostTaps> cubic_weights(float t, float alpha) {
    float t2 = t * t, t3 = t * t * t;
    return {alpha * (t3 - 2 * t2 + t), (alpha + 2) * t3 - (3 + alpha) * t2 + 1,
            -(alpha + 2) * t3 + (3 + 2 * alpha) * t2 - alpha * t, -alpha * t3 + alpha * t2};
}

Taps taps_at(const AxisResize& axis, int64_t position) {
    Taps taps;
    float x = source_coordinate(axis, position);
    taps.outside = axis.mode == "tf_crop_and_resize" && (x < 0 || x > float(axis.from - 1));
    auto clamped = [&](int64_t index) { return std::clamp<int64_t>(index, 0, axis.from - 1); };
    if (axis.method == "nearest_neighbor") {
        taps.count = 1;
        taps.index[0] = clamped(saturate<int32_t>(nearest(axis, x)));
        taps.weight[0] = 1;
        return taps;
    }
    int64_t whole = saturate<int32_t>(std::floor(x));
    float fraction = x - std::floor(x);
    if (axis.method == "linear") {
        taps.count = 2;
        taps.weight = {1 - fraction, fraction};
        for (int i = 0; i < 2; ++i) taps.index[size_t(i)] = clamped(whole + i);
        return taps;
    }
    taps.count = 4;
    taps.weight = cubic_weights(fraction, axis.alpha);
    float total = 0;
    for (int i = 0; i < 4; ++i) {
        if (axis.exclude_outside && (whole - 1 + i < 0 || whole + i > axis.from)) taps.weight[size_t(i)] = 0;
        taps.index[size_t(i)] = clamped(whole + i - 1);
        total += taps.weight[size_t(i)];
    }
    if (axis.exclude_outside && total != 0)
        for (float& weight : taps.weight) weight /= total;
    return taps;
}

/// The taps of each output coordinate, for three axes; missing axes have one coordinate.
using AxisTaps = std::array<std::vector<Taps>, 3>;

struct ResizePlan {
    AxisTaps taps;
    std::array<int64_t, 3> from{1, 1, 1};
    int64_t outer = 1, inner = 1;
    float extrapolation = 0;
    bool nearest = false;
};

ResizePlan make_plan(const AttributesView& attributes, std::span<const int64_t> from, std::span<const int64_t> to) {
    size_t axes = spatial_axes(attributes.op()).size(), first = *first_spatial_dimension(attributes);
    std::vector<double> region = *region_of(attributes, axes);
    ResizePlan plan;
    plan.extrapolation = float(attributes.real("extrapolation_value"));
    plan.nearest = attributes.string("method") == "nearest_neighbor";
    for (size_t i = 0; i < from.size(); ++i)
        if (i < first) plan.outer *= from[i];
        else if (i >= first + axes) plan.inner *= from[i];
    Taps whole;
    whole.count = 1;
    whole.weight[0] = 1;
    for (size_t i = 0; i < 3 - axes; ++i) plan.taps[i] = {whole};
    for (size_t i = 0; i < axes; ++i) {
        AxisResize axis{from[first + i],
                        to[first + i],
                        float(region[i]),
                        float(region[axes + i]),
                        attributes.string("coordinate_transformation_mode"),
                        attributes.string("method"),
                        attributes.string("rounding_method"),
                        float(attributes.real("cubic_alpha")),
                        attributes.integer("cubic_exclude") != 0};
        plan.from[3 - axes + i] = axis.from;
        for (int64_t position = 0; position < axis.to; ++position)
            plan.taps[3 - axes + i].push_back(taps_at(axis, position));
    }
    return plan;
}

/// Returns one output element from the elements around it; `from` points to its image.
template <class From>
float interpolated(const From* from, const ResizePlan& plan, const Taps& depth, const Taps& row, const Taps& column) {
    float value = 0;
    for (size_t z = 0; z < size_t(depth.count); ++z) {
        float plane = 0;
        for (size_t y = 0; y < size_t(row.count); ++y) {
            const From* line = from + (depth.index[z] * plan.from[1] + row.index[y]) * plan.from[2] * plan.inner;
            float sum = 0;
            for (size_t x = 0; x < size_t(column.count); ++x)
                sum += float(Wide<From>(line[column.index[x] * plan.inner])) * column.weight[x];
            plane += sum * row.weight[y];
        }
        value += plane * depth.weight[z];
    }
    return value;
}

template <class From, class To>
void resize_tensor(const ResizePlan& plan, const From* from, To* to, ThreadPool& threads) {
    int64_t depths = int64_t(plan.taps[0].size()), rows = int64_t(plan.taps[1].size()),
            columns = int64_t(plan.taps[2].size());
    int64_t image = plan.from[0] * plan.from[1] * plan.from[2] * plan.inner;
    int64_t grain = std::max<int64_t>(1, kCostlyGrain / std::max<int64_t>(1, columns * plan.inner));
    threads.parallel_for(plan.outer * depths * rows, grain, [&](int64_t begin, int64_t end) {
        for (int64_t line = begin; line < end; ++line) {
            const Taps &row = plan.taps[1][size_t(line % rows)], &depth = plan.taps[0][size_t(line / rows % depths)];
            const From* source = from + line / rows / depths * image;
            To* target = to + line * columns * plan.inner;
            for (const Taps& column : plan.taps[2])
                for (int64_t i = 0; i < plan.inner; ++i, ++target) {
                    if (depth.outside || row.outside || column.outside)
                        *target = To(convert<Wide<To>>(plan.extrapolation));
                    else if (plan.nearest) {
                        int64_t place = (depth.index[0] * plan.from[1] + row.index[0]) * plan.from[2] + column.index[0];
                        *target = convert_element<To>(source[place * plan.inner + i]);
                    } else *target = To(convert<Wide<To>>(interpolated(source + i, plan, depth, row, column)));
                }
        }
    });
}

Status resize_kernel(const KernelCall& call) {
    const TensorView &input = call.inputs[0], &output = call.outputs[0];
    ResizePlan plan = make_plan(call.attributes, input.shape, output.shape);
    bool known = false;
    with_element_type(input.dtype, [&](auto from_tag) {
        using From = typename decltype(from_tag)::type;
        // NOLINTNEXTLINE(bugprone-branch-clone): the branches are the same only where From is float
        if (input.dtype == output.dtype) {
            resize_tensor(plan, input.as<From>(), output.as<From>(), call.threads);
            known = true;
        } else if (output.dtype == kFloat32) {
            resize_tensor(plan, input.as<From>(), output.as<float>(), call.threads);
            known = true;
        }
    });
    if (!known)
        return error(call.attributes.op().name + " of " + input.dtype.to_string() + " into " +
                     output.dtype.to_string() + " is not supported on default");
    return Nothing();
}

Status resize_in_c(const CLoops& loops) {
    if (loops.attributes.string("coordinate_transformation_mode") == "tf_crop_and_resize")
        return error(loops.attributes.op().name + " with tf_crop_and_resize can't be written in C");
    const ResizePlan plan = make_plan(loops.attributes, loops.inputs[0].shape, loops.outputs[0].shape);
    const size_t axes = spatial_axes(loops.attributes.op()).size();
    std::vector<WeightedAxis> weighted;
    int64_t from_stride = plan.inner;
    int64_t to_stride = from_stride;
    for (size_t axis = 3; axis-- > 3 - axes;) {
        WeightedAxis made{{}, to_stride};
        for (const Taps& taps : plan.taps[axis]) {
            std::vector<WeightedAxis::Tap>& list = made.taps.emplace_back();
            for (size_t i = 0; i < size_t(taps.count); ++i)
                list.push_back({taps.index[i] * from_stride, double(taps.weight[i])});
        }
        from_stride *= plan.from[axis];
        to_stride *= int64_t(plan.taps[axis].size());
        weighted.insert(weighted.begin(), std::move(made));
    }
    const PlainAxis plain[] = {{plan.outer, from_stride, to_stride}, {plan.inner, 1, 1}};
    return write_weighted_sums(loops, plain, weighted, kFloat32);
}

double resize_flops(const TypeTable& types, std::span<const TypeId>, TypeId result, const AttributesView& attributes) {
    double taps = attributes.string("method") == "nearest_neighbor" ? 0
                  : attributes.string("method") == "linear"         ? 2
                                                                    : 4;
    return 2 * std::pow(taps, double(spatial_axes(attributes.op()).size())) *
           double(element_count(types.shape(result)).value_or(0));
}

OpRecord resize(std::string name, std::string summary, std::string layout, std::string example) {
    OpRecord op;
    op.name = std::move(name);
    op.summary = std::move(summary);
    op.inputs = {"data"};
    op.pattern = OpPattern::Injective;
    op.attributes = {
        none_field("size", AttributeKind::IntegerList, "the result's size along the spatial axes"),
        none_field("roi", AttributeKind::Object, "where tf_crop_and_resize begins and ends along each axis"),
        string_field("layout", std::move(layout), "the data's layout"),
        string_field("method", "linear", "nearest_neighbor, linear or cubic"),
        string_field("coordinate_transformation_mode", "half_pixel", "how coordinates are mapped back"),
        string_field("rounding_method", "round", "for nearest_neighbor: round, floor, ceil, ..."),
        double_field("cubic_alpha", -0.5, "the coefficient of the cubic spline"),
        integer_field("cubic_exclude", 0, "weights outside the image are left out"),
        double_field("extrapolation_value", 0, "the value outside the region"),
        optional_field("out_dtype", AttributeKind::DType, kVoid, "the result's data type")};
    op.relation = resize_relation;
    op.kernel = resize_kernel;
    op.c_loops = resize_in_c;
    op.flops = resize_flops;
    op.example = std::move(example);
    return op;
}

}  // namespace

std::vector<OpRecord> image_ops() {
    return {resize("image.resize1d", "Rows of elements in another length.", "NCW",
                   "fn (%x: Tensor[(1, 2, 8), float32]) { image.resize1d(%x, size=[4]) }"),
            resize("image.resize2d", "Images in another size.", "NCHW",
                   "fn (%x: Tensor[(1, 3, 8, 8), float32]) "
                   "{ image.resize2d(%x, size=[16, 4], roi=[0f, 0f, 0f, 0f], method=\"nearest_neighbor\", "
                   "rounding_method=\"floor\") }"),
            resize("image.resize3d", "Volumes in another size.", "NCDHW",
                   "fn (%x: Tensor[(1, 2, 4, 4, 4), float32]) { image.resize3d(%x, size=[2, 8, 4]) }")};
}

}  // namespace partita
