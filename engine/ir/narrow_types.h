// Numbers of less than a byte, and floating-point numbers of one byte: what weights are stored in. Nothing is computed
// in them; `cast` reads and writes them. In memory each takes one byte: an integer as itself, a floating-point number
// as its code in the low bits.
//
// Formats: OCP 8-bit Floating Point (OFP8) 1.0 and Microscaling Formats (MX) 1.0; ONNX, docs/docsgen/source/technical/
// float8.md.
#pragma once

#include <cstdint>

#include "engine/ir/data_type.h"

namespace partita {

/// Returns whether elements of a type can be read as numbers. The text of a module may name others: int24, int8x4.
bool has_numbers(DataType dtype);

/// Returns the number that a code stands for. `dtype` is a narrow float.
float narrow_to_float(DataType dtype, uint8_t code);
/// Returns the code of the nearest number, of an even code between two; of the largest one for numbers beyond it and
/// for infinity. A type without NaN takes it as 0; float8_e8m0fnu has powers of two alone, takes the next larger one,
/// and NaN for what is negative.
uint8_t float_to_narrow(DataType dtype, double value);

/// Returns the integer that the low bits of a byte stand for: -1 for 15 in int4. `dtype` is a narrow integer.
int8_t wrapped_to_narrow(DataType dtype, int64_t value);

}  // namespace partita
