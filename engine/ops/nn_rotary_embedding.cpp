// The operator nn.rotary_embedding: turns pairs of elements of each row by the row's angles. Source: Su et al.,
// "RoFormer: Enhanced Transformer with Rotary Position Embedding" (2021); ONNX, RotaryEmbedding of opset 23.
#include <algorithm>
#include <array>

#include "engine/ops/c_writer.h"
#include "engine/ops/converted.h"
#include "engine/ops/families.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"

namespace partita {

namespace {

constexpr size_t kRotated = 0, kCosine = 1, kSine = 2;

/// Returns whether a table of [batch, heads, rows, half], in which an extent may be 1, fits the data.
bool is_table_of(std::span<const int64_t> data, std::span<const int64_t> table) {
    for (size_t d = 0; d < 3; ++d)
        if (table[d] != 1 && table[d] != data[d] && table[d] != kDynamicDim && data[d] != kDynamicDim) return false;
    const int64_t size = data[3], half = table[3];
    return size == kDynamicDim || half == kDynamicDim || half <= size / 2;
}

Result<TypeId> rotary_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    const TypeTable& types = query.types;
    const DataType dtype = types.dtype(query.arguments[kRotated]);
    if (!dtype.is_float()) return error("only floating-point numbers can be turned, not " + dtype.to_string());
    constexpr const char* names[] = {"data", "cosine", "sine"};
    for (size_t i : {kRotated, kCosine, kSine}) {
        if (types.shape(query.arguments[i]).size() != 4) return error(std::string(names[i]) + " must have rank 4");
        if (!(types.dtype(query.arguments[i]) == dtype))
            return error(std::string(names[i]) + " must be of " + dtype.to_string());
    }
    const std::span<const int64_t> data = types.shape(query.arguments[kRotated]),
                                   cosine = types.shape(query.arguments[kCosine]),
                                   sine = types.shape(query.arguments[kSine]);
    if (!std::equal(cosine.begin(), cosine.end(), sine.begin(), sine.end()))
        return error("the shapes of cosine and sine differ: " + shape_to_string(cosine) + " and " +
                     shape_to_string(sine));
    if (!is_table_of(data, cosine))
        return error("the shape of cosine, " + shape_to_string(cosine) + ", does not fit that of the data, " +
                     shape_to_string(data) + ": batch, heads and rows are equal or 1, and it is at most half as wide");
    return query.arguments[kRotated];
}

/// Where the pairs of a row are, and which angles are theirs.
struct Pairs {
    int64_t heads, rows, size, half;
    int64_t first_step, second;            ///< pair i is elements i * first_step and second + i * first_step
    std::array<int64_t, 3> table_strides;  ///< of batch, heads and rows

    Pairs(std::span<const int64_t> data, std::span<const int64_t> table, bool interleaved)
        : heads(data[1]), rows(data[2]), size(data[3]), half(table[3]), first_step(interleaved ? 2 : 1),
          second(interleaved ? 1 : half), table_strides{} {
        int64_t stride = half;
        for (size_t d = 3; d-- > 0; stride *= table[d]) table_strides[d] = table[d] == 1 ? 0 : stride;
    }
    int64_t angles_of(int64_t row) const {
        return row / (heads * rows) * table_strides[0] + row / rows % heads * table_strides[1] +
               row % rows * table_strides[2];
    }
};

template <class T>
void turn_row(const Pairs& pairs, const T* from, const T* cosine, const T* sine, T* to) {
    const int64_t step = pairs.first_step;
    for (int64_t i = 0; i < pairs.half; ++i) {
        const T a = from[i * step], b = from[pairs.second + i * step];
        to[i * step] = a * cosine[i] - b * sine[i];
        to[pairs.second + i * step] = a * sine[i] + b * cosine[i];
    }
    std::copy(from + 2 * pairs.half, from + pairs.size, to + 2 * pairs.half);
}

Status rotary_kernel(const KernelCall& call) {
    return with_real_type(call.inputs[kRotated].dtype, [&](auto tag) -> Status {
        using T = typename decltype(tag)::type;
        ConvertedInput<T> data(call.inputs[kRotated], call.threads), cosine(call.inputs[kCosine], call.threads),
            sine(call.inputs[kSine], call.threads);
        ConvertedOutput<T> result(call.outputs[0]);
        if (!data.data() || !result.data()) return unsupported_types(call);
        const std::span<const int64_t> shape = call.inputs[kRotated].shape;
        const Pairs pairs(shape, call.inputs[kCosine].shape, call.attributes.boolean("interleaved"));
        constexpr int64_t kElementsWorthAThread = 16384;
        const int64_t grain = std::max<int64_t>(1, kElementsWorthAThread / std::max<int64_t>(1, pairs.size));
        call.threads.parallel_for(shape[0] * shape[1] * shape[2], grain, [&](int64_t begin, int64_t end) {
            for (int64_t row = begin; row < end; ++row) {
                const int64_t angles = pairs.angles_of(row);
                turn_row(pairs, data.data() + row * pairs.size, cosine.data() + angles, sine.data() + angles,
                         result.data() + row * pairs.size);
            }
        });
        result.store(call.threads);
        return Nothing();
    });
}

Status rotary_in_c(const CLoops& loops) {
    const DataType dtype = loops.inputs[kRotated].dtype;
    if (dtype != kFloat32 && dtype != kFloat64)
        return error("nn.rotary_embedding of " + dtype.to_string() + " can't be written in C");
    const std::span<const int64_t> shape = loops.inputs[kRotated].shape;
    const Pairs pairs(shape, loops.inputs[kCosine].shape, loops.attributes.boolean("interleaved"));
    const std::string type = c_type(dtype), row = "((b * " + number(pairs.heads) + " + h) * " + number(pairs.rows) +
                                                  " + r) * " + number(pairs.size);
    const std::string angles = " + b * " + number(pairs.table_strides[0]) + " + h * " + number(pairs.table_strides[1]) +
                               " + r * " + number(pairs.table_strides[2]);
    CWriter code(loops.code, loops.indent);
    code.share_among_threads(3);
    code.open_loop("b", shape[0]);
    code.open_loop("h", pairs.heads);
    code.open_loop("r", pairs.rows);
    code.line("const " + type + " *from = " + loops.inputs[kRotated].name + " + " + row + ";");
    code.line("const " + type + " *cosine = " + loops.inputs[kCosine].name + angles + ";");
    code.line("const " + type + " *sine = " + loops.inputs[kSine].name + angles + ";");
    code.line(type + " *to = " + loops.outputs[0].name + " + " + row + ";");
    const std::string first = "i * " + number(pairs.first_step), second = number(pairs.second) + " + " + first;
    code.open_loop("i", pairs.half);
    code.line("const " + type + " a = from[" + first + "], b = from[" + second + "];");
    code.line("to[" + first + "] = a * cosine[i] - b * sine[i];");
    code.line("to[" + second + "] = a * sine[i] + b * cosine[i];");
    code.close();
    code.open_loop("i", number(2 * pairs.half), number(pairs.size));
    code.line("to[i] = from[i];");
    code.close();
    for (int depth = 0; depth < 3; ++depth) code.close();
    return Nothing();
}

double rotary_flops(const TypeTable& types, std::span<const TypeId> arguments, TypeId, const AttributesView&) {
    constexpr double kOfElement = 3;
    double count = kOfElement;
    for (int64_t extent : types.shape(arguments[kRotated])) count *= double(std::max<int64_t>(extent, 1));
    return count;
}

}  // namespace

std::vector<OpRecord> nn_rotary_ops() {
    OpRecord op;
    op.name = "nn.rotary_embedding";
    op.summary = "Turns pairs of elements of each row by the angles of its place.";
    op.inputs = {"data", "cosine", "sine"};
    op.attributes = {bool_field("interleaved", false, "whether a pair is two neighbours, and not one of each half")};
    op.relation = rotary_relation;
    op.kernel = rotary_kernel;
    op.c_loops = rotary_in_c;
    op.flops = rotary_flops;
    op.example =
        "fn (%x: Tensor[(2, 4, 3, 8), float32], %c: Tensor[(1, 1, 3, 4), float32], %s: Tensor[(1, 1, 3, 4), float32]) "
        "{ nn.rotary_embedding(%x, %c, %s) }";
    return {op};
}

}  // namespace partita
