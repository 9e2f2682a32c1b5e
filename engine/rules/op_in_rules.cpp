#include "engine/rules/op_in_rules.h"

#include <algorithm>
#include <cctype>

#include "engine/ops/registry.h"

namespace partita {

OpId op_in_rules(std::string_view name) {
    const OpRegistry& ops = op_registry();
    if (const OpId known = ops.find(name); known.valid()) return known;
    const bool has_capital = std::any_of(name.begin(), name.end(), [](char c) { return std::isupper(uint8_t(c)); });
    return !has_capital && !ops.nearest(name).empty() ? OpId() : ops.foreign(name);
}

}  // namespace partita
