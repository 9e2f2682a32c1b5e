// Calls a single op by its record: infers the type of the result, makes the output tensors, runs the kernel.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "engine/ops/registry.h"
#include "tests/engine/guarded_memory.h"

namespace partita::testing {

using NamedAttributes = std::vector<std::pair<std::string, AttributeValue>>;

/// Returns a tensor of any dtype from numbers in row-major order.
inline Tensor tensor(DataType dtype, std::vector<int64_t> shape, const std::vector<double>& values) {
    Tensor result(dtype, std::move(shape));
    for (size_t i = 0; i < values.size() && int64_t(i) < result.size(); ++i) result.set(int64_t(i), values[i]);
    return result;
}
inline Tensor floats(std::vector<int64_t> shape, const std::vector<double>& values) {
    return tensor(kFloat32, std::move(shape), values);
}
inline Tensor int32s(std::vector<int64_t> shape, const std::vector<double>& values) {
    return tensor(kInt32, std::move(shape), values);
}

inline std::vector<double> numbers(const Tensor& tensor) {
    std::vector<double> list;
    for (int64_t i = 0; i < tensor.size(); ++i) list.push_back(tensor.at(i));
    return list;
}

inline AttributeValue list(std::initializer_list<int> values) {
    AttributeValue::List items(values.begin(), values.end());
    return items;
}

/// An argument: one tensor, or a tuple of them.
struct Argument {
    std::vector<Tensor> tensors;
    bool is_tuple = false;
    Argument(Tensor single) : tensors{std::move(single)} {}
    Argument(std::vector<Tensor> fields) : tensors(std::move(fields)), is_tuple(true) {}
};

inline AttributeList attributes_for(const OpRecord& op, const NamedAttributes& given) {
    AttributeList attributes = op.default_attributes();
    for (const auto& [name, value] : given) attributes.at(size_t(op.attribute_index(name))) = value;
    return attributes;
}

/// Returns the result type that the op's relation derives from arguments of these types.
inline Result<TypeId> infer_op(TypeTable& types, const std::string& name, const std::vector<TypeId>& arguments,
                               const NamedAttributes& given = {}) {
    OpId id = op_registry().find(name);
    if (!id.valid()) return error("no op " + name);
    const OpRecord& op = op_registry()[id];
    AttributeList attributes = attributes_for(op, given);
    return op.relation({types, arguments, AttributesView(op, attributes)});
}

inline Result<std::vector<Tensor>> run_op(const std::string& name, const std::vector<Argument>& arguments,
                                          const NamedAttributes& given = {}, int threads = 2) {
    TypeTable types;
    std::vector<TypeId> argument_types;
    std::vector<TensorView> inputs, outputs;
    GuardedTensors guarded;
    for (const Argument& argument : arguments) {
        std::vector<TypeId> fields;
        for (const Tensor& field : argument.tensors) {
            fields.push_back(types.tensor(field.dtype(), field.shape()));
            inputs.push_back(guarded.view(field));
        }
        argument_types.push_back(argument.is_tuple ? types.tuple(fields) : fields[0]);
    }
    auto type = infer_op(types, name, argument_types, given);
    if (!type) return type.error();
    std::vector<TypeId> result_types{*type};
    if (types.is_tuple(*type)) {
        auto parts = types.parts(*type);
        result_types.assign(parts.begin(), parts.end());
    }
    std::vector<Tensor> results;
    for (TypeId result : result_types) {
        auto shape = types.shape(result);
        results.emplace_back(types.dtype(result), std::vector<int64_t>(shape.begin(), shape.end()));
        // Kernels must write every element themselves.
        std::fill_n(static_cast<uint8_t*>(results.back().bytes()), results.back().byte_size(), uint8_t(0xa5));
    }
    for (const Tensor& result : results) outputs.push_back(guarded.view(result));
    const OpRecord& op = op_registry()[op_registry().find(name)];
    if (!op.kernel) return error("no kernel for " + name);
    AttributeList attributes = attributes_for(op, given);
    ThreadPool pool(threads);
    Status status = op.kernel({inputs, outputs, AttributesView(op, attributes), pool});
    if (!status) return status.error();
    GuardedTensors::copy_back(outputs, results);
    return results;
}

/// Returns the message of an expected failure, or "no error".
template <class T>
std::string message_of(const Result<T>& result) {
    return result ? "no error" : result.error().message;
}

}  // namespace partita::testing
