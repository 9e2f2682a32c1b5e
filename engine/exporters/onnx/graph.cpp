#include "engine/exporters/onnx/graph.h"

#include <algorithm>

#include "engine/frontends/onnx/model.h"

namespace partita::onnx_export {

namespace {

constexpr int64_t kExternal = 1;  // TensorProto.DataLocation

// AttributeProto.AttributeType
enum AttributeType { kFloat = 1, kInt = 2, kString = 3, kTensor = 4, kGraph = 5, kInts = 7 };

constexpr int64_t kSmallConstant = 64;  ///< elements

Message string_pair(std::string_view key, std::string_view value) {
    Message message;
    message.text(1, key).text(2, value);
    return message;
}

Message tensor_message(std::string_view name, const Tensor& value, ExternalFile* external) {
    Message message;
    message.integers(1, value.shape()).integer(2, onnx_type(value.dtype()));
    if (!name.empty()) message.text(8, name);
    if (!external || value.byte_size() < ExternalFile::kSmallest) {
        message.tensor_bytes(9, value);
        return message;
    }
    uint64_t offset = external->add(value);
    message.message(13, string_pair("location", external->name()));
    message.message(13, string_pair("offset", std::to_string(offset)));
    message.message(13, string_pair("length", std::to_string(value.byte_size())));
    message.integer(14, kExternal);
    return message;
}

Message attribute_message(const NodeAttribute& attribute, ExternalFile* external) {
    Message message;
    message.text(1, attribute.name);
    if (auto* value = std::get_if<int64_t>(&attribute.data)) message.integer(3, *value).integer(20, kInt);
    if (auto* value = std::get_if<double>(&attribute.data)) message.real(2, float(*value)).integer(20, kFloat);
    if (auto* value = std::get_if<std::string>(&attribute.data)) message.text(4, *value).integer(20, kString);
    if (auto* value = std::get_if<std::vector<int64_t>>(&attribute.data))
        message.integers(8, *value).integer(20, kInts);
    if (auto* value = std::get_if<Tensor>(&attribute.data))
        message.message(5, tensor_message("", *value, external)).integer(20, kTensor);
    if (auto* value = std::get_if<Message>(&attribute.data)) message.message(6, *value).integer(20, kGraph);
    return message;
}

Message node_message(const Node& node, ExternalFile* external) {
    Message message;
    for (const std::string& input : node.inputs) message.text(1, input);
    for (const std::string& output : node.outputs) message.text(2, output);
    if (!node.name.empty()) message.text(3, node.name);
    message.text(4, node.op_type);
    for (const NodeAttribute& attribute : node.attributes) message.message(5, attribute_message(attribute, external));
    if (!node.domain.empty()) message.text(7, node.domain);
    return message;
}

}  // namespace

int32_t onnx_type(DataType dtype) {
    constexpr int32_t kLast = 16;  // BFLOAT16
    for (int32_t type = 1; type <= kLast; ++type)
        if (onnx::data_type_of(type) == dtype && !dtype.is_void()) return type;
    throw Refusal{"the operator set that is written has no element type " + dtype.to_string()};
}

Message value_info(const Value& value, const TypeTable& types) {
    if (!types.is_tensor(value.type)) throw Refusal{"the value " + value.name + " is no tensor"};
    Message shape;
    for (int64_t dim : types.shape(value.type)) {
        Message dimension;
        if (dim >= 0) dimension.integer(1, dim);
        shape.message(1, std::move(dimension));
    }
    Message tensor, type, info;
    tensor.integer(1, onnx_type(types.dtype(value.type))).message(2, std::move(shape));
    type.message(1, std::move(tensor));
    info.text(1, value.name).message(2, std::move(type));
    return info;
}

Message operator_set(std::string_view domain, int64_t version) {
    Message message;
    message.text(1, domain).integer(2, version);
    return message;
}

std::string Graph::UniqueNames::fresh(std::string_view hint) {
    std::string base(hint.empty() ? "value" : hint.substr(0, 1000)), name = base;
    int& number = next_number_[base];
    while (!taken_.insert(name).second) name = base + "_" + std::to_string(++number);
    return name;
}

std::string Graph::constant(const Tensor& value, std::string_view hint) {
    if (outer_) return outer_->constant(value, hint);
    onnx_type(value.dtype());
    std::string name = fresh(hint);
    constant_index_.emplace(name, constants_.size());
    constants_.emplace_back(name, value);
    return name;
}

std::string Graph::shared_constant(const Tensor& value, std::string_view hint) {
    if (outer_) return outer_->shared_constant(value, hint);
    if (value.size() > kSmallConstant) return constant(value, hint);
    std::string key = value.dtype().to_string() + shape_to_string(value.shape());
    key.append(static_cast<const char*>(value.bytes()), value.byte_size());
    auto it = small_constants_.find(key);
    return it != small_constants_.end() ? it->second : small_constants_[key] = constant(value, hint);
}

void Graph::set_outputs(const std::vector<Value>& values, const std::vector<std::string>& names) {
    // These names are fixed: they occur elsewhere, too.
    std::unordered_set<std::string_view> fixed;
    for (const Value& input : inputs_) fixed.insert(input.name);
    for (const auto& [name, value] : constants_) fixed.insert(name);
    for (const Node& node : nodes_) fixed.insert(node.captured.begin(), node.captured.end());
    std::unordered_map<std::string, std::string> renamed;
    std::vector<Node> copies;
    for (size_t i = 0; i < values.size(); ++i) {
        const std::string& name = names[i];
        bool in_place = values[i].name == name;
        if (!in_place && (fixed.contains(values[i].name) || !renamed.emplace(values[i].name, name).second))
            copies.push_back({"Identity", "", fresh_node("Identity"), {values[i].name}, {name}, {}, {}, {}});
        outputs_.push_back({name, values[i].type});
    }
    for (Node& copy : copies) nodes_.push_back(std::move(copy));
    auto rename = [&](std::string& name) {
        auto it = renamed.find(name);
        if (it != renamed.end()) name = it->second;
    };
    for (Node& node : nodes_) {
        for (std::string& input : node.inputs) rename(input);
        for (std::string& output : node.outputs) rename(output);
    }
    std::erase_if(types_, [&](const Value& value) { return renamed.contains(value.name); });
}

void Graph::drop_unused() {
    std::unordered_set<std::string> used;
    for (const Value& output : outputs_) used.insert(output.name);
    std::vector<bool> kept(nodes_.size());
    for (size_t i = nodes_.size(); i-- > 0;) {
        const Node& node = nodes_[i];
        kept[i] = std::any_of(node.outputs.begin(), node.outputs.end(),
                              [&](const std::string& output) { return used.contains(output); });
        if (!kept[i]) continue;
        used.insert(node.inputs.begin(), node.inputs.end());
        used.insert(node.captured.begin(), node.captured.end());
    }
    size_t at = 0;
    std::erase_if(nodes_, [&](const Node&) { return !kept[at++]; });
    std::unordered_set<std::string_view> made;
    for (const Node& node : nodes_) made.insert(node.outputs.begin(), node.outputs.end());
    std::erase_if(constants_, [&](const auto& constant) { return !used.contains(constant.first); });
    constant_index_.clear();
    for (size_t i = 0; i < constants_.size(); ++i) constant_index_.emplace(constants_[i].first, i);
    std::erase_if(types_, [&](const Value& value) { return !made.contains(value.name); });
}

std::vector<std::string> Graph::captured() const {
    std::unordered_set<std::string_view> made;
    std::vector<std::string> names;
    for (const Node& node : nodes_) {
        for (const auto* list : {&node.inputs, &node.captured})
            for (const std::string& name : *list)
                if (!name.empty() && !made.contains(name)) names.push_back(name);
        made.insert(node.outputs.begin(), node.outputs.end());
    }
    return names;
}

std::vector<InnerNode> Graph::foreign_nodes() const {
    std::vector<InnerNode> foreign;
    for (const Node& node : nodes_) {
        if (!node.domain.empty()) foreign.push_back({node.op_type, node.domain, node.origin, node.version});
        foreign.insert(foreign.end(), node.inner.begin(), node.inner.end());
    }
    return foreign;
}

Graph Graph::part(std::span<const size_t> nodes, std::vector<Value> inputs, std::vector<Value> outputs) const {
    Graph graph(false);
    graph.inputs_ = std::move(inputs);
    graph.outputs_ = std::move(outputs);
    for (size_t index : nodes) {
        const Node& node = nodes_[index];
        graph.nodes_.push_back(node);
        for (const auto* list : {&node.inputs, &node.captured})
            for (const std::string& value : *list) {
                auto it = constant_index_.find(value);
                if (it == constant_index_.end() ||
                    !graph.constant_index_.emplace(value, graph.constants_.size()).second)
                    continue;
                graph.constants_.push_back(constants_[it->second]);
            }
    }
    return graph;
}

Message Graph::graph_message(std::string_view name, const TypeTable& types, ExternalFile* external) {
    drop_unused();
    Message message;
    for (const Node& node : nodes_) message.message(1, node_message(node, external));
    message.text(2, name);
    for (const auto& [constant_name, value] : constants_)
        message.message(5, tensor_message(constant_name, value, external));
    for (const Value& input : inputs_) message.message(11, value_info(input, types));
    for (const Value& output : outputs_) message.message(12, value_info(output, types));
    std::unordered_set<std::string_view> stated;
    for (const Value& output : outputs_) stated.insert(output.name);
    for (const Value& value : types_)
        if (stated.insert(value.name).second) message.message(13, value_info(value, types));
    return message;
}

std::map<std::string, int64_t> Graph::domains() const {
    std::map<std::string, int64_t> domains;
    for (const InnerNode& node : foreign_nodes()) domains[node.domain] = std::max(domains[node.domain], node.version);
    return domains;
}

Message Graph::function_message(std::string_view name, std::string_view domain, std::string_view text,
                                ExternalFile* external) {
    drop_unused();
    Message message;
    message.text(1, name);
    for (const Value& input : inputs_) message.text(4, input.name);
    for (const Value& output : outputs_) message.text(5, output.name);
    for (const auto& [constant_name, value] : constants_)
        message.message(
            7,
            node_message({"Constant", "", constant_name, {}, {constant_name}, {{"value", value}}, {}, {}}, external));
    for (const Node& node : nodes_) message.message(7, node_message(node, external));
    if (!text.empty()) message.text(8, text);
    message.message(9, operator_set("", kOperatorSet));
    for (const auto& [used, version] : domains()) message.message(9, operator_set(used, version));
    message.text(10, domain);
    return message;
}

}  // namespace partita::onnx_export
