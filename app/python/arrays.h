// Arrays of numpy as tensors and back, without copies.
#pragma once

#include <pybind11/numpy.h>

#include "engine/ir/tensor.h"

namespace partita::python {

/// Returns a tensor of the bytes of a C-contiguous array, which it keeps alive. `bfloat16`: its elements of type
/// uint16 are the bits of such numbers. Throws pybind11::type_error for a type that no tensor has.
Tensor tensor_of(const pybind11::array& array, bool bfloat16);
/// Returns an array of the tensor's bytes, which it keeps alive. Numbers of type bfloat16 are their bits, as uint16.
pybind11::array array_of(const Tensor& tensor);

}  // namespace partita::python
