#include "engine/session/diff_blocks.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "engine/support/hash.h"

namespace partita {

namespace {

constexpr uint32_t kFewestBlocks = 3;

/// A difference, and where it is.
struct PlacedDifference {
    BlockPlace place;
    uint64_t like = 0;  ///< equal for those that are alike; 0: in no block
};

uint64_t hash_of_changes(uint64_t hash, const NodeChange& change) {
    for (const Sentence& part : change.what) hash = hash_combine(hash, std::hash<std::string>()(part.text()));
    return hash;
}

class Joiner {
public:
    explicit Joiner(const ModuleDiff& diff) : diff_(diff) {}

    std::vector<AlikeDifferences> join() {
        add(DiffList::Removed, diff_.removed.size(),
            [this](size_t i) { return placed(diff_.blocks_before, diff_.removed[i]); });
        add(DiffList::Added, diff_.added.size(),
            [this](size_t i) { return placed(diff_.blocks_after, diff_.added[i]); });
        add(DiffList::Changed, diff_.changed.size(), [this](size_t i) { return placed(diff_.changed[i]); });
        add(DiffList::Affected, diff_.affected.size(), [this](size_t i) { return placed(diff_.affected[i]); });
        return std::move(result_);
    }

private:
    static PlacedDifference placed(const ModuleBlocks& blocks, ExprId id) {
        const BlockPlace place = blocks.place(id);
        return {place, place.run < 0 ? 0 : place.like | 1};
    }

    PlacedDifference placed(const NodeChange& change) const {
        PlacedDifference found = placed(diff_.blocks_before, change.before);
        if (found.like) found.like = hash_of_changes(found.like, change) | 1;
        return found;
    }

    uint32_t blocks_in_run(DiffList list, int32_t run) const {
        return (list == DiffList::Added ? diff_.blocks_after : diff_.blocks_before).blocks(run);
    }

    template <class Place>
    void add(DiffList list, size_t count, const Place& place_of) {
        std::vector<PlacedDifference> places;
        std::unordered_map<uint64_t, std::pair<uint32_t, uint32_t>> classes;  // blocks with one, and the last of them
        for (size_t i = 0; i < count; ++i) {
            places.push_back(place_of(i));
            if (!places.back().like) continue;
            auto& [blocks, last] = classes.try_emplace(places.back().like, 0, UINT32_MAX).first->second;
            if (std::exchange(last, places.back().place.block) != places.back().place.block) ++blocks;
        }
        std::unordered_map<uint64_t, size_t> joined;  // index into the result
        for (uint32_t i = 0; i < count; ++i) {
            const PlacedDifference& at = places[i];
            AlikeDifferences one{.list = list, .members = {i}, .block_of = {at.place.block}};
            if (at.like) {
                const uint32_t blocks = classes[at.like].first;
                one.of = blocks_in_run(list, at.place.run);
                one.blocks = blocks >= kFewestBlocks ? blocks : 1;
                if (blocks >= kFewestBlocks) {
                    const auto [entry, first] = joined.try_emplace(at.like, result_.size());
                    if (!first) {
                        result_[entry->second].members.push_back(i);
                        result_[entry->second].block_of.push_back(at.place.block);
                        continue;
                    }
                }
            }
            result_.push_back(std::move(one));
        }
    }

    const ModuleDiff& diff_;
    std::vector<AlikeDifferences> result_;
};

}  // namespace

std::vector<AlikeDifferences> alike_differences(const ModuleDiff& diff) { return Joiner(diff).join(); }

Sentence place_of_member(const AlikeDifferences& differences, size_t member) {
    return {SENTENCE("Engine", "in block %1 of %2"),
            {std::to_string(differences.block_of[member] + 1), std::to_string(differences.of)}};
}

Sentence place_among_blocks(const AlikeDifferences& differences) {
    const std::string of = std::to_string(differences.of);
    if (differences.blocks == 0) return {};
    if (differences.blocks == 1) return place_of_member(differences, 0);
    if (differences.blocks == differences.of) return {SENTENCE("Engine", "in each of %1 blocks"), {of}};
    return {SENTENCE("Engine", "in %1 of %2 blocks"), {std::to_string(differences.blocks), of}};
}

}  // namespace partita
