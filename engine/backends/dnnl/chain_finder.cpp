#include "engine/backends/dnnl/chain_finder.h"

namespace partita::onednn {

const std::string& ChainFinder::op(uint32_t step) const { return op_registry()[graph_.steps[step].op].name; }

bool ChainFinder::is_here(uint32_t step) const {
    const FlatStep& flat = graph_.steps[step];
    return flat.op.valid() && flat.region == region_ && flat.output_count == 1 && is_float32(flat.first_output);
}

uint32_t ChainFinder::maker(ValueId value, uint32_t uses) const {
    const FlatValue& made = graph_.values[value];
    if (made.source != FlatValue::Source::Step || uses_.counts[value] != uses || !is_here(made.index)) return kNoStep;
    return made.index;
}

uint32_t ChainFinder::only_user(ValueId value) const {
    if (uses_.counts[value] != 1 || uses_.user[value] == kNoStep || !is_here(uses_.user[value])) return kNoStep;
    return uses_.user[value];
}

std::optional<float> ChainFinder::scalar(ValueId value) const { return scalar_constant(module_, graph_, value); }

std::optional<float> scalar_constant(const Module& module, const FlatGraph& graph, ValueId id) {
    const FlatValue& value = graph.values[id];
    if (value.source != FlatValue::Source::Constant || module.types().dtype(value.type) != kFloat32)
        return std::nullopt;
    const Tensor& tensor = module.constant_value(ConstantId(value.index));
    if (tensor.size() != 1) return std::nullopt;
    return tensor.data<float>()[0];
}

std::vector<size_t> transposed_axes(const AttributesView& attributes, size_t rank) {
    std::vector<size_t> axes(rank);
    if (attributes.is_none("axes")) {
        for (size_t d = 0; d < rank; ++d) axes[d] = rank - 1 - d;
        return axes;
    }
    const std::vector<int64_t> given = attributes.integers("axes");
    for (size_t d = 0; d < rank; ++d) axes[d] = axis_of(given[d], rank);
    return axes;
}

}  // namespace partita::onednn
