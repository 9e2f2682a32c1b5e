// All that rules, and the checks of patterns, are asked about a call, in order. Asked anew, whether or not it decided.
//
// Building a tracer costs a walk over the module that rules were evaluated on; a call costs its rules.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/explain/explain.h"

namespace partita {

struct RuleTrace {
    int backend = -1;
    std::string rule;  ///< "ops.nn.conv2d", or a pattern's name
    bool accepted = false;
    std::vector<RuleTerm> terms;       ///< of rules in JSON; of a check those that decided
    std::vector<AnnotatorStep> lines;  ///< of rules in Python that were reached, with the names known before each
};

class CallTracer {
public:
    /// All must outlive this; `explainer` is the flow's.
    CallTracer(FlowExplainer& explainer, const FlowResult& flow, std::span<const BackendDescription> backends,
               const CancelToken& cancel = {});

    std::vector<RuleTrace> trace(ExprId call);
    std::string to_text(const RuleTrace& trace) const;
    nlohmann::json to_json(const RuleTrace& trace) const;

private:
    void trace_rules(int backend, ExprId call, std::vector<RuleTrace>& traces);

    FlowExplainer& explainer_;
    const FlowResult& flow_;
    std::span<const BackendDescription> backends_;
    const Module& placed_;                                      ///< that rules were evaluated on: with composites
    std::unordered_map<ExprId, ExprId> placed_as_;              ///< calls of the input
    std::unordered_multimap<ExprId, const Decision*> checked_;  ///< matches of patterns, by their roots
    ModuleFacts facts_;
};

}  // namespace partita
