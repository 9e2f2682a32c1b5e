// The cost of calls and types: operations and bytes, from types alone.
#pragma once

#include "engine/ir/module.h"

namespace partita {

/// Returns the bytes of a value of a type; sums tuples, counts unknown dimensions as 1 and other types as 0.
double type_bytes(const TypeTable& types, TypeId type);
/// Returns the number of tensors in a value of a type: 1 for a tensor, the sum over the fields for a tuple.
int tensor_count(const TypeTable& types, TypeId type);
/// Returns the operations of one call of an op, or 0 for other expressions. A multiply-add counts as two. Needs types.
double call_flops(const Module& module, ExprId call);

}  // namespace partita
