// Operators of other programs: what a file calls and the engine has no record of. Such a call is shown, searched,
// divided by rules, explained, compared and written back by its own name, with the types that the file states; only a
// run says that it lacks the operator.
//
// All have the schema of `opaque`: op_type (the name), domain, version, absent (places of inputs that are left out),
// node_attributes ([[name, value], ...]; a name alone if the value was not kept), bodies ([[label, function], ...]),
// captured, shapes and dtypes of the results.
//
// A body is a function of the module: of If a branch, of a loop what it repeats. Its last parameters are the last
// inputs of the call, the captured ones, which the file's body takes from around it; those before are aligned with the
// call's other inputs at their ends.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ops/op.h"

namespace partita {

struct ForeignCall {
    std::string op;
    std::string domain;
    int64_t version = 1;
    std::vector<int64_t> absent;
    std::vector<std::pair<std::string, AttributeValue>> attributes;
    std::vector<TypeId> results;                                   ///< tensors; more or fewer than one make a tuple
    std::vector<std::pair<std::string, std::string>> bodies = {};  ///< labels, names of functions
    int64_t captured = 0;
};

/// Adds a call, of the stated type.
ExprId add_foreign_call(Module& module, const ForeignCall& call, std::span<const ExprId> arguments);
/// Returns the values of its schema.
AttributeList foreign_attributes(const TypeTable& types, const ForeignCall& call);
/// A body of a call: "then", "else", "body".
struct CallBody {
    std::string label;
    ExprId function;
    std::vector<ExprId> from;  ///< by parameter: the operand that feeds it; invalid where none does
    size_t captured = 0;       ///< how many of the last parameters stand for values from around the body
};
/// Returns the labels of a call's bodies and the names of the functions that they are.
std::vector<std::pair<std::string, std::string>> names_of_bodies(const Module& module, ExprId call);
/// Returns the bodies of a call that are functions of the module; most calls have none.
std::vector<CallBody> bodies_of(const Module& module, ExprId call);

/// Returns the tensors of a type: itself, or those of a tuple; none if there is something else.
std::vector<TypeId> result_tensors(const TypeTable& types, TypeId type);

/// Calls `each(name, value)` for the attributes that the other program gave it; value null if it was not kept.
template <class Each>
void for_each_foreign_attribute(const AttributesView& view, Each each) {
    const AttributeValue::List* list = view.values()[size_t(view.op().attribute_index("node_attributes"))].as_list();
    for (size_t i = 0; list && i < list->size(); ++i) {
        const AttributeValue::List* entry = (*list)[i].as_list();
        if (entry && !entry->empty() && entry->front().as_string())
            each(*entry->front().as_string(), entry->size() == 2 ? &entry->back() : nullptr);
    }
}

/// Calls `each(name, value, is_default)` for the attributes that a person is shown of a call: a foreign operator's own,
/// or all of the schema; value null if it was not kept.
template <class Each>
void for_each_shown_attribute(const AttributesView& view, Each each) {
    if (view.op().foreign)
        return for_each_foreign_attribute(
            view, [&](const std::string& name, const AttributeValue* value) { each(name, value, false); });
    for (size_t i = 0; i < view.op().attributes.size() && i < view.values().size(); ++i)
        each(view.op().attributes[i].name, &view.values()[i],
             view.values()[i] == view.op().attributes[i].default_value);
}

/// Returns the record of an operator that is called so. Letters that mean something in C, DOT, HTML or a shell stand in
/// the record's name as others.
OpRecord foreign_record(const OpRecord& opaque, std::string_view name);

}  // namespace partita
