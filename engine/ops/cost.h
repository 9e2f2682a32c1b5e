// What calls and types cost: operations and bytes, from types alone.
#pragma once

#include "engine/ir/module.h"

namespace partita {

/// Bytes of a value of a type; tuples are summed, unknown dimensions count as 1, other types as 0.
double type_bytes(const TypeTable& types, TypeId type);
/// Tensors in a value of a type: 1 for a tensor, the sum over the fields for a tuple.
int tensor_count(const TypeTable& types, TypeId type);
/// Operations of one call of an op, or 0 for other expressions. A multiply-add counts as two. Needs types.
double call_flops(const Module& module, ExprId call);

}  // namespace partita
