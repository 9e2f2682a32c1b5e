#include "engine/division/condensed_graph.h"

#include <algorithm>
#include <unordered_map>

namespace partita {

/// Tarjan's algorithm over groups with a stack of its own.
class CondensedGraph::Components {
public:
    explicit Components(const CondensedGraph& graph)
        : graph_(graph), index_(graph.begin_.size() - 1), low_(index_.size()), is_open_(index_.size()) {}

    std::vector<std::vector<uint32_t>> find() {
        for (uint32_t group = 0; group < index_.size(); ++group)
            if (!index_[group] && !graph_.nodes(group).empty()) visit(group);
        std::sort(found_.begin(), found_.end());
        return std::move(found_);
    }

private:
    /// A place in the walk over the edges of a group: of its nodes, one by one.
    struct Frame {
        uint32_t group;
        uint32_t node = 0, edge = 0;
    };

    void enter(uint32_t group) {
        index_[group] = low_[group] = ++last_;
        open_.push_back(group);
        is_open_[group] = true;
        frames_.push_back({group});
    }

    void visit(uint32_t root) {
        enter(root);
        while (!frames_.empty()) {
            Frame& frame = frames_.back();
            const std::span<const NodeId> nodes = graph_.nodes(frame.group);
            if (frame.node == nodes.size()) {
                leave(frame.group);
                continue;
            }
            const std::span<const NodeId> users = graph_.links_.behind(nodes[frame.node]);
            if (frame.edge == users.size()) {
                ++frame.node;
                frame.edge = 0;
                continue;
            }
            const uint32_t to = graph_.group(users[frame.edge++]);
            if (!index_[to]) enter(to);
            else if (is_open_[to]) low_[frame.group] = std::min(low_[frame.group], index_[to]);
        }
    }

    void leave(uint32_t group) {
        frames_.pop_back();
        if (!frames_.empty()) low_[frames_.back().group] = std::min(low_[frames_.back().group], low_[group]);
        if (low_[group] != index_[group]) return;
        std::vector<uint32_t> members;
        uint32_t member;
        do {
            member = open_.back();
            open_.pop_back();
            is_open_[member] = false;
            members.push_back(member);
        } while (member != group);
        if (members.size() < 2) return;
        std::sort(members.begin(), members.end());
        found_.push_back(std::move(members));
    }

    const CondensedGraph& graph_;
    std::vector<uint32_t> index_, low_;  ///< by group; 0: not met
    std::vector<bool> is_open_;
    std::vector<uint32_t> open_;
    std::vector<Frame> frames_;
    uint32_t last_ = 0;
    std::vector<std::vector<uint32_t>> found_;
};

CondensedGraph::CondensedGraph(const NodeLinks& links, std::span<const int32_t> region_of, size_t regions)
    : links_(links), region_of_(region_of), regions_(uint32_t(regions)), begin_(regions + links.size() + 1),
      nodes_(links.size()) {
    for (uint32_t i = 0; i < links.size(); ++i) ++begin_[group(NodeId(i)) + 1];
    for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (uint32_t i = 0; i < links.size(); ++i) nodes_[next[group(NodeId(i))]++] = NodeId(i);
    entangled_ = Components(*this).find();
}

std::vector<NodeId> CondensedGraph::cycle(const std::vector<uint32_t>& entangled) const {
    struct Step {
        NodeId from, to;
    };
    std::unordered_map<uint32_t, Step> reached;  // by group: the edge by which it was reached first
    const uint32_t start = entangled.front();
    std::vector<uint32_t> queue{start};
    for (size_t next = 0; next < queue.size() && !reached.count(start); ++next) {
        for (NodeId from : nodes(queue[next])) {
            for (NodeId to : links_.behind(from)) {
                const uint32_t other = group(to);
                if (other == queue[next] || !std::binary_search(entangled.begin(), entangled.end(), other)) continue;
                if (reached.try_emplace(other, Step{from, to}).second) queue.push_back(other);
            }
        }
    }
    std::vector<NodeId> path;
    uint32_t at = start;
    do {
        const Step& step = reached.at(at);
        if (path.empty() || path.back() != step.to) path.push_back(step.to);
        path.push_back(step.from);
        at = group(step.from);
    } while (at != start);
    std::reverse(path.begin(), path.end());
    return path;
}

}  // namespace partita
