// Runs the tests that a backend description brings along ("expect").
#pragma once

#include <string>
#include <vector>

#include "engine/rules/backend_description.h"

namespace partita {

struct RuleTestResult {
    std::string name;  ///< "expect[0]: nn.conv2d"
    bool passed = false;
    std::string message;      ///< of a failed test: what was found instead, with its cause; "" otherwise
    SourcePosition position;  ///< in the description
};

/// `base_folder` is where the names of module files start from; what they name has to stay inside.
std::vector<RuleTestResult> run_rule_tests(const BackendDescription& description, const std::string& base_folder);

}  // namespace partita
