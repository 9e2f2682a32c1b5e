#include "engine/backends/plugin/region_json.h"

#include "engine/ir/json_of.h"
#include "engine/ops/registry.h"

namespace partita {

using nlohmann::json;

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
        for (const AttributeField& field : op.attributes) attributes[field.name] = json(json_of(view[field.name]));
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
