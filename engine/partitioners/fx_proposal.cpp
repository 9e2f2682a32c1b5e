#include "engine/partitioners/fx_proposal.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace partita {

namespace {

const char* words_of(FxBorder::Kind kind) {
    switch (kind) {
        case FxBorder::Kind::Ended:
            return SENTENCE("Engine",
                            "PyTorch ended the search for this partition at %1 and did not come to the other");
        case FxBorder::Kind::Turn:
            return SENTENCE("Engine",
                            "%1 is not taken and comes between them: taken nodes and others are collected in turns");
        case FxBorder::Kind::Struck:
            return SENTENCE("Engine",
                            "it joined the partition of %1: of two that depend on each other PyTorch 1.13 takes one");
        case FxBorder::Kind::Returns: break;
    }
    return SENTENCE("Engine",
                    "%1 is outside their partitions, needs one of them and is needed by one of them: as one partition "
                    "they would wait for themselves");
}

/// Adds what a proposal recorded of borders between regions.
void note_recorded(const PartitionerInput& input, const FxGraph& graph, const FxProposal& proposal,
                   Division& division) {
    const std::vector<int32_t> region_of = regions_by_node(input.graph, division);
    std::set<std::pair<uint32_t, uint32_t>> noted;
    for (const FxBorder& border : proposal.borders) {
        const NodeId node = graph[border.node].node, by = graph[border.by].node, between = graph[border.between].node;
        const bool at_value = border.kind == FxBorder::Kind::Ended && !between.valid();  // which is a node there
        if (!node.valid() || !by.valid() || (!between.valid() && !at_value)) continue;
        if (region_of[node.value] < 0 || region_of[by.value] < 0) continue;
        if (!noted.emplace(node.value, by.value).second) continue;
        if (at_value)
            division.notes.push_back({by,
                                      node,
                                      SENTENCE("Engine",
                                               "PyTorch ended the search for this partition at an input or a weight "
                                               "and did not come to the other"),
                                      {}});
        else division.notes.push_back({by, node, words_of(border.kind), {between}});
    }
}

}  // namespace

size_t computing_nodes(const FxGraph& graph, const std::vector<uint32_t>& nodes, const FxOptions& options) {
    const auto has = [](const std::vector<std::string_view>& list, std::string_view target) {
        return std::find(list.begin(), list.end(), target) != list.end();
    };
    size_t count = 0;
    for (uint32_t i : nodes) {
        if (!graph[i].is_call) continue;
        const std::string_view target = graph[i].target;
        count += target != "torch.ops.aten.view" && !graph[i].is_getitem() && !has(options.non_compute, target);
        count += has(options.allowed_single, target);
    }
    return count;
}

void find_returning_paths(const FxGraph& graph, FxProposal& proposal) {
    constexpr size_t kMostPairs = 1000;  // each costs a walk
    std::vector<int32_t> of(graph.size(), -1);
    for (size_t i = 0; i < proposal.partitions.size(); ++i)
        for (uint32_t node : proposal.partitions[i].nodes) of[node] = int32_t(i);
    std::map<std::pair<int32_t, int32_t>, std::optional<uint32_t>> between;
    const auto look = [&](int32_t a, int32_t b) -> std::optional<uint32_t> {
        const auto inside = [&](uint32_t node) { return of[node] == a || of[node] == b; };
        std::vector<uint32_t> both = proposal.partitions[size_t(a)].nodes;
        both.insert(both.end(), proposal.partitions[size_t(b)].nodes.begin(),
                    proposal.partitions[size_t(b)].nodes.end());
        std::optional<uint32_t> found;
        (void)graph.is_reached(both, false, [&](uint32_t node) {
            const std::vector<uint32_t>& inputs = graph[node].inputs;
            if (!inside(node) && std::any_of(inputs.begin(), inputs.end(), inside)) found = node;
            return found.has_value();
        });
        return found;
    };
    for (uint32_t node = 0; node < graph.size(); ++node)
        for (uint32_t user : graph[node].users) {
            if (of[node] == -1 || of[user] == -1 || of[node] == of[user]) continue;
            const auto pair = std::minmax(of[node], of[user]);
            const bool is_new = !between.contains(pair);
            if (is_new && between.size() >= kMostPairs) continue;
            if (is_new) between[pair] = look(pair.first, pair.second);
            if (between[pair]) proposal.borders.push_back({node, user, *between[pair]});
        }
}

Result<Division> divide_in_turns(
    const PartitionerInput& input, const FxGraph& graph,
    const std::function<Result<FxProposal>(const FxGraph&, const std::vector<bool>&)>& propose) {
    Division division;
    std::vector<bool> taken(input.graph.nodes.size());
    std::vector<std::vector<uint32_t>> lowered;
    std::vector<uint32_t> position_of(input.graph.nodes.size(), UINT32_MAX);
    for (uint32_t i = 0; i < graph.size(); ++i)
        if (graph[i].node.valid()) position_of[graph[i].node.value] = i;
    for (const Verdicts::OfBackend& backend : input.verdicts.backends) {
        const FxGraph left = graph.contracted(lowered);
        Result<FxProposal> proposal = propose(left, supported_by(left, backend, taken));
        if (!proposal) return proposal.error();
        if (!proposal->error.empty()) {
            division = {};
            division.error = proposal->error;
            return division;
        }
        for (const FxPartition& partition : proposal->partitions) {
            DividedRegion region{backend.name, {}, {}, {}};
            std::vector<uint32_t> positions;
            for (uint32_t i : partition.nodes) {
                const NodeId node = left[i].node;
                if (!node.valid()) continue;
                region.nodes.push_back(node);
                positions.push_back(position_of[node.value]);
                if (!partition.dropped) taken[node.value] = true;
                else if (backend.takes[node.value])
                    division.notes.push_back(
                        {node, NodeId(), SENTENCE("Engine", "its partition has too few nodes that compute"), {}});
            }
            if (partition.dropped) continue;
            division.regions.push_back(std::move(region));
            lowered.push_back(std::move(positions));
        }
        note_recorded(input, left, *proposal, division);
    }
    return division;
}

}  // namespace partita
