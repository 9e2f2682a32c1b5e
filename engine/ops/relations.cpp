#include "engine/ops/relations.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/ir/tensor.h"

namespace partita {

namespace {

Result<TypeId> broadcast(const TypeQuery& query, bool to_bool) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    // Most operands have one type.
    if (query.arguments[0] == query.arguments[1] && !to_bool) return query.arguments[0];
    TypeTable& types = query.types;
    DataType left = types.dtype(query.arguments[0]), right = types.dtype(query.arguments[1]);
    if (!(left == right))
        return error("the operands' data types " + left.to_string() + " and " + right.to_string() + " differ");
    auto shape = broadcast_shapes(types.shape(query.arguments[0]), types.shape(query.arguments[1]));
    if (!shape) return shape.error();
    return checked_tensor(types, to_bool ? kBool : left, *shape);
}

}  // namespace

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

Result<TypeId> same_type_relation(const TypeQuery& query) { return query.arguments[0]; }

Result<TypeId> identity_to_bool_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    return query.types.tensor(kBool, shape_copy(query.types, query.arguments[0]));
}

Result<TypeId> broadcast_relation(const TypeQuery& query) { return broadcast(query, false); }
Result<TypeId> broadcast_to_bool_relation(const TypeQuery& query) { return broadcast(query, true); }

Result<std::vector<TypeId>> tuple_of_tensors(const TypeQuery& query, size_t index) {
    TypeId type = query.arguments[index];
    if (!query.types.is_tuple(type))
        return error("argument " + std::to_string(index + 1) + " must be a tuple of tensors, not " +
                     query.types.to_string(type));
    std::span<const TypeId> parts = query.types.parts(type);
    std::vector<TypeId> fields(parts.begin(), parts.end());
    for (size_t i = 0; i < fields.size(); ++i)
        if (!query.types.is_tensor(fields[i]))
            return error("field " + std::to_string(i) + " of the tuple must be a tensor, not " +
                         query.types.to_string(fields[i]));
    return fields;
}

Result<std::vector<int64_t>> broadcast_shapes(std::span<const int64_t> left, std::span<const int64_t> right) {
    size_t rank = std::max(left.size(), right.size());
    std::vector<int64_t> shape(rank);
    for (size_t i = 1; i <= rank; ++i) {
        int64_t a = i <= left.size() ? left[left.size() - i] : 1;
        int64_t b = i <= right.size() ? right[right.size() - i] : 1;
        int64_t& dim = shape[rank - i];
        if (a == 1 || (a == kDynamicDim && b != 1)) dim = b;
        else if (b == 1 || b == kDynamicDim || a == b) dim = a;
        else
            return error("the operands' shapes " + shape_to_string(left) + " and " + shape_to_string(right) +
                         " can't be broadcast");
    }
    return shape;
}

std::vector<int64_t> shape_copy(const TypeTable& types, TypeId type) {
    std::span<const int64_t> shape = types.shape(type);
    return {shape.begin(), shape.end()};
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

Result<std::vector<int64_t>> checked_axes(std::span<const int64_t> axes, size_t rank) {
    std::vector<int64_t> list;
    std::vector<bool> seen(rank, false);
    for (int64_t axis : axes) {
        auto normal = checked_axis(axis, rank);
        if (!normal) return normal.error();
        if (seen[size_t(*normal)]) return error("the axis " + std::to_string(axis) + " is given twice");
        seen[size_t(*normal)] = true;
        list.push_back(*normal);
    }
    return list;
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
    auto count = element_count(known);
    if (!count || !checked_multiply(*count, int64_t(dtype.bytes())))
        return error("the result would have the impossible shape " + shape_to_string(shape));
    return types.tensor(dtype, shape);
}

Status expect_tensor(const TypeQuery& query, size_t argument, DataType dtype, std::span<const int64_t> shape) {
    const TypeTable& types = query.types;
    TypeId actual = query.arguments[argument];
    bool fits = types.is_tensor(actual) && types.dtype(actual) == dtype && types.shape(actual).size() == shape.size();
    for (size_t i = 0; fits && i < shape.size(); ++i) {
        int64_t dim = types.shape(actual)[i];
        fits = dim == shape[i] || dim == kDynamicDim || shape[i] == kDynamicDim;
    }
    if (fits) return Nothing();
    return error("argument " + std::to_string(argument + 1) + " must have shape " + shape_to_string(shape) +
                 " and type " + dtype.to_string());
}

Result<std::vector<std::pair<int64_t, int64_t>>> checked_pairs(const AttributesView& attributes, std::string_view name,
                                                               size_t count, int64_t minimum) {
    constexpr int64_t kLimit = std::numeric_limits<int32_t>::max();
    std::string text(name);
    const AttributeValue::List* list = attributes[name].as_list();
    if (!list || list->size() != count)
        return error(text + " must be a list of " + std::to_string(count) + " pairs, not " +
                     attributes[name].to_string());
    std::vector<std::pair<int64_t, int64_t>> pairs;
    for (const AttributeValue& item : *list) {
        const AttributeValue::List* pair = item.as_list();
        const Integer* first = pair && pair->size() == 2 ? (*pair)[0].as_integer() : nullptr;
        const Integer* second = first ? (*pair)[1].as_integer() : nullptr;
        if (!second) return error(text + " must be a list of pairs of integers, not " + attributes[name].to_string());
        for (int64_t value : {first->value, second->value})
            if (value < minimum || value > kLimit || value < -kLimit)
                return error(text + (value > kLimit || minimum < 0 ? " is too large" : " must not be negative"));
        pairs.emplace_back(first->value, second->value);
    }
    return pairs;
}

Result<std::optional<int64_t>> checked_optional_integer(const AttributesView& attributes, std::string_view name) {
    const AttributeValue& value = attributes[name];
    if (value.is_none()) return std::optional<int64_t>();
    if (const Integer* integer = value.as_integer()) return std::optional<int64_t>(integer->value);
    return error(std::string(name) + " must be an integer, not " + value.to_string());
}

Result<std::vector<int64_t>> checked_integers(const AttributesView& attributes, std::string_view name, size_t count,
                                              int64_t minimum) {
    std::vector<int64_t> values = attributes.integers(name);
    if (values.size() != count)
        return error(std::string(name) + " must have " + std::to_string(count) +
                     (count == 1 ? " element" : " elements") + ", not " + std::to_string(values.size()));
    for (int64_t value : values)
        if (value > std::numeric_limits<int32_t>::max()) return error(std::string(name) + " is too large");
    for (int64_t value : values)
        if (value < minimum)
            return error(std::string(name) + (minimum == 1   ? " must be positive"
                                              : minimum == 0 ? " must not be negative"
                                                             : " is too small"));
    return values;
}

std::optional<int64_t> optional_integer(const AttributesView& attributes, std::string_view name) {
    const AttributeValue* value = attributes.find(name);
    const Integer* integer = value ? value->as_integer() : nullptr;
    return integer ? std::optional(integer->value) : std::nullopt;
}

Status require_integers(const AttributesView& attributes, std::string_view name) {
    const AttributeValue& value = attributes[name];
    if (value.is_none() || value.as_integer()) return Nothing();
    const AttributeValue::List* list = value.as_list();
    auto is_integer = [](const AttributeValue& item) { return item.as_integer() != nullptr; };
    if (list && std::all_of(list->begin(), list->end(), is_integer)) return Nothing();
    return error(std::string(name) + " must be a list of integers, not " + value.to_string());
}

Status copy_kernel(const KernelCall& call) {
    constexpr int64_t kBytesWorthAThread = 1 << 18;
    for (size_t i = 0; i < call.outputs.size(); ++i) {
        const char* from = call.inputs[i].as<char>();
        char* to = call.outputs[i].as<char>();
        call.threads.parallel_for(
            int64_t(call.outputs[i].byte_size()), kBytesWorthAThread,
            [from, to](int64_t begin, int64_t end) { std::memcpy(to + begin, from + begin, size_t(end - begin)); });
    }
    return Nothing();
}

}  // namespace partita
