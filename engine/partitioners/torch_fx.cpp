// What PyTorch's CapabilityBasedPartitioner divides (torch/fx/passes/infra/partitioner.py), in five texts: 1.13;
// pytorch/pytorch 0bbdfae0 (2.0, #86511); 005a1272 (2.3, #115943); 1bcd41f8 (2.6, #136598); 39bbd769 (#175242, the
// newest; with skip_horizontal_fusion #184904). Each is played as it is, cyclic results and errors included: 1.13 and
// the newest without horizontal fusion test dependences between nodes where they should between partitions.
//
// Merging texts cost as much as the originals' in the worst case, a walk over the graph for each pair of partitions.
#include "engine/partitioners/torch_fx.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace partita {

namespace {

constexpr int32_t kNone = -1;

/// A set of numbers of partitions.
class Numbers {
public:
    void insert(int32_t id) {
        words_.resize(std::max(words_.size(), size_t(id) / 64 + 1));
        words_[size_t(id) / 64] |= bit(id);
    }
    void insert(const Numbers& other) {
        words_.resize(std::max(words_.size(), other.words_.size()));
        for (size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
    }
    void erase(int32_t id) {
        if (contains(id)) words_[size_t(id) / 64] &= ~bit(id);
    }
    bool contains(int32_t id) const { return size_t(id) / 64 < words_.size() && words_[size_t(id) / 64] & bit(id); }
    void clear() { words_ = {}; }

private:
    static uint64_t bit(int32_t id) { return uint64_t(1) << (id % 64); }
    std::vector<uint64_t> words_;
};

/// Partitions by number, as the originals keep them: a dictionary of them in the order of making, and which node is in
/// which.
class Partitions {
public:
    explicit Partitions(uint32_t nodes) : of_(nodes, kNone) {}

    int32_t of(uint32_t node) const { return of_[node]; }
    std::vector<uint32_t>& nodes(int32_t id) { return nodes_[size_t(id)]; }
    const std::vector<int32_t>& ids() const { return ids_; }  ///< in the order of the dictionary
    int32_t next_id() const { return int32_t(nodes_.size()); }

    /// Adds a node that is in no partition.
    void add(uint32_t node, int32_t id) {
        if (id >= next_id()) nodes_.resize(size_t(id) + 1), listed_.resize(size_t(id) + 1);
        if (!listed_[size_t(id)]) ids_.push_back(id);
        listed_[size_t(id)] = true;
        nodes_[size_t(id)].push_back(node);
        of_[node] = id;
    }
    void remove(uint32_t node) {
        if (of_[node] != kNone) std::erase(nodes(of_[node]), node);
        of_[node] = kNone;
    }
    void forget(int32_t id) {
        std::erase(ids_, id);
        listed_[size_t(id)] = false;
    }
    void merge(int32_t into, int32_t other) {
        for (uint32_t node : nodes(other)) of_[node] = into;
        nodes(into).insert(nodes(into).end(), nodes(other).begin(), nodes(other).end());
        nodes(other).clear();
        forget(other);
    }

private:
    std::vector<std::vector<uint32_t>> nodes_;
    std::vector<int32_t> ids_, of_;
    std::vector<bool> listed_;  ///< by partition: in ids_
};

/// Returns the results of tuples that go to another partition than their producer's, with that; kNone for none.
std::vector<std::pair<uint32_t, int32_t>> strayed_results(const FxGraph& graph, const Partitions& partitions) {
    std::vector<std::pair<uint32_t, int32_t>> moves;
    std::map<uint32_t, size_t> at;
    for (uint32_t node = 0; node < graph.size(); ++node) {
        const std::vector<uint32_t>& users = graph[node].users;
        if (!std::all_of(users.begin(), users.end(), [&](uint32_t user) { return graph[user].is_getitem(); })) continue;
        for (uint32_t user : users) {
            if (partitions.of(user) == partitions.of(node)) continue;
            const auto [found, is_new] = at.try_emplace(user, moves.size());
            if (is_new) moves.emplace_back(user, partitions.of(node));
            else moves[found->second].second = partitions.of(node);
        }
    }
    return moves;
}

/// Moves results of tuples to their producers. `forgets` partitions that become empty; they come back behind all
/// others.
void move_results(const FxGraph& graph, Partitions& partitions, bool forgets) {
    for (const auto& [node, id] : strayed_results(graph, partitions)) {
        const int32_t before = partitions.of(node);
        partitions.remove(node);
        if (forgets && before != kNone && partitions.nodes(before).empty()) partitions.forget(before);
        if (id != kNone) partitions.add(node, id);
    }
}

/// 1.13: from the last node on, each joins the partitions of its users. Of two users' partitions of which one depends
/// on the other, the later is struck.
class JoinUsers {
public:
    JoinUsers(const FxGraph& graph, const std::vector<bool>& supported, const CancelToken& cancel)
        : graph_(graph), supported_(supported), cancel_(cancel), partitions_(graph.size()) {}

    Result<Partitions> propose() {
        for (uint32_t node = graph_.size(); node-- > 0;) {
            if (cancel_.cancelled()) return error("cancelled");
            if (supported_[node]) place(node);
        }
        move_results(graph_, partitions_, true);
        std::erase_if(borders_, [this](const FxBorder& border) {
            return partitions_.of(border.node) == partitions_.of(border.by);
        });
        return std::move(partitions_);
    }
    std::vector<FxBorder>& borders() { return borders_; }

private:
    /// A candidate: a partition, or a node of none.
    struct Candidate {
        int32_t id;
        std::vector<uint32_t> nodes;
        bool struck = false;
        uint32_t user = 0;       ///< in it, of the node that is placed
        uint32_t struck_by = 0;  ///< such a user in the other one
    };

    void place(uint32_t node) {
        std::vector<Candidate> candidates;
        for (uint32_t user : graph_[node].users) {
            const int32_t id = partitions_.of(user);
            const bool known = id != kNone && std::any_of(candidates.begin(), candidates.end(),
                                                          [&](const Candidate& other) { return other.id == id; });
            if (!known)
                candidates.push_back({id, id == kNone ? std::vector{user} : partitions_.nodes(id), false, user});
        }
        strike(candidates);
        for (const Candidate& candidate : candidates)
            if (candidate.struck && candidate.id != kNone)
                borders_.push_back({node, candidate.user, candidate.struck_by, FxBorder::Kind::Struck});
        std::vector<int32_t> ids;
        for (const Candidate& candidate : candidates)
            if (!candidate.struck && candidate.id != kNone) ids.push_back(candidate.id);
        partitions_.add(node, ids.empty() ? next_++ : ids.front());
        for (size_t i = 1; i < ids.size(); ++i) partitions_.merge(ids.front(), ids[i]);
    }

    void strike(std::vector<Candidate>& candidates) const {
        for (size_t i = 0; i < candidates.size(); ++i)
            for (size_t j = i + 1; j < candidates.size() && !cancel_.cancelled(); ++j) {
                const int first = which_is_first(candidates[i], candidates[j]);
                if (!first) continue;
                Candidate &later = candidates[first > 0 ? j : i], &earlier = candidates[first > 0 ? i : j];
                later.struck = true;
                later.struck_by = earlier.user;
            }
    }

    /// Returns 1 if the first pair of nodes that depend on each other says that `b` depends on `a`, -1 for the other
    /// way round, 0 if no pair does.
    int which_is_first(const Candidate& a, const Candidate& b) const {
        std::vector<bool> in_b(graph_.size());
        for (uint32_t node : b.nodes) in_b[node] = true;
        for (uint32_t node : a.nodes) {
            std::optional<uint32_t> behind, before;
            const auto hits = [&](std::optional<uint32_t>& hit) {
                return [&](uint32_t other) {
                    if (in_b[other]) hit = hit ? std::min(*hit, rank(b, other)) : rank(b, other);
                    return false;
                };
            };
            (void)graph_.reaches({node}, false, hits(behind));
            (void)graph_.is_reached({node}, false, hits(before));
            if (behind || before) return behind && (!before || *behind < *before) ? 1 : -1;
        }
        return 0;
    }
    static uint32_t rank(const Candidate& candidate, uint32_t node) {
        return uint32_t(std::find(candidate.nodes.begin(), candidate.nodes.end(), node) - candidate.nodes.begin());
    }

    const FxGraph& graph_;
    const std::vector<bool>& supported_;
    const CancelToken& cancel_;
    Partitions partitions_;
    std::vector<FxBorder> borders_;
    int32_t next_ = 0;
};

/// 2.0, 2.3, 2.6, and the newest without horizontal fusion: from the last node on, each gets a partition, which is
/// merged with its candidates unless a path leaves the two and returns.
class MergeUnlessCyclic {
public:
    MergeUnlessCyclic(const FxGraph& graph, const std::vector<bool>& supported, TorchVersion version,
                      const CancelToken& cancel)
        : graph_(graph), supported_(supported), version_(version), cancel_(cancel), partitions_(graph.size()) {}

    Result<Partitions> propose() {
        constexpr auto kMost = 30000;  // each may reach each
        if (std::count(supported_.begin(), supported_.end(), true) > kMost)
            return error("this text of PyTorch's is played for at most " + std::to_string(kMost) +
                         " taken nodes; its cost grows with their square");
        for (uint32_t node = graph_.size(); node-- > 0;) {
            if (cancel_.cancelled()) return error("cancelled");
            place(node);
        }
        if (version_ >= TorchVersion::V2_6)
            for (int32_t id : partitions_.ids()) std::sort(partitions_.nodes(id).begin(), partitions_.nodes(id).end());
        if (version_ != TorchVersion::Main) {
            move_results(graph_, partitions_, false);
            return std::move(partitions_);
        }
        for (uint32_t round = 0; round <= graph_.size() && !strayed_results(graph_, partitions_).empty(); ++round)
            move_results(graph_, partitions_, false);
        return std::move(partitions_);
    }

private:
    void place(uint32_t node) {
        std::vector<int32_t> candidates;
        if (supported_[node]) {
            const int32_t id = partitions_.next_id();
            partitions_.add(node, id);
            assigned_.push_back(node);
            first_.push_back(id);
            reached_.emplace_back();
            note_reached(node, id);
            candidates.push_back(id);
        }
        if (supported_[node] || version_ != TorchVersion::Main) add_candidates(node, candidates);
        if (candidates.empty()) return;
        int32_t self = candidates.front();
        for (size_t i = 1; i < candidates.size(); ++i) self = merged(self, candidates[i]);
    }

    void add_candidates(uint32_t node, std::vector<int32_t>& candidates) const {
        std::vector<bool> known(size_t(partitions_.next_id()));
        for (int32_t id : candidates) known[size_t(id)] = true;
        const auto add = [&](int32_t id) {
            if (id == kNone || known[size_t(id)]) return;
            known[size_t(id)] = true;
            candidates.push_back(id);
        };
        if (version_ == TorchVersion::V2_0 || version_ == TorchVersion::Main) {
            for (uint32_t user : graph_[node].users) add(partitions_.of(user));
        } else if (version_ == TorchVersion::V2_3) {
            const size_t all = partitions_.ids().size();
            for (size_t i = 0; i < assigned_.size() && candidates.size() < all; ++i) add(partitions_.of(assigned_[i]));
        } else {
            std::vector<int32_t> ids = partitions_.ids();
            std::sort(ids.begin(), ids.end(),
                      [&](int32_t a, int32_t b) { return first_[size_t(a)] < first_[size_t(b)]; });
            for (int32_t id : ids) add(id);
        }
    }

    /// Notes the partitions behind a new one. The texts differ in what they follow.
    void note_reached(uint32_t node, int32_t id) {
        Numbers& reached = reached_.back();
        const auto add = [&](uint32_t behind, bool all) {
            const int32_t target = partitions_.of(behind);
            if (target == kNone || target == id) return false;
            reached.insert(target);
            if (all) reached.insert(reached_[size_t(target)]);
            return false;
        };
        if (version_ == TorchVersion::V2_6)
            for (uint32_t user : graph_[node].users) add(user, true);
        if (version_ == TorchVersion::V2_3)
            (void)graph_.reaches({node}, false, [&](uint32_t n) { return add(n, false); });
        if (version_ == TorchVersion::Main)
            (void)graph_.reaches({node}, false, [&](uint32_t n) { return add(n, true); });
        if (version_ == TorchVersion::Main) reached.erase(id);
    }

    std::vector<uint32_t> users_of(int32_t a, int32_t b) {
        std::vector<uint32_t> users;
        for (int32_t id : {a, b})
            for (uint32_t node : partitions_.nodes(id))
                for (uint32_t user : graph_[node].users)
                    if (partitions_.of(user) != a && partitions_.of(user) != b) users.push_back(user);
        return users;
    }

    /// Merges two unless that is cyclic; returns the one that goes on.
    int32_t merged(int32_t self, int32_t other) {
        const std::vector<uint32_t> users = users_of(self, other);
        if (version_ == TorchVersion::V2_0 ? returns_through_partitions(users, self, other)
                                           : returns(users, self, other))
            return self;
        int32_t into = self, gone = other;
        const bool may_swap = version_ >= TorchVersion::V2_6;
        if (may_swap && partitions_.nodes(self).size() < partitions_.nodes(other).size()) std::swap(into, gone);
        partitions_.merge(into, gone);
        first_[size_t(into)] = std::min(first_[size_t(into)], first_[size_t(gone)]);
        Numbers& reached = reached_[size_t(into)];
        reached.insert(reached_[size_t(gone)]);
        reached_[size_t(gone)].clear();
        if (version_ == TorchVersion::Main) {
            (void)graph_.reaches(users, true, [&](uint32_t node) {
                const int32_t target = partitions_.of(node);
                if (target == kNone) return false;
                reached.insert(target);
                if (target != into) reached.insert(reached_[size_t(target)]);
                return false;
            });
            reached.erase(into);
            reached.erase(gone);
        }
        return into;
    }

    /// Whether a path leads back, through nodes and what is known to be reached from their partitions. What 2.3 and
    /// 2.6 leave out are the users themselves.
    bool returns(const std::vector<uint32_t>& users, int32_t self, int32_t other) const {
        return graph_.reaches(users, version_ == TorchVersion::Main, [&](uint32_t node) {
            const int32_t id = partitions_.of(node);
            if (id == kNone) return false;
            return id == self || id == other || reached_[size_t(id)].contains(self) ||
                   reached_[size_t(id)].contains(other);
        });
    }

    /// The same where other partitions are walked as one node each.
    bool returns_through_partitions(std::vector<uint32_t> queue, int32_t self, int32_t other) {
        std::vector<bool> met(graph_.size()), entered(size_t(partitions_.next_id()));
        for (size_t i = 0; i < queue.size(); ++i) {
            const uint32_t node = queue[i];
            if (met[node]) continue;
            met[node] = true;
            const int32_t id = partitions_.of(node);
            if (id == self || id == other) return true;
            if (id == kNone) {
                queue.insert(queue.end(), graph_[node].users.begin(), graph_[node].users.end());
            } else if (!entered[size_t(id)]) {
                entered[size_t(id)] = true;
                for (uint32_t inner : partitions_.nodes(id))
                    queue.insert(queue.end(), graph_[inner].users.begin(), graph_[inner].users.end());
            }
        }
        return false;
    }

    const FxGraph& graph_;
    const std::vector<bool>& supported_;
    const TorchVersion version_;
    const CancelToken& cancel_;
    Partitions partitions_;
    std::vector<uint32_t> assigned_;  ///< nodes in the order in which they got a partition
    std::vector<int32_t> first_;      ///< by partition: the smallest number among those merged into it
    std::vector<Numbers> reached_;    ///< by partition: numbers, also of partitions that are gone
};

/// The newest: no merging. A partition is grown from the last node that is free, past nodes that are not taken, whose
/// inputs it then must not have.
class GrowUpwards {
public:
    GrowUpwards(const FxGraph& graph, const std::vector<bool>& supported, const CancelToken& cancel)
        : graph_(graph), supported_(supported), cancel_(cancel), partitions_(graph.size()),
          has_order_(graph.size(), true), before_(graph.size()), barred_(graph.size()), barred_by_(graph.size()) {}

    Result<FxProposal> propose() {
        FxProposal proposal;
        if (!may_be_cyclic()) {
            proposal.partitions.emplace_back();
            for (uint32_t node = graph_.size(); node-- > 0;)
                if (supported_[node]) proposal.partitions.back().nodes.push_back(node);
            return proposal;
        }
        measure_depths();
        for (uint32_t node = graph_.size(); node-- > 0;) {
            if (!supported_[node] || partitions_.of(node) != kNone) continue;
            if (cancel_.cancelled()) return error("cancelled");
            grow(node);
        }
        move_all_results();
        for (int32_t id : partitions_.ids()) {
            std::vector<uint32_t>& nodes = partitions_.nodes(id);
            proposal.error = sorting_error(nodes);
            if (!proposal.error.empty()) return proposal;
            std::sort(nodes.begin(), nodes.end());
            proposal.partitions.push_back({nodes});
        }
        for (const FxBorder& border : borders_)
            if (partitions_.of(border.node) != partitions_.of(border.by)) proposal.borders.push_back(border);
        return proposal;
    }

private:
    bool may_be_cyclic() const {
        for (uint32_t node = 0; node < graph_.size(); ++node)
            if (!supported_[node] && !graph_[node].inputs.empty() && !graph_[node].users.empty()) return true;
        return false;
    }

    void measure_depths() {
        const auto depth = [](const std::vector<uint32_t>& next, const std::vector<int>& depths) {
            int least = next.empty() ? -1 : depths[next.front()];
            for (uint32_t node : next) least = std::min(least, depths[node]);
            return least + 1;
        };
        from_output_.resize(graph_.size());
        from_input_.resize(graph_.size());
        for (uint32_t node = graph_.size(); node-- > 0;) from_output_[node] = depth(graph_[node].users, from_output_);
        for (uint32_t node = 0; node < graph_.size(); ++node)
            from_input_[node] = depth(graph_[node].inputs, from_input_);
    }

    void grow(uint32_t start) {
        const int32_t id = ++made_;
        int last_from_output = -1, last_from_input = -1;
        std::vector<uint32_t> barred;
        uint32_t end = 0;
        for (uint32_t node = start + 1; node-- > 0;) {
            const std::vector<uint32_t>& users = graph_[node].users;
            if (std::any_of(users.begin(), users.end(),
                            [&](uint32_t user) { return partitions_.of(user) == id || before_[user] == id; }))
                before_[node] = id;
            if (partitions_.of(node) != kNone || barred_[node] == id) {
                if (from_output_[node] > last_from_output + 1 && from_input_[node] < last_from_input - 1) {
                    end = node;
                    break;
                }
            } else if (supported_[node]) {
                partitions_.add(node, id);
                last_from_output = from_output_[node];
                last_from_input = from_input_[node];
            } else if (before_[node] == id) {
                bar_inputs(node, id, barred);
            }
        }
        note_borders_of(id, barred, end);
    }

    /// Those of a partition that was grown; `end`: the node at which the search ended, 0 if it met all.
    void note_borders_of(int32_t id, const std::vector<uint32_t>& barred, uint32_t end) {
        for (uint32_t node : barred)
            for (uint32_t user : graph_[node].users)
                if (partitions_.of(user) == id) borders_.push_back({node, user, barred_by_[node]});
        if (end == 0) return;
        for (uint32_t user : partitions_.nodes(id))
            for (uint32_t node : graph_[user].inputs)
                if (node <= end && supported_[node] && barred_[node] != id)
                    borders_.push_back({node, user, end, FxBorder::Kind::Ended});
    }

    /// What is before a barred node is barred, too.
    void bar_inputs(uint32_t node, int32_t id, std::vector<uint32_t>& barred) {
        std::vector<uint32_t> queue{node};
        while (!queue.empty()) {
            const uint32_t next = queue.back();
            queue.pop_back();
            for (uint32_t before : graph_[next].inputs) {
                if (std::exchange(barred_[before], id) == id) continue;
                barred_by_[before] = node;
                barred.push_back(before);
                queue.push_back(before);
            }
        }
    }

    void move_all_results() {
        for (uint32_t round = 0; round <= graph_.size(); ++round) {
            const auto moves = strayed_results(graph_, partitions_);
            if (moves.empty()) return;
            for (const auto& [node, id] : moves)
                if (id != kNone && partitions_.of(node) == kNone) has_order_[node] = false;
            move_results(graph_, partitions_, true);
        }
    }

    /// A result that was in no partition comes without a number, and Python sorts numbers and None not: returns what it
    /// says of the first two that it compares (count_run and binary insertion of CPython's list.sort, of the reversed
    /// list, since the sort is a descending one).
    std::string sorting_error(const std::vector<uint32_t>& nodes) const {
        std::vector<uint32_t> keys(nodes.rbegin(), nodes.rend());
        std::string message;
        const auto less = [&](size_t a, size_t b) {
            const bool of_a = has_order_[keys[a]], of_b = has_order_[keys[b]];
            if ((!of_a || !of_b) && message.empty())
                message = std::string("TypeError: '<' not supported between instances of '") +
                          (of_a ? "int" : "NoneType") + "' and '" + (of_b ? "int" : "NoneType") + "'";
            return keys[a] > keys[b];  // the original counts from the last node
        };
        if (keys.size() < 2) return {};
        const bool descends = less(1, 0);
        size_t run = 2;
        while (message.empty() && run < keys.size() && less(run, run - 1) == descends) ++run;
        if (descends) std::reverse(keys.begin(), keys.begin() + std::ptrdiff_t(run));
        for (; message.empty() && run < keys.size(); ++run) {
            size_t low = 0, high = run;
            while (message.empty() && low < high) {
                const size_t middle = low + (high - low) / 2;
                if (less(run, middle)) high = middle;
                else low = middle + 1;
            }
            const auto at = keys.begin() + std::ptrdiff_t(run);
            std::rotate(keys.begin() + std::ptrdiff_t(low), at, at + 1);
        }
        return message;
    }

    const FxGraph& graph_;
    const std::vector<bool>& supported_;
    const CancelToken& cancel_;
    Partitions partitions_;
    std::vector<bool> has_order_;  ///< by node: false for results that were in no partition
    std::vector<int> from_output_, from_input_;
    std::vector<int32_t> before_;      ///< by node: the last partition that it is before
    std::vector<int32_t> barred_;      ///< by node: the last partition that must not have it
    std::vector<uint32_t> barred_by_;  ///< by node: what is not taken and needs it
    std::vector<FxBorder> borders_;
    int32_t made_ = 0;
};

Result<FxProposal> all_of(const FxGraph& graph, const std::vector<bool>& supported, const FxOptions& options,
                          const CancelToken& cancel) {
    if (options.version == TorchVersion::Main && options.horizontal)
        return GrowUpwards(graph, supported, cancel).propose();
    Result<Partitions> partitions = Partitions(0);
    FxProposal proposal;
    if (options.version == TorchVersion::V1_13) {
        JoinUsers joined(graph, supported, cancel);
        partitions = joined.propose();
        proposal.borders = std::move(joined.borders());
    } else {
        partitions = MergeUnlessCyclic(graph, supported, options.version, cancel).propose();
    }
    if (!partitions) return partitions.error();
    for (int32_t id : partitions->ids()) {
        proposal.partitions.push_back({std::move(partitions->nodes(id))});
        std::vector<uint32_t>& nodes = proposal.partitions.back().nodes;
        if (options.version < TorchVersion::V2_6) std::sort(nodes.begin(), nodes.end());  // a set there
    }
    if (options.version != TorchVersion::V1_13) find_returning_paths(graph, proposal);
    return proposal;
}

TorchVersion version_of(std::string_view name) {
    if (name == "1.13") return TorchVersion::V1_13;
    if (name == "2.0") return TorchVersion::V2_0;
    if (name == "2.3") return TorchVersion::V2_3;
    return name == "2.6" ? TorchVersion::V2_6 : TorchVersion::Main;
}

}  // namespace

Result<FxProposal> propose_partitions(const FxGraph& graph, const std::vector<bool>& supported,
                                      const FxOptions& options, const CancelToken& cancel) {
    Result<FxProposal> proposal = all_of(graph, supported, options, cancel);
    if (!proposal) return proposal;
    if (!options.single_nodes)
        for (FxPartition& partition : proposal->partitions)
            partition.dropped = computing_nodes(graph, partition.nodes, options) <= 1;
    if (options.version >= TorchVersion::V2_6)
        std::erase_if(proposal->partitions, [](const FxPartition& partition) { return partition.nodes.empty(); });
    return proposal;
}

Result<Division> divide_as_torch_fx(const PartitionerInput& input) {
    FxOptions options;
    options.version = version_of(input.option("torch"));
    options.horizontal = input.option("horizontal") != "no";
    options.single_nodes = input.option("single-nodes") == "yes";
    options.non_compute = listed(input.option("non-compute"));
    options.allowed_single = listed(input.option("allowed-single"));
    if (!options.horizontal && options.version != TorchVersion::Main)
        return error("horizontal fusion can be left out in torch=main only");
    if (options.version == TorchVersion::V1_13 && !(options.non_compute.empty() && options.allowed_single.empty()))
        return error("torch=1.13 has neither non-compute nor allowed-single");
    Result<FxGraph> graph = FxGraph::of(input.graph, input.links);
    if (!graph) return graph.error();
    return divide_in_turns(input, *graph, [&](const FxGraph& left, const std::vector<bool>& supported) {
        return propose_partitions(left, supported, options, input.cancel);
    });
}

}  // namespace partita
