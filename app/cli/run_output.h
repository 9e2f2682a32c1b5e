// What a run gave, as JSON and as text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/json.h"
#include "engine/runtime/compare_runs.h"
#include "engine/runtime/machine.h"
#include "engine/runtime/run_record.h"
#include "engine/session/session.h"

namespace partita::cli {

/// A run with all that was asked for beside it.
struct RunOutput {
    std::string file;
    RunReport report;
    bool compared = false;                 ///< with the unpartitioned module
    bool operators = false;                ///< text: also the time of each operator
    std::optional<MachineLimits> machine;  ///< for the roofline
    std::optional<std::vector<RegionDifference>> boundaries;
    std::optional<RunRecord> earlier;  ///< a kept run to compare with
};

/// Which region is wrong, the first of them where there are several.
std::string boundary_verdict(const std::vector<RegionDifference>& boundaries);
Json run_json(const RunOutput& output);
std::string run_text(const RunOutput& output);

/// Two runs side by side: ratio and noise, `a` being the earlier one.
Json run_difference_json(const RunRecord& a, const RunRecord& b);
std::string run_difference_text(const RunRecord& a, const RunRecord& b);

}  // namespace partita::cli
