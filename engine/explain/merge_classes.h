// The regions of the merge pass before the partition, calls on default included. There may be more of them than
// sub-functions, because those of `default` vanish and a tuple at the end of a region is split
// (engine/passes/normalized_view.h). A merge is refused because of a path between these.
//
// Costs a walk over the marked module and one over the input, which must outlive this.
#pragma once

#include <vector>

#include "engine/explain/region_graph.h"
#include "engine/flow/flow.h"

namespace partita {

class MergeClasses {
public:
    /// Returns the merge pass's result; the flow must have merged.
    static MergeClasses of_result(const FlowResult& flow);
    /// Returns the result of TVM's algorithm alone, as the pass recorded it before it split regions that depend on each
    /// other and merged them again. Without `with_default`, calls on default are separate.
    static MergeClasses of_first_round(const FlowResult& flow, bool with_default);

    /// Returns a class by expression of the flow's input, or -1.
    int32_t class_of(ExprId id) const { return class_of_[id.value]; }
    /// As RegionGraph::path_around, between classes; within one class: out of it and back in.
    std::vector<ExprId> path_around(int32_t producer, int32_t consumer) {
        return graph_.path_around(producer, consumer);
    }
    std::vector<PathHop> hops(std::span<const ExprId> path) const { return graph_.hops(path); }

private:
    MergeClasses(const FlowResult& flow, std::vector<int32_t> class_of, int32_t classes);

    std::vector<int32_t> class_of_;
    RegionGraph graph_;
};

}  // namespace partita
