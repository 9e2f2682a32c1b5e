// A `.tflite` file with its operators in another order: what LiteRT gives to a compiler plug-in hangs on it.
#pragma once

#include <span>
#include <string>

#include "engine/graph/graph.h"
#include "engine/support/diagnostic.h"

namespace partita {

/// Returns the bytes of a file with the operators of its first subgraph in this order. Nothing else of it changes: the
/// list of operators has other offsets. Fails where it is no such file, or names operators by their number.
Result<std::string> reordered_litert(const std::string& path, std::span<const NodeId> order);

}  // namespace partita
