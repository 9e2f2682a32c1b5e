// What the type relations of several families share.
#pragma once

#include <optional>
#include <string>

#include "engine/ops/op.h"

namespace partita {

/// Every argument must be a tensor; for ops that take no tuple.
Status require_tensors(const TypeQuery& query);
/// The result has the type of the first argument, a tensor.
Result<TypeId> identity_relation(const TypeQuery& query);

/// An axis counted from the end where negative, or nothing where it is out of range.
std::optional<int64_t> normalized_axis(int64_t axis, size_t rank);
/// The same with a message: "the axis 4 is out of range for rank 3".
Result<int64_t> checked_axis(int64_t axis, size_t rank);

/// Sum and product that are refused instead of overflowing; an unknown dimension (-1) stays unknown.
std::optional<int64_t> checked_add(int64_t a, int64_t b);
std::optional<int64_t> checked_multiply(int64_t a, int64_t b);

/// A tensor type, or an error where a dimension is below -1 or the number of elements overflows.
Result<TypeId> checked_tensor(TypeTable& types, DataType dtype, std::span<const int64_t> shape);

/// The attribute's integers, which must be `count` values of at least `minimum`: "strides must be positive".
Result<std::vector<int64_t>> checked_integers(const AttributesView& attributes, std::string_view name, size_t count,
                                              int64_t minimum);

}  // namespace partita
