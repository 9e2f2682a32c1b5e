#include "engine/frontends/torch/graph_builder.h"

#include <nlohmann/json.hpp>

#include "engine/graph/module_of_graph.h"
#include "engine/support/json_text.h"

namespace partita::torch {

namespace {

constexpr std::string_view kGetItem = "_operator.getitem";

}  // namespace

PlainNode& GraphBuilder::add_node(std::string name, std::string op, ExprId expression) {
    PlainNode& node = made_->nodes.emplace_back();
    node.name = std::move(name);
    node.op = std::move(op);
    node.expression = expression;
    written_.emplace_back();
    return node;
}

/// Adds an output of the last node.
GraphValueId GraphBuilder::add_value(std::string_view name, const PlainResult* result) {
    const GraphValueId id(uint32_t(made_->values.size()));
    PlainValue& value = made_->values.emplace_back();
    value.name = std::string(name);
    for (int i = 1; !taken_.insert(value.name).second; ++i) value.name = std::string(name) + ":" + std::to_string(i);
    value.producer = NodeId(uint32_t(made_->nodes.size() - 1));
    made_->nodes.back().outputs.push_back(id);
    if (!result) return id;
    value.dtype = result->dtype;
    value.shape = result->shape;
    value.has_shape = result->has_shape;
    values_[result->name] = id;
    return id;
}

void GraphBuilder::add_input(std::string_view name, const std::string& dtype, const std::vector<int64_t>& shape,
                             bool constant, ExprId expression, const InputSpec& spec) {
    add_node(std::string(name), "placeholder", expression);
    written_.back() =
        json_text(nlohmann::ordered_json{{"kind", std::string(spec.kind)}, {"target", std::string(spec.name)}});
    const PlainResult result{name, dtype, shape, !dtype.empty(), expression};
    made_->values[add_value(name, &result).value].constant = constant;
}

void GraphBuilder::use(PlainNode& node, const Argument& argument) {
    for (std::string_view name : names_in(argument))
        if (const auto value = values_.find(name); value != values_.end()) node.inputs.push_back(value->second);
}

void GraphBuilder::add_call(const Node& node, ExprId expression, const std::vector<PlainResult>& results,
                            const std::string& label) {
    std::vector<GraphValueId> bodies;
    for (const auto& body : node.graphs) {
        add_node(body->name, "get_attr", expression);
        bodies.push_back(add_value(body->name, nullptr));
    }
    PlainNode& call = add_node(node.name, node.target, expression);
    call.attributes = attributes_of(node);
    labels_.emplace_back(label, uint32_t(made_->nodes.size() - 1));
    written_.back() = node.written;
    size_t next_body = 0;
    for (const NamedArgument& input : node.inputs) {
        if (input.argument.is("graph")) call.inputs.push_back(bodies[next_body++]);
        else use(call, input.argument);
    }
    if (!node.returns_tuple) {
        if (!results.empty()) add_value(results[0].name, &results[0]);
        return;
    }
    if (results.empty()) return;
    const GraphValueId all = add_value(node.name, nullptr);
    size_t next = 0;
    const bool is_list = node.outputs.size() == 1 && node.outputs[0].is("tensors");
    for (size_t i = 0; i < node.outputs.size(); ++i) {
        const size_t count = names_in(node.outputs[i]).size();
        GraphValueId from = all;
        if (!is_list && node.outputs[i].is("tensors")) {
            // A list among the results is an item itself.
            PlainNode& list = add_node(node.name + "_list_" + std::to_string(i), std::string(kGetItem), expression);
            list.inputs.push_back(all);
            list.attributes = "{\"index\": " + std::to_string(i) + "}";
            from = add_value(list.name, nullptr);
        }
        const bool nested = is_list || from != all;
        for (size_t k = 0; k < count; ++k, ++next) add_item(from, nested ? k : i, results[next]);
    }
}

void GraphBuilder::add_item(GraphValueId from, size_t place, const PlainResult& result) {
    // What nobody uses has no node.
    if (!result.is_used && result.name.find("_unused_") != std::string_view::npos) return;
    PlainNode& item = add_node(std::string(result.name), std::string(kGetItem), result.expression);
    item.inputs.push_back(from);
    item.attributes = "{\"index\": " + std::to_string(place) + "}";
    add_value(result.name, &result);
}

std::shared_ptr<const FileOperators> GraphBuilder::operators(std::shared_ptr<const partita::Graph> graph) {
    return std::make_shared<const FileOperators>(
        [graph = std::move(graph), written = std::move(written_), labels = std::move(labels_)] {
            StatedOperators stated;
            partita::Graph copy = *graph;
            Result<Module> module = module_of_graph(copy, written);
            if (!module) return stated;
            stated.module = std::move(*module);
            for (const PlainNode& node : copy.nodes) stated.by_name.emplace(node.name, node.expression);
            for (const auto& [label, node] : labels) stated.by_name.emplace(label, copy.nodes[node].expression);
            return stated;
        });
}

void GraphBuilder::add_output(ExprId expression) {
    PlainNode& output = add_node("output", "output", expression);
    for (const Argument& each : program_.graph.outputs) use(output, each);
}

void GraphBuilder::mark_output(std::string_view name) {
    if (const auto value = values_.find(name); value != values_.end()) made_->outputs.push_back(value->second);
}

/// The arguments that are no tensors, as the file writes them, and what the file says of the node besides.
std::string GraphBuilder::attributes_of(const Node& node) const {
    std::string text;
    const auto add = [&](std::string_view key, std::string_view value) {
        text += (text.empty() ? "{" : ", ") + json_text(nlohmann::ordered_json(std::string(key))) + ": ";
        text += value;
    };
    std::unordered_set<std::string_view> seen;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
        const auto& [name, argument] = node.inputs[i];
        if (argument.is("none") || argument.is("graph") || !names_in(argument).empty()) continue;
        const JsonValue& value = *argument.value;
        if (seen.insert(name).second)
            add(name, std::string_view(program_.text).substr(value.offset, value.end - value.offset));
    }
    for (const auto& [key, value] : node.metadata)
        if (seen.insert(key).second) add(key, json_text(nlohmann::ordered_json(std::string(value))));
    return text.empty() ? text : text + "}";
}

}  // namespace partita::torch
