#include "engine/ops/op_named.h"

#include <algorithm>

#include "engine/ops/registry.h"

namespace partita {

OpId op_named(std::string_view name) {
    const OpRegistry& ops = op_registry();
    if (const OpId known = ops.find(name); known.valid()) return known;
    const bool has_capital = std::any_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    return !has_capital && !ops.nearest(name).empty() ? OpId() : ops.foreign(name);
}

}  // namespace partita
