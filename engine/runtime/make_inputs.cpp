#include <cmath>
#include <numbers>

#include "engine/program/parameters.h"
#include "engine/runtime/run.h"
#include "engine/support/hash.h"
#include "engine/support/number_text.h"

namespace partita {

namespace {

/// Random numbers by index, independent of order: a hash of the counter, as in SplitMix64 (Steele, Lea and Flood, "Fast
/// Splittable Pseudorandom Number Generators", 2014).
class Random {
public:
    explicit Random(uint64_t seed) : seed_(hash_mix(seed)) {}
    uint64_t bits(uint64_t index) const { return hash_mix(seed_ + index * 0x9e3779b97f4a7c15ULL); }
    /// Returns a number in [0, 1).
    double uniform(uint64_t index) const { return double(bits(index) >> 11) * 0x1p-53; }
    /// Returns a standard normal number, by the Box-Muller transform.
    double normal(uint64_t index) const {
        double radius = std::sqrt(-2 * std::log(1 - uniform(2 * index)));
        return radius * std::cos(2 * std::numbers::pi * uniform(2 * index + 1));
    }

private:
    uint64_t seed_;
};

/// Returns the range of values for a role other than data, which are normal.
ValueRange real_range(const Parameter& parameter) {
    using enum ValueRange::Kind;
    double bound = std::sqrt(6.0 / double(parameter.fan_in));  // He et al., "Delving Deep into Rectifiers", 2015
    switch (parameter.role) {
        case ParameterRole::Data: return {};
        case ParameterRole::Length: return {};
        case ParameterRole::Mask: return {Whole, 0, 2};
        case ParameterRole::Index: return {Whole, 0, double(parameter.index_limit)};
        case ParameterRole::Weight: return {Real, -bound, bound};
        case ParameterRole::Bias: return {Real, -0.1, 0.1};
        case ParameterRole::Scale: return {Real, 0.8, 1.2};
        case ParameterRole::Mean: return {Real, -0.2, 0.2};
        default: return {Real, 0.5, 1.5};
    }
}

/// Returns a range of integers, small enough that products of two and sums of thousands fit into their types.
ValueRange integer_range(const Parameter& parameter, DataType dtype) {
    using enum ValueRange::Kind;
    if (dtype.is_bool() || parameter.role == ParameterRole::Mask) return {Whole, 0, 2};
    if (parameter.role == ParameterRole::Length) return {Whole, 1, 2};  // as long as anything is
    if (parameter.role == ParameterRole::Index) return {Whole, 0, double(parameter.index_limit)};
    double bound = dtype.bits <= 8 ? 16 : parameter.role == ParameterRole::Bias ? 256 : 10;
    return {Whole, dtype.code == DataType::Code::UInt || dtype.bits == 64 ? 0 : -bound, bound};
}

void fill(Tensor& tensor, const Parameter& parameter, uint64_t seed) {
    Random random(seed);
    int64_t count = tensor.size();
    ValueRange range = value_range(parameter, tensor.dtype());
    double width = range.high - range.low;
    if (range.kind == ValueRange::Kind::Normal) {
        for (int64_t i = 0; i < count; ++i) tensor.set(i, random.normal(uint64_t(i)));
    } else if (range.kind == ValueRange::Kind::Whole) {
        for (int64_t i = 0; i < count; ++i) tensor.set(i, std::floor(range.low + width * random.uniform(uint64_t(i))));
    } else if (tensor.dtype() == kFloat32) {  // holds most bytes of a model
        float* data = tensor.data<float>();
        for (int64_t i = 0; i < count; ++i) data[i] = float(range.low + width * random.uniform(uint64_t(i)));
    } else {
        for (int64_t i = 0; i < count; ++i) tensor.set(i, range.low + width * random.uniform(uint64_t(i)));
    }
}

uint64_t seed_of(uint64_t seed, std::string_view name) {
    uint64_t mixed = hash_mix(seed + 1);
    for (char letter : name) mixed = hash_combine(mixed, uint8_t(letter));
    return mixed;
}

}  // namespace

ValueRange value_range(const Parameter& parameter, DataType dtype) {
    return dtype.is_integer() ? integer_range(parameter, dtype) : real_range(parameter);
}

namespace {

/// Calls `take` with the name, type and role of each parameter of @main that can have a value, tuples flattened.
template <typename Take>
void for_each_input(const Module& module, Take take) {
    ExprId main = module.find_function("main");
    if (!main.valid()) return;
    Result<FlatGraph> graph = flatten(module, main, false);
    if (!graph) return;
    std::vector<Parameter> parameters = classify_parameters(module, main, *graph);
    size_t next = 0;
    for (ExprId var : module.parameters(main)) {
        std::vector<TypeId> leaves;
        TypeId type = module.type(var);
        if (!type.valid() || !flatten_type(module.types(), type, leaves)) continue;
        for (size_t i = 0; i < leaves.size(); ++i, ++next) {
            std::string name(module.name(var));
            if (module.types().is_tuple(type)) name += "." + std::to_string(i);
            std::span<const int64_t> shape = module.types().shape(leaves[i]);
            if (element_count(shape) && next < parameters.size()) take(name, leaves[i], parameters[next]);
        }
    }
}

Sentence text_of(const ValueRange& range) {
    if (range.kind == ValueRange::Kind::Normal) return {SENTENCE("Engine", "standard normal numbers"), {}};
    if (range.kind == ValueRange::Kind::Real)
        return {SENTENCE("Engine", "numbers from %1 to %2"), {general_text(range.low), general_text(range.high)}};
    const std::string low = general_text(range.low, 17), high = general_text(range.high - 1, 17);
    if (low == high) return as_it_is(low);
    if (range.high - range.low == 2) return {SENTENCE("Engine", "%1 or %2"), {low, high}};
    return {SENTENCE("Engine", "whole numbers from %1 to %2"), {low, high}};
}

}  // namespace

std::map<std::string, Tensor> make_inputs(const Module& module, uint64_t seed,
                                          const std::map<std::string, Tensor>& given) {
    std::map<std::string, Tensor> inputs = given;
    for_each_input(module, [&](const std::string& name, TypeId type, const Parameter& parameter) {
        if (inputs.count(name)) return;
        std::span<const int64_t> shape = module.types().shape(type);
        Tensor tensor(module.types().dtype(type), std::vector<int64_t>(shape.begin(), shape.end()));
        fill(tensor, parameter, seed_of(seed, name));
        inputs.emplace(name, std::move(tensor));
    });
    return inputs;
}

std::vector<std::pair<std::string, Sentence>> made_inputs(const Module& module,
                                                          const std::map<std::string, Tensor>& given) {
    std::vector<std::pair<std::string, Sentence>> made;
    for_each_input(module, [&](const std::string& name, TypeId type, const Parameter& parameter) {
        if (given.count(name) || is_fixed(parameter)) return;
        made.emplace_back(name, text_of(value_range(parameter, module.types().dtype(type))));
    });
    return made;
}

}  // namespace partita
