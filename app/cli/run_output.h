// The results of a run, as JSON and as text.
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

/// A run with everything requested in addition.
struct RunOutput {
    std::string file;
    std::vector<NamedDimension> dimensions;                     ///< of an ONNX model
    std::vector<std::pair<std::string, Sentence>> made_inputs;  ///< by name: what values stand for the data
    RunReport report;
    bool compared = false;                 ///< with the unpartitioned module
    bool operators = false;                ///< in text: also the time of each operator
    std::optional<MachineLimits> machine;  ///< for the roofline
    std::optional<std::vector<RegionDifference>> boundaries;
    std::optional<RunRecord> earlier;  ///< a saved run to compare with
};

/// Returns whether all outputs were within the tolerance, or not compared.
bool all_within(const RunReport& report);
/// Returns a sentence about the first wrong region.
std::string boundary_verdict(const std::vector<RegionDifference>& boundaries);
/// Returns "made up with seed 0: ids (whole numbers from 0 to 9)"; "" if all data were given.
std::string made_inputs_text(const RunOutput& output, uint64_t seed);
Json run_json(const RunOutput& output);
std::string run_text(const RunOutput& output);

/// Returns runs of one module for several sizes of its dimensions, one a line.
std::string sizes_text(const std::vector<RunOutput>& outputs);

/// Returns the comparison of two runs, ratio and noise; `a` is the earlier one.
Json run_difference_json(const RunRecord& a, const RunRecord& b);
std::string run_difference_text(const RunRecord& a, const RunRecord& b);

}  // namespace partita::cli
