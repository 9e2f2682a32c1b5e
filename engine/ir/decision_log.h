// What the passes decided, and why: the record behind "Why", the step player and `partita-cli explain`.
//
// A pass takes a `DecisionLog*` that may be null; it then costs one test for each decision. Expressions in a decision
// are ids of the module that the flow started from (Module::origin), so that they mean the same after every pass.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/module.h"
#include "engine/ir/rule_term.h"
#include "engine/support/sentence.h"

namespace partita {

enum class PassKind : uint8_t { Simplify, FoldConstants, Composite, Place, Annotate, Merge, Partition };

/// The reason code of a decision: for filters and tests. `describe` turns a decision into a sentence.
enum class DecisionKind : uint8_t {
    // Simplify, fold
    Rewritten,  ///< the subject was replaced; detail says by what
    // Composite
    PatternMatched,  ///< the subject is the root of a match; rule = the pattern's name
    PatternRefused,  ///< it matched, but the check was false or a node is used elsewhere; detail says which
    // Place: which backend a call goes to
    Accepted,    ///< rule = "ops.nn.conv2d" or the pattern's name
    RuleFailed,  ///< the backend has a rule for the op that is false; detail = the term that decided, with values
    NoRule,      ///< the backend has no rule for the op
    Overridden,  ///< a person gave the subject to the backend
    Inherited,   ///< a tuple, projection or the like that goes where its operands go
    SizeLimit,  ///< the region was dropped by a limit of the backend's description; rule = which: "min_ops, max_inputs"
    // Merge: region = the region at hand, other_region = its producer
    Merged,            ///< the producer region was merged into the region
    DifferentBackend,  ///< not merged: the producer goes to another backend
    WouldCloseCycle,   ///< not merged: there is a path out of the producer and back into the region
    MergeLimit,        ///< not merged: together they would be outside the backend's limits; detail says how
    // Partition
    SubFunctionMade,  ///< region became the sub-function that detail names
    ConstantBound,    ///< a constant input was put into the sub-function
};

struct Decision {
    PassKind pass;
    DecisionKind kind;
    ExprId subject;       ///< the expression decided on; may be invalid for decisions on regions
    ExprId other;         ///< the second expression where there are two
    int32_t region = -1;  ///< ids are unique within one pass
    int32_t other_region = -1;
    int32_t backend = -1;  ///< index into the flow's list of backends; -1 = default
    int32_t terms = -1;    ///< of a pattern's check that was asked: for DecisionLog::terms
    std::string rule;      ///< which rule or pattern
    Sentence detail;       ///< what only this decision has
    /// WouldCloseCycle: the expressions on the path. PatternRefused by its check: the calls of the match.
    std::vector<ExprId> path;
};

/// The regions of the merge pass before those that depended on themselves were taken apart and merged again.
struct FirstMergeRound {
    std::vector<int32_t> region_of;  ///< by expression of the module that the flow started from; -1: none
    std::vector<bool> on_default;    ///< by region
};

class DecisionLog {
public:
    void add(Decision decision) { decisions_.push_back(std::move(decision)); }
    /// Returns what Decision::terms is to be.
    int32_t add_terms(std::vector<RuleTerm> terms) {
        terms_.push_back(std::make_shared<const std::vector<RuleTerm>>(std::move(terms)));
        return int32_t(terms_.size() - 1);
    }
    std::span<const RuleTerm> terms(const Decision& decision) const {
        return decision.terms < 0 ? std::span<const RuleTerm>() : *terms_[size_t(decision.terms)];
    }
    /// Both lists are empty where nothing was taken apart.
    const FirstMergeRound& first_merge_round() const { return first_merge_round_; }
    void set_first_merge_round(FirstMergeRound round) { first_merge_round_ = std::move(round); }
    /// Makes room, where a pass is about to add many.
    void expect(size_t more) {
        const size_t wanted = decisions_.size() + more;
        if (wanted > decisions_.capacity()) decisions_.reserve(std::max(wanted, 2 * decisions_.capacity()));
    }
    const std::vector<Decision>& decisions() const { return decisions_; }
    void clear() { *this = DecisionLog(); }

private:
    std::vector<Decision> decisions_;
    std::vector<std::shared_ptr<const std::vector<RuleTerm>>> terms_;  ///< shared by copies of the log
    FirstMergeRound first_merge_round_;
};

}  // namespace partita
