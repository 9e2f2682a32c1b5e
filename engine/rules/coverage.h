// What part of a module goes where, and what keeps the rest away: shares of calls, operations and parameter bytes for
// each backend and kind of op, boundary tensors of regions, causes by frequency; and what would change if a cause were
// gone.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/rules/backend_description.h"
#include "engine/session/session.h"
#include "engine/support/sentence.h"

namespace partita {

/// Of calls of operators. A parameter's bytes count once, with the first call that uses it.
struct CoverageShare {
    int calls = 0;
    double flops = 0;
    double parameter_bytes = 0;
};

struct BackendCoverage {
    std::string backend;  ///< "default" is the last
    CoverageShare share;
    int regions = 0;
    int boundary_tensors = 0;  ///< inputs and outputs of its regions
    double boundary_bytes = 0;
};

struct OpCoverage {
    std::string op;
    CoverageShare total;
    std::vector<CoverageShare> backends;  ///< in the order of CoverageReport::backends
};

/// One reason for which calls stayed on default.
struct CoverageCause {
    Sentence reason;   ///< "no rule for nn.batch_norm", "nn.conv2d: attrs.groups == 1"
    int backend = -1;  ///< that would not take them
    std::string op;
    std::vector<ExprId> calls;  ///< of the flow's input
    double flops = 0;
};

struct CoverageReport {
    CoverageShare total;
    std::vector<BackendCoverage> backends;
    std::vector<OpCoverage> ops;        ///< by number of calls
    std::vector<CoverageCause> causes;  ///< by number of calls; a call stands with one cause for each backend
};

CoverageReport report_coverage(const FlowResult& flow, std::span<const BackendDescription> backends);
/// Aligned columns, for a terminal.
std::string coverage_text(const CoverageReport& report);
std::string coverage_markdown(const CoverageReport& report);
nlohmann::json coverage_json(const CoverageReport& report);
/// The first `most`; what several backends say in the same words stands there once.
std::vector<const CoverageCause*> first_causes(const CoverageReport& report, size_t most);
/// "38 of 66 calls stayed on default: no rule for nn.batch_norm (19), ..."; for one line after a run or a partition.
std::string coverage_summary(const CoverageReport& report);

/// A call that a person requires on a backend but that stayed elsewhere.
struct UnmetRequirement {
    ExprId call;
    std::string text;  ///< with the cause
};
/// `selector` as ExpressionNames::select; "" means every call of an operator.
std::vector<UnmetRequirement> check_required(const FlowResult& flow, std::span<const BackendDescription> backends,
                                             std::string_view backend, std::string_view selector);

/// What would become of the regions if one cause were gone.
struct WhatIf {
    CoverageCause cause;
    int regions_before = 0, regions_after = 0;
    double boundary_bytes_before = 0, boundary_bytes_after = 0;
    int calls_gained = 0;  ///< that would leave default
    Overrides overrides;   ///< that bring it about: what a click tries
    int regions_gone() const { return regions_before - regions_after; }
    double bytes_gone() const { return boundary_bytes_before - boundary_bytes_after; }
};
/// For the most frequent causes of a flow run with `options`, and for ops that several causes keep away from a backend
/// ("every nn.conv2d"), each by running the flow again with the cause's calls given to its backend. Sorted by regions and bytes that would vanish. Costs a flow for each cause.
Result<std::vector<WhatIf>> what_if(const FlowResult& flow, const FlowOptions& options, size_t most_causes = 30);
std::string what_if_text(std::span<const WhatIf> list, std::span<const BackendDescription> backends);
std::string what_if_markdown(std::span<const WhatIf> list, std::span<const BackendDescription> backends);
nlohmann::json what_if_json(std::span<const WhatIf> list, std::span<const BackendDescription> backends);

}  // namespace partita
