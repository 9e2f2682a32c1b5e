#include "engine/backends/dnnl/attention_chain.h"

#include <algorithm>

#include "engine/ops/nn_attention.h"
#include "engine/ops/registry.h"
#include "engine/ops/strided_copy.h"

namespace partita::onednn {

namespace {

/// For fewer rows, as when one token is decoded, packing keys and values costs more than it saves.
constexpr int64_t kFewestRows = 8;

class AttentionFinder : ChainFinder {
public:
    AttentionFinder(const Module& module, const FlatGraph& graph, const ValueUses& uses, uint32_t softmax)
        : ChainFinder(module, graph, uses, softmax), softmax_(softmax) {}

    /// Of a call that is the whole.
    std::optional<AttentionChain> run_whole() {
        const FlatStep& step = graph_.steps[softmax_];
        std::vector<TensorView> inputs;
        for (ValueId value : graph_.step_inputs(step))
            inputs.push_back({nullptr, module_.types().dtype(graph_.values[value].type), shape_of(value)});
        if (!is_float32(step.first_output)) return std::nullopt;
        chain_.shape = shape_of_attention(inputs, attributes_of(module_, step.expr));
        chain_.query = input(softmax_, 0);
        chain_.key = input(softmax_, 1);
        chain_.value = input(softmax_, 2);
        if (inputs.size() > 3) chain_.matrices.push_back(input(softmax_, 3));
        chain_.result = output(softmax_);
        chain_.call = softmax_;
        chain_.steps.push_back(softmax_);
        // Rows of heads that share keys are one after another, which a transposition would change.
        const bool one_head = chain_.shape.rows == chain_.shape.head_rows;
        if (one_head) take_operand(chain_.query, chain_.shape.query, Rows::Together);
        take_operand(chain_.key, chain_.shape.key, Rows::Anywhere);
        take_operand(chain_.value, chain_.shape.value, Rows::Anywhere);
        if (one_head) take_result();
        std::sort(chain_.steps.begin(), chain_.steps.end());
        return std::move(chain_);
    }

    std::optional<AttentionChain> run() {
        const std::span<const int64_t> scores = shape_of(input(softmax_, 0));
        if (!is_float32(input(softmax_, 0)) || scores.size() < 2) return std::nullopt;
        const int64_t axis = attributes(softmax_).integer("axis");
        if (axis != -1 && axis != int64_t(scores.size()) - 1) return std::nullopt;
        chain_.steps.push_back(softmax_);
        chain_.shape.rows = scores[scores.size() - 2];
        chain_.shape.head_rows = chain_.shape.rows;
        chain_.shape.keys = scores.back();
        if (chain_.shape.rows < kFewestRows || chain_.shape.keys < 1) return std::nullopt;
        if (!take_first_product(back_to_product()) || !take_second_product(on_to_product())) return std::nullopt;
        std::sort(chain_.steps.begin(), chain_.steps.end());
        std::reverse(chain_.shape.steps.begin(), chain_.shape.steps.end());
        return std::move(chain_);
    }

private:
    /// Reshapes that leave the matrices as they are.
    bool keeps_matrices(uint32_t step) const {
        if (!op_registry()[graph_.steps[step].op].same_bytes) return false;
        const std::span<const int64_t> from = shape_of(input(step, 0)), to = shape_of(output(step));
        return from.size() >= 2 && to.size() >= 2 && std::equal(from.end() - 2, from.end(), to.end() - 2);
    }

    /// Takes what is done to the scores, from the softmax back. Returns the product that makes them.
    uint32_t back_to_product() {
        for (ValueId current = input(softmax_, 0);;) {
            const uint32_t step = maker(current);
            if (step == kNoStep || op(step) == "nn.batch_matmul") return step;
            const std::optional<ValueId> before = keeps_matrices(step) ? input(step, 0) : take_score_step(step);
            if (!before) return kNoStep;
            chain_.steps.push_back(step);
            current = *before;
        }
    }

    /// Returns the scores before the step.
    std::optional<ValueId> take_score_step(uint32_t step) {
        const std::string& name = op(step);
        if (name == "tanh") {
            chain_.shape.steps.push_back({ScoreStep::Kind::Tanh});
            return input(step, 0);
        }
        if (name != "add" && name != "multiply" && name != "divide" && name != "subtract") return std::nullopt;
        const bool commutes = name == "add" || name == "multiply";
        for (size_t side : {0, 1}) {
            if (side == 1 && !commutes) break;
            const ValueId scores = input(step, side), other = input(step, 1 - side);
            if (scores == other || graph_.values[scores].type != graph_.values[output(step)].type) continue;
            if (take_constant(name, other)) return scores;
            if (name == "add" && maker(scores) != kNoStep && take_matrix(other, shape_of(scores))) return scores;
        }
        return std::nullopt;
    }

    bool take_constant(const std::string& name, ValueId value) {
        const std::optional<float> constant = scalar(value);
        if (!constant) return false;
        ScoreStep step;
        if (name == "add") step.shift = *constant;
        if (name == "subtract") step.shift = -*constant;
        if (name == "multiply") step.factor = *constant;
        if (name == "divide") step.factor = 1 / *constant;
        chain_.shape.steps.push_back(std::move(step));
        return true;
    }

    /// Returns where the matrices of a tensor begin whose dimension d has the stride `strides[d]`: those of the last
    /// two.
    static std::vector<int64_t> starts_of(std::span<const int64_t> shape, std::span<const int64_t> strides) {
        std::vector<int64_t> starts{0};
        for (size_t d = 0; d + 2 < shape.size(); ++d) {
            std::vector<int64_t> next;
            for (int64_t start : starts)
                for (int64_t i = 0; i < shape[d]; ++i) next.push_back(start + i * strides[d]);
            starts = std::move(next);
        }
        return starts;
    }

    /// Takes what is added to the scores, repeated where it has extents of 1.
    bool take_matrix(ValueId value, std::span<const int64_t> scores) {
        const std::span<const int64_t> own = shape_of(value);
        if (!is_float32(value) || own.size() > scores.size()) return false;
        std::vector<int64_t> strides(scores.size(), 0);
        int64_t stride = 1;
        for (size_t d = own.size(); d-- > 0; stride *= own[d])
            if (own[d] != 1) strides[d + scores.size() - own.size()] = stride;
        ScoreStep step;
        step.kind = ScoreStep::Kind::Add;
        step.matrix = chain_.matrices.size();
        step.places.column_stride = strides.back();
        step.places.row_stride = strides[strides.size() - 2];
        step.places.starts = starts_of(scores, strides);
        chain_.matrices.push_back(value);
        chain_.shape.steps.push_back(std::move(step));
        return true;
    }

    uint32_t on_to_product() {
        for (ValueId current = output(softmax_);;) {
            const uint32_t step = only_user(current);
            if (step == kNoStep) return kNoStep;
            if (op(step) == "nn.batch_matmul") return input(step, 0) == current ? step : kNoStep;
            if (!keeps_matrices(step)) return kNoStep;
            chain_.steps.push_back(step);
            current = output(step);
        }
    }

    /// Places of a product's operand, whose rows are `rows` if it is not transposed.
    MatrixPlaces places_of(ValueId value, bool transposed) const {
        const std::span<const int64_t> shape = shape_of(value);
        MatrixPlaces places;
        places.row_stride = transposed ? 1 : shape[2];
        places.column_stride = transposed ? shape[2] : 1;
        for (int64_t i = 0; i < chain_.shape.items; ++i)
            places.starts.push_back(shape[0] == 1 ? 0 : i * shape[1] * shape[2]);
        return places;
    }

    MatrixPlaces places_in(std::span<const int64_t> shape, std::span<const int64_t> strides) const {
        MatrixPlaces places;
        places.row_stride = strides[shape.size() - 2];
        places.column_stride = strides.back();
        places.starts = starts_of(shape, strides);
        if (places.starts.size() == 1) places.starts.resize(size_t(chain_.shape.items));
        return places;
    }

    std::vector<size_t> axes_of(uint32_t transposition) const {
        return transposed_axes(attributes(transposition), shape_of(output(transposition)).size());
    }
    bool is_transposition(uint32_t step) const {
        return step != kNoStep && op(step) == "transpose" && shape_of(output(step)).size() >= 2;
    }

    enum class Rows : uint8_t { Anywhere, Together };
    /// Looks through a transposition that is made for this operand alone: makes it what it was before, and `places`
    /// those of its matrices there. `turned`: the kernel's matrices are the operand's turned round.
    void take_operand(ValueId& value, MatrixPlaces& places, Rows rows, bool turned = false) {
        std::vector<uint32_t> steps;
        uint32_t step = maker(value);
        if (step != kNoStep && keeps_matrices(step)) {
            steps.push_back(step);
            step = maker(input(step, 0));
        }
        if (!is_transposition(step)) return;
        steps.push_back(step);
        const std::vector<int64_t> before = row_major_strides(shape_of(input(step, 0)));
        std::vector<int64_t> strides;
        for (size_t axis : axes_of(step)) strides.push_back(before[axis]);
        MatrixPlaces there = places_in(shape_of(output(step)), strides);
        if (turned) std::swap(there.row_stride, there.column_stride);
        if (rows == Rows::Together && there.column_stride != 1) return;
        places = std::move(there);
        chain_.steps.insert(chain_.steps.end(), steps.begin(), steps.end());
        value = input(step, 0);
    }

    /// Takes a transposition of the result, if rows stay together.
    void take_result() {
        std::vector<uint32_t> steps;
        uint32_t step = only_user(chain_.result);
        if (step != kNoStep && keeps_matrices(step)) {
            steps.push_back(step);
            step = only_user(output(step));
        }
        if (!is_transposition(step)) return;
        steps.push_back(step);
        const std::vector<int64_t> after = row_major_strides(shape_of(output(step)));
        const std::vector<size_t> axes = axes_of(step);
        std::vector<int64_t> strides(axes.size());
        for (size_t d = 0; d < axes.size(); ++d) strides[axes[d]] = after[d];
        MatrixPlaces there = places_in(shape_of(input(step, 0)), strides);
        if (there.column_stride != 1) return;
        chain_.shape.result = std::move(there);
        chain_.steps.insert(chain_.steps.end(), steps.begin(), steps.end());
        chain_.result = output(step);
    }

    bool take_first_product(uint32_t product) {
        if (product == kNoStep) return false;
        const AttributesView given = attributes(product);
        if (given.boolean("transpose_a")) return false;
        chain_.query = input(product, 0);
        chain_.key = input(product, 1);
        if (!is_float32(chain_.query) || !is_float32(chain_.key)) return false;
        chain_.shape.items = shape_of(output(product))[0];
        chain_.shape.depth = shape_of(chain_.query)[2];
        if (chain_.shape.items < 1 || chain_.shape.depth < 1) return false;
        chain_.shape.query = places_of(chain_.query, false);
        take_operand(chain_.query, chain_.shape.query, Rows::Together);
        const bool as_columns = !given.boolean("transpose_b");  // the product takes keys as columns
        chain_.shape.key = places_of(chain_.key, as_columns);
        take_operand(chain_.key, chain_.shape.key, Rows::Anywhere, as_columns);
        chain_.call = product;
        chain_.steps.push_back(product);
        for (const ScoreStep& step : chain_.shape.steps)
            if (step.kind == ScoreStep::Kind::Add && int64_t(step.places.starts.size()) != chain_.shape.items)
                return false;
        return true;
    }

    bool take_second_product(uint32_t product) {
        if (product == kNoStep) return false;
        const AttributesView given = attributes(product);
        if (given.boolean("transpose_a")) return false;
        chain_.value = input(product, 1);
        const std::span<const int64_t> result = shape_of(output(product));
        if (!is_float32(chain_.value) || result[0] != chain_.shape.items || result[2] < 1) return false;
        chain_.shape.width = result[2];
        const bool as_columns = given.boolean("transpose_b");
        chain_.shape.value = places_of(chain_.value, as_columns);
        take_operand(chain_.value, chain_.shape.value, Rows::Anywhere, as_columns);
        chain_.result = output(product);
        chain_.shape.result = places_of(chain_.result, false);
        take_result();
        chain_.steps.push_back(product);
        return true;
    }

    const uint32_t softmax_;
    AttentionChain chain_;
};

}  // namespace

std::optional<AttentionChain> attention_of(const Module& module, const FlatGraph& graph, const ValueUses& uses,
                                           uint32_t softmax) {
    if (op_registry()[graph.steps[softmax].op].name == "nn.attention")
        return AttentionFinder(module, graph, uses, softmax).run_whole();
    return AttentionFinder(module, graph, uses, softmax).run();
}

}  // namespace partita::onednn
