// Elementwise arithmetic, comparison, activations, reductions and products of ONNX.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"
#include "engine/ops/registry.h"
#include "engine/support/number_text.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

// --- one to one -------------------------------------------------------------------------------------------------

/// The name of an op as a template argument.
struct OpName {
    char text[24] = {};
    template <size_t N>
    consteval OpName(const char (&name)[N]) {
        std::copy_n(name, N, text);
    }
};

template <OpName kOp>
Exprs unary(NodeContext& n) {
    return {n.build.call(kOp.text, {n.input(0)})};
}
/// Before operator set 7, an axis said where the second operand's shape begins in the first one's.
void refuse_other_broadcasts(NodeContext& n) {
    if (!n.has_attribute("axis")) return;
    const int64_t rank = n.build.rank(n.input(0));
    if (n.axis(n.integer("axis", 0), rank) != rank - n.build.rank(n.input(1)))
        throw Fault{"its broadcast along this axis is not supported", {}};
}

template <OpName kOp>
Exprs binary(NodeContext& n) {
    refuse_other_broadcasts(n);
    return {n.build.call(kOp.text, {n.input(0), n.input(1)})};
}
/// Folds a variadic op from the left; a single input is the result itself.
template <OpName kOp>
Exprs variadic(NodeContext& n) {
    ExprId result = n.input(0);
    for (size_t i = 1; i < n.input_count(); ++i) result = n.build.call(kOp.text, {result, n.input(i)});
    return {result};
}

bool is_number_for_sure(const Tensor* known) {
    for (int64_t i = 0; known && i < known->size(); ++i)
        if (std::isnan(known->at(i))) return false;
    return known;
}

/// Returns the extremum of two values; NaN if one of them is. Relay's maximum and minimum return the second operand
/// then.
template <OpName kOp>
ExprId extreme_of(NodeContext& n, ExprId a, ExprId b) {
    if (is_number_for_sure(n.build.value(b))) std::swap(a, b);
    ExprId chosen = n.build.call(kOp.text, {a, b});
    if (!n.build.dtype(a).is_float() || is_number_for_sure(n.build.value(a))) return chosen;
    return n.build.call("where", {n.build.call("isnan", {a}), a, chosen});
}

template <OpName kOp>
Exprs extreme(NodeContext& n) {
    ExprId result = n.input(0);
    for (size_t i = 1; i < n.input_count(); ++i) result = extreme_of<kOp>(n, result, n.input(i));
    return {result};
}

/// Converts Not. ONNX has no NotEqual, so Not of Equal becomes one.
Exprs negation(NodeContext& n) {
    Module& module = n.build.module();
    ExprId x = n.input(0);
    const OpRecord* op = called_op_record(module, x);
    if (!op || op->name != "equal") return {n.build.call("logical_not", {x})};
    ExprId left = module.arguments(x)[0], right = module.arguments(x)[1];
    return {n.build.call("not_equal", {left, right})};
}

Exprs identity(NodeContext& n) { return {n.input(0)}; }

Exprs reciprocal(NodeContext& n) { return {n.build.divide(like(n, n.input(0), 1), n.input(0))}; }

Exprs round(NodeContext& n) { return {round_half_even(n.build, n.input(0))}; }

/// Returns the type in which a power is computed: one that has the values of the base and, as far as any has, of the
/// exponents, whose type may be another one.
DataType type_of_power(DataType base, DataType exponent, const Tensor* known) {
    if (exponent == base) return base;
    if (!base.is_float()) {
        const auto is_whole = [&](int64_t i) {
            return std::floor(known->at(i)) == known->at(i) && std::fabs(known->at(i)) < 0x1p31;
        };
        bool whole = !exponent.is_float() || known;
        for (int64_t i = 0; exponent.is_float() && known && i < known->size(); ++i) whole = whole && is_whole(i);
        return whole ? kInt64 : kFloat64;
    }
    if (exponent.is_float()) return exponent.bits > base.bits ? exponent : base;
    const double most = base == kFloat64 ? 0x1p53 : base == kFloat32 ? 0x1p24 : 0x1p8;
    bool held = known || std::ldexp(1, exponent.bits) <= most;
    for (int64_t i = 0; known && i < known->size(); ++i) held = held && std::fabs(known->at(i)) <= most;
    return held ? base : kFloat64;
}

Exprs power(NodeContext& n) {
    const DataType base = n.build.dtype(n.input(0));
    const DataType wide = type_of_power(base, n.build.dtype(n.input(1)), n.build.value(n.input(1)));
    const ExprId made = n.build.call("power", {n.build.cast(n.input(0), wide), n.build.cast(n.input(1), wide)});
    return {n.build.cast(made, base)};
}

Exprs modulo(NodeContext& n) {
    const bool like_fmod = n.integer("fmod", 0) != 0;
    if (!like_fmod && n.build.dtype(n.input(0)).is_float()) throw Fault{"floating-point numbers need fmod=1", {}};
    return {n.build.call(like_fmod ? "mod" : "floor_mod", {n.input(0), n.input(1)})};
}

Exprs bit_shift(NodeContext& n) {
    const bool left = n.choice("direction", {"LEFT", "RIGHT"}) == "LEFT";
    return {n.build.call(left ? "left_shift" : "right_shift", {n.input(0), n.input(1)})};
}

Exprs mean(NodeContext& n) {
    ExprId sum = n.input(0);
    for (size_t i = 1; i < n.input_count(); ++i) sum = n.build.add(sum, n.input(i));
    return {n.build.divide(sum, like(n, sum, double(n.input_count())))};
}

Exprs where(NodeContext& n) { return {n.build.call("where", {n.input(0), n.input(1), n.input(2)})}; }

Exprs clip(NodeContext& n) {
    ExprId result = n.input(0);
    DataType dtype = n.build.dtype(result);
    if (n.opset() < 11) {
        // The bound comes first: Relay returns the second operand if one is NaN.
        if (n.has_attribute("min")) result = n.build.call("maximum", {n.build.real(n.real("min", 0), dtype), result});
        if (n.has_attribute("max")) result = n.build.call("minimum", {n.build.real(n.real("max", 0), dtype), result});
        return {result};
    }
    const Tensor* low = n.has(1) ? n.build.value(n.input(1)) : nullptr;
    const Tensor* high = n.has(2) ? n.build.value(n.input(2)) : nullptr;
    // If the bounds cross, Relay's clip returns the lower one.
    if (dtype == kFloat32 && low && high && low->size() == 1 && high->size() == 1 && low->at(0) <= high->at(0))
        return {
            n.build.call("clip", {result},
                         {{"a_min", fewest_digits(float(low->at(0)))}, {"a_max", fewest_digits(float(high->at(0)))}})};
    if (n.has(1)) result = n.build.call("maximum", {n.input(1), result});
    if (n.has(2)) result = n.build.call("minimum", {n.input(2), result});
    return {result};
}

Exprs is_infinite(NodeContext& n) {
    ExprId x = n.input(0);
    bool positive = n.integer("detect_positive", 1), negative = n.integer("detect_negative", 1);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    ExprId above = n.build.call("equal", {x, like(n, x, kInfinity)});
    ExprId below = n.build.call("equal", {x, like(n, x, -kInfinity)});
    if (positive && negative) return {n.build.call("logical_or", {above, below})};
    if (positive || negative) return {positive ? above : below};
    return {n.build.call("logical_and", {above, below})};
}

// --- activations ------------------------------------------------------------------------------------------------

Exprs elu(NodeContext& n) { return {elu_of(n, n.input(0), n.real("alpha", 1.0))}; }

Exprs selu(NodeContext& n) {
    ExprId y = elu_of(n, n.input(0), n.real("alpha", 1.67326319217681884765625));
    return {scaled(n, y, n.real("gamma", 1.05070102214813232421875))};
}

Exprs celu(NodeContext& n) {
    ExprId x = n.input(0);
    double alpha = n.real("alpha", 1.0);
    ExprId grown = n.build.subtract(n.build.call("exp", {n.build.divide(x, like(n, x, alpha))}), like(n, x, 1));
    ExprId zero = like(n, x, 0);
    return {n.build.add(n.build.call("maximum", {zero, x}), n.build.call("minimum", {zero, scaled(n, grown, alpha)}))};
}

Exprs hard_sigmoid(NodeContext& n) {
    return {hard_sigmoid_of(n, n.input(0), n.real("alpha", 0.2), n.real("beta", 0.5))};
}

Exprs hard_swish(NodeContext& n) {
    return {n.build.multiply(n.input(0), hard_sigmoid_of(n, n.input(0), 1.0 / 6.0, 0.5))};
}

Exprs leaky_relu(NodeContext& n) {
    return {n.build.call("nn.leaky_relu", {n.input(0)}, {{"alpha", n.real("alpha", 0.01)}})};
}

Exprs parametric_relu(NodeContext& n) {
    ExprId x = n.input(0), slope = n.input(1);
    Integers shape = n.build.shape(x), slope_shape = n.build.shape(slope);
    // Before operator set 7 the slope could be a vector over the channels.
    if (n.opset() < 7 && slope_shape.size() == 1 && shape.size() > 2 && slope_shape[0] == shape[1]) {
        slope_shape.insert(slope_shape.end(), shape.size() - 2, 1);
        slope = n.build.reshape(slope, slope_shape);
    }
    return {n.build.call("where", {n.build.call("less", {x, like(n, x, 0)}), n.build.multiply(x, slope), x})};
}

Exprs thresholded_relu(NodeContext& n) { return {thresholded_relu_of(n, n.input(0), n.real("alpha", 1.0))}; }

Exprs softplus(NodeContext& n) { return {softplus_of(n, n.input(0))}; }

Exprs softsign(NodeContext& n) { return {softsign_of(n, n.input(0))}; }

Exprs mish(NodeContext& n) {
    return {n.build.multiply(n.input(0), n.build.call("tanh", {softplus_of(n, n.input(0))}))};
}

Exprs shrink(NodeContext& n) {
    ExprId x = n.input(0);
    double bias = n.real("bias", 0), lambda = n.real("lambd", 0.5);
    ExprId above = n.build.call("greater", {x, like(n, x, lambda)}),
           below = n.build.call("less", {x, like(n, x, -lambda)});
    ExprId low = n.build.call("where", {below, n.build.add(x, like(n, x, bias)), like(n, x, 0)});
    return {n.build.call("where", {above, n.build.subtract(x, like(n, x, bias)), low})};
}

// --- reductions -------------------------------------------------------------------------------------------------

struct Reduction {
    Integers axes;
    bool keep_dims = true;
    bool nothing = false;  ///< noop_with_empty_axes
};

Reduction reduction_of(NodeContext& n) {
    Reduction reduction;
    bool axes_as_input = n.opset() >= 18 || (n.opset() >= 13 && n.node().op_type == "ReduceSum");
    if (axes_as_input && n.has(1)) reduction.axes = n.known_integers(1);
    if (!axes_as_input || n.has_attribute("axes")) reduction.axes = n.integers("axes", reduction.axes);
    reduction.keep_dims = n.integer("keepdims", 1);
    reduction.nothing = n.integer("noop_with_empty_axes", 0) && reduction.axes.empty();
    int64_t rank = n.build.rank(n.input(0));
    for (int64_t& axis : reduction.axes) axis = n.axis(axis, rank);
    if (reduction.axes.empty())
        for (int64_t i = 0; i < rank; ++i) reduction.axes.push_back(i);
    return reduction;
}

ExprId reduce(NodeContext& n, const char* op, ExprId x, const Reduction& reduction) {
    if (reduction.nothing || n.build.rank(x) == 0) return x;
    return n.build.call(
        op, {x}, {{"axis", integer_attribute(reduction.axes)}, {"keepdims", reduction.keep_dims}, {"exclude", false}});
}

Exprs reduce_sum(NodeContext& n) { return {reduce(n, "sum", n.input(0), reduction_of(n))}; }
Exprs reduce_mean(NodeContext& n) { return {reduce(n, "mean", n.input(0), reduction_of(n))}; }
Exprs reduce_max(NodeContext& n) { return {reduce(n, "max", n.input(0), reduction_of(n))}; }
Exprs reduce_min(NodeContext& n) { return {reduce(n, "min", n.input(0), reduction_of(n))}; }
Exprs reduce_prod(NodeContext& n) { return {reduce(n, "prod", n.input(0), reduction_of(n))}; }
Exprs reduce_l1(NodeContext& n) { return {reduce(n, "sum", n.build.call("abs", {n.input(0)}), reduction_of(n))}; }
ExprId sum_of_squares(NodeContext& n, ExprId x) { return reduce(n, "sum", n.build.multiply(x, x), reduction_of(n)); }
Exprs reduce_sum_square(NodeContext& n) { return {sum_of_squares(n, n.input(0))}; }

/// Of integers the squares may overflow where the root of their sum does not.
Exprs reduce_l2(NodeContext& n) {
    const DataType dtype = n.build.dtype(n.input(0));
    const ExprId x = dtype.is_float() ? n.input(0) : n.build.cast(n.input(0), kFloat64);
    return {n.build.cast(n.build.call("sqrt", {sum_of_squares(n, x)}), dtype)};
}

Exprs reduce_log_sum(NodeContext& n) { return {n.build.call("log", {reduce_sum(n)[0]})}; }

Exprs reduce_log_sum_exp(NodeContext& n) {
    Reduction reduction = reduction_of(n), kept = reduction;
    if (reduction.nothing) return {n.input(0)};
    kept.keep_dims = true;
    ExprId largest = reduce(n, "max", n.input(0), kept);
    ExprId sum = reduce(n, "sum", n.build.call("exp", {n.build.subtract(n.input(0), largest)}), reduction);
    return {n.build.add(n.build.call("log", {sum}), reduce(n, "max", n.input(0), reduction))};
}

Exprs arg_reduce(NodeContext& n, const char* op) {
    ExprId x = n.input(0);
    int64_t axis = n.axis(n.integer("axis", 0), n.build.rank(x));
    bool keep = n.integer("keepdims", 1), last = n.integer("select_last_index", 0);
    if (last) x = n.build.call("reverse", {x}, {{"axis", int(axis)}});
    ExprId index = n.build.call(
        op, {x}, {{"axis", integer_attribute(std::span(&axis, 1))}, {"keepdims", keep}, {"exclude", false}});
    index = n.build.cast(index, kInt64);
    if (last) index = n.build.subtract(n.build.constant(n.build.static_shape(x)[size_t(axis)] - 1, kInt64), index);
    return {index};
}

Exprs arg_max(NodeContext& n) { return arg_reduce(n, "argmax"); }
Exprs arg_min(NodeContext& n) { return arg_reduce(n, "argmin"); }

Exprs cumulative_sum(NodeContext& n) {
    ExprId x = n.input(0);
    Integers given = n.known_integers(1);
    if (given.size() != 1) throw Fault{"the axis must be one integer", {}};
    int64_t axis = n.axis(given[0], n.build.rank(x));
    bool reverse = n.integer("reverse", 0);
    if (reverse) x = n.build.call("reverse", {x}, {{"axis", int(axis)}});
    x = n.build.call("cumsum", {x}, {{"axis", int(axis)}, {"exclusive", n.integer("exclusive", 0) != 0}});
    if (reverse) x = n.build.call("reverse", {x}, {{"axis", int(axis)}});
    return {x};
}

// --- products ---------------------------------------------------------------------------------------------------

Exprs mat_mul(NodeContext& n) { return {matrix_product(n.build, n.input(0), n.input(1))}; }

Exprs gemm(NodeContext& n) {
    const int64_t swapped[] = {1, 0};
    ExprId a = n.input(0), b = n.input(1);
    if (n.build.rank(a) != 2 || n.build.rank(b) != 2) throw Fault{"its operands must be matrices", {}};
    if (n.integer("transA", 0)) a = n.build.transpose(a, swapped);
    if (!n.integer("transB", 0)) b = n.build.transpose(b, swapped);
    ExprId result = n.build.call("nn.dense", {a, b}, {{"units", int(n.build.shape(b)[0])}});
    result = scaled(n, result, n.real("alpha", 1.0));
    const double beta = n.real("beta", 1.0);
    if (!n.has(2) || beta == 0) return {result};
    return {n.build.add(result, scaled(n, n.input(2), beta))};
}

/// Returns the labels of an operand: one letter for each axis. The axes under "..." get characters from 128 up, counted
/// from the right, so that they broadcast as in NumPy.
std::string axis_labels(std::string_view text, size_t rank) {
    std::string labels;
    size_t dots = text.find("...");
    size_t named = text.size() - (dots == std::string_view::npos ? 0 : 3);
    if (named > rank || (dots == std::string_view::npos && named != rank))
        throw Fault{"the equation does not fit its operands", {}};
    for (size_t i = 0; i < text.size(); ++i) {
        if (i == dots) {
            size_t extra = rank - named;
            if (extra > 26) throw Fault{"the equation has too many axes", {}};
            for (size_t k = 0; k < extra; ++k) labels += char(128 + (extra - 1 - k));
            i += 2;
        } else if (std::isalpha(static_cast<unsigned char>(text[i]))) {
            labels += text[i];
        } else {
            throw Fault{"the equation is malformed", {}};
        }
    }
    return labels;
}

/// Takes the diagonal of axes whose label is repeated.
ExprId take_diagonals(NodeContext& n, ExprId x, std::string& labels) {
    for (size_t i = 0; i < labels.size(); ++i) {
        size_t j = labels.find(labels[i], i + 1);
        if (j == std::string::npos) continue;
        Integers axes, shape = n.build.static_shape(x);
        if (shape[i] != shape[j]) throw Fault{"the equation takes a diagonal of unequal extents", {}};
        int64_t extent = shape[i];
        std::string rest;
        for (size_t k = 0; k < labels.size(); ++k)
            if (k != i && k != j) axes.push_back(int64_t(k)), rest += labels[k];
        Integers flat;
        for (int64_t axis : axes) flat.push_back(shape[size_t(axis)]);
        axes.push_back(int64_t(i));
        axes.push_back(int64_t(j));
        flat.push_back(extent * extent);
        x = n.build.reshape(n.build.transpose(x, axes), flat);
        int64_t last = int64_t(flat.size()) - 1, zero = 0, end = extent * extent, step = extent + 1;
        x = n.build.call("strided_slice", {x},
                         {{"begin", integer_attribute(std::span(&zero, 1))},
                          {"end", integer_attribute(std::span(&end, 1))},
                          {"strides", integer_attribute(std::span(&step, 1))},
                          {"axes", integer_attribute(std::span(&last, 1))}});
        labels = rest + labels[i];
        i = size_t(-1);
    }
    return x;
}

/// Permutes the axes of x into the order of `all`, with extent 1 for missing labels.
ExprId spread(NodeContext& n, ExprId x, const std::string& labels, const std::string& all) {
    Integers axes, shape = n.build.static_shape(x), spread_shape;
    for (char label : all) {
        size_t at = labels.find(label);
        if (at != std::string::npos) axes.push_back(int64_t(at));
        spread_shape.push_back(at == std::string::npos ? 1 : shape[at]);
    }
    if (axes.size() > 1) x = n.build.transpose(x, axes);
    return n.build.reshape(x, spread_shape);
}

Exprs einsum(NodeContext& n) {
    std::string equation = n.string("equation", "");
    std::erase(equation, ' ');
    size_t arrow = equation.find("->");
    std::string left = equation.substr(0, arrow);
    std::vector<std::string> labels;
    std::vector<ExprId> operands;
    std::map<char, int> letters;
    for (size_t i = 0, begin = 0; i < n.input_count(); ++i) {
        if (begin > left.size()) throw Fault{"the equation has fewer terms than there are operands", {}};
        size_t end = std::min(left.find(',', begin), left.size());
        labels.push_back(axis_labels(left.substr(begin, end - begin), size_t(n.build.rank(n.input(i)))));
        for (char label : labels.back()) ++letters[label];
        operands.push_back(take_diagonals(n, n.input(i), labels.back()));
        begin = end + 1;
    }
    std::string dots, result, all;
    for (auto& [label, count] : letters)
        if (static_cast<unsigned char>(label) >= 128) dots.insert(0, 1, label);
    if (arrow == std::string::npos) {
        result = dots;
        for (auto& [label, count] : letters)
            if (static_cast<unsigned char>(label) < 128 && count == 1) result += label;
    } else {
        std::string right = equation.substr(arrow + 2);
        size_t at = right.find("...");
        result = at == std::string::npos ? right : right.substr(0, at) + dots + right.substr(at + 3);
    }
    all = result;
    for (auto& [label, count] : letters)
        if (all.find(label) == std::string::npos) all += label;
    for (char label : result)
        if (!letters.contains(label)) throw Fault{"the equation's result has an axis that no operand has", {}};
    ExprId product;
    for (size_t i = 0; i < operands.size(); ++i) {
        ExprId operand = spread(n, operands[i], labels[i], all);
        product = i ? n.build.multiply(product, operand) : operand;
    }
    Integers summed;
    for (size_t i = result.size(); i < all.size(); ++i) summed.push_back(int64_t(i));
    if (!summed.empty())
        product = n.build.call("sum", {product},
                               {{"axis", integer_attribute(summed)}, {"keepdims", false}, {"exclude", false}});
    return {product};
}

const ConverterEntry kMathConverters[] = {
    {"Abs", unary<"abs">},
    {"Acos", unary<"acos">},
    {"Acosh", unary<"acosh">},
    {"Add", binary<"add">},
    {"And", binary<"logical_and">},
    {"ArgMax", arg_max},
    {"ArgMin", arg_min},
    {"Asin", unary<"asin">},
    {"Asinh", unary<"asinh">},
    {"Atan", unary<"atan">},
    {"Atanh", unary<"atanh">},
    {"BitShift", bit_shift},
    {"BitwiseAnd", binary<"bitwise_and">},
    {"BitwiseNot", unary<"bitwise_not">},
    {"BitwiseOr", binary<"bitwise_or">},
    {"BitwiseXor", binary<"bitwise_xor">},
    {"Ceil", unary<"ceil">},
    {"Celu", celu},
    {"Clip", clip},
    {"Cos", unary<"cos">},
    {"Cosh", unary<"cosh">},
    {"CumSum", cumulative_sum},
    {"Det", unary<"linalg.det">},
    {"Div", binary<"divide">},
    {"Einsum", einsum},
    {"Elu", elu},
    {"Equal", binary<"equal">},
    {"Erf", unary<"erf">},
    {"Exp", unary<"exp">},
    {"Floor", unary<"floor">},
    {"Gemm", gemm},
    {"Greater", binary<"greater">},
    {"GreaterOrEqual", binary<"greater_equal">},
    {"HardSigmoid", hard_sigmoid},
    {"HardSwish", hard_swish},
    {"Identity", identity},
    {"IsInf", is_infinite},
    {"IsNaN", unary<"isnan">},
    {"LeakyRelu", leaky_relu},
    {"Less", binary<"less">},
    {"LessOrEqual", binary<"less_equal">},
    {"Log", unary<"log">},
    {"MatMul", mat_mul},
    {"Max", extreme<"maximum">},
    {"Mean", mean},
    {"Min", extreme<"minimum">},
    {"Mish", mish},
    {"Mod", modulo},
    {"Mul", binary<"multiply">},
    {"Neg", unary<"negative">},
    {"Not", negation},
    {"Or", binary<"logical_or">},
    {"PRelu", parametric_relu},
    {"Pow", power},
    {"Reciprocal", reciprocal},
    {"ReduceL1", reduce_l1},
    {"ReduceL2", reduce_l2},
    {"ReduceLogSum", reduce_log_sum},
    {"ReduceLogSumExp", reduce_log_sum_exp},
    {"ReduceMax", reduce_max},
    {"ReduceMean", reduce_mean},
    {"ReduceMin", reduce_min},
    {"ReduceProd", reduce_prod},
    {"ReduceSum", reduce_sum},
    {"ReduceSumSquare", reduce_sum_square},
    {"Relu", unary<"nn.relu">},
    {"Round", round},
    {"Selu", selu},
    {"Shrink", shrink},
    {"Sigmoid", unary<"sigmoid">},
    {"Sign", unary<"sign">},
    {"Sin", unary<"sin">},
    {"Sinh", unary<"sinh">},
    {"Softplus", softplus},
    {"Softsign", softsign},
    {"Sqrt", unary<"sqrt">},
    {"Sub", binary<"subtract">},
    {"Sum", variadic<"add">},
    {"Tan", unary<"tan">},
    {"Tanh", unary<"tanh">},
    {"ThresholdedRelu", thresholded_relu},
    {"Where", where},
    {"Xor", binary<"logical_xor">},
};

}  // namespace

std::span<const ConverterEntry> math_converters() { return kMathConverters; }

}  // namespace partita::onnx
