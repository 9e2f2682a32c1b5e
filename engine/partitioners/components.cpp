// Neighbours that go to one backend are one region (union-find, Tarjan 1975); a region that waits for itself through
// others is cut where what comes back enters it, until none does. The way of OpenVINO's HETERO plugin
// (src/plugins/hetero/src/subgraph_collector.cpp), which cuts the edges from nodes that don't depend on what left their
// region to nodes that do. Each cut costs a walk over the regions that are entangled.
#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/division/condensed_graph.h"
#include "engine/partitioners/partitioner.h"

namespace partita {

namespace {

class Components {
public:
    explicit Components(const PartitionerInput& input)
        : input_(input), backend_(input.graph.nodes.size()), parent_(backend_.size()), region_of_(backend_.size(), -1),
          is_late_(backend_.size()) {
        for (uint32_t i = 0; i < backend_.size(); ++i) backend_[i] = input.verdicts.first(NodeId(i));
    }

    Result<Division> divide() {
        std::vector<uint32_t> all(backend_.size());
        std::iota(all.begin(), all.end(), 0);
        join(all);
        while (cut_one_of_each()) {
            if (input_.cancel.cancelled()) return error("cancelled");
        }
        return division();
    }

private:
    uint32_t root(uint32_t node) {
        while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
        return node;
    }

    bool joined(uint32_t from, uint32_t to) const {
        return backend_[from] >= 0 && backend_[from] == backend_[to] && is_late_[from] == is_late_[to];
    }

    /// Makes regions of the given nodes, which so far are one region or none: neighbours that are alike are joined.
    void join(const std::vector<uint32_t>& nodes) {
        for (uint32_t node : nodes) parent_[node] = node;
        const int32_t former = nodes.empty() ? -1 : region_of_[nodes.front()];
        for (uint32_t node : nodes)
            for (NodeId user : input_.links.behind(NodeId(node)))
                if (region_of_[user.value] == former && joined(node, user.value)) {
                    const uint32_t a = root(node), b = root(user.value);
                    parent_[std::max(a, b)] = std::min(a, b);
                }
        std::vector<int32_t> regions(nodes.size(), -1);
        bool former_is_free = former >= 0;
        for (size_t i = 0; i < nodes.size(); ++i) {
            if (backend_[nodes[i]] < 0 || root(nodes[i]) != nodes[i]) continue;
            regions[i] = std::exchange(former_is_free, false) ? former : regions_++;
        }
        for (size_t i = 0; i < nodes.size(); ++i)
            if (regions[i] >= 0) region_of_[nodes[i]] = regions[i];
        for (uint32_t node : nodes)
            if (backend_[node] >= 0) region_of_[node] = region_of_[root(node)];
    }

    /// Cuts a region of each entangled set; returns whether there was one.
    bool cut_one_of_each() {
        const CondensedGraph condensed(input_.links, region_of_, size_t(regions_));
        const std::vector<std::vector<uint32_t>> entangled = condensed.entangled();
        std::vector<std::vector<uint32_t>> parts;
        for (const std::vector<uint32_t>& set : entangled) {
            for (uint32_t group : set) {
                if (group >= uint32_t(regions_) || !mark_late(condensed, set, group)) continue;
                std::vector<uint32_t> nodes;
                for (NodeId node : condensed.nodes(group)) nodes.push_back(node.value);
                parts.push_back(std::move(nodes));
                break;
            }
        }
        for (const std::vector<uint32_t>& nodes : parts) {
            join(nodes);
            for (uint32_t to : nodes)
                for (NodeId from : input_.links.before(NodeId(to)))
                    if (is_late_[to] && !is_late_[from.value] && backend_[from.value] == backend_[to])
                        cuts_.emplace_back(from, NodeId(to));
        }
        for (const std::vector<uint32_t>& nodes : parts)
            for (uint32_t node : nodes) is_late_[node] = false;
        return !parts.empty();
    }

    /// Marks the nodes of a region that depend on what left it; returns whether that cuts it.
    bool mark_late(const CondensedGraph& condensed, const std::vector<uint32_t>& set, uint32_t group) {
        std::vector<uint32_t> queue;
        std::vector<bool> met(set.size());
        const auto meet = [&](NodeId user) {
            const uint32_t other = condensed.group(user);
            const auto at = std::lower_bound(set.begin(), set.end(), other);
            if (other == group || at == set.end() || *at != other || met[size_t(at - set.begin())]) return;
            met[size_t(at - set.begin())] = true;
            queue.push_back(other);
        };
        for (NodeId node : condensed.nodes(group))
            for (NodeId user : input_.links.behind(node)) meet(user);
        std::vector<NodeId> late;
        const auto enter = [&](NodeId node) {
            if (condensed.group(node) != group || is_late_[node.value]) return;
            is_late_[node.value] = true;
            late.push_back(node);
        };
        for (size_t next = 0; next < queue.size(); ++next)
            for (NodeId node : condensed.nodes(queue[next]))
                for (NodeId user : input_.links.behind(node)) meet(user), enter(user);
        for (size_t next = 0; next < late.size(); ++next)
            for (NodeId user : input_.links.behind(late[next])) enter(user);
        // Of the nodes of the whole set the first in a running order is late in no region: one region can be cut.
        if (!late.empty() && late.size() < condensed.nodes(group).size()) return true;
        for (NodeId node : late) is_late_[node.value] = false;
        return false;
    }

    Division division() {
        Division division;
        std::vector<int32_t> place(size_t(regions_), -1);
        for (uint32_t i = 0; i < backend_.size(); ++i) {
            if (region_of_[i] < 0) continue;
            int32_t& at = place[size_t(region_of_[i])];
            if (at < 0) {
                at = int32_t(division.regions.size());
                division.regions.push_back({input_.verdicts.backends[size_t(backend_[i])].name, {}, {}, {}});
            }
            division.regions[size_t(at)].nodes.push_back(NodeId(i));
        }
        std::sort(cuts_.begin(), cuts_.end());
        note_borders(input_, division, [this](NodeId from, NodeId to) {
            const bool cut = std::binary_search(cuts_.begin(), cuts_.end(), std::pair(from, to));
            return DivisionNote{{},
                                {},
                                cut ? SENTENCE("Engine",
                                               "they were in one region, which depended on itself: %1 is behind what "
                                               "leaves it, %2 is not, and the region was cut between these two")
                                    : "",
                                {to, from}};
        });
        return division;
    }

    const PartitionerInput& input_;
    std::vector<int> backend_;  ///< by NodeId
    std::vector<uint32_t> parent_;
    std::vector<int32_t> region_of_;
    std::vector<bool> is_late_;
    int32_t regions_ = 0;
    std::vector<std::pair<NodeId, NodeId>> cuts_;  ///< uses that were cut
};

}  // namespace

Result<Division> divide_into_components(const PartitionerInput& input) { return Components(input).divide(); }

}  // namespace partita
