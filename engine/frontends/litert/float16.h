// A model as it would be with float32 constants stored in 16 bits: what the converter's "float16 quantization" makes of
// it. In front of the first reader of each stands a DEQUANTIZE of the float16.
#pragma once

#include <string>
#include <vector>

#include "engine/frontends/litert/model.h"

namespace partita::litert {

/// Returns the names of the constants of which this can be said. `values` has each tensor's name in the plain graph, ""
/// for those that are not in it.
std::vector<std::string> narrowable_constants(const Subgraph& subgraph, const std::vector<std::string>& values);

/// Changes those of the first subgraph whose names are given, or match a pattern among `names`. Operators behind an
/// inserted one have other numbers than in the file. Linear, but for patterns, each held against all. Throws
/// flat::Fault for a name that none has.
void store_as_float16(Model& model, const std::vector<std::string>& values, const std::vector<std::string>& names);

}  // namespace partita::litert
