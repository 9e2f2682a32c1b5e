// The text of scalar constants and attributes inside Relay text.
#pragma once

#include <string>
#include <string_view>

#include "engine/ir/tensor.h"
#include "engine/ops/op.h"

namespace partita::relay {

/// The label of a constant whose value is missing in the text: zeros replace it.
inline constexpr std::string_view kMissingValue = "value missing in the text";

/// Returns whether a constant is printed as a literal (`2f`, `7i64`, `True`) and not by reference to the metadata
/// section.
bool is_literal(const Tensor& constant);
/// Appends numbers so that they are read back as they are; with six digits, as TVM writes all, where these are enough.
void append_literal(std::string& out, const Tensor& constant);

/// Appends a value as in a list or in a function's attributes: integers with `i64` if they have 64 bits.
void append_value(std::string& out, const AttributeValue& value);
/// Returns whether a call of a foreign operator can be written as one of Relay's own, `argwhere(%x, k=1)`: its name
/// means nothing else there and nothing but names and values is to be kept. Others are written as `opaque(%x,
/// op_type=...)`.
bool is_written_by_name(const OpRecord& op, const AttributeList& values);
/// Appends ", axis=1, ...": the attributes of a call that differ from their defaults, in the order of the schema.
void append_call_attributes(std::string& out, const OpRecord& op, const AttributeList& values);

}  // namespace partita::relay
