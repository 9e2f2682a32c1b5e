#include "engine/annotators/expression_json.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "engine/ir/json_of.h"
#include "engine/ir/kind_name.h"
#include "engine/ops/foreign.h"
#include "engine/ops/registry.h"
#include "engine/support/json_text.h"

namespace partita {

namespace {

using OrderedJson = nlohmann::ordered_json;

std::string text_of(const OrderedJson& json) { return json_text(json, -1, JsonLetters::Ascii); }

std::string_view name_of(AttributeKind kind) {
    switch (kind) {
        case AttributeKind::Int: return "int";
        case AttributeKind::Bool: return "bool";
        case AttributeKind::Double: return "double";
        case AttributeKind::String: return "string";
        case AttributeKind::DType: return "dtype";
        case AttributeKind::IntegerList: return "integers";
        case AttributeKind::Object: return "object";
    }
    return "";
}

}  // namespace

OrderedJson kinds_of_attributes(const OpRecord& op) {
    OrderedJson kinds = OrderedJson::object();
    for (const AttributeField& field : op.attributes) kinds[field.name] = name_of(field.kind);
    return kinds;
}

size_t ExpressionWriter::type_number(TypeId type) {
    auto [found, added] = types_.try_emplace(type, types_.size());
    if (added) new_types_ += (new_types_.empty() ? "" : ",") + text_of(json_of(module_.types(), type));
    return found->second;
}

size_t ExpressionWriter::attributes_number(ExprId call) {
    const AttributesId list = module_.attributes_id(call);
    const uint64_t key = uint64_t(module_.called_op(call).value) << 32 | list.value;
    auto [found, added] = attributes_.try_emplace(key, attributes_.size());
    if (!added) return found->second;
    const OpRecord& op = *called_op_record(module_, call);
    OrderedJson json = OrderedJson::object();
    const AttributeList values = list.valid() ? module_.attributes(list) : op.default_attributes();
    if (op.foreign)
        if (const AttributeValue* absent = AttributesView(op, values).find("absent");
            absent && absent->as_list() && !absent->as_list()->empty())
            json["absent"] = json_of(*absent);
    for_each_shown_attribute({op, values}, [&](const std::string& name, const AttributeValue* value, bool) {
        json[name] = value ? json_of(*value) : OrderedJson();
    });
    new_attributes_ += (new_attributes_.empty() ? "" : ",") + text_of(json);
    return found->second;
}

std::string ExpressionWriter::take_tables() {
    return "\"types\":[" + std::exchange(new_types_, {}) + "],\"attributes\":[" + std::exchange(new_attributes_, {}) +
           "]";
}

/// What only expressions of its kind have.
void ExpressionWriter::append_own(std::string& text, ExprId id) {
    const auto add = [&text](const char* key, const std::string& json) { text += key + json; };
    switch (module_.kind(id)) {
        case ExprKind::Var:
        case ExprKind::GlobalVar: add(",\"name\":", text_of(std::string(module_.name(id)))); break;
        case ExprKind::Op: {
            const OpRecord& op = op_registry()[OpId(module_[id].payload)];
            add(",\"name\":", text_of(op.name));
            add(",\"attributes\":", text_of(kinds_of_attributes(op)));
            break;
        }
        case ExprKind::Constant: {
            const Tensor& tensor = module_.constant(id);
            if (tensor.defined() && tensor.byte_size() <= kInlineConstant)
                add(",\"data\":", text_of(base64_of(tensor)));
            break;
        }
        case ExprKind::Projection: add(",\"index\":", std::to_string(module_.projection_index(id))); break;
        case ExprKind::Function: {
            OrderedJson json = OrderedJson::object();
            for (const auto& [key, value] : module_.function_info(id).attributes) json[key.text()] = json_of(value);
            add(",\"attributes\":", text_of(json));
            break;
        }
        case ExprKind::Call:
            if (const OpRecord* op = called_op_record(module_, id)) {
                add(",\"attributes\":", std::to_string(attributes_number(id)));
                if (op->foreign) add(",\"name\":", text_of(std::string(module_.label(id))));
            }
            break;
        default: break;
    }
}

void ExpressionWriter::append(std::string& text, ExprId id) {
    text += "{\"id\":" + std::to_string(id.value) + ",\"kind\":\"";
    text += kind_name(module_.kind(id));
    text += '"';
    if (module_.type(id).valid()) text += ",\"type\":" + std::to_string(type_number(module_.type(id)));
    append_own(text, id);
    if (!module_.operands(id).empty()) {
        text += ",\"operands\":[";
        for (ExprId operand : module_.operands(id)) text += std::to_string(operand.value) + ",";
        text.back() = ']';
    }
    text += '}';
}

}  // namespace partita
