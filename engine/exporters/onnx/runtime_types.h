// Element types that ONNX Runtime 1.30 has no kernel for on processors, although a node of that operator could be
// written. tests/fuzz/onnx_against_runtime --exports holds the table against the runtime.
#pragma once

#include <string_view>

#include "engine/ir/data_type.h"

namespace partita::onnx_export {

/// Returns which operand of a node has the element type that it is about.
size_t typed_operand(std::string_view op_type);
bool runtime_lacks(std::string_view op_type, DataType dtype);
/// Returns whether every number of the results is one of an operand's, or tells how operands compare: such a node gives
/// the same in a type that holds all numbers of theirs.
bool only_chooses(std::string_view op_type);
/// Returns whether an operand of such a node has the type of the others: indices and bounds of axes have not.
bool is_chosen_from(std::string_view op_type, size_t operand);
/// Returns the first type that the runtime has and that holds all numbers of `dtype`; void if there is none.
DataType type_that_holds(std::string_view op_type, DataType dtype);
/// Returns the element type of a node's first result by that of its typed operand.
DataType result_of(std::string_view op_type, DataType operand);

}  // namespace partita::onnx_export
