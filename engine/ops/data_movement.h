// The common record of operators that move or make elements without arithmetic.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/ops/op.h"

namespace partita {

/// Injective, and without floating-point operations. The family adds the rest of the record.
inline OpRecord data_movement_op(std::string name, std::string summary, std::vector<std::string> inputs,
                                 TypeRelation relation, Kernel kernel) {
    OpRecord op;
    op.name = std::move(name);
    op.summary = std::move(summary);
    op.inputs = std::move(inputs);
    op.pattern = OpPattern::Injective;
    op.relation = relation;
    op.kernel = kernel;
    op.flops = [](const TypeTable&, std::span<const TypeId>, TypeId, const AttributesView&) { return 0.0; };
    return op;
}

}  // namespace partita
