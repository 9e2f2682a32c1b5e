#include "engine/backends/dnnl/elementwise_chain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <dnnl.hpp>

namespace partita::onednn {

namespace {

using Op = ElementwiseProgram::Op;

/// Floats hold all integers up to this size.
constexpr double kLargestInteger = 1 << 24;

/// A value of the chain, or a constant.
struct Operand {
    uint8_t value = ElementwiseProgram::kConstant;
    float constant = 0;
    double low = -INFINITY, high = INFINITY;  ///< what it lies between, if it is a number
};

std::optional<Op> unary_operation(std::string_view name) {
    static const std::map<std::string_view, Op> operations{
        {"abs", Op::Absolute}, {"sqrt", Op::Root},    {"erf", Op::Error},        {"tanh", Op::Tangent},
        {"floor", Op::Floor},  {"ceil", Op::Ceiling}, {"trunc", Op::Truncation}, {"sigmoid", Op::Sigmoid}};
    const auto found = operations.find(name);
    return found == operations.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Op> binary_operation(std::string_view name) {
    static const std::map<std::string_view, Op> operations{
        {"add", Op::Sum},         {"subtract", Op::Difference}, {"multiply", Op::Product}, {"divide", Op::Quotient},
        {"maximum", Op::Maximum}, {"minimum", Op::Minimum},     {"equal", Op::Equal},      {"not_equal", Op::NotEqual},
        {"greater", Op::Greater}, {"less", Op::Less},           {"logical_and", Op::And},  {"logical_or", Op::Or}};
    const auto found = operations.find(name);
    return found == operations.end() ? std::nullopt : std::optional(found->second);
}

class ElementwiseFinder : ChainFinder {
public:
    ElementwiseFinder(const Module& module, const FlatGraph& graph, const ValueUses& uses,
                      const ElementwiseStart& start)
        : ChainFinder(module, graph, uses, start.inside), region_(graph.steps[start.inside].region), data_(start.data),
          whole_(start.whole) {
        known_[data_] = {0};
        left_[data_] = uses.counts[data_];
    }

    std::vector<ElementwiseChain> run(uint32_t first) {
        constexpr uint32_t kNear = 16;  // the steps of a function are close together
        std::vector<ElementwiseChain> chains;
        uint32_t last = first;
        for (uint32_t i = first; i < graph_.steps.size() && i <= last + kNear; ++i) {
            if (!take(i)) continue;
            last = i;
            if (ends_here(output(i))) chains.push_back({data_, std::make_shared<ElementwiseProgram>(made_), taken_});
        }
        return chains;
    }

private:
    bool take(uint32_t number) {
        const FlatStep& step = graph_.steps[number];
        if (!step.op.valid() || step.region != region_ || step.output_count != 1 || step.input_count > 2 ||
            made_.size() + 2 > ElementwiseProgram::kMostSteps)
            return false;
        const ValueId result = step.first_output;
        const std::span<const int64_t> shape = shape_of(result), wanted = shape_of(data_);
        if (!std::equal(shape.begin(), shape.end(), wanted.begin(), wanted.end())) return false;
        std::vector<Operand> operands;
        bool any = false;
        for (ValueId value : graph_.step_inputs(step)) {
            const std::optional<Operand> operand = operand_of(value);
            if (!operand) return false;
            operands.push_back(*operand);
            any |= operand->value != ElementwiseProgram::kConstant;
        }
        const std::optional<Operand> made = any ? add(number, operands) : std::nullopt;
        if (!made) return false;
        known_[result] = *made;
        left_[result] = uses_.counts[result];
        for (ValueId value : graph_.step_inputs(step))
            if (const auto left = left_.find(value); left != left_.end()) --left->second;
        taken_.push_back(number);
        return true;
    }

    /// Nothing else uses what is between.
    bool ends_here(ValueId result) const {
        if (!is_float32(result) || made_.empty() || known_.at(result).value != made_.size()) return false;
        return std::all_of(left_.begin(), left_.end(), [&](const auto& left) {
            return left.first == result || left.second == 0 || (left.first == data_ && !whole_);
        });
    }

    std::optional<Operand> operand_of(ValueId value) const {
        if (const auto found = known_.find(value); found != known_.end()) return found->second;
        const FlatValue& flat = graph_.values[value];
        if (flat.source != FlatValue::Source::Constant) return std::nullopt;
        const Tensor& tensor = module_.constant_value(ConstantId(flat.index));
        if (tensor.size() != 1 || tensor.quantized()) return std::nullopt;
        const DataType dtype = module_.types().dtype(flat.type);
        double number = 0;
        if (dtype == kFloat32) number = tensor.data<float>()[0];
        else if (dtype == kInt32) number = tensor.data<int32_t>()[0];
        else return std::nullopt;
        if (dtype == kInt32 && std::fabs(number) > kLargestInteger) return std::nullopt;
        return Operand{ElementwiseProgram::kConstant, float(number), number, number};
    }

    DataType dtype_of(ValueId value) const { return module_.types().dtype(graph_.values[value].type); }

    std::optional<Operand> add(uint32_t number, const std::vector<Operand>& operands) {
        const std::string& name = op(number);
        if (name == "cast") return add_cast(number, operands[0]);
        if (operands.size() == 2) return add_binary(number, operands);
        const DataType dtype = dtype_of(input(number, 0));
        const Operand& x = operands[0];
        if (dtype.is_bool() && name == "logical_not") return add_step({Op::Equal, x.value, kNone}, 0, 1);
        if (dtype != kFloat32) return std::nullopt;
        if (name == "negative") return add_step({Op::Product, x.value, kNone, -1}, -x.high, -x.low);
        if (name == "nn.relu") return add_step({Op::Relu, x.value}, 0, std::max(0.0, x.high));
        if (name == "nn.leaky_relu")
            return add_step({Op::Relu, x.value, 0, float(attributes(number).real("alpha"))}, -INFINITY, INFINITY);
        if (name == "clip") {
            const double low = attributes(number).real("a_min"), high = attributes(number).real("a_max");
            if (!(low <= high)) return std::nullopt;
            return add_step({Op::Clip, x.value, 0, float(low), float(high)}, low, high);
        }
        const std::optional<Op> operation = unary_operation(name);
        if (!operation) return std::nullopt;
        const bool rounds = *operation == Op::Floor || *operation == Op::Ceiling || *operation == Op::Truncation;
        return add_step({*operation, x.value}, rounds ? std::floor(x.low) : -INFINITY,
                        rounds ? std::ceil(x.high) : INFINITY);
    }

    /// The range of an integer type; nothing for other types.
    static std::optional<std::pair<double, double>> range_of(DataType dtype) {
        if (dtype == kUInt8) return std::pair(0.0, 255.0);
        if (dtype == kInt8) return std::pair(-128.0, 127.0);
        if (dtype == kInt32) return std::pair(-kLargestInteger, kLargestInteger);
        return std::nullopt;
    }

    std::optional<Operand> add_cast(uint32_t number, const Operand& x) {
        const DataType from = dtype_of(input(number, 0)), to = dtype_of(output(number));
        const bool whole = from.is_bool() || range_of(from);
        if (!whole && from != kFloat32) return std::nullopt;
        if (to == kFloat32) return x;
        const auto range = range_of(to);
        if (!range || x.low < range->first || x.high > range->second) return std::nullopt;  // it would wrap
        if (whole) return x;
        return add_step({Op::Conversion, x.value, 0, float(range->first), float(range->second)}, std::min(0.0, x.low),
                        std::max(0.0, x.high));
    }

    std::optional<Operand> add_binary(uint32_t number, const std::vector<Operand>& operands) {
        const std::string& name = op(number);
        const Operand &x = operands[0], &y = operands[1];
        const DataType dtype = dtype_of(input(number, 0));
        if (name == "power") return add_power(x, y);
        const std::optional<Op> operation = binary_operation(name);
        if (!operation) return std::nullopt;
        const bool logical = *operation == Op::And || *operation == Op::Or;
        if (logical ? !dtype.is_bool() : dtype != kFloat32 && dtype != kInt32) return std::nullopt;
        double low = -INFINITY, high = INFINITY;
        switch (*operation) {
            case Op::Sum: low = x.low + y.low, high = x.high + y.high; break;
            case Op::Difference: low = x.low - y.high, high = x.high - y.low; break;
            case Op::Maximum: low = std::max(x.low, y.low), high = std::max(x.high, y.high); break;
            case Op::Minimum: low = std::min(x.low, y.low), high = std::min(x.high, y.high); break;
            case Op::Product:
            case Op::Quotient: break;
            default: low = 0, high = 1;
        }
        if (std::isnan(low)) low = -INFINITY;
        if (std::isnan(high)) high = INFINITY;
        const bool is_integer = dtype == kInt32 && dtype_of(output(number)) == kInt32;
        if (is_integer && (low < -kLargestInteger || high > kLargestInteger)) return std::nullopt;
        return add_step({*operation, x.value, y.value, x.value == kNone ? x.constant : y.constant}, low, high);
    }

    std::optional<Operand> add_power(const Operand& x, const Operand& y) {
        if (x.value == kNone || y.value != kNone || (y.constant != 2 && y.constant != 3)) return std::nullopt;
        Operand power = add_step({Op::Product, x.value, x.value}, 0, INFINITY);
        if (y.constant == 3) power = add_step({Op::Product, power.value, x.value}, -INFINITY, INFINITY);
        return power;
    }

    bool is(uint8_t value, Op operation) const {
        return value != 0 && value != kNone && made_[value - 1].op == operation;
    }
    bool is_with(uint8_t value, Op operation, uint8_t a, float constant) const {
        if (!is(value, operation)) return false;
        const ElementwiseProgram::Step& step = made_[value - 1];
        return step.a == a && step.b == kNone && step.alpha == constant;
    }

    /// Relay has no rounding to even neighbours: what is imported as that is floor(x) + (x - floor(x) > 0.5 or x -
    /// floor(x) == 0.5 and floor(floor(x) / 2) * 2 != floor(x)). Returns x.
    std::optional<uint8_t> rounded_by(const ElementwiseProgram::Step& sum) const {
        if (!is(sum.a, Op::Floor) || !is(sum.b, Op::Or)) return std::nullopt;
        const uint8_t floor = sum.a, x = made_[floor - 1].a, above = made_[sum.b - 1].a, half = made_[sum.b - 1].b;
        if (!is(above, Op::Greater) || !is(half, Op::And)) return std::nullopt;
        const uint8_t rest = made_[above - 1].a, middle = made_[half - 1].a, odd = made_[half - 1].b;
        if (!is_with(above, Op::Greater, rest, 0.5F) || !is_with(middle, Op::Equal, rest, 0.5F) ||
            !is(rest, Op::Difference) || made_[rest - 1].a != x || made_[rest - 1].b != floor || !is(odd, Op::NotEqual))
            return std::nullopt;
        const uint8_t even = made_[odd - 1].a;
        if (made_[odd - 1].b != floor || !is(even, Op::Product) || made_[even - 1].b != kNone) return std::nullopt;
        const uint8_t lower = made_[even - 1].a;
        const bool twice = is_with(even, Op::Product, lower, 2) && is(lower, Op::Floor);
        return twice && is_with(made_[lower - 1].a, Op::Quotient, floor, 2) ? std::optional(x) : std::nullopt;
    }

    Operand add_step(ElementwiseProgram::Step step, double low, double high) {
        if (const auto rounded = step.op == Op::Sum ? rounded_by(step) : std::nullopt) step = {Op::Rounding, *rounded};
        made_.push_back(step);
        return {uint8_t(made_.size()), 0, low, high};
    }

    static constexpr uint8_t kNone = ElementwiseProgram::kConstant;

    const uint32_t region_;
    const ValueId data_;
    const bool whole_;
    std::map<ValueId, Operand> known_;
    std::map<ValueId, uint32_t> left_;  ///< uses that are not of the chain
    std::vector<ElementwiseProgram::Step> made_;
    std::vector<uint32_t> taken_;
};

struct KnownActivation {
    dnnl::algorithm algorithm;
    float alpha;
    double (*value)(double x);
};

/// The definitions of oneDNN.
constexpr KnownActivation kActivations[] = {
    {dnnl::algorithm::eltwise_gelu_erf, 0, [](double x) { return 0.5 * x * (1 + std::erf(x * std::sqrt(0.5))); }},
    {dnnl::algorithm::eltwise_gelu_tanh, 0,
     [](double x) { return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); }},
    {dnnl::algorithm::eltwise_swish, 1, [](double x) { return x / (1 + std::exp(-x)); }},
    {dnnl::algorithm::eltwise_hardswish, 0, [](double x) { return x * std::clamp(x / 6 + 0.5, 0.0, 1.0); }},
};

/// Close together where activations bend, and of all sizes.
const std::vector<float>& samples() {
    static const std::vector<float> list = [] {
        std::vector<float> made;
        for (int i = -400; i <= 400; ++i) made.push_back(float(i) * 0.0311F);
        for (float size = 16; size < 1e12F; size *= 2) made.insert(made.end(), {size, -size});
        return made;
    }();
    return list;
}

/// Returns true for steps that have no jumps, so that values close together tell the function.
bool is_continuous(const ElementwiseProgram::Step& step) {
    switch (step.op) {
        case Op::Floor:
        case Op::Ceiling:
        case Op::Rounding:
        case Op::Truncation:
        case Op::Conversion:
        case Op::Equal:
        case Op::NotEqual:
        case Op::Greater:
        case Op::Less: return false;
        default: return true;
    }
}

}  // namespace

std::vector<ElementwiseChain> elementwise_chains(const Module& module, const FlatGraph& graph, const ValueUses& uses,
                                                 const ElementwiseStart& start) {
    if (module.types().dtype(graph.values[start.data].type) != kFloat32) return {};
    return ElementwiseFinder(module, graph, uses, start).run(start.first);
}

std::optional<Eltwise> known_activation(const ElementwiseProgram& program) {
    const std::span<const ElementwiseProgram::Step> steps = program.steps();
    if (steps.size() < 2 || !std::all_of(steps.begin(), steps.end(), is_continuous)) return std::nullopt;
    const std::vector<float>& arguments = samples();
    std::vector<float> values(arguments.size());
    program.run(arguments.data(), values.data(), int64_t(values.size()));
    for (const KnownActivation& known : kActivations) {
        const auto is_same = [&](float x, float value) {
            constexpr double kTolerance = 4e-6;
            const double wanted = known.value(x);
            return std::fabs(value - wanted) <= kTolerance * std::max(1.0, std::fabs(wanted));
        };
        if (std::equal(arguments.begin(), arguments.end(), values.begin(), is_same))
            return Eltwise{int(known.algorithm), known.alpha, 0};
    }
    return std::nullopt;
}

}  // namespace partita::onednn
