#include "engine/ops/foreign.h"

#include "engine/ops/registry.h"
#include "engine/support/utf8.h"

namespace partita {

AttributeList foreign_attributes(const TypeTable& types, const ForeignCall& call) {
    AttributeValue::List absent, kept, shapes, dtypes;
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
    set("shapes", std::move(shapes));
    set("dtypes", std::move(dtypes));
    return attributes;
}

ExprId add_foreign_call(Module& module, const ForeignCall& call, std::span<const ExprId> arguments) {
    const AttributesId attributes = module.add_attributes(foreign_attributes(module.types(), call));
    const TypeId type = call.results.size() == 1 ? call.results[0] : module.types().tuple(call.results);
    return module.add_call(module.add_op(op_registry().foreign(call.op)), arguments, attributes, type);
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
