#include "engine/flow/weights.h"

#include <algorithm>
#include <set>

#include "engine/ops/cost.h"
#include "engine/program/flat_graph.h"
#include "engine/program/parameters.h"

namespace partita {

Weights::Weights(const Module& module) : module_(module), is_weight_(module.size()) {
    for (uint32_t i = 0; i < module.size(); ++i) is_weight_[i] = module.kind(ExprId(i)) == ExprKind::Constant;
    const ExprId main = module.find_function("main");
    if (!main.valid()) return;
    Result<FlatGraph> flat = flatten(module, main, true);
    if (!flat) return;  // what can't run: its constants are known all the same
    const std::vector<Parameter> roles = classify_parameters(module, main, *flat);
    std::span<const ExprId> parameters = module.parameters(main);
    // Parameters that are tuples stand as several there, and are no weights.
    if (roles.size() != parameters.size()) return;
    for (size_t i = 0; i < parameters.size(); ++i)
        if (is_fixed(roles[i])) {
            is_weight_[parameters[i].value] = true;
            parameters_.emplace(module.name(parameters[i]));
        }
}

double Weights::bytes_of(std::span<const ExprId> calls) const {
    std::set<ExprId> found;
    for (ExprId call : calls)
        for (ExprId operand : module_.operands(call))
            if (is_weight_[operand.value]) found.insert(operand);
    double bytes = 0;
    for (ExprId weight : found) bytes += type_bytes(module_.types(), module_.type(weight));
    return bytes;
}

}  // namespace partita
