#include "engine/flow/alike_steps.h"

#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/support/hash.h"

namespace partita {

namespace {

constexpr size_t kFewestSteps = 3;

/// Returns what is equal for decisions that are alike in two blocks; 0 for one about no block.
uint64_t likeness_of_step(const Decision& decision, const ModuleBlocks& blocks) {
    const BlockPlace subject = blocks.place(decision.subject), other = blocks.place(decision.other);
    if (decision.kind == DecisionKind::Rewritten || subject.run < 0) return 0;
    uint64_t hash = subject.like;
    const auto mix = [&hash](uint64_t value) { hash = hash_combine(hash, value); };
    const auto mix_text = [&mix](std::string_view text) { mix(std::hash<std::string_view>()(text)); };
    mix(uint64_t(decision.pass) << 8 | uint64_t(decision.kind));
    mix(uint64_t(int64_t(decision.backend)));
    mix_text(decision.rule);
    mix(other.like);
    // The producer may lie in the block before.
    if (other.run == subject.run) mix(uint64_t(int64_t(subject.block) - int64_t(other.block)));
    mix_text(decision.detail.form);
    if (decision.kind == DecisionKind::RuleFailed) mix_text(decision.detail.text());
    return hash | 1;
}

}  // namespace

AlikeSteps alike_steps(const FlowResult& flow, const ModuleBlocks& blocks) {
    AlikeSteps steps;
    const std::vector<Decision>& decisions = flow.log.decisions();
    if (blocks.empty() || decisions.empty()) return steps;
    std::unordered_map<uint64_t, uint32_t> classes;
    std::vector<AlikeSteps::Group> all;
    std::vector<uint32_t> last_block;
    for (uint32_t i = 0; i < decisions.size(); ++i) {
        const uint64_t like = likeness_of_step(decisions[i], blocks);
        if (!like) continue;
        const BlockPlace place = blocks.place(decisions[i].subject);
        const auto [entry, added] = classes.try_emplace(like, uint32_t(all.size()));
        if (added) {
            all.push_back({{}, 0, blocks.blocks(place.run)});
            last_block.push_back(UINT32_MAX);
        }
        AlikeSteps::Group& group = all[entry->second];
        group.decisions.push_back(i);
        if (std::exchange(last_block[entry->second], place.block) != place.block) ++group.blocks;
    }
    steps.group_of.assign(decisions.size(), -1);
    for (AlikeSteps::Group& group : all) {
        if (group.decisions.size() < kFewestSteps || group.blocks < kFewestSteps) continue;
        for (uint32_t decision : group.decisions) steps.group_of[decision] = int32_t(steps.groups.size());
        steps.groups.push_back(std::move(group));
    }
    if (steps.empty()) steps.group_of.clear();
    return steps;
}

}  // namespace partita
