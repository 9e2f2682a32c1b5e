#include "engine/rules/op_in_rules.h"

#include "engine/ops/registry.h"

namespace partita {

OpId op_in_rules(std::string_view name) { return op_registry().named(name); }

}  // namespace partita
