// Sparse constants, as dense tensors: the format of TACO, a tree with a level for each dimension and each dimension of
// a block, of which a level is dense or lists the indices that there are (compressed sparse rows).
#pragma once

#include <memory>

#include "engine/frontends/litert/model.h"
#include "engine/ir/tensor.h"
#include "engine/support/source_file.h"

namespace partita::litert {

/// Returns the dense tensor, which is made when it is wanted: it then throws DataLost where the tree is broken.
Tensor sparse_tensor(const Sparsity& sparsity, DataPlace data, DataType dtype, std::vector<int64_t> shape,
                     std::shared_ptr<const SourceFile> file);

}  // namespace partita::litert
