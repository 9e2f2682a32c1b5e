// The constants in the metadata of Relax text, in both forms: that of Relay (TVM's src/node/serialization.cc, up to
// v0.20) and that of tvm-ffi (src/ffi/extra/serialization.cc, from v0.22).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/tensor.h"
#include "engine/support/syntax_error.h"

namespace partita::relax {

/// Returns the tensors of `metadata["relax.expr.Constant"]`. Throws SyntaxError; `begin` is where the JSON begins.
std::vector<Tensor> read_metadata_constants(std::string_view json, SourcePosition begin);

}  // namespace partita::relax
