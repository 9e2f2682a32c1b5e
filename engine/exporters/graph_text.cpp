#include "engine/exporters/graph_text.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "engine/ops/foreign.h"
#include "engine/ops/registry.h"
#include "engine/support/number_text.h"

namespace partita {
namespace {

std::string short_value(const AttributeValue& value) {
    if (const double* number = value.as_double()) return general_text(*number);  // float32 has no more digits
    const AttributeValue::List* list = value.as_list();
    if (!list) return value.to_string();
    const bool all_equal = std::all_of(list->begin(), list->end(), [&](const auto& v) { return v == list->front(); });
    if (all_equal && list->size() > 2) return list->front().to_string();
    std::string text;
    for (const AttributeValue& item : *list) text += (text.empty() ? "" : "x") + short_value(item);
    return text;
}

std::string_view short_name(std::string_view attribute) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> shorter = {
        {{"kernel_size", "kernel"}, {"pool_size", "pool"}, {"strides", "stride"}, {"padding", "pad"}}};
    for (const auto& [name, text] : shorter)
        if (name == attribute) return text;
    return attribute;
}

}  // namespace

std::string short_dtype(DataType dtype) {
    if (dtype.is_bool()) return "bool";
    const char* letter = dtype.code == DataType::Code::Int     ? "i"
                         : dtype.code == DataType::Code::UInt  ? "u"
                         : dtype.code == DataType::Code::Float ? "f"
                                                               : "bf";
    return letter + std::to_string(dtype.bits);
}

std::string short_tensor_type(const TypeTable& types, TypeId type) {
    std::string text;
    for (int64_t dim : types.shape(type))
        text += (text.empty() ? "" : "x") + (dim == kDynamicDim ? std::string("?") : std::to_string(dim));
    return text + (text.empty() ? "" : " ") + short_dtype(types.dtype(type));
}

std::string short_type_text(const TypeTable& types, TypeId type) {
    if (!type.valid()) return {};
    if (types.is_tensor(type)) return short_tensor_type(types, type);
    if (!types.is_tuple(type)) return types.to_string(type);
    const auto parts = types.parts(type);
    if (parts.empty()) return "()";
    const std::string first = types.is_tensor(parts[0]) ? short_tensor_type(types, parts[0]) : "(…)";
    return "(" + first + (parts.size() > 1 ? ", … " + std::to_string(parts.size()) + " fields)" : ")");
}

std::string attribute_summary(const Module& module, ExprId call) {
    return attribute_summary(module, call, [](const std::string&, const std::string&) { return ShowAttribute::IfSet; });
}

std::string attribute_summary(const Module& module, ExprId call, const ChooseAttribute& choose) {
    const OpRecord* op = called_op_record(module, call);
    if (!op || !module.attributes_id(call).valid()) return {};
    std::vector<std::string> parts;
    for_each_shown_attribute(attributes_of(module, call), [&](const std::string& name, const AttributeValue* value,
                                                              bool usual) {
        const ShowAttribute wanted = choose(op->name, name);
        if (wanted == ShowAttribute::Never || !value || value->is_none()) return;
        const bool said = name == "channels" || name == "units";  // by the type
        if (wanted == ShowAttribute::IfSet && (usual || said)) return;
        // The kernel says most and is declared late.
        const bool first = name == "kernel_size" || name == "pool_size";
        parts.insert(first ? parts.begin() : parts.end(), std::string(short_name(name)) + " " + short_value(*value));
    });
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
    return text;
}

}  // namespace partita
