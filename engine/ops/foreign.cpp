#include "engine/ops/foreign.h"

#include <algorithm>

#include "engine/ops/registry.h"
#include "engine/support/utf8.h"

namespace partita {

AttributeList foreign_attributes(const TypeTable& types, const ForeignCall& call) {
    AttributeValue::List absent, kept, bodies, shapes, dtypes;
    for (const auto& [label, function] : call.bodies) bodies.push_back(AttributeValue::List{label, function});
    for (int64_t place : call.absent) absent.push_back(place);
    for (const auto& [name, value] : call.attributes)
        kept.push_back(value.is_none() ? AttributeValue::List{name} : AttributeValue::List{name, value});
    for (TypeId result : call.results) {
        AttributeValue::List shape;
        for (int64_t dim : types.shape(result)) shape.push_back(dim);
        shapes.push_back(std::move(shape));
        dtypes.push_back(types.dtype(result).to_string());
    }
    const OpRecord& record = op_registry()[op_registry().find("opaque")];
    AttributeList attributes = record.default_attributes();
    const auto set = [&](std::string_view name, AttributeValue value) {
        attributes[size_t(record.attribute_index(name))] = std::move(value);
    };
    set("op_type", call.op);
    set("domain", call.domain);
    set("version", call.version);
    set("absent", std::move(absent));
    set("node_attributes", std::move(kept));
    set("bodies", std::move(bodies));
    set("captured", call.captured);
    set("shapes", std::move(shapes));
    set("dtypes", std::move(dtypes));
    return attributes;
}

ExprId add_foreign_call(Module& module, const ForeignCall& call, std::span<const ExprId> arguments) {
    const AttributesId attributes = module.add_attributes(foreign_attributes(module.types(), call));
    const TypeId type = call.results.size() == 1 ? call.results[0] : module.types().tuple(call.results);
    return module.add_call(module.add_op(op_registry().foreign(call.op)), arguments, attributes, type);
}

/// Its own attributes may be called so, too.
static AttributeValue schema_value(const AttributesView& attributes, std::string_view name) {
    return attributes.values()[size_t(attributes.op().attribute_index(name))];
}

std::vector<std::pair<std::string, std::string>> names_of_bodies(const Module& module, ExprId call) {
    const OpRecord* op = called_op_record(module, call);
    if (!op || !op->foreign) return {};
    const AttributeValue list = schema_value(attributes_of(module, call), "bodies");
    std::vector<std::pair<std::string, std::string>> names;
    for (size_t i = 0; list.as_list() && i < list.as_list()->size(); ++i) {
        const AttributeValue::List* entry = (*list.as_list())[i].as_list();
        if (entry && entry->size() == 2 && entry->front().as_string() && entry->back().as_string())
            names.emplace_back(*entry->front().as_string(), *entry->back().as_string());
    }
    return names;
}

std::vector<CallBody> bodies_of(const Module& module, ExprId call) {
    std::vector<CallBody> bodies;
    for (auto& [label, name] : names_of_bodies(module, call)) {
        CallBody body{std::move(label), module.find_function(name), {}};
        if (!body.function.valid()) continue;
        const AttributesView attributes = attributes_of(module, call);
        const AttributeValue captured = schema_value(attributes, "captured");
        std::vector<ExprId> inputs(module.operands(call).begin() + 1, module.operands(call).end());
        body.from.resize(module.parameters(body.function).size());
        body.captured = size_t(std::clamp<int64_t>(captured.as_integer() ? captured.as_integer()->value : 0, 0,
                                                   int64_t(std::min(body.from.size(), inputs.size()))));
        size_t own = inputs.size() - body.captured;
        for (int64_t place : attributes.integers("absent"))
            if (place >= 0 && size_t(place) <= own) inputs.insert(inputs.begin() + place, ExprId()), ++own;
        const size_t both = std::min(body.from.size(), inputs.size());
        std::copy_n(inputs.end() - ptrdiff_t(both), both, body.from.end() - ptrdiff_t(both));
        bodies.push_back(std::move(body));
    }
    return bodies;
}

std::vector<TypeId> result_tensors(const TypeTable& types, TypeId type) {
    if (!type.valid()) return {};
    if (types.is_tensor(type)) return {type};
    if (!types.is_tuple(type)) return {};
    std::vector<TypeId> tensors(types.parts(type).begin(), types.parts(type).end());
    for (TypeId tensor : tensors)
        if (!types.is_tensor(tensor)) return {};
    return tensors;
}

OpRecord foreign_record(const OpRecord& opaque, std::string_view name) {
    constexpr std::string_view kMeaning = "\"'\\<>&*%{}|;$` #,()[]";
    OpRecord record = opaque;
    record.name.clear();
    for_each_letter(name, [&](std::string_view bytes, char32_t code) {
        const bool harmless =
            code != kNoLetter && !is_hidden_letter(code) && kMeaning.find(bytes) == std::string_view::npos;
        record.name += harmless ? bytes : "_";
    });
    record.foreign = true;
    return record;
}

const AttributeValue* foreign_attribute(const OpRecord& record, const AttributeList& values, std::string_view name) {
    static const AttributeValue kNotKept;
    const AttributeValue* found = nullptr;
    for_each_foreign_attribute({record, values}, [&](const std::string& own, const AttributeValue* value) {
        if (!found && own == name) found = value ? value : &kNotKept;
    });
    return found;
}

}  // namespace partita
