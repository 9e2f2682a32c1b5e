#include "engine/ops/elementwise_program.h"

#include <algorithm>

#include "engine/ops/vector_math.h"
#include "engine/ops/vector_units.h"

namespace partita {

namespace {

using Op = ElementwiseProgram::Op;
using Step = ElementwiseProgram::Step;

/// Of elements: the values of a block stay in the first cache.
constexpr int64_t kBlock = 256;

/// The operands of a step in a block; null: the constant.
struct Operands {
    const float *a, *b;
    float alpha, beta;
    float* result;
    int64_t count;
};

template <class Function>
PARTITA_INLINED void change(const Operands& operands, const Function& function) {
    const float* from = operands.a;
    float* result = operands.result;
    for (int64_t i = 0; i < operands.count; ++i) result[i] = function(from[i]);
}

template <class Function>
PARTITA_INLINED void combine(const Operands& operands, const Function& function) {
    const float *a = operands.a, *b = operands.b, alpha = operands.alpha;
    float* result = operands.result;
    if (!a)
        for (int64_t i = 0; i < operands.count; ++i) result[i] = function(alpha, b[i]);
    else if (!b)
        for (int64_t i = 0; i < operands.count; ++i) result[i] = function(a[i], alpha);
    else
        for (int64_t i = 0; i < operands.count; ++i) result[i] = function(a[i], b[i]);
}

PARTITA_INLINED void compute(Op op, const Operands& operands) {
    const float alpha = operands.alpha, beta = operands.beta;
    switch (op) {
        case Op::Relu: return change(operands, [=](float x) { return x < 0 ? x * alpha : x; });
        case Op::Clip: return change(operands, [=](float x) { return x < alpha ? alpha : x > beta ? beta : x; });
        case Op::Absolute: return change(operands, [](float x) { return std::fabs(x); });
        case Op::Root: return change(operands, [](float x) { return __builtin_sqrtf(x); });
        case Op::Error: return change(operands, [](float x) { return error_function_of(x); });
        case Op::Tangent: return change(operands, [](float x) { return hyperbolic_tangent_of(x); });
        case Op::Sigmoid: return change(operands, [](float x) { return sigmoid_of(x); });
        case Op::Floor: return change(operands, [](float x) { return __builtin_floorf(x); });
        case Op::Rounding: return change(operands, [](float x) { return __builtin_rintf(x); });
        case Op::Ceiling: return change(operands, [](float x) { return __builtin_ceilf(x); });
        case Op::Truncation: return change(operands, [](float x) { return __builtin_truncf(x); });
        case Op::Conversion:
            return change(operands, [=](float x) {
                const float whole = __builtin_truncf(x), bound = whole < alpha ? alpha : whole > beta ? beta : whole;
                return x == x ? bound : 0.0F;
            });
        case Op::Sum: return combine(operands, [](float x, float y) { return x + y; });
        case Op::Difference: return combine(operands, [](float x, float y) { return x - y; });
        case Op::Product: return combine(operands, [](float x, float y) { return x * y; });
        case Op::Quotient: return combine(operands, [](float x, float y) { return x / y; });
        case Op::Maximum: return combine(operands, [](float x, float y) { return x > y ? x : y; });
        case Op::Minimum: return combine(operands, [](float x, float y) { return x < y ? x : y; });
        case Op::Equal: return combine(operands, [](float x, float y) { return x == y ? 1.0F : 0.0F; });
        case Op::NotEqual: return combine(operands, [](float x, float y) { return x != y ? 1.0F : 0.0F; });
        case Op::Greater: return combine(operands, [](float x, float y) { return x > y ? 1.0F : 0.0F; });
        case Op::Less: return combine(operands, [](float x, float y) { return x < y ? 1.0F : 0.0F; });
        case Op::And: return combine(operands, [](float x, float y) { return x * y; });
        case Op::Or: return combine(operands, [](float x, float y) { return x > y ? x : y; });
    }
}

struct Steps {
    std::span<const Step> steps;
    std::span<const uint8_t> places;
};

PARTITA_INLINED void run_steps(const Steps& program, const float* from, float* to, int64_t count) {
    alignas(64) float values[ElementwiseProgram::kMostSteps][kBlock];
    for (int64_t first = 0; first < count; first += kBlock) {
        const auto at = [&](uint8_t place) -> const float* {
            return place == ElementwiseProgram::kConstant ? nullptr : place == 0 ? from + first : values[place - 1];
        };
        for (size_t i = 0; i < program.steps.size(); ++i) {
            const Step& step = program.steps[i];
            float* result = i + 1 == program.steps.size() ? to + first : values[program.places[i] - 1];
            compute(step.op, {at(step.a), at(step.b), step.alpha, step.beta, result, std::min(kBlock, count - first)});
        }
    }
}

PARTITA_TARGET_AVX512 void run_avx512(const Steps& program, const float* from, float* to, int64_t count) {
    run_steps(program, from, to, count);
}
PARTITA_TARGET_AVX2 void run_avx2(const Steps& program, const float* from, float* to, int64_t count) {
    run_steps(program, from, to, count);
}
void run_baseline(const Steps& program, const float* from, float* to, int64_t count) {
    run_steps(program, from, to, count);
}

}  // namespace

namespace {

/// Returns the steps that the last one needs.
std::vector<Step> needed(const std::vector<Step>& steps) {
    std::vector<uint8_t> value_of(steps.size() + 1);  // 0: not needed, or the argument
    std::vector<bool> is_needed(steps.size() + 1);
    is_needed.back() = true;
    for (size_t i = steps.size(); i-- > 0;)
        for (const uint8_t value : {steps[i].a, steps[i].b})
            if (is_needed[i + 1] && value != ElementwiseProgram::kConstant) is_needed[value] = true;
    std::vector<Step> kept;
    for (size_t i = 0; i < steps.size(); ++i) {
        if (!is_needed[i + 1]) continue;
        kept.push_back(steps[i]);
        for (uint8_t* value : {&kept.back().a, &kept.back().b})
            if (*value != ElementwiseProgram::kConstant) *value = value_of[*value];
        value_of[i + 1] = uint8_t(kept.size());
    }
    return kept;
}

}  // namespace

/// A value's place is free again behind the last step that takes it.
ElementwiseProgram::ElementwiseProgram(std::vector<Step> steps) : steps_(needed(steps)) {
    std::vector<size_t> last(steps_.size() + 1);
    for (size_t i = 0; i < steps_.size(); ++i)
        for (const uint8_t value : {steps_[i].a, steps_[i].b})
            if (value != kConstant) last[value] = i;
    std::vector<uint8_t> place_of(steps_.size() + 1), free;
    uint8_t places = 0;
    for (size_t i = 0; i < steps_.size(); ++i) {
        const uint8_t a = steps_[i].a, b = steps_[i].b;
        if (free.empty()) free.push_back(++places);
        place_of[i + 1] = free.back();
        free.pop_back();
        for (uint8_t* value : {&steps_[i].a, &steps_[i].b})
            if (*value != kConstant) *value = place_of[*value];
        const auto ends = [&](uint8_t value) { return value != kConstant && value != 0 && last[value] == i; };
        if (ends(a)) free.push_back(place_of[a]);
        if (ends(b) && b != a) free.push_back(place_of[b]);
    }
    places_.assign(place_of.begin() + 1, place_of.end());
}

void ElementwiseProgram::run(const float* from, float* to, int64_t count) const {
    static const auto runs = vector_unit() == VectorUnit::Avx512 ? run_avx512
                             : vector_unit() == VectorUnit::Avx2 ? run_avx2
                                                                 : run_baseline;
    runs({steps_, places_}, from, to, count);
}

float ElementwiseProgram::operator()(float x) const {
    float y = 0;
    run(&x, &y, 1);
    return y;
}

}  // namespace partita
