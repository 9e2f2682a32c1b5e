#include "engine/graph/graph_json.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "engine/support/json_cursor.h"
#include "engine/support/json_text.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

constexpr const char* kFormat = "partita-graph";

class Reader {
public:
    Reader(std::string_view text, const CancelToken& cancel)
        : text_(text), json_(text, {1, 1}, unescaped_, "bad graph: "), cancel_(cancel) {}

    Graph read() {
        bool known = false;
        json_.object("the graph", [&](std::string_view key) {
            if (key == "format") known = json_.string() == kFormat;
            else if (key == "version") check_version();
            else if (key == "inputs") read_names([&](GraphValueId id) { graph_.inputs.push_back(id), given(id); });
            else if (key == "outputs") read_names([&](GraphValueId id) { graph_.outputs.push_back(id); });
            else if (key == "constants")
                read_names([&](GraphValueId id) { graph_.values[id.value].constant = true, given(id); });
            else if (key == "nodes") json_.array("the list of nodes", [&] { read_node(); });
            else if (key == "values") json_.object("the values", [&](std::string_view name) { read_value(name); });
            else json_.skip_value();
        });
        json_.expect_end("the graph");
        if (!known) json_.fail({1, 1}, "its \"format\" is not \"partita-graph\"");
        check_values();
        resolve_after();
        return std::move(graph_);
    }

private:
    /// What is known of a value besides what the graph keeps.
    struct Mention {
        SourcePosition place;  ///< where it was named first
        bool given = false;
    };
    struct After {
        uint32_t node;
        std::string_view name;
        SourcePosition place;
    };

    void check_version() {
        const SourcePosition place = json_.position();
        if (json_.index() != uint32_t(kGraphJsonVersion)) json_.fail(place, "it was written by another version");
    }

    GraphValueId value(std::string_view name, SourcePosition place) {
        const auto [found, is_new] = numbers_.try_emplace(name, uint32_t(graph_.values.size()));
        if (is_new) {
            graph_.values.emplace_back().name = name;
            mentions_.push_back({place});
        }
        return GraphValueId(found->second);
    }

    void given(GraphValueId id) { mentions_[id.value].given = true; }

    template <class Each>
    void read_names(Each each) {
        json_.array("a list of values", [&] {
            json_.peek();
            const SourcePosition place = json_.position();
            each(value(json_.string(), place));
        });
    }

    void read_node() {
        if (cancel_.cancelled()) json_.fail({}, "cancelled");
        json_.peek();
        PlainNode node;
        node.position = json_.position();
        const NodeId id(uint32_t(graph_.nodes.size()));
        json_.object("a node", [&](std::string_view key) {
            if (key == "name") node.name = json_.string();
            else if (key == "op") node.op = json_.string();
            else if (key == "inputs") json_.array("a node's inputs", [&] { node.inputs.push_back(read_input()); });
            else if (key == "outputs") json_.array("a node's outputs", [&] { node.outputs.push_back(make(id)); });
            else if (key == "attributes") node.attributes = read_attributes();
            else if (key == "after") json_.array("a node's \"after\"", [&] { read_after(id); });
            else json_.skip_value();
        });
        if (node.op.empty()) json_.fail(node.position, "a node has no \"op\"");
        graph_.nodes.push_back(std::move(node));
    }

    GraphValueId read_input() {
        json_.peek();
        const SourcePosition place = json_.position();
        const std::string_view name = json_.string();
        return name.empty() ? GraphValueId() : value(name, place);
    }

    GraphValueId make(NodeId node) {
        json_.peek();
        const SourcePosition place = json_.position();
        const std::string_view name = json_.string();
        // An output that nobody wants has no name.
        if (name.empty()) return GraphValueId();
        const GraphValueId id = value(name, place);
        PlainValue& made = graph_.values[id.value];
        if (made.producer.valid()) json_.fail(place, "the value " + in_quotes(name) + " is made twice");
        made.producer = node;
        return id;
    }

    std::string read_attributes() {
        if (json_.peek() != '{') json_.fail(json_.position(), "a node's attributes must be an object");
        const size_t begin = json_.offset();
        json_.skip_value();
        return std::string(text_.substr(begin, json_.offset() - begin));
    }

    void read_after(NodeId node) {
        json_.peek();
        const SourcePosition place = json_.position();
        after_.push_back({node.value, json_.string(), place});
    }

    void read_value(std::string_view name) {
        const GraphValueId id = value(name, json_.position());
        json_.object("a value", [&](std::string_view key) {
            PlainValue& of = graph_.values[id.value];
            if (key == "dtype") of.dtype = json_.string();
            else if (key == "shape") {
                of.has_shape = true;
                json_.array("a shape", [&] { of.shape.push_back(read_extent()); });
            } else json_.skip_value();
        });
    }

    /// A size; null, a negative number or a name (a symbol) is unknown.
    int64_t read_extent() {
        if (json_.peek() == '"') return json_.string(), kDynamicDim;
        const SourcePosition place = json_.position();
        const std::string_view text = json_.scalar();
        if (text == "null") return kDynamicDim;
        int64_t size = 0;
        const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), size);
        if (failure != std::errc() || stop != text.data() + text.size())
            json_.fail(place, in_quotes(text) + " is no size of a dimension");
        return size < 0 ? kDynamicDim : size;
    }

    /// Every value comes from somewhere: what "values" alone names is left alone.
    void check_values() {
        const auto check = [&](GraphValueId id) {
            if (!id.valid() || graph_[id].producer.valid() || mentions_[id.value].given) return;
            json_.fail(mentions_[id.value].place, "the value " + in_quotes(graph_[id].name) +
                                                      " is neither an input, a constant nor the output of a node");
        };
        for (const PlainNode& node : graph_.nodes)
            for (GraphValueId input : node.inputs) check(input);
        for (GraphValueId output : graph_.outputs) check(output);
    }

    void resolve_after() {
        if (after_.empty()) return;
        std::unordered_map<std::string_view, uint32_t> by_name;
        for (uint32_t i = 0; i < graph_.nodes.size(); ++i) by_name.try_emplace(graph_.nodes[i].name, i);
        for (const After& each : after_) {
            const auto found = by_name.find(each.name);
            if (found == by_name.end()) json_.fail(each.place, "there is no node " + in_quotes(each.name));
            graph_.nodes[each.node].after.push_back(NodeId(found->second));
        }
    }

    const std::string_view text_;
    std::deque<std::string> unescaped_;
    JsonCursor json_;
    const CancelToken& cancel_;
    Graph graph_;
    std::vector<Mention> mentions_;  ///< by GraphValueId
    std::unordered_map<std::string_view, uint32_t> numbers_;
    std::vector<After> after_;
};

nlohmann::ordered_json names_of(const Graph& graph, std::span<const GraphValueId> ids) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (GraphValueId id : ids) list.push_back(id.valid() ? graph[id].name : "");
    return list;
}

nlohmann::ordered_json json_of(const Graph& graph, const PlainNode& node) {
    nlohmann::ordered_json json{{"name", node.name},
                                {"op", node.op},
                                {"inputs", names_of(graph, node.inputs)},
                                {"outputs", names_of(graph, node.outputs)}};
    if (!node.attributes.empty()) json["attributes"] = ordered_json_of_text(node.attributes);
    for (NodeId other : node.after) json["after"].push_back(graph[other].name);
    return json;
}

/// Writes the items of a list or object, one on each line.
template <class Items, class Write>
void write_lines(std::string& text, const Items& items, Write write) {
    bool first = true;
    for (const auto& item : items) {
        const std::string line = write(item);
        if (line.empty()) continue;
        text += (first ? "\n  " : ",\n  ") + line;
        first = false;
    }
}

std::string line_of(const PlainValue& value) {
    if (value.dtype.empty() && !value.has_shape) return {};
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    if (!value.dtype.empty()) json["dtype"] = value.dtype;
    if (value.has_shape) {
        json["shape"] = nlohmann::ordered_json::array();
        for (int64_t dim : value.shape)
            json["shape"].push_back(dim == kDynamicDim ? nlohmann::ordered_json() : nlohmann::ordered_json(dim));
    }
    return json_text(nlohmann::ordered_json(value.name)) + ": " + json_text(json);
}

}  // namespace

bool looks_like_graph_json(std::string_view text) {
    const size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || text[begin] != '{') return false;
    return text.substr(begin, 4096).find("\"partita-graph\"") != std::string_view::npos;
}

Result<Graph> read_graph_json(std::string_view text, const CancelToken& cancel) {
    try {
        return Reader(text, cancel).read();
    } catch (const SyntaxError& fault) {
        return error(fault.message, fault.position);
    }
}

std::string write_graph_json(const Graph& graph) {
    std::vector<GraphValueId> constants;
    for (uint32_t i = 0; i < graph.values.size(); ++i)
        if (graph.values[i].constant) constants.push_back(GraphValueId(i));
    std::string text = "{\"format\": \"partita-graph\", \"version\": " + std::to_string(kGraphJsonVersion) +
                       ",\n \"inputs\": " + json_text(names_of(graph, graph.inputs)) +
                       ",\n \"outputs\": " + json_text(names_of(graph, graph.outputs)) +
                       ",\n \"constants\": " + json_text(names_of(graph, constants)) + ",\n \"nodes\": [";
    write_lines(text, graph.nodes, [&](const PlainNode& node) { return json_text(json_of(graph, node)); });
    text += "],\n \"values\": {";
    write_lines(text, graph.values, line_of);
    return text + "}}\n";
}

}  // namespace partita
