#include "engine/division/division.h"

#include <algorithm>

#include "engine/division/condensed_graph.h"

namespace partita {

RegionBoundary::RegionBoundary(const Graph& graph)
    : graph_(graph), users_(graph.values.size()), inside_(graph.nodes.size()), seen_(graph.values.size()) {
    for (uint32_t i = 0; i < graph.nodes.size(); ++i)
        for (GraphValueId input : graph.nodes[i].inputs)
            if (input.valid()) users_[input.value].push_back(i);
    for (GraphValueId output : graph.outputs) users_[output.value].push_back(UINT32_MAX);
}

void RegionBoundary::fill(DividedRegion& region) {
    ++region_;
    for (NodeId node : region.nodes) inside_[node.value] = region_;
    const auto is_inside = [&](uint32_t node) { return node != UINT32_MAX && inside_[node] == region_; };
    for (NodeId node : region.nodes) {
        for (GraphValueId input : graph_[node].inputs) {
            if (!input.valid() || graph_[input].constant || seen_[input.value] == region_) continue;
            seen_[input.value] = region_;
            if (const NodeId producer = graph_[input].producer; !producer.valid() || !is_inside(producer.value))
                region.inputs.push_back(input);
        }
    }
    for (NodeId node : region.nodes)
        for (GraphValueId output : graph_[node].outputs)
            if (output.valid() && !std::all_of(users_[output.value].begin(), users_[output.value].end(), is_inside))
                region.outputs.push_back(output);
}

void complete_boundaries(const Graph& graph, Division& division) {
    RegionBoundary boundary(graph);
    for (DividedRegion& region : division.regions)
        if (region.inputs.empty() && region.outputs.empty()) boundary.fill(region);
}

std::vector<int32_t> regions_by_node(const Graph& graph, const Division& division) {
    std::vector<int32_t> region_of(graph.nodes.size(), -1);
    for (size_t i = division.regions.size(); i-- > 0;)
        for (NodeId node : division.regions[i].nodes) region_of[node.value] = int32_t(i);
    return region_of;
}

std::vector<int32_t> with_contents(const Graph& graph, std::vector<int32_t> region_of) {
    const auto put_into = [&region_of](NodeId whole, const std::vector<NodeId>& contents) {
        if (!whole.valid()) return;
        for (NodeId node : contents)
            if (region_of[node.value] < 0) region_of[node.value] = region_of[whole.value];
    };
    for (const GraphScope& scope : graph.scopes) put_into(scope.holder, scope.nodes);
    for (const GraphFunction& function : graph.functions) put_into(function.call, function.parts);
    return region_of;
}

namespace {

void add_repeated_nodes(const Graph& graph, const Division& division, std::vector<Unsound>& found) {
    std::vector<int32_t> first(graph.nodes.size(), -1);
    for (size_t i = 0; i < division.regions.size(); ++i) {
        for (NodeId node : division.regions[i].nodes) {
            if (first[node.value] < 0) {
                first[node.value] = int32_t(i);
                continue;
            }
            Unsound twice{{uint32_t(first[node.value])}, {node}, "the node stands twice"};
            if (uint32_t(i) != twice.regions[0]) twice.regions.push_back(uint32_t(i));
            found.push_back(std::move(twice));
        }
    }
}

}  // namespace

std::vector<Unsound> check_division(const Graph& graph, const NodeLinks& links, const Division& division) {
    std::vector<Unsound> found;
    add_repeated_nodes(graph, division, found);
    const std::vector<int32_t> region_of = with_contents(graph, regions_by_node(graph, division));
    const CondensedGraph condensed(links, region_of, division.regions.size());
    for (const std::vector<uint32_t>& entangled : condensed.entangled()) {
        Unsound cycle;
        cycle.path = condensed.cycle(entangled);
        for (NodeId node : cycle.path)
            if (const int32_t region = region_of[node.value];
                region >= 0 &&
                std::find(cycle.regions.begin(), cycle.regions.end(), uint32_t(region)) == cycle.regions.end())
                cycle.regions.push_back(uint32_t(region));
        found.push_back(std::move(cycle));
    }
    return found;
}

}  // namespace partita
