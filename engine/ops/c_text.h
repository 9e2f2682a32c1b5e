// Writes C: type names, constants, and expressions from templates with placeholders. For the emitters of ops.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/ops/op.h"

namespace partita {

/// Returns the C type in which generated code computes with elements of a type: "float" also for the 16-bit
/// floating-point types, "uint8_t" for bool.
[[gnu::cold]] std::string c_type(DataType dtype);
/// Returns a constant of that type: `0.5f`, `-INFINITY`, `(-2147483647 - 1)`, `7`.
[[gnu::cold]] std::string c_constant(DataType dtype, double value);
[[gnu::cold]] std::string c_constant(DataType dtype, int64_t value);
/// Returns an extent, a step or an offset as C writes it.
inline std::string number(int64_t value) { return std::to_string(value); }

/// Fills a template: `%a`, `%b`, `%c` are the operands in parentheses; `%T` the operands' C type, `%U` the unsigned
/// type of at least 32 bits that integers wrap in, `%S` its signed twin, `%n` the operands' bits, `%m` one less; `%f`
/// the suffix of float functions and constants ("f", or "" for double); `%l` and `%h` the ends of an integer type's
/// range.
[[gnu::cold]] std::string fill_c_template(std::string_view text, std::span<const std::string> operands, DataType dtype);

/// For use in the expression of one element: refuses the operands, as CWriter::refuse_where does for loops.
inline constexpr std::string_view kElementRefusal = "refused = 1";

/// Returns a floating-point expression converted to an integer type as `saturate` does. Evaluates `value` several
/// times.
[[gnu::cold]] std::string c_saturate(const std::string& value, DataType from, DataType to);

/// Returns the indentation of a line of generated code.
[[gnu::cold]] inline std::string c_indent(int indent) { return std::string(size_t(indent) * 4, ' '); }

}  // namespace partita
