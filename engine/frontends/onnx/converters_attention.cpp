// Attention and what stands around it in transformers: ONNX's operators (opset 23 and 24) and those of com.microsoft
// that ONNX Runtime's optimizers write (docs/ContribOperators.md). Whatever one of them can do that is not known here
// is refused by name.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

constexpr double kLowest = std::numeric_limits<float>::lowest();

void refuse_input(const NodeContext& n, size_t index, const char* name) {
    if (n.has(index)) throw Fault{"its input " + std::string(name) + " is not supported", {}};
}

void refuse_unless(NodeContext& n, const char* name, int64_t value) {
    if (n.integer(name, value) != value)
        throw Fault{
            "its attribute " + std::string(name) + " is not " + std::to_string(value) + ", which is not supported", {}};
}

/// The extent of the last axis.
int64_t width_of(const NodeContext& n, ExprId x) {
    const std::vector<int64_t> shape = n.build.static_shape(x);
    if (shape.empty()) throw Fault{"an input is a scalar", {}};
    return shape.back();
}

// --- heads ------------------------------------------------------------------------------------------------------

/// [batch, rows, heads * size] as [batch, heads, rows, size].
ExprId with_heads(NodeContext& n, ExprId x, int64_t heads) {
    const std::vector<int64_t> shape = n.build.static_shape(x);
    if (shape.size() == 4) return x;
    if (shape.size() != 3 || heads < 1 || shape[2] % heads) throw Fault{"the width can't be divided into heads", {}};
    const int64_t apart[] = {shape[0], shape[1], heads, shape[2] / heads}, first[] = {0, 2, 1, 3};
    return n.build.transpose(n.build.reshape(x, apart), first);
}

/// The reverse of with_heads().
ExprId without_heads(NodeContext& n, ExprId x) {
    const std::vector<int64_t> shape = n.build.static_shape(x);
    const int64_t rows_first[] = {0, 2, 1, 3}, flat[] = {shape[0], shape[2], shape[1] * shape[3]};
    return n.build.reshape(n.build.transpose(x, rows_first), flat);
}

/// Repeats the heads of keys or values, each for as many heads of the queries.
ExprId shared_heads(NodeContext& n, ExprId x, int64_t heads) {
    const int64_t own = n.build.static_shape(x)[1];
    if (own == heads) return x;
    if (own < 1 || heads % own) throw Fault{"the heads of queries are no multiple of those of keys", {}};
    return n.build.call("repeat", {x}, {{"repeats", int(heads / own)}, {"axis", 1}});
}

struct Scores {
    double scale = 1, softcap = 0;
    ExprId bias;     ///< added; none if invalid
    ExprId allowed;  ///< bool; where false, a key is not seen. none if invalid
};

/// softmax(scale q k^T) v over the last two axes of [batch, heads, rows, size].
ExprId attended(NodeContext& n, ExprId q, ExprId k, ExprId v, const Scores& options) {
    const int64_t heads = n.build.static_shape(q)[1], swapped[] = {0, 1, 3, 2};
    k = shared_heads(n, k, heads);
    v = shared_heads(n, v, heads);
    ExprId scores = matrix_product(n.build, scaled(n, q, options.scale), n.build.transpose(k, swapped));
    if (options.softcap > 0) {
        const ExprId bent = n.build.call("tanh", {scaled(n, scores, 1 / options.softcap)});
        scores = scaled(n, bent, options.softcap);
    }
    if (options.bias.valid()) scores = n.build.add(scores, options.bias);
    if (options.allowed.valid()) scores = n.build.call("where", {options.allowed, scores, like(n, scores, kLowest)});
    return matrix_product(n.build, n.build.call("nn.softmax", {scores}, {{"axis", -1}}), v);
}

/// [rows, keys]: a row sees the keys up to its own, which is `before` further on, and with a window so many at most.
ExprId causal(NodeContext& n, int64_t rows, int64_t keys, int64_t before) {
    const int64_t shape[] = {rows, keys};
    if (!n.build.may_hold(kBool, shape)) throw Fault{"the mask is too large", {}};
    Tensor mask(kBool, {rows, keys});
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t key = 0; key < keys; ++key) mask.data<uint8_t>()[row * keys + key] = key <= row + before;
    return n.build.constant(std::move(mask));
}

ExprId both(NodeContext& n, ExprId a, ExprId b) {
    return !a.valid() ? b : !b.valid() ? a : n.build.call("logical_and", {a, b});
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

/// Attention of opset 23 and 24.
Exprs attention(NodeContext& n) {
    refuse_unless(n, "qk_matmul_output_mode", 0);
    if (n.wants_output(3)) throw Fault{"its output qk_matmul_output is not supported", {}};
    refuse_input(n, 6, "nonpad_kv_seqlen");
    const bool flat = n.build.rank(n.input(0)) == 3;
    const ExprId q = with_heads(n, n.input(0), n.integer("q_num_heads", 0));
    const ExprId k = joined_cache(n, 4, with_heads(n, n.input(1), n.integer("kv_num_heads", 0)));
    const ExprId v = joined_cache(n, 5, with_heads(n, n.input(2), n.integer("kv_num_heads", 0)));
    Scores options{scale_of(n, q), n.real("softcap", 0), {}, {}};
    if (n.has(3)) (n.build.dtype(n.input(3)) == kBool ? options.allowed : options.bias) = n.input(3);
    const int64_t rows = n.build.static_shape(q)[2], keys = n.build.static_shape(k)[2];
    const int64_t past =
        n.has(4) ? keys - n.build.static_shape(with_heads(n, n.input(1), n.integer("kv_num_heads", 0)))[2] : 0;
    if (n.integer("is_causal", 0)) options.allowed = both(n, options.allowed, causal(n, rows, keys, past));
    const ExprId y = attended(n, q, k, v, options);
    return {flat ? without_heads(n, y) : y, k, v};
}

/// The part of a bias for queries, keys or values.
ExprId biased(NodeContext& n, ExprId x, int64_t begin) {
    if (!n.has(3) || n.build.rank(x) != 3) return x;
    const int64_t width = n.build.static_shape(x)[2];
    return n.build.add(x, n.build.slice(n.input(3), 0, begin, begin + width));
}

/// com.microsoft.MultiHeadAttention's key_padding_mask, as what is added to the scores.
ExprId padding_bias(NodeContext& n, ExprId mask, int64_t keys, DataType dtype) {
    const std::vector<int64_t> shape = n.build.static_shape(mask);
    ExprId seen;
    if (shape.size() == 1) {  // the number of keys of each row
        std::vector<int64_t> numbers;
        for (int64_t i = 0; i < keys; ++i) numbers.push_back(i);
        const int64_t column[] = {shape[0], 1};
        const DataType index = n.build.dtype(mask);
        seen = n.build.call("less", {n.build.integers(numbers, index), n.build.reshape(mask, column)});
    } else if (shape.size() == 2) {
        seen = n.build.call("not_equal", {mask, n.build.constant(0, n.build.dtype(mask))});
    } else {
        throw Fault{"a key_padding_mask of rank " + std::to_string(shape.size()) + " is not supported", {}};
    }
    const int64_t spread[] = {shape[0], 1, 1, keys};
    const ExprId added =
        n.build.call("where", {seen, n.build.real(0, dtype), n.build.real(n.real("mask_filter_value", -10000), dtype)});
    return n.build.reshape(added, spread);
}

Exprs multi_head_attention(NodeContext& n) {
    refuse_input(n, 8, "past_sequence_length");
    refuse_input(n, 9, "cache_indirection");
    if (!n.has(1) || !n.has(2)) throw Fault{"packed queries, keys and values are not supported", {}};
    if (n.wants_output(3)) throw Fault{"its output qk is not supported", {}};
    const int64_t heads = n.integer("num_heads", 0);
    const int64_t width = width_of(n, n.input(0));
    const ExprId q = with_heads(n, biased(n, n.input(0), 0), heads);
    const ExprId k = joined_cache(n, 6, with_heads(n, biased(n, n.input(1), width), heads));
    const ExprId v = joined_cache(n, 7, with_heads(n, biased(n, n.input(2), 2 * width), heads));
    Scores options{scale_of(n, q), 0, {}, {}};
    const int64_t rows = n.build.static_shape(q)[2], keys = n.build.static_shape(k)[2];
    if (n.has(4)) options.bias = padding_bias(n, n.input(4), keys, n.build.dtype(q));
    if (n.has(5)) options.bias = options.bias.valid() ? n.build.add(options.bias, n.input(5)) : n.input(5);
    if (n.integer("unidirectional", 0)) options.allowed = causal(n, rows, keys, keys - rows);
    return {without_heads(n, attended(n, q, k, v, options)), k, v};
}

// --- a cache of keys and values ---------------------------------------------------------------------------------

/// com.microsoft.GroupQueryAttention: row b holds seqlens_k[b] + 1 keys, of which the last ones are new.
class GroupQuery {
public:
    explicit GroupQuery(NodeContext& node) : n_(node) {
        refuse_input(n_, 10, "attention_bias");
        refuse_input(n_, 11, "head_sink");
        refuse_unless(n_, "smooth_softmax", 0);
        refuse_unless(n_, "qk_output", 0);
        if (!n_.has(1) || !n_.has(2)) throw Fault{"packed queries, keys and values are not supported", {}};
        if (n_.has(3) != n_.has(4)) throw Fault{"past_key and past_value must come together", {}};
        const std::vector<int64_t> shape = n_.build.static_shape(n_.input(0));
        if (shape.size() != 3) throw Fault{"the query must be of rank 3", {}};
        batch_ = shape[0];
        rows_ = shape[1];
        past_ = n_.has(3) ? rows_of(n_.input(3)) : 0;
        const std::vector<int64_t> total = n_.known_integers(6);
        if (total.size() != 1 || total[0] < 1 || total[0] > (1 << 24))
            throw Fault{"total_sequence_length must be one positive number", {}};
        keys_ = std::max(total[0], past_);
        const int64_t columns[] = {batch_, 1};
        // How many keys of the past each row of the batch has; none before the first ones.
        before_ = total[0] == rows_
                      ? n_.build.call("zeros", Exprs{}, {{"shape", integer_attribute(columns)}, {"dtype", kInt32}})
                      : n_.build.subtract(n_.build.reshape(n_.build.cast(n_.input(5), kInt32), columns),
                                          n_.build.constant(rows_ - 1, kInt32));
    }

    Exprs convert() {
        const int64_t heads = n_.integer("num_heads", 0), own = n_.integer("kv_num_heads", 0);
        ExprId q = with_heads(n_, n_.input(0), heads), k = with_heads(n_, n_.input(1), own);
        if (n_.integer("do_rotary", 0)) {
            q = turned(q);
            k = turned(k);
        }
        k = in_cache(3, k);
        const ExprId v = in_cache(4, with_heads(n_, n_.input(2), own));
        const Scores options{scale_of(n_, q), n_.real("softcap", 0), {}, allowed()};
        return {without_heads(n_, attended(n_, q, k, v, options)), k, v};
    }

private:
    ExprId counted(int64_t count) const {
        std::vector<int64_t> numbers;
        for (int64_t i = 0; i < count; ++i) numbers.push_back(i);
        return n_.build.integers(numbers, kInt32);
    }

    ExprId turned(ExprId x);

    int64_t rows_of(ExprId cache) const {
        const std::vector<int64_t> shape = n_.build.static_shape(cache);
        if (shape.size() != 4) throw Fault{"the past must be of rank 4", {}};
        return shape[2];
    }

    /// Puts fresh keys or values behind those of the past.
    ExprId in_cache(size_t past, ExprId fresh) {
        if (past_ == 0 && keys_ == rows_) return fresh;
        const std::vector<int64_t> shape = n_.build.static_shape(fresh);
        ExprId all = joined_cache(n_, past, fresh);
        // The place of each key of the result among the past's and the fresh ones.
        const ExprId place = counted(keys_);
        const ExprId later = n_.build.subtract(n_.build.add(place, n_.build.constant(past_, kInt32)), before_);
        ExprId from = n_.build.call("where", {n_.build.call("less", {place, before_}), place, later});
        from = n_.build.call("minimum", {from, n_.build.constant(past_ + rows_ - 1, kInt32)});
        from = n_.build.call("maximum", {from, n_.build.constant(0, kInt32)});
        const int64_t apart[] = {batch_, 1, keys_, 1}, wanted[] = {batch_, shape[1], keys_, shape[3]};
        from = n_.build.call(
            "broadcast_to",
            {n_.build.reshape(n_.build.call("broadcast_to", {from},
                                            {{"shape", integer_attribute(std::vector<int64_t>{batch_, keys_})}}),
                              apart)},
            {{"shape", integer_attribute(wanted)}});
        return n_.build.call("gather", {all, from}, {{"axis", 2}});
    }

    /// [batch, 1, rows, keys]
    ExprId allowed() {
        const int64_t row_shape[] = {1, rows_, 1}, key_shape[] = {1, 1, keys_}, before_shape[] = {batch_, 1, 1};
        const ExprId own =
            n_.build.add(n_.build.reshape(counted(rows_), row_shape), n_.build.reshape(before_, before_shape));
        const ExprId key = n_.build.reshape(counted(keys_), key_shape);
        ExprId seen = n_.build.call("less_equal", {key, own});
        if (const int64_t window = n_.integer("local_window_size", -1); window >= 0) {
            const ExprId first = n_.build.subtract(own, n_.build.constant(window, kInt32));
            seen = n_.build.call("logical_and", {seen, n_.build.call("greater", {key, first})});
        }
        const int64_t spread[] = {batch_, 1, rows_, keys_};
        return n_.build.reshape(seen, spread);
    }

    NodeContext& n_;
    int64_t batch_ = 0, rows_ = 0, past_ = 0, keys_ = 0;
    ExprId before_;  ///< [batch, 1]
};

Exprs group_query_attention(NodeContext& n) { return GroupQuery(n).convert(); }

/// TensorScatter of opset 24: writes rows into a cache, from an index for each of the batch on.
Exprs tensor_scatter(NodeContext& n) {
    const std::vector<int64_t> shape = n.build.static_shape(n.input(0)), fresh = n.build.static_shape(n.input(1));
    const bool circular = n.choice("mode", {"linear", "circular"}) == "circular";
    const int64_t axis = n.axis(n.integer("axis", -2), int64_t(shape.size()));
    if (axis < 1 || fresh.size() != shape.size()) throw Fault{"its axis or update does not fit the cache", {}};
    const int64_t extent = shape[size_t(axis)], count = fresh[size_t(axis)];
    if (count < 1 || extent < 1) return {n.input(0)};
    std::vector<int64_t> numbers, along(shape.size(), 1), per_batch(shape.size(), 1);
    for (int64_t i = 0; i < extent; ++i) numbers.push_back(i);
    along[size_t(axis)] = extent;
    per_batch[0] = shape[0];
    ExprId place = n.build.reshape(n.build.integers(numbers), along);  // of each element in the update
    if (n.has(2)) place = n.build.subtract(place, n.build.reshape(n.build.cast(n.input(2), kInt64), per_batch));
    if (circular) place = n.build.call("floor_mod", {place, n.build.constant(extent, kInt64)});
    const ExprId zero = n.build.constant(0, kInt64), last = n.build.constant(count - 1, kInt64);
    ExprId written = n.build.call(
        "logical_and", {n.build.call("greater_equal", {place, zero}), n.build.call("less_equal", {place, last})});
    place = n.build.call("maximum", {zero, n.build.call("minimum", {last, place})});
    place = n.build.call("broadcast_to", {place}, {{"shape", integer_attribute(shape)}});
    const ExprId update = n.build.call("gather", {n.input(1), place}, {{"axis", int(axis)}});
    return {n.build.call("where", {written, update, n.input(0)})};
}

// --- rotary embedding -------------------------------------------------------------------------------------------

/// Every second element of the last axis, from `first` on.
ExprId every_second(NodeContext& n, ExprId x, int64_t first) {
    const std::vector<int64_t> shape = n.build.static_shape(x);
    const int64_t axis = int64_t(shape.size()) - 1, end = shape.back();
    return n.build.call("strided_slice", {x},
                        {{"begin", integer_attribute(std::span(&first, 1))},
                         {"end", integer_attribute(std::span(&end, 1))},
                         {"strides", AttributeValue::List{2}},
                         {"axes", integer_attribute(std::span(&axis, 1))}});
}

/// Turns pairs of elements of [batch, heads, rows, size]; `cos` and `sin` are [batch or 1, 1, rows, half].
ExprId rotated(NodeContext& n, ExprId x, ExprId cos, ExprId sin, bool interleaved) {
    const int64_t size = n.build.static_shape(x)[3], half = n.build.static_shape(cos).back(), turned = 2 * half;
    if (turned > size) throw Fault{"cos and sin are wider than half a head", {}};
    const ExprId part = turned == size ? x : n.build.slice(x, 3, 0, turned);
    const ExprId a = interleaved ? every_second(n, part, 0) : n.build.slice(part, 3, 0, half);
    const ExprId b = interleaved ? every_second(n, part, 1) : n.build.slice(part, 3, half, turned);
    const ExprId pair[] = {n.build.subtract(n.build.multiply(a, cos), n.build.multiply(b, sin)),
                           n.build.add(n.build.multiply(a, sin), n.build.multiply(b, cos))};
    ExprId result;
    if (interleaved) {
        result = n.build.call("stack", {n.build.tuple(pair)}, {{"axis", -1}});
        result = n.build.reshape(result, n.build.static_shape(part));
    } else {
        result = n.build.concatenate(pair, 3);
    }
    if (turned == size) return result;
    const ExprId parts[] = {result, n.build.slice(x, 3, turned, size)};
    return n.build.concatenate(parts, 3);
}

/// Rows of a table of cos or sin at positions [batch, rows], as [batch, 1, rows, half].
ExprId at_positions(NodeContext& n, ExprId table, ExprId positions) {
    const ExprId rows = n.build.call("take", {table, positions}, {{"axis", 0}});
    std::vector<int64_t> shape = n.build.static_shape(rows);
    if (shape.size() != 3) throw Fault{"the positions must be of rank 2", {}};
    shape.insert(shape.begin() + 1, 1);
    return n.build.reshape(rows, shape);
}

ExprId GroupQuery::turned(ExprId x) {
    refuse_input(n_, 9, "position_ids");
    const int64_t apart[] = {1, rows_};
    const ExprId positions = n_.build.add(n_.build.reshape(counted(rows_), apart), before_);
    return rotated(n_, x, at_positions(n_, n_.input(7), positions), at_positions(n_, n_.input(8), positions),
                   n_.integer("rotary_interleaved", 0));
}

/// Converts the data to heads, turns them and converts back.
ExprId rotary(NodeContext& n, ExprId cos, ExprId sin, int64_t size) {
    const ExprId x = n.input(0);
    const int64_t width = width_of(n, x);
    int64_t heads = n.integer("num_heads", 0);
    if (heads == 0 && size > 0) heads = width / size;
    const bool flat = n.build.rank(x) == 3, interleaved = n.integer("interleaved", 0);
    const ExprId y = rotated(n, with_heads(n, x, heads), cos, sin, interleaved);
    return flat ? without_heads(n, y) : y;
}

/// RotaryEmbedding of opset 23.
Exprs rotary_embedding(NodeContext& n) {
    ExprId tables[] = {n.input(1), n.input(2)};
    const int64_t wanted = n.integer("rotary_embedding_dim", 0) / 2;
    for (ExprId& table : tables) {
        if (n.has(3)) {
            table = at_positions(n, table, n.input(3));
        } else {
            std::vector<int64_t> shape = n.build.static_shape(table);
            if (shape.size() != 3) throw Fault{"without position_ids, cos and sin must be of rank 3", {}};
            shape.insert(shape.begin() + 1, 1);
            table = n.build.reshape(table, shape);
        }
        if (wanted > 0 && wanted != n.build.static_shape(table).back())
            throw Fault{"cos and sin are not half as wide as rotary_embedding_dim", {}};
    }
    return {rotary(n, tables[0], tables[1], 0)};
}

/// com.microsoft.RotaryEmbedding.
Exprs rotary_embedding_of_runtime(NodeContext& n) {
    refuse_unless(n, "is_packed_batching", 0);
    if (n.real("scale", 1) != 1) throw Fault{"its attribute scale is not supported", {}};
    const std::vector<int64_t> shape = n.build.static_shape(n.input(0));
    if (shape.size() != 3 && shape.size() != 4) throw Fault{"its input must be of rank 3 or 4", {}};
    const int64_t rows = shape[shape.size() - 2];
    ExprId positions = n.build.cast(n.input(1), kInt64);
    if (n.build.rank(positions) <= 1) {  // the first row's
        std::vector<int64_t> numbers;
        for (int64_t i = 0; i < rows; ++i) numbers.push_back(i);
        const int64_t apart[] = {1, rows}, one[] = {1};
        positions = n.build.add(n.build.reshape(n.build.integers(numbers), apart), n.build.reshape(positions, one));
    }
    const int64_t half = width_of(n, n.input(2)), wanted = n.integer("rotary_embedding_dim", 0);
    if (wanted > 0 && wanted != 2 * half) throw Fault{"cos and sin are not half as wide as rotary_embedding_dim", {}};
    return {rotary(n, at_positions(n, n.input(2), positions), at_positions(n, n.input(3), positions), 2 * half)};
}

// --- normalization ----------------------------------------------------------------------------------------------

ExprId mean_of_last(NodeContext& n, ExprId x, int64_t axis) {
    std::vector<int64_t> axes;
    for (int64_t i = axis; i < n.build.rank(x); ++i) axes.push_back(i);
    return n.build.call("mean", {x}, {{"axis", integer_attribute(axes)}, {"keepdims", true}, {"exclude", false}});
}

/// x / sqrt(mean(x^2) + epsilon) * scale; second, the factor of x.
Exprs root_mean_square(NodeContext& n, ExprId x, ExprId scale, int64_t axis, double epsilon) {
    const ExprId mean = mean_of_last(n, n.build.multiply(x, x), axis);
    const ExprId inverse = n.build.call("rsqrt", {n.build.add(mean, like(n, x, epsilon))});
    return {n.build.multiply(n.build.multiply(x, inverse), scale), inverse};
}

Exprs rms_normalization(NodeContext& n) {
    const ExprId x = n.input(0);
    return root_mean_square(n, x, n.input(1), n.axis(n.integer("axis", -1), n.build.rank(x)), n.real("epsilon", 1e-5));
}

ExprId layer_norm_of_last(NodeContext& n, ExprId x, ExprId scale, ExprId shift, double epsilon) {
    return n.build.call("nn.layer_norm", {x, scale, shift}, {{"epsilon", epsilon}});
}

ExprId zeros_like(NodeContext& n, ExprId x) { return n.build.subtract(x, x); }

ExprId with_skip(NodeContext& n, size_t bias) {
    const ExprId sum = n.build.add(n.input(0), n.input(1));
    return n.has(bias) ? n.build.add(sum, n.input(bias)) : sum;
}

void refuse_statistics(const NodeContext& n) {
    if (n.wants_output(1) || n.wants_output(2)) throw Fault{"its outputs mean and inv_std_var are not supported", {}};
}

Exprs skip_layer_normalization(NodeContext& n) {
    refuse_statistics(n);
    const ExprId sum = with_skip(n, 4), shift = n.has(3) ? n.input(3) : zeros_like(n, n.input(2));
    return {layer_norm_of_last(n, sum, n.input(2), shift, n.real("epsilon", 1e-12)), {}, {}, sum};
}

Exprs skip_simplified_layer_normalization(NodeContext& n) {
    refuse_statistics(n);
    const ExprId sum = with_skip(n, 3);
    return {root_mean_square(n, sum, n.input(2), n.build.rank(sum) - 1, n.real("epsilon", 1e-12))[0], {}, {}, sum};
}

/// Sums rows of tables for words, positions and segments, and normalizes them.
Exprs embed_layer_normalization(NodeContext& n) {
    const std::vector<int64_t> shape = n.build.static_shape(n.input(0));
    if (shape.size() != 2) throw Fault{"the words must be of rank 2", {}};
    const auto rows = [&](size_t table, ExprId indices) {
        return n.build.call("take", {n.input(table), indices}, {{"axis", 0}});
    };
    ExprId sum = rows(2, n.input(0));
    if (n.has(8)) sum = n.build.add(sum, rows(3, n.input(8)));
    else sum = n.build.add(sum, n.build.slice(n.input(3), 0, 0, shape[1]));
    if (n.has(1) && n.has(4)) sum = n.build.add(sum, rows(4, n.input(1)));
    const ExprId y = layer_norm_of_last(n, sum, n.input(5), n.input(6), n.real("epsilon", 1e-12));
    const int64_t batch[] = {shape[0]};
    ExprId lengths;
    if (n.has(7))
        lengths = n.build.cast(
            n.build.call("sum", {n.input(7)}, {{"axis", AttributeValue::List{1}}, {"keepdims", false}}), kInt32);
    else lengths = n.build.call("zeros", Exprs{}, {{"shape", integer_attribute(batch)}, {"dtype", kInt32}});
    return {y, lengths, sum};
}

const ConverterEntry kTable[] = {
    {"Attention", attention},
    {"RMSNormalization", rms_normalization},
    {"RotaryEmbedding", rotary_embedding},
    // ONNX Runtime's optimizer writes it into ONNX's own domain.
    {"SimplifiedLayerNormalization", rms_normalization},
    {"TensorScatter", tensor_scatter},
};

const ConverterEntry kRuntimeTable[] = {
    {"EmbedLayerNormalization", embed_layer_normalization},
    {"GroupQueryAttention", group_query_attention},
    {"MultiHeadAttention", multi_head_attention},
    {"RotaryEmbedding", rotary_embedding_of_runtime},
    {"SkipLayerNormalization", skip_layer_normalization},
    {"SkipSimplifiedLayerNormalization", skip_simplified_layer_normalization},
};

}  // namespace

std::span<const ConverterEntry> attention_converters() { return kTable; }
std::span<const ConverterEntry> runtime_attention_converters() { return kRuntimeTable; }

}  // namespace partita::onnx
