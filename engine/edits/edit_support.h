// Helpers shared by several edits. Internal to this folder.
#pragma once

#include <set>
#include <string>

#include "engine/edits/draft.h"

namespace partita {

/// Returns a name like `base`, `base1`, ... that no parameter of the function has.
std::string free_parameter_name(const Draft& draft, ExprId function, const std::string& base);
/// Returns whether the operand of an edge may be replaced: false for a callee that is not a value and for a bound name.
bool is_value_edge(const Module& module, EditEdge edge);
/// Returns a fault if `id`, which may come from outside, is not in the module.
std::optional<EditFault> check_expression(const Module& module, ExprId id);
/// Makes `call` in the draft; its new parameters go to `function`. Fails if an operand is not a value of the module.
Result<ExprId> make_call(Draft& draft, const NewCall& call, ExprId function);
/// Appends `value` to the results of the function, as a field of a tuple.
void append_output(Draft& draft, ExprId function, ExprId value);
/// Returns the same type in another table. Types nest no deeper than the parser allows.
TypeId import_type(const TypeTable& from, TypeId type, TypeTable& to);
/// Returns whether an attribute can be None. Lists and objects are references, so any of them can.
bool may_be_none(const AttributeField& field);
std::string op_name(const Module& module, ExprId call);

}  // namespace partita
