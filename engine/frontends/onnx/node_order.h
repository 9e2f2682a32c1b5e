// Puts the nodes of a model in an order in which each stands behind those whose values it uses. ONNX wants files to be
// so; not all are, and most readers accept both.
#pragma once

#include "engine/frontends/onnx/model.h"

namespace partita::onnx {

/// Orders the nodes of all graphs and functions. Those in order stay as they are; the others stand as early as in the
/// file where their operands allow it. Fails for a cycle, and names its nodes. Linear in the model for each level of
/// nesting.
Status order_nodes(Model& model);

}  // namespace partita::onnx
