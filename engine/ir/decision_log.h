// What the passes decided, and why: the record behind "Why", the step player and `partita-cli explain`.
//
// A pass takes a `DecisionLog*` that may be null; it then costs one test for each decision. Decisions name expressions
// by their ids in the module that the flow started from (Module::origin), which mean the same after every pass.
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

/// The reason code of a decision, for filters and tests. `describe` turns a decision into a sentence.
enum class DecisionKind : uint8_t {
    // Simplify, fold
    Rewritten,  ///< the subject was replaced; detail names the replacement
    // Composite
    PatternMatched,  ///< the subject is the root of a match; rule = the pattern's name
    PatternRefused,  ///< it matched, but `refusal` holds; for a false check, detail has its terms
    // Place: which backend a call goes to
    Accepted,    ///< rule = "ops.nn.conv2d" or the pattern's name
    RuleFailed,  ///< the backend has a rule for the op that is false; detail = the term that decided, with values
    NoRule,      ///< the backend has no rule for the op
    Overridden,  ///< a person gave the subject, or `other` inside its composite, to the backend
    ByCost,      ///< a placement by measured cost gave it to the backend
    Inherited,   ///< a tuple, projection or reference that goes where its operands go
    SizeLimit,   ///< a limit of the backend's description dropped the region; rule names it: "min_ops, max_inputs"
    // Merge: region = the current region, other_region = its producer
    Merged,            ///< the producer region was merged into the region
    DifferentBackend,  ///< not merged: the producer goes to another backend
    WouldCloseCycle,   ///< not merged: a path leads out of the producer and back into the region
    MergeLimit,        ///< not merged: together they would exceed the backend's limits; detail says how
    PutApart,  ///< the partitioner put the subject and `other`, which it uses, into two regions; detail says why
    LeftOut,   ///< the partitioner put the subject into no region, though a backend takes it; detail says why
    FromFile,  ///< not merged: one of them calls a function that the file has divided already
    // Partition
    SubFunctionMade,  ///< the region became the sub-function that detail names
    ConstantBound,    ///< a constant input was put into the sub-function
};

/// Why an expression that a pattern could begin at is no composite of it.
enum class PatternRefusal : uint8_t {
    None,
    CheckFalse,     ///< it matches, but the check is false
    UsedElsewhere,  ///< it matches, but another expression uses a part of it
    InOtherMatch,   ///< it matches, but a part of it is in another match of the pattern
    TakenBefore,    ///< it matches, but a composite of a pattern before this one holds a part of it
    PutApart,       ///< it matches, but the partitioner does not put all of it into one region of the backend
    NotWhole,       ///< it matches, but a placement by measured cost does not give all of it to the backend
    MissingUser,    ///< an operator that the pattern expects does not follow
    Mismatch,       ///< an expression does not match
    Unknown,        ///< it matches, and no decision explains
};

/// What leads from one expression of a path to the next.
enum class PathHop : uint8_t {
    Data,    ///< the next one uses it
    Inside,  ///< both are in one region, or in one composite
    Gap,     ///< regions that were split later held both ends
};

struct Decision {
    PassKind pass;
    DecisionKind kind;
    ExprId subject;       ///< the expression decided on; may be invalid for decisions on regions
    ExprId other;         ///< the second expression where there are two
    int32_t region = -1;  ///< ids are unique within one pass
    int32_t other_region = -1;
    int32_t backend = -1;                           ///< index into the flow's list of backends; -1 = default
    int32_t terms = -1;                             ///< of the pattern's check: index for DecisionLog::terms
    PatternRefusal refusal = PatternRefusal::None;  ///< PatternRefused
    std::string rule;                               ///< which rule or pattern
    Sentence detail;                                ///< facts of this kind of decision
    /// WouldCloseCycle: the expressions on the path. PatternRefused: the calls of the match.
    std::vector<ExprId> path;
    std::vector<PathHop> hops;  ///< WouldCloseCycle: between path[i] and path[i + 1]
};

/// The regions of the merge pass before it split those that depended on themselves and merged them again.
struct FirstMergeRound {
    std::vector<int32_t> region_of;  ///< by expression of the module that the flow started from; -1: no region
    std::vector<bool> on_default;    ///< by region
};

class DecisionLog {
public:
    void add(Decision decision) { decisions_.push_back(std::move(decision)); }
    /// Returns the value for Decision::terms.
    int32_t add_terms(std::vector<RuleTerm> terms) {
        terms_.push_back(std::make_shared<const std::vector<RuleTerm>>(std::move(terms)));
        return int32_t(terms_.size() - 1);
    }
    std::span<const RuleTerm> terms(const Decision& decision) const {
        return decision.terms < 0 ? std::span<const RuleTerm>() : *terms_[size_t(decision.terms)];
    }
    /// Returns two empty lists if no region was split.
    const FirstMergeRound& first_merge_round() const { return first_merge_round_; }
    void set_first_merge_round(FirstMergeRound round) { first_merge_round_ = std::move(round); }
    /// Gives all decisions of one kind another.
    void replace(DecisionKind kind, DecisionKind by) {
        for (Decision& decision : decisions_)
            if (decision.kind == kind) decision.kind = by;
    }
    /// Changes each decision from number `first` on.
    template <class Change>
    void change_from(size_t first, Change change) {
        for (size_t i = first; i < decisions_.size(); ++i) change(decisions_[i]);
    }
    /// Reserves space before a pass adds many decisions.
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
