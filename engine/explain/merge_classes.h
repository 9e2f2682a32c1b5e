// What the merge pass takes together, calls on default included, before the partition: its regions, which may be more
// than the sub-functions that come of them, for those of `default` vanish and a tuple at the end of a region is taken
// apart (engine/passes/normalized_view.h). A merge is refused because of a path between these.
//
// Costs a walk over the marked module and one over the input, which must outlive this.
#pragma once

#include <vector>

#include "engine/explain/region_graph.h"
#include "engine/flow/flow.h"

namespace partita {

class MergeClasses {
public:
    /// The merge pass's result; the flow was merged.
    static MergeClasses of_result(const FlowResult& flow);
    /// What TVM's way alone gives, before regions that depend on each other are taken apart and merged again, as the
    /// pass recorded it. Without `with_default`, calls on default stand alone.
    static MergeClasses of_first_round(const FlowResult& flow, bool with_default);

    /// By expression of the flow's input: a class, or -1.
    int32_t class_of(ExprId id) const { return class_of_[id.value]; }
    /// As RegionGraph::path_around, between classes; of one class: out of it and back in.
    std::vector<ExprId> path_around(int32_t producer, int32_t consumer) {
        return graph_.path_around(producer, consumer);
    }

private:
    MergeClasses(const FlowResult& flow, std::vector<int32_t> class_of, int32_t classes);

    std::vector<int32_t> class_of_;
    RegionGraph graph_;
};

}  // namespace partita
