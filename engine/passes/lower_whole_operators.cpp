#include "engine/passes/lower_whole_operators.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/ir/traversal.h"
#include "engine/ops/quantization.h"

namespace partita {

namespace {

/// A call of nn.attention: query [batch, heads, rows, size], key [batch, kv_heads, keys, size], value [batch, kv_heads,
/// keys, width], perhaps a mask.
class LoweredAttention {
public:
    explicit LoweredAttention(Rewrite& rewrite)
        : rewrite_(rewrite), b_(rewrite.builder), query_(shape_of(0)), key_(shape_of(1)), value_(shape_of(2)) {}

    ExprId make() {
        if (!is_static()) return {};
        // Heads that share keys are further rows of one product.
        const int64_t items = query_[0] * key_[1], rows = key_[1] > 0 ? query_[1] / key_[1] * query_[2] : 0;
        const ExprId query = reshaped(scaled(rewrite_.arguments[0], scale()), {items, rows, query_[3]});
        const ExprId key = reshaped(rewrite_.arguments[1], {items, key_[2], key_[3]});
        const ExprId value = reshaped(rewrite_.arguments[2], {items, key_[2], value_[3]});
        ExprId scores = b_.call("nn.batch_matmul", {query, key}, {{"transpose_b", true}});
        scores = capped(reshaped(scores, {query_[0], query_[1], query_[2], key_[2]}));
        if (has_float_mask()) scores = b_.call("add", {scores, rewrite_.arguments[3]});
        const ExprId seen = seen_keys();
        if (seen.valid()) scores = b_.call("add", {scores, penalties(seen)});
        ExprId shares = b_.call("nn.softmax", {scores}, {{"axis", -1}});
        if (seen.valid() && may_see_none()) shares = b_.call("where", {seen, shares, b_.scalar(rewrite_.dtype(), 0)});
        const ExprId result = b_.call("nn.batch_matmul", {reshaped(shares, {items, rows, key_[2]}), value});
        return reshaped(result, {query_[0], query_[1], query_[2], value_[3]});
    }

private:
    enum Shared : int64_t { kByPlace, kBoth, kPenalties };

    std::vector<int64_t> shape_of(size_t argument) const {
        const std::span<const int64_t> shape = b_.shape(rewrite_.arguments[argument]);
        return {shape.begin(), shape.end()};
    }
    bool is_static() const {
        for (const auto* shape : {&query_, &key_, &value_})
            if (std::find(shape->begin(), shape->end(), kDynamicDim) != shape->end()) return false;
        return true;
    }
    bool has_mask() const { return rewrite_.arguments.size() > 3; }
    bool has_float_mask() const { return has_mask() && !b_.dtype(rewrite_.arguments[3]).is_bool(); }
    bool is_causal() const { return rewrite_.attributes.boolean("is_causal"); }
    int64_t offset() const { return rewrite_.attributes.integer("causal_offset"); }
    /// By its place alone, a row sees at least the first key, unless the offset is negative.
    bool may_see_none() const { return (has_mask() && !has_float_mask()) || offset() < 0; }

    double scale() const {
        const double given = rewrite_.attributes.real("scale");
        return given != 0 ? given : 1 / std::sqrt(double(std::max<int64_t>(query_[3], 1)));
    }
    ExprId scaled(ExprId x, double factor) {
        return factor == 1 ? x : b_.call("multiply", {x, b_.scalar(rewrite_.dtype(), factor)});
    }
    ExprId reshaped(ExprId x, const std::vector<int64_t>& shape) {
        return b_.call("reshape", {x}, {{"newshape", integer_list_of(shape)}, {"allowzero", has_zero(shape)}});
    }
    static bool has_zero(const std::vector<int64_t>& shape) {
        return std::find(shape.begin(), shape.end(), 0) != shape.end();
    }
    ExprId capped(ExprId scores) {
        const double cap = rewrite_.attributes.real("softcap");
        if (cap == 0) return scores;
        return scaled(b_.call("tanh", {scaled(scores, 1 / cap)}), cap);
    }

    template <class Make>
    ExprId once(std::vector<int64_t> key, const Make& make) {
        ExprId& known = rewrite_.shared[std::move(key)];
        if (!known.valid()) known = make();
        return known;
    }
    /// The numbers 0, 1, 2, ... from `first` on.
    ExprId counted(int64_t first, int64_t count, std::vector<int64_t> shape) {
        Tensor numbers(kInt64, std::move(shape));
        for (int64_t i = 0; i < count; ++i) numbers.data<int64_t>()[i] = first + i;
        return b_.constant(std::move(numbers));
    }
    ExprId seen_by_place() {
        return once({kByPlace, query_[2], key_[2], offset()}, [&] {
            return b_.call("less_equal",
                           {counted(0, key_[2], {key_[2]}), counted(offset(), query_[2], {query_[2], 1})});
        });
    }
    /// Returns nothing if all are seen.
    ExprId seen_keys() {
        const ExprId mask = has_mask() && !has_float_mask() ? rewrite_.arguments[3] : ExprId();
        if (!is_causal()) return mask;
        const ExprId by_place = seen_by_place();
        if (!mask.valid()) return by_place;
        return once({kBoth, int64_t(mask.value), int64_t(by_place.value)}, [&] {
            return b_.call("logical_and", {mask, by_place});
        });
    }
    ExprId penalties(ExprId seen) {
        const DataType dtype = rewrite_.dtype();
        return once({kPenalties, int64_t(seen.value), int64_t(dtype.code), dtype.bits}, [&] {
            return b_.call("where",
                           {seen, b_.scalar(dtype, 0), b_.scalar(dtype, -std::numeric_limits<double>::infinity())});
        });
    }

    Rewrite& rewrite_;
    OpBuilder& b_;
    const std::vector<int64_t> query_, key_, value_;
};

ExprId lowered_rms_norm(Rewrite& rewrite) {
    OpBuilder& b = rewrite.builder;
    const ExprId data = rewrite.arguments[0];
    const ExprId mean = b.call("mean", {b.call("multiply", {data, data})},
                               {{"axis", integer_list_of({rewrite.axis()})}, {"keepdims", true}});
    const ExprId shifted = b.call("add", {mean, rewrite.epsilon()});
    const ExprId quotient = b.call("divide", {data, b.call("sqrt", {shifted})});
    return b.call("multiply", {quotient, rewrite.along_axis(rewrite.arguments[1])});
}

/// A call of nn.rotary_embedding.
class LoweredRotation {
public:
    explicit LoweredRotation(Rewrite& rewrite) : b_(rewrite.builder), shape_(rewrite.shape()), rewrite_(rewrite) {}

    ExprId make() {
        const ExprId data = rewrite_.arguments[0], cosine = rewrite_.arguments[1], sine = rewrite_.arguments[2];
        const int64_t size = shape_[3], half = b_.shape(cosine)[3], turned = 2 * half;
        if (half == kDynamicDim || std::find(shape_.begin(), shape_.end(), kDynamicDim) != shape_.end()) return {};
        const bool interleaved = rewrite_.attributes.boolean("interleaved");
        const ExprId a = interleaved ? slice(data, 0, turned, 2) : slice(data, 0, half, 1);
        const ExprId b = interleaved ? slice(data, 1, turned, 2) : slice(data, half, turned, 1);
        const ExprId first = b_.call("subtract", {times(a, cosine), times(b, sine)});
        const ExprId second = b_.call("add", {times(a, sine), times(b, cosine)});
        ExprId result;
        if (interleaved) {
            result = b_.call("stack", {b_.tuple({first, second})}, {{"axis", -1}});
            result = b_.call(
                "reshape", {result},
                {{"newshape", integer_list_of({shape_[0], shape_[1], shape_[2], turned})}, {"allowzero", true}});
        } else {
            result = b_.call("concatenate", {b_.tuple({first, second})}, {{"axis", 3}});
        }
        if (turned == size) return result;
        return b_.call("concatenate", {b_.tuple({result, slice(data, turned, size, 1)})}, {{"axis", 3}});
    }

private:
    ExprId times(ExprId x, ExprId y) { return b_.call("multiply", {x, y}); }
    ExprId slice(ExprId x, int64_t begin, int64_t end, int64_t step) {
        return b_.call("strided_slice", {x},
                       {{"begin", integer_list_of({begin})},
                        {"end", integer_list_of({end})},
                        {"strides", integer_list_of({step})},
                        {"axes", integer_list_of({3})}});
    }

    OpBuilder& b_;
    const std::vector<int64_t> shape_;
    Rewrite& rewrite_;
};

/// A call of nn.expert_dense: the rows through all experts, of which those that were chosen are taken.
ExprId lowered_expert_dense(Rewrite& rewrite) {
    OpBuilder& b = rewrite.builder;
    const ExprId data = rewrite.arguments[0], weight = rewrite.arguments[1];
    ExprId expert = rewrite.arguments[2];
    // Not every type holds the numbers of all experts: bool, uint8.
    if (b.dtype(expert).bits < 32) expert = b.call("cast", {expert}, {{"dtype", kInt32}});
    const std::vector<int64_t> shape = rewrite.shape();
    const int64_t experts = b.shape(weight)[0], columns = b.shape(weight)[1];
    for (const int64_t extent : {shape[1], shape[2], experts, columns})
        if (extent == kDynamicDim || extent == 0) return {};
    const ExprId rows = b.call("reshape", {data}, {{"newshape", integer_list_of({1, -1, shape[2]})}});
    ExprId each = b.call("nn.batch_matmul", {rows, weight}, {{"transpose_b", true}});
    each = b.call("reshape", {each}, {{"newshape", integer_list_of({experts, -1, shape[1], columns})}});
    Tensor numbers(b.dtype(expert), {experts, 1, 1});
    for (int64_t e = 0; e < experts; ++e) numbers.set(e, double(e));
    const ExprId chosen = b.call("equal", {b.constant(std::move(numbers)), expert});
    const ExprId taken =
        b.call("where", {b.call("expand_dims", {chosen}, {{"axis", -1}}), each, b.scalar(rewrite.dtype(), 0)});
    return b.call("sum", {taken}, {{"axis", integer_list_of({0})}});
}

/// A call of nn.linear_attention: its rows one after another.
class LoweredLinearAttention {
public:
    explicit LoweredLinearAttention(Rewrite& rewrite)
        : b_(rewrite.builder), rewrite_(rewrite), query_(shape_of(kQuery)), state_(shape_of(kState)),
          heads_(std::max(query_[2], state_[1])) {}

    ExprId make() {
        constexpr int64_t kMostRows = 256;
        for (size_t i = kQuery; i <= kState; ++i)
            for (const int64_t extent : shape_of(i))
                if (extent == kDynamicDim) return {};
        if (query_[1] < 1 || query_[1] > kMostRows) return {};
        decay_ = b_.call("exp", {rewrite_.arguments[kDecay]});
        ExprId state = rewrite_.arguments[kState];
        std::vector<ExprId> results;
        for (int64_t row = 0; row < query_[1]; ++row) {
            state = updated(state, row);
            results.push_back(b_.call("expand_dims", {read(state, row)}, {{"axis", 1}}));
        }
        const ExprId result = b_.call("concatenate", {b_.tuple(results)}, {{"axis", 1}});
        return b_.tuple({b_.call("multiply", {result, b_.scalar(rewrite_.dtype(), scale())}), state});
    }

private:
    enum : size_t { kQuery, kKey, kValue, kDecay, kBeta, kState };

    std::vector<int64_t> shape_of(size_t argument) const {
        const std::span<const int64_t> shape = b_.shape(rewrite_.arguments[argument]);
        return {shape.begin(), shape.end()};
    }
    double scale() const {
        const double given = rewrite_.attributes.real("scale");
        return given != 0 ? given : 1 / std::sqrt(double(std::max<int64_t>(query_[3], 1)));
    }
    /// Returns a row of [batch, rows, heads, size] as [batch, heads, size, 1], or [batch, heads, 1, size].
    ExprId row_of(ExprId x, int64_t row, int64_t heads, bool upright) {
        const std::vector<int64_t> shape(b_.shape(x).begin(), b_.shape(x).end());
        x = b_.call("strided_slice", {x},
                    {{"begin", integer_list_of({row})},
                     {"end", integer_list_of({row + 1})},
                     {"strides", integer_list_of({1})},
                     {"axes", integer_list_of({1})}});
        if (heads != shape[2]) x = b_.call("repeat", {x}, {{"repeats", int(heads / shape[2])}, {"axis", 2}});
        const int64_t tall = upright ? shape[3] : 1, wide = upright ? 1 : shape[3];
        return b_.call("reshape", {x},
                       {{"newshape", integer_list_of({shape[0], heads, tall, wide})}, {"allowzero", true}});
    }
    ExprId times(ExprId x, ExprId y) { return b_.call("multiply", {x, y}); }

    ExprId updated(ExprId state, int64_t row) {
        const int64_t heads = state_[1];
        const ExprId key = row_of(rewrite_.arguments[kKey], row, heads, true);
        state = times(state, row_of(decay_, row, heads, true));
        ExprId news = row_of(rewrite_.arguments[kValue], row, heads, false);
        if (rewrite_.attributes.boolean("delta"))
            news = b_.call("subtract", {news, b_.call("sum", {times(state, key)},
                                                      {{"axis", integer_list_of({2})}, {"keepdims", true}})});
        news = times(news, row_of(rewrite_.arguments[kBeta], row, shape_of(kBeta)[2], true));
        return b_.call("add", {state, times(key, news)});
    }
    ExprId read(ExprId state, int64_t row) {
        if (heads_ != state_[1])
            state = b_.call("repeat", {state}, {{"repeats", int(heads_ / state_[1])}, {"axis", 1}});
        const ExprId query = row_of(rewrite_.arguments[kQuery], row, heads_, true);
        return b_.call("sum", {times(state, query)}, {{"axis", integer_list_of({2})}});
    }

    OpBuilder& b_;
    Rewrite& rewrite_;
    const std::vector<int64_t> query_, state_;
    const int64_t heads_;  ///< of the result
    ExprId decay_;
};

/// Whether an order of 0, 1, 2, ... comes of an odd number of exchanges.
bool is_odd(std::span<const int64_t> order) {
    size_t inversions = 0;
    for (size_t i = 0; i < order.size(); ++i)
        for (size_t j = i + 1; j < order.size(); ++j) inversions += order[i] > order[j];
    return inversions % 2 == 1;
}

/// A call of linalg.det of up to 3 x 3, by the formula of Leibniz: a product for each order of the columns.
ExprId lowered_determinant(Rewrite& rewrite) {
    OpBuilder& b = rewrite.builder;
    const std::span<const int64_t> given = b.shape(rewrite.arguments[0]);
    const std::vector<int64_t> shape(given.begin(), given.end());
    const int64_t size = shape.back(), axis = int64_t(shape.size()) - 2;
    if (size < 1 || size > 3 || shape[size_t(axis)] != size) return {};
    const auto element = [&](int64_t row, int64_t column) {
        const ExprId one = b.call("strided_slice", {rewrite.arguments[0]},
                                  {{"begin", integer_list_of({row, column})},
                                   {"end", integer_list_of({row + 1, column + 1})},
                                   {"axes", integer_list_of({axis, axis + 1})}});
        return b.call("squeeze", {one}, {{"axis", integer_list_of({axis, axis + 1})}});
    };
    std::vector<int64_t> columns{0, 1, 2};
    columns.resize(size_t(size));
    ExprId sum;
    do {
        ExprId product = element(0, columns[0]);
        for (int64_t row = 1; row < size; ++row)
            product = b.call("multiply", {product, element(row, columns[size_t(row)])});
        const char* sign = is_odd(columns) ? "subtract" : "add";
        sum = sum.valid() ? b.call(sign, {sum, product}) : product;
    } while (std::next_permutation(columns.begin(), columns.end()));
    return sum;
}

bool rounds_to_even(const AttributesView& requantize) { return requantize.string("rounding") == "TOEVEN"; }

/// A call of qnn.requantize that rounds halves to even, which Relay's does not. In single precision, a number below
/// 2^22 to which 1.5 * 2^23 is added and then taken away is rounded so; those from 2^23 are whole.
ExprId lowered_requantize(Rewrite& rewrite) {
    if (!rounds_to_even(rewrite.attributes) || rewrite.attributes.string("compute_dtype") != "float32") return {};
    OpBuilder& b = rewrite.builder;
    const std::vector<ExprId>& given = rewrite.arguments;  // data, scale, zero point, the result's scale, zero point
    const DataType result = rewrite.types.dtype(rewrite.type);
    const auto along = [&](ExprId each) { return b.shape(each).empty() ? each : rewrite.along_axis(each); };
    const auto cast = [&](ExprId each, DataType to) { return b.call("cast", {each}, {{"dtype", to}}); };
    const ExprId centered = b.call("subtract", {cast(given[0], kInt32), along(given[2])});
    const ExprId factor = along(b.call("divide", {given[1], given[3]}));
    const ExprId real =
        b.call("add", {b.call("multiply", {cast(centered, kFloat32), factor}), cast(given[4], kFloat32)});
    const ExprId magic = b.scalar(kFloat32, 0x1.8p23);
    const ExprId is_small = b.call("less", {b.call("abs", {real}), b.scalar(kFloat32, 0x1p22)});
    const ExprId whole =
        b.call("where", {is_small, b.call("subtract", {b.call("add", {real, magic}), magic}), b.call("round", {real})});
    const IntegerRange range = range_of(result);
    const double highest = result.bits < 32 ? range.highest : 0x1.fffffep30;  // the largest float of an int32
    return cast(b.call("clip", {whole}, {{"a_min", double(range.lowest)}, {"a_max", highest}}), result);
}

/// Roundings stand last.
constexpr CallRewrite kLowered[] = {
    {"nn.attention", false, [](Rewrite& rewrite) { return LoweredAttention(rewrite).make(); },
     SENTENCE("Engine", "nn.attention became products, a softmax and arithmetic")},
    {"nn.rms_norm", false, lowered_rms_norm, SENTENCE("Engine", "nn.rms_norm became mean and arithmetic")},
    {"nn.rotary_embedding", false, [](Rewrite& rewrite) { return LoweredRotation(rewrite).make(); },
     SENTENCE("Engine", "nn.rotary_embedding became slices and arithmetic")},
    {"nn.linear_attention", false, [](Rewrite& rewrite) { return LoweredLinearAttention(rewrite).make(); },
     SENTENCE("Engine", "nn.linear_attention became arithmetic, row after row")},
    {"nn.expert_dense", false, lowered_expert_dense,
     SENTENCE("Engine", "nn.expert_dense became products of all experts, of which those chosen are taken")},
    {"linalg.det", false, lowered_determinant, SENTENCE("Engine", "linalg.det became products and a sum")},
    {"qnn.requantize", false, lowered_requantize,
     SENTENCE("Engine", "qnn.requantize, which rounds halves to even here, became arithmetic")},
};

}  // namespace

Result<Module> lower_whole_operators(const Module& module, DecisionLog* log, RewriteReach reach, ToBeLowered what) {
    const bool all = what == ToBeLowered::All;
    return rewrite_calls(module, std::span(kLowered).first(std::size(kLowered) - (all ? 0 : 1)), log, reach);
}

size_t whole_operator_calls(const Module& module, ToBeLowered what) {
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module.functions()) roots.push_back(global.function);
    const std::vector<ExprId> order = post_order(module, roots);
    return size_t(std::count_if(order.begin(), order.end(), [&](ExprId id) {
        const OpRecord* op = module.kind(id) == ExprKind::Call ? called_op_record(module, id) : nullptr;
        if (op && op->name == "qnn.requantize")
            return what == ToBeLowered::All && rounds_to_even(attributes_of(module, id));
        return op && std::any_of(std::begin(kLowered), std::end(kLowered),
                                 [op](const CallRewrite& rule) { return op->name == rule.op; });
    }));
}

}  // namespace partita
