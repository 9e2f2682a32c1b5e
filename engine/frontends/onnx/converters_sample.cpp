// Ops that read or write elements at computed positions.
#include <algorithm>
#include <cmath>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"
#include "engine/frontends/onnx/window.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

/// Reads images at positions between their elements (Operators.md, GridSample-20, DeformConv-22).
class Sampler {
public:
    struct Options {
        std::string padding = "zeros";
        bool align_corners =
            false;  ///< where images are mirrored: at the centres of the outer elements, or their edges
    };
    /// `image`: [batch, channels, spatial axes]. `positions`: one for each spatial axis, [batch, 1, points], in
    /// elements.
    Sampler(NodeContext& n, ExprId image, Exprs positions, Options options);

    // Each returns [batch, channels, points].
    ExprId nearest() const;
    ExprId linear() const;
    ExprId cubic() const;

private:
    using Weights = std::vector<Exprs>;  ///< of the neighbours along each axis

    ExprId folded(ExprId position, int64_t extent) const;
    /// Returns the elements at whole positions, with the padding of the mode.
    ExprId at(Exprs positions) const;
    ExprId weighted_sum(const Exprs& whole, const Weights& weights, int first) const;
    Exprs cubic_weights(ExprId fraction) const;
    Exprs whole_parts() const;
    ExprId constant(double value) const { return n_.build.real(value, dtype_); }
    ExprId clipped(ExprId value, double high) const {
        return n_.build.call("minimum", {constant(high), n_.build.call("maximum", {constant(0), value})});
    }

    NodeContext& n_;
    DataType dtype_;
    Options options_;
    Integers extents_;  ///< of the spatial axes
    int64_t batch_, channels_, points_;
    ExprId image_;  ///< [batch, channels, elements]
    Exprs positions_;
};

Sampler::Sampler(NodeContext& n, ExprId image, Exprs positions, Options options)
    : n_(n), dtype_(n.build.dtype(image)), options_(std::move(options)), positions_(std::move(positions)) {
    const Integers shape = n.build.static_shape(image);
    if (positions_.empty() || shape.size() != positions_.size() + 2)
        throw Fault{"the positions do not fit the image", {}};
    batch_ = shape[0], channels_ = shape[1];
    extents_.assign(shape.begin() + 2, shape.end());
    points_ = n.build.static_shape(positions_[0])[2];
    const int64_t flat[] = {batch_, channels_, element_count(extents_).value_or(0)};
    image_ = n.build.reshape(image, flat);
}

/// Reflects a position at the borders until it lies inside.
ExprId Sampler::folded(ExprId position, int64_t extent) const {
    Builder& build = n_.build;
    const bool align = options_.align_corners;
    double low = align ? 0 : -0.5, span = align ? double(extent - 1) : double(extent);
    if (span <= 0) return constant(0);
    ExprId distance = build.call("abs", {build.subtract(position, constant(low))});
    ExprId flips = build.call("floor", {build.divide(distance, constant(span))});
    ExprId rest = build.subtract(distance, build.multiply(flips, constant(span)));
    ExprId halves = build.multiply(build.call("floor", {build.divide(flips, constant(2))}), constant(2));
    ExprId even = build.call("equal", {halves, flips});
    ExprId mirrored = build.call("where", {even, rest, build.subtract(constant(span), rest)});
    return build.add(mirrored, constant(low));
}

ExprId Sampler::at(Exprs positions) const {
    Builder& build = n_.build;
    ExprId index, inside;
    for (size_t axis = 0; axis < positions.size(); ++axis) {
        const double extent = double(extents_[axis]);
        ExprId& position = positions[axis];
        if (options_.padding == "reflection") position = folded(position, extents_[axis]);
        const ExprId kept = clipped(position, extent - 1), own = build.call("equal", {position, kept});
        inside = inside.valid() ? build.call("logical_and", {inside, own}) : own;
        index = index.valid() ? build.add(build.multiply(index, constant(extent)), kept) : kept;
    }
    const int64_t spread[] = {batch_, channels_, points_};
    index = build.call("broadcast_to", {build.cast(index, kInt64)}, {{"shape", integer_attribute(spread)}});
    ExprId picked = build.call("gather", {image_, index}, {{"axis", 2}});
    return options_.padding == "zeros" ? build.call("where", {inside, picked, constant(0)}) : picked;
}

/// Returns the weights of the neighbours from floor - 1 on: cubic convolution with a = -0.75.
Exprs Sampler::cubic_weights(ExprId fraction) const {
    Builder& build = n_.build;
    constexpr double a = -0.75;
    auto polynomial = [&](ExprId d, double c3, double c2, double c1, double c0) {
        ExprId sum = build.add(build.multiply(d, constant(c3)), constant(c2));
        sum = build.add(build.multiply(sum, d), constant(c1));
        return build.add(build.multiply(sum, d), constant(c0));
    };
    auto near = [&](ExprId d) { return polynomial(d, a + 2, -(a + 3), 0, 1); };
    auto far = [&](ExprId d) { return polynomial(d, a, -5 * a, 8 * a, -4 * a); };
    ExprId one = constant(1), rest = build.subtract(one, fraction);
    return {far(build.add(fraction, one)), near(fraction), near(rest), far(build.add(rest, one))};
}

/// Sums the neighbours of all points, each with the product of its weights along the axes.
ExprId Sampler::weighted_sum(const Exprs& whole, const Weights& weights, int first) const {
    Builder& build = n_.build;
    ExprId sum;
    std::vector<size_t> neighbour(whole.size(), 0);
    for (bool more = true; more;) {
        Exprs positions;
        ExprId weight;
        for (size_t axis = 0; axis < whole.size(); ++axis) {
            positions.push_back(build.add(whole[axis], constant(first + int(neighbour[axis]))));
            const ExprId own = weights[axis][neighbour[axis]];
            weight = weight.valid() ? build.multiply(own, weight) : own;
        }
        const ExprId term = build.multiply(at(std::move(positions)), weight);
        sum = sum.valid() ? build.add(sum, term) : term;
        more = false;  // until no axis has a further neighbour, the last axis the fastest
        for (size_t axis = whole.size(); axis-- > 0 && !more;) {
            more = ++neighbour[axis] < weights[axis].size();
            if (!more) neighbour[axis] = 0;
        }
    }
    return sum;
}

Exprs Sampler::whole_parts() const {
    Exprs whole;
    for (ExprId position : positions_) whole.push_back(n_.build.call("floor", {position}));
    return whole;
}

ExprId Sampler::nearest() const {
    Exprs rounded;
    for (ExprId position : positions_) rounded.push_back(round_half_even(n_.build, position));
    return at(std::move(rounded));
}

ExprId Sampler::linear() const {
    const Exprs whole = whole_parts();
    Weights weights;
    for (size_t axis = 0; axis < whole.size(); ++axis) {
        const ExprId fraction = n_.build.subtract(positions_[axis], whole[axis]);
        weights.push_back({n_.build.subtract(constant(1), fraction), fraction});
    }
    return weighted_sum(whole, weights, 0);
}

ExprId Sampler::cubic() const {
    const Exprs whole = whole_parts();
    Weights weights;
    for (size_t axis = 0; axis < whole.size(); ++axis)
        weights.push_back(cubic_weights(n_.build.subtract(positions_[axis], whole[axis])));
    return weighted_sum(whole, weights, -1);
}

/// Converts a coordinate between -1 and 1 to elements.
ExprId in_elements(NodeContext& n, ExprId normalized, int64_t extent, bool align_corners) {
    const ExprId shifted = n.build.add(normalized, like(n, normalized, 1));
    if (align_corners) return n.build.multiply(shifted, like(n, shifted, double(extent - 1) / 2));
    return n.build.subtract(n.build.multiply(shifted, like(n, shifted, double(extent) / 2)), like(n, shifted, 0.5));
}

Exprs grid_sample(NodeContext& n) {
    // Operator set 20 renamed "bilinear" and "bicubic" to "linear" and "cubic".
    const std::string mode = n.choice("mode", {"bilinear", "linear", "nearest", "bicubic", "cubic"});
    const Sampler::Options options{n.choice("padding_mode", {"zeros", "border", "reflection"}),
                                   n.integer("align_corners", 0) != 0};
    const Integers image = n.build.static_shape(n.input(0)), grid = n.build.static_shape(n.input(1));
    const size_t rank = image.size(), axes = rank - 2;
    if (rank < 3 || grid.size() != rank || grid.back() != int64_t(axes) || grid[0] != image[0])
        throw Fault{"the grid does not fit the image", {}};
    if (mode.ends_with("cubic") && axes != 2)
        throw Fault{"cubic samples of images without two spatial dimensions are not supported", {}};
    const int64_t points = element_count(std::span(grid).subspan(1, axes)).value_or(0), flat[] = {image[0], 1, points};
    const ExprId cast = n.build.cast(n.input(1), n.build.dtype(n.input(0)));
    Exprs positions;
    for (size_t axis = 0; axis < axes; ++axis) {  // the grid names the last axis first
        const int64_t place = int64_t(axes - 1 - axis);
        const ExprId coordinate = n.build.reshape(n.build.slice(cast, int64_t(axes) + 1, place, place + 1), flat);
        positions.push_back(in_elements(n, coordinate, image[axis + 2], options.align_corners));
    }
    const Sampler sampler(n, n.input(0), std::move(positions), options);
    Integers shape(image.begin(), image.begin() + 2);
    shape.insert(shape.end(), grid.begin() + 1, grid.end() - 1);
    return {n.build.reshape(mode == "nearest"         ? sampler.nearest()
                            : mode.ends_with("cubic") ? sampler.cubic()
                                                      : sampler.linear(),
                            shape)};
}

/// A convolution whose taps are moved by offsets, and perhaps weighed by a mask.
class DeformableConvolution {
public:
    explicit DeformableConvolution(NodeContext& n);
    ExprId convert();

private:
    Integers result_extents() const;
    ExprId position(size_t axis) const;
    ExprId taps() const;

    NodeContext& n_;
    Integers data_, weight_;
    Window window_;
    int64_t groups_, offset_groups_;
    Integers result_;                            ///< extents of its spatial axes
    int64_t kernel_size_ = 0, result_size_ = 0;  ///< elements
};

DeformableConvolution::DeformableConvolution(NodeContext& n)
    : n_(n), data_(n.build.static_shape(n.input(0))), weight_(n.build.static_shape(n.input(1))),
      groups_(n.integer("group", 1)), offset_groups_(n.integer("offset_group", 1)) {
    const size_t rank = data_.size();
    if (rank < 3 || weight_.size() != rank || groups_ < 1 || offset_groups_ < 1 || data_[1] % groups_ ||
        data_[1] % offset_groups_ || weight_[0] % groups_ || weight_[1] != data_[1] / groups_)
        throw Fault{"the data, the weights and the groups do not fit", {}};
    window_ = window_of(n, {weight_.begin() + 2, weight_.end()}, std::span(data_).subspan(2));
    result_ = result_extents();
    kernel_size_ = element_count(window_.kernel).value_or(0);
    result_size_ = element_count(result_).value_or(0);
    Integers offset{data_[0], offset_groups_ * kernel_size_ * int64_t(rank - 2)};
    offset.insert(offset.end(), result_.begin(), result_.end());
    if (n.build.static_shape(n.input(2)) != offset) throw Fault{"the offsets do not fit the result", {}};
}

Integers DeformableConvolution::result_extents() const {
    Integers extents;
    for (size_t axis = 0; axis < window_.rank(); ++axis) {
        const int64_t reach = (window_.kernel[axis] - 1) * window_.dilations[axis] + 1,
                      padded = data_[axis + 2] + window_.pads[axis] + window_.pads[axis + window_.rank()];
        if (padded < reach) throw Fault{"the kernel is larger than the data", {}};
        extents.push_back((padded - reach) / window_.strides[axis] + 1);
    }
    return extents;
}

/// Where the taps of all results lie along an axis: [batch * offset groups, 1, taps * results].
ExprId DeformableConvolution::position(size_t axis) const {
    const int64_t points = kernel_size_ * result_size_;
    const int64_t shape[] = {points};
    if (!n_.build.may_hold(kFloat32, shape)) throw Fault{"there are too many taps", {}};
    int64_t kernel_step = 1, result_step = 1;
    for (size_t later = axis + 1; later < window_.rank(); ++later)
        kernel_step *= window_.kernel[later], result_step *= result_[later];
    const DataType dtype = n_.build.dtype(n_.input(0));
    Tensor base(dtype, {1, 1, points});
    for (int64_t tap = 0; tap < kernel_size_; ++tap)
        for (int64_t result = 0; result < result_size_; ++result) {
            const int64_t moved =
                tap / kernel_step % window_.kernel[axis] * window_.dilations[axis] - window_.pads[axis];
            base.set(tap * result_size_ + result,
                     double(result / result_step % result_[axis] * window_.strides[axis] + moved));
        }
    const int64_t apart[] = {data_[0] * offset_groups_, kernel_size_, int64_t(window_.rank()), result_size_},
                  flat[] = {data_[0] * offset_groups_, 1, points};
    const ExprId offsets = n_.build.slice(n_.build.reshape(n_.input(2), apart), 2, int64_t(axis), int64_t(axis) + 1);
    return n_.build.add(n_.build.constant(std::move(base)), n_.build.reshape(offsets, flat));
}

/// What the taps of all results read: [batch, groups, channels of a group * taps, results].
ExprId DeformableConvolution::taps() const {
    Integers image{data_[0] * offset_groups_, data_[1] / offset_groups_};
    image.insert(image.end(), data_.begin() + 2, data_.end());
    Exprs positions;
    for (size_t axis = 0; axis < window_.rank(); ++axis) positions.push_back(position(axis));
    ExprId read = Sampler(n_, n_.build.reshape(n_.input(0), image), std::move(positions), {}).linear();
    if (n_.has(4)) {
        const int64_t flat[] = {image[0], 1, kernel_size_ * result_size_};
        read = n_.build.multiply(read, n_.build.reshape(n_.input(4), flat));
    }
    const int64_t by_group[] = {data_[0], groups_, data_[1] / groups_ * kernel_size_, result_size_};
    return n_.build.reshape(read, by_group);
}

ExprId DeformableConvolution::convert() {
    const int64_t rows[] = {1, groups_, weight_[0] / groups_, weight_[1] * kernel_size_};
    const ExprId product = matrix_product(n_.build, n_.build.reshape(n_.input(1), rows), taps());
    Integers shape{data_[0], weight_[0]};
    shape.insert(shape.end(), result_.begin(), result_.end());
    const ExprId y = n_.build.reshape(product, shape);
    if (!n_.has(3)) return y;
    Integers by_channel(window_.rank() + 1, 1);
    by_channel[0] = weight_[0];
    return n_.build.add(y, n_.build.reshape(n_.input(3), by_channel));
}

Exprs deform_conv(NodeContext& n) { return {DeformableConvolution(n).convert()}; }

/// Writes pooled values to the positions given by the indices of MaxPool.
Exprs max_unpool(NodeContext& n) {
    Integers shape = n.build.static_shape(n.input(0)), kernel = n.integers("kernel_shape");
    size_t rank = kernel.size();
    Integers strides = n.integers("strides", Integers(rank, 1)), pads = n.integers("pads", Integers(2 * rank, 0));
    if (shape.size() != rank + 2 || strides.size() != rank || pads.size() != 2 * rank)
        throw Fault{"the attributes do not fit", {}};
    Integers inferred(shape.begin(), shape.begin() + 2);
    for (size_t i = 0; i < rank; ++i)
        inferred.push_back((shape[i + 2] - 1) * strides[i] + kernel[i] - pads[i] - pads[i + rank]);
    Integers wanted = n.has(2) ? n.known_integers(2) : inferred;
    std::optional<int64_t> flat = element_count(wanted), given = element_count(shape),
                           inferred_count = element_count(inferred);
    if (wanted.size() != shape.size() || !flat || !given || !inferred_count || *flat < *given ||
        *flat > (int64_t(1) << 28))
        throw Fault{"the output's shape is invalid", {}};
    if (!n.build.may_hold(n.build.dtype(n.input(0)), inferred)) throw Fault{"the output is too large", {}};
    // The indices refer to the inferred shape, which the requested one may exceed at the end of each axis.
    const int64_t flat_shape[] = {*inferred_count}, given_shape[] = {*given};
    ExprId zeros = n.build.constant(Tensor(n.build.dtype(n.input(0)), {*inferred_count}));
    ExprId scattered = n.build.call("scatter",
                                    {n.build.reshape(zeros, flat_shape), n.build.reshape(n.input(1), given_shape),
                                     n.build.reshape(n.input(0), given_shape)},
                                    {{"axis", 0}});
    ExprId result = n.build.reshape(scattered, inferred);
    AttributeValue::List width;
    for (size_t i = 0; i < wanted.size(); ++i) {
        const int64_t sides[] = {0, wanted[i] - inferred[i]};
        if (sides[1] < 0) throw Fault{"the output's shape is smaller than what the indices count in", {}};
        width.push_back(integer_attribute(sides));
    }
    if (wanted == inferred) return {result};
    return {n.build.call("nn.pad", {result, like(n, result, 0)}, {{"pad_width", std::move(width)}})};
}

/// Converts RoiAlign. ONNX has a separate operand for the images. The largest is in ONNX Runtime (and ONNX's reference)
/// that of all weighted elements, not of the samples.
Exprs roi_align(NodeContext& n) {
    Integers regions = n.build.static_shape(n.input(1));
    if (regions.size() != 2 || regions[1] != 4) throw Fault{"the regions must be rows of four corners", {}};
    ExprId corners = n.input(1);
    const bool aligned = n.opset() >= 16 && n.choice("coordinate_transformation_mode",
                                                     {"half_pixel", "output_half_pixel"}) == "half_pixel";
    const int64_t column[] = {regions[0], 1};
    const ExprId parts[] = {n.build.reshape(n.build.cast(n.input(2), n.build.dtype(corners)), column), corners};
    const int64_t bins[] = {n.integer("output_height", 1), n.integer("output_width", 1)};
    return {n.build.call("vision.roi_align", {n.input(0), n.build.concatenate(parts, 1)},
                         {{"pooled_size", integer_attribute(bins)},
                          {"spatial_scale", n.real("spatial_scale", 1.0)},
                          {"sample_ratio", int(n.integer("sampling_ratio", 0))},
                          {"aligned", aligned},
                          {"mode", std::string(n.choice("mode", {"avg", "max"}) == "max" ? "max_part" : "avg")}})};
}

/// The coordinates of an image's points under an affine map, from -1 to 1 (opset 20).
Exprs affine_grid(NodeContext& n) {
    Integers size = n.known_integers(1);
    if (size.size() != 4 && size.size() != 5) throw Fault{"its size must have four or five values", {}};
    const size_t rank = size.size() - 2;
    const bool corners = n.integer("align_corners", 0);
    for (int64_t extent : size)
        if (extent < 1 || extent > (1 << 24)) throw Fault{"its size is out of range", {}};
    const int64_t points = element_count(size.from(2)).value_or(0);
    const DataType dtype = n.build.dtype(n.input(0));
    const int64_t shape[] = {points, int64_t(rank) + 1};
    if (points < 1 || points > (1 << 28) || !n.build.may_hold(dtype, shape)) throw Fault{"the grid is too large", {}};
    Tensor base(dtype, {points, int64_t(rank) + 1});  // x first, then a 1
    for (int64_t point = 0; point < points; ++point) {
        int64_t rest = point;
        for (size_t axis = 0; axis < rank; ++axis) {
            const int64_t extent = size[size.size() - 1 - axis], at = rest % extent;
            const double ends = extent > 1 ? 2.0 * double(at) / double(extent - 1) - 1 : 0;
            base.set(point * (int64_t(rank) + 1) + int64_t(axis),
                     corners ? ends : (2.0 * double(at) + 1) / double(extent) - 1);
            rest /= extent;
        }
        base.set(point * (int64_t(rank) + 1) + int64_t(rank), 1);
    }
    const int64_t swapped[] = {0, 2, 1};
    const ExprId grid =
        matrix_product(n.build, n.build.constant(std::move(base)), n.build.transpose(n.input(0), swapped));
    Integers result{size[0]};
    result.insert(result.end(), size.begin() + 2, size.end());
    result.push_back(int64_t(rank));
    return {n.build.reshape(grid, result)};
}

const ConverterEntry kSampleConverters[] = {
    {"AffineGrid", affine_grid}, {"DeformConv", deform_conv}, {"GridSample", grid_sample},
    {"MaxUnpool", max_unpool},   {"RoiAlign", roi_align},
};

}  // namespace

std::span<const ConverterEntry> sample_converters() { return kSampleConverters; }

}  // namespace partita::onnx
