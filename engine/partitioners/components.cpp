// Neighbours that go to one backend are one region (union-find, Tarjan 1975); a region that waits for itself through
// others is cut where what comes back enters it, until none does. The way of OpenVINO's HETERO plugin
// (src/plugins/hetero/src/subgraph_collector.cpp), which cuts the edges from nodes that don't depend on what left their
// region to nodes that do.
//
// Where groups wait for each other in a circle, all are behind each of them. So the part of a region that is not behind
// what leaves it is what waits for no other group of the circle: it is found from the nodes that wait for nothing, at a
// cost of its own edges, and taken out. What remains is again such a circle, as a rule; where it fell into several,
// they are found anew.
#include <algorithm>
#include <deque>
#include <queue>
#include <set>
#include <utility>

#include "engine/division/condensed_graph.h"
#include "engine/partitioners/partitioner.h"
#include "engine/support/disjoint_sets.h"

namespace partita {

namespace {

constexpr uint32_t kNoGroup = ~0u;

/// Regions by node, which change while groups are cut. Those that were made before are kept as they are.
struct Regions {
    std::vector<int32_t> of;  ///< -1: none
    int32_t count = 0;
    int32_t first_kept = 0, end_kept = 0;

    bool is_kept(uint32_t node) const { return of[node] >= first_kept && of[node] < end_kept; }
};

/// Regions of neighbours that are alike, in the order of their first nodes. Only nodes of which `is_in` are in one.
template <class IsIn, class Alike>
Regions connected(const NodeLinks& links, IsIn is_in, Alike alike) {
    DisjointSets sets(links.size());
    for (uint32_t node = 0; node < links.size(); ++node)
        for (NodeId user : links.behind(NodeId(node)))
            if (is_in(node) && alike(node, user.value)) {
                const uint32_t a = sets.root(node), b = sets.root(user.value);
                sets.join(std::min(a, b), std::max(a, b));
            }
    Regions regions{std::vector<int32_t>(links.size(), -1)};
    for (uint32_t node = 0; node < links.size(); ++node)
        if (is_in(node)) regions.of[node] = sets.root(node) == node ? regions.count++ : regions.of[sets.root(node)];
    return regions;
}

/// What is known of a node while a circle is cut.
struct NodeState {
    uint32_t group = kNoGroup;   ///< of the circle; kNoGroup: of none, or taken out
    uint32_t waits = 0;          ///< uses of nodes of the circle
    uint32_t search = kNoGroup;  ///< that met it
};

/// A set of groups that wait for each other. Parts are taken out of it in a running order, each of one group.
class Circle {
public:
    /// `nodes`, by NodeId, is as new before and after.
    Circle(const NodeLinks& links, const CondensedGraph& condensed, const std::vector<uint32_t>& set, Regions& regions,
           std::vector<NodeState>& nodes)
        : links_(links), regions_(regions), nodes_(nodes), groups_(set.size()) {
        for (uint32_t i = 0; i < set.size(); ++i)
            for (NodeId node : condensed.nodes(set[i])) {
                groups_[i].nodes.push_back(node.value);
                nodes_[node.value].group = i;
            }
        for (const Group& group : groups_)
            for (uint32_t node : group.nodes) count_waits(node);
    }
    ~Circle() {
        for (const Group& group : groups_)
            for (uint32_t node : group.nodes) nodes_[node] = {};
    }

    /// Cuts until nothing is left, or until what is left may be several circles. Returns whether anything was taken
    /// out: always, unless kept regions wait for each other.
    bool cut() {
        for (bool changed = false;; changed = true) {
            while (!free_.empty()) {
                const uint32_t group = free_.back();
                free_.pop_back();
                take_out_all(group);
            }
            if (candidates_.empty()) return changed;
            const uint32_t group = *candidates_.begin();
            if (!reaches_all(group)) return changed;
            separate(group, take_out_ready(group));
        }
    }

private:
    struct Group {
        std::vector<uint32_t> nodes;  ///< those that left it, too
        size_t first = 0;             ///< those before it left
        std::vector<uint32_t> ready;  ///< nodes that wait for nothing
        size_t outside = 0;           ///< uses of other groups' nodes
    };

    void count_waits(uint32_t node) {
        nodes_[node].waits = 0;
        for (NodeId from : links_.before(NodeId(node))) {
            const uint32_t group = nodes_[from.value].group;
            nodes_[node].waits += group != kNoGroup;
            groups_[nodes_[node].group].outside += group != kNoGroup && group != nodes_[node].group;
        }
        if (nodes_[node].waits == 0) add_ready(node);
    }

    void add_ready(uint32_t node) {
        if (regions_.is_kept(node)) return;
        groups_[nodes_[node].group].ready.push_back(node);
        candidates_.insert(nodes_[node].group);
    }

    void take_out(uint32_t node) {
        const uint32_t group = std::exchange(nodes_[node].group, kNoGroup);
        for (NodeId user : links_.behind(NodeId(node))) {
            const uint32_t of_user = nodes_[user.value].group;
            if (of_user == kNoGroup) continue;
            if (of_user != group && --groups_[of_user].outside == 0) free_.push_back(of_user);
            if (--nodes_[user.value].waits == 0) add_ready(user.value);
        }
    }

    void take_out_all(uint32_t group) {
        for (uint32_t node : groups_[group].nodes)
            if (nodes_[node].group == group) take_out(node);
        groups_[group].ready.clear();
        candidates_.erase(group);
    }

    /// Takes out what waits for nothing, as a region; returns the nodes of the group that remain and use it.
    std::vector<uint32_t> take_out_ready(uint32_t group) {
        std::vector<uint32_t> taken;
        while (!groups_[group].ready.empty()) {
            taken.push_back(groups_[group].ready.back());
            groups_[group].ready.pop_back();
            regions_.of[taken.back()] = regions_.count;
            take_out(taken.back());
        }
        ++regions_.count;
        candidates_.erase(group);
        std::vector<uint32_t> users;
        for (uint32_t node : taken)
            for (NodeId user : links_.behind(NodeId(node)))
                if (nodes_[user.value].group == group) users.push_back(user.value);
        std::sort(users.begin(), users.end());
        users.erase(std::unique(users.begin(), users.end()), users.end());
        return users;
    }

    /// Whether all groups with a node that waits for nothing are behind this one. Each circle into which the rest may
    /// have fallen has one, so then this is in the one before which there is none. Walks over nodes in their order, in
    /// which the others are near as a rule.
    bool reaches_all(uint32_t start) {
        struct Place {
            uint32_t node, group;
            size_t index;  ///< in the group's nodes
            bool operator<(const Place& other) const { return node > other.node; }
        };
        size_t others = candidates_.size() - 1;
        std::priority_queue<Place> places;
        met_.resize(groups_.size());
        ++round_;
        const auto walk_on = [&](uint32_t group, size_t index) {
            const std::vector<uint32_t>& nodes = groups_[group].nodes;
            while (index < nodes.size() && nodes_[nodes[index]].group != group) ++index;
            if (index < nodes.size()) places.push({nodes[index], group, index});
            return index;
        };
        const auto enter = [&](uint32_t group) {
            if (group == kNoGroup || std::exchange(met_[group], round_) == round_) return;
            others -= group != start && candidates_.count(group) != 0;
            groups_[group].first = walk_on(group, groups_[group].first);
        };
        for (enter(start); others > 0 && !places.empty();) {
            const Place place = places.top();
            places.pop();
            for (NodeId user : links_.behind(NodeId(place.node))) enter(nodes_[user.value].group);
            walk_on(place.group, place.index + 1);
        }
        return others == 0;
    }

    /// Makes groups of the parts of a group that hang together no longer, each of which holds one of `starts`. They are
    /// searched in turns, so that all but the largest cost what they hold.
    void separate(uint32_t group, const std::vector<uint32_t>& starts) {
        struct Search {
            std::vector<uint32_t> met, todo;
            size_t next = 0;  ///< in `todo`
        };
        std::vector<Search> searches(starts.size());
        DisjointSets sets(starts.size());
        std::deque<uint32_t> going;
        for (uint32_t i = 0; i < starts.size(); ++i) {
            searches[i] = {{starts[i]}, {starts[i]}, 0};
            nodes_[starts[i]].search = i;
            going.push_back(i);
        }
        size_t parts = starts.size();  // that are still searched
        const auto meet = [&](uint32_t& search, uint32_t node) {
            if (nodes_[node].group != group) return;
            if (nodes_[node].search == kNoGroup) {
                nodes_[node].search = search;
                searches[search].met.push_back(node);
                searches[search].todo.push_back(node);
                return;
            }
            uint32_t other = sets.root(nodes_[node].search);
            if (other == search) return;
            if (searches[other].met.size() > searches[search].met.size()) std::swap(search, other);
            sets.join(search, other);
            const Search from = std::exchange(searches[other], {});
            Search& into = searches[search];
            into.met.insert(into.met.end(), from.met.begin(), from.met.end());
            into.todo.insert(into.todo.end(), from.todo.begin() + long(from.next), from.todo.end());
            --parts;
        };
        while (parts > 1) {
            const uint32_t turn = going.front();
            going.pop_front();
            if (sets.root(turn) != turn) continue;
            if (searches[turn].next == searches[turn].todo.size()) {
                make_group(std::move(searches[turn].met));
                --parts;
                continue;
            }
            uint32_t search = turn;  // another one may take it over
            const NodeId node(searches[turn].todo[searches[turn].next++]);
            for (NodeId user : links_.behind(node)) meet(search, user.value);
            for (NodeId from : links_.before(node)) meet(search, from.value);
            if (search == turn) going.push_back(turn);
        }
        for (const Search& search : searches)
            for (uint32_t node : search.met) nodes_[node].search = kNoGroup;
    }

    /// Makes a group, and a region, of nodes of another group with which they are connected no longer.
    void make_group(std::vector<uint32_t> nodes) {
        std::sort(nodes.begin(), nodes.end());
        const uint32_t former = nodes_[nodes.front()].group, group = uint32_t(groups_.size());
        for (uint32_t node : nodes) {
            nodes_[node] = {group, nodes_[node].waits, kNoGroup};
            regions_.of[node] = regions_.count;
        }
        ++regions_.count;
        size_t outside = 0;
        for (uint32_t node : nodes)
            for (NodeId from : links_.before(NodeId(node)))
                outside += nodes_[from.value].group != kNoGroup && nodes_[from.value].group != group;
        groups_[former].outside -= outside;
        groups_.push_back({std::move(nodes), 0, {}, outside});
    }

    const NodeLinks& links_;
    Regions& regions_;
    std::vector<NodeState>& nodes_;
    std::vector<Group> groups_;
    std::vector<uint32_t> free_;     ///< groups that wait for no other
    std::set<uint32_t> candidates_;  ///< groups with a node that waits for nothing
    std::vector<uint32_t> met_;      ///< by group: the last search that met it
    uint32_t round_ = 0;             ///< number of searches
};

class Components {
public:
    /// `made`: by node a region that is kept, or -1; empty: there is none.
    Components(const PartitionerInput& input, const std::vector<int32_t>& made) : input_(input), made_(made) {
        for (uint32_t i = 0; i < input.graph.nodes.size(); ++i) backend_.push_back(input.verdicts.first(NodeId(i)));
    }

    Result<Division> divide() {
        const auto has_backend = [this](uint32_t node) { return backend_[node] >= 0; };
        Regions regions =
            connected(input_.links, has_backend, [this](uint32_t a, uint32_t b) { return backend_[a] == backend_[b]; });
        regions.first_kept = regions.count;
        for (size_t i = 0; i < made_.size(); ++i) {
            if (made_[i] < 0) continue;
            regions.of[i] = regions.first_kept + made_[i];
            regions.count = std::max(regions.count, regions.of[i] + 1);
        }
        regions.end_kept = regions.count;
        std::vector<NodeState> nodes(backend_.size());
        for (bool changed = true; changed;) {
            const CondensedGraph condensed(input_.links, regions.of, size_t(regions.count));
            changed = false;
            for (const std::vector<uint32_t>& set : condensed.entangled()) {
                if (input_.cancel.cancelled()) return error("cancelled");
                changed |= Circle(input_.links, condensed, set, regions, nodes).cut();
            }
        }
        // What was taken out at once may be several regions.
        return division(connected(input_.links, has_backend,
                                  [&](uint32_t a, uint32_t b) { return regions.of[a] == regions.of[b]; }));
    }

private:
    Division division(const Regions& regions) {
        Division division;
        division.regions.resize(size_t(regions.count));
        for (uint32_t i = 0; i < backend_.size(); ++i) {
            if (regions.of[i] < 0) continue;
            DividedRegion& region = division.regions[size_t(regions.of[i])];
            region.backend = input_.verdicts.backends[size_t(backend_[i])].name;
            region.nodes.push_back(NodeId(i));
        }
        // Neighbours of one backend were in one region.
        note_borders(input_, division, [](NodeId from, NodeId to) {
            return DivisionNote{{},
                                {},
                                SENTENCE("Engine",
                                         "they were in one region, which depended on itself: %1 is behind what "
                                         "leaves it, %2 is not, and the region was cut between these two"),
                                {to, from}};
        });
        return division;
    }

    const PartitionerInput& input_;
    const std::vector<int32_t>& made_;
    std::vector<int> backend_;  ///< by NodeId; -1: none
};

}  // namespace

Result<Division> divide_into_components(const PartitionerInput& input) { return Components(input, {}).divide(); }

Result<Division> divide_rest_into_components(const PartitionerInput& input, const std::vector<int32_t>& made) {
    return Components(input, made).divide();
}

}  // namespace partita
