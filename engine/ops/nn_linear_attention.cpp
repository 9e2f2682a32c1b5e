// The operator nn.linear_attention: attention whose keys and values are kept as one matrix for each head, which every
// row updates and then reads. Sources: Katharopoulos et al., "Transformers are RNNs" (2020); Yang et al., "Gated Delta
// Networks" (2024); ONNX Runtime, docs/ContribOperators.md, LinearAttention.
//
//   state = exp(decay) * state + key x (beta * (value - transposed state * key)),   x: the outer product
//   result = scale * transposed state * query
//
// Without `delta` the state's own answer for the key is not subtracted.
#include <algorithm>
#include <cmath>

#include "engine/ops/c_writer.h"
#include "engine/ops/converted.h"
#include "engine/ops/families.h"
#include "engine/ops/nn_attention.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"
#include "engine/ops/vector_math.h"
#include "engine/ops/vector_units.h"

namespace partita {

namespace {

constexpr size_t kDecay = 3, kBeta = 4, kState = 5, kInputs = 6;

struct HeadExtents {
    int64_t batch, rows, query_heads, key_heads, heads, depth, width;
    int64_t decays;  ///< for each row and head: 1 or depth
    int64_t betas;   ///< for each row: 1 or heads

    template <class ShapeOf>
    static HeadExtents of(const ShapeOf& shape) {
        return {shape(kQuery)[0], shape(kQuery)[1], shape(kQuery)[2], shape(kKey)[2], shape(kValue)[2],
                shape(kQuery)[3], shape(kValue)[3], shape(kDecay)[3], shape(kBeta)[2]};
    }
    int64_t result_heads() const { return std::max(query_heads, heads); }
};

bool is_multiple(int64_t a, int64_t b) { return a == kDynamicDim || b == kDynamicDim || (b > 0 && a % b == 0); }

/// Refuses heads that can't be shared.
Status check_heads(const HeadExtents& x) {
    if (!is_multiple(x.result_heads(), x.query_heads) || !is_multiple(x.result_heads(), x.heads))
        return error("the heads of query and value, " + std::to_string(x.query_heads) + " and " +
                     std::to_string(x.heads) + ", are no multiples");
    if (!is_multiple(x.heads, x.key_heads))
        return error(std::to_string(x.heads) + " heads of values can't share " + std::to_string(x.key_heads) +
                     " of keys");
    return Nothing();
}

Result<TypeId> linear_attention_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    const DataType dtype = types.dtype(query.arguments[kQuery]);
    if (!dtype.is_float()) return error("attention is of floating-point numbers, not " + dtype.to_string());
    constexpr const char* names[] = {"query", "key", "value", "decay", "beta", "state"};
    for (size_t i = 0; i < kInputs; ++i)
        if (types.shape(query.arguments[i]).size() != 4) return error(std::string(names[i]) + " must have rank 4");
    const HeadExtents x = HeadExtents::of([&](size_t i) { return types.shape(query.arguments[i]); });
    if (Status heads = check_heads(x); !heads) return heads.error();
    const int64_t decays = x.decays == 1 ? 1 : x.depth, betas = x.betas == 1 ? 1 : x.heads;
    const std::initializer_list<int64_t> wanted[] = {{x.batch, x.rows, x.query_heads, x.depth},
                                                     {x.batch, x.rows, x.key_heads, x.depth},
                                                     {x.batch, x.rows, x.heads, x.width},
                                                     {x.batch, x.rows, x.heads, decays},
                                                     {x.batch, x.rows, betas, 1},
                                                     {x.batch, x.heads, x.depth, x.width}};
    for (size_t i = 0; i < kInputs; ++i)
        if (Status fits = expect_tensor(query, i, dtype, wanted[i]); !fits) return fits.error();
    const int64_t result_heads =
        x.query_heads == kDynamicDim || x.heads == kDynamicDim ? kDynamicDim : x.result_heads();
    Result<TypeId> result = checked_tensor(types, dtype, std::vector<int64_t>{x.batch, x.rows, result_heads, x.width});
    if (!result) return result.error();
    const TypeId both[] = {*result, query.arguments[kState]};
    return types.tuple(both);
}

/// Columns of the state do not depend on each other: those that are computed at a time stay in the first-level cache
/// over all rows.
constexpr int64_t kColumns = 32;

/// What some columns of one head of one item read and write, from the first row on.
template <class T>
struct ColumnData {
    int64_t columns;
    const T *query, *key, *value, *decay, *beta;
    T *state, *result;
};

/// Lets the state decay; `known` gets what it has for the key.
template <class T>
PARTITA_INLINED void decay_state(const HeadExtents& x, const ColumnData<T>& row, int64_t columns, T* __restrict known) {
    std::fill_n(known, kColumns, T(0));
    T kept = std::exp(*row.decay);
    for (int64_t i = 0; i < x.depth; ++i) {
        if (x.decays != 1) kept = std::exp(row.decay[i]);
        T* const state = row.state + i * x.width;
        const T key = row.key[i];
        for (int64_t j = 0; j < columns; ++j) {
            state[j] *= kept;
            known[j] += state[j] * key;
        }
    }
}

/// Adds to the state what is new for the key, and reads it for the first query.
template <class T>
PARTITA_INLINED void update_state(const HeadExtents& x, const ColumnData<T>& row, int64_t columns,
                                  const T* __restrict news, T* __restrict result) {
    std::fill_n(result, kColumns, T(0));
    for (int64_t i = 0; i < x.depth; ++i) {
        T* const state = row.state + i * x.width;
        const T key = row.key[i], query = row.query[i];
        for (int64_t j = 0; j < columns; ++j) {
            state[j] += key * news[j];
            result[j] += state[j] * query;
        }
    }
}

template <class T>
PARTITA_INLINED void read_state(const HeadExtents& x, const ColumnData<T>& row, int64_t columns, const T* query,
                                T* result) {
    std::fill_n(result, kColumns, T(0));
    for (int64_t i = 0; i < x.depth; ++i)
        for (int64_t j = 0; j < columns; ++j) result[j] += row.state[i * x.width + j] * query[i];
}

/// Goes through the rows, which depend on each other.
template <class T>
PARTITA_INLINED void attend(const HeadExtents& x, ColumnData<T> row, int64_t columns, bool delta, T scale) {
    const int64_t readers = x.result_heads() / x.heads;
    T news[kColumns], result[kColumns];
    for (int64_t r = 0; r < x.rows; ++r) {
        decay_state(x, row, columns, news);
        for (int64_t j = 0; j < columns; ++j) news[j] = *row.beta * (delta ? row.value[j] - news[j] : row.value[j]);
        update_state(x, row, columns, news, result);
        for (int64_t q = 0; q < readers; ++q) {
            if (q > 0) read_state(x, row, columns, row.query + q * x.depth, result);
            for (int64_t j = 0; j < columns; ++j) row.result[q * x.width + j] = result[j] * scale;
        }
        row.query += x.query_heads * x.depth;
        row.key += x.key_heads * x.depth;
        row.value += x.heads * x.width;
        row.decay += x.heads * x.decays;
        row.beta += x.betas;
        row.result += x.result_heads() * x.width;
    }
}

/// A number of columns that the compiler knows makes loops of whole vectors.
template <class T>
PARTITA_INLINED void attend_all(const HeadExtents& x, const ColumnData<T>& first, bool delta, T scale) {
    if (first.columns == kColumns) return attend(x, first, kColumns, delta, scale);
    attend(x, first, first.columns, delta, scale);
}

template <class T>
PARTITA_TARGET_AVX512 void attend_avx512(const HeadExtents& x, const ColumnData<T>& first, bool delta, T scale) {
    attend_all(x, first, delta, scale);
}

template <class T>
PARTITA_TARGET_AVX2 void attend_avx2(const HeadExtents& x, const ColumnData<T>& first, bool delta, T scale) {
    attend_all(x, first, delta, scale);
}

template <class T>
void attend_columns(const HeadExtents& x, const ColumnData<T>& first, bool delta, T scale) {
    switch (vector_unit()) {
        case VectorUnit::Avx512: return attend_avx512(x, first, delta, scale);
        case VectorUnit::Avx2: return attend_avx2(x, first, delta, scale);
        case VectorUnit::Baseline: break;
    }
    attend_all(x, first, delta, scale);
}

Status linear_attention_kernel(const KernelCall& call) {
    return with_real_type(call.inputs[kQuery].dtype, [&](auto tag) -> Status {
        using T = typename decltype(tag)::type;
        ConvertedInput<T> query(call.inputs[kQuery], call.threads), key(call.inputs[kKey], call.threads),
            value(call.inputs[kValue], call.threads), decay(call.inputs[kDecay], call.threads),
            beta(call.inputs[kBeta], call.threads), past(call.inputs[kState], call.threads);
        ConvertedOutput<T> result(call.outputs[0]), state(call.outputs[1]);
        if (!query.data() || !result.data()) return unsupported_types(call);
        const HeadExtents x = HeadExtents::of([&](size_t i) { return call.inputs[i].shape; });
        const bool delta = call.attributes.boolean("delta");
        const T scale = T(attention_scale(call.attributes, x.depth));
        const int64_t size = x.depth * x.width, of_key = x.heads / x.key_heads;
        std::copy_n(past.data(), x.batch * x.heads * size, state.data());
        const int64_t parts = (x.width + kColumns - 1) / kColumns;
        call.threads.parallel_for(x.batch * x.heads * parts, 1, [&](int64_t begin, int64_t end) {
            for (int64_t task = begin; task < end; ++task) {
                const int64_t item = task / parts, column = task % parts * kColumns;
                const int64_t b = item / x.heads, h = item % x.heads, first = b * x.rows;
                const int64_t q = h * x.query_heads / x.heads, out = h * (x.result_heads() / x.heads);
                attend_columns<T>(
                    x,
                    {std::min(kColumns, x.width - column), query.data() + (first * x.query_heads + q) * x.depth,
                     key.data() + (first * x.key_heads + h / of_key) * x.depth,
                     value.data() + (first * x.heads + h) * x.width + column,
                     decay.data() + (first * x.heads + h) * x.decays,
                     beta.data() + first * x.betas + (x.betas == 1 ? 0 : h), state.data() + item * size + column,
                     result.data() + (first * x.result_heads() + out) * x.width + column},
                    delta, scale);
            }
        });
        result.store(call.threads);
        state.store(call.threads);
        return Nothing();
    });
}

// --- C ----------------------------------------------------------------------------------------------------------

/// Writes C for one head of one item, in loops over b and h.
class HeadInC {
public:
    HeadInC(const CLoops& loops, const HeadExtents& extents, CWriter& code)
        : loops_(loops), x_(extents), code_(code), type_(c_type(loops.outputs[0].dtype)) {}

    void write() {
        code_.line(type_ + " *state = " + loops_.outputs[1].name + " + (b * " + number(x_.heads) + " + h) * " +
                   number(x_.depth * x_.width) + ";");
        code_.line("const " + type_ + " *past = " + loops_.inputs[kState].name + " + (state - " +
                   loops_.outputs[1].name + ");");
        code_.line("for (int64_t i = 0; i < " + number(x_.depth * x_.width) + "; ++i) state[i] = past[i];");
        code_.open_loop("r", x_.rows);
        write_update();
        write_results();
        code_.close();
    }

private:
    std::string row_of(size_t input, int64_t heads, const std::string& head, int64_t size) const {
        return loops_.inputs[input].name + " + ((b * " + number(x_.rows) + " + r) * " + number(heads) + " + " + head +
               ") * " + number(size);
    }
    void pointer(const char* name, size_t input, int64_t heads, const std::string& head, int64_t size) {
        code_.line("const " + type_ + " *" + name + " = " + row_of(input, heads, head, size) + ";");
    }
    void for_columns(const std::string& statement) {
        code_.line("for (int64_t j = 0; j < " + width() + "; ++j) " + statement);
    }
    std::string width() const { return number(x_.width); }
    std::string state() const { return "state[i * " + width() + " + j]"; }

    void write_update() {
        pointer("key", kKey, x_.key_heads, "h / " + number(x_.heads / x_.key_heads), x_.depth);
        pointer("value", kValue, x_.heads, "h", x_.width);
        pointer("decay", kDecay, x_.heads, "h", x_.decays);
        pointer("beta", kBeta, x_.betas, x_.betas == 1 ? "0" : "h", 1);
        code_.line(type_ + " news[" + width() + "];");
        for_columns("news[j] = 0;");
        code_.open_loop("i", x_.depth);
        code_.line("const " + type_ + " kept = exp" + (type_ == "double" ? "" : "f") + "(decay[" +
                   (x_.decays == 1 ? "0" : "i") + "]);");
        for_columns("{ " + state() + " *= kept; news[j] += " + state() + " * key[i]; }");
        code_.close();
        const bool delta = loops_.attributes.boolean("delta");
        for_columns(std::string("news[j] = *beta * ") + (delta ? "(value[j] - news[j]);" : "value[j];"));
        code_.open_loop("i", x_.depth);
        for_columns(state() + " += key[i] * news[j];");
        code_.close();
    }
    void write_results() {
        const int64_t heads = x_.result_heads();
        code_.open("for (int64_t o = h * " + number(heads / x_.heads) + "; o < (h + 1) * " + number(heads / x_.heads) +
                   "; ++o)");
        pointer("query", kQuery, x_.query_heads, "o / " + number(heads / x_.query_heads), x_.depth);
        code_.line(type_ + " *result = " + loops_.outputs[0].name + " + ((b * " + number(x_.rows) + " + r) * " +
                   number(heads) + " + o) * " + width() + ";");
        code_.line(type_ + " sum[" + width() + "];");
        for_columns("sum[j] = 0;");
        code_.open_loop("i", x_.depth);
        for_columns("sum[j] += " + state() + " * query[i];");
        code_.close();
        for_columns("result[j] = sum[j] * " +
                    c_constant(loops_.outputs[0].dtype, attention_scale(loops_.attributes, x_.depth)) + ";");
        code_.close();
    }

    const CLoops& loops_;
    const HeadExtents& x_;
    CWriter& code_;
    const std::string type_;
};

Status linear_attention_in_c(const CLoops& loops) {
    const DataType dtype = loops.inputs[kQuery].dtype;
    if (dtype != kFloat32 && dtype != kFloat64)
        return error("nn.linear_attention of " + dtype.to_string() + " can't be written in C");
    const HeadExtents x = HeadExtents::of([&](size_t i) { return loops.inputs[i].shape; });
    constexpr int64_t kWidestRow = 1 << 14;  // a row of news stands on the stack
    if (x.width > kWidestRow) return error("nn.linear_attention with values of more than 16384 can't be written in C");
    if (x.width == 0) return Nothing();
    CWriter code(loops.code, loops.indent);
    code.share_among_threads(2);
    code.open_loop("b", x.batch);
    code.open_loop("h", x.heads);
    HeadInC(loops, x, code).write();
    code.close();
    code.close();
    return Nothing();
}

double linear_attention_flops(const TypeTable& types, std::span<const TypeId> arguments, TypeId,
                              const AttributesView& attributes) {
    const HeadExtents x = HeadExtents::of([&](size_t i) { return types.shape(arguments[i]); });
    const double of_state = attributes.boolean("delta") ? 5 : 3;
    return double(x.batch) * double(x.rows) * double(x.depth) * double(x.width) *
           (of_state * double(x.heads) + 2 * double(x.result_heads()));
}

}  // namespace

std::vector<OpRecord> nn_linear_attention_ops() {
    OpRecord op;
    op.name = "nn.linear_attention";
    op.summary =
        "Attention that keeps its keys and values as one matrix for each head; a tuple of result and matrices.";
    op.inputs = {"query", "key", "value", "decay", "beta", "state"};
    op.attributes = {
        double_field("scale", 0, "factor of the result; 0: 1 / sqrt(size)"),
        bool_field("delta", true, "whether what the state has for the key already is subtracted from the value"),
    };
    op.relation = linear_attention_relation;
    op.kernel = linear_attention_kernel;
    op.c_loops = linear_attention_in_c;
    op.flops = linear_attention_flops;
    op.example =
        "fn (%q: Tensor[(2, 3, 4, 5), float32], %k: Tensor[(2, 3, 1, 5), float32], %v: Tensor[(2, 3, 2, 6), float32], "
        "%g: Tensor[(2, 3, 2, 1), float32], %b: Tensor[(2, 3, 2, 1), float32], %s: Tensor[(2, 2, 5, 6), float32]) "
        "{ nn.linear_attention(%q, %k, %v, %g, %b, %s) }";
    return {op};
}

}  // namespace partita
