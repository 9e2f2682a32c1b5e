// Ops that read or write elements at computed positions, and the discrete Fourier transform.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

/// Samples an image at the positions of a grid (Operators.md, GridSample-16).
class GridSampler {
public:
    explicit GridSampler(NodeContext& n);
    ExprId sample();

private:
    ExprId pixel_coordinate(ExprId normalized, int64_t extent) const;
    ExprId folded(ExprId coordinate, int64_t extent) const;
    /// Returns the image's elements at integer positions given as floats, with the padding of the mode.
    ExprId at(ExprId x, ExprId y) const;
    ExprId constant(double value) const { return n_.build.real(value, dtype_); }
    ExprId clipped(ExprId value, double low, double high) const {
        return n_.build.call("minimum", {constant(high), n_.build.call("maximum", {constant(low), value})});
    }
    std::array<ExprId, 4> cubic_weights(ExprId fraction) const;
    ExprId weighted_sum(ExprId x, ExprId y, std::span<const ExprId> weights_x, std::span<const ExprId> weights_y,
                        int first) const;

    NodeContext& n_;
    DataType dtype_;
    std::string mode_, padding_;
    bool align_;
    int64_t batch_, channels_, height_, width_, rows_, columns_;
    ExprId image_;  ///< [batch, channels, height * width]
    ExprId x_, y_;  ///< [batch, 1, rows * columns], in pixels
};

GridSampler::GridSampler(NodeContext& n)
    : n_(n), dtype_(n.build.dtype(n.input(0))),
      // Operator set 20 renamed "bilinear" and "bicubic" to "linear" and "cubic".
      mode_(n.choice("mode", {"bilinear", "linear", "nearest", "bicubic", "cubic"})),
      padding_(n.choice("padding_mode", {"zeros", "border", "reflection"})), align_(n.integer("align_corners", 0)) {
    std::vector<int64_t> image = n.build.static_shape(n.input(0)), grid = n.build.static_shape(n.input(1));
    if (image.size() != 4 || grid.size() != 4 || grid[3] != 2 || grid[0] != image[0])
        throw Fault{"only images with two spatial dimensions are supported", {}};
    batch_ = image[0], channels_ = image[1], height_ = image[2], width_ = image[3], rows_ = grid[1], columns_ = grid[2];
    const int64_t flat_image[] = {batch_, channels_, height_ * width_}, flat_grid[] = {batch_, 1, rows_ * columns_};
    image_ = n.build.reshape(n.input(0), flat_image);
    ExprId cast = n.build.cast(n.input(1), dtype_);
    x_ = pixel_coordinate(n.build.reshape(n.build.slice(cast, 3, 0, 1), flat_grid), width_);
    y_ = pixel_coordinate(n.build.reshape(n.build.slice(cast, 3, 1, 2), flat_grid), height_);
}

ExprId GridSampler::pixel_coordinate(ExprId normalized, int64_t extent) const {
    Builder& build = n_.build;
    ExprId shifted = build.add(normalized, constant(1));
    if (align_) return build.multiply(shifted, constant(double(extent - 1) / 2));
    return build.subtract(build.multiply(shifted, constant(double(extent) / 2)), constant(0.5));
}

/// Reflects a coordinate at the borders until it lies inside.
ExprId GridSampler::folded(ExprId coordinate, int64_t extent) const {
    Builder& build = n_.build;
    double low = align_ ? 0 : -0.5, span = align_ ? double(extent - 1) : double(extent);
    if (span <= 0) return constant(0);
    ExprId distance = build.call("abs", {build.subtract(coordinate, constant(low))});
    ExprId flips = build.call("floor", {build.divide(distance, constant(span))});
    ExprId rest = build.subtract(distance, build.multiply(flips, constant(span)));
    ExprId halves = build.multiply(build.call("floor", {build.divide(flips, constant(2))}), constant(2));
    ExprId even = build.call("equal", {halves, flips});
    ExprId mirrored = build.call("where", {even, rest, build.subtract(constant(span), rest)});
    return build.add(mirrored, constant(low));
}

ExprId GridSampler::at(ExprId x, ExprId y) const {
    Builder& build = n_.build;
    if (padding_ == "reflection") x = folded(x, width_), y = folded(y, height_);
    ExprId inside_x = clipped(x, 0, double(width_ - 1)), inside_y = clipped(y, 0, double(height_ - 1));
    ExprId index = build.cast(build.add(build.multiply(inside_y, constant(double(width_))), inside_x), kInt64);
    const int64_t spread[] = {batch_, channels_, rows_ * columns_};
    index = build.call("broadcast_to", {index}, {{"shape", integer_attribute(spread)}});
    ExprId picked = build.call("gather", {image_, index}, {{"axis", 2}});
    if (padding_ != "zeros") return picked;
    ExprId inside = build.call("logical_and", {build.call("equal", {x, inside_x}), build.call("equal", {y, inside_y})});
    return build.call("where", {inside, picked, constant(0)});
}

/// Returns the weights of the neighbours from floor - 1 on: cubic convolution with a = -0.75.
std::array<ExprId, 4> GridSampler::cubic_weights(ExprId fraction) const {
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

ExprId GridSampler::weighted_sum(ExprId x, ExprId y, std::span<const ExprId> weights_x,
                                 std::span<const ExprId> weights_y, int first) const {
    Builder& build = n_.build;
    ExprId sum;
    for (size_t j = 0; j < weights_y.size(); ++j)
        for (size_t i = 0; i < weights_x.size(); ++i) {
            ExprId value = at(build.add(x, constant(first + int(i))), build.add(y, constant(first + int(j))));
            ExprId term = build.multiply(value, build.multiply(weights_x[i], weights_y[j]));
            sum = sum.valid() ? build.add(sum, term) : term;
        }
    return sum;
}

ExprId GridSampler::sample() {
    Builder& build = n_.build;
    ExprId result;
    if (mode_ == "nearest") {
        result = at(round_half_even(build, x_), round_half_even(build, y_));
    } else {
        ExprId x = build.call("floor", {x_}), y = build.call("floor", {y_});
        ExprId part_x = build.subtract(x_, x), part_y = build.subtract(y_, y);
        if (mode_.ends_with("cubic")) {
            result = weighted_sum(x, y, cubic_weights(part_x), cubic_weights(part_y), -1);
        } else {
            const ExprId wx[] = {build.subtract(constant(1), part_x), part_x},
                         wy[] = {build.subtract(constant(1), part_y), part_y};
            result = weighted_sum(x, y, wx, wy, 0);
        }
    }
    const int64_t shape[] = {batch_, channels_, rows_, columns_};
    return build.reshape(result, shape);
}

Exprs grid_sample(NodeContext& n) { return {GridSampler(n).sample()}; }

/// Writes pooled values to the positions given by the indices of MaxPool.
Exprs max_unpool(NodeContext& n) {
    std::vector<int64_t> shape = n.build.static_shape(n.input(0)), kernel = n.integers("kernel_shape");
    size_t rank = kernel.size();
    std::vector<int64_t> strides = n.integers("strides", std::vector<int64_t>(rank, 1)),
                         pads = n.integers("pads", std::vector<int64_t>(2 * rank, 0));
    if (shape.size() != rank + 2 || strides.size() != rank || pads.size() != 2 * rank)
        throw Fault{"the attributes do not fit", {}};
    std::vector<int64_t> inferred(shape.begin(), shape.begin() + 2);
    for (size_t i = 0; i < rank; ++i)
        inferred.push_back((shape[i + 2] - 1) * strides[i] + kernel[i] - pads[i] - pads[i + rank]);
    std::vector<int64_t> wanted = n.has(2) ? n.known_integers(2) : inferred;
    std::optional<int64_t> flat = element_count(wanted), given = element_count(shape),
                           inferred_count = element_count(inferred);
    if (wanted.size() != shape.size() || !flat || !given || !inferred_count || *flat < *given ||
        *flat > (int64_t(1) << 28))
        throw Fault{"the output's shape is invalid", {}};
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

/// Converts RoiAlign. ONNX has a separate operand for the images. Corners in half pixels lie half a pixel before
/// Relay's; regions smaller than a pixel then grow to one in Relay, but not in ONNX.
Exprs roi_align(NodeContext& n) {
    std::vector<int64_t> regions = n.build.static_shape(n.input(1));
    if (regions.size() != 2 || regions[1] != 4) throw Fault{"the regions must be rows of four corners", {}};
    double scale = n.real("spatial_scale", 1.0);
    ExprId corners = n.input(1);
    bool half_pixel = n.opset() >= 16 &&
                      n.choice("coordinate_transformation_mode", {"half_pixel", "output_half_pixel"}) == "half_pixel";
    if (half_pixel) {
        const Tensor& known = n.known(1);
        for (int64_t r = 0; r < regions[0]; ++r)
            for (int64_t side : {0, 1})
                if ((known.at(r * 4 + side + 2) - known.at(r * 4 + side)) * scale < 1)
                    throw Fault{"a region is smaller than a pixel", {}};
        corners = n.build.subtract(corners, like(n, corners, 0.5 / scale));
    }
    const int64_t column[] = {regions[0], 1};
    const ExprId parts[] = {n.build.reshape(n.build.cast(n.input(2), n.build.dtype(corners)), column), corners};
    const int64_t bins[] = {n.integer("output_height", 1), n.integer("output_width", 1)};
    return {n.build.call("vision.roi_align", {n.input(0), n.build.concatenate(parts, 1)},
                         {{"pooled_size", integer_attribute(bins)},
                          {"spatial_scale", scale},
                          {"sample_ratio", int(n.integer("sampling_ratio", 0))},
                          {"mode", n.choice("mode", {"avg", "max"})}})};
}

/// The coordinates of an image's points under an affine map, from -1 to 1 (opset 20).
Exprs affine_grid(NodeContext& n) {
    std::vector<int64_t> size = n.known_integers(1);
    const size_t rank = size.size() - 2;
    if (size.size() != 4 && size.size() != 5) throw Fault{"its size must have four or five values", {}};
    const bool corners = n.integer("align_corners", 0);
    int64_t points = 1;
    for (int64_t extent : size)
        if (extent < 1 || extent > (1 << 24)) throw Fault{"its size is out of range", {}};
    for (size_t i = 2; i < size.size(); ++i) points *= size[i];
    const DataType dtype = n.build.dtype(n.input(0));
    const int64_t shape[] = {points, int64_t(rank) + 1};
    if (points > (1 << 28) || !n.build.may_hold(dtype, shape)) throw Fault{"the grid is too large", {}};
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
    std::vector<int64_t> result{size[0]};
    result.insert(result.end(), size.begin() + 2, size.end());
    result.push_back(int64_t(rank));
    return {n.build.reshape(grid, result)};
}

const ConverterEntry kTable[] = {
    {"AffineGrid", affine_grid},
    {"GridSample", grid_sample},
    {"MaxUnpool", max_unpool},
    {"RoiAlign", roi_align},
};

}  // namespace

std::span<const ConverterEntry> sample_converters() { return kTable; }

}  // namespace partita::onnx
