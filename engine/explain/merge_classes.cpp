#include "engine/explain/merge_classes.h"

#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"
#include "engine/passes/region_classes.h"

namespace partita {

MergeClasses MergeClasses::of_result(const FlowResult& flow) {
    const Module& module = *flow.stage("merged");
    CompilerNames names;
    MarkReader reader(module, names);
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module.functions())
        if (!is_opaque_function(module, global.function)) roots.push_back(global.function);
    const std::vector<ExprId> order = post_order(module, roots);
    Result<RegionSet> regions = RegionSet::build(MarkedModule(module, reader), roots, order);
    // The passes refused a module without valid regions, so there are none to explain.
    if (!regions) return MergeClasses(flow, {}, 0);
    return MergeClasses(flow, regions_by_origin(module, *regions, reader, order), regions->size());
}

MergeClasses MergeClasses::of_first_round(const FlowResult& flow, bool with_default) {
    const FirstMergeRound& round = flow.log.first_merge_round();
    std::vector<int32_t> class_of = round.region_of;
    for (int32_t& region : class_of)
        if (region >= 0 && !with_default && round.on_default[size_t(region)]) region = -1;
    return MergeClasses(flow, std::move(class_of), int32_t(round.on_default.size()));
}

MergeClasses::MergeClasses(const FlowResult& flow, std::vector<int32_t> class_of, int32_t classes)
    : class_of_(std::move(class_of)),
      graph_(*flow.input, (class_of_.resize(flow.input->size(), -1), class_of_), size_t(classes)) {}

}  // namespace partita
