// A backend's description as a file of rules in Python, as TVM reads them. What Python's form has no words for is left
// out and named.
#pragma once

#include <string>
#include <vector>

#include "engine/rules/backend_description.h"

namespace partita {

struct TvmPython {
    std::string text;
    std::vector<std::string> left_out;  ///< "ops.nn.dense: Python's form has no words for 'flops'"
};

/// `form`: "tvm-relay" for Relay of TVM 0.9, "tvm-relax" for Relax of TVM 0.18.
Result<TvmPython> to_tvm_python(const BackendDescription& backend, const std::string& form);

}  // namespace partita
