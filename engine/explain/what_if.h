// The effect of other rules on a division: for each cause that keeps calls on default, each limit that had an effect
// and each kind of call that another backend could take, the change of the descriptions that would do it; and the few
// changes with the largest effect together.
//
// Each figure comes from a flow with the changed descriptions: nothing is estimated. Each row costs a flow without its
// log; 5 ms for BERT-base's 846 calls.
#pragma once

#include <string_view>

#include "engine/explain/coverage.h"

namespace partita {

/// The figures of a flow.
struct FlowFigures {
    int regions = 0;
    double boundary_bytes = 0;
    int calls = 0;     ///< of operators, on a backend
    double flops = 0;  ///< of these

    bool operator==(const FlowFigures&) const = default;
};
FlowFigures figures_of(const FlowResult& flow);

struct WhatIf {
    CoverageCause cause;  ///< what would change, and the affected calls
    std::vector<RuleChange> changes;
    std::vector<std::string> float16;  ///< instead of changes of rules: constants that the file would have in 16 bits
    FlowFigures before, after;

    int regions_gone() const { return before.regions - after.regions; }
    double bytes_gone() const { return before.boundary_bytes - after.boundary_bytes; }
    int calls_gained() const { return after.calls - before.calls; }
    double flops_gained() const { return after.flops - before.flops; }
};

/// What makes one change better than another. The other figures break ties.
enum class WhatIfGoal : uint8_t { Regions, Boundary, Calls, Work };
/// Returns "regions", "boundary", "calls", "work".
std::span<const std::string_view> goal_names();
bool is_better(const WhatIf& a, const WhatIf& b, WhatIfGoal goal);

constexpr size_t kMostWhatIfs = 60;
/// For a flow run with `options` and with its log. If there are more than `most`, keeps the most frequent causes; the
/// list is sorted, the best first. Where backends are asked about a file's operators and nothing is placed by hand, it
/// has what constants of 16 bits would do, too.
Result<std::vector<WhatIf>> what_if(const FlowResult& flow, const FlowOptions& options,
                                    WhatIfGoal goal = WhatIfGoal::Regions, size_t most = kMostWhatIfs);

/// Returns at most `count` changes of rules: each the best for the flow with those before it, or, if no single one
/// gains anything, the better half of the best pair. The last one's `after` is the flow of all of them. Costs a what_if
/// for each.
Result<std::vector<WhatIf>> best_changes(const FlowResult& flow, const FlowOptions& options, size_t count,
                                         WhatIfGoal goal = WhatIfGoal::Regions);

/// `whole` is the total that the module computes. `title` precedes the changes.
std::string what_if_text(std::span<const WhatIf> list, std::span<const BackendDescription> backends,
                         const CoverageShare& whole, std::string_view title = "if");
std::string what_if_markdown(std::span<const WhatIf> list, std::span<const BackendDescription> backends,
                             const CoverageShare& whole, std::string_view title = "if");
nlohmann::json what_if_json(std::span<const WhatIf> list, std::span<const BackendDescription> backends);

}  // namespace partita
