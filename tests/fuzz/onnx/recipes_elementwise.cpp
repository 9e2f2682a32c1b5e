// Arithmetic, comparison, activations, reductions and products.
#include <algorithm>

#include "tests/fuzz/onnx/attributes.h"
#include "tests/fuzz/onnx/graph_maker.h"

namespace partita::fuzz {

namespace {

using Maker = GraphMaker;

/// Adds a function whose result changes little if the operand is rounded.
void smooth(Maker& m, std::string_view op) { m.node(op, {m.real_data().name}); }
void wild(Maker& m, std::string_view op) { m.node(op, {m.real_data().name}, {}, Effect::Wild); }
/// Adds a periodic function. For a huge operand, rounding spans many periods, so that the result is arbitrary.
void periodic(Maker& m, std::string_view op) {
    m.node(op, {m.data({.types = {kReal}, .tame = true}).name}, {}, Effect::Wild);
}

void exact_unary(Maker& m, std::string_view op) {
    std::vector<int> types = {kReal, kReal, kDouble, kInteger, kLong, kSignedByte};
    if (op == "Relu") types = {kReal, kReal, kDouble};
    if (op == "Identity") types = {kReal, kTruth, kByte, kLong, kDouble};
    if (op == "Sign") types = {kReal, kInteger};
    Maker::Want want{.types = types, .exact = op == "Sign"};
    m.node(op, {m.data(want).name}, {}, Effect::Exact);
}

void jumping(Maker& m, std::string_view op) {
    Maker::Want want{.types = {kReal, kReal, kDouble}, .exact = true};
    m.node(op, {m.data(want).name}, {}, Effect::Exact);
}

void is_infinite(Maker& m, std::string_view op) {
    Attributes attributes;
    if (m.chance(0.4)) attributes.push_back(attribute("detect_negative", m.between(0, 1)));
    if (m.chance(0.4)) attributes.push_back(attribute("detect_positive", m.between(0, 1)));
    m.node(op, {m.real_data().name}, attributes, Effect::Exact);
}

void not_of(Maker& m, std::string_view op) { m.node(op, {m.data({kTruth}).name}, {}, Effect::Exact); }
void bits_not(Maker& m, std::string_view op) {
    m.node(op, {m.data({kInteger, kLong, kByte, kSignedByte}).name}, {}, Effect::Exact);
}

void activation(Maker& m, std::string_view op) {
    Attributes attributes;
    auto maybe = [&](const char* name, double low, double high) {
        if (m.chance(0.5)) attributes.push_back(attribute(name, m.real(low, high)));
    };
    if (op != "HardSigmoid") maybe("alpha", 0.1, 2);
    if (op == "HardSigmoid") maybe("alpha", 0.1, 0.4), maybe("beta", 0.3, 0.7);
    if (op == "Selu") maybe("gamma", 0.5, 2);
    m.node(op, {m.real_data().name}, attributes);
}

void thresholded(Maker& m, std::string_view op) {
    Attributes attributes;
    if (op == "Shrink") {
        if (m.chance(0.7)) attributes.push_back(attribute("bias", m.one_of({0.25, -0.5, 1.0})));
        if (m.chance(0.7)) attributes.push_back(attribute("lambd", m.one_of({0.25, 0.75, 1.5})));
    } else if (m.chance(0.7)) {
        attributes.push_back(attribute("alpha", m.one_of({0.25, 0.5, 2.0})));
    }
    m.node(op, {m.data({.types = {kReal}, .exact = true}).name}, attributes);
}

void clip(Maker& m, std::string_view op) {
    const double low = m.one_of({-1.0, -0.5, 0.0, 1.0}), high = low + m.one_of({0.0, 0.5, 3.0, -0.5});
    Attributes attributes;
    if (m.opset() < 11) {
        if (m.chance(0.8)) attributes.push_back(attribute("min", low));
        if (m.chance(0.8)) attributes.push_back(attribute("max", high));
        m.node(op, {m.real_data().name}, attributes, Effect::Exact);
        return;
    }
    Value x = m.opset() >= 12 ? m.data({kReal, kReal, kDouble, kLong, kSignedByte, kByte}) : m.real_data();
    const bool is_unsigned = x.type == kByte;
    auto bound = [&](double value) {
        return m
            .filled(
                x.type, {}, [=](int64_t) { return is_unsigned ? value + 2 : value; }, m.chance(0.8))
            .name;
    };
    std::string min = m.chance(0.8) ? bound(low) : "", max = m.chance(0.8) ? bound(high) : "";
    m.node(op, {x.name, min, max}, {}, Effect::Exact);
}

void cast(Maker& m, std::string_view op) {
    const int to = m.one_of({kReal, kDouble, kInteger, kLong, kTruth, kByte, kSignedByte, kHalf});
    // Values that do not fit into the type have unspecified results.
    const bool into_reals = to == kReal || to == kDouble || to == kHalf || to == kTruth;
    Maker::Want want{.types = {kReal, kReal, kDouble, kInteger, kTruth}, .exact = true, .tame = !into_reals};
    Value x = to == kByte ? m.filled(
                                kReal, m.shape(0, 3), [&](int64_t) { return double(m.between(0, 40)) / 4; }, false)
                          : m.data(want);
    if (to == kHalf) return void(m.node(op, {x.name}, {attribute("to", to)}, Effect::Rounded));
    m.node(op, {x.name}, {attribute("to", to)}, Effect::Exact);
}

void cast_like(Maker& m, std::string_view op) {
    Value like = m.fresh(m.one_of({kReal, kDouble, kInteger, kTruth}), {2});
    m.node(op, {m.data({.types = {kReal, kInteger}, .exact = true, .tame = true}).name, like.name}, {}, Effect::Exact);
}

/// Returns two values that broadcast; often one of them exists already.
std::pair<Value, Value> pair(Maker& m, const Maker::Want& want) {
    Value a = m.data(want);
    Value b = m.chance(0.15) ? a : m.fresh(a.type, m.broadcastable(a.shape), want.tame);
    if (m.chance(0.2)) std::swap(a, b);
    return {a, b};
}

void arithmetic(Maker& m, std::string_view op) {
    auto [a, b] = pair(m, {.types = {kReal, kReal, kReal, kDouble, kInteger, kLong}});
    const bool integers = a.type == kInteger || a.type == kLong;
    m.node(op, {a.name, b.name}, {}, integers ? Effect::Exact : Effect::Rounded);
}

Value divisor(Maker& m, int type, const Shape& shape) {
    const bool has_zero = m.chance(0.03);
    return m.filled(
        type, shape,
        [&](int64_t) {
            if (has_zero && m.chance(0.3)) return 0.0;
            double value = type == kReal ? m.real(0.5, 2) : double(m.between(1, 6));
            return m.chance(0.4) ? -value : value;
        },
        m.chance(0.5));
}

void division(Maker& m, std::string_view op) {
    Value a = m.data({kReal, kReal, kInteger, kLong});
    Value b = a.type == kReal && m.chance(0.3) ? m.fresh(kReal, m.broadcastable(a.shape))
                                               : divisor(m, a.type, m.broadcastable(a.shape));
    m.node(op, {a.name, b.name}, {}, a.type == kReal ? Effect::Wild : Effect::Exact);
}

void modulo(Maker& m, std::string_view op) {
    Value a = m.data({.types = {kReal, kInteger, kLong}, .exact = true, .tame = true});
    Value b = a.type == kReal ? m.filled(kReal, m.broadcastable(a.shape),
                                         [&](int64_t) {
                                             return m.one_of({0.5, 0.75, 2.0, -1.25});
                                         })
                              : divisor(m, a.type, m.broadcastable(a.shape));
    m.node(op, {a.name, b.name}, {attribute("fmod", a.type == kReal ? 1 : m.between(0, 1))}, Effect::Wild);
}

void power(Maker& m, std::string_view op) {
    // If rounding decides the sign of a value near 0, its root is 0 or NaN.
    Value a = m.data({.types = {kReal}, .exact = true, .tame = true});
    const int type = m.opset() >= 12 ? m.one_of({kReal, kReal, kLong, kInteger}) : kReal;
    Value b = m.filled(type, m.broadcastable(a.shape), [&](int64_t) {
        return m.one_of({2.0, 3.0, 0.0, 1.0, type == kReal ? 0.5 : 4.0, type == kReal ? -1.0 : 2.0});
    });
    m.node(op, {a.name, b.name}, {}, Effect::Wild);
}

void variadic(Maker& m, std::string_view op) {
    const bool extremes = op == "Max" || op == "Min";
    Value a = extremes && m.opset() >= 12 ? m.data({kReal, kReal, kDouble, kInteger, kLong}) : m.real_data();
    std::vector<std::string> inputs{a.name};
    for (int64_t more = m.between(0, 3); more > 0; --more)
        inputs.push_back(m.fresh(a.type, m.broadcastable(a.shape)).name);
    m.node(op, inputs, {}, extremes ? Effect::Exact : Effect::Rounded);
}

void comparison(Maker& m, std::string_view op) {
    std::vector<int> types = {kReal, kReal, kInteger, kLong};
    if (op == "Equal") types.push_back(kTruth);
    if ((op == "Less" || op == "Greater") && m.opset() < 9) types = {kReal};
    if (op == "Equal" && m.opset() < 11) types = {kInteger, kLong, kTruth};
    auto [a, b] = pair(m, {.types = types, .exact = true});
    m.node(op, {a.name, b.name}, {}, Effect::Exact);
}

void logic(Maker& m, std::string_view op) {
    auto [a, b] = pair(m, {.types = {kTruth}});
    m.node(op, {a.name, b.name}, {}, Effect::Exact);
}

void bitwise(Maker& m, std::string_view op) {
    auto [a, b] = pair(m, {.types = {kInteger, kLong, kByte}});
    m.node(op, {a.name, b.name}, {}, Effect::Exact);
}

void bit_shift(Maker& m, std::string_view op) {
    const int type = m.one_of({kByte, kUnsigned32, kUnsigned64});
    Shape shape = m.shape(0, 3);
    Value a = m.fresh(type, shape),
          b = m.filled(
              type, m.broadcastable(shape), [&](int64_t) { return double(m.between(0, 7)); }, m.chance(0.5));
    m.node(op, {a.name, b.name}, {attribute("direction", m.one_of({"LEFT", "RIGHT"}))}, Effect::Exact);
}

void parametric_relu(Maker& m, std::string_view op) {
    Value x = m.real_data(1, 4);
    Shape slope(x.shape.begin() + m.between(0, x.rank() - 1), x.shape.end());
    for (int64_t& dim : slope)
        if (m.chance(0.3)) dim = 1;
    m.node(op, {x.name, m.weight(kReal, slope).name});
}

void where(Maker& m, std::string_view op) {
    Value x = m.data({kReal, kReal, kLong, kDouble, kInteger});
    Value y = m.fresh(x.type, m.broadcastable(x.shape)), condition = m.fresh(kTruth, m.broadcastable(x.shape));
    m.node(op, {condition.name, x.name, y.name}, {}, Effect::Exact);
}

// --- reductions -------------------------------------------------------------------------------------------------

Shape some_axes(Maker& m, int rank) {
    Shape axes;
    for (int axis = 0; axis < rank; ++axis)
        if (m.chance(0.5)) axes.push_back(m.chance(0.3) ? axis - rank : axis);
    if (axes.empty() && rank > 0) axes.push_back(m.axis(rank));
    return axes;
}

void reduction(Maker& m, std::string_view op) {
    const bool extremes = op == "ReduceMax" || op == "ReduceMin", logs = op == "ReduceLogSum";
    // The result for no elements is unspecified.
    std::vector<int> types = {kReal, kReal, kReal, kDouble};
    if (extremes) types = {kReal, kReal, kInteger, kLong};
    else if (op != "ReduceLogSumExp" && !logs) types.push_back(kInteger);
    Value x = logs ? m.positive(m.shape(0, 4, false))
                   : m.data({.types = types, .greatest_rank = 5, .tame = extremes, .non_empty = true});
    Attributes attributes;
    std::vector<std::string> inputs{x.name};
    if (m.chance(0.6)) attributes.push_back(attribute("keepdims", m.between(0, 1)));
    const bool as_input = m.opset() >= 18 || (m.opset() >= 13 && op == "ReduceSum");
    Shape axes = some_axes(m, x.rank());
    // Negative axes came with operator set 11.
    if (m.opset() < 11)
        for (int64_t& axis : axes) axis = axis < 0 ? axis + x.rank() : axis;
    if (m.chance(0.75) && x.rank() > 0) {
        if (as_input) inputs.push_back(m.integers(axes).name);
        else attributes.push_back(attribute("axes", axes));
    } else if (as_input && m.chance(0.4)) {
        attributes.push_back(attribute("noop_with_empty_axes", m.between(0, 1)));
    }
    const bool integers = x.type == kInteger || x.type == kLong;
    m.node(op, inputs, attributes,
           extremes             ? Effect::Exact
           : integers           ? Effect::Wild
           : op == "ReduceProd" ? Effect::Wild
                                : Effect::Rounded);
}

void arg_reduction(Maker& m, std::string_view op) {
    Value x = m.data({.types = {kReal, kReal, kInteger, kSignedByte},
                      .least_rank = 1,
                      .exact = true,
                      .tame = true,
                      .non_empty = true});
    Attributes attributes{attribute("axis", m.axis(x.rank(), m.opset() >= 11))};
    if (m.chance(0.5)) attributes.push_back(attribute("keepdims", m.between(0, 1)));
    if (m.opset() >= 12 && m.chance(0.4)) attributes.push_back(attribute("select_last_index", m.between(0, 1)));
    m.node(op, {x.name}, attributes, Effect::Exact);
}

void cumulative_sum(Maker& m, std::string_view op) {
    Value x = m.data({.types = {kReal, kReal, kInteger, kLong, kDouble}, .least_rank = 1});
    Attributes attributes;
    if (m.chance(0.5)) attributes.push_back(attribute("exclusive", m.between(0, 1)));
    if (m.chance(0.5)) attributes.push_back(attribute("reverse", m.between(0, 1)));
    m.node(op, {x.name, m.scalar(m.one_of({kInteger, kLong}), double(m.axis(x.rank()))).name}, attributes);
}

// --- products ---------------------------------------------------------------------------------------------------

void mat_mul(Maker& m, std::string_view op) {
    Value a = m.data({.types = {kReal, kReal, kReal, kDouble, kInteger}, .least_rank = 1, .greatest_rank = 4});
    // The runtime refuses a stack of no matrices times a vector.
    const bool empty = std::find(a.shape.begin(), a.shape.end(), 0) != a.shape.end();
    Shape b;
    if (empty || m.chance(0.85)) {
        Shape stack(a.shape.begin(), a.rank() > 2 ? a.shape.end() - 2 : a.shape.begin());
        if (m.chance(0.5)) b = m.broadcastable(stack);
        if (a.rank() == 1 && m.chance(0.3)) b = m.shape(1, 2);
        b.push_back(a.shape.back());
        b.push_back(m.extent());
    } else {
        b = {a.shape.back()};
    }
    m.node(op, {a.name, m.weight(a.type, b).name});
}

void gemm(Maker& m, std::string_view op) {
    Value a = m.data({.types = {kReal, kReal, kReal, kDouble}, .least_rank = 2, .greatest_rank = 2});
    const int64_t by_columns = m.between(0, 1), by_rows = m.between(0, 1), columns = m.extent();
    const int64_t inner = a.shape[by_columns ? 0 : 1], rows = a.shape[by_columns ? 1 : 0];
    std::vector<std::string> inputs{a.name,
                                    m.weight(a.type, by_rows ? Shape{columns, inner} : Shape{inner, columns}).name};
    Attributes attributes{attribute("transA", by_columns), attribute("transB", by_rows)};
    if (m.chance(0.4)) attributes.push_back(attribute("alpha", m.one_of({0.5, 2.0, 1.0, 0.0, -1.5})));
    // The runtime forgets beta where there is nothing to multiply.
    if (m.chance(0.4))
        if (const double beta = m.one_of({0.5, 2.0, 1.0, 0.0}); inner > 0)
            attributes.push_back(attribute("beta", beta));
    if (m.chance(0.7) || m.opset() < 11)
        inputs.push_back(m.weight(a.type, m.one_of({Shape{columns}, Shape{rows, columns}, Shape{1, columns},
                                                    Shape{rows, 1}, Shape{}}))
                             .name);
    m.node(op, inputs, attributes);
}

void einsum(Maker& m, std::string_view op) {
    const std::string equation =
        m.one_of({"ij,jk->ik", "ij->ji", "ii->i", "ij->", "i,i->", "bij,bjk->bik", "...ij,...jk->...ik", "ij,ik->jk",
                  "abc->cba", "ij,jk", "i,j->ij", "...ii->...i", "bhid,bhjd->bhij", "ij,ij,jk->k", "a b c -> b"});
    std::string left = equation.substr(0, equation.find("->"));
    std::erase(left, ' ');
    Shape extents;
    for (int i = 0; i < 26; ++i) extents.push_back(m.extent(false));
    std::vector<std::string> inputs;
    Shape dots = m.shape(0, 2, false);
    for (size_t begin = 0; begin <= left.size();) {
        size_t end = std::min(left.find(',', begin), left.size());
        Shape shape;
        for (size_t i = begin; i < end; ++i) {
            if (left[i] != '.') shape.push_back(extents[size_t(left[i] - 'a')]);
            else if (i + 1 == end || left[i + 1] != '.') shape.insert(shape.end(), dots.begin(), dots.end());
        }
        inputs.push_back(m.weight(kReal, shape).name);
        begin = end + 1;
    }
    m.node(op, inputs, {attribute("equation", equation)});
}

void determinant(Maker& m, std::string_view op) {
    Shape shape = m.shape(0, 2, false);
    const int64_t size = m.between(1, 6);
    shape.insert(shape.end(), 2, size);
    m.node(op, {m.fresh(kReal, shape, true).name});
}

const Recipe kRecipes[] = {
    {{"Atan", "Erf", "Sigmoid", "Softplus", "Softsign", "Tanh"}, 9, smooth},
    {{"Mish"}, 18, smooth},
    {{"HardSwish"}, 14, smooth},
    {{"Acos", "Acosh", "Asin", "Asinh", "Atanh", "Cosh", "Exp", "Log", "Reciprocal", "Sinh", "Sqrt"}, 9, wild},
    {{"Cos", "Sin", "Tan"}, 9, periodic},
    {{"Abs", "Identity", "Neg", "Relu", "Sign"}, 14, exact_unary},
    {{"Ceil", "Floor"}, 7, jumping},
    {{"IsNaN"}, 9, jumping},
    {{"Round"}, 11, jumping},
    {{"IsInf"}, 10, is_infinite},
    {{"Not"}, 7, not_of},
    {{"BitwiseNot"}, 18, bits_not},
    {{"Elu", "HardSigmoid", "LeakyRelu", "Selu"}, 7, activation},
    {{"Celu"}, 12, activation},
    {{"Shrink"}, 9, thresholded},
    {{"ThresholdedRelu"}, 10, thresholded},
    {{"Clip"}, 7, clip},
    {{"Cast"}, 9, cast},
    {{"CastLike"}, 15, cast_like},
    {{"Add", "Mul", "Sub"}, 7, arithmetic},
    {{"Div"}, 7, division},
    {{"Mod"}, 10, modulo},
    {{"Pow"}, 7, power},
    {{"Max", "Mean", "Min", "Sum"}, 8, variadic},
    {{"Equal", "Greater", "Less"}, 7, comparison},
    {{"GreaterOrEqual", "LessOrEqual"}, 12, comparison},
    {{"And", "Or", "Xor"}, 7, logic},
    {{"BitwiseAnd", "BitwiseOr", "BitwiseXor"}, 18, bitwise},
    {{"BitShift"}, 11, bit_shift},
    {{"PRelu"}, 7, parametric_relu},
    {{"Where"}, 9, where},
    {{"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd",
      "ReduceSum", "ReduceSumSquare"},
     7,
     reduction},
    {{"ArgMax", "ArgMin"}, 7, arg_reduction},
    {{"CumSum"}, 11, cumulative_sum},
    {{"MatMul"}, 9, mat_mul},
    {{"Gemm"}, 7, gemm},
    {{"Einsum"}, 12, einsum},
    {{"Det"}, 11, determinant},
};

}  // namespace

std::span<const Recipe> elementwise_recipes() { return kRecipes; }

}  // namespace partita::fuzz
