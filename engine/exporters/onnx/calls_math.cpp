// Elementwise arithmetic, comparisons, reductions and products.
#include <algorithm>
#include <cmath>

#include "engine/exporters/onnx/call.h"
#include "engine/ops/reduce_plan.h"
#include "engine/ops/registry.h"

namespace partita::onnx_export {

namespace {

/// The name of an ONNX op as a template argument.
struct OpType {
    char text[24] = {};
    template <size_t N>
    consteval OpType(const char (&name)[N]) {
        std::copy_n(name, N, text);
    }
};

template <OpType kOp>
Names unary(Call& c) {
    return {c.node(kOp.text, {c.in(0)})};
}

template <OpType kOp>
Names real(Call& c) {
    c.require_floats();
    return {c.node(kOp.text, {c.in(0)})};
}

template <OpType kOp>
Names binary(Call& c) {
    return {c.binary(kOp.text, c.in(0), c.in(1))};
}

/// Writes a logical op. ONNX has And, Or, Xor and Not of bool only; Relay returns the type of the operands.
template <OpType kOp>
Names logical(Call& c) {
    Names inputs;
    for (size_t i = 0; i < c.argument_count(); ++i) inputs.push_back(c.cast(c.in(i), c.dtype(i), kBool));
    return {c.cast(c.node(kOp.text, inputs), kBool, c.result_dtype())};
}

Names identity(Call& c) { return {c.in(0)}; }

Names copy(Call& c) { return {c.node("Identity", {c.in(0)})}; }

Names not_equal(Call& c) { return {c.node("Not", {c.binary("Equal", c.in(0), c.in(1))})}; }

Names reciprocal_root(Call& c) {
    c.require_floats();
    return {c.node("Reciprocal", {c.node("Sqrt", {c.in(0)})})};
}

template <int kBase>
Names logarithm(Call& c) {
    c.require_floats();
    return {c.binary("Div", c.node("Log", {c.in(0)}), c.scalar(std::log(double(kBase)), c.dtype(0)))};
}

std::string truncated(Call& c, const std::string& x) {
    return c.binary("Mul", c.node("Sign", {x}), c.node("Floor", {c.node("Abs", {x})}));
}

Names trunc(Call& c) { return {c.dtype(0).is_float() ? truncated(c, c.in(0)) : c.in(0)}; }

/// Rounds halves away from zero, as Relay does; ONNX's Round rounds them to even.
Names round(Call& c) {
    if (!c.dtype(0).is_float()) return {c.in(0)};
    std::string size = c.node("Floor", {c.binary("Add", c.node("Abs", {c.in(0)}), c.scalar(0.5, c.dtype(0)))});
    return {c.binary("Mul", c.node("Sign", {c.in(0)}), size)};
}

template <OpType kOp>
Names rounding(Call& c) {
    return {c.dtype(0).is_float() ? c.node(kOp.text, {c.in(0)}) : c.in(0)};
}

Names is_finite(Call& c) {
    c.require_floats();
    std::string x = c.in(0);
    return {c.node("Not", {c.binary("Or", c.node("IsInf", {x}), c.node("IsNaN", {x}))})};
}

Names filled_like(Call& c, double value) { return {c.filled(c.result_shape(), value, c.result_dtype())}; }
Names zeros_like(Call& c) { return filled_like(c, 0); }
Names ones_like(Call& c) { return filled_like(c, 1); }

// --- division ---------------------------------------------------------------------------------------------------

Names trunc_divide(Call& c) {
    std::string quotient = c.binary("Div", c.in(0), c.in(1));
    return {c.dtype(0).is_float() ? truncated(c, quotient) : quotient};
}

/// Divides and rounds down: ONNX's Div cuts quotients of integers, which is one too many where the rest that has the
/// sign of b is not the one that has the sign of a.
Names floor_divide(Call& c) {
    const std::string a = c.in(0), b = c.in(1), quotient = c.binary("Div", a, b);
    const DataType dtype = c.dtype(0);
    if (dtype.is_float()) return {c.node("Floor", {quotient})};
    if (dtype.code == DataType::Code::UInt) return {quotient};
    const std::string cut = c.node("Mod", {a, b}, {{"fmod", int64_t(1)}});
    const std::string too_many = c.node("Not", {c.binary("Equal", c.binary("Mod", a, b), cut)});
    return {c.binary("Sub", quotient, c.cast(too_many, kBool, dtype))};
}

Names floor_mod(Call& c) {
    if (!c.dtype(0).is_float()) return {c.binary("Mod", c.in(0), c.in(1))};
    std::string whole = c.binary("Mul", c.node("Floor", {c.binary("Div", c.in(0), c.in(1))}), c.in(1));
    return {c.binary("Sub", c.in(0), whole)};
}

Names mod(Call& c) { return {c.node("Mod", {c.in(0), c.in(1)}, {{"fmod", int64_t(1)}})}; }

Names left_shift(Call& c) {
    if (c.dtype(0).code == DataType::Code::UInt)
        return {c.node("BitShift", {c.in(0), c.in(1)}, {{"direction", std::string("LEFT")}})};
    c.refuse("ONNX shifts unsigned integers only");
}

/// Shifts right. ONNX shifts unsigned integers only; for signed ones this divides by a power of two and rounds down.
Names right_shift(Call& c) {
    if (c.dtype(0).code == DataType::Code::UInt)
        return {c.node("BitShift", {c.in(0), c.in(1)}, {{"direction", std::string("RIGHT")}})};
    const Tensor* bits = c.constant(1);
    if (!bits) c.refuse("ONNX shifts unsigned integers only, unless the number of bits is constant");
    Tensor powers(bits->dtype(), bits->shape());
    for (int64_t i = 0; i < bits->size(); ++i) {
        if (bits->at(i) < 0 || bits->at(i) > std::min(30, c.dtype(0).bits - 2))
            c.refuse("the number of bits is out of range");
        powers.set(i, std::ldexp(1.0, int(bits->at(i))));
    }
    // The lowest number is a multiple of each power of two: what is taken away does not wrap.
    const std::string power = c.constant_value(powers);
    return {c.binary("Div", c.binary("Sub", c.in(0), c.binary("Mod", c.in(0), power)), power)};
}

// --- conversion -------------------------------------------------------------------------------------------------

/// Returns whether the operand is an argmin or argmax, which returns int64 in ONNX.
bool is_arg_reduce(Call& c, ExprId expr) {
    return !c.arguments_if(expr, "argmax").empty() || !c.arguments_if(expr, "argmin").empty();
}

std::string arg_reduce_of(Call& c, ExprId call);

Names cast(Call& c) {
    if (c.result_dtype() == kInt64 && is_arg_reduce(c, c.argument(0))) return {arg_reduce_of(c, c.argument(0))};
    return {c.cast(c.in(0), c.dtype(0), c.result_dtype())};
}

Names clip(Call& c) {
    DataType dtype = c.dtype(0);
    // If the bounds cross, ONNX returns the upper one and Relay the lower.
    const double low = c.attributes().real("a_min"), high = std::max(low, c.attributes().real("a_max"));
    return {c.node("Clip", {c.in(0), c.scalar(low, dtype), c.scalar(high, dtype)})};
}

/// Returns whether a call has the form `where(isnan(a), a, maximum(a, b))`: ONNX's Max propagates NaN itself.
bool only_keeps_nan(Call& c) {
    auto tested = c.arguments_if(c.argument(0), "isnan");
    if (tested.size() != 1 || tested[0] != c.argument(1)) return false;
    for (const char* op : {"maximum", "minimum"})
        if (auto operands = c.arguments_if(c.argument(2), op); operands.size() == 2 && operands[0] == tested[0])
            return true;
    return false;
}

Names where(Call& c) {
    if (only_keeps_nan(c)) return {c.value_of(c.argument(2))};
    return {c.node("Where", {c.cast(c.in(0), c.dtype(0), kBool), c.in(1), c.in(2)})};
}

// --- reductions -------------------------------------------------------------------------------------------------

struct Reduction {
    std::vector<int64_t> axes;
    bool keep_dims = false;
};

Reduction reduction_of(const Call& c, const AttributesView& attributes, int64_t rank) {
    Reduction reduction;
    auto axes = reduced_axes(attributes, size_t(rank));
    if (!axes) c.refuse(axes.error().message);
    reduction.axes = *axes;
    reduction.keep_dims = attributes.boolean("keepdims");
    return reduction;
}

std::string reduced(Call& c, std::string_view op_type, const std::string& x, const Reduction& reduction) {
    if (reduction.axes.empty()) return x;
    if (op_type == "ReduceSum")
        return c.node(op_type, {x, c.integers(reduction.axes)}, {{"keepdims", int64_t(reduction.keep_dims)}});
    return c.node(op_type, {x}, {{"axes", reduction.axes}, {"keepdims", int64_t(reduction.keep_dims)}});
}

template <OpType kOp>
Names reduce_bool(Call& c) {
    std::string number = c.cast(c.cast(c.in(0), c.dtype(0), kBool), kBool, kInt32);
    return {c.cast(reduced(c, kOp.text, number, reduction_of(c, c.attributes(), c.rank(0))), kInt32, c.result_dtype())};
}

/// The largest and the smallest of bool: ONNX has those of numbers only.
template <OpType kOp>
Names reduce_extreme(Call& c) {
    if (c.dtype(0).is_bool()) return reduce_bool<kOp>(c);
    return {reduced(c, kOp.text, c.in(0), reduction_of(c, c.attributes(), c.rank(0)))};
}

template <OpType kOp>
Names reduce(Call& c) {
    if (c.dtype(0).is_bool()) c.refuse("ONNX has it of numbers only");
    return {reduced(c, kOp.text, c.in(0), reduction_of(c, c.attributes(), c.rank(0)))};
}

Names variance(Call& c) {
    if (c.attributes().boolean("unbiased")) c.refuse("unbiased is not supported");
    std::string centred = c.binary("Sub", c.in(0), c.in(1));
    return {reduced(c, "ReduceMean", c.binary("Mul", centred, centred), reduction_of(c, c.attributes(), c.rank(0)))};
}

std::string arg_reduce_of(Call& c, ExprId call) {
    AttributesView attributes = attributes_of(c.module(), call);
    ExprId x = c.module().arguments(call)[0];
    Reduction reduction = reduction_of(c, attributes, int64_t(c.shape_of(x).size()));
    std::string_view op_type = attributes.op().name == "argmax" ? "ArgMax" : "ArgMin";
    std::string value = c.value_of(x);
    if (reduction.axes.size() != 1) {
        if (reduction.keep_dims || reduction.axes.size() != c.shape_of(x).size())
            c.refuse("ONNX takes the index along one axis only");
        value = c.reshape(value, {element_count(c.shape_of(x)).value_or(0)});
        reduction.axes = {0};
    }
    return c.node(op_type, {value},
                  {{"axis", reduction.axes[0]},
                   {"keepdims", int64_t(reduction.keep_dims)},
                   {"select_last_index", int64_t(attributes.boolean("select_last_index"))}});
}

Names arg_reduce(Call& c) { return {c.cast(arg_reduce_of(c, c.expr()), kInt64, c.result_dtype())}; }

Names cumulative_sum(Call& c) {
    DataType result = c.result_dtype();
    std::string x = c.cast(c.in(0), c.dtype(0), result);
    int64_t axis = 0;
    if (c.attributes().is_none("axis")) x = c.reshape(x, c.result_shape());
    else axis = c.axis("axis", c.rank(0));
    return {c.node("CumSum", {x, c.scalar(double(axis), kInt64)},
                   {{"exclusive", int64_t(c.attributes().boolean("exclusive"))}})};
}

// --- products ---------------------------------------------------------------------------------------------------

std::vector<int64_t> last_swapped(size_t rank) {
    std::vector<int64_t> axes;
    for (size_t i = 0; i < rank; ++i) axes.push_back(int64_t(i));
    std::swap(axes[rank - 1], axes[rank - 2]);
    return axes;
}

/// Multiplies matrices or stacks of them; the product of bytes is int32.
std::string product(Call& c, const std::string& a, const std::string& b) {
    DataType left = c.dtype(0), result = c.result_dtype();
    if (is_byte(left) && is_byte(c.dtype(1))) return c.cast(c.node("MatMulInteger", {a, b}), kInt32, result);
    return c.node("MatMul", {c.cast(a, left, result), c.cast(b, c.dtype(1), result)});
}

/// Returns the transpose of a matrix; for a transposed one the original matrix.
std::string matrix_transposed(Call& c, size_t index) {
    auto inner = c.arguments_if(c.argument(index), "transpose");
    return inner.empty() ? c.transpose(c.in(index), {1, 0}) : c.value_of(inner[0]);
}

Names dense(Call& c) {
    bool plain = c.rank(0) == 2 && c.dtype(0).is_float() && c.result_dtype() == c.dtype(0) && c.dtype(0) == c.dtype(1);
    if (plain) return {c.node("Gemm", {c.in(0), c.in(1)}, {{"transB", int64_t(1)}})};
    return {product(c, c.in(0), matrix_transposed(c, 1))};
}

Names matrix_product(Call& c) {
    std::string a = c.in(0), b = c.in(1);
    if (c.attributes().boolean("transpose_a")) a = c.transpose(a, last_swapped(c.shape(0).size()));
    if (c.attributes().boolean("transpose_b")) b = c.transpose(b, last_swapped(c.shape(1).size()));
    return {product(c, a, b)};
}

/// ONNX has no inverse; PyTorch's exporter writes ONNX Runtime's.
Names inverse(Call& c) { return c.nodes("Inverse", {c.in(0)}, 1, {}, "com.microsoft"); }

const CallWriterEntry kMathCallWriters[] = {
    {"abs", unary<"Abs">},
    {"acos", real<"Acos">},
    {"acosh", real<"Acosh">},
    {"add", binary<"Add">},
    {"all", reduce_bool<"ReduceMin">},
    {"annotation.bitpack_end", identity},
    {"annotation.bitpack_start", identity},
    {"annotation.cast_hint", identity},
    {"annotation.checkpoint", identity},
    {"annotation.compiler_begin", identity},
    {"annotation.compiler_end", identity},
    {"annotation.stop_fusion", identity},
    {"any", reduce_bool<"ReduceMax">},
    {"argmax", arg_reduce},
    {"argmin", arg_reduce},
    {"asin", real<"Asin">},
    {"asinh", real<"Asinh">},
    {"atan", real<"Atan">},
    {"atanh", real<"Atanh">},
    {"cast", cast},
    {"cast_like", cast},
    {"ceil", rounding<"Ceil">},
    {"clip", clip},
    {"copy", copy},
    {"cos", real<"Cos">},
    {"cosh", real<"Cosh">},
    {"cumsum", cumulative_sum},
    {"divide", binary<"Div">},
    {"equal", binary<"Equal">},
    {"erf", real<"Erf">},
    {"exp", real<"Exp">},
    {"fast_erf", real<"Erf">},
    {"fast_exp", real<"Exp">},
    {"fast_tanh", real<"Tanh">},
    {"floor", rounding<"Floor">},
    {"floor_divide", floor_divide},
    {"floor_mod", floor_mod},
    {"greater", binary<"Greater">},
    {"greater_equal", binary<"GreaterOrEqual">},
    {"isfinite", is_finite},
    {"isinf", real<"IsInf">},
    {"isnan", real<"IsNaN">},
    {"left_shift", left_shift},
    {"less", binary<"Less">},
    {"less_equal", binary<"LessOrEqual">},
    {"linalg.det", real<"Det">},
    {"linalg.inv", inverse},
    {"log", real<"Log">},
    {"log10", logarithm<10>},
    {"log2", logarithm<2>},
    {"logical_and", logical<"And">},
    {"logical_not", logical<"Not">},
    {"logical_or", logical<"Or">},
    {"logical_xor", logical<"Xor">},
    {"max", reduce_extreme<"ReduceMax">},
    {"maximum", binary<"Max">},
    {"mean", reduce<"ReduceMean">},
    {"min", reduce_extreme<"ReduceMin">},
    {"minimum", binary<"Min">},
    {"mod", mod},
    {"multiply", binary<"Mul">},
    {"negative", unary<"Neg">},
    {"nn.batch_matmul", matrix_product},
    {"nn.dense", dense},
    {"nn.matmul", matrix_product},
    {"not_equal", not_equal},
    {"ones_like", ones_like},
    {"power", binary<"Pow">},
    {"prod", reduce<"ReduceProd">},
    {"right_shift", right_shift},
    {"round", round},
    {"rsqrt", reciprocal_root},
    {"sigmoid", real<"Sigmoid">},
    {"sign", unary<"Sign">},
    {"sin", real<"Sin">},
    {"sinh", real<"Sinh">},
    {"sqrt", real<"Sqrt">},
    {"subtract", binary<"Sub">},
    {"sum", reduce<"ReduceSum">},
    {"tan", real<"Tan">},
    {"tanh", real<"Tanh">},
    {"trunc", trunc},
    {"trunc_divide", trunc_divide},
    {"trunc_mod", mod},
    {"variance", variance},
    {"where", where},
    {"zeros_like", zeros_like},
};

}  // namespace

std::span<const CallWriterEntry> math_call_writers() { return kMathCallWriters; }

}  // namespace partita::onnx_export
