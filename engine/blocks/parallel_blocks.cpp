#include "engine/blocks/parallel_blocks.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

namespace partita {

namespace {

constexpr size_t kFewestBranches = 4, kSmallestBranch = 3;

class BranchFinder {
public:
    BranchFinder(const BlockGraph& graph, const BlockNodes& nodes)
        : graph_(graph), nodes_(nodes), twins_(nodes.size()), root_(nodes.size()) {
        for (uint32_t i = 0; i < nodes.size(); ++i) place_.emplace(nodes[i], i);
        std::iota(root_.begin(), root_.end(), 0u);
    }

    std::vector<std::vector<BlockNodes>> find() {
        count_twins();
        join_branches();
        std::vector<std::vector<BlockNodes>> groups;
        for (std::vector<BlockNodes>& group : alike_branches())
            if (group.size() >= kFewestBranches && keeps_to_itself(group)) groups.push_back(std::move(group));
        return groups;
    }

private:
    int64_t place_of(uint32_t node) const {
        const auto found = place_.find(node);
        return found == place_.end() ? -1 : int64_t(found->second);
    }

    /// For each node, how many are made in the same way.
    void count_twins() {
        made_.resize(nodes_.size());
        std::unordered_map<uint64_t, uint32_t> count;
        for (size_t i = 0; i < nodes_.size(); ++i) {
            made_[i] = made_hash(graph_, nodes_[i], [this](uint32_t from) {
                const int64_t place = place_of(from);
                return place < 0 ? 0 : made_[size_t(place)];
            });
            ++count[made_[i]];
        }
        for (size_t i = 0; i < nodes_.size(); ++i) twins_[i] = count[made_[i]];
    }

    uint32_t root(uint32_t i) {
        while (root_[i] != i) i = root_[i] = root_[root_[i]];
        return i;
    }

    /// Nodes that have as many twins and feed each other lie in one branch.
    void join_branches() {
        for (uint32_t i = 0; i < nodes_.size(); ++i) {
            if (twins_[i] < kFewestBranches) continue;
            for (uint32_t from : graph_.producers(nodes_[i]))
                if (const int64_t place = place_of(from); place >= 0 && twins_[size_t(place)] == twins_[i])
                    root_[root(i)] = root(uint32_t(place));
        }
    }

    /// Branches by what they are made of.
    std::vector<std::vector<BlockNodes>> alike_branches() {
        std::map<uint32_t, BlockNodes> branches;
        std::map<uint32_t, uint64_t> hashes;
        for (uint32_t i = 0; i < nodes_.size(); ++i) {
            if (twins_[i] < kFewestBranches) continue;
            branches[root(i)].push_back(nodes_[i]);
            hashes[root(i)] += mixed(5, made_[i]);
        }
        std::map<uint64_t, std::vector<BlockNodes>> alike;
        for (auto& [key, branch] : branches)
            if (branch.size() >= kSmallestBranch) alike[hashes[key]].push_back(std::move(branch));
        std::vector<std::vector<BlockNodes>> groups;
        for (auto& [hash, group] : alike) groups.push_back(std::move(group));
        std::sort(groups.begin(), groups.end());
        return groups;
    }

    bool keeps_to_itself(const std::vector<BlockNodes>& group) const {
        enum : uint8_t { Outside, Inside, Behind };
        std::vector<uint8_t> where(nodes_.size(), Outside);
        for (const BlockNodes& branch : group)
            for (uint32_t node : branch) where[place_.at(node)] = Inside;
        for (size_t i = 0; i < nodes_.size(); ++i) {
            for (uint32_t from : graph_.producers(nodes_[i])) {
                const int64_t place = place_of(from);
                if (place < 0 || where[size_t(place)] == Outside) continue;
                if (where[i] == Inside && where[size_t(place)] == Behind) return false;
                if (where[i] == Outside) where[i] = Behind;
            }
        }
        return true;
    }

    const BlockGraph& graph_;
    const BlockNodes& nodes_;
    std::unordered_map<uint32_t, uint32_t> place_;
    std::vector<uint64_t> made_;
    std::vector<uint32_t> twins_, root_;
};

}  // namespace

std::vector<std::vector<BlockNodes>> find_parallel_blocks(const BlockGraph& graph, const BlockNodes& nodes) {
    return BranchFinder(graph, nodes).find();
}

}  // namespace partita
