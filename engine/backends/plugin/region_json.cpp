#include "engine/backends/plugin/region_json.h"

#include "engine/ops/registry.h"

namespace partita {

using nlohmann::json;

json attribute_to_json(const AttributeValue& value) {
    if (const bool* flag = value.as_bool()) return *flag;
    if (const Integer* integer = value.as_integer()) return integer->value;
    if (const double* number = value.as_double()) return *number;
    if (const std::string* text = value.as_string()) return *text;
    if (const DataType* dtype = value.as_dtype()) return dtype->to_string();
    if (const AttributeValue::List* list = value.as_list()) {
        json items = json::array();  // lists of attributes are flat but for a few of two levels
        for (const AttributeValue& item : *list) items.push_back(attribute_to_json(item));
        return items;
    }
    return nullptr;
}

json region_to_json(const Module& module, const FlatGraph& graph, const std::string& name) {
    json document{{"partita_region", 1}, {"name", name}, {"inputs", graph.inputs}, {"outputs", graph.outputs}};
    json& values = document["values"] = json::array();
    for (const FlatValue& value : graph.values) {
        std::span<const int64_t> shape = module.types().shape(value.type);
        values.push_back({{"dtype", module.types().dtype(value.type).to_string()},
                          {"shape", std::vector<int64_t>(shape.begin(), shape.end())},
                          {"constant", value.source == FlatValue::Source::Constant}});
    }
    json& steps = document["steps"] = json::array();
    for (const FlatStep& step : graph.steps) {
        const OpRecord& op = op_registry()[step.op];
        AttributesView view = attributes_of(module, step.expr);
        json attributes = json::object();
        for (const AttributeField& field : op.attributes) attributes[field.name] = attribute_to_json(view[field.name]);
        std::vector<ValueId> outputs;
        for (uint32_t k = 0; k < step.output_count; ++k) outputs.push_back(step.first_output + k);
        std::span<const ValueId> inputs = graph.step_inputs(step);
        steps.push_back({{"op", op.name},
                         {"composite", step.group == FlatGraph::kNoGroup ? "" : graph.groups[step.group].name},
                         {"attributes", std::move(attributes)},
                         {"inputs", std::vector<ValueId>(inputs.begin(), inputs.end())},
                         {"outputs", outputs}});
    }
    return document;
}

}  // namespace partita
