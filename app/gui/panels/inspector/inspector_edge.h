// What the inspector says of an edge: the value that flows along it, where it comes from and who uses it.
#pragma once

#include <QString>

#include "app/gui/style/theme.h"
#include "engine/flow/names.h"

namespace partita {

/// An edge between two expressions of the shown module.
struct ShownEdge {
    ExprId value, user;
    uint32_t operand = 0;  ///< of `user`, the callee counted
    bool operator==(const ShownEdge&) const = default;
};

/// Rich text with links "expr:ID".
QString edge_text(const ExpressionNames& names, const ShownEdge& edge, const Theme& theme);

}  // namespace partita
