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
    bool inverse = false, one_sided = false;
};

/// Multiplies by the matrix of the transform along one axis; the last axis holds real and imaginary parts.
ExprId fourier_transform(NodeContext& n, ExprId x, const Transform& transform) {
    const int64_t axis = transform.axis, length = transform.length;
    std::vector<int64_t> shape = n.build.static_shape(x);
    int64_t rank = int64_t(shape.size()), used = std::min(length, shape[size_t(axis)]);
    int64_t bins = transform.one_sided ? length / 2 + 1 : length;
    constexpr int64_t kLongest = 8192, kLargestMatrix = 1 << 24;
    if (axis == rank - 1 || length < 1 || length > kLongest || used < 1 || bins * used > kLargestMatrix ||
        shape.back() < 1 || shape.back() > 2)
        throw Fault{"this form of the transform is not supported", {}};
    DataType dtype = n.build.dtype(x);
    Tensor cosine(dtype, {bins, used}), sine(dtype, {bins, used});
    for (int64_t k = 0; k < bins; ++k)
        for (int64_t i = 0; i < used; ++i) {
            double angle = (transform.inverse ? 2 : -2) * std::numbers::pi * double(k * i % length) / double(length);
            cosine.set(k * used + i, std::cos(angle) / (transform.inverse ? double(length) : 1));
            sine.set(k * used + i, std::sin(angle) / (transform.inverse ? double(length) : 1));
        }
    std::vector<int64_t> to_last, back(size_t(rank - 1)), part_shape(shape.begin(), shape.end() - 1);
    for (int64_t i = 0; i + 1 < rank; ++i)
        if (i != axis) to_last.push_back(i);
    to_last.push_back(axis);
    for (size_t i = 0; i < to_last.size(); ++i) back[size_t(to_last[i])] = int64_t(i);
    auto part = [&](int64_t index) {
        ExprId one = n.build.slice(n.build.slice(x, rank - 1, index, index + 1), axis, 0, used);
        part_shape[size_t(axis)] = used;
        return n.build.transpose(n.build.reshape(one, part_shape), to_last);
    };
    auto product = [&](ExprId values, const Tensor& matrix) {
        std::vector<int64_t> value_shape = n.build.static_shape(values);
        const int64_t flat[] = {element_count(value_shape).value_or(0) / used, used};
        ExprId result =
            n.build.call("nn.dense", {n.build.reshape(values, flat), n.build.constant(matrix)}, {{"units", int(bins)}});
        value_shape.back() = bins;
        return n.build.reshape(result, value_shape);
    };
    ExprId real = part(0);
    ExprId real_out = product(real, cosine), imaginary_out = product(real, sine);
    if (shape.back() == 2) {
        ExprId imaginary = part(1);
        real_out = n.build.subtract(real_out, product(imaginary, sine));
        imaginary_out = n.build.add(imaginary_out, product(imaginary, cosine));
    }
    auto restored = [&](ExprId values) {
        ExprId moved = n.build.transpose(values, back);
        std::vector<int64_t> with_part = n.build.static_shape(moved);
        with_part.push_back(1);
        return n.build.reshape(moved, with_part);
    };
    const ExprId parts[] = {restored(real_out), restored(imaginary_out)};
    return n.build.concatenate(parts, rank - 1);
}

Exprs discrete_fourier_transform(NodeContext& n) {
    std::vector<int64_t> shape = n.build.static_shape(n.input(0));
    Transform transform;
    transform.axis = n.axis(n.integer("axis", 1), int64_t(shape.size()));
    transform.length = n.has(1) ? n.known_integers(1).at(0) : shape[size_t(transform.axis)];
    transform.inverse = n.integer("inverse", 0);
    transform.one_sided = n.integer("onesided", 0);
    return {fourier_transform(n, n.input(0), transform)};
}

/// Multiplies frames of the signal by the window and transforms each.
Exprs short_time_fourier_transform(NodeContext& n) {
    ExprId signal = n.input(0);
    std::vector<int64_t> shape = n.build.static_shape(signal);
    if (shape.size() == 2) {
        shape.push_back(1);
        signal = n.build.reshape(signal, shape);
    }
    if (shape.size() != 3) throw Fault{"the signal must have a batch, a length and one or two parts", {}};
    int64_t step = n.known_integers(1).at(0), length = 0;
    if (n.has(2)) length = n.build.static_shape(n.input(2)).at(0);
    if (n.has(3)) length = n.known_integers(3).at(0);
    if (step < 1 || length < 1 || length > shape[1]) throw Fault{"the frames do not fit the signal", {}};
    int64_t frames = (shape[1] - length) / step + 1;
    if (frames > (int64_t(1) << 24) / length) throw Fault{"there are too many frames", {}};
    std::vector<int64_t> places;
    for (int64_t frame = 0; frame < frames; ++frame)
        for (int64_t i = 0; i < length; ++i) places.push_back(frame * step + i);
    ExprId framed = n.build.call("take", {signal, n.build.integers(places)}, {{"axis", 1}});
    const int64_t frame_shape[] = {shape[0], frames, length, shape[2]};
    framed = n.build.reshape(framed, frame_shape);
    if (n.has(2)) {
        const int64_t column[] = {length, 1};
        framed = n.build.multiply(framed, n.build.reshape(n.input(2), column));
    }
    return {fourier_transform(n, framed, {2, length, false, n.integer("onesided", 1) != 0})};
}

double known_real(NodeContext& n, size_t index) {
    const Tensor& tensor = n.known(index);
    if (tensor.size() != 1) throw Fault{"input " + std::to_string(index) + " must be one number", {}};
    return tensor.at(0);
}

/// Returns overlapping triangles at equal distances on the mel scale (2595 log10(1 + f / 700)).
Exprs mel_weight_matrix(NodeContext& n) {
    int64_t bands = int64_t(known_real(n, 0)), length = int64_t(known_real(n, 1)), rate = int64_t(known_real(n, 2));
    double low = known_real(n, 3), high = known_real(n, 4);
    int64_t bins = length / 2 + 1;
    if (bands < 1 || length < 1 || rate < 1 || bins > (int64_t(1) << 24) / bands || !(low >= 0) || !(high > low))
        throw Fault{"the numbers are invalid", {}};
    auto mel = [](double frequency) { return 2595 * std::log10(1 + frequency / 700); };
    DataType dtype = data_type_of(int32_t(n.integer("output_datatype", 1)));
    if (!dtype.is_float()) throw Fault{"only floating-point results are supported", {}};
    std::vector<int64_t> edges;
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
        for (int64_t bin = begin; bin <= peak && begin != peak && bin < bins; ++bin)
            set(bin, double(bin - begin) / double(peak - begin));
        for (int64_t bin = peak; bin < end && bin < bins; ++bin)
            if (end != peak) set(bin, double(end - bin) / double(end - peak));
    }
    return {n.build.constant(std::move(matrix))};
}

const ConverterEntry kTable[] = {
    {"DFT", discrete_fourier_transform},
    {"MelWeightMatrix", mel_weight_matrix},
    {"STFT", short_time_fourier_transform},
};

}  // namespace

std::span<const ConverterEntry> signal_converters() { return kTable; }

}  // namespace partita::onnx
