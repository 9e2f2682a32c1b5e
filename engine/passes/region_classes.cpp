#include "engine/passes/region_classes.h"

#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"

namespace partita {

std::vector<int32_t> regions_by_origin(const Module& module, RegionSet& regions, const MarkReader& reader,
                                       std::span<const ExprId> order) {
    std::vector<int32_t> region_of;
    const auto note = [&](ExprId id, int32_t region) {
        const ExprId origin = module.origin(id);
        if (!origin.valid()) return;
        if (origin.value >= region_of.size()) region_of.resize(origin.value + 1, RegionSet::kNone);
        region_of[origin.value] = region;
    };
    for (ExprId id : order) {
        const int32_t region = reader.mark(id) == Mark::None ? regions.region_of(id) : RegionSet::kNone;
        if (region == RegionSet::kNone) continue;
        note(id, region);
        if (module.kind(id) != ExprKind::Call || !is_composite(module, module.callee(id))) continue;
        for (ExprId inner : post_order(module, module.body(module.callee(id)))) note(inner, region);
    }
    return region_of;
}

}  // namespace partita
