#include "engine/runtime/parameter_values.h"

#include <algorithm>

#include "engine/ir/narrow_types.h"
#include "engine/program/flat_graph.h"
#include "engine/program/parameters.h"
#include "engine/support/spelling.h"

namespace partita {

namespace {

/// The names of a parameter's flattened parts in the module, with their types.
struct InputSlot {
    std::string name;
    TypeId type;
};

/// Returns the names and types of all parts.
Result<std::vector<InputSlot>> input_slots(const Module& module, ExprId main) {
    std::vector<InputSlot> slots;
    const TypeTable& types = module.types();
    for (ExprId parameter : module.parameters(main)) {
        std::vector<TypeId> leaves;
        TypeId type = module.type(parameter);
        std::string name(module.name(parameter));
        if (!type.valid() || !flatten_type(types, type, leaves))
            return error("the parameter %" + name + " has the type " + types.to_string(type) +
                         ", which can't be given");
        for (TypeId leaf : leaves)
            if (!has_numbers(types.dtype(leaf)))
                return error("the parameter %" + name + " has the element type " + types.dtype(leaf).to_string() +
                             ", in which nothing can be computed");
        for (size_t i = 0; i < leaves.size(); ++i)
            slots.push_back({types.is_tuple(type) ? name + "." + std::to_string(i) : name, leaves[i]});
    }
    return slots;
}

Diagnostic no_value(const Module& module, ExprId main, const InputSlot& slot) {
    Result<FlatGraph> graph = flatten(module, main, false);
    if (!graph) return graph.error();  // generating inputs fails for a graph that cannot run
    return error("the parameter %" + slot.name + " of type " + module.types().to_string(slot.type) + " has no value");
}

Diagnostic unknown_input(const std::string& name, const std::vector<InputSlot>& slots) {
    std::vector<std::string_view> names;
    for (const InputSlot& slot : slots) names.push_back(slot.name);
    std::string_view nearest = nearest_spelling(name, names);
    std::string hint = nearest.empty() ? "" : "; did you mean %" + std::string(nearest) + "?";
    return error("@main has no parameter %" + name + hint);
}

}  // namespace

Result<std::vector<Tensor>> parameter_values(const Module& module, ExprId main, const RunOptions& options) {
    const Result<std::vector<InputSlot>> found = input_slots(module, main);
    if (!found) return found.error();
    const std::vector<InputSlot>& slots = *found;
    const TypeTable& types = module.types();
    std::vector<Tensor> tensors;
    for (const auto& [name, tensor] : options.inputs)
        if (std::none_of(slots.begin(), slots.end(), [&, &n = name](const InputSlot& slot) { return slot.name == n; }))
            return unknown_input(name, slots);
    std::map<std::string, Tensor> values = make_inputs(module, options.seed, options.inputs);
    for (const InputSlot& slot : slots) {
        auto value = values.find(slot.name);
        if (value == values.end()) return no_value(module, main, slot);
        const Tensor& tensor = value->second;
        std::span<const int64_t> shape = types.shape(slot.type);
        if (!(tensor.dtype() == types.dtype(slot.type)) ||
            !std::equal(shape.begin(), shape.end(), tensor.shape().begin(), tensor.shape().end()))
            return error("the input for %" + slot.name + " is " + tensor.dtype().to_string() +
                         shape_to_string(tensor.shape()) + ", but the parameter is " + types.to_string(slot.type));
        tensors.push_back(tensor);
    }
    return tensors;
}

std::vector<TensorView> values_known_before(const Module& module, ExprId main, std::vector<Tensor>& values) {
    Result<FlatGraph> written_out = flatten(module, main, false);
    std::vector<Parameter> parameters;
    if (written_out && written_out->straight_line) parameters = classify_parameters(module, main, *written_out);
    std::vector<TensorView> views;
    for (size_t i = 0; i < values.size(); ++i) {
        views.push_back({values[i].bytes(), values[i].dtype(), values[i].shape()});
        if (i >= parameters.size() || !is_fixed(parameters[i])) views.back().data = nullptr;
    }
    return views;
}

}  // namespace partita
