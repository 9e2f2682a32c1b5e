// The graph JSON of Google's Model Explorer: see engine/frontends/model_explorer/reader.h. Each operator's backend and
// region are attributes of its node.
#include <nlohmann/json.hpp>

#include "engine/exporters/exporter.h"
#include "engine/flow/names.h"
#include "engine/graph/graph_of_module.h"
#include "engine/support/json_text.h"

namespace partita {

namespace {

using Json = nlohmann::ordered_json;

Json pair_of(const std::string& key, const std::string& value) { return Json{{"key", key}, {"value", value}}; }

/// Returns `float32[1,3,8,8]`; "?" is an unknown extent.
std::string type_text(const PlainValue& value) {
    std::string text = value.dtype + "[";
    for (size_t i = 0; i < value.shape.size(); ++i)
        text += (i ? "," : "") + (value.shape[i] == kDynamicDim ? "?" : std::to_string(value.shape[i]));
    return text + "]";
}

class ModelExplorerWriter {
public:
    ModelExplorerWriter(const ExportSubject& subject, const Graph& graph) : subject_(subject), graph_(graph) {}

    std::string write() const {
        Json nodes = Json::array();
        for (uint32_t i = 0; i < graph_.nodes.size(); ++i) nodes.push_back(node_json(NodeId(i)));
        for (uint32_t i = 0; i < graph_.values.size(); ++i)
            if (!graph_.values[i].producer.valid()) nodes.push_back(given_json(graph_.values[i], i));
        const Json graph{{"id", "main"}, {"nodes", std::move(nodes)}};
        return json_text(Json{{"label", subject_.title}, {"graphs", Json::array({graph})}}) + "\n";
    }

private:
    static std::string id_of(NodeId node) { return std::to_string(node.value); }
    static std::string id_of_given(uint32_t value) { return "value " + std::to_string(value); }

    Json node_json(NodeId id) const {
        const PlainNode& node = graph_[id];
        const size_t slash = node.name.rfind('/');
        Json json{{"id", id_of(id)},
                  {"label", node.op},
                  {"namespace", slash == std::string::npos ? "" : node.name.substr(0, slash)},
                  {"attrs", attributes_of(node)},
                  {"incomingEdges", Json::array()},
                  {"outputsMetadata", Json::array()}};
        for (size_t i = 0; i < node.inputs.size(); ++i)
            if (node.inputs[i].valid()) json["incomingEdges"].push_back(edge_json(node.inputs[i], i));
        for (size_t i = 0; i < node.outputs.size(); ++i)
            if (node.outputs[i].valid()) json["outputsMetadata"].push_back(output_json(graph_[node.outputs[i]], i));
        return json;
    }

    Json attributes_of(const PlainNode& node) const {
        Json list = Json::array({pair_of("name", node.name)});
        if (!node.attributes.empty())
            for (const Json attributes = Json::parse(node.attributes); const auto& [key, value] : attributes.items())
                list.push_back(pair_of(key, value.is_string() ? value.get<std::string>() : json_text(value)));
        const uint32_t expression = node.expression.value;
        if (!node.expression.valid() || expression >= subject_.backend_of.size()) return list;
        const int16_t backend = subject_.backend_of[expression];
        list.push_back(pair_of("backend", backend < 0 ? "default" : subject_.backends[size_t(backend)]));
        if (expression < subject_.region_of.size() && subject_.region_of[expression] >= 0)
            list.push_back(pair_of("region", subject_.regions[size_t(subject_.region_of[expression])].short_name));
        return list;
    }

    Json edge_json(GraphValueId value, size_t input) const {
        const NodeId producer = graph_[value].producer;
        size_t output = 0;
        if (producer.valid())
            for (const std::vector<GraphValueId>& all = graph_[producer].outputs; output < all.size(); ++output)
                if (all[output] == value) break;
        return Json{{"sourceNodeId", producer.valid() ? id_of(producer) : id_of_given(value.value)},
                    {"sourceNodeOutputId", std::to_string(output)},
                    {"targetNodeInputId", std::to_string(input)}};
    }

    Json output_json(const PlainValue& value, size_t number) const {
        Json attributes = Json::array({pair_of("tensor_name", value.name)});
        if (value.has_shape) attributes.push_back(pair_of("tensor_shape", type_text(value)));
        return Json{{"id", std::to_string(number)}, {"attrs", std::move(attributes)}};
    }

    /// What the graph is given is a node there, too.
    Json given_json(const PlainValue& value, uint32_t number) const {
        return Json{{"id", id_of_given(number)},
                    {"label", value.constant ? "constant" : "input"},
                    {"namespace", ""},
                    {"outputsMetadata", Json::array({output_json(value, 0)})}};
    }

    const ExportSubject& subject_;
    const Graph& graph_;
};

}  // namespace

Result<std::string> write_model_explorer(const ExportSubject& subject) {
    if (subject.plain) return ModelExplorerWriter(subject, *subject.plain).write();
    const std::vector<std::string> names = node_names(*subject.graph);
    return ModelExplorerWriter(subject, graph_of_module(*subject.graph, [&](ExprId node) { return names[node.value]; }))
        .write();
}

}  // namespace partita
