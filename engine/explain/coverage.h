// The division of a module in figures, and what keeps calls on default: shares of calls, operations and parameter bytes
// for each backend and kind of op, boundary tensors of regions, causes by frequency. what_if.h computes the effect of
// removing a cause.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/explain/rule_change.h"
#include "engine/flow/flow.h"
#include "engine/ops/op.h"
#include "engine/support/sentence.h"

namespace partita {

/// Counts calls of operators, those in a function that is called twice twice. A parameter of @main and a constant count
/// once, with the first call that uses it.
struct CoverageShare {
    int64_t calls = 0;
    double flops = 0;
    double parameter_bytes = 0;
    double time_us = 0;  ///< in a run, of the nodes that they are of, as reported
};

struct BackendCoverage {
    std::string backend;  ///< "default" is the last
    CoverageShare share;
    int regions = 0;
    int64_t boundary_tensors = 0;  ///< inputs and outputs of its regions, each time that they run
    double boundary_bytes = 0;
};

struct OpCoverage {
    std::string op;
    CoverageShare total;
    std::vector<CoverageShare> backends;  ///< in the order of CoverageReport::backends
};

/// One reason for which calls stayed on default.
struct CoverageCause {
    Sentence reason;            ///< "no rule for nn.batch_norm", "nn.conv2d: attrs.groups == 1", "npu.conv_bias:
                                ///< conv.attrs.groups == 1"
    int backend = -1;           ///< that refuses them
    std::string op;             ///< for a pattern's check: the root's
    std::vector<ExprId> calls;  ///< of the flow's input
    Sentence where;             ///< "2 in each of 12 blocks": of calls in the blocks of a deep model; else empty
    double flops = 0, time_us = 0;
    int line = 0;                    ///< of the backend's own file in Python at which they ended
    int matches = 0;                 ///< for a pattern's check: number of refused matches with these calls
    std::vector<RuleChange> remedy;  ///< changes that would remove the cause; empty if no rule is the cause

    /// Returns the reason and the number of matches.
    Sentence words() const;
};

struct CoverageReport {
    CoverageShare total;
    bool has_times = false;  ///< a report of another program tells them
    std::vector<BackendCoverage> backends;
    std::vector<OpCoverage> ops;  ///< by number of calls
    /// By number of calls. A call is listed under one cause for each backend, and under each check of a pattern that
    /// refused a match of it.
    std::vector<CoverageCause> causes;
};

/// `cancel` stops it and annotators that are asked; the report is then unusable.
CoverageReport report_coverage(const FlowResult& flow, std::span<const BackendDescription> backends,
                               const CancelToken& cancel = {});
/// Returns aligned columns, for a terminal.
std::string coverage_text(const CoverageReport& report);
std::string coverage_markdown(const CoverageReport& report);
nlohmann::json coverage_json(const CoverageReport& report);
/// Returns the first `most`; causes of several backends with the same text are listed once.
std::vector<const CoverageCause*> first_causes(const CoverageReport& report, size_t most);
/// Returns "38 of 66 calls stayed on default: no rule for nn.batch_norm (19), ..."; for one line after a run or a
/// partition.
std::string coverage_summary(const CoverageReport& report);

/// A call that a person requires on a backend but that stayed elsewhere.
struct UnmetRequirement {
    ExprId call;
    std::string text;  ///< with the cause
};
/// `selector` as ExpressionNames::select; "" means every call of an operator.
std::vector<UnmetRequirement> check_required(const FlowResult& flow, std::span<const BackendDescription> backends,
                                             std::string_view backend, std::string_view selector);

}  // namespace partita
