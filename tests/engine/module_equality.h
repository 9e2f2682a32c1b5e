// Compares two modules except for the numbering of expressions. Linear; does not print them, because text of large
// constants is long.
#pragma once

#include <string>
#include <unordered_map>

#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"

namespace partita {

/// Returns the first difference between the @main of both; "" if they are equal.
inline std::string module_difference(const Module& a, const Module& b) {
    std::vector<ExprId> left = post_order(a, a.find_function("main")), right = post_order(b, b.find_function("main"));
    if (left.size() != right.size())
        return std::to_string(left.size()) + " expressions and " + std::to_string(right.size());
    std::unordered_map<ExprId, ExprId> same;
    for (size_t i = 0; i < left.size(); ++i) {
        ExprId x = left[i], y = right[i];
        std::string at = "expression " + std::to_string(i) + ": ";
        if (a.kind(x) != b.kind(y) || a.operands(x).size() != b.operands(y).size()) return at + "another kind";
        for (size_t k = 0; k < a.operands(x).size(); ++k)
            if (same.at(a.operands(x)[k]) != b.operands(y)[k]) return at + "another operand";
        if (a.types().to_string(a.type(x)) != b.types().to_string(b.type(y))) return at + "another type";
        const OpRecord *op = called_op_record(a, x), *other = called_op_record(b, y);
        if (op != other) return at + "another op";
        if (op && a.attributes_id(x).valid() && a.attributes(a.attributes_id(x)) != b.attributes(b.attributes_id(y)))
            return at + "other attributes of " + op->name;
        if (a.kind(x) == ExprKind::Constant && !a.constant(x).identical(b.constant(y))) return at + "another constant";
        if (a.kind(x) == ExprKind::Var && a.name(x) != b.name(y)) return at + "another name";
        if (a.kind(x) == ExprKind::Projection && a.projection_index(x) != b.projection_index(y))
            return at + "another field";
        same[x] = y;
    }
    return "";
}

}  // namespace partita
