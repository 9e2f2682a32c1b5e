// What the passes decided, and why: the record behind "Why", the step player and `partita-cli explain`.
//
// A pass takes a `DecisionLog*` that may be null; it then costs one test for each decision. Expressions in a decision
// are ids of the module that the flow started from (Module::origin), so that they mean the same after every pass.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/ir/module.h"
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
    std::string rule;      ///< which rule or pattern
    Sentence detail;       ///< what only this decision has
    /// WouldCloseCycle: the expressions on the path. PatternRefused by its check: the calls of the match.
    std::vector<ExprId> path;
};

class DecisionLog {
public:
    void add(Decision decision) { decisions_.push_back(std::move(decision)); }
    /// Makes room, where a pass is about to add many.
    void expect(size_t more) {
        const size_t wanted = decisions_.size() + more;
        if (wanted > decisions_.capacity()) decisions_.reserve(std::max(wanted, 2 * decisions_.capacity()));
    }
    const std::vector<Decision>& decisions() const { return decisions_; }
    void clear() { decisions_.clear(); }

private:
    std::vector<Decision> decisions_;
};

}  // namespace partita
