// The rules of a backend beside what another program took: the calls on which they differ, by cause.
#pragma once

#include <string>
#include <vector>

#include "engine/explain/explain.h"

namespace partita {

struct ReportedDivision;

/// Calls that rules and the program treat differently for one cause.
struct RuleDifference {
    bool rules_take = false;  ///< and the program did not; else the other way round
    std::string op, rule;
    std::string cause;  ///< what the rule says
    std::string said;   ///< the reason that the program gave for one of them; "": none
    std::vector<ExprId> calls;
};

struct RuleTruth {
    int backend = -1;
    std::string provider;  ///< the report's name of it
    size_t told = 0;       ///< calls of which the report says whether it took them
    size_t equal = 0;
    std::vector<RuleDifference> differences;  ///< those of most calls first
};

/// Compares each backend of a flow that rules divided with the one of the report that has its name, or else with the
/// only one beside what takes the rest. Calls of which the report says nothing count for nothing. Costs an explanation
/// of each call that differs.
std::vector<RuleTruth> compare_with_report(FlowExplainer& explainer, const FlowResult& flow,
                                           std::span<const BackendDescription> backends,
                                           const ReportedDivision& reported);

std::string rule_truth_text(const std::vector<RuleTruth>& truth, const FlowExplainer& explainer,
                            const std::string& program);
nlohmann::json rule_truth_json(const std::vector<RuleTruth>& truth, const FlowExplainer& explainer);

}  // namespace partita
