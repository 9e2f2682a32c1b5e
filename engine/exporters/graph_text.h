// Short texts of a graph's nodes, as the window and the pictures write them. Each costs what it returns.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "engine/ir/module.h"

namespace partita {

/// Returns "f32", "i8", "bool".
std::string short_dtype(DataType dtype);
/// Returns "1x64x56x56 f32"; "f32" for a scalar, "?" for an open dimension.
std::string short_tensor_type(const TypeTable& types, TypeId type);
/// Returns the same of any type; of a tuple its first field and how many there are.
std::string short_type_text(const TypeTable& types, TypeId type);
/// Returns the attributes that are not at their defaults: "kernel 3x3, stride 2x2, pad 1". What the type says is left
/// out.
std::string attribute_summary(const Module& module, ExprId call);
/// Which attributes somebody wants to read.
enum class ShowAttribute : uint8_t { IfSet, Always, Never };
using ChooseAttribute = std::function<ShowAttribute(const std::string& op, const std::string& attribute)>;
/// Returns the same with what is always to be told, and without what never is.
std::string attribute_summary(const Module& module, ExprId call, const ChooseAttribute& choose);

}  // namespace partita
