// Resize and Upsample, one axis at a time, because they are separable: nearest selects elements, linear and cubic
// multiply by a matrix of weights (Operators.md, Resize-13 and Resize-18).
#include <algorithm>
#include <cmath>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

/// Larger extents are refused, so that a small file cannot request a huge matrix.
constexpr int64_t kLargestExtent = 1 << 16;

struct AxisResize {
    int64_t in = 1, out = 1;
    double scale = 1, roi_begin = 0, roi_end = 1;
};

struct Sampling {
    std::string mode, coordinates;
    /// As the attribute has it, or "simple" where there is none yet (Resize-10): the element before, or behind where
    /// the axis shrinks, as ONNX Runtime.
    std::string nearest;
    double cubic = -0.75, extrapolation = 0;
    bool exclude_outside = false, antialias = false;
};

/// In float, as in ONNX Runtime: between two elements, and at the edge, rounding decides.
float original_coordinate(const Sampling& sampling, const AxisResize& axis, int64_t x) {
    // The extent before truncation: the scale is exact.
    const float scale = float(axis.scale), at = float(x), in = float(axis.in), exact = scale * in, half = 0.5f;
    const std::string& mode = sampling.coordinates;
    if (mode == "asymmetric") return at / scale;
    if (mode == "align_corners") return exact == 1 ? 0 : at * (in - 1) / (exact - 1);
    if (mode == "pytorch_half_pixel") return axis.out > 1 ? (at + half) / scale - half : 0;
    if (mode == "tf_half_pixel_for_nn") return (at + half) / scale;
    if (mode == "half_pixel_symmetric") {
        const float adjustment = float(axis.out) / exact;
        return in / 2 * (1 - adjustment) + (at + half) / scale - half;
    }
    if (mode == "tf_crop_and_resize") {
        const float begin = float(axis.roi_begin), end = float(axis.roi_end);
        if (exact == 1) return half * (begin + end) * (in - 1);
        return begin * (in - 1) + at * (end - begin) * (in - 1) / (exact - 1);
    }
    if (mode == "half_pixel") return (at + half) / scale - half;
    throw Fault{"the coordinate mode " + mode.substr(0, 100) + " is not supported", {}};
}

int64_t nearest_index(const Sampling& sampling, double scale, float x) {
    if (sampling.nearest == "simple") return int64_t(scale < 1 ? std::ceil(x) : std::floor(x));
    if (sampling.nearest == "floor") return int64_t(std::floor(x));
    if (sampling.nearest == "ceil") return int64_t(std::ceil(x));
    if (sampling.nearest == "round_prefer_ceil") return int64_t(std::floor(x + 0.5f));
    return int64_t(std::ceil(x - 0.5f));
}

/// The weight of an element at a distance.
double weight_at(const Sampling& sampling, double distance) {
    const double d = std::abs(distance), a = sampling.cubic;
    if (sampling.mode == "linear") return std::max(0.0, 1 - d);
    if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
    return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

struct Neighbours {
    int64_t first = 0;
    std::vector<double> weights;
};

/// The elements around a coordinate that count: two (linear) or four (cubic). With `antialias` a smaller image takes
/// more, by the scale, and their weights sum to 1.
Neighbours neighbours_of(const Sampling& sampling, const AxisResize& axis, double at) {
    const double shrink = sampling.antialias ? std::min(1.0, axis.scale) : 1;
    const double reach = (sampling.mode == "linear" ? 1 : 2) / shrink;
    Neighbours result;
    if (shrink == 1) {
        result.first = int64_t(std::floor(at)) - (sampling.mode == "cubic" ? 1 : 0);
        for (int64_t i = 0; i < (sampling.mode == "cubic" ? 4 : 2); ++i)
            result.weights.push_back(weight_at(sampling, double(result.first + i) - at));
        return result;
    }
    result.first = int64_t(std::floor(at - reach)) + 1;
    double total = 0;
    for (int64_t i = result.first; double(i) < at + reach; ++i) {
        result.weights.push_back(weight_at(sampling, (double(i) - at) * shrink));
        total += result.weights.back();
    }
    for (double& weight : result.weights) weight /= total;
    return result;
}

/// Returns the weight of each input element in each output element, as [out, in].
Tensor weight_matrix(const Sampling& sampling, const AxisResize& axis, DataType dtype) {
    Tensor matrix(dtype, {axis.out, axis.in});
    for (int64_t x = 0; x < axis.out; ++x) {
        double at = original_coordinate(sampling, axis, x);
        if (sampling.coordinates == "tf_crop_and_resize" && (at < 0 || at > double(axis.in - 1))) continue;
        auto [first, weights] = neighbours_of(sampling, axis, at);
        double total = 0;
        for (size_t k = 0; k < weights.size(); ++k) {
            bool outside = first + int64_t(k) < 0 || first + int64_t(k) >= axis.in;
            if (outside && sampling.exclude_outside) weights[k] = 0;
            total += weights[k];
        }
        for (size_t k = 0; k < weights.size(); ++k) {
            int64_t index = x * axis.in + std::clamp<int64_t>(first + int64_t(k), 0, axis.in - 1);
            matrix.set(index, matrix.at(index) + (sampling.exclude_outside ? weights[k] / total : weights[k]));
        }
    }
    return matrix;
}

ExprId resized_axis(NodeContext& n, ExprId x, int64_t axis_index, const AxisResize& axis, const Sampling& sampling) {
    if (axis.in < 1 || axis.out < 1 || axis.in > kLargestExtent || axis.out > kLargestExtent)
        throw Fault{"an extent is 0 or too large", {}};
    if (sampling.mode == "nearest") {
        Integers picked;
        for (int64_t i = 0; i < axis.out; ++i)
            picked.push_back(std::clamp<int64_t>(
                nearest_index(sampling, axis.scale, original_coordinate(sampling, axis, i)), 0, axis.in - 1));
        return n.build.call("take", {x, n.build.integers(picked)}, {{"axis", int(axis_index)}});
    }
    int64_t rank = n.build.rank(x);
    Integers to_last, back(static_cast<size_t>(rank));
    for (int64_t i = 0; i < rank; ++i)
        if (i != axis_index) to_last.push_back(i);
    to_last.push_back(axis_index);
    for (int64_t i = 0; i < rank; ++i) back[size_t(to_last[size_t(i)])] = i;
    ExprId moved = axis_index == rank - 1 ? x : n.build.transpose(x, to_last);
    Integers shape = n.build.static_shape(moved);
    const int64_t flat[] = {element_count(shape).value_or(0) / axis.in, axis.in};
    ExprId matrix = n.build.constant(weight_matrix(sampling, axis, n.build.dtype(x)));
    ExprId product = n.build.call("nn.dense", {n.build.reshape(moved, flat), matrix}, {{"units", int(axis.out)}});
    shape.back() = axis.out;
    ExprId result = n.build.reshape(product, shape);
    return axis_index == rank - 1 ? result : n.build.transpose(result, back);
}

/// Puts the extrapolation value where a coordinate lies outside the data.
ExprId extrapolated(NodeContext& n, ExprId y, const std::vector<AxisResize>& axes, const Sampling& sampling) {
    Integers shape = n.build.static_shape(y);
    ExprId inside;
    for (size_t i = 0; i < axes.size(); ++i) {
        Tensor mask(kBool, {axes[i].out});
        bool all = true;
        for (int64_t x = 0; x < axes[i].out; ++x) {
            double at = original_coordinate(sampling, axes[i], x);
            mask.data<uint8_t>()[x] = at >= 0 && at <= double(axes[i].in - 1);
            all = all && mask.data<uint8_t>()[x];
        }
        if (all) continue;
        Integers spread(axes.size(), 1);
        spread[i] = axes[i].out;
        ExprId here = n.build.reshape(n.build.constant(std::move(mask)), spread);
        inside = inside.valid() ? n.build.call("logical_and", {inside, here}) : here;
    }
    return inside.valid() ? n.build.call("where", {inside, y, like(n, y, sampling.extrapolation)}) : y;
}

ExprId resized(NodeContext& n, std::vector<AxisResize> axes, const Sampling& sampling) {
    ExprId x = n.input(0), y = x;
    DataType dtype = n.build.dtype(x);
    if (sampling.mode != "nearest" && !dtype.is_float()) y = n.build.cast(y, kFloat32);
    bool crops = sampling.coordinates == "tf_crop_and_resize";
    for (size_t i = 0; i < axes.size(); ++i) {
        bool unchanged = axes[i].in == axes[i].out && axes[i].scale == 1 && !crops;
        if (!unchanged) y = resized_axis(n, y, int64_t(i), axes[i], sampling);
    }
    if (crops) y = extrapolated(n, y, axes, sampling);
    if (sampling.mode != "nearest" && !dtype.is_float()) y = n.build.cast(round_half_even(n.build, y), dtype);
    return y;
}

std::vector<double> known_reals(NodeContext& n, size_t input) {
    std::vector<double> list;
    if (!n.has(input)) return list;
    const Tensor& tensor = n.known(input);
    for (int64_t i = 0; i < tensor.size(); ++i) list.push_back(tensor.at(i));
    return list;
}

/// Returns the axes that a resize names; all by default.
Integers named_axes(NodeContext& n, size_t rank) {
    Integers axes = n.integers("axes");
    for (int64_t& axis : axes) axis = n.axis(axis, int64_t(rank));
    if (axes.empty())
        for (size_t i = 0; i < rank; ++i) axes.push_back(int64_t(i));
    return axes;
}

Exprs resize_by(NodeContext& n, const std::vector<double>& scales, const std::vector<double>& sizes,
                const std::vector<double>& roi, const Sampling& sampling) {
    Integers shape = n.build.static_shape(n.input(0)), named = named_axes(n, shape.size());
    std::vector<AxisResize> axes(shape.size());
    for (size_t i = 0; i < shape.size(); ++i) axes[i].in = axes[i].out = shape[i];
    bool by_size = !sizes.empty();
    if ((by_size ? sizes : scales).size() != named.size()) throw Fault{"scales or sizes do not fit the rank", {}};
    std::string policy = n.choice("keep_aspect_ratio_policy", {"stretch", "not_larger", "not_smaller"});
    double common = 0;
    for (size_t k = 0; k < named.size() && by_size && policy != "stretch"; ++k) {
        double scale = sizes[k] / double(shape[size_t(named[k])]);
        common = k == 0 ? scale : policy == "not_larger" ? std::min(common, scale) : std::max(common, scale);
    }
    for (size_t k = 0; k < named.size(); ++k) {
        AxisResize& axis = axes[size_t(named[k])];
        double out = by_size ? (common > 0 ? std::round(common * double(axis.in)) : sizes[k])
                             : std::floor(float(axis.in) * float(scales[k]));  // the scale is a float: 2.6f * 5 is 13
        if (!(out >= 1 && out <= double(kLargestExtent))) throw Fault{"an extent is 0 or too large", {}};
        axis.out = int64_t(out);
        axis.scale = by_size ? (common > 0 ? common : double(axis.out) / double(axis.in)) : scales[k];
        if (roi.size() == 2 * named.size()) axis.roi_begin = roi[k], axis.roi_end = roi[k + named.size()];
    }
    return {resized(n, std::move(axes), sampling)};
}

Exprs resize(NodeContext& n) {
    Sampling sampling;
    sampling.mode = n.choice("mode", {"nearest", "linear", "cubic"});
    if (n.opset() < 11) {
        sampling.coordinates = "asymmetric";
        sampling.nearest = "simple";
        return resize_by(n, known_reals(n, 1), {}, {}, sampling);
    }
    sampling.antialias = n.integer("antialias", 0);
    if (sampling.antialias && sampling.mode == "nearest") throw Fault{"antialias of nearest is not supported", {}};
    sampling.coordinates = n.string("coordinate_transformation_mode", "half_pixel");
    sampling.nearest = n.choice("nearest_mode", {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
    sampling.cubic = n.real("cubic_coeff_a", -0.75);
    sampling.exclude_outside = n.integer("exclude_outside", 0);
    sampling.extrapolation = n.real("extrapolation_value", 0);
    std::vector<double> roi = sampling.coordinates == "tf_crop_and_resize" ? known_reals(n, 1) : std::vector<double>();
    std::vector<double> sizes = known_reals(n, 3);
    return resize_by(n, sizes.empty() ? known_reals(n, 2) : std::vector<double>(), sizes, roi, sampling);
}

Exprs upsample(NodeContext& n) {
    Sampling sampling;
    sampling.mode = n.choice("mode", {"nearest", "linear"});
    sampling.coordinates = "asymmetric";
    sampling.nearest = "floor";
    return resize_by(n, n.opset() >= 9 ? known_reals(n, 1) : n.reals("scales"), {}, {}, sampling);
}

const ConverterEntry kResizeConverters[] = {{"Resize", resize}, {"Upsample", upsample}};

}  // namespace

std::span<const ConverterEntry> resize_converters() { return kResizeConverters; }

}  // namespace partita::onnx
