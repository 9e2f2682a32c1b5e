// A backend's description as a file of rules in Python, as TVM 0.9 reads them: register_op_attr for the operators, a
// pattern table with check functions. What Python's form has no words for is refused by name.
#pragma once

#include <string>

#include "engine/rules/backend_description.h"

namespace partita {

Result<std::string> to_tvm_python(const BackendDescription& backend);

}  // namespace partita
