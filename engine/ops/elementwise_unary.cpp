// Ops of one tensor, element by element. Source: TVM 0.9, src/relay/op/tensor/unary.cc and topi/elemwise.h.
//
// Functions of real numbers accept integers too: these are converted to double and the result saturates. fast_exp,
// fast_tanh and fast_erf are the exact functions: TVM leaves their error open, and here they cost no more.
#include <cmath>
#include <string_view>

#include "engine/ops/c_text.h"
#include "engine/ops/element_types.h"
#include "engine/ops/elementwise.h"
#include "engine/ops/relations.h"

namespace partita {

namespace {

// ---- Operations on one element, in its wide type ----

struct Negative {
    template <class W>
    static W apply(W a) {
        if constexpr (std::is_integral_v<W>) return W(std::make_unsigned_t<W>(0) - std::make_unsigned_t<W>(a));
        else return -a;
    }
};

struct Absolute {
    template <class W>
    static W apply(W a) {
        if constexpr (std::is_unsigned_v<W>) return a;
        else if constexpr (std::is_integral_v<W>) return a < 0 ? Negative::apply(a) : a;
        else return std::fabs(a);
    }
};

/// Returns 0 and NaN unchanged.
struct Sign {
    template <class W>
    static W apply(W a) {
        return a > W(0) ? W(1) : a < W(0) ? W(-1) : a;
    }
};

struct Same {
    template <class W>
    static W apply(W a) {
        return a;
    }
};

struct Zero {
    template <class W>
    static W apply(W) {
        return W(0);
    }
};

struct One {
    template <class W>
    static W apply(W) {
        return W(1);
    }
};

struct LogicalNot {
    template <class W>
    static W apply(W a) {
        return W(a == W(0));
    }
};

struct Sigmoid {
    template <class W>
    static W apply(W a) {
        return W(1) / (W(1) + std::exp(-a));
    }
};

struct ReciprocalRoot {
    template <class W>
    static W apply(W a) {
        return W(1) / std::sqrt(a);
    }
};

/// A function of the C library by its float and double forms.
template <float (*Single)(float), double (*Double)(double)>
struct LibraryFunction {
    static float apply(float a) { return Single(a); }
    static double apply(double a) { return Double(a); }
};

// ---- Kernels ----

/// A function of real numbers on consecutive elements; `from` and `to` may be the same.
struct RealFunction {
    void (*single)(const float* from, float* to, int64_t count);
    void (*twice)(const double* from, double* to, int64_t count);

    void operator()(const float* from, float* to, int64_t count) const { single(from, to, count); }
    void operator()(const double* from, double* to, int64_t count) const { twice(from, to, count); }
};

template <class Reals, class W>
void apply_to_row(const W* from, W* to, int64_t count) {
    for (int64_t i = 0; i < count; ++i) to[i] = Reals::apply(from[i]);
}
template <class Reals>
constexpr RealFunction real_function{apply_to_row<Reals, float>, apply_to_row<Reals, double>};

/// Applies a function to elements of any type: to those of 16 bits as float, to integers as double.
template <class T>
void apply_function(RealFunction function, const T* from, T* to, int64_t count) {
    using W = Wide<T>;
    using Real = std::conditional_t<std::is_same_v<W, float>, float, double>;
    if constexpr (std::is_same_v<T, Real>) {
        function(from, to, count);
    } else {
        constexpr int64_t kChunk = 256;
        Real values[kChunk];
        for (int64_t first = 0; first < count; first += kChunk) {
            const int64_t size = std::min(kChunk, count - first);
            for (int64_t i = 0; i < size; ++i) values[i] = Real(W(from[first + i]));
            function(values, values, size);
            for (int64_t i = 0; i < size; ++i) to[first + i] = T(convert<W>(values[i]));
        }
    }
}

Status apply_function(const KernelCall& call, RealFunction function, int64_t grain) {
    const TensorView &input = call.inputs[0], &output = call.outputs[0];
    const bool known = with_element_type(input.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T* from = input.as<T>();
        T* to = output.as<T>();
        call.threads.parallel_for(output.size(), grain, [=](int64_t begin, int64_t end) {
            apply_function(function, from + begin, to + begin, end - begin);
        });
    });
    if (!known) return unsupported_element(call.attributes.op(), input.dtype);
    return Nothing();
}

using IntegerRow = void (*)(const void* from, void* to, int64_t count);

template <class Integers, class T>
void apply_to_integers(const void* from, void* to, int64_t count) {
    const T* in = static_cast<const T*>(from);
    T* out = static_cast<T*>(to);
    for (int64_t i = 0; i < count; ++i) out[i] = T(Integers::apply(Wide<T>(in[i])));
}

/// `Integers` is the operation on integers; `Reals` on floating point.
template <class Reals, class Integers, int64_t Grain>
Status unary_kernel(const KernelCall& call) {
    const TensorView &input = call.inputs[0], &output = call.outputs[0];
    IntegerRow row = nullptr;
    with_element_type(input.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_integral_v<Wide<T>>) row = apply_to_integers<Integers, T>;
    });
    if (!row) return apply_function(call, real_function<Reals>, Grain);
    const int64_t bytes = int64_t(input.dtype.bytes());
    call.threads.parallel_for(output.size(), Grain, [&](int64_t begin, int64_t end) {
        row(input.as<std::byte>() + begin * bytes, output.as<std::byte>() + begin * bytes, end - begin);
    });
    return Nothing();
}

template <class Reals>
Status real_kernel(const KernelCall& call) {
    return apply_function(call, real_function<Reals>, kCostlyGrain);
}

template <class Function>
constexpr Kernel any_kernel = unary_kernel<Function, Function, kCheapGrain>;
template <float (*Single)(float), double (*Double)(double)>
constexpr Kernel library_kernel = real_kernel<LibraryFunction<Single, Double>>;
/// Rounding functions leave integers unchanged.
template <float (*Single)(float), double (*Double)(double)>
constexpr Kernel rounding_kernel = unary_kernel<LibraryFunction<Single, Double>, Same, kCheapGrain>;

Status bitwise_not_kernel(const KernelCall& call) {
    const TensorView &input = call.inputs[0], &output = call.outputs[0];
    const uint8_t* from = input.as<uint8_t>();
    uint8_t* to = output.as<uint8_t>();
    uint8_t mask = input.dtype.is_bool() ? 1 : 0xff;
    call.threads.parallel_for(int64_t(output.byte_size()), kCheapGrain, [=](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) to[i] = uint8_t(from[i] ^ mask);
    });
    return Nothing();
}

struct IsNan {
    template <class W>
    static bool apply(W a) {
        return a != a;
    }
};

struct IsFinite {
    template <class W>
    static bool apply(W a) {
        return std::isfinite(a);
    }
};

struct IsInfinite {
    template <class W>
    static bool apply(W a) {
        return std::isinf(a);
    }
};

template <class Test>
Status test_kernel(const KernelCall& call) {
    const TensorView &input = call.inputs[0], &output = call.outputs[0];
    bool known = with_element_type(input.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T* from = input.as<T>();
        uint8_t* to = output.as<uint8_t>();
        call.threads.parallel_for(output.size(), kCheapGrain, [from, to](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
                if constexpr (std::is_floating_point_v<Wide<T>>) to[i] = Test::apply(Wide<T>(from[i]));
                else to[i] = Test::apply(0.0f);
            }
        });
    });
    if (!known) return unsupported_element(call.attributes.op(), input.dtype);
    return Nothing();
}

// ---- The table ----

struct UnaryEntry {
    const char* name;
    const char* summary;
    const char* real_c;     ///< C template for floating point
    const char* integer_c;  ///< for integers; null: real_c of the operand as a double
    Kernel kernel;
    TypeRelation relation = identity_relation;
    const char* unsigned_c = nullptr;  ///< for unsigned integers and bool, where comparing with 0 is pointless
};

const UnaryEntry kUnaryEntries[] = {
    {"log", "Natural logarithm of each element.", "log%f(%a)", nullptr, library_kernel<::logf, ::log>},
    {"log2", "Logarithm to base 2 of each element.", "log2%f(%a)", nullptr, library_kernel<::log2f, ::log2>},
    {"log10", "Logarithm to base 10 of each element.", "log10%f(%a)", nullptr, library_kernel<::log10f, ::log10>},
    {"exp", "e to the power of each element.", "exp%f(%a)", nullptr, library_kernel<::expf, ::exp>},
    {"fast_exp", "e to the power of each element, where a small error is allowed.", "exp%f(%a)", nullptr,
     library_kernel<::expf, ::exp>},
    {"sqrt", "Square root of each element.", "sqrt%f(%a)", nullptr, library_kernel<::sqrtf, ::sqrt>},
    {"rsqrt", "One divided by the square root of each element.", "(%T)1 / sqrt%f(%a)", nullptr,
     real_kernel<ReciprocalRoot>},
    {"erf", "Error function of each element.", "erf%f(%a)", nullptr, library_kernel<::erff, ::erf>},
    {"fast_erf", "Error function of each element, where a small error is allowed.", "erf%f(%a)", nullptr,
     library_kernel<::erff, ::erf>},
    {"sigmoid", "1 / (1 + exp(-x)) of each element.", "(%T)1 / ((%T)1 + exp%f(-%a))", nullptr, real_kernel<Sigmoid>},
    {"tanh", "Hyperbolic tangent of each element.", "tanh%f(%a)", nullptr, library_kernel<::tanhf, ::tanh>},
    {"fast_tanh", "Hyperbolic tangent of each element, where a small error is allowed.", "tanh%f(%a)", nullptr,
     library_kernel<::tanhf, ::tanh>},
    {"sin", "Sine of each element.", "sin%f(%a)", nullptr, library_kernel<::sinf, ::sin>},
    {"cos", "Cosine of each element.", "cos%f(%a)", nullptr, library_kernel<::cosf, ::cos>},
    {"tan", "Tangent of each element.", "tan%f(%a)", nullptr, library_kernel<::tanf, ::tan>},
    {"asin", "Arc sine of each element.", "asin%f(%a)", nullptr, library_kernel<::asinf, ::asin>},
    {"acos", "Arc cosine of each element.", "acos%f(%a)", nullptr, library_kernel<::acosf, ::acos>},
    {"atan", "Arc tangent of each element.", "atan%f(%a)", nullptr, library_kernel<::atanf, ::atan>},
    {"sinh", "Hyperbolic sine of each element.", "sinh%f(%a)", nullptr, library_kernel<::sinhf, ::sinh>},
    {"cosh", "Hyperbolic cosine of each element.", "cosh%f(%a)", nullptr, library_kernel<::coshf, ::cosh>},
    {"asinh", "Inverse hyperbolic sine of each element.", "asinh%f(%a)", nullptr, library_kernel<::asinhf, ::asinh>},
    {"acosh", "Inverse hyperbolic cosine of each element.", "acosh%f(%a)", nullptr, library_kernel<::acoshf, ::acosh>},
    {"atanh", "Inverse hyperbolic tangent of each element.", "atanh%f(%a)", nullptr, library_kernel<::atanhf, ::atanh>},
    {"floor", "Largest integer that is not above each element.", "floor%f(%a)", "%a",
     rounding_kernel<::floorf, ::floor>},
    {"ceil", "Smallest integer that is not below each element.", "ceil%f(%a)", "%a", rounding_kernel<::ceilf, ::ceil>},
    {"trunc", "Each element without its fraction.", "trunc%f(%a)", "%a", rounding_kernel<::truncf, ::trunc>},
    {"round", "Nearest integer of each element, halves away from zero.", "round%f(%a)", "%a",
     rounding_kernel<::roundf, ::round>},
    {"sign", "-1, 0 or 1 by the sign of each element.", "%a > 0 ? (%T)1 : %a < 0 ? (%T)-1 : %a",
     "%a > 0 ? (%T)1 : %a < 0 ? (%T)-1 : (%T)0", any_kernel<Sign>, identity_relation, "%a > 0"},
    {"abs", "Absolute value of each element.", "fabs%f(%a)", "%a < 0 ? (%U)0 - (%U)%a : (%U)%a", any_kernel<Absolute>,
     identity_relation, "%a"},
    {"negative", "Each element with the other sign.", "-%a", "(%U)0 - (%U)%a", any_kernel<Negative>},
    {"logical_not", "Whether each element is zero.", "%a == 0", "%a == 0", any_kernel<LogicalNot>},
    {"bitwise_not", "Each element with all bits turned over.", "%a", "~(%U)%a", bitwise_not_kernel},
    {"copy", "The same tensor in memory of its own.", "%a", "%a", copy_kernel},
    {"zeros_like", "Zeros in the shape and type of a tensor.", "(%T)0", "(%T)0", any_kernel<Zero>},
    {"ones_like", "Ones in the shape and type of a tensor.", "(%T)1", "(%T)1", any_kernel<One>},
    {"isnan", "Whether each element is not a number.", "%a != %a", "0", test_kernel<IsNan>, identity_to_bool_relation},
    {"isfinite", "Whether each element is neither infinite nor NaN.", "isfinite(%a) != 0", "1", test_kernel<IsFinite>,
     identity_to_bool_relation},
    {"isinf", "Whether each element is infinite.", "isinf(%a) != 0", "0", test_kernel<IsInfinite>,
     identity_to_bool_relation},
};

std::string unary_element(const CElement& element) {
    const std::string& name = element.attributes.op().name;
    const UnaryEntry* entry = kUnaryEntries;
    while (name != entry->name) ++entry;
    DataType dtype = element.operand_dtype;
    if (dtype.is_float()) {
        std::string text = fill_c_template(entry->real_c, element.operands, dtype);
        return "(" + c_type(element.result_dtype) + ")(" + text + ")";
    }
    if (entry->integer_c) {
        bool is_unsigned = dtype.code == DataType::Code::UInt && entry->unsigned_c;
        std::string text = fill_c_template(is_unsigned ? entry->unsigned_c : entry->integer_c, element.operands, dtype);
        if (dtype.is_bool() && name == "bitwise_not") text = "!" + element.operands[0];
        if (element.result_dtype.is_bool()) return "(uint8_t)((" + text + ") != 0)";
        return "(" + c_type(element.result_dtype) + ")(" + text + ")";
    }
    std::string as_double[] = {"(double)(" + element.operands[0] + ")"};
    std::string text = fill_c_template(entry->real_c, as_double, kFloat64);
    if (element.result_dtype.is_bool()) return "(uint8_t)((" + c_saturate(text, kFloat64, kInt32) + ") != 0)";
    return c_saturate(text, kFloat64, element.result_dtype);
}

/// bitwise_not is not defined for floating point.
Result<TypeId> integer_identity_relation(const TypeQuery& query) {
    auto type = identity_relation(query);
    if (type && !query.types.dtype(*type).is_integer())
        return error("the operand must be of an integer type, not " + query.types.dtype(*type).to_string());
    return type;
}

}  // namespace

std::vector<OpRecord> unary_ops() {
    std::vector<OpRecord> ops;
    for (const UnaryEntry& entry : kUnaryEntries) {
        bool integers_only = std::string_view(entry.name) == "bitwise_not";
        OpRecord op;
        op.name = entry.name;
        op.summary = entry.summary;
        op.inputs = {"data"};
        op.pattern = OpPattern::Elementwise;
        op.relation = integers_only ? integer_identity_relation : entry.relation;
        op.kernel = entry.kernel;
        op.c_element = unary_element;
        op.example = std::string("fn (%x: Tensor[(2, 3), ") + (integers_only ? "int32" : "float32") + "]) { " +
                     entry.name + "(%x) }";
        ops.push_back(std::move(op));
    }
    return ops;
}

}  // namespace partita
