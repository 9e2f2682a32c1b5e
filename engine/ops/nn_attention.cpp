#include "engine/ops/nn_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>

#include "engine/ops/c_writer.h"
#include "engine/ops/converted.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"

namespace partita {

namespace {

constexpr size_t kMask = 3;
constexpr const char* kInputNames[] = {"query", "key", "value", "mask"};

// --- types ------------------------------------------------------------------------------------------------------

bool may_be_equal(int64_t a, int64_t b) { return a == b || a == kDynamicDim || b == kDynamicDim; }

/// Takes what is known of two dimensions that must be equal.
Result<int64_t> common(int64_t a, int64_t b, const std::string& what) {
    if (!may_be_equal(a, b)) return error(what + " differ: " + std::to_string(a) + " and " + std::to_string(b));
    return a == kDynamicDim ? b : a;
}

Status check_tensors(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors;
    if (query.arguments.size() > kMask + 1) return error("attention has at most one mask");
    const DataType dtype = query.types.dtype(query.arguments[kQuery]);
    if (!dtype.is_float()) return error("attention is of floating-point numbers, not " + dtype.to_string());
    for (size_t i : {kQuery, kKey, kValue}) {
        const TypeId type = query.arguments[i];
        if (const size_t rank = query.types.shape(type).size(); rank != 4)
            return error(std::string(kInputNames[i]) + " must have rank 4, not " + std::to_string(rank));
        if (const DataType other = query.types.dtype(type); !(other == dtype))
            return error(std::string("query is of ") + dtype.to_string() + ", but " + kInputNames[i] + " of " +
                         other.to_string());
    }
    return Nothing();
}

Status check_mask(const TypeQuery& query, const std::vector<int64_t>& scores) {
    if (query.arguments.size() <= kMask) return Nothing();
    const TypeId mask = query.arguments[kMask];
    const DataType dtype = query.types.dtype(mask), wanted = query.types.dtype(query.arguments[kQuery]);
    if (!dtype.is_bool() && !(dtype == wanted))
        return error("the mask must be of bool or " + wanted.to_string() + ", not " + dtype.to_string());
    const std::vector<int64_t> shape = shape_copy(query.types, mask);
    bool fits = shape.size() <= scores.size();
    for (size_t i = 1; fits && i <= shape.size(); ++i) {
        const int64_t own = shape[shape.size() - i];
        fits = own == 1 || may_be_equal(own, scores[scores.size() - i]);
    }
    if (fits) return Nothing();
    return error("the mask's shape " + shape_to_string(shape) + " can't be broadcast to that of the scores, " +
                 shape_to_string(scores));
}

Status check_numbers(const AttributesView& attributes) {
    if (!std::isfinite(attributes.real("scale"))) return error("scale must be a finite number");
    const double softcap = attributes.real("softcap");
    if (!std::isfinite(softcap) || softcap < 0) return error("softcap must be a finite number, and not negative");
    const int64_t offset = attributes.integer("causal_offset");
    if (offset != int32_t(offset)) return error("causal_offset is too large");
    return Nothing();
}

Result<TypeId> attention_relation(const TypeQuery& query) {
    if (Status given = check_tensors(query); !given) return given.error();
    if (Status numbers = check_numbers(query.attributes); !numbers) return numbers.error();
    TypeTable& types = query.types;
    const std::vector<int64_t> q = shape_copy(types, query.arguments[kQuery]),
                               k = shape_copy(types, query.arguments[kKey]),
                               v = shape_copy(types, query.arguments[kValue]);
    Result<int64_t> batch = common(q[0], k[0], "the batches of query and key");
    if (batch) batch = common(*batch, v[0], "the batches of query and value");
    if (!batch) return batch.error();
    const Result<int64_t> kv_heads = common(k[1], v[1], "the heads of key and value");
    if (!kv_heads) return kv_heads.error();
    const int64_t heads = q[1];
    if (heads != kDynamicDim && *kv_heads != kDynamicDim && (*kv_heads == 0 ? heads != 0 : heads % *kv_heads != 0))
        return error("the " + std::to_string(heads) + " heads of query are no multiple of the " +
                     std::to_string(*kv_heads) + " of key");
    if (const auto size = common(q[3], k[3], "the sizes of query and key"); !size) return size.error();
    const Result<int64_t> keys = common(k[2], v[2], "the numbers of keys and values");
    if (!keys) return keys.error();
    if (Status mask = check_mask(query, {*batch, heads, q[2], *keys}); !mask) return mask.error();
    return checked_tensor(types, types.dtype(query.arguments[kQuery]), std::vector<int64_t>{*batch, heads, q[2], v[3]});
}

/// Two for each element of a key or value and each row that meets it, and those of a softmax.
double attention_flops(const TypeTable& types, std::span<const TypeId> arguments, TypeId result,
                       const AttributesView&) {
    const auto extent = [](int64_t dim) { return double(std::max<int64_t>(dim, 1)); };
    const std::span<const int64_t> rows = types.shape(result), keys = types.shape(arguments[kKey]);
    const double scores = extent(rows[0]) * extent(rows[1]) * extent(rows[2]) * extent(keys[2]);
    constexpr double kSoftmax = 5;
    return scores * (2 * (extent(keys[3]) + extent(rows[3])) + kSoftmax);
}

// --- what is computed -------------------------------------------------------------------------------------------

/// The steps by which an index into a mask moves along [batch, heads, rows, keys].
std::vector<int64_t> mask_strides(std::span<const int64_t> mask) {
    std::vector<int64_t> strides(4, 0);
    int64_t stride = 1;
    for (size_t d = mask.size(); d-- > 0; stride *= mask[d])
        if (mask[d] != 1) strides[d + 4 - mask.size()] = stride;
    return strides;
}

MatrixPlaces places_of(int64_t items, int64_t rows, int64_t columns) {
    MatrixPlaces places;
    places.row_stride = columns;
    places.column_stride = 1;
    for (int64_t i = 0; i < items; ++i) places.starts.push_back(i * rows * columns);
    return places;
}

ScoreStep mask_step(const TensorView& mask, int64_t batch, int64_t kv_heads, int64_t group) {
    const std::vector<int64_t> strides = mask_strides(mask.shape);
    ScoreStep step;
    step.kind = mask.dtype.is_bool() ? ScoreStep::Kind::Hide : ScoreStep::Kind::Add;
    step.places.head_stride = strides[1];
    step.places.row_stride = strides[2];
    step.places.column_stride = strides[3];
    for (int64_t b = 0; b < batch; ++b)
        for (int64_t head = 0; head < kv_heads; ++head)
            step.places.starts.push_back(b * strides[0] + head * group * strides[1]);
    return step;
}

template <class T>
Status attend_in(const KernelCall& call) {
    const bool masked = call.inputs.size() > kMask, adds = masked && !call.inputs[kMask].dtype.is_bool();
    const AttentionShape shape = shape_of_attention(call.inputs, call.attributes);
    ConvertedInput<T> query(call.inputs[kQuery], call.threads), key(call.inputs[kKey], call.threads),
        value(call.inputs[kValue], call.threads);
    ConvertedOutput<T> result(call.outputs[0]);
    if (!query.data() || !result.data()) return unsupported_types(call);
    std::optional<ConvertedInput<T>> added;
    if (adds) added.emplace(call.inputs[kMask], call.threads);
    const T* matrix = adds ? added->data() : nullptr;
    AttentionData<T> data{query.data(), key.data(), value.data(), result.data(), {&matrix, 1}};
    if (masked && !adds) data.seen = call.inputs[kMask].as<uint8_t>();
    std::unique_ptr<T, AlignedDelete> packed;
    if constexpr (std::is_same_v<T, float>) packed = aligned_array<T>(shape.packed_elements());
    data.packed = packed.get();
    attend(shape, data, [&](int64_t count, const auto& body) { call.threads.parallel_for(count, 1, body); });
    result.store(call.threads);
    return Nothing();
}

Status attention_kernel(const KernelCall& call) {
    return call.outputs[0].dtype == kFloat64 ? attend_in<double>(call) : attend_in<float>(call);
}

// --- C ----------------------------------------------------------------------------------------------------------

/// Extents and C expressions of a call, in loops over b, h, r, k.
struct CAttention {
    const CLoops& loops;
    std::string type, suffix;
    int64_t batch, heads, kv_heads, rows, keys, size, width;

    std::string number(double value) const { return c_constant(type == "double" ? kFloat64 : kFloat32, value); }
    /// The start of a row of keys or values.
    std::string row_of(size_t input, int64_t columns) const {
        return loops.inputs[input].name + " + ((b * " + std::to_string(kv_heads) + " + h / " +
               std::to_string(heads / kv_heads) + ") * " + std::to_string(keys) + " + k) * " + std::to_string(columns);
    }
    std::string of_mask() const {
        const std::vector<int64_t> strides = mask_strides(loops.inputs[kMask].shape);
        const char* names[] = {"b", "h", "r", "k"};
        std::string index = "0";
        for (size_t i = 0; i < 4; ++i)
            if (strides[i]) index += std::string(" + ") + names[i] + " * " + std::to_string(strides[i]);
        return loops.inputs[kMask].name + "[" + index + "]";
    }
};

/// Writes the score of row r for key k, with `seen` for what hides keys.
void write_score(CWriter& code, const CAttention& call) {
    const AttributesView& attributes = call.loops.attributes;
    const bool masked = call.loops.inputs.size() > kMask, hides = masked && call.loops.inputs[kMask].dtype.is_bool();
    if (hides) code.line("if (!" + call.of_mask() + ") continue;");
    code.line("seen = 1;");
    code.line("const " + call.type + " *key = " + call.row_of(kKey, call.size) + ";");
    code.line(call.type + " score = 0;");
    code.open_loop("c", call.size);
    code.line("score += query[c] * key[c];");
    code.close();
    code.line("score *= " + call.number(attention_scale(attributes, call.size)) + ";");
    if (const double cap = attributes.real("softcap"); cap > 0)
        code.line("score = tanh" + call.suffix + "(score / " + call.number(cap) + ") * " + call.number(cap) + ";");
    if (masked && !hides) code.line("score += " + call.of_mask() + ";");
}

/// Writes the sum so far, scaled when a larger score comes.
void write_row(CWriter& code, const CAttention& call) {
    const AttributesView& attributes = call.loops.attributes;
    const std::string width = std::to_string(call.width), rows = std::to_string(call.rows);
    const std::string row = "((b * " + std::to_string(call.heads) + " + h) * " + rows + " + r) * ";
    code.line("const " + call.type + " *query = " + call.loops.inputs[kQuery].name + " + " + row +
              std::to_string(call.size) + ";");
    code.line(call.type + " *result = " + call.loops.outputs[0].name + " + " + row + width + ";");
    code.line(call.type + " largest = " + call.number(-std::numeric_limits<double>::infinity()) + ", sum = 0;");
    code.line("int seen = 0;");
    code.line("for (int64_t c = 0; c < " + width + "; ++c) result[c] = 0;");
    code.open_loop("k", call.keys);
    if (attributes.boolean("is_causal"))
        code.line("if (k > r + " + c_constant(kInt64, attributes.integer("causal_offset")) + ") break;");
    write_score(code, call);
    code.line("if (score == " + call.number(-std::numeric_limits<double>::infinity()) + ") continue;");
    code.open("if (score > largest)");
    code.line("const " + call.type + " factor = exp" + call.suffix + "(largest - score);");
    code.line("sum *= factor;");
    code.line("for (int64_t c = 0; c < " + width + "; ++c) result[c] *= factor;");
    code.line("largest = score;");
    code.close();
    code.line("const " + call.type + " share = exp" + call.suffix + "(score - largest);");
    code.line("const " + call.type + " *value = " + call.row_of(kValue, call.width) + ";");
    code.line("sum += share;");
    code.line("for (int64_t c = 0; c < " + width + "; ++c) result[c] += share * value[c];");
    code.close();
    code.line("if (seen) for (int64_t c = 0; c < " + width + "; ++c) result[c] /= sum;");
}

Status attention_in_c(const CLoops& loops) {
    const std::span<const int64_t> query = loops.inputs[kQuery].shape, value = loops.inputs[kValue].shape;
    const std::string type =
        c_product_type(loops.inputs[kQuery].dtype, loops.inputs[kKey].dtype, loops.outputs[0].dtype);
    if (type.empty()) return error(loops.attributes.op().name + " of these types can't be written in C");
    if (element_count(loops.outputs[0].shape).value_or(0) == 0) return Nothing();
    const CAttention call{
        loops, type, type == "double" ? "" : "f", query[0], query[1], value[1], query[2], value[2], query[3], value[3]};
    CWriter code(loops.code, loops.indent);
    code.share_among_threads(3);
    code.open_loop("b", call.batch);
    code.open_loop("h", call.heads);
    code.open_loop("r", call.rows);
    write_row(code, call);
    for (int i = 0; i < 3; ++i) code.close();
    return Nothing();
}

}  // namespace

double attention_scale(const AttributesView& attributes, int64_t depth) {
    const double given = attributes.real("scale");
    return given != 0 ? given : 1 / std::sqrt(double(std::max<int64_t>(depth, 1)));
}

AttentionShape shape_of_attention(std::span<const TensorView> inputs, const AttributesView& attributes) {
    const std::span<const int64_t> query = inputs[kQuery].shape, value = inputs[kValue].shape;
    AttentionShape shape;
    const int64_t heads = query[1], kv_heads = value[1], group = kv_heads > 0 ? heads / kv_heads : 1;
    shape.items = query[0] * kv_heads;
    shape.head_rows = query[2];
    shape.rows = group * query[2];
    shape.depth = query[3];
    shape.keys = value[2];
    shape.width = value[3];
    shape.query = places_of(shape.items, shape.rows, shape.depth);
    shape.key = places_of(shape.items, shape.keys, shape.depth);
    shape.value = places_of(shape.items, shape.keys, shape.width);
    shape.result = places_of(shape.items, shape.rows, shape.width);
    if (attributes.boolean("is_causal")) shape.causal_offset = attributes.integer("causal_offset");
    const double scale = attention_scale(attributes, shape.depth), cap = attributes.real("softcap");
    ScoreStep factor;
    factor.factor = cap > 0 ? scale / cap : scale;
    shape.steps.push_back(factor);
    if (cap > 0) {
        shape.steps.emplace_back().kind = ScoreStep::Kind::Tanh;
        shape.steps.emplace_back().factor = cap;
    }
    if (inputs.size() > kMask) shape.steps.push_back(mask_step(inputs[kMask], query[0], kv_heads, group));
    return shape;
}

std::vector<OpRecord> nn_attention_ops() {
    OpRecord op;
    op.name = "nn.attention";
    op.summary =
        "Attention of several heads: the values of the keys, each by its share in the softmax of the row's scores.";
    op.inputs = {"query", "key", "value", "mask"};
    op.variadic = true;  // the mask may be missing; the relation refuses more of them
    op.attributes = {
        double_field("scale", 0, "factor of the products of rows and keys; 0: 1 / sqrt(size)"),
        double_field("softcap", 0, "a score x becomes softcap * tanh(x / softcap); 0: it stays"),
        bool_field("is_causal", false, "whether a row sees no key behind its own"),
        integer_field("causal_offset", 0, "the number of keys before that of the first row"),
    };
    op.relation = attention_relation;
    op.kernel = attention_kernel;
    op.c_loops = attention_in_c;
    op.flops = attention_flops;
    op.example =
        "fn (%q: Tensor[(2, 4, 3, 8), float32], %k: Tensor[(2, 2, 5, 8), float32], %v: Tensor[(2, 2, 5, 6), float32], "
        "%m: Tensor[(2, 1, 1, 5), float32]) { nn.attention(%q, %k, %v, %m, is_causal=True, causal_offset=2) }";
    return {op};
}

}  // namespace partita
