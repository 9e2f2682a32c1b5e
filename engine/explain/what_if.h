// What would become of a division if its rules were otherwise: for each cause that keeps calls on default, each limit
// that was met and each kind of call that another backend could have, the change of the descriptions that would do it;
// and the few changes that do the most together.
//
// Each figure is the flow's own, of the changed descriptions: nothing is estimated. Each row costs a flow without its
// log; 5 ms for BERT-base's 846 calls.
#pragma once

#include <string_view>

#include "engine/explain/coverage.h"

namespace partita {

/// A flow in figures.
struct FlowFigures {
    int regions = 0;
    double boundary_bytes = 0;
    int calls = 0;     ///< of operators that a backend has
    double flops = 0;  ///< of these

    bool operator==(const FlowFigures&) const = default;
};
FlowFigures figures_of(const FlowResult& flow);

struct WhatIf {
    CoverageCause cause;  ///< what would be otherwise, and the calls that it is about
    std::vector<RuleChange> changes;
    FlowFigures before, after;

    int regions_gone() const { return before.regions - after.regions; }
    double bytes_gone() const { return before.boundary_bytes - after.boundary_bytes; }
    int calls_gained() const { return after.calls - before.calls; }
    double flops_gained() const { return after.flops - before.flops; }
};

/// What makes one change better than another. What is equal by it goes by the others.
enum class WhatIfGoal : uint8_t { Regions, Boundary, Calls, Work };
/// "regions", "boundary", "calls", "work".
std::span<const std::string_view> goal_names();
bool is_better(const WhatIf& a, const WhatIf& b, WhatIfGoal goal);

/// Of a flow run with `options` and with its log. The most frequent causes come first where there are more than `most`;
/// the list is sorted, the best first.
Result<std::vector<WhatIf>> what_if(const FlowResult& flow, const FlowOptions& options,
                                    WhatIfGoal goal = WhatIfGoal::Regions, size_t most = 60);

/// At most `count` changes: each the best of the flow that those before it lead to, or, where no single one is good for
/// anything, the better half of the best pair. The last one's `after` is the flow of all of them. Costs a what_if for
/// each.
Result<std::vector<WhatIf>> best_changes(const FlowResult& flow, const FlowOptions& options, size_t count,
                                         WhatIfGoal goal = WhatIfGoal::Regions);

/// `whole` is what the module computes in all. `title` stands over the changes.
std::string what_if_text(std::span<const WhatIf> list, std::span<const BackendDescription> backends,
                         const CoverageShare& whole, std::string_view title = "if");
std::string what_if_markdown(std::span<const WhatIf> list, std::span<const BackendDescription> backends,
                             const CoverageShare& whole, std::string_view title = "if");
nlohmann::json what_if_json(std::span<const WhatIf> list, std::span<const BackendDescription> backends);

}  // namespace partita
