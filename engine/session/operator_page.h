// What is known of an operator, for a page about it: found out from its record and its example, so that no text of it
// can be out of date.
#pragma once

#include <string>
#include <vector>

#include "engine/ops/op.h"

namespace partita {

struct OperatorPage {
    std::string name, summary;
    std::string formula;  ///< an element of the result from one of each operand, in C; "" if it is not that simple
    /// The example: `data: Tensor[(1, 3), float32]` for each operand, the result's type, and the call in Relay text.
    std::vector<std::string> operands;
    std::string result, call;
    std::vector<std::string> onnx;  ///< operators of ONNX that it becomes in an exported model, each once
    bool runs = false;              ///< on default
    bool writes_c = false;          ///< generated C can compute it
};

/// Costs an export of one operator.
OperatorPage operator_page(const OpRecord& record);

}  // namespace partita
