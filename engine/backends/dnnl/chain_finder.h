// What the finders of chains have in common: questions about the steps of one region of a flat graph.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/ops/registry.h"
#include "engine/program/flat_graph.h"

namespace partita::onednn {

/// Where each value is used: the number of uses, and the last step among the users.
struct ValueUses {
    const std::vector<uint32_t>& counts;
    const std::vector<uint32_t>& user;
};

class ChainFinder {
protected:
    static constexpr uint32_t kNoStep = UINT32_MAX;

    /// Finds chains in the region of the step `inside`.
    ChainFinder(const Module& module, const FlatGraph& graph, const ValueUses& uses, uint32_t inside)
        : module_(module), graph_(graph), uses_(uses), region_(graph.steps[inside].region) {}

    std::span<const int64_t> shape_of(ValueId value) const { return module_.types().shape(graph_.values[value].type); }
    bool is_float32(ValueId value) const { return module_.types().dtype(graph_.values[value].type) == kFloat32; }
    bool same_type(ValueId a, ValueId b) const { return graph_.values[a].type == graph_.values[b].type; }
    const std::string& op(uint32_t step) const;
    AttributesView attributes(uint32_t step) const { return attributes_of(module_, graph_.steps[step].expr); }
    ValueId input(uint32_t step, size_t i) const { return graph_.step_inputs(graph_.steps[step])[i]; }
    ValueId output(uint32_t step) const { return graph_.steps[step].first_output; }

    /// Returns the step of the region that makes a value which is used `uses` times.
    uint32_t maker(ValueId value, uint32_t uses = 1) const;
    uint32_t only_user(ValueId value) const;
    /// Returns the value of a float32 constant of one element.
    std::optional<float> scalar(ValueId value) const;

    const Module& module_;
    const FlatGraph& graph_;
    const ValueUses& uses_;

private:
    bool is_here(uint32_t step) const;

    const uint32_t region_;
};

/// Returns the value of a float32 constant of one element; nothing for other values.
std::optional<float> scalar_constant(const Module& module, const FlatGraph& graph, ValueId value);

inline size_t axis_of(int64_t axis, size_t rank) { return size_t(axis < 0 ? axis + int64_t(rank) : axis); }

/// Returns the operand's axis for each axis of a transposition's result.
std::vector<size_t> transposed_axes(const AttributesView& attributes, size_t rank);

}  // namespace partita::onednn
