#include <algorithm>

#include "engine/ops/registry.h"
#include "engine/program/flat_graph.h"

namespace partita {

namespace {

class Folder {
public:
    Folder(const Module& module, FlatGraph& graph, std::span<const TensorView> known_inputs, ThreadPool& threads)
        : module_(module), graph_(graph), known_inputs_(known_inputs), threads_(threads), known_(graph.values.size()) {}

    std::vector<ExprId> run(const CancelToken& cancel) {
        for (ValueId value = 0; value < graph_.values.size(); ++value) known_[value] = is_known(value);
        std::vector<ExprId> taken_out;
        std::vector<FlatStep> kept;
        for (const FlatStep& step : graph_.steps) {
            if (!cancel.cancelled() && can_fold(step) && compute(step)) {
                taken_out.push_back(step.expr);
                continue;
            }
            for (uint32_t k = 0; k < step.output_count; ++k)
                graph_.values[step.first_output + k].index = uint32_t(kept.size());
            kept.push_back(step);
        }
        graph_.steps = std::move(kept);
        release_intermediate();
        return taken_out;
    }

private:
    bool is_known(ValueId id) const {
        const FlatValue& value = graph_.values[id];
        if (value.source != FlatValue::Source::Input) return value.source == FlatValue::Source::Constant;
        return value.index < known_inputs_.size() && known_inputs_[value.index].data;
    }

    /// Asks for the bytes of what is computed with, and of nothing else: weights may have to be read or unpacked first.
    const void* known_data(ValueId id) const {
        const FlatValue& value = graph_.values[id];
        switch (value.source) {
            case FlatValue::Source::Constant: return module_.constant_value(ConstantId(value.index)).bytes();
            case FlatValue::Source::Folded: return graph_.folded[value.index].bytes();
            case FlatValue::Source::Input: return known_inputs_[value.index].data;
            case FlatValue::Source::Step: break;
        }
        return nullptr;
    }

    bool can_fold(const FlatStep& step) const {
        if (!step.op.valid() || !op_registry()[step.op].kernel || step.input_count == 0) return false;
        std::span<const ValueId> inputs = graph_.step_inputs(step);
        return std::all_of(inputs.begin(), inputs.end(), [this](ValueId value) { return bool(known_[value]); });
    }

    TensorView view(ValueId value, const void* data) const {
        TypeId type = graph_.values[value].type;
        return {const_cast<void*>(data), module_.types().dtype(type), module_.types().shape(type)};
    }

    bool compute(const FlatStep& step) {
        std::vector<TensorView> inputs, outputs;
        for (ValueId value : graph_.step_inputs(step)) inputs.push_back(view(value, known_data(value)));
        std::vector<Tensor> results;
        for (uint32_t k = 0; k < step.output_count; ++k) {
            TensorView output = view(step.first_output + k, nullptr);
            results.emplace_back(output.dtype, std::vector<int64_t>(output.shape.begin(), output.shape.end()));
            output.data = results.back().bytes();
            outputs.push_back(output);
        }
        if (!op_registry()[step.op].kernel({inputs, outputs, attributes_of(module_, step.expr), threads_}))
            return false;
        for (uint32_t k = 0; k < step.output_count; ++k) {
            known_[step.first_output + k] = true;
            FlatValue& value = graph_.values[step.first_output + k];
            value.source = FlatValue::Source::Folded;
            value.index = uint32_t(graph_.folded.size());
            graph_.folded.push_back(std::move(results[k]));
        }
        return true;
    }

    /// Frees values that only removed steps read.
    void release_intermediate() {
        std::vector<bool> used(graph_.folded.size());
        auto mark = [&](ValueId id) {
            const FlatValue& value = graph_.values[id];
            if (value.source == FlatValue::Source::Folded) used[value.index] = true;
        };
        for (const FlatStep& step : graph_.steps)
            for (ValueId value : graph_.step_inputs(step)) mark(value);
        for (ValueId value : graph_.outputs) mark(value);
        for (ValueId value : graph_.observed) mark(value);
        for (size_t i = 0; i < used.size(); ++i)
            if (!used[i]) graph_.folded[i] = Tensor();
    }

    const Module& module_;
    FlatGraph& graph_;
    std::span<const TensorView> known_inputs_;
    ThreadPool& threads_;
    std::vector<char> known_;  ///< by value
};

}  // namespace

std::vector<ExprId> fold_known(const Module& module, FlatGraph& graph, std::span<const TensorView> known_inputs,
                               ThreadPool& threads, const CancelToken& cancel) {
    return Folder(module, graph, known_inputs, threads).run(cancel);
}

}  // namespace partita
