#include "app/gui/canvas/alike_blocks.h"

#include <set>
#include <unordered_map>
#include <unordered_set>

#include "app/gui/canvas/block_lists.h"

namespace partita {

namespace {

class AlikeFinder {
public:
    AlikeFinder(const GraphModel& full, const GroupTree& tree, const std::vector<uint32_t>& nodes)
        : kinds_(block_kinds(full)), lists_(compared_runs(kinds_.graph, tree)), wanted_(nodes.begin(), nodes.end()) {}

    AlikeNodes find() {
        // Inner runs first: they have the larger numbers.
        for (size_t i = lists_.size(); i-- > 0;) extend(lists_[i]);
        AlikeNodes result;
        result.nodes.assign(wanted_.begin(), wanted_.end());
        result.nodes.insert(result.nodes.end(), found_.begin(), found_.end());
        std::sort(result.nodes.begin(), result.nodes.end());
        result.nodes.erase(std::unique(result.nodes.begin(), result.nodes.end()), result.nodes.end());
        if (blocks_ == 0) result.nodes.clear();
        result.blocks = blocks_;
        result.without = without_;
        result.partly = partly_;
        return result;
    }

private:
    /// Adds what is like the wanted nodes in the other blocks of a run, unless an inner run added something to them.
    void extend(const RunBlocks& run) {
        std::vector<std::vector<int32_t>> places(run.nodes.size());
        std::unordered_set<int32_t> wanted_places;
        const BlockMatcher matcher(kinds_.graph, run.nodes[run.usual]);
        size_t wanted = 0, alone = 0;
        for (size_t i = 0; i < run.nodes.size(); ++i) {
            for (size_t k = 0; k < run.nodes[i].size(); ++k) {
                const uint32_t node = run.nodes[i][k];
                if (!wanted_.count(node) || grown_.count(node)) continue;
                ++wanted;
                if (places[i].empty()) places[i] = matcher.places_of(run.nodes[i]);
                if (places[i][k] >= 0) wanted_places.insert(places[i][k]);
                else ++alone;
            }
        }
        if (wanted == 0) return;
        std::vector<uint32_t> added;
        for (size_t i = 0; i < run.nodes.size(); ++i)
            count(matcher, run.nodes[i], places[i], wanted_places, alone > 0, added);
        found_.insert(added.begin(), added.end());
        if (added.size() + alone <= wanted) return;
        for (const BlockNodes& block : run.nodes)
            for (uint32_t node : block)
                if (wanted_.count(node)) grown_.insert(node);
    }

    /// Adds the nodes of one block at the wanted places; `alone`: some of what is wanted has no place in the usual one.
    void count(const BlockMatcher& matcher, const BlockNodes& nodes, std::vector<int32_t>& places,
               const std::unordered_set<int32_t>& wanted_places, bool alone, std::vector<uint32_t>& added) {
        if (places.empty() && !wanted_places.empty()) places = matcher.places_of(nodes);
        size_t here = 0, own = 0;
        for (size_t k = 0; k < places.size(); ++k) {
            if (wanted_places.count(places[k])) added.push_back(nodes[k]), ++here;
            else if (wanted_.count(nodes[k])) ++own;
        }
        if (here + own == 0) ++without_;
        else ++blocks_;
        if (here + own > 0 && (here < wanted_places.size() || (alone && own == 0))) ++partly_;
    }

    const BlockKinds kinds_;
    const std::vector<RunBlocks> lists_;
    const std::set<uint32_t> wanted_;
    std::set<uint32_t> found_;
    std::unordered_set<uint32_t> grown_;  ///< of those that were given: likes were found already
    uint32_t blocks_ = 0, without_ = 0, partly_ = 0;
};

}  // namespace

AlikeNodes alike_in_blocks(const GraphModel& full, const GroupTree& tree, const std::vector<uint32_t>& nodes) {
    if (tree.group_of.size() != full.nodes.size()) return {};
    return AlikeFinder(full, tree, nodes).find();
}

}  // namespace partita
