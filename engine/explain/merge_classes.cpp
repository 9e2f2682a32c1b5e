#include "engine/explain/merge_classes.h"

#include <optional>

#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"
#include "engine/passes/region_merger.h"
#include "engine/passes/region_set.h"

namespace partita {

namespace {

/// The regions of a marked module of the flow, by the expressions of the input that the module's come from.
class ClassFinder {
public:
    ClassFinder(const FlowResult& flow, const Module& marked) : flow_(flow), module_(marked), reader_(marked, names_) {
        std::vector<ExprId> roots;
        for (const GlobalFunction& global : module_.functions())
            if (!is_opaque_function(module_, global.function)) roots.push_back(global.function);
        order_ = post_order(module_, roots);
        Result<RegionSet> regions = RegionSet::build(MarkedModule(module_, reader_), roots, order_);
        // The passes refused what has no regions: there are none to ask about then.
        if (regions) regions_.emplace(std::move(*regions));
    }

    void merge(std::span<const RegionLimit> limits) {
        if (!regions_) return;
        RegionMerger merger(module_, *regions_, reader_, nullptr);
        RegionLimiter limiter(module_, *regions_, reader_, names_, order_, limits);
        if (limiter.active()) merger.set_limits(&limiter);
        merger.run(order_);
    }

    int32_t count() const { return regions_ ? regions_->size() : 0; }

    std::vector<int32_t> find(bool with_default) {
        class_of_.assign(flow_.input->size(), -1);
        if (!regions_) return std::move(class_of_);
        for (ExprId id : order_) {
            const int32_t region = reader_.mark(id) == Mark::None ? regions_->region_of(id) : RegionSet::kNone;
            if (region == RegionSet::kNone) continue;
            if (!with_default && regions_->compiler(region) == CompilerNames::kDefault) continue;
            note(id, region);
            if (module_.kind(id) != ExprKind::Call || !is_composite(module_, module_.callee(id))) continue;
            for (ExprId inner : post_order(module_, module_.body(module_.callee(id)))) note(inner, region);
        }
        return std::move(class_of_);
    }

private:
    void note(ExprId id, int32_t region) {
        if (const ExprId origin = module_.origin(id); origin.valid()) class_of_[origin.value] = region;
    }

    const FlowResult& flow_;
    const Module& module_;
    CompilerNames names_;
    MarkReader reader_;
    std::vector<ExprId> order_;
    std::optional<RegionSet> regions_;
    std::vector<int32_t> class_of_;  ///< by expression of the flow's input
};

}  // namespace

MergeClasses MergeClasses::of_result(const FlowResult& flow) {
    ClassFinder finder(flow, *flow.merged);
    return MergeClasses(flow, finder.find(true), finder.count());
}

MergeClasses MergeClasses::of_first_round(const FlowResult& flow, std::span<const RegionLimit> limits,
                                          bool with_default) {
    ClassFinder finder(flow, flow.annotated ? *flow.annotated : *flow.input);
    finder.merge(limits);
    return MergeClasses(flow, finder.find(with_default), finder.count());
}

}  // namespace partita
