// Values of tensors that stand in a file and are read when they are wanted.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "engine/ir/data_type.h"
#include "engine/ir/tensor.h"
#include "engine/support/source_file.h"

namespace partita {

/// Returns the bytes of so many elements in a file, where those of less than a byte are packed.
size_t stored_bytes(DataType dtype, int64_t count);

/// Returns whether several elements share a byte in files. In memory each has its own.
inline bool is_packed(DataType dtype) { return dtype.bits < 8 && !dtype.is_bool(); }

/// Takes elements apart of which several share a byte, the first in its lowest bits.
void unpack_elements(const uint8_t* packed, DataType dtype, std::span<uint8_t> elements);

/// Returns a tensor whose `stored_bytes` stand in the file from `place` on; they must lie inside.
Tensor tensor_in_file(DataType dtype, std::vector<int64_t> shape, std::shared_ptr<const SourceFile> file, size_t place);

}  // namespace partita
