// Writes a Relax program as TVMScript, in the form in which TVM prints it: types behind every name, all attributes,
// names that are unique within a function. Linear in the text.
#pragma once

#include <string>

#include "engine/frontends/relax/program.h"

namespace partita::relax {

/// What is printed reads again as the same program.
std::string print(const Program& program);

/// Returns a type as it stands behind a name; `quotes`: symbolic dimensions in quotes, as in a function's head.
std::string type_text(const Program& program, TypeNumber type, bool quotes = false);

/// Returns a text that two functions share exactly if they differ in the names of variables only.
std::string structure_of(const Program& program, const Function& function);

}  // namespace partita::relax
