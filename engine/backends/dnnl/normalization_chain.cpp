#include "engine/backends/dnnl/normalization_chain.h"

#include <algorithm>

namespace partita::onednn {

namespace {

class NormalizationFinder : ChainFinder {
public:
    NormalizationFinder(const Module& module, const FlatGraph& graph, const ValueUses& uses, uint32_t root)
        : ChainFinder(module, graph, uses, root), root_(root) {}

    /// Of a call that is the whole.
    std::optional<NormalizationChain> run_whole() {
        const AttributesView given = attributes(root_);
        const ValueId data = input(root_, 0);
        const size_t rank = shape_of(data).size();
        if (axis_of(given.integer("axis"), rank) + 1 != rank || !is_float32(data) || !has_elements(data))
            return std::nullopt;
        chain_.data = data;
        chain_.epsilon = float(given.real("epsilon"));
        chain_.scale = input(root_, 1);
        take(root_);
        return std::move(chain_);
    }

    std::optional<NormalizationChain> run() {
        if (!take_variance() || !take_division()) return std::nullopt;
        take_centering();
        take_scale_and_shift();
        std::sort(chain_.steps.begin(), chain_.steps.end());
        return std::move(chain_);
    }

    bool is_whole() const { return op(root_) == "nn.rms_norm"; }

private:
    void take(uint32_t step) { chain_.steps.push_back(step); }

    bool has_elements(ValueId value) const { return element_count(shape_of(value)).value_or(0) > 0; }

    /// Returns what a step takes the mean of, along the last axis.
    std::optional<ValueId> averaged(uint32_t step) const {
        if (step == kNoStep || op(step) != "mean") return std::nullopt;
        const AttributesView given = attributes(step);
        const auto rank = int64_t(shape_of(input(step, 0)).size());
        if (given.is_none("axis")) return std::nullopt;
        const std::vector<int64_t> axes = given.integers("axis");
        if (rank == 0 || axes.size() != 1 || (axes[0] != -1 && axes[0] != rank - 1)) return std::nullopt;
        if (!given.boolean("keepdims") || given.boolean("exclude")) return std::nullopt;
        return input(step, 0);
    }

    /// mean(x^2) + epsilon, from the root back.
    bool take_variance() {
        const uint32_t sum = maker(input(root_, 0));
        if (sum == kNoStep || op(sum) != "add") return false;
        const std::optional<float> left = scalar(input(sum, 0)), right = scalar(input(sum, 1));
        if (left.has_value() == right.has_value()) return false;
        chain_.epsilon = left ? *left : *right;
        const uint32_t mean = maker(input(sum, left ? 1 : 0));
        const std::optional<ValueId> squared = averaged(mean);
        if (!squared || !same_type(output(mean), output(root_))) return false;
        const uint32_t square = maker(*squared);
        if (square == kNoStep) return false;
        const bool power = op(square) == "power" && scalar(input(square, 1)) == 2.0F;
        if (!power && (op(square) != "multiply" || input(square, 0) != input(square, 1))) return false;
        normalized_ = input(square, 0);
        uses_in_chain_ = power ? 2 : 3;  // by the square, and by the division
        if (!same_type(normalized_, output(square)) || !has_elements(normalized_)) return false;
        for (uint32_t step : {square, mean, sum, root_}) take(step);
        return true;
    }

    /// x / root, or x * (1 / root).
    bool take_division() {
        uint32_t division = only_user(output(root_));
        if (division == kNoStep || op(division) != "divide" || input(division, 1) != output(root_)) return false;
        take(division);
        if (scalar(input(division, 0)) == 1.0F) {
            const ValueId inverse = output(division);
            division = only_user(inverse);
            if (division == kNoStep || op(division) != "multiply") return false;
            if (input(division, input(division, 0) == inverse ? 1 : 0) != normalized_) return false;
            take(division);
        } else if (input(division, 0) != normalized_) {
            return false;
        }
        result_ = output(division);
        return same_type(result_, normalized_);
    }

    /// x - mean(x); if something else needs it, too, it is data as any other.
    void take_centering() {
        chain_.data = normalized_;
        const uint32_t difference = maker(normalized_, uses_in_chain_);
        if (difference == kNoStep || op(difference) != "subtract") return;
        const ValueId data = input(difference, 0);
        const uint32_t mean = maker(input(difference, 1));
        if (averaged(mean) != data || !same_type(data, normalized_)) return;
        chain_.data = data;
        chain_.centered = true;
        take(mean);
        take(difference);
    }

    /// Returns the other operand of the step `name` that follows the result, if it has one number for each column.
    std::optional<ValueId> take_columns(const char* name) {
        const uint32_t step = only_user(result_);
        if (step == kNoStep || op(step) != name || input(step, 0) == input(step, 1)) return std::nullopt;
        const ValueId other = input(step, input(step, 0) == result_ ? 1 : 0);
        const std::span<const int64_t> shape = shape_of(other);
        const int64_t columns = shape_of(result_).back();
        if (shape.empty() || shape.back() != columns || !is_float32(other) || !same_type(output(step), result_) ||
            std::any_of(shape.begin(), shape.end() - 1, [](int64_t extent) { return extent != 1; }))
            return std::nullopt;
        take(step);
        result_ = output(step);
        return other;
    }

    void take_scale_and_shift() {
        chain_.scale = take_columns("multiply");
        chain_.shift = take_columns("add");
    }

    const uint32_t root_;
    ValueId normalized_ = 0, result_ = 0;
    uint32_t uses_in_chain_ = 0;
    NormalizationChain chain_;
};

}  // namespace

std::optional<NormalizationChain> normalization_of(const Module& module, const FlatGraph& graph, const ValueUses& uses,
                                                   uint32_t root) {
    NormalizationFinder finder(module, graph, uses, root);
    return finder.is_whole() ? finder.run_whole() : finder.run();
}

}  // namespace partita::onednn
