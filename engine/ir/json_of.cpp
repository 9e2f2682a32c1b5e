#include "engine/ir/json_of.h"

#include "engine/support/available_memory.h"
#include "engine/support/base64.h"

namespace partita {

using Json = nlohmann::ordered_json;

Json json_of(const TypeTable& types, TypeId type) {
    if (!type.valid()) return nullptr;
    if (types.is_tensor(type)) {
        Json shape = Json::array();
        for (int64_t dim : types.shape(type)) shape.push_back(dim == kDynamicDim ? Json(nullptr) : Json(dim));
        return {{"dtype", types.dtype(type).to_string()}, {"shape", shape}};
    }
    Json parts = Json::array();
    for (TypeId part : types.parts(type)) parts.push_back(json_of(types, part));
    if (types.is_tuple(type)) return {{"tuple", parts}};
    if (types.is_reference(type)) return {{"reference", parts[0]}};
    Json result = parts.back();
    parts.erase(parts.size() - 1);
    return {{"parameters", parts}, {"result", result}};
}

AttributeValue attribute_of_json(const Json& json) {
    if (json.is_boolean()) return json.get<bool>();
    if (json.is_number_integer()) return json.get<int64_t>();
    if (json.is_number()) return json.get<double>();
    if (json.is_string()) return json.get<std::string>();
    if (json.is_null()) return {};
    if (!json.is_array()) return json.dump(-1, ' ', false, Json::error_handler_t::replace);
    AttributeValue::List list;
    for (const Json& item : json) list.push_back(attribute_of_json(item));
    return list;
}

Json json_of(const AttributeValue& value) {
    if (const bool* flag = value.as_bool()) return *flag;
    if (const Integer* integer = value.as_integer()) return integer->value;
    if (const double* real = value.as_double()) return *real;
    if (const std::string* text = value.as_string()) return *text;
    if (const DataType* dtype = value.as_dtype()) return dtype->to_string();
    if (const AttributeValue::List* list = value.as_list()) {
        Json items = Json::array();
        for (const AttributeValue& item : *list) items.push_back(json_of(item));
        return items;
    }
    return nullptr;
}

std::string base64_of(const Tensor& tensor) {
    std::string text;
    relay::Base64Writer writer(text);
    check_available(tensor.byte_size() / 3 * 4);
    const std::shared_ptr<const void> bytes = tensor.lent_bytes();
    writer.write({static_cast<const uint8_t*>(bytes.get()), tensor.byte_size()});
    writer.finish();
    return text;
}

}  // namespace partita
