// Fourier transforms and related operators.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

struct Transform {
    int64_t axis = 1, length = 0;
    bool inverse = false;
    bool one_sided = false;  ///< of a real signal: the bins up to half its length stand for all
};

/// Multiplies by the matrix of a transform along one axis; the last axis holds real and imaginary parts.
class FourierTransform {
public:
    FourierTransform(NodeContext& n, ExprId x, const Transform& transform);
    ExprId convert() const;

private:
    void make_matrices();
    ExprId part(int64_t index) const;
    ExprId product(ExprId values, const Tensor& matrix) const;
    ExprId restored(ExprId values) const;

    NodeContext& n_;
    Transform transform_;
    DataType dtype_;
    Integers shape_, to_last_, back_;
    int64_t used_, results_;  ///< values along the axis
    ExprId x_;
    Tensor cosine_, sine_;  ///< [results, used]
};

FourierTransform::FourierTransform(NodeContext& n, ExprId x, const Transform& transform)
    : n_(n), transform_(transform), dtype_(n.build.dtype(x)), shape_(n.build.static_shape(x)) {
    const int64_t axis = transform.axis, length = transform.length, rank = int64_t(shape_.size());
    constexpr int64_t kLongest = 8192, kLargestMatrix = 1 << 24;
    const bool real_wanted = transform.inverse && transform.one_sided;
    if (axis == rank - 1 || length < 1 || length > kLongest || shape_.back() < 1 || shape_.back() > 2)
        throw Fault{"this form of the transform is not supported", {}};
    used_ = std::min(real_wanted ? length / 2 + 1 : length, shape_[size_t(axis)]);
    results_ = transform.one_sided && !real_wanted ? length / 2 + 1 : length;
    if (used_ < 1 || results_ * used_ > kLargestMatrix) throw Fault{"this form of the transform is not supported", {}};
    for (int64_t i = 0; i + 1 < rank; ++i)
        if (i != axis) to_last_.push_back(i);
    to_last_.push_back(axis);
    back_.resize(to_last_.size());
    for (size_t i = 0; i < to_last_.size(); ++i) back_[size_t(to_last_[i])] = int64_t(i);
    x_ = n.build.cast(x, kFloat64);  // sums of float32 would be off in the last places
    make_matrices();
}

void FourierTransform::make_matrices() {
    const int64_t length = transform_.length;
    const double share = transform_.inverse ? 1 / double(length) : 1;
    const bool real_wanted = transform_.inverse && transform_.one_sided;
    cosine_ = Tensor(kFloat64, {results_, used_});
    sine_ = Tensor(kFloat64, {results_, used_});
    for (int64_t k = 0; k < results_; ++k)
        for (int64_t i = 0; i < used_; ++i) {
            // A bin that is not there is the conjugate of one that is.
            const double times = real_wanted && i > 0 && 2 * i != length ? 2 : 1;
            const double angle =
                (transform_.inverse ? 2 : -2) * std::numbers::pi * double(k * i % length) / double(length);
            cosine_.set(k * used_ + i, std::cos(angle) * share * times);
            sine_.set(k * used_ + i, std::sin(angle) * share * times);
        }
}

/// The real or imaginary parts with the transform's axis last.
ExprId FourierTransform::part(int64_t index) const {
    const int64_t rank = int64_t(shape_.size());
    const ExprId one = n_.build.slice(n_.build.slice(x_, rank - 1, index, index + 1), transform_.axis, 0, used_);
    Integers part_shape(shape_.begin(), shape_.end() - 1);
    part_shape[size_t(transform_.axis)] = used_;
    return n_.build.transpose(n_.build.reshape(one, part_shape), to_last_);
}

ExprId FourierTransform::product(ExprId values, const Tensor& matrix) const {
    Integers value_shape = n_.build.static_shape(values);
    const int64_t flat[] = {element_count(value_shape).value_or(0) / used_, used_};
    const ExprId result = n_.build.call("nn.dense", {n_.build.reshape(values, flat), n_.build.constant(matrix)},
                                        {{"units", int(results_)}});
    value_shape.back() = results_;
    return n_.build.reshape(result, value_shape);
}

ExprId FourierTransform::restored(ExprId values) const {
    const ExprId moved = n_.build.transpose(n_.build.cast(values, dtype_), back_);
    Integers with_part = n_.build.static_shape(moved);
    with_part.push_back(1);
    return n_.build.reshape(moved, with_part);
}

ExprId FourierTransform::convert() const {
    const ExprId real = part(0);
    ExprId real_out = product(real, cosine_), imaginary_out = product(real, sine_);
    if (shape_.back() == 2) {
        const ExprId imaginary = part(1);
        real_out = n_.build.subtract(real_out, product(imaginary, sine_));
        imaginary_out = n_.build.add(imaginary_out, product(imaginary, cosine_));
    }
    if (transform_.inverse && transform_.one_sided) return restored(real_out);
    const ExprId parts[] = {restored(real_out), restored(imaginary_out)};
    return n_.build.concatenate(parts, int64_t(shape_.size()) - 1);
}

/// The axis is an attribute before opset 20, an input from then on.
int64_t transform_axis(NodeContext& n, int64_t rank) {
    if (n.opset() < 20) return n.axis(n.integer("axis", 1), rank);
    if (!n.has(2)) return n.axis(-2, rank);
    return n.axis(n.known_integer(2), rank);
}

Exprs discrete_fourier_transform(NodeContext& n) {
    const Integers shape = n.build.static_shape(n.input(0));
    Transform transform;
    transform.axis = transform_axis(n, int64_t(shape.size()));
    transform.inverse = n.integer("inverse", 0);
    transform.one_sided = n.integer("onesided", 0);
    const int64_t extent = shape[size_t(transform.axis)];
    transform.length = transform.inverse && transform.one_sided ? 2 * (extent - 1) : extent;
    if (n.has(1)) transform.length = n.known_integer(1);
    return {FourierTransform(n, n.input(0), transform).convert()};
}

/// Multiplies frames of the signal by the window and transforms each.
Exprs short_time_fourier_transform(NodeContext& n) {
    ExprId signal = n.input(0);
    Integers shape = n.build.static_shape(signal);
    if (shape.size() == 2) {
        shape.push_back(1);
        signal = n.build.reshape(signal, shape);
    }
    if (shape.size() != 3) throw Fault{"the signal must have a batch, a length and one or two parts", {}};
    int64_t step = n.known_integer(1), length = 0;
    if (n.has(2)) length = n.build.static_shape(n.input(2))[0];
    if (n.has(3)) length = n.known_integer(3);
    if (step < 1 || length < 1 || length > shape[1]) throw Fault{"the frames do not fit the signal", {}};
    int64_t frames = (shape[1] - length) / step + 1;
    if (frames > (int64_t(1) << 24) / length) throw Fault{"there are too many frames", {}};
    Integers places;
    for (int64_t frame = 0; frame < frames; ++frame)
        for (int64_t i = 0; i < length; ++i) places.push_back(frame * step + i);
    ExprId framed = n.build.call("take", {signal, n.build.integers(places)}, {{"axis", 1}});
    const int64_t frame_shape[] = {shape[0], frames, length, shape[2]};
    framed = n.build.reshape(framed, frame_shape);
    if (n.has(2)) {
        const int64_t column[] = {length, 1};
        framed = n.build.multiply(framed, n.build.reshape(n.input(2), column));
    }
    return {FourierTransform(n, framed, {2, length, false, n.integer("onesided", 1) != 0}).convert()};
}

/// Returns overlapping triangles at equal distances on the mel scale (2595 log10(1 + f / 700)).
Exprs mel_weight_matrix(NodeContext& n) {
    int64_t bands = n.known_integer(0), length = n.known_integer(1), rate = n.known_integer(2);
    double low = n.known_number(3), high = n.known_number(4);
    int64_t bins = length / 2 + 1;
    if (bands < 1 || length < 1 || rate < 1 || bins > (int64_t(1) << 24) / bands || !(low >= 0) || !(high > low))
        throw Fault{"the numbers are invalid", {}};
    auto mel = [](double frequency) { return 2595 * std::log10(1 + frequency / 700); };
    DataType dtype = data_type_of(int32_t(n.integer("output_datatype", 1)));
    if (!dtype.is_float()) throw Fault{"only floating-point results are supported", {}};
    Integers edges;
    double distance = (mel(high) - mel(low)) / double(bands + 2);
    for (int64_t i = 0; i < bands + 2; ++i) {
        double frequency = 700 * (std::pow(10, (double(i) * distance + mel(low)) / 2595) - 1);
        edges.push_back(int64_t(std::floor(double(length + 1) * frequency / double(rate))));
    }
    Tensor matrix(dtype, {bins, bands});
    for (int64_t band = 0; band < bands; ++band) {
        int64_t begin = edges[size_t(band)], peak = edges[size_t(band) + 1], end = edges[size_t(band) + 2];
        auto set = [&](int64_t bin, double value) {
            if (bin >= 0 && bin < bins) matrix.set(bin * bands + band, value);
        };
        if (begin == peak) set(peak, 1);
        for (int64_t bin = std::max<int64_t>(begin, 0); bin <= peak && begin != peak && bin < bins; ++bin)
            set(bin, double(bin - begin) / double(peak - begin));
        for (int64_t bin = std::max<int64_t>(peak, 0); bin < end && bin < bins; ++bin)
            if (end != peak) set(bin, double(end - bin) / double(end - peak));
    }
    return {n.build.constant(std::move(matrix))};
}

const ConverterEntry kSignalConverters[] = {
    {"DFT", discrete_fourier_transform},
    {"MelWeightMatrix", mel_weight_matrix},
    {"STFT", short_time_fourier_transform},
};

}  // namespace

std::span<const ConverterEntry> signal_converters() { return kSignalConverters; }

}  // namespace partita::onnx
