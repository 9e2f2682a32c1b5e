#include "engine/frontends/onnx/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/frontends/onnx/expressions.h"

namespace partita::onnx {

void refuse_input(const NodeContext& n, size_t index, const char* name) {
    if (n.has(index)) throw Fault{"its input " + std::string(name) + " is not supported", {}};
}

void refuse_unless(NodeContext& n, const char* name, int64_t value) {
    if (n.integer(name, value) != value)
        throw Fault{
            "its attribute " + std::string(name) + " is not " + std::to_string(value) + ", which is not supported", {}};
}

int64_t width_of(const NodeContext& n, ExprId x) {
    const Integers shape = n.build.static_shape(x);
    if (shape.empty()) throw Fault{"an input is a scalar", {}};
    return shape.back();
}

// --- heads ------------------------------------------------------------------------------------------------------

ExprId with_heads(NodeContext& n, ExprId x, int64_t heads) {
    const Integers shape = n.build.static_shape(x);
    if (shape.size() == 4) return x;
    if (shape.size() != 3 || heads < 1 || shape[2] % heads) throw Fault{"the width can't be divided into heads", {}};
    const int64_t apart[] = {shape[0], shape[1], heads, shape[2] / heads}, first[] = {0, 2, 1, 3};
    return n.build.transpose(n.build.reshape(x, apart), first);
}

ExprId without_heads(NodeContext& n, ExprId x) {
    const Integers shape = n.build.static_shape(x);
    const int64_t rows_first[] = {0, 2, 1, 3}, flat[] = {shape[0], shape[2], shape[1] * shape[3]};
    return n.build.reshape(n.build.transpose(x, rows_first), flat);
}

ExprId joined_cache(NodeContext& n, size_t past, ExprId fresh) {
    if (!n.has(past)) return fresh;
    const ExprId parts[] = {n.input(past), fresh};
    return n.build.concatenate(parts, 2);
}

double scale_of(NodeContext& n, ExprId q) {
    const double usual = 1 / std::sqrt(double(n.build.static_shape(q)[3]));
    const double given = n.real("scale", 0);
    return given == 0 ? usual : given;
}

namespace {

constexpr double kLowest = std::numeric_limits<float>::lowest();

/// Repeats the heads of keys or values, each for as many heads of the queries.
ExprId shared_heads(NodeContext& n, ExprId x, int64_t heads) {
    const int64_t own = n.build.static_shape(x)[1];
    if (own == heads) return x;
    if (own < 1 || heads % own) throw Fault{"the heads of queries are no multiple of those of keys", {}};
    return n.build.call("repeat", {x}, {{"repeats", int(heads / own)}, {"axis", 1}});
}

/// What keeps scores from keys that are not seen: the lowest number, beside which any score vanishes in the sum. Unlike
/// a choice by the mask it is made once for all heads and layers.
ExprId penalties(NodeContext& n, ExprId allowed, DataType dtype) {
    const Builder::SharedCalls shared(n.build);
    return n.build.call("where", {allowed, n.build.real(0, dtype), n.build.real(kLowest, dtype)});
}

/// Which keys each row of queries sees up to its own.
ExprId seen_up_to(NodeContext& n, ExprId q, ExprId k, int64_t offset) {
    const int64_t rows = n.build.static_shape(q)[2], keys = n.build.static_shape(k)[2];
    return seen_by_place(n, {rows, keys, n.build.constant(offset, kInt64), -1, 0});
}

/// Shares of the keys, where a further score of each head takes its own.
ExprId shares_beside_sink(NodeContext& n, ExprId scores, ExprId sink) {
    Integers shape = n.build.static_shape(scores);
    const int64_t keys = shape[3], by_head[] = {1, shape[1], 1, 1};
    shape[3] = 1;
    const ExprId column =
        n.build.call("broadcast_to", {n.build.reshape(n.build.cast(sink, n.build.dtype(scores)), by_head)},
                     {{"shape", integer_attribute(shape)}});
    const ExprId parts[] = {scores, column};
    const ExprId shares = n.build.call("nn.softmax", {n.build.concatenate(parts, 3)}, {{"axis", -1}});
    return n.build.slice(shares, 3, 0, keys);
}

/// Every second element of the last axis, from `first` on.
ExprId mean_of_last(NodeContext& n, ExprId x, int64_t axis) {
    Integers axes;
    for (int64_t i = axis; i < n.build.rank(x); ++i) axes.push_back(i);
    return n.build.call("mean", {x}, {{"axis", integer_attribute(axes)}, {"keepdims", true}, {"exclude", false}});
}

}  // namespace

ExprId seen_by_place(NodeContext& n, const Places& places) {
    const Builder::SharedCalls shared(n.build);
    const int64_t column[] = {places.rows, 1};
    const ExprId key = counted(n.build, places.keys);
    const ExprId own = n.build.add(n.build.reshape(counted(n.build, places.rows), column), places.before);
    ExprId seen;
    const auto within = [&](const char* op, int64_t distance) {
        const ExprId end = distance ? n.build.add(own, n.build.constant(distance, kInt64)) : own;
        seen = both(n, seen, n.build.call(op, {key, end}));
    };
    if (places.right >= 0) within("less_equal", places.right);
    if (places.left >= 0) within("greater_equal", -places.left);
    return seen;
}

ExprId first_keys(NodeContext& n, ExprId counts, int64_t keys) {
    const Builder::SharedCalls shared(n.build);
    const Integers batch = n.build.static_shape(counts);
    if (batch.size() != 1) throw Fault{"the numbers of keys must be of rank 1", {}};
    const int64_t apart[] = {batch[0], 1, 1, 1};
    return n.build.call("less", {counted(n.build, keys), n.build.reshape(n.build.cast(counts, kInt64), apart)});
}

ExprId both(NodeContext& n, ExprId a, ExprId b) {
    return !a.valid() ? b : !b.valid() ? a : n.build.call("logical_and", {a, b});
}

ExprId attend(NodeContext& n, ExprId q, ExprId k, ExprId v, const Scores& options) {
    const bool adds = options.bias.valid(), hides = options.allowed.valid();
    // Only one of the masks goes into the call: as a number, the other one can't make zeros of NaN.
    if (options.sink.valid() || (adds && hides && options.may_see_none))
        return attend_in_steps(n, q, k, v, options).result;
    const DataType dtype = n.build.dtype(q);
    ExprId mask = adds ? options.bias : options.allowed;
    if (adds && hides) mask = n.build.add(mask, penalties(n, options.allowed, dtype));
    std::vector<ExprId> inputs{q, k, n.build.cast(v, dtype)};
    if (mask.valid()) inputs.push_back(mask);
    const double usual = 1 / std::sqrt(double(n.build.static_shape(q)[3]));
    return n.build.call("nn.attention", inputs,
                        {{"scale", float(options.scale) == float(usual) ? 0.0 : options.scale},
                         {"softcap", std::max(0.0, options.softcap)},
                         {"is_causal", options.causal_offset.has_value()},
                         {"causal_offset", Integer{options.causal_offset.value_or(0), 32}}});
}

Attended attend_in_steps(NodeContext& n, ExprId q, ExprId k, ExprId v, Scores options) {
    const int64_t heads = n.build.static_shape(q)[1];
    if (options.causal_offset) options.allowed = both(n, options.allowed, seen_up_to(n, q, k, *options.causal_offset));
    k = shared_heads(n, k, heads);
    v = shared_heads(n, v, heads);
    Attended steps;
    steps.allowed = options.allowed;
    steps.products = matrix_product(n.build, scaled(n, q, options.scale), with_last_swapped(n.build, k));
    steps.capped = steps.products;
    if (options.softcap > 0) {
        const ExprId bent = n.build.call("tanh", {scaled(n, steps.products, 1 / options.softcap)});
        steps.capped = scaled(n, bent, options.softcap);
    }
    steps.masked = options.bias.valid() ? n.build.add(steps.capped, options.bias) : steps.capped;
    ExprId scores = steps.masked;
    if (options.allowed.valid()) scores = n.build.add(scores, penalties(n, options.allowed, n.build.dtype(scores)));
    steps.shares = options.sink.valid() ? shares_beside_sink(n, scores, options.sink)
                                        : n.build.call("nn.softmax", {scores}, {{"axis", -1}});
    if (options.allowed.valid() && options.may_see_none)
        steps.shares = n.build.call("where", {options.allowed, steps.shares, like(n, scores, 0)});
    steps.result = matrix_product(n.build, steps.shares, v);
    return steps;
}

ExprId rotated(NodeContext& n, ExprId x, ExprId cos, ExprId sin, bool interleaved) {
    if (2 * n.build.static_shape(cos).back() > n.build.static_shape(x)[3])
        throw Fault{"cos and sin are wider than half a head", {}};
    return n.build.call("nn.rotary_embedding", {x, cos, sin}, {{"interleaved", interleaved}});
}

ExprId at_positions(NodeContext& n, ExprId table, ExprId positions) {
    const ExprId rows = n.build.call("take", {table, positions}, {{"axis", 0}});
    Integers shape = n.build.static_shape(rows);
    if (shape.size() != 3) throw Fault{"the positions must be of rank 2", {}};
    shape.insert(shape.begin() + 1, 1);
    return n.build.reshape(rows, shape);
}

ExprId rotary(NodeContext& n, ExprId cos, ExprId sin, int64_t size) {
    const ExprId x = n.input(0);
    const int64_t width = width_of(n, x);
    int64_t heads = n.integer("num_heads", 0);
    if (heads == 0 && size > 0) heads = width / size;
    const bool flat = n.build.rank(x) == 3, interleaved = n.integer("interleaved", 0);
    const ExprId y = rotated(n, with_heads(n, x, heads), cos, sin, interleaved);
    return flat ? without_heads(n, y) : y;
}

std::vector<ExprId> root_mean_square(NodeContext& n, ExprId x, ExprId scale, int64_t axis, double epsilon) {
    const Integers shape = n.build.static_shape(x);
    const bool last = axis + 1 == int64_t(shape.size()) && n.build.static_shape(scale) == std::vector{shape.back()};
    if (last && n.build.dtype(scale) == n.build.dtype(x) && !n.wants_output(1))
        return {n.build.call("nn.rms_norm", {x, scale}, {{"epsilon", epsilon}}), {}};
    const ExprId mean = mean_of_last(n, n.build.multiply(x, x), axis);
    const ExprId inverse = n.build.call("rsqrt", {n.build.add(mean, like(n, x, epsilon))});
    return {n.build.multiply(n.build.multiply(x, inverse), scale), inverse};
}

}  // namespace partita::onnx
