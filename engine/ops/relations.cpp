#include "engine/ops/relations.h"

#include "engine/ir/tensor.h"

namespace partita {

Status require_tensors(const TypeQuery& query) {
    for (size_t i = 0; i < query.arguments.size(); ++i)
        if (!query.types.is_tensor(query.arguments[i]))
            return error("argument " + std::to_string(i + 1) + " must be a tensor, not " +
                         query.types.to_string(query.arguments[i]));
    return Nothing();
}

Result<TypeId> identity_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    return query.arguments[0];
}

std::optional<int64_t> normalized_axis(int64_t axis, size_t rank) {
    int64_t size = int64_t(rank);
    if (axis < -size || axis >= size) return std::nullopt;
    return axis < 0 ? axis + size : axis;
}

Result<int64_t> checked_axis(int64_t axis, size_t rank) {
    if (auto normal = normalized_axis(axis, rank)) return *normal;
    return error("the axis " + std::to_string(axis) + " is out of range for rank " + std::to_string(rank));
}

std::optional<int64_t> checked_add(int64_t a, int64_t b) {
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
    return sum;
}

std::optional<int64_t> checked_multiply(int64_t a, int64_t b) {
    if (a == kDynamicDim || b == kDynamicDim) return kDynamicDim;
    int64_t product;
    if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
    return product;
}

Result<TypeId> checked_tensor(TypeTable& types, DataType dtype, std::span<const int64_t> shape) {
    std::vector<int64_t> known;
    for (int64_t dim : shape)
        if (dim != kDynamicDim) known.push_back(dim);
    if (!element_count(known)) return error("the result would have the impossible shape " + shape_to_string(shape));
    return types.tensor(dtype, shape);
}

Result<std::vector<int64_t>> checked_integers(const AttributesView& attributes, std::string_view name, size_t count,
                                              int64_t minimum) {
    std::vector<int64_t> values = attributes.integers(name);
    if (values.size() != count)
        return error(std::string(name) + " must have " + std::to_string(count) + (count == 1 ? " element" : " elements") +
                     ", not " + std::to_string(values.size()));
    for (int64_t value : values)
        if (value < minimum)
            return error(std::string(name) +
                         (minimum == 1 ? " must be positive" : minimum == 0 ? " must not be negative" : " is too small"));
    return values;
}

}  // namespace partita
