// Attention and what stands around it in transformers, as ONNX has it (opset 23 to 25). Whatever one of them can do
// that is not known here is refused by name.
#include <algorithm>
#include <limits>

#include "engine/frontends/onnx/attention.h"
#include "engine/frontends/onnx/expressions.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

/// A mask whose last axis may be shorter than the keys: none of the others is seen.
ExprId over_all_keys(NodeContext& n, ExprId mask, int64_t keys) {
    Integers shape = n.build.static_shape(mask);
    if (shape.empty() || shape.back() == 1 || shape.back() >= keys) return mask;
    shape.back() = keys - shape.back();
    const DataType dtype = n.build.dtype(mask);
    const ExprId hidden =
        dtype == kBool ? n.build.constant(0, kBool) : n.build.real(-std::numeric_limits<double>::infinity(), dtype);
    const ExprId parts[] = {mask, n.build.call("broadcast_to", {hidden}, {{"shape", integer_attribute(shape)}})};
    return n.build.concatenate(parts, int64_t(shape.size()) - 1);
}

/// Notes which keys a query sees by its place, and how many there are of each of the batch.
void limit_keys(NodeContext& n, Scores& options, int64_t rows, int64_t keys, int64_t past) {
    Places places{rows, keys, n.build.constant(past, kInt64), n.integer("left_window_size", -1),
                  n.integer("right_window_size", -1)};
    if (places.left < -1 || places.right < -1) throw Fault{"its windows must not be less than -1", {}};
    if (n.integer("is_causal", 0)) places.right = 0;
    const bool by_place = places.left >= 0 || places.right >= 0;
    const Builder::SharedCalls shared(n.build);
    if (!n.has(6)) {
        if (places.left >= 0) options.allowed = seen_by_place(n, places);
        else if (by_place && places.right < keys) options.causal_offset = past + places.right;
        return;
    }
    const ExprId counts = n.build.cast(n.input(6), kInt64), there = first_keys(n, counts, keys);
    const int64_t apart[] = {n.build.static_shape(counts)[0], 1, 1, 1};
    places.before = n.build.subtract(n.build.reshape(counts, apart), n.build.constant(rows, kInt64));
    options.allowed = by_place ? both(n, there, seen_by_place(n, places)) : there;
    options.may_see_none = true;
}

/// What its fourth output shows.
ExprId shown(NodeContext& n, int64_t mode, const Attended& steps) {
    switch (mode) {
        case 0: return steps.products;
        case 1: return steps.capped;
        case 2: {
            if (!steps.allowed.valid()) return steps.masked;
            const double hidden = -std::numeric_limits<double>::infinity();
            return n.build.call("where", {steps.allowed, steps.masked, like(n, steps.masked, hidden)});
        }
        default: return steps.shares;
    }
}

Exprs attention(NodeContext& n) {
    if (n.has(6) && (n.has(4) || n.has(5))) throw Fault{"nonpad_kv_seqlen does not go with a past", {}};
    const int64_t mode = n.integer("qk_matmul_output_mode", 0);
    if (mode < 0 || mode > 3) throw Fault{"its attribute qk_matmul_output_mode is none of 0 to 3", {}};
    const bool flat = n.build.rank(n.input(0)) == 3;
    const int64_t own_heads = n.integer("kv_num_heads", 0);
    const ExprId q = with_heads(n, n.input(0), n.integer("q_num_heads", 0)),
                 fresh = with_heads(n, n.input(1), own_heads), k = joined_cache(n, 4, fresh),
                 v = joined_cache(n, 5, with_heads(n, n.input(2), own_heads));
    const int64_t rows = n.build.static_shape(q)[2], keys = n.build.static_shape(k)[2];
    Scores options;
    options.scale = scale_of(n, q);
    options.softcap = n.real("softcap", 0);
    limit_keys(n, options, rows, keys, keys - n.build.static_shape(fresh)[2]);
    if (n.has(3)) {
        const ExprId mask = over_all_keys(n, n.input(3), keys);
        if (n.build.dtype(mask) == kBool) {
            options.allowed = both(n, options.allowed, mask);
            options.may_see_none = true;
        } else {
            options.bias = n.build.cast(mask, n.build.dtype(q));
        }
    }
    const auto result = [&](ExprId y) { return flat ? without_heads(n, y) : y; };
    if (!n.wants_output(3)) return {result(attend(n, q, k, v, options)), k, v};
    const Attended steps = attend_in_steps(n, q, k, v, options);
    return {result(steps.result), k, v, shown(n, mode, steps)};
}

/// TensorScatter of opset 24: writes rows into a cache, from an index for each of the batch on.
Exprs tensor_scatter(NodeContext& n) {
    const Integers shape = n.build.static_shape(n.input(0)), fresh = n.build.static_shape(n.input(1));
    const bool circular = n.choice("mode", {"linear", "circular"}) == "circular";
    const int64_t axis = n.axis(n.integer("axis", -2), int64_t(shape.size()));
    if (axis < 1 || fresh.size() != shape.size()) throw Fault{"its axis or update does not fit the cache", {}};
    const int64_t extent = shape[size_t(axis)], count = fresh[size_t(axis)];
    if (count < 1 || extent < 1) return {n.input(0)};
    Integers along(shape.size(), 1), per_batch(shape.size(), 1);
    along[size_t(axis)] = extent;
    per_batch[0] = shape[0];
    ExprId place = n.build.reshape(counted(n.build, extent), along);  // of each element in the update
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

/// RotaryEmbedding of opset 23.
Exprs rotary_embedding(NodeContext& n) {
    ExprId tables[] = {n.input(1), n.input(2)};
    const int64_t wanted = n.integer("rotary_embedding_dim", 0) / 2;
    for (ExprId& table : tables) {
        if (n.has(3)) {
            table = at_positions(n, table, n.input(3));
        } else {
            Integers shape = n.build.static_shape(table);
            if (shape.size() != 3) throw Fault{"without position_ids, cos and sin must be of rank 3", {}};
            shape.insert(shape.begin() + 1, 1);
            table = n.build.reshape(table, shape);
        }
        if (wanted > 0 && wanted != n.build.static_shape(table).back())
            throw Fault{"cos and sin are not half as wide as rotary_embedding_dim", {}};
    }
    return {rotary(n, tables[0], tables[1], 0)};
}

Exprs rms_normalization(NodeContext& n) {
    const ExprId x = n.input(0);
    return root_mean_square(n, x, n.input(1), n.axis(n.integer("axis", -1), n.build.rank(x)), n.real("epsilon", 1e-5));
}

const ConverterEntry kAttentionConverters[] = {
    {"Attention", attention},
    {"RMSNormalization", rms_normalization},
    {"RotaryEmbedding", rotary_embedding},
    // ONNX Runtime's optimizer writes it into ONNX's own domain.
    {"SimplifiedLayerNormalization", rms_normalization},
    {"TensorScatter", tensor_scatter},
};

}  // namespace

std::span<const ConverterEntry> attention_converters() { return kAttentionConverters; }

}  // namespace partita::onnx
