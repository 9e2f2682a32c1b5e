// A description of a backend from its verdicts: for each operator, the shortest rule that was found which says yes to
// the calls that were taken and no to the others.
//
// The terms to choose from are facts of single calls, attributes, types and neighbours, as conditions of the rule
// language; each is evaluated on every call, so what is proposed holds for all of them by the same evaluator that will
// read it. One term is tried first, then pairs, then a disjunction of conjunctions that is grown greedily and thinned
// out. Calls with different verdicts that no term tells apart are refused and named.
#pragma once

#include <string>
#include <vector>

#include "engine/flow/flow.h"
#include "engine/flow/names.h"
#include "engine/flow/reported_division.h"

namespace partita {

struct CallVerdict {
    ExprId call;
    bool taken = false;
};

/// Returns what a report says of each call for a backend; of one that another of higher priority has it says nothing.
std::vector<CallVerdict> verdicts_of(const ReportedDivision& reported, const Module& module,
                                     const std::string& backend);
/// Returns what a division says of each call: whether it is on the backend of that place among `backends`,
/// with the same exception. Where a report decided, what that says.
std::vector<CallVerdict> verdicts_of(const FlowResult& flow, const std::vector<std::string>& backends, size_t backend);

struct ProposedRule {
    std::string op;
    std::string rule;  ///< "true" without a condition; "" if no call is taken: the backend has no rule for it
    size_t taken = 0, refused = 0;
    /// For each term, a call that would have the other verdict without it.
    struct Witness {
        std::string term;
        ExprId call;
    };
    std::vector<Witness> witnesses;
    std::vector<ExprId> inseparable;  ///< taken calls that the rule refuses, as no term tells them from refused ones
};

/// Returns a rule for each operator of the calls, by name. Calls of functions are left out.
std::vector<ProposedRule> rules_from_verdicts(const Module& module, const std::vector<CallVerdict>& verdicts);

/// Returns a description in JSON with the rules; `codegen` as in BackendDescription, "" for none.
std::string description_of(const std::string& backend, const std::vector<ProposedRule>& rules,
                           const std::string& codegen = "");

}  // namespace partita
