#include "engine/partitioners/given.h"

#include <algorithm>
#include <unordered_map>

#include "engine/partitioners/partitioner.h"
#include "engine/support/file.h"
#include "engine/support/glob.h"
#include "engine/support/in_file.h"
#include "engine/support/json_reader.h"
#include "engine/support/one_line.h"
#include "engine/support/spelling.h"

namespace partita {

NodeNames::NodeNames(const Graph& graph) : graph_(graph) {
    by_name_.reserve(graph.nodes.size());
    for (uint32_t i = 0; i < graph.nodes.size(); ++i) by_name_[graph.nodes[i].name].push_back(NodeId(i));
}

Result<std::vector<NodeId>> NodeNames::find(const JsonValue& place) const {
    if (place.is(JsonValue::Kind::Number)) {
        if (place.number >= 1 && place.number <= double(graph_.nodes.size()) && place.number == uint32_t(place.number))
            return std::vector<NodeId>{NodeId(uint32_t(place.number) - 1)};
        return error("there is no node of that number; the graph has " + std::to_string(graph_.nodes.size()),
                     place.position);
    }
    if (!place.is(JsonValue::Kind::String))
        return error("a node is named by a text or a number, not by " + std::string(place.kind_name()), place.position);
    if (const auto found = by_name_.find(place.text); found != by_name_.end()) {
        if (found->second.size() == 1) return found->second;
        return error(
            std::to_string(found->second.size()) + " nodes are named " + in_quotes(place.text) + "; give their numbers",
            place.position);
    }
    std::vector<NodeId> matching;
    if (place.text.find_first_of("*?") != std::string::npos)
        for (uint32_t i = 0; i < graph_.nodes.size(); ++i)
            if (glob_match(place.text, graph_.nodes[i].name)) matching.push_back(NodeId(i));
    if (!matching.empty()) return matching;
    return error("there is no node " + in_quotes(place.text) + meant(place.text), place.position);
}

std::string NodeNames::meant(const std::string& name) const {
    constexpr size_t kMostCompared = 10000;
    if (graph_.nodes.size() > kMostCompared) return {};
    std::vector<std::string_view> names;
    for (const PlainNode& node : graph_.nodes) names.push_back(node.name);
    const std::string_view near = nearest_spelling(name, names);
    return near.empty() ? std::string() : "; did you mean " + in_quotes(near) + "?";
}

namespace {

using Kind = JsonValue::Kind;

Result<DividedRegion> read_region(const NodeNames& names, const JsonValue& json) {
    const JsonValue* backend = json.member("backend");
    const JsonValue* nodes = json.member("nodes");
    if (!backend || !backend->is(Kind::String) || !nodes || !nodes->is(Kind::Array))
        return error("a region has a \"backend\", a text, and \"nodes\", a list", json.position);
    DividedRegion region;
    region.backend = backend->text;
    for (const JsonValue& name : nodes->items) {
        Result<std::vector<NodeId>> found = names.find(name);
        if (!found) return found.error();
        region.nodes.insert(region.nodes.end(), found->begin(), found->end());
    }
    return region;
}

}  // namespace

Result<Division> read_division(const Graph& graph, std::string_view text, const std::string& file) {
    Result<JsonValue> json = read_json(text, file);
    if (!json) return json.error();
    const JsonValue* regions = json->member("regions");
    if (!regions || !regions->is(Kind::Array))
        return in_file(error("a division has \"regions\", a list", json->position), file);
    const NodeNames names(graph);
    Division division;
    for (const JsonValue& item : regions->items) {
        Result<DividedRegion> region = read_region(names, item);
        if (!region) return in_file(region.error(), file);
        division.regions.push_back(std::move(*region));
    }
    return division;
}

Result<Verdicts> read_verdicts(const Graph& graph, std::string_view text, const std::string& file) {
    Result<JsonValue> json = read_json(text, file);
    if (!json) return json.error();
    const bool is_list = json->is(Kind::Array);
    const std::span<const JsonValue> list = is_list ? std::span<const JsonValue>(json->items) : std::span(&*json, 1);
    const NodeNames names(graph);
    Verdicts verdicts;
    for (const JsonValue& item : list) {
        const JsonValue* backend = item.member("backend");
        const JsonValue* taken = item.member("taken");
        if (!backend || !backend->is(Kind::String) || backend->text.empty() || !taken || !taken->is(Kind::Array))
            return in_file(error("verdicts have a \"backend\", a text, and \"taken\", a list of nodes", item.position),
                           file);
        Verdicts::OfBackend of{backend->text, std::vector<bool>(graph.nodes.size())};
        for (const JsonValue& name : taken->items) {
            // Nodes that a runtime makes have no name: what is said of them is said of none.
            if (name.is(Kind::String) && name.text.empty()) continue;
            Result<std::vector<NodeId>> found = names.find(name);
            if (!found) return in_file(found.error(), file);
            for (NodeId node : *found) of.takes[node.value] = true;
        }
        verdicts.backends.push_back(std::move(of));
    }
    return verdicts;
}

Result<Division> divide_as_given(const PartitionerInput& input) {
    const std::string file(input.option("file"));
    if (file.empty()) return error("the partitioner given needs --option file=F.json, the division");
    Result<std::string> text = read_file(file);
    if (!text) return in_file(text.error(), file);
    Result<Division> division = read_division(input.graph, *text, file);
    if (division)
        note_borders(input, *division, [](NodeId, NodeId) {
            return DivisionNote{{}, {}, SENTENCE("Engine", "the file of the division puts them apart"), {}};
        });
    return division;
}

}  // namespace partita
