// Operators of other programs: what a file calls and the engine has no record of. Such a call is shown, searched,
// divided by rules, explained, compared and written back by its own name, with the types that the file states; only a
// run says that it lacks the operator.
//
// All have the schema of `opaque`: op_type (the name), domain, version, absent (places of inputs that are left out),
// node_attributes ([[name, value], ...]; a name alone if the value was not kept), shapes and dtypes of the results.
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
    std::vector<TypeId> results;  ///< tensors; more or fewer than one make a tuple
};

/// Adds a call, of the stated type.
ExprId add_foreign_call(Module& module, const ForeignCall& call, std::span<const ExprId> arguments);
/// Returns the values of its schema.
AttributeList foreign_attributes(const TypeTable& types, const ForeignCall& call);
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
