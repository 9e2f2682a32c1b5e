#include "engine/ops/op_named.h"

#include <algorithm>

#include "engine/ops/registry.h"

namespace partita {

namespace {

/// "relax.nn.batch_norm": an operator's name behind a prefix that is none of the engine's is another program's.
bool is_prefixed(std::string_view name, const OpRegistry& ops) {
    const size_t dot = name.find('.');
    if (dot == std::string_view::npos || !ops.find(name.substr(dot + 1)).valid()) return false;
    const std::string_view prefix = name.substr(0, dot + 1);
    return std::none_of(ops.records().begin(), ops.records().end(),
                        [prefix](const OpRecord& op) { return op.name.starts_with(prefix); });
}

}  // namespace

OpId op_named(std::string_view name) {
    const OpRegistry& ops = op_registry();
    if (const OpId known = ops.find(name); known.valid()) return known;
    const bool has_capital = std::any_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    return !has_capital && !is_prefixed(name, ops) && !ops.nearest(name).empty() ? OpId() : ops.foreign(name);
}

}  // namespace partita
