// Elementwise arithmetic, comparison, activations and reductions of ATen.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/frontends/onnx/expressions.h"
#include "engine/frontends/torch/call.h"

namespace partita::torch {

namespace {

/// The name of an operator as a template argument.
struct OpName {
    char text[24] = {};
    template <size_t N>
    consteval OpName(const char (&name)[N]) {
        std::copy_n(name, N, text);
    }
};

ExprId self_in(Call& c, DataType dtype) { return c.build.cast(c.tensor("self"), dtype); }
ExprId self_as_result(Call& c) { return self_in(c, c.result_dtype()); }

ExprId same_kind(Call& c, ExprId x, double value) { return c.build.real(value, c.build.dtype(x)); }

// --- one to one -------------------------------------------------------------------------------------------------

/// Computed in the type of the result: the root of integers is real.
template <OpName kOp>
Exprs unary(Call& c) {
    return {c.build.call(kOp.text, {self_as_result(c)})};
}
/// The same by an operator of ONNX.
template <OpName kOp>
Exprs unary_of_onnx(Call& c) {
    return c.onnx(kOp.text, {self_as_result(c)});
}
/// A question about the operand.
template <OpName kOp>
Exprs asked(Call& c) {
    return {c.build.call(kOp.text, {c.tensor("self")})};
}
Exprs infinite(Call& c) { return c.onnx("IsInf", {c.tensor("self")}); }

Exprs identity(Call& c) {
    for (std::string_view name : {"self", "input"})
        if (c.has(name)) return {c.tensor(name)};
    return {c.tensor("a")};
}

Exprs exp_minus_one(Call& c) {
    const ExprId e = c.build.call("exp", {self_as_result(c)});
    return {c.build.subtract(e, same_kind(c, e, 1))};
}
Exprs log_of_one_plus(Call& c) {
    const ExprId x = self_as_result(c);
    return {c.build.call("log", {c.build.add(x, same_kind(c, x, 1))})};
}
Exprs silu(Call& c) {
    const ExprId x = c.tensor("self");
    return {c.build.multiply(x, c.build.call("sigmoid", {x}))};
}
Exprs log_sigmoid(Call& c) {
    const ExprId x = c.tensor("self");
    return {c.build.call("negative", {c.one("Softplus", {c.build.call("negative", {x})})})};
}
Exprs gelu(Call& c) {
    if (c.text("approximate", "none") == "tanh") {
        onnx::NodeContext n = c.context();
        return {onnx::gelu_by_tanh(n, c.tensor("self"))};
    }
    return c.onnx("Gelu", {c.tensor("self")});
}
Exprs hard_sigmoid(Call& c) { return c.onnx("HardSigmoid", {c.tensor("self")}, {{"alpha", 1 / 6.0}, {"beta", 0.5}}); }
Exprs leaky_relu(Call& c) {
    return c.onnx("LeakyRelu", {c.tensor("self")}, {{"alpha", c.real("negative_slope", 0.01)}});
}
Exprs elu(Call& c) {
    if (c.real("input_scale", 1) != 1) throw Fault{"only an input_scale of 1 is supported", {}};
    onnx::NodeContext n = c.context();
    return {onnx::scaled(n, c.one("Elu", {c.tensor("self")}, {{"alpha", c.real("alpha", 1)}}), c.real("scale", 1))};
}
Exprs softplus(Call& c) {
    const ExprId x = c.tensor("self");
    const double beta = c.real("beta", 1);
    onnx::NodeContext n = c.context();
    const ExprId steep = onnx::scaled(n, x, beta), soft = onnx::scaled(n, onnx::softplus_of(n, steep), 1 / beta);
    return {
        c.build.call("where", {c.build.call("greater", {steep, same_kind(c, x, c.real("threshold", 20))}), x, soft})};
}
Exprs parametric_relu(Call& c) {
    const ExprId x = c.tensor("self"), weight = c.tensor("weight");
    Integers shape = c.build.static_shape(weight);
    const int64_t rank = c.build.rank(x);
    if (shape.size() == 1 && rank > 2) shape.insert(shape.end(), size_t(rank - 2), 1);
    return c.onnx("PRelu", {x, c.build.reshape(weight, shape)});
}
Exprs relu6(Call& c) {
    const ExprId x = c.tensor("self");
    return c.onnx("Clip", {x, same_kind(c, x, 0), same_kind(c, x, 6)});
}
Exprs clipped(Call& c, std::string_view low, std::string_view high) {
    const DataType dtype = c.result_dtype();
    const auto bound = [&](std::string_view name) { return c.has(name) ? c.operand(name, dtype) : ExprId(); };
    return c.onnx("Clip", {self_in(c, dtype), bound(low), bound(high)});
}
Exprs clamp(Call& c) { return clipped(c, "min", "max"); }
Exprs hard_tanh(Call& c) {
    const ExprId x = c.tensor("self");
    const auto bound = [&](const char* name, double usual) { return same_kind(c, x, c.real(name, usual)); };
    return c.onnx("Clip", {x, bound("min_val", -1), bound("max_val", 1)});
}

// --- two operands -----------------------------------------------------------------------------------------------

ExprId times(Call& c, ExprId x, double factor) {
    onnx::NodeContext n = c.context();
    return onnx::scaled(n, x, factor);
}

Exprs add(Call& c) {
    const DataType dtype = c.result_dtype();
    return {c.build.add(self_in(c, dtype), times(c, c.operand("other", dtype), c.real("alpha", 1)))};
}
Exprs subtract(Call& c) {
    const DataType dtype = c.result_dtype();
    return {c.build.subtract(self_in(c, dtype), times(c, c.operand("other", dtype), c.real("alpha", 1)))};
}
Exprs subtract_from(Call& c) {
    const DataType dtype = c.result_dtype();
    return {c.build.subtract(c.operand("other", dtype), times(c, self_in(c, dtype), c.real("alpha", 1)))};
}
template <OpName kOp>
Exprs binary(Call& c) {
    const DataType dtype = c.result_dtype();
    return {c.build.call(kOp.text, {c.operand("self", dtype), c.operand("other", dtype)})};
}
template <OpName kOp>
Exprs compared(Call& c) {
    const DataType dtype = c.promoted({"self", "other"});
    return {c.build.call(kOp.text, {c.operand("self", dtype), c.operand("other", dtype)})};
}
template <OpName kOp>
Exprs extreme(Call& c) {
    const DataType dtype = c.result_dtype();
    return c.onnx(kOp.text, {self_in(c, dtype), c.operand("other", dtype)});
}
template <OpName kOp>
Exprs logical(Call& c) {
    return {c.build.call(kOp.text, {c.operand("self", kBool), c.operand("other", kBool)})};
}
Exprs logical_not(Call& c) { return {c.build.call("logical_not", {self_in(c, kBool)})}; }
template <OpName kOfBits, OpName kOfBools>
Exprs bitwise(Call& c) {
    const DataType dtype = c.result_dtype();
    return {c.build.call(dtype.is_bool() ? kOfBools.text : kOfBits.text,
                         {c.operand("self", dtype), c.operand("other", dtype)})};
}
Exprs bitwise_not(Call& c) {
    const ExprId x = c.tensor("self");
    return {c.build.call(c.build.dtype(x).is_bool() ? "logical_not" : "bitwise_not", {x})};
}

/// Division, with the quotient as it is, or rounded down or toward zero.
Exprs quotient(Call& c, std::string_view mode) {
    const DataType dtype = c.result_dtype();
    const ExprId a = c.operand("self", dtype), b = c.operand("other", dtype);
    if (mode.empty()) return {c.build.divide(a, b)};
    if (!dtype.is_float()) return {c.build.call(mode == "floor" ? "floor_divide" : "trunc_divide", {a, b})};
    return {c.build.call(mode == "floor" ? "floor" : "trunc", {c.build.divide(a, b)})};
}
Exprs divide(Call& c) { return quotient(c, c.text("rounding_mode", "")); }
Exprs floor_divide(Call& c) { return quotient(c, "floor"); }

Exprs power(Call& c) {
    const DataType dtype = c.result_dtype();
    return {c.build.call("power", {c.operand("self", dtype), c.operand("exponent", dtype)})};
}
Exprs where(Call& c) {
    const DataType dtype = c.result_dtype();
    return {
        c.build.call("where", {c.operand("condition", kBool), c.operand("self", dtype), c.operand("other", dtype)})};
}
Exprs masked_fill(Call& c) {
    const ExprId x = c.tensor("self");
    return {c.build.call("where", {c.operand("mask", kBool), c.operand("value", c.build.dtype(x)), x})};
}
/// self + value * tensor1 * tensor2, or with a quotient of both.
Exprs add_product(Call& c, bool divides) {
    const DataType dtype = c.result_dtype();
    const ExprId a = c.operand("tensor1", dtype), b = c.operand("tensor2", dtype);
    const ExprId both = divides ? c.build.divide(a, b) : c.build.multiply(a, b);
    return {c.build.add(self_in(c, dtype), times(c, both, c.real("value", 1)))};
}
Exprs addcmul(Call& c) { return add_product(c, false); }
Exprs addcdiv(Call& c) { return add_product(c, true); }

// --- reductions -------------------------------------------------------------------------------------------------

/// The axes of a reduction; none given, or an empty list, are all.
Integers axes_of(Call& c, int64_t rank) {
    Integers axes = c.integers("dim");
    for (int64_t& axis : axes) {
        if (axis < -rank || axis >= std::max<int64_t>(rank, 1)) throw Fault{"an axis is out of range", {}};
        if (axis < 0) axis += rank;
    }
    if (axes.empty())
        for (int64_t i = 0; i < rank; ++i) axes.push_back(i);
    return axes;
}

ExprId reduced(Call& c, const char* op, ExprId x, const Integers& axes, bool keep) {
    if (c.build.rank(x) == 0) return x;
    return c.build.call(op, {x}, {{"axis", onnx::integer_attribute(axes)}, {"keepdims", keep}, {"exclude", false}});
}
ExprId reduced(Call& c, const char* op, ExprId x) {
    return reduced(c, op, x, axes_of(c, c.build.rank(x)), c.flag("keepdim", false));
}

template <OpName kOp>
Exprs reduction(Call& c) {
    return {reduced(c, kOp.text, self_as_result(c))};
}
template <OpName kOp>
Exprs reduction_of_bools(Call& c) {
    return {reduced(c, kOp.text, self_in(c, kBool))};
}
Exprs log_sum_exp(Call& c) {
    const ExprId x = c.tensor("self");
    return c.onnx("ReduceLogSumExp", {x, c.build.integers(axes_of(c, c.build.rank(x)))},
                  {{"keepdims", int64_t(c.flag("keepdim", false))}});
}

struct Moments {
    ExprId variance, mean;
};
/// Variance and mean; the divisor is less by `correction`, which older overloads call `unbiased`.
Moments moments(Call& c) {
    const ExprId x = c.tensor("self");
    const Integers shape = c.build.static_shape(x), axes = axes_of(c, int64_t(shape.size()));
    const bool keep = c.flag("keepdim", false);
    double count = 1;
    for (int64_t axis : axes) count *= double(shape[size_t(axis)]);
    const double divisor = count - (c.has("unbiased") ? double(c.flag("unbiased", true)) : c.real("correction", 1));
    const ExprId centred = c.build.subtract(x, reduced(c, "mean", x, axes, true));
    const ExprId sum = reduced(c, "sum", c.build.multiply(centred, centred), axes, keep);
    return {c.build.divide(sum, same_kind(c, x, std::max(divisor, 0.0))), reduced(c, "mean", x, axes, keep)};
}
Exprs variance(Call& c) { return {moments(c).variance}; }
Exprs deviation(Call& c) { return {c.build.call("sqrt", {moments(c).variance})}; }
Exprs variance_and_mean(Call& c) {
    const Moments both = moments(c);
    return {both.variance, both.mean};
}

ExprId place_of_extreme(Call& c, const char* op, ExprId x, int64_t axis, bool keep) {
    const ExprId place = c.build.call(
        op, {x}, {{"axis", onnx::integer_attribute(std::span(&axis, 1))}, {"keepdims", keep}, {"exclude", false}});
    return c.build.cast(place, kInt64);
}
/// Values and places along one axis: max.dim and min.dim.
template <OpName kOp, OpName kPlace>
Exprs extreme_along(Call& c) {
    const ExprId x = c.tensor("self");
    const bool keep = c.flag("keepdim", false);
    const int64_t axis = c.axis("dim", 0, c.build.rank(x));
    Exprs results{reduced(c, kOp.text, x, {axis}, keep)};
    if (c.wants(1)) results.push_back(place_of_extreme(c, kPlace.text, x, axis, keep));
    return results;
}
template <OpName kOp>
Exprs place(Call& c) {
    ExprId x = c.tensor("self");
    if (c.has("dim"))
        return {place_of_extreme(c, kOp.text, x, c.axis("dim", 0, c.build.rank(x)), c.flag("keepdim", false))};
    const Integers shape = c.build.static_shape(x);
    x = c.build.reshape(x, Integers{element_count(shape).value_or(0)});
    return {place_of_extreme(c, kOp.text, x, 0, false)};
}
template <OpName kOp>
Exprs cumulative(Call& c) {
    const ExprId x = self_as_result(c);
    if (c.build.rank(x) == 0) return {x};
    return {c.build.call(kOp.text, {x}, {{"axis", int(c.axis("dim", 0, c.build.rank(x)))}})};
}

template <OpName kOp>
Exprs share(Call& c) {
    ExprId x = self_as_result(c);
    return {c.build.call(kOp.text, {x}, {{"axis", int(c.axis("dim", -1, c.build.rank(x)))}})};
}

/// The largest, or the smallest, along an axis, sorted; and their places.
Exprs top(Call& c, int64_t count, bool largest) {
    const ExprId x = c.tensor("self");
    const int64_t axis = c.axis("dim", -1, c.build.rank(x));
    if (count < 0) count = c.build.static_shape(x)[size_t(axis)];
    return c.onnx("TopK", {x, c.build.integers(Integers{count})},
                  {{"axis", axis}, {"largest", int64_t(largest)}, {"sorted", int64_t(1)}}, 2);
}
Exprs top_k(Call& c) { return top(c, c.integer("k", 0), c.flag("largest", true)); }
Exprs sort(Call& c) { return top(c, -1, c.flag("descending", false)); }
Exprs argsort(Call& c) { return {sort(c)[1]}; }

const ConverterEntry kMathConverters[] = {
    {"aten._log_softmax", share<"nn.log_softmax">},
    {"aten._softmax", share<"nn.softmax">},
    {"aten.abs", unary<"abs">},
    {"aten.acos", unary<"acos">},
    {"aten.acosh", unary<"acosh">},
    {"aten.add", add},
    {"aten.addcdiv", addcdiv},
    {"aten.addcmul", addcmul},
    {"aten.alias", identity},
    {"aten.all", reduction_of_bools<"all">},
    {"aten.amax", reduction<"max">},
    {"aten.amin", reduction<"min">},
    {"aten.any", reduction_of_bools<"any">},
    {"aten.argmax", place<"argmax">},
    {"aten.argmin", place<"argmin">},
    {"aten.argsort", argsort},
    {"aten.asin", unary<"asin">},
    {"aten.asinh", unary<"asinh">},
    {"aten.atan", unary<"atan">},
    {"aten.atanh", unary<"atanh">},
    {"aten.bitwise_and", bitwise<"bitwise_and", "logical_and">},
    {"aten.bitwise_left_shift", binary<"left_shift">},
    {"aten.bitwise_not", bitwise_not},
    {"aten.bitwise_or", bitwise<"bitwise_or", "logical_or">},
    {"aten.bitwise_right_shift", binary<"right_shift">},
    {"aten.bitwise_xor", bitwise<"bitwise_xor", "logical_xor">},
    {"aten.ceil", unary<"ceil">},
    {"aten.clamp", clamp},
    {"aten.clip", clamp},
    {"aten.clone", identity},
    {"aten.contiguous", identity},
    {"aten.cos", unary<"cos">},
    {"aten.cosh", unary<"cosh">},
    {"aten.cumprod", cumulative<"cumprod">},
    {"aten.cumsum", cumulative<"cumsum">},
    {"aten.detach", identity},
    {"aten.detach_", identity},
    {"aten.div", divide},
    {"aten.elu", elu},
    {"aten.eq", compared<"equal">},
    {"aten.erf", unary<"erf">},
    {"aten.exp", unary<"exp">},
    {"aten.expm1", exp_minus_one},
    {"aten.floor", unary<"floor">},
    {"aten.floor_divide", floor_divide},
    {"aten.fmod", binary<"mod">},
    {"aten.ge", compared<"greater_equal">},
    {"aten.gelu", gelu},
    {"aten.gt", compared<"greater">},
    {"aten.hardsigmoid", hard_sigmoid},
    {"aten.hardswish", unary_of_onnx<"HardSwish">},
    {"aten.hardtanh", hard_tanh},
    {"aten.isfinite", asked<"isfinite">},
    {"aten.isinf", infinite},
    {"aten.isnan", asked<"isnan">},
    {"aten.le", compared<"less_equal">},
    {"aten.leaky_relu", leaky_relu},
    {"aten.lift_fresh", identity},
    {"aten.log", unary<"log">},
    {"aten.log10", unary<"log10">},
    {"aten.log1p", log_of_one_plus},
    {"aten.log2", unary<"log2">},
    {"aten.log_sigmoid", log_sigmoid},
    {"aten.log_softmax", share<"nn.log_softmax">},
    {"aten.logical_and", logical<"logical_and">},
    {"aten.logical_not", logical_not},
    {"aten.logical_or", logical<"logical_or">},
    {"aten.logical_xor", logical<"logical_xor">},
    {"aten.logsumexp", log_sum_exp},
    {"aten.lt", compared<"less">},
    {"aten.masked_fill", masked_fill},
    {"aten.max.default", reduction<"max">},
    {"aten.max.dim", extreme_along<"max", "argmax">},
    {"aten.max.other", extreme<"Max">},
    {"aten.maximum", extreme<"Max">},
    {"aten.mean", reduction<"mean">},
    {"aten.min.default", reduction<"min">},
    {"aten.min.dim", extreme_along<"min", "argmin">},
    {"aten.min.other", extreme<"Min">},
    {"aten.minimum", extreme<"Min">},
    {"aten.mish", unary_of_onnx<"Mish">},
    {"aten.mul", binary<"multiply">},
    {"aten.ne", compared<"not_equal">},
    {"aten.neg", unary<"negative">},
    {"aten.pow", power},
    {"aten.prelu", parametric_relu},
    {"aten._prelu_kernel", parametric_relu},
    {"aten.prod", reduction<"prod">},
    {"aten.reciprocal", unary_of_onnx<"Reciprocal">},
    {"aten.relu", unary<"nn.relu">},
    {"aten.relu6", relu6},
    {"aten.remainder", binary<"floor_mod">},
    {"aten.round.default", unary_of_onnx<"Round">},
    {"aten.rsqrt", unary<"rsqrt">},
    {"aten.rsub", subtract_from},
    {"aten.sigmoid", unary<"sigmoid">},
    {"aten.sign", unary<"sign">},
    {"aten.silu", silu},
    {"aten.sin", unary<"sin">},
    {"aten.sinh", unary<"sinh">},
    {"aten.softmax", share<"nn.softmax">},
    {"aten.softplus", softplus},
    {"aten.sort", sort},
    {"aten.sqrt", unary<"sqrt">},
    {"aten.std", deviation},
    {"aten.sub", subtract},
    {"aten.sum", reduction<"sum">},
    {"aten.tan", unary<"tan">},
    {"aten.tanh", unary<"tanh">},
    {"aten.topk", top_k},
    {"aten.trunc", unary<"trunc">},
    {"aten.var", variance},
    {"aten.var_mean", variance_and_mean},
    {"aten.where", where},
    {"dim_order_ops._clone_dim_order", identity},
};

}  // namespace

std::span<const ConverterEntry> math_converters() { return kMathConverters; }

}  // namespace partita::torch
