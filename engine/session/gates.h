// Conditions that a division must meet, for scripts that guard it: least shares, most regions, forbidden calls, and a
// baseline, which is what a division was when somebody agreed with it.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/explain/coverage.h"
#include "engine/session/divide.h"
#include "engine/support/query.h"

namespace partita {

/// Returns the calls of operators, by number, that a query of Find selects; `flow` has its regions.
std::vector<ExprId> find_calls(const FlowResult& flow, std::span<const BackendDescription> backends,
                               const Query& query);

/// At least so many percent of the calls, of the operations or of the weights' bytes go to a backend.
struct ShareGate {
    enum class Of : uint8_t { Calls, Work, Weights };
    std::string text;     ///< as it was given
    std::string backend;  ///< "*": to any that is not default, nor what takes the rest in a report
    double percent = 0;
    Of of = Of::Calls;
};
/// At most so many regions.
struct RegionGate {
    std::string text;
    std::string backend;  ///< "": all
    double most = 0;
};
/// No call matches.
struct ForbiddenCalls {
    std::string text;
    Query query;
};

/// What a division was. Calls are known by the names that the file gives them, or by operator and number.
struct Baseline {
    std::string file;  ///< that it was read from
    CoverageShare on_backends, total;
    int regions = 0;
    double boundary_bytes = 0;
    std::map<std::string, std::string> backend_of;  ///< of calls that are not on default, by name
};

struct Gates {
    std::vector<ShareGate> shares;
    std::vector<RegionGate> regions;
    std::vector<ForbiddenCalls> forbidden;
    std::optional<Baseline> baseline;

    bool empty() const { return shares.empty() && regions.empty() && forbidden.empty() && !baseline; }
};

/// Reads "BACKEND=PERCENT[%][:calls|work|weights]".
Result<ShareGate> read_share_gate(std::string_view text);
/// Reads "N" or "BACKEND=N".
Result<RegionGate> read_region_gate(std::string_view text);
/// Reads a query; refuses unknown keys, which Find ignores.
Result<ForbiddenCalls> read_forbidden(std::string_view text);
Result<Baseline> read_baseline(const std::string& path);
/// Returns what read_baseline reads.
std::string baseline_text(const FlowResult& flow, std::span<const BackendDescription> backends,
                          const CoverageReport& coverage, const std::string& model);

struct GateFault {
    std::string text;  ///< with the cause, as far as a decision is recorded
    ExprId call;       ///< invalid: it is of the whole
};
struct GateResult {
    std::string gate;  ///< "at least dnnl=90%"
    std::vector<GateFault> faults;
};
/// Returns a result for each gate. Fails where a gate names a backend that the division has not.
Result<std::vector<GateResult>> check_gates(const Gates& gates, const FlowResult& flow,
                                            std::span<const BackendDescription> backends,
                                            const CoverageReport& coverage);

/// Checks "BACKEND=SELECTOR", or "BACKEND" for each call of an operator: that those calls go there. Fails for a backend
/// that nobody gave; `words` are for its message.
Result<GateResult> check_requirement(const std::string& text, const FlowResult& flow,
                                     std::span<const BackendDescription> backends, const DivideWords& words);

/// Returns the results as JUnit's XML: a test suite with a test case for each gate.
std::string gates_junit(std::span<const GateResult> results, const std::string& file);
/// Returns each fault as a command of GitHub's workflows, which it shows beside the file's line.
std::string gates_github(std::span<const GateResult> results, const Module& input, const std::string& file);

}  // namespace partita
