#include "engine/frontends/model_explorer/reader.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <unordered_map>
#include <unordered_set>

#include <nlohmann/json.hpp>

#include "engine/support/json_cursor.h"
#include "engine/support/json_text.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

/// Returns a whole number below `below`; -1 for another text.
int64_t small_number(std::string_view text, int64_t below) {
    int64_t number = -1;
    const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failure == std::errc() && stop == text.data() + text.size() && number < below ? number : -1;
}

/// Takes a type as adapters write it: `float32[1,224,224,3]` or `tensor<1x3xf32>`.
void take_type(std::string_view text, PlainValue& value) {
    const size_t open = text.find_first_of("[<");
    if (open == std::string_view::npos || text.find_first_of("]>", open) == std::string_view::npos) return;
    const bool mlir = text[open] == '<';
    std::string_view inside = text.substr(open + 1, text.find_first_of("]>", open) - open - 1);
    value.dtype = std::string(text.substr(0, open));
    std::vector<int64_t> shape;
    while (!inside.empty()) {
        const size_t end = std::min(inside.find(mlir ? 'x' : ','), inside.size());
        std::string_view part = inside.substr(0, end);
        while (part.starts_with(' ')) part.remove_prefix(1);
        inside.remove_prefix(std::min(inside.size(), end + 1));
        if (mlir && inside.empty()) value.dtype = std::string(part);
        else shape.push_back(std::max<int64_t>(small_number(part, int64_t(1) << 40), kDynamicDim));
    }
    value.shape = std::move(shape);
    value.has_shape = true;
}

class Reader {
public:
    Reader(std::string_view text, const CancelToken& cancel)
        : json_(text, {1, 1}, unescaped_, "bad graph: "), cancel_(cancel) {}

    ModelExplorerFile read() {
        if (json_.peek() == '[') json_.array("the graphs", [&] { read_collection(); });
        else read_collection();
        json_.expect_end("the graphs");
        if (!has_graph_) json_.fail({1, 1}, "there is no graph in it");
        connect();
        return std::move(file_);
    }

private:
    /// An edge waits until all nodes are known: the file may name them later.
    struct Edge {
        uint32_t target;
        std::string_view source, output, input;
        SourcePosition place;
    };
    struct Output {
        std::string_view id, name, type;
    };

    /// A graph, or {"graphs": [...]} of a collection.
    void read_collection() {
        std::string_view id;
        bool is_graph = false;
        const bool wanted = !has_graph_;
        json_.object("a graph", [&](std::string_view key) {
            if (key == "graphs") json_.array("the graphs", [&] { read_collection(); });
            else if (key == "id") id = json_.string();
            else if (key == "nodes" && wanted) {
                is_graph = has_graph_ = true;
                json_.array("the nodes", [&] { read_node(); });
            } else {
                is_graph = is_graph || key == "nodes";
                json_.skip_value();
            }
        });
        if (is_graph && !wanted) file_.others.emplace_back(id);
    }

    void read_node() {
        if (cancel_.cancelled()) json_.fail({}, "cancelled");
        json_.peek();
        PlainNode node;
        node.position = json_.position();
        const uint32_t number = uint32_t(graph().nodes.size());
        std::string_view id, label, scope;
        nlohmann::ordered_json attributes = nlohmann::ordered_json::object();
        std::vector<Output> outputs;
        json_.object("a node", [&](std::string_view key) {
            if (key == "id") id = json_.string();
            else if (key == "label") label = json_.string();
            else if (key == "namespace") scope = json_.string();
            else if (key == "attrs")
                read_pairs([&](std::string_view name, std::string_view value) {
                    attributes[std::string(name)] = std::string(value);
                });
            else if (key == "incomingEdges") json_.array("a node's edges", [&] { read_edge(number); });
            else if (key == "outputsMetadata")
                json_.array("a node's outputs", [&] { outputs.push_back(read_output()); });
            else json_.skip_value();
        });
        if (id.empty()) json_.fail(node.position, "a node has no \"id\"");
        if (!numbers_.emplace(id, number).second) json_.fail(node.position, "two nodes have the id " + in_quotes(id));
        node.op = std::string(label.empty() ? id : label);
        const std::string within = std::string(scope) + "/";
        node.name = scope.empty() || id.starts_with(within) ? std::string(id) : within + std::string(id);
        if (!attributes.empty()) node.attributes = json_text(attributes);
        graph().nodes.push_back(std::move(node));
        ids_.push_back(id);
        outputs_of_.emplace_back();
        for (const Output& output : outputs) describe(make_output(number, output.id), output);
    }

    /// A list of {"key", "value"}; values that are no texts (links to nodes) are left out.
    template <class Each>
    void read_pairs(Each each) {
        json_.array("attributes", [&] {
            std::string_view name, value;
            json_.object("an attribute", [&](std::string_view key) {
                if (key == "key") name = json_.string();
                else if (key == "value" && json_.peek() == '"') value = json_.string();
                else json_.skip_value();
            });
            if (!name.empty()) each(name, value);
        });
    }

    void read_edge(uint32_t target) {
        json_.peek();
        Edge edge{target, {}, "0", "0", json_.position()};
        json_.object("an edge", [&](std::string_view key) {
            if (key == "sourceNodeId") edge.source = json_.string();
            else if (key == "sourceNodeOutputId") edge.output = json_.string();
            else if (key == "targetNodeInputId") edge.input = json_.string();
            else json_.skip_value();
        });
        edges_.push_back(edge);
    }

    Output read_output() {
        Output output{"0", {}, {}};
        json_.object("an output", [&](std::string_view key) {
            if (key == "id") output.id = json_.string();
            else if (key == "attrs")
                read_pairs([&](std::string_view name, std::string_view value) {
                    if (name == "tensor_name") output.name = value;
                    if (name == "tensor_shape") output.type = value;
                });
            else json_.skip_value();
        });
        return output;
    }

    /// Returns the value of an output; makes it where it is named first.
    GraphValueId make_output(uint32_t node, std::string_view id) {
        auto& outputs = outputs_of_[node];
        const auto known =
            std::find_if(outputs.begin(), outputs.end(), [&](const auto& each) { return each.first == id; });
        if (known != outputs.end()) return known->second;
        const GraphValueId value(uint32_t(graph().values.size()));
        PlainValue made;
        made.name = unique(std::string(ids_[node]) + (outputs.empty() ? "" : ":" + std::string(id)));
        made.producer = NodeId(node);
        graph().values.push_back(std::move(made));
        graph().nodes[node].outputs.push_back(value);
        outputs.emplace_back(id, value);
        return value;
    }

    void describe(GraphValueId id, const Output& output) {
        PlainValue& value = graph().values[id.value];
        if (!output.name.empty() && taken_.insert(std::string(output.name)).second)
            value.name = std::string(output.name);
        take_type(output.type, value);
    }

    std::string unique(std::string name) {
        for (std::string plain = name; !taken_.insert(name).second;) name = plain + "'" + std::to_string(taken_.size());
        return name;
    }

    void connect() {
        std::stable_sort(edges_.begin(), edges_.end(),
                         [](const Edge& a, const Edge& b) { return a.target < b.target; });
        std::vector<bool> used;
        for (size_t first = 0, last; first < edges_.size(); first = last) {
            for (last = first; last < edges_.size() && edges_[last].target == edges_[first].target;) ++last;
            const int64_t count = int64_t(last - first);
            std::vector<GraphValueId> inputs, rest;
            for (size_t i = first; i < last; ++i) {
                const GraphValueId value = value_of(edges_[i]);
                if (used.size() <= value.value) used.resize(value.value + 1);
                used[value.value] = true;
                const int64_t place = small_number(edges_[i].input, 2 * count + 16);  // some inputs may be left out
                if (place >= int64_t(inputs.size())) inputs.resize(size_t(place) + 1);
                if (place >= 0 && !inputs[size_t(place)].valid()) inputs[size_t(place)] = value;
                else rest.push_back(value);
            }
            inputs.insert(inputs.end(), rest.begin(), rest.end());
            graph().nodes[edges_[first].target].inputs = std::move(inputs);
        }
        for (uint32_t i = 0; i < graph().nodes.size(); ++i)
            if (graph().nodes[i].outputs.empty()) make_output(i, "0");
        used.resize(graph().values.size());
        for (uint32_t i = 0; i < used.size(); ++i)
            if (!used[i]) graph().outputs.push_back(GraphValueId(i));
    }

    GraphValueId value_of(const Edge& edge) {
        const auto source = numbers_.find(edge.source);
        if (source == numbers_.end()) json_.fail(edge.place, "there is no node " + in_quotes(edge.source));
        return make_output(source->second, edge.output);
    }

    Graph& graph() { return file_.graph; }

    std::deque<std::string> unescaped_;
    JsonCursor json_;
    const CancelToken& cancel_;
    ModelExplorerFile file_;
    bool has_graph_ = false;
    std::vector<Edge> edges_;
    std::vector<std::string_view> ids_;                                               ///< by node
    std::vector<std::vector<std::pair<std::string_view, GraphValueId>>> outputs_of_;  ///< by node: id and value
    std::unordered_map<std::string_view, uint32_t> numbers_;                          ///< by id
    std::unordered_set<std::string> taken_;                                           ///< names of values
};

}  // namespace

bool looks_like_model_explorer(std::string_view text) {
    const size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || (text[begin] != '{' && text[begin] != '[')) return false;
    const std::string_view head = text.substr(begin, 65536);
    const bool has_nodes = head.find("\"nodes\"") != std::string_view::npos;
    return has_nodes && head.find("\"partita-") == std::string_view::npos &&
           (head.find("\"incomingEdges\"") != std::string_view::npos ||
            (head.find("\"graphs\"") != std::string_view::npos && head.find("\"label\"") != std::string_view::npos));
}

Result<ModelExplorerFile> read_model_explorer(std::string_view text, const CancelToken& cancel) {
    try {
        return Reader(text, cancel).read();
    } catch (const SyntaxError& fault) {
        return error(fault.message, fault.position);
    }
}

}  // namespace partita
