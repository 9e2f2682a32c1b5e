#include "engine/explain/alike_calls.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

namespace partita {

std::vector<AlikeCalls> alike_calls(std::span<const ExprId> calls, const ModuleBlocks& blocks) {
    constexpr size_t kFewestBlocks = 3;
    std::unordered_map<uint64_t, size_t> count, joined;
    for (ExprId call : calls)
        if (const BlockPlace place = blocks.place(call); place.run >= 0) ++count[place.like];
    std::vector<AlikeCalls> result;
    for (ExprId call : calls) {
        const BlockPlace place = blocks.place(call);
        const bool several = place.run >= 0 && count[place.like] >= kFewestBlocks;
        if (!several) {
            result.push_back({{call}, 0, 0});
            continue;
        }
        const auto [entry, first] = joined.try_emplace(place.like, result.size());
        if (first) result.push_back({{}, 0, blocks.blocks(place.run)});
        AlikeCalls& alike = result[entry->second];
        alike.calls.push_back(call);
        ++alike.blocks;  // a place is there once in a block
    }
    return result;
}

Sentence spread_over_blocks(std::span<const ExprId> calls, const ModuleBlocks& blocks) {
    if (blocks.empty()) return {};
    // By the number of blocks: how many are in each of them.
    std::map<uint32_t, size_t> in_each;
    size_t rest = calls.size();
    AlikeCalls widest;
    for (const AlikeCalls& alike : alike_calls(calls, blocks)) {
        if (alike.blocks > widest.blocks) widest = {{}, alike.blocks, alike.of};
        if (!alike.in_each()) continue;
        ++in_each[alike.of];
        rest -= alike.calls.size();
    }
    if (in_each.empty() && widest.blocks == 0) return {};
    if (in_each.empty())
        return {SENTENCE("Engine", "in %1 of %2 blocks"), {std::to_string(widest.blocks), std::to_string(widest.of)}};
    const auto most = std::max_element(in_each.begin(), in_each.end(), [](const auto& a, const auto& b) {
        return a.first * a.second < b.first * b.second;
    });
    for (const auto& [of, times] : in_each)
        if (of != most->first) rest += of * times;
    const std::string times = std::to_string(most->second), of = std::to_string(most->first);
    if (rest == 0) return {SENTENCE("Engine", "%1 in each of %2 blocks"), {times, of}};
    return {SENTENCE("Engine", "%1 in each of %2 blocks, %3 more"), {times, of, std::to_string(rest)}};
}

}  // namespace partita
