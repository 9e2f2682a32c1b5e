// The names of the kinds of expressions, as rules, patterns and exported JSON spell them.
#pragma once

#include <string_view>

#include "engine/ir/module.h"

namespace partita {

constexpr std::string_view kind_name(ExprKind kind) {
    switch (kind) {
        case ExprKind::Var: return "var";
        case ExprKind::Constant: return "constant";
        case ExprKind::GlobalVar: return "global_var";
        case ExprKind::Op: return "op";
        case ExprKind::Call: return "call";
        case ExprKind::Tuple: return "tuple";
        case ExprKind::Projection: return "projection";
        case ExprKind::Let: return "let";
        case ExprKind::If: return "if";
        case ExprKind::Function: return "function";
        case ExprKind::RefCreate: return "ref_create";
        case ExprKind::RefRead: return "ref_read";
        case ExprKind::RefWrite: return "ref_write";
    }
    return "";
}

}  // namespace partita
