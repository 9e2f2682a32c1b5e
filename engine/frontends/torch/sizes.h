// Sizes that are expressions of symbols: sympy's srepr (`Mul(Integer(2), Symbol('s77', integer=True))`) or its text
// (`2*s77`). They are parsed here, never evaluated by anything else.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/frontends/onnx/named_dimension.h"
#include "engine/frontends/torch/program.h"

namespace partita::torch {

using SymbolValues = std::map<std::string, int64_t, std::less<>>;

/// Returns the value of an expression; nothing where it is no such expression, too deep, or a symbol's value is
/// unknown.
std::optional<int64_t> value_of(std::string_view expression, const SymbolValues& symbols);
/// Returns the symbol that an expression consists of; "" if there is more in it.
std::string symbol_of(std::string_view expression);
/// Returns all symbols of an expression.
std::vector<std::string> symbols_in(std::string_view expression);

/// Decides the sizes of the symbols that the inputs of a program name: as they are given, else as in the example that
/// was exported. Throws Refused for one outside its range.
std::vector<NamedDimension> dimensions_of(const Program& program, const std::map<std::string, int64_t>& given,
                                          SymbolValues& values, std::vector<std::string>& notes);

}  // namespace partita::torch
