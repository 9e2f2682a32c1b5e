// Two divisions of one model, held against each other: what goes elsewhere, which neighbours are in one region in one
// of them only, and where they first differ.
#pragma once

#include <span>
#include <vector>

#include "engine/flow/flow.h"
#include "engine/rules/backend_description.h"
#include "engine/support/sentence.h"

namespace partita {

struct DivisionSide {
    const FlowResult& flow;  ///< with its decisions
    std::span<const BackendDescription> backends;
};

struct TwoDivisions {
    /// A call, and one that uses it: both on one backend in both divisions, in one region in one of them only.
    struct Border {
        ExprId from, to;
        bool apart_in_b;  ///< else in A
    };
    std::vector<ExprId> elsewhere;  ///< calls that go to backends of different names, in the order of the module
    std::vector<Border> borders;    ///< in the order of `to`
    /// Where there is none of these: calls with the first of their region in one division, neither of which uses the
    /// other; in the order of `to`.
    std::vector<Border> regrouped = {};

    bool nothing() const { return elsewhere.empty() && borders.empty() && regrouped.empty(); }
    /// Returns whether the first difference is a border: what comes later may follow from it.
    bool begins_with_border() const {
        return !borders.empty() && (elsewhere.empty() || borders.front().to < elsewhere.front());
    }
};

/// Compares divisions of modules with the same calls, as of one file that was read twice. Linear in the module.
TwoDivisions compare_divisions(const DivisionSide& a, const DivisionSide& b);

/// Says why two calls of one backend are apart, from the recorded decisions.
Sentence why_apart(const DivisionSide& side, const TwoDivisions::Border& border);

}  // namespace partita
