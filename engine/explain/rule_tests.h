// Runs the tests in a backend description ("expect").
#pragma once

#include <string>
#include <vector>

#include "engine/rules/backend_description.h"

namespace partita {

struct RuleTestResult {
    std::string name;  ///< "expect[0]: nn.conv2d"
    bool passed = false;
    std::string message;      ///< of a failed test: the actual result, with its cause; "" otherwise
    SourcePosition position;  ///< in the description
};

/// Names of module files are relative to `base_folder`; the files must be inside it.
std::vector<RuleTestResult> run_rule_tests(const BackendDescription& description, const std::string& base_folder);

}  // namespace partita
