// Type relations and checks that several families share.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/ops/op.h"

namespace partita {

/// Requires every argument to be a tensor; for ops that take no tuple.
Status require_tensors(const TypeQuery& query);
/// The result has the type of the first argument, a tensor.
Result<TypeId> identity_relation(const TypeQuery& query);
/// The result has the type of the first argument, whatever it is.
Result<TypeId> same_type_relation(const TypeQuery& query);
/// The result is a bool tensor of the first argument's shape (TVM: IdentityCompRel).
Result<TypeId> identity_to_bool_relation(const TypeQuery& query);
/// Two tensors of one dtype, broadcast to each other (TVM: BroadcastRel).
Result<TypeId> broadcast_relation(const TypeQuery& query);
/// The same with a bool result (TVM: BroadcastCompRel).
Result<TypeId> broadcast_to_bool_relation(const TypeQuery& query);

/// Returns the fields of argument `index`, a tuple of tensors.
Result<std::vector<TypeId>> tuple_of_tensors(const TypeQuery& query, size_t index);
/// Returns the shape that two shapes broadcast to, by NumPy's rule; an unknown dimension takes the other's.
Result<std::vector<int64_t>> broadcast_shapes(std::span<const int64_t> left, std::span<const int64_t> right);
/// Returns a copy of a type's shape: unlike a span into the type table, it stays valid when types are added.
std::vector<int64_t> shape_copy(const TypeTable& types, TypeId type);

/// Returns an axis with negative ones counted from the end, or nothing if it is out of range.
std::optional<int64_t> normalized_axis(int64_t axis, size_t rank);
/// The same with a message: "the axis 4 is out of range for rank 3".
Result<int64_t> checked_axis(int64_t axis, size_t rank);
/// Returns `axes` counted from the front; refuses duplicates.
Result<std::vector<int64_t>> checked_axes(std::span<const int64_t> axes, size_t rank);

/// Return nothing on overflow; an unknown dimension (-1) stays unknown.
std::optional<int64_t> checked_add(int64_t a, int64_t b);
std::optional<int64_t> checked_multiply(int64_t a, int64_t b);

/// Returns a tensor type, or an error if a dimension is below -1 or the number of elements overflows.
Result<TypeId> checked_tensor(TypeTable& types, DataType dtype, std::span<const int64_t> shape);

/// Refuses an argument that is not a tensor of this dtype and shape; an unknown dimension fits any.
Status expect_tensor(const TypeQuery& query, size_t argument, DataType dtype, std::span<const int64_t> shape);
inline Status expect_tensor(const TypeQuery& query, size_t argument, DataType dtype,
                            std::initializer_list<int64_t> shape) {
    return expect_tensor(query, argument, dtype, std::span<const int64_t>(shape.begin(), shape.size()));
}

/// Reads an attribute such as `pad_width=[[0, 0], [1, 1]]`: `count` pairs of at least `minimum`.
Result<std::vector<std::pair<int64_t, int64_t>>> checked_pairs(const AttributesView& attributes, std::string_view name,
                                                               size_t count, int64_t minimum);

/// Reads an integer attribute that may be None, such as `channels`.
Result<std::optional<int64_t>> checked_optional_integer(const AttributesView& attributes, std::string_view name);

/// Returns the attribute's integers, which must be `count` values from `minimum` to 2^31 - 1: "strides must be
/// positive".
Result<std::vector<int64_t>> checked_integers(const AttributesView& attributes, std::string_view name, size_t count,
                                              int64_t minimum);
/// Returns the attribute as an integer, or nothing if it is None or something else.
std::optional<int64_t> optional_integer(const AttributesView& attributes, std::string_view name);
/// Fails if an attribute is neither None, an integer, nor a list of integers.
Status require_integers(const AttributesView& attributes, std::string_view name);

/// Copies each input to the output of the same index: the kernel of ops that change no element.
Status copy_kernel(const KernelCall& call);

}  // namespace partita
