#include "engine/exporters/onnx/call.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "engine/exporters/onnx/runtime_types.h"
#include "engine/ops/registry.h"

namespace partita::onnx_export {

Call::Call(Graph& graph, ValueNames& values, const Module& module, ExprId call, std::string label)
    : graph_(graph), values_(values), module_(module), call_(call), label_(std::move(label)),
      attributes_(attributes_of(module, call)) {}

void Call::refuse(const std::string& reason) const { throw Refusal{attributes_.op().name + ": " + reason}; }

std::string Call::value_of(ExprId expr) const {
    const Names& names = values_.names_of(expr);
    if (names.size() != 1) refuse("an argument is a tuple");
    graph_.note_dtype(names[0], dtype_of(expr));
    return names[0];
}

const Names& Call::fields(size_t index) const {
    const Names& names = values_.names_of(argument(index));
    const TypeTable& types = module_.types();
    const TypeId type = module_.type(argument(index));
    if (types.is_tuple(type) && types.parts(type).size() == names.size())
        for (size_t i = 0; i < names.size(); ++i)
            if (TypeId part = types.parts(type)[i]; types.is_tensor(part))
                graph_.note_dtype(names[i], types.dtype(part));
    return names;
}

const Tensor* Call::constant_of(ExprId expr) const {
    return module_.kind(expr) == ExprKind::Constant ? &module_.constant(expr) : nullptr;
}

std::span<const ExprId> Call::arguments_if(ExprId expr, std::string_view op) const {
    const OpRecord* record = called_op_record(module_, expr);
    if (!record || record->name != op) return {};
    return module_.arguments(expr);
}

std::vector<int64_t> Call::shape_of(ExprId expr) const {
    TypeId type = module_.type(expr);
    if (!module_.types().is_tensor(type)) refuse("a tensor is expected, not a " + module_.types().to_string(type));
    auto shape = module_.types().shape(type);
    for (int64_t dim : shape)
        if (dim < 0) refuse("the shape " + shape_to_string(shape) + " must be known");
    return {shape.begin(), shape.end()};
}

DataType Call::dtype_of(ExprId expr) const {
    TypeId type = module_.type(expr);
    if (!module_.types().is_tensor(type)) refuse("a tensor is expected, not a " + module_.types().to_string(type));
    return module_.types().dtype(type);
}

int64_t Call::axis(std::string_view name, int64_t rank) const {
    std::vector<int64_t> given = attributes_.integers(name);
    if (given.size() != 1 || given[0] < -rank || given[0] >= rank) refuse("the axis must be one of the operand's");
    return given[0] < 0 ? given[0] + rank : given[0];
}

std::vector<int64_t> Call::axes(std::string_view name, int64_t rank) const {
    std::vector<int64_t> axes = attributes_.integers(name);
    for (int64_t& axis : axes) {
        if (axis < -rank || axis >= rank) refuse("an axis is out of range");
        if (axis < 0) axis += rank;
    }
    return axes;
}

Names Call::nodes(std::string_view op_type, Names inputs, size_t results, NodeAttributes attributes,
                  std::string_view domain, int64_t version) {
    if (domain.empty()) return nodes_in_known_type(op_type, std::move(inputs), results, std::move(attributes));
    return nodes_as_given(op_type, std::move(inputs), results, std::move(attributes), domain, version);
}

/// Adds a node in a type that ONNX Runtime has a kernel for: with conversions round it where those change no number.
Names Call::nodes_in_known_type(std::string_view op_type, Names inputs, size_t results, NodeAttributes attributes) {
    const size_t typed = typed_operand(op_type);
    const DataType dtype = typed < inputs.size() ? graph_.dtype_of(inputs[typed]) : DataType();
    DataType computed = dtype;
    if (!dtype.is_void() && runtime_lacks(op_type, dtype)) {
        const bool nearest =
            op_type == "Resize" && std::any_of(attributes.begin(), attributes.end(), [](const auto& a) {
                const std::string* mode = std::get_if<std::string>(&a.data);
                return a.name == "mode" && mode && *mode == "nearest";
            });
        computed = only_chooses(op_type) || nearest ? type_that_holds(op_type, dtype) : DataType();
        if (computed.is_void()) refuse("ONNX Runtime has no " + std::string(op_type) + " of " + dtype.to_string());
        for (size_t i = 0; i < inputs.size(); ++i)
            if (!inputs[i].empty() && is_chosen_from(op_type, i)) inputs[i] = cast(inputs[i], dtype, computed);
    }
    Names outputs = nodes_as_given(op_type, std::move(inputs), results, std::move(attributes), {}, 1);
    const DataType result = dtype.is_void() ? dtype : result_of(op_type, computed);
    if (!result.is_void()) graph_.note_dtype(outputs[0], result);
    if (!(computed == dtype) && result == computed) outputs[0] = cast(outputs[0], computed, dtype);
    return outputs;
}

Names Call::nodes_as_given(std::string_view op_type, Names inputs, size_t results, NodeAttributes attributes,
                           std::string_view domain, int64_t version) {
    Node node;
    node.op_type = op_type;
    node.domain = domain;
    node.version = version;
    node.name = graph_.fresh_node(label_);
    while (!inputs.empty() && inputs.back().empty()) inputs.pop_back();
    node.inputs = std::move(inputs);
    for (size_t i = 0; i < results; ++i) node.outputs.push_back(graph_.fresh(label_ + "_value"));
    node.attributes = std::move(attributes);
    Names outputs = node.outputs;
    graph_.add(std::move(node));
    return outputs;
}

std::string Call::node(std::string_view op_type, Names inputs, NodeAttributes attributes) {
    return nodes(op_type, std::move(inputs), 1, std::move(attributes))[0];
}

std::string Call::constant_value(const Tensor& value) {
    std::string name = graph_.shared_constant(value, label_ + "_constant");
    graph_.note_dtype(name, value.dtype());
    return name;
}

std::string Call::integers(std::span<const int64_t> values) {
    Tensor tensor(kInt64, {int64_t(values.size())});
    std::copy(values.begin(), values.end(), tensor.data<int64_t>());
    return constant_value(tensor);
}

std::string Call::scalar(double value, DataType dtype) {
    Tensor tensor(dtype, {});
    tensor.set(0, value);
    return constant_value(tensor);
}

std::string Call::filled(const std::vector<int64_t>& shape, double value, DataType dtype) {
    Tensor one(dtype, {1});
    one.set(0, value);
    std::string value_name = node("ConstantOfShape", {integers(shape)}, {{"value", one}});
    graph_.note_dtype(value_name, dtype);
    return value_name;
}

std::string Call::cast(std::string value, DataType from, DataType to) {
    if (from == to) return value;
    std::string converted = node("Cast", {std::move(value)}, {{"to", int64_t(onnx_type(to))}});
    graph_.note_dtype(converted, to);
    return converted;
}

std::string Call::transpose(std::string value, const std::vector<int64_t>& axes) {
    std::vector<int64_t> same(axes.size());
    std::iota(same.begin(), same.end(), 0);
    if (axes == same) return value;
    return node("Transpose", {std::move(value)}, {{"perm", axes}});
}

std::vector<int64_t> Call::order_of(std::string_view from, std::string_view to) const {
    std::vector<int64_t> order;
    for (char axis : to) {
        const size_t at = from.find(axis);
        if (at == std::string_view::npos || from.size() != to.size())
            refuse("the layout " + std::string(from) + " can't be transposed to " + std::string(to));
        order.push_back(int64_t(at));
    }
    return order;
}

std::string Call::reshape(std::string value, const std::vector<int64_t>& shape) {
    NodeAttributes attributes;
    for (int64_t dim : shape)
        if (dim == 0) attributes = {{"allowzero", int64_t(1)}};
    return node("Reshape", {std::move(value), integers(shape)}, std::move(attributes));
}

CallWriter find_call_writer(std::string_view op) {
    static const std::unordered_map<std::string_view, CallWriter> table = [] {
        std::unordered_map<std::string_view, CallWriter> all;
        for (auto family : {math_call_writers(), nn_call_writers(), spatial_call_writers(), tensor_call_writers(),
                            quantized_call_writers()})
            for (const CallWriterEntry& entry : family) all.emplace(entry.op, entry.write);
        return all;
    }();
    auto it = table.find(op);
    return it == table.end() ? nullptr : it->second;
}

}  // namespace partita::onnx_export
