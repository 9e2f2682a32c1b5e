// Ops of two tensors that are broadcast to each other. Source: TVM 0.9, src/relay/op/tensor/binary.cc and
// topi/broadcast.h.
//
// Integers wrap. Where C leaves a result undefined it is fixed here, for kernels and generated C alike: a division of
// integers by zero fails at run time; the lowest number divided by -1 wraps; a shift by a negative count or by at least
// the number of bits shifts everything out.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "engine/ops/broadcast.h"
#include "engine/ops/c_text.h"
#include "engine/ops/element_conversions.h"
#include "engine/ops/element_types.h"
#include "engine/ops/elementwise.h"
#include "engine/ops/relations.h"

namespace partita {

namespace {

/// The type in which integers wrap: unsigned, and at least as wide as int, so that promotion does not make it signed.
template <class W>
using Wrapping = std::conditional_t<sizeof(W) == 8, uint64_t, uint32_t>;

template <class W>
constexpr bool is_real = std::is_floating_point_v<W>;

// ---- Operations on two elements, in their wide type ----
//
// `sign_free`: signed and unsigned integers give the same bits. `of_integers`: there are no others. All are computed in
// Exact<T> of an element type T.

struct Add {
    static constexpr bool sign_free = true;
    template <class W>
    static W apply(W a, W b) {
        if constexpr (is_real<W>) return a + b;
        else return W(Wrapping<W>(a) + Wrapping<W>(b));
    }
};

struct Subtract {
    static constexpr bool sign_free = true;
    template <class W>
    static W apply(W a, W b) {
        if constexpr (is_real<W>) return a - b;
        else return W(Wrapping<W>(a) - Wrapping<W>(b));
    }
};

struct Multiply {
    static constexpr bool sign_free = true;
    template <class W>
    static W apply(W a, W b) {
        if constexpr (is_real<W>) return a * b;
        else return W(Wrapping<W>(a) * Wrapping<W>(b));
    }
};

struct Divide {
    template <class W>
    static W apply(W a, W b) {
        if constexpr (is_real<W>) return a / b;
        else if constexpr (std::is_signed_v<W>) return b == 0 ? W(0) : b == W(-1) ? Subtract::apply(W(0), a) : W(a / b);
        else return b == 0 ? W(0) : W(a / b);
    }
};

struct TruncDivide {
    template <class W>
    static W apply(W a, W b) {
        if constexpr (is_real<W>) return std::trunc(a / b);
        else return Divide::apply(a, b);
    }
};

struct Mod {
    template <class W>
    static W apply(W a, W b) {
        if constexpr (is_real<W>) return std::fmod(a, b);
        else if constexpr (std::is_signed_v<W>) return b == 0 || b == W(-1) ? W(0) : W(a % b);
        else return b == 0 ? W(0) : W(a % b);
    }
};

struct TruncMod {
    template <class W>
    static W apply(W a, W b) {
        if constexpr (is_real<W>) return a - std::trunc(a / b) * b;
        else return Mod::apply(a, b);
    }
};

struct FloorDivide {
    template <class W>
    static W apply(W a, W b) {
        if constexpr (is_real<W>) return std::floor(a / b);
        else if constexpr (std::is_signed_v<W>) {
            W remainder = Mod::apply(a, b);
            return W(Divide::apply(a, b) - W(remainder != 0 && (remainder < 0) != (b < 0)));
        } else return Divide::apply(a, b);
    }
};

struct FloorMod {
    template <class W>
    static W apply(W a, W b) {
        if constexpr (is_real<W>) return a - std::floor(a / b) * b;
        else if constexpr (std::is_signed_v<W>) {
            W remainder = Mod::apply(a, b);
            return remainder != 0 && (remainder < 0) != (b < 0) ? W(remainder + b) : remainder;
        } else return Mod::apply(a, b);
    }
};

/// Of integers with a negative exponent: 1 / a^-b without its fraction, and 0 for a = 0.
struct Power {
    template <class W>
    static W apply(W a, W b) {
        if constexpr (is_real<W>) return std::pow(a, b);
        else {
            if constexpr (std::is_signed_v<W>) {
                if (b < 0) return a == 1 || (a == W(-1) && b % 2 == 0) ? W(1) : a == W(-1) ? W(-1) : W(0);
            }
            auto factor = Wrapping<W>(a), result = Wrapping<W>(1);
            for (auto left = Wrapping<W>(b); left; left >>= 1, factor *= factor)
                if (left & 1) result *= factor;
            return W(result);
        }
    }
};

/// Returns the second operand if one of them is NaN, as TVM's select and SSE's maxps.
struct Maximum {
    template <class W>
    static W apply(W a, W b) {
        return a > b ? a : b;
    }
};

struct Minimum {
    template <class W>
    static W apply(W a, W b) {
        return a < b ? a : b;
    }
};

struct LogicalAnd {
    static constexpr bool sign_free = true;
    template <class W>
    static W apply(W a, W b) {
        return W(a != W(0) && b != W(0));
    }
};

struct LogicalOr {
    static constexpr bool sign_free = true;
    template <class W>
    static W apply(W a, W b) {
        return W(a != W(0) || b != W(0));
    }
};

struct LogicalXor {
    static constexpr bool sign_free = true;
    template <class W>
    static W apply(W a, W b) {
        return W((a != W(0)) != (b != W(0)));
    }
};

struct BitwiseAnd {
    static constexpr bool sign_free = true, of_integers = true;
    template <class W>
    static W apply(W a, W b) {
        return W(a & b);
    }
};

struct BitwiseOr {
    static constexpr bool sign_free = true, of_integers = true;
    template <class W>
    static W apply(W a, W b) {
        return W(a | b);
    }
};

struct BitwiseXor {
    static constexpr bool sign_free = true, of_integers = true;
    template <class W>
    static W apply(W a, W b) {
        return W(a ^ b);
    }
};

struct LeftShift {
    static constexpr bool sign_free = true, of_integers = true;
    template <class W>
    static W apply(W a, W b) {
        return uint64_t(b) >= sizeof(W) * 8 ? W(0) : W(Wrapping<W>(a) << Wrapping<W>(b));
    }
};

struct RightShift {
    static constexpr bool of_integers = true;
    template <class W>
    static W apply(W a, W b) {
        if (uint64_t(b) >= sizeof(W) * 8) return a < W(0) ? W(-1) : W(0);
        return W(a >> b);
    }
};

struct Equal {
    static constexpr bool sign_free = true;
    template <class W>
    static bool apply(W a, W b) {
        return a == b;
    }
};
struct NotEqual {
    static constexpr bool sign_free = true;
    template <class W>
    static bool apply(W a, W b) {
        return a != b;
    }
};
struct Less {
    template <class W>
    static bool apply(W a, W b) {
        return a < b;
    }
};
struct LessEqual {
    template <class W>
    static bool apply(W a, W b) {
        return a <= b;
    }
};
struct Greater {
    template <class W>
    static bool apply(W a, W b) {
        return a > b;
    }
};
struct GreaterEqual {
    template <class W>
    static bool apply(W a, W b) {
        return a >= b;
    }
};

// ---- Kernels ----

/// Computes a row in which each operand moves by one element or stays: three loops, so that each vectorizes.
template <class Function, class T, class R>
void compute_row(const void* left, bool left_moves, const void* right, bool right_moves, void* output, int64_t count) {
    const T* __restrict a = static_cast<const T*>(left);
    const T* __restrict b = static_cast<const T*>(right);
    R* __restrict out = static_cast<R*>(output);
    auto of = [](T x, T y) { return R(Function::apply(Wide<T>(x), Wide<T>(y))); };
    if (left_moves && right_moves) {
        for (int64_t i = 0; i < count; ++i) out[i] = of(a[i], b[i]);
    } else if (left_moves) {
        const T fixed = b[0];
        for (int64_t i = 0; i < count; ++i) out[i] = of(a[i], fixed);
    } else {
        const T fixed = a[0];
        for (int64_t i = 0; i < count; ++i) out[i] = of(fixed, right_moves ? b[i] : b[0]);
    }
}

/// The type for which a row is compiled: one for signed and unsigned integers where they are the same.
template <class Function, class C>
struct CompiledOf {
    using type = C;
};
template <class Function, std::signed_integral C>
requires Function::sign_free struct CompiledOf<Function, C> {
    using type = std::make_unsigned_t<C>;
};

/// How the rows of one function and element type are computed: on the elements, or on chunks of them in another type.
struct Row {
    void (*compute)(const void* left, bool left_moves, const void* right, bool right_moves, void* output,
                    int64_t count) = nullptr;
    ConvertElements widen = nullptr, narrow = nullptr;  ///< null if the elements, or the results, are computed as such
};

/// Returns a row without functions for types without a kernel.
template <class Function, bool IsComparison>
Row row_of(DataType dtype) {
    Row row;
    with_element_type(dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        using C = Exact<T>;
        using Compiled = typename CompiledOf<Function, C>::type;
        if constexpr (!is_real<C> || !requires { Function::of_integers; }) {
            row.compute = compute_row<Function, Compiled, std::conditional_t<IsComparison, uint8_t, Compiled>>;
            if constexpr (!std::is_same_v<T, C>) {
                row.widen = reader_of<C>(dtype);
                if (!IsComparison) row.narrow = writer_of<C>(dtype);
            }
        }
    });
    return row;
}

struct RowOperand {
    const std::byte* elements;
    int64_t step;  ///< in bytes; 0 if it stays
};

void compute_in_chunks(const Row& row, RowOperand left, RowOperand right, std::byte* output, int64_t output_bytes,
                       int64_t count) {
    constexpr int64_t kChunk = 256, kMostBytes = 8;
    alignas(64) std::byte a[kChunk * kMostBytes], b[kChunk * kMostBytes], result[kChunk * kMostBytes];
    const auto widened = [&](const RowOperand& operand, int64_t first, int64_t size, std::byte* to) {
        if (first == 0 || operand.step) row.widen(operand.elements + first * operand.step, to, operand.step ? size : 1);
    };
    for (int64_t first = 0; first < count; first += kChunk) {
        const int64_t size = std::min(kChunk, count - first);
        widened(left, first, size, a);
        widened(right, first, size, b);
        std::byte* const to = output + first * output_bytes;
        row.compute(a, left.step != 0, b, right.step != 0, row.narrow ? result : to, size);
        if (row.narrow) row.narrow(result, to, size);
    }
}

/// Iterates over the rows of a broadcast. Only the row itself is compiled for each function and type.
Status compute_rows(const KernelCall& call, int64_t grain, const Row& row) {
    const TensorView &left = call.inputs[0], &right = call.inputs[1], &output = call.outputs[0];
    if (!row.compute) return unsupported_element(call.attributes.op(), left.dtype);
    const std::span<const int64_t> shapes[] = {left.shape, right.shape};
    BroadcastPlan plan(output.shape, shapes);
    const bool left_moves = plan.strides.back()[0] != 0, right_moves = plan.strides.back()[1] != 0;
    const int64_t left_bytes = int64_t(left.dtype.bytes()), right_bytes = int64_t(right.dtype.bytes()),
                  output_bytes = int64_t(output.dtype.bytes());
    for_each_row(plan, call.threads, grain, [&](const BroadcastSteps& offsets, int64_t position, int64_t count) {
        const std::byte *a = left.as<std::byte>() + offsets[0] * left_bytes,
                        *b = right.as<std::byte>() + offsets[1] * right_bytes;
        std::byte* const to = output.as<std::byte>() + position * output_bytes;
        if (row.widen)
            compute_in_chunks(row, {a, left_moves ? left_bytes : 0}, {b, right_moves ? right_bytes : 0}, to,
                              output_bytes, count);
        else row.compute(a, left_moves, b, right_moves, to, count);
    });
    return Nothing();
}

template <class Function, int64_t Grain = kCheapGrain>
Status arithmetic_kernel(const KernelCall& call) {
    return compute_rows(call, Grain, row_of<Function, false>(call.inputs[0].dtype));
}

bool has_integer_zero(const TensorView& tensor) {
    bool found = false;
    with_element_type(tensor.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (!is_real<Wide<T>>)
            found = std::any_of(tensor.as<T>(), tensor.as<T>() + tensor.size(),
                                [](T value) { return Wide<T>(value) == 0; });
    });
    return found;
}

/// For divisions: refuses integers if a divisor is 0.
template <class Function, int64_t Grain = kCheapGrain>
Status division_kernel(const KernelCall& call) {
    if (call.outputs[0].size() > 0 && has_integer_zero(call.inputs[1])) return error("an integer is divided by zero");
    return arithmetic_kernel<Function, Grain>(call);
}

template <class Function>
Status comparison_kernel(const KernelCall& call) {
    return compute_rows(call, kCheapGrain, row_of<Function, true>(call.inputs[0].dtype));
}

// ---- The table ----

enum class BinaryKind : uint8_t { Arithmetic, IntegerOnly, Comparison };

struct BinaryEntry {
    const char* name;
    const char* summary;
    const char* real_c;      ///< C template for floating point
    const char* signed_c;    ///< for signed integers
    const char* unsigned_c;  ///< for unsigned integers and bool
    Kernel kernel;
    BinaryKind kind = BinaryKind::Arithmetic;
};

const BinaryEntry kBinaryEntries[] = {
    {"add", "Sum of two tensors.", "%a + %b", "(%U)%a + (%U)%b", "(%U)%a + (%U)%b", arithmetic_kernel<Add>},
    {"subtract", "Difference of two tensors.", "%a - %b", "(%U)%a - (%U)%b", "(%U)%a - (%U)%b",
     arithmetic_kernel<Subtract>},
    {"multiply", "Product of two tensors.", "%a * %b", "(%U)%a * (%U)%b", "(%U)%a * (%U)%b",
     arithmetic_kernel<Multiply>},
    {"divide", "Quotient of two tensors; of integers, toward zero.", "%a / %b", "%q", "%q", division_kernel<Divide>},
    {"trunc_divide", "Quotient of two tensors, rounded toward zero.", "trunc%f(%a / %b)", "%q", "%q",
     division_kernel<TruncDivide>},
    {"floor_divide", "Quotient of two tensors, rounded down.", "floor%f(%a / %b)", "%q - %d", "%q",
     division_kernel<FloorDivide>},
    {"mod", "Remainder of a division toward zero.", "fmod%f(%a, %b)", "%r", "%r", division_kernel<Mod, kCostlyGrain>},
    {"trunc_mod", "Remainder of a division that is rounded toward zero.", "%a - trunc%f(%a / %b) * %b", "%r", "%r",
     division_kernel<TruncMod>},
    {"floor_mod", "Remainder of a division that is rounded down.", "%a - floor%f(%a / %b) * %b", "%d ? %r + %b : %r",
     "%r", division_kernel<FloorMod>},
    {"power", "First tensor to the power of the second.", "pow%f(%a, %b)",
     "integer_power((uint64_t)%a, (uint64_t)%b, %b < 0)", "integer_power(%a, %b, 0)",
     arithmetic_kernel<Power, kCostlyGrain>},
    {"maximum", "Larger of two elements.", "%a > %b ? %a : %b", "%a > %b ? %a : %b", "%a > %b ? %a : %b",
     arithmetic_kernel<Maximum>},
    {"minimum", "Smaller of two elements.", "%a < %b ? %a : %b", "%a < %b ? %a : %b", "%a < %b ? %a : %b",
     arithmetic_kernel<Minimum>},
    {"logical_and", "Whether both elements are not zero.", "%a != 0 && %b != 0", "%a != 0 && %b != 0",
     "%a != 0 && %b != 0", arithmetic_kernel<LogicalAnd>},
    {"logical_or", "Whether one of two elements is not zero.", "%a != 0 || %b != 0", "%a != 0 || %b != 0",
     "%a != 0 || %b != 0", arithmetic_kernel<LogicalOr>},
    {"logical_xor", "Whether exactly one of two elements is not zero.", "(%a != 0) != (%b != 0)",
     "(%a != 0) != (%b != 0)", "(%a != 0) != (%b != 0)", arithmetic_kernel<LogicalXor>},
    {"bitwise_and", "Bits that are set in both elements.", "", "%a & %b", "%a & %b", arithmetic_kernel<BitwiseAnd>,
     BinaryKind::IntegerOnly},
    {"bitwise_or", "Bits that are set in one element or both.", "", "%a | %b", "%a | %b", arithmetic_kernel<BitwiseOr>,
     BinaryKind::IntegerOnly},
    {"bitwise_xor", "Bits that are set in exactly one element.", "", "%a ^ %b", "%a ^ %b",
     arithmetic_kernel<BitwiseXor>, BinaryKind::IntegerOnly},
    {"left_shift", "Bits of the first element, moved up by the second.", "",
     "%b < 0 || %b >= %n ? (%U)0 : (%U)%a << %b", "%b >= %n ? (%U)0 : (%U)%a << %b", arithmetic_kernel<LeftShift>,
     BinaryKind::IntegerOnly},
    {"right_shift", "Bits of the first element, moved down by the second; the sign is kept.", "",
     "%b < 0 || %b >= %n ? (%a < 0 ? -1 : 0) : %a >> %b", "%b >= %n ? 0 : %a >> %b", arithmetic_kernel<RightShift>,
     BinaryKind::IntegerOnly},
    {"equal", "Whether two elements are equal.", "%a == %b", "%a == %b", "%a == %b", comparison_kernel<Equal>,
     BinaryKind::Comparison},
    {"not_equal", "Whether two elements differ.", "%a != %b", "%a != %b", "%a != %b", comparison_kernel<NotEqual>,
     BinaryKind::Comparison},
    {"less", "Whether the first element is below the second.", "%a < %b", "%a < %b", "%a < %b", comparison_kernel<Less>,
     BinaryKind::Comparison},
    {"less_equal", "Whether the first element is not above the second.", "%a <= %b", "%a <= %b", "%a <= %b",
     comparison_kernel<LessEqual>, BinaryKind::Comparison},
    {"greater", "Whether the first element is above the second.", "%a > %b", "%a > %b", "%a > %b",
     comparison_kernel<Greater>, BinaryKind::Comparison},
    {"greater_equal", "Whether the first element is not below the second.", "%a >= %b", "%a >= %b", "%a >= %b",
     comparison_kernel<GreaterEqual>, BinaryKind::Comparison},
};

/// Expands the guarded division: `%q` the quotient toward zero, `%r` its remainder, `%d` whether a quotient that is
/// rounded down is one less.
std::string with_division(std::string_view text, bool is_unsigned) {
    const std::string quotient = is_unsigned ? "(%a / %b)" : "(%b == -1 ? (%S)((%U)0 - (%U)%a) : (%S)(%a / %b))";
    const std::string remainder = is_unsigned ? "(%a %% %b)" : "(%b == -1 ? (%S)0 : (%S)(%a %% %b))";
    bool divides = false;
    std::string filled;
    for (size_t i = 0; i < text.size(); ++i) {
        std::string_view code = text.substr(i, 2);
        if (code == "%q") filled += quotient;
        else if (code == "%r") filled += remainder;
        else if (code == "%d") filled += "(" + remainder + " != 0 && (" + remainder + " < 0) != (%b < 0))";
        else {
            filled += text[i];
            continue;
        }
        divides = true;
        ++i;
    }
    return divides ? "%b == 0 ? (" + std::string(kElementRefusal) + ", 0) : (" + filled + ")" : filled;
}

std::string binary_element(const CElement& element) {
    const std::string& name = element.attributes.op().name;
    const BinaryEntry* entry = kBinaryEntries;
    while (name != entry->name) ++entry;
    DataType dtype = element.operand_dtype, result = element.result_dtype;
    if (dtype.is_float())
        return "(" + c_type(result) + ")(" + fill_c_template(entry->real_c, element.operands, dtype) + ")";
    // A bool counts as the number 0 or 1.
    DataType computed = dtype.is_bool() ? kUInt32 : dtype;
    bool is_unsigned = computed.code == DataType::Code::UInt;
    const char* text = is_unsigned ? entry->unsigned_c : entry->signed_c;
    std::vector<std::string> operands(element.operands.begin(), element.operands.end());
    if (dtype.is_bool())
        for (std::string& operand : operands) operand = "((" + operand + ") != 0 ? 1U : 0U)";
    std::string filled = fill_c_template(with_division(text, is_unsigned), operands, computed);
    if (result.is_bool()) return "(uint8_t)((" + filled + ") != 0)";
    return "(" + c_type(result) + ")(" + filled + ")";
}

Result<TypeId> integer_broadcast_relation(const TypeQuery& query) {
    auto type = broadcast_relation(query);
    if (type && !query.types.dtype(*type).is_integer())
        return error("the operands must be of an integer type, not " + query.types.dtype(*type).to_string());
    return type;
}

TypeRelation relation_of(BinaryKind kind) {
    switch (kind) {
        case BinaryKind::Arithmetic: return broadcast_relation;
        case BinaryKind::IntegerOnly: return integer_broadcast_relation;
        case BinaryKind::Comparison: return broadcast_to_bool_relation;
    }
    return broadcast_relation;
}

}  // namespace

std::vector<OpRecord> binary_ops() {
    std::vector<OpRecord> ops;
    for (const BinaryEntry& entry : kBinaryEntries) {
        std::string dtype = entry.kind == BinaryKind::IntegerOnly ? "int32" : "float32";
        OpRecord op;
        op.name = entry.name;
        op.summary = entry.summary;
        op.inputs = {"lhs", "rhs"};
        op.pattern = OpPattern::Broadcast;
        op.relation = relation_of(entry.kind);
        op.kernel = entry.kernel;
        op.c_element = binary_element;
        op.example =
            "fn (%x: Tensor[(2, 3), " + dtype + "], %y: Tensor[(3), " + dtype + "]) { " + entry.name + "(%x, %y) }";
        ops.push_back(std::move(op));
    }
    return ops;
}

}  // namespace partita
