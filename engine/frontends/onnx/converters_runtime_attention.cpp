// Attention and what stands around it, as ONNX Runtime's optimizers and exporters write it: com.microsoft's operators
// (docs/ContribOperators.md). Whatever one of them can do that is not known here is refused by name.
#include <algorithm>
#include <cmath>

#include "engine/frontends/onnx/attention.h"
#include "engine/frontends/onnx/expressions.h"
#include "engine/frontends/onnx/quantized.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

/// Adds the part of the input `bias` for queries, keys or values of [batch, rows, width].
ExprId biased(NodeContext& n, size_t bias, ExprId x, int64_t begin) {
    if (!n.has(bias) || n.build.rank(x) != 3) return x;
    const int64_t width = n.build.static_shape(x)[2];
    return n.build.add(x, n.build.slice(n.input(bias), 0, begin, begin + width));
}

double mask_filter_value(NodeContext& n) { return n.real("mask_filter_value", -10000); }

/// What is added to the scores of a mask of ones and zeros, or of true and false.
ExprId bias_of(NodeContext& n, ExprId seen, DataType dtype) {
    if (n.build.dtype(seen) != kBool)
        seen = n.build.call("not_equal", {seen, n.build.constant(0, n.build.dtype(seen))});
    return n.build.call("where", {seen, n.build.real(0, dtype), n.build.real(mask_filter_value(n), dtype)});
}

/// The forms of a mask of [batch] rows: the number of keys, the ends and then the starts of the keys, one value a key,
/// or one for each query and key.
ExprId padding_bias(NodeContext& n, ExprId mask, int64_t batch, int64_t keys, DataType dtype) {
    const Builder::SharedCalls shared(n.build);
    const Integers shape = n.build.static_shape(mask);
    if (shape.size() == 1 && shape[0] == batch) return bias_of(n, first_keys(n, mask, keys), dtype);
    if (shape.size() == 1 && shape[0] == 2 * batch) {
        const ExprId before_end = first_keys(n, n.build.slice(mask, 0, 0, batch), keys),
                     before_start = first_keys(n, n.build.slice(mask, 0, batch, 2 * batch), keys);
        return bias_of(n, both(n, before_end, n.build.call("logical_not", {before_start})), dtype);
    }
    if (shape.size() == 2 || shape.size() == 3) {
        const int64_t rows = shape.size() == 3 ? shape[1] : 1, spread[] = {shape[0], 1, rows, shape.back()};
        return bias_of(n, n.build.reshape(mask, spread), dtype);
    }
    throw Fault{"a mask of the shape " + shape_to_string(shape) + " is not supported", {}};
}

/// Bias and mask of the inputs, and what unidirectional says.
Scores scores_of(NodeContext& n, ExprId q, ExprId k, size_t mask, size_t bias) {
    Scores options;
    options.scale = scale_of(n, q);
    const Integers queries = n.build.static_shape(q);
    const int64_t rows = queries[2], keys = n.build.static_shape(k)[2];
    const DataType dtype = n.build.dtype(q);
    mask_filter_value(n);  // may be given without a mask
    if (n.has(mask)) options.bias = padding_bias(n, n.input(mask), queries[0], keys, dtype);
    if (n.has(bias)) options.bias = options.bias.valid() ? n.build.add(options.bias, n.input(bias)) : n.input(bias);
    if (n.integer("unidirectional", 0)) options.causal_offset = keys - rows;
    return options;
}

/// One of several tensors that lie side by side on an axis: [..., count, size] as [..., size] without the axis.
ExprId part_of(NodeContext& n, ExprId packed, int64_t axis, int64_t index) {
    Integers shape = n.build.static_shape(packed);
    shape.erase(shape.begin() + axis);
    return n.build.reshape(n.build.slice(packed, axis, index, index + 1), shape);
}

/// [batch, rows, heads, size] as [batch, rows, heads * size].
ExprId flat_heads(NodeContext& n, ExprId x) {
    const Integers shape = n.build.static_shape(x);
    const int64_t flat[] = {shape[0], shape[1], shape[2] * shape[3]};
    return n.build.reshape(x, flat);
}

/// Queries, keys and values, which may be packed as [batch, rows, heads, 3 (or 2: keys and values), size].
Exprs unpacked_inputs(NodeContext& n) {
    if (!n.has(1)) {
        if (n.build.rank(n.input(0)) != 5) throw Fault{"there are neither keys nor packed queries", {}};
        Exprs parts;
        for (int64_t i = 0; i < 3; ++i) parts.push_back(flat_heads(n, part_of(n, n.input(0), 3, i)));
        return parts;
    }
    if (n.has(2)) return {n.input(0), n.input(1), n.input(2)};
    if (n.build.rank(n.input(1)) != 5) throw Fault{"there are neither values nor packed keys", {}};
    return {n.input(0), flat_heads(n, part_of(n, n.input(1), 3, 0)), flat_heads(n, part_of(n, n.input(1), 3, 1))};
}

Exprs multi_head_attention(NodeContext& n) {
    refuse_input(n, 8, "past_sequence_length");
    refuse_input(n, 9, "cache_indirection");
    if (n.wants_output(3)) throw Fault{"its output qk is not supported", {}};
    const Exprs given = unpacked_inputs(n);
    const int64_t heads = n.integer("num_heads", 0), width = width_of(n, given[0]);
    const ExprId q = with_heads(n, biased(n, 3, given[0], 0), heads),
                 k = joined_cache(n, 6, with_heads(n, biased(n, 3, given[1], width), heads)),
                 v = joined_cache(n, 7, with_heads(n, biased(n, 3, given[2], 2 * width), heads));
    return {without_heads(n, attend(n, q, k, v, scores_of(n, q, k, 4, 5))), k, v};
}

/// Keys or values of a buffer of the past with one fresh row in its place: [batch, heads, rows of the buffer, size].
ExprId with_row(NodeContext& n, ExprId buffer, ExprId fresh, ExprId place) {
    const Builder::SharedCalls shared(n.build);
    const Integers shape = n.build.static_shape(buffer);
    const int64_t rows[] = {1, 1, shape[2], 1};
    const ExprId here = n.build.call("equal", {n.build.reshape(counted(n.build, shape[2], kInt32), rows), place});
    return n.build.call("where", {here, fresh, buffer});
}

/// One query for each of the batch: it sees all keys that a decoder has so far, or those of the other sequence.
class DecoderAttention {
public:
    explicit DecoderAttention(NodeContext& node) : n_(node), heads_(node.integer("num_heads", 0)) {}
    Exprs convert();

private:
    enum Input : size_t {
        kQuery,
        kKey,
        kValue,
        kMask,
        kBias,
        kPastKey,
        kPastValue,
        kPastLength,
        kBeams,
        kBeamOf,
        kOffsets
    };

    void keep_fresh();
    ExprId seen(ExprId cache, int64_t keys);

    NodeContext& n_;
    int64_t heads_;
    ExprId q_, k_, v_;  ///< [batch, heads, rows, size]
    ExprId place_;      ///< of the fresh row in the buffers; none of another sequence
};

Exprs DecoderAttention::convert() {
    refuse_input(n_, kBeams, "beam_width");
    refuse_input(n_, kBeamOf, "cache_indirection");
    if (n_.wants_output(3)) throw Fault{"its output qk is not supported", {}};
    if (!n_.has(kKey) || !n_.has(kValue)) throw Fault{"queries, keys and values must be given one by one", {}};
    const int64_t width = width_of(n_, n_.input(kQuery));
    q_ = with_heads(n_, biased(n_, kOffsets, n_.input(kQuery), 0), heads_);
    k_ = with_heads(n_, biased(n_, kOffsets, n_.input(kKey), width), heads_);
    v_ = with_heads(n_, biased(n_, kOffsets, n_.input(kValue), 2 * width), heads_);
    const bool crosses = n_.build.rank(n_.input(kKey)) == 4;
    if (crosses && (n_.has(kBias) || n_.has(kPastKey) || n_.has(kPastValue)))
        throw Fault{"attention_bias and a past do not go with the keys of another sequence", {}};
    if (n_.build.static_shape(q_)[2] != 1) throw Fault{"there must be one query for each of the batch", {}};
    if (!crosses) keep_fresh();
    int64_t keys = n_.build.static_shape(k_)[2];
    if (n_.has(kMask)) {
        if (n_.build.rank(n_.input(kMask)) != 2) throw Fault{"the mask must be of rank 2", {}};
        if (place_.valid()) keys = std::min(keys, width_of(n_, n_.input(kMask)));
    } else if (n_.has(kBias) && place_.valid()) {
        keys = std::min(keys, width_of(n_, n_.input(kBias)));
    }
    const ExprId seen_k = seen(k_, keys), seen_v = seen(v_, keys);
    Scores options = scores_of(n_, q_, seen_k, kMask, kBias);
    if (place_.valid()) options.allowed = seen_by_place(n_, {1, keys, n_.build.cast(place_, kInt64), -1, 0});
    return {without_heads(n_, attend(n_, q_, seen_k, seen_v, options)), k_, v_};
}

void DecoderAttention::keep_fresh() {
    if (!n_.integer("past_present_share_buffer", 0) || !n_.has(kPastKey) || !n_.has(kPastValue) || !n_.has(kPastLength))
        throw Fault{"buffers that past and present share must be given, and how much of them is past", {}};
    place_ = n_.build.reshape(n_.build.cast(n_.input(kPastLength), kInt32), {});
    k_ = with_row(n_, n_.input(kPastKey), k_, place_);
    v_ = with_row(n_, n_.input(kPastValue), v_, place_);
}

/// The first rows of a cache.
ExprId DecoderAttention::seen(ExprId cache, int64_t keys) {
    return n_.build.static_shape(cache)[2] == keys ? cache : n_.build.slice(cache, 2, 0, keys);
}

Exprs decoder_attention(NodeContext& n) { return DecoderAttention(n).convert(); }

// --- attention with its own projection --------------------------------------------------------------------------

struct ProjectionInputs {
    size_t mask, past, bias;  ///< the places of optional inputs
};

/// Attention over the parts of a projection [batch, rows, widths of queries, keys and values].
Exprs attend_projected(NodeContext& n, ExprId projected, const ProjectionInputs& places) {
    refuse_unless(n, "do_rotary", 0);
    refuse_unless(n, "past_present_share_buffer", 0);
    const int64_t heads = n.integer("num_heads", 0), third = width_of(n, projected) / 3;
    const Integers widths = n.integers("qkv_hidden_sizes", {third, third, third});
    if (widths.size() != 3 || widths[0] + widths[1] + widths[2] != width_of(n, projected))
        throw Fault{"qkv_hidden_sizes does not fit the weights", {}};
    Exprs parts;
    int64_t begin = 0;
    for (int64_t width : widths) {
        parts.push_back(with_heads(n, n.build.slice(projected, 2, begin, begin + width), heads));
        begin += width;
    }
    if (n.has(places.past))
        for (int64_t i = 0; i < 2; ++i) {
            const ExprId joined[] = {part_of(n, n.input(places.past), 0, i), parts[size_t(i) + 1]};
            parts[size_t(i) + 1] = n.build.concatenate(joined, 2);
        }
    const Scores options = scores_of(n, parts[0], parts[1], places.mask, places.bias);
    const ExprId y = without_heads(n, attend(n, parts[0], parts[1], parts[2], options));
    if (!n.wants_output(1)) return {y};
    const ExprId present[] = {parts[1], parts[2]};
    return {y, n.build.call("stack", {n.build.tuple(present)}, {{"axis", 0}})};
}

Exprs attention_of_runtime(NodeContext& n) {
    refuse_input(n, 6, "past_sequence_length");
    const ExprId product = matrix_product(n.build, n.input(0), n.input(1));
    return attend_projected(n, n.has(2) ? n.build.add(product, n.input(2)) : product, {3, 4, 5});
}

/// Its input and weights are bytes.
Exprs quantized_attention(NodeContext& n) {
    // input, weight, bias, input_scale, weight_scale, mask_index, input_zero_point, weight_zero_point, past
    const ExprId product = matrix_product(n.build, centred(n, n.input(0), n.optional_input(6)),
                                          centred(n, n.input(1), n.optional_input(7)));
    const ExprId factor = n.build.multiply(n.input(3), n.input(4));
    const ExprId real = n.build.multiply(n.build.cast(product, kFloat32), factor);
    constexpr size_t kNone = 100;
    return attend_projected(n, n.build.add(real, n.input(2)), {5, 8, kNone});
}

// --- a cache of keys and values ---------------------------------------------------------------------------------

/// com.microsoft.GroupQueryAttention: row b holds seqlens_k[b] + 1 keys, of which the last ones are new.
class GroupQuery {
public:
    explicit GroupQuery(NodeContext& node);
    Exprs convert();

private:
    void read_inputs();
    ExprId turned(ExprId x, bool interleaved);
    ExprId in_cache(size_t past, ExprId fresh);
    ExprId places_in_cache(const Integers& shape);
    ExprId for_all_keys(ExprId bias);
    Scores scores();
    int64_t rows_of(ExprId cache) const;

    NodeContext& n_;
    int64_t heads_, own_heads_;
    int64_t batch_ = 0, rows_ = 0, past_ = 0, keys_ = 0;
    ExprId q_, k_, v_;       ///< [batch, heads, rows, size]
    bool is_first_ = false;  ///< nothing is before these queries
    ExprId before_;          ///< keys of the past: [batch, 1]
};

GroupQuery::GroupQuery(NodeContext& node)
    : n_(node), heads_(n_.integer("num_heads", 0)), own_heads_(n_.integer("kv_num_heads", 0)) {
    refuse_unless(n_, "qk_output", 0);
    if (n_.wants_output(3)) throw Fault{"its output output_qk is not supported", {}};
    if (n_.has(3) != n_.has(4)) throw Fault{"past_key and past_value must come together", {}};
    read_inputs();
    past_ = n_.has(3) ? rows_of(n_.input(3)) : 0;
    const Integers total = n_.known_integers(6);
    if (total.size() != 1 || total[0] < 1 || total[0] > (1 << 24))
        throw Fault{"total_sequence_length must be one positive number", {}};
    keys_ = std::max(total[0], past_);
    const int64_t columns[] = {batch_, 1};
    const Builder::SharedCalls shared(n_.build);
    is_first_ = total[0] == rows_;
    before_ = is_first_ ? n_.build.call("zeros", Exprs{}, {{"shape", integer_attribute(columns)}, {"dtype", kInt32}})
                        : n_.build.subtract(n_.build.reshape(n_.build.cast(n_.input(5), kInt32), columns),
                                            n_.build.constant(rows_ - 1, kInt32));
}

/// Keys and values may lie behind the queries, in the same rows.
void GroupQuery::read_inputs() {
    const Integers shape = n_.build.static_shape(n_.input(0));
    if (shape.size() != 3 || heads_ < 1 || own_heads_ < 1) throw Fault{"the query must be of rank 3, with heads", {}};
    batch_ = shape[0], rows_ = shape[1];
    if (n_.has(1) != n_.has(2)) throw Fault{"key and value must come together", {}};
    if (n_.has(1)) {
        q_ = with_heads(n_, n_.input(0), heads_);
        k_ = with_heads(n_, n_.input(1), own_heads_);
        v_ = with_heads(n_, n_.input(2), own_heads_);
        return;
    }
    if (shape[2] % (heads_ + 2 * own_heads_)) throw Fault{"the width can't be divided into heads", {}};
    const int64_t size = shape[2] / (heads_ + 2 * own_heads_), first = heads_ * size, own = own_heads_ * size;
    q_ = with_heads(n_, n_.build.slice(n_.input(0), 2, 0, first), heads_);
    k_ = with_heads(n_, n_.build.slice(n_.input(0), 2, first, first + own), own_heads_);
    v_ = with_heads(n_, n_.build.slice(n_.input(0), 2, first + own, first + 2 * own), own_heads_);
}

Exprs GroupQuery::convert() {
    const bool interleaved = n_.integer("rotary_interleaved", 0);
    if (n_.integer("do_rotary", 0)) {
        q_ = turned(q_, interleaved);
        k_ = turned(k_, interleaved);
    }
    k_ = in_cache(3, k_);
    v_ = in_cache(4, v_);
    return {without_heads(n_, attend(n_, q_, k_, v_, scores())), k_, v_};
}

ExprId GroupQuery::turned(ExprId x, bool interleaved) {
    const int64_t apart[] = {1, rows_};
    const ExprId positions =
        n_.has(9) ? n_.input(9) : n_.build.add(n_.build.reshape(counted(n_.build, rows_, kInt32), apart), before_);
    return rotated(n_, x, at_positions(n_, n_.input(7), positions), at_positions(n_, n_.input(8), positions),
                   interleaved);
}

int64_t GroupQuery::rows_of(ExprId cache) const {
    const Integers shape = n_.build.static_shape(cache);
    if (shape.size() != 4) throw Fault{"the past must be of rank 4", {}};
    return shape[2];
}

/// Puts fresh keys or values behind those of the past.
ExprId GroupQuery::in_cache(size_t past, ExprId fresh) {
    if (past_ == 0 && keys_ == rows_) return fresh;
    const ExprId all = joined_cache(n_, past, fresh);
    return n_.build.call("gather", {all, places_in_cache(n_.build.static_shape(fresh))}, {{"axis", 2}});
}

/// Which row of past and fresh keys each row of the result is.
ExprId GroupQuery::places_in_cache(const Integers& shape) {
    const Builder::SharedCalls shared(n_.build);
    // The place of each key of the result among the past's and the fresh ones.
    const ExprId place = counted(n_.build, keys_, kInt32);
    const ExprId later = n_.build.subtract(n_.build.add(place, n_.build.constant(past_, kInt32)), before_);
    ExprId from = n_.build.call("where", {n_.build.call("less", {place, before_}), place, later});
    from = n_.build.call("minimum", {from, n_.build.constant(past_ + rows_ - 1, kInt32)});
    from = n_.build.call("maximum", {from, n_.build.constant(0, kInt32)});
    const int64_t rows[] = {batch_, keys_}, apart[] = {batch_, 1, keys_, 1},
                  wanted[] = {batch_, shape[1], keys_, shape[3]};
    from = n_.build.call("broadcast_to", {from}, {{"shape", integer_attribute(rows)}});
    return n_.build.call("broadcast_to", {n_.build.reshape(from, apart)}, {{"shape", integer_attribute(wanted)}});
}

/// A buffer of the past may have more rows than there are keys. What a bias adds to those does not count.
ExprId GroupQuery::for_all_keys(ExprId bias) {
    std::vector<int64_t> shape = n_.build.static_shape(bias);
    if (shape.size() != 4 || shape[3] >= keys_) return bias;
    shape[3] = keys_ - shape[3];
    const ExprId rest =
        n_.build.call("zeros", Exprs{}, {{"shape", integer_attribute(shape)}, {"dtype", n_.build.dtype(bias)}});
    const ExprId parts[] = {bias, rest};
    return n_.build.concatenate(parts, 3);
}

Scores GroupQuery::scores() {
    Scores options;
    options.scale = scale_of(n_, q_);
    options.softcap = n_.real("softcap", 0);
    if (n_.has(10)) options.bias = for_all_keys(n_.build.cast(n_.input(10), n_.build.dtype(q_)));
    const int64_t apart[] = {batch_, 1, 1, 1}, heads[] = {heads_};
    const bool is_smooth = n_.integer("smooth_softmax", 0) > 0;
    if (n_.has(11)) options.sink = n_.input(11);
    else if (is_smooth)
        options.sink = n_.build.call("zeros", Exprs{}, {{"shape", integer_attribute(heads)}, {"dtype", kFloat32}});
    // Its window counts the query's own key.
    const int64_t window = n_.integer("local_window_size", -1);
    if (is_first_ && window <= 0) {
        options.causal_offset = 0;
        return options;
    }
    const Builder::SharedCalls shared(n_.build);
    Places places{rows_, keys_, n_.build.cast(n_.build.reshape(before_, apart), kInt64), -1, 0};
    if (window > 0) places.left = window - 1;
    options.allowed = seen_by_place(n_, places);
    return options;
}

Exprs group_query_attention(NodeContext& n) { return GroupQuery(n).convert(); }

// --- rotary embedding and normalization -------------------------------------------------------------------------

/// com.microsoft.RotaryEmbedding.
Exprs rotary_embedding_of_runtime(NodeContext& n) {
    refuse_unless(n, "is_packed_batching", 0);
    if (n.real("scale", 1) != 1) throw Fault{"its attribute scale is not supported", {}};
    const Integers shape = n.build.static_shape(n.input(0));
    if (shape.size() != 3 && shape.size() != 4) throw Fault{"its input must be of rank 3 or 4", {}};
    const int64_t rows = shape[shape.size() - 2];
    ExprId positions = n.build.cast(n.input(1), kInt64);
    if (n.build.rank(positions) <= 1) {  // the first row's
        const int64_t apart[] = {1, rows}, one[] = {1};
        positions = n.build.add(n.build.reshape(counted(n.build, rows), apart), n.build.reshape(positions, one));
    }
    const int64_t half = width_of(n, n.input(2)), wanted = n.integer("rotary_embedding_dim", 0);
    if (wanted > 0 && wanted != 2 * half) throw Fault{"cos and sin are not half as wide as rotary_embedding_dim", {}};
    return {rotary(n, at_positions(n, n.input(2), positions), at_positions(n, n.input(3), positions), 2 * half)};
}

/// Which of three streams of positions (time, height, width) turns each pair: 0, 1 or 2.
std::vector<int> streams_of_pairs(NodeContext& n, int64_t half) {
    const Integers sections = n.integers("mrope_section");
    int64_t sum = 0;
    for (int64_t extent : sections) {
        if (extent < 0 || extent > half) throw Fault{"a section is " + std::to_string(extent), {}};
        sum += extent;
    }
    if (sections.size() != 3 || sum != half)
        throw Fault{"mrope_section must be three extents that add up to " + std::to_string(half), {}};
    std::vector<int> streams(size_t(half), 0);
    const bool interleaved = n.integer("mrope_layout", 0) != 0;
    for (int stream : {1, 2}) {
        const int64_t before = stream == 1 ? sections[0] : sections[0] + sections[1];
        for (int64_t i = 0; i < sections[size_t(stream)]; ++i) {
            const int64_t pair = interleaved ? 3 * i + stream : before + i;
            if (pair < half) streams[size_t(pair)] = stream;  // as the runtime does
        }
    }
    return streams;
}

/// Rows of a table at three positions each, [3, batch, rows]: a column is taken at the position of its stream.
ExprId at_three_positions(NodeContext& n, ExprId table, ExprId positions, const std::vector<int>& streams) {
    ExprId chosen;
    for (const int stream : {0, 1, 2}) {
        const Integers shape = n.build.static_shape(positions);
        const int64_t rows[] = {shape[1], shape[2]};
        const ExprId here =
            at_positions(n, table, n.build.reshape(n.build.slice(positions, 0, stream, stream + 1), rows));
        Tensor mine(kBool, {int64_t(streams.size())});
        for (size_t i = 0; i < streams.size(); ++i) mine.set(int64_t(i), streams[i] == stream);
        chosen = stream == 0 ? here : n.build.call("where", {n.build.constant(std::move(mine)), here, chosen});
    }
    return chosen;
}

/// com.microsoft.MRotaryEmbedding: of the places of a picture's or a film's parts.
Exprs rotary_embedding_in_three_ways(NodeContext& n) {
    const Integers positions = n.build.static_shape(n.input(1));
    if (positions.size() != 3 || positions[0] != 3) throw Fault{"position_ids must be [3, batch, rows]", {}};
    const int64_t half = width_of(n, n.input(2)), wanted = n.integer("rotary_embedding_dim", 0);
    if (wanted > 0 && wanted != 2 * half) throw Fault{"cos and sin are not half as wide as rotary_embedding_dim", {}};
    const std::vector<int> streams = streams_of_pairs(n, half);
    const ExprId places = n.build.cast(n.input(1), kInt64);
    return {rotary(n, at_three_positions(n, n.input(2), places, streams),
                   at_three_positions(n, n.input(3), places, streams), 2 * half)};
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

/// The number of keys of each of the batch, by a mask of ones and zeros; zeros without one.
ExprId key_counts(NodeContext& n, size_t mask, int64_t batch) {
    const int64_t shape[] = {batch};
    if (!n.has(mask)) return n.build.call("zeros", Exprs{}, {{"shape", integer_attribute(shape)}, {"dtype", kInt32}});
    const ExprId sum = n.build.call("sum", {n.input(mask)}, {{"axis", AttributeValue::List{1}}, {"keepdims", false}});
    return n.build.cast(sum, kInt32);
}

/// Sums rows of tables for words, positions and segments, and normalizes them.
Exprs embed_layer_normalization(NodeContext& n) {
    const Integers shape = n.build.static_shape(n.input(0));
    if (shape.size() != 2) throw Fault{"the words must be of rank 2", {}};
    const auto rows = [&](size_t table, ExprId indices) {
        return n.build.call("take", {n.input(table), indices}, {{"axis", 0}});
    };
    ExprId sum = rows(2, n.input(0));
    if (n.has(8)) sum = n.build.add(sum, rows(3, n.input(8)));
    else sum = n.build.add(sum, n.build.slice(n.input(3), 0, 0, shape[1]));
    if (n.has(1) && n.has(4)) sum = n.build.add(sum, rows(4, n.input(1)));
    const ExprId y = layer_norm_of_last(n, sum, n.input(5), n.input(6), n.real("epsilon", 1e-12));
    return {y, key_counts(n, 7, shape[0]), sum};
}

/// EmbedLayerNormalization whose tables are bytes, each with a scale and perhaps a zero point.
Exprs quantized_embed_layer_normalization(NodeContext& n) {
    // input_ids, segment_ids, word, position, segment, gamma, beta, mask, and from 8 on the scales of the five tables,
    // then their zero points.
    const Integers shape = n.build.static_shape(n.input(0));
    if (shape.size() != 2) throw Fault{"the words must be of rank 2", {}};
    const auto real = [&](size_t table, ExprId bytes) {
        const ExprId zero = n.optional_input(table + 11);
        return real_of(n, bytes, n.input(table + 6), zero);
    };
    const auto rows = [&](size_t table, ExprId indices) {
        return real(table, n.build.call("take", {n.input(table), indices}, {{"axis", 0}}));
    };
    ExprId sum = n.build.add(rows(2, n.input(0)), real(3, n.build.slice(n.input(3), 0, 0, shape[1])));
    if (n.has(1) && n.has(4)) sum = n.build.add(sum, rows(4, n.input(1)));
    const ExprId y = layer_norm_of_last(n, sum, real(5, n.input(5)), real(6, n.input(6)), n.real("epsilon", 1e-12));
    return {y, key_counts(n, 7, shape[0])};
}

const ConverterEntry kRuntimeAttentionConverters[] = {
    {"Attention", attention_of_runtime},
    {"DecoderMaskedMultiHeadAttention", decoder_attention},
    {"EmbedLayerNormalization", embed_layer_normalization},
    {"GroupQueryAttention", group_query_attention},
    {"MRotaryEmbedding", rotary_embedding_in_three_ways},
    {"MultiHeadAttention", multi_head_attention},
    {"QAttention", quantized_attention},
    {"QEmbedLayerNormalization", quantized_embed_layer_normalization},
    {"RotaryEmbedding", rotary_embedding_of_runtime},
    {"SkipLayerNormalization", skip_layer_normalization},
    {"SkipSimplifiedLayerNormalization", skip_simplified_layer_normalization},
};

}  // namespace

std::span<const ConverterEntry> runtime_attention_converters() { return kRuntimeAttentionConverters; }

}  // namespace partita::onnx
