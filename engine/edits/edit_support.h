// What several edits need. Not part of the room's face.
#pragma once

#include <set>
#include <string>

#include "engine/edits/draft.h"

namespace partita {

/// A name like `base`, `base1`, ... that no parameter of the function has.
std::string free_parameter_name(const Draft& draft, ExprId function, const std::string& base);
/// Whether an edge names an operand that may be replaced: not a callee that is no value, not a name that is bound.
bool is_value_edge(const Module& module, EditEdge edge);
/// "the edge ... does not exist": for ids that come from outside.
std::optional<EditFault> check_expression(const Module& module, ExprId id);
/// Makes the call of `call` in the draft; its new parameters go to `function`. Fails where a value is none of the
/// module's.
Result<ExprId> make_call(Draft& draft, const NewCall& call, ExprId function);
/// The function's result becomes a tuple with `value` at its end.
void append_output(Draft& draft, ExprId function, ExprId value);
/// The same type in another table. Types nest no deeper than the parser allows.
TypeId import_type(const TypeTable& from, TypeId type, TypeTable& to);
/// Lists and objects are references: any of them can be None.
bool may_be_none(const AttributeField& field);
std::string op_name(const Module& module, ExprId call);

}  // namespace partita
