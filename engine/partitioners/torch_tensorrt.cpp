// What torch_tensorrt divides (d7f2062, py/torch_tensorrt/dynamo/partitioning). `adjacency`, its default, is torch.fx's
// splitter (torch/fx/passes/splitter_base.py): all nodes of one kind that are ready, then all of the other, in turns; a
// part of fewer nodes than min_block_size goes to the part before it. `global` is CapabilityBasedPartitioner with parts
// of fewer computing nodes left out; constants are taken there.
#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "engine/partitioners/torch_fx.h"

namespace partita {

namespace {

struct Part {
    bool is_taken;
    std::vector<uint32_t> nodes;
};

class Splitter {
public:
    Splitter(const FxGraph& graph, const std::vector<bool>& supported)
        : graph_(graph), supported_(supported), waits_for_(graph.size()), met_(graph.size()) {}

    /// Returns the parts in order; where a node has no input, none of the originals' walks meets it and what uses it.
    Result<std::vector<Part>> split() {
        for (uint32_t node = 0; node < graph_.size(); ++node) {
            const bool is_last = !graph_[node].is_call;
            for (uint32_t input : graph_[node].inputs) waits_for_[node] += !is_last && graph_[input].is_call;
        }
        for (uint32_t node = 0; node < graph_.size(); ++node)
            if (!graph_[node].is_call && graph_[node].target != "output")
                for (uint32_t user : graph_[node].users) meet(user);
        std::vector<Part> parts;
        std::vector<uint32_t> nodes;
        bool taken = ready_[false].empty();
        while (waiting_ || !ready_[false].empty() || !ready_[true].empty()) {
            if (!ready_[taken].empty()) {
                nodes.push_back(visit(taken));
                continue;
            }
            if (nodes.empty()) return error("FxNetSplitterInternalError: Subgraph can't be empty");
            parts.push_back({taken, std::exchange(nodes, {})});
            taken = !taken;
        }
        if (!nodes.empty()) parts.push_back({taken, std::move(nodes)});
        if (parts.empty()) return error("FxNetSplitterInternalError: Couldn't create subgraphs");
        return parts;
    }

private:
    bool is_taken(uint32_t node) const { return graph_[node].is_call && supported_[node]; }

    void meet(uint32_t node) {
        if (met_[node]) return;
        met_[node] = true;
        if (waits_for_[node] == 0) ready_[is_taken(node)].insert(node);
        else ++waiting_;
    }

    uint32_t visit(bool taken) {
        const uint32_t node = *ready_[taken].begin();
        ready_[taken].erase(ready_[taken].begin());
        for (uint32_t user : graph_[node].users) {
            if (!graph_[user].is_call) continue;
            meet(user);
            if (--waits_for_[user] > 0) continue;
            --waiting_;
            ready_[is_taken(user)].insert(user);
        }
        return node;
    }

    const FxGraph& graph_;
    const std::vector<bool>& supported_;
    std::vector<uint32_t> waits_for_;  ///< by node: calls among its inputs that were not visited
    std::vector<bool> met_;
    std::set<uint32_t> ready_[2];
    size_t waiting_ = 0;  ///< nodes that were met and wait
};

/// Parts that are taken and too small become part of what stands before them.
std::vector<Part> without_small(std::vector<Part> parts, size_t least) {
    std::vector<Part> kept;
    for (Part& part : parts) {
        const bool is_small = part.is_taken && part.nodes.size() < least;
        if (!kept.empty() && (is_small || (!part.is_taken && !kept.back().is_taken))) {
            kept.back().nodes.insert(kept.back().nodes.end(), part.nodes.begin(), part.nodes.end());
        } else {
            part.is_taken = part.is_taken && !is_small;
            kept.push_back(std::move(part));
        }
    }
    return kept;
}

/// For each use between parts that are taken: a node of a part between them for which the user had to wait.
void note_turns(const FxGraph& graph, const std::vector<Part>& parts, FxProposal& proposal) {
    std::vector<uint32_t> part_of(graph.size());
    for (uint32_t i = 0; i < parts.size(); ++i)
        for (uint32_t node : parts[i].nodes) part_of[node] = i;
    // By node that is taken: one that is not, of the last part before its own that it waits for through taken ones.
    std::vector<uint32_t> waits_for(graph.size(), UINT32_MAX);
    for (const Part& part : parts)
        for (uint32_t node : part.nodes) {
            if (!part.is_taken) continue;
            for (uint32_t input : graph[node].inputs) {
                if (!graph[input].is_call) continue;
                const uint32_t other = parts[part_of[input]].is_taken ? waits_for[input] : input;
                if (other != UINT32_MAX && (waits_for[node] == UINT32_MAX || part_of[waits_for[node]] < part_of[other]))
                    waits_for[node] = other;
            }
            for (uint32_t input : graph[node].inputs)
                if (graph[input].is_call && parts[part_of[input]].is_taken && part_of[input] != part_of[node] &&
                    waits_for[node] != UINT32_MAX && part_of[waits_for[node]] > part_of[input])
                    proposal.borders.push_back({input, node, waits_for[node], FxBorder::Kind::Turn});
        }
}

FxProposal propose_adjacent(const FxGraph& graph, const std::vector<bool>& supported, size_t least) {
    FxProposal proposal;
    Result<std::vector<Part>> parts = Splitter(graph, supported).split();
    if (!parts) {
        proposal.error = parts.error().message;
        return proposal;
    }
    note_turns(graph, *parts, proposal);
    for (const Part& part : *parts)
        if (part.is_taken && part.nodes.size() < least) proposal.partitions.push_back({part.nodes, true});
    for (Part& part : without_small(std::move(*parts), least))
        if (part.is_taken) proposal.partitions.push_back({std::move(part.nodes)});
    return proposal;
}

Result<FxProposal> propose_global(const FxGraph& graph, std::vector<bool> supported, size_t least,
                                  const CancelToken& cancel) {
    for (uint32_t i = 0; i < graph.size(); ++i)
        if (graph[i].is_constant) supported[i] = true;
    const FxOptions options;
    Result<FxProposal> proposal = propose_partitions(graph, supported, options, cancel);
    if (proposal)
        for (FxPartition& partition : proposal->partitions)
            partition.dropped = computing_nodes(graph, partition.nodes, options) < least;
    return proposal;
}

}  // namespace

Result<Division> divide_as_torch_tensorrt(const PartitionerInput& input) {
    const std::string_view given = input.option("min-block-size");
    size_t least = 5;
    if (!given.empty()) {
        const auto [end, fault] = std::from_chars(given.data(), given.data() + given.size(), least);
        if (fault != std::errc() || end != given.data() + given.size())
            return error("min-block-size is a whole number");
    }
    const bool global = input.option("mode") == "global";
    Result<FxGraph> graph = FxGraph::of(input.graph, input.links);
    if (!graph) return graph.error();
    return divide_in_turns(input, *graph, [&](const FxGraph& left, const std::vector<bool>& supported) {
        return global ? propose_global(left, supported, least, input.cancel)
                      : Result<FxProposal>(propose_adjacent(left, supported, least));
    });
}

}  // namespace partita
