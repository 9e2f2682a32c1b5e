#include "engine/flow/alike_regions.h"

#include <unordered_map>

#include "engine/ops/registry.h"
#include "engine/support/hash.h"

namespace partita {

namespace {

uint64_t likeness_of_region(const Module& module, const RegionInfo& region) {
    uint64_t hash = uint64_t(region.backend) + 2;
    for (const ExprId id : region.expressions) {
        if (module.kind(id) != ExprKind::Call) continue;
        const OpId op = module.called_op(id);
        hash = hash_combine(hash, op.valid() ? op.value : ~uint64_t(module.callee(id).value));
        hash = hash_combine(hash, module.attributes_id(id).value);
    }
    return hash;
}

std::string operators_of(const Module& module, const RegionInfo& region) {
    constexpr int kMostNames = 3;
    std::string text;
    int calls = 0;
    for (const ExprId id : region.expressions) {
        if (module.kind(id) != ExprKind::Call || ++calls > kMostNames) continue;
        const OpRecord* op = called_op_record(module, id);
        text += (text.empty() ? "" : ", ") + (op ? op->name : "call");
    }
    return calls > kMostNames ? text + " +" + std::to_string(calls - kMostNames) : text;
}

}  // namespace

std::vector<uint64_t> region_likeness(const FlowResult& flow) {
    std::vector<uint64_t> likeness;
    for (const RegionInfo& region : flow.regions) likeness.push_back(likeness_of_region(*flow.input, region));
    return likeness;
}

std::vector<AlikeRegions> alike_regions(const FlowResult& flow) {
    const std::vector<uint64_t> likeness = region_likeness(flow);
    std::unordered_map<uint64_t, size_t> class_of;
    std::vector<AlikeRegions> classes;
    for (uint32_t i = 0; i < flow.regions.size(); ++i) {
        const auto [entry, first] = class_of.try_emplace(likeness[i], classes.size());
        if (first) classes.push_back({{}, operators_of(*flow.input, flow.regions[i])});
        classes[entry->second].regions.push_back(i);
    }
    return classes;
}

}  // namespace partita
