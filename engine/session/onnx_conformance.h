// ONNX's backend tests: folders with a model.onnx and data sets of inputs and expected outputs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/support/cancel.h"

namespace partita {

enum class OnnxTestOutcome : uint8_t {
    Passed,
    Failed,       ///< it ran and its results differ, or it crashed
    Unsupported,  ///< refused, with a reason
};

struct OnnxTestResult {
    std::string name;  ///< the folder's name
    OnnxTestOutcome outcome = OnnxTestOutcome::Failed;
    std::string reason;
};

/// Returns the folders below `folder` (including itself) that hold a model.onnx, sorted.
std::vector<std::string> find_onnx_tests(const std::string& folder);
/// Runs one test with ONNX's tolerances: 1e-3 relative, 1e-7 absolute. Inputs whose values the graph must know to be
/// built (shapes, axes) are bound as constants.
OnnxTestResult run_onnx_test(const std::string& folder);

}  // namespace partita
