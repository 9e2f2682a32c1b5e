#include "engine/flow/node_calls.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"

namespace partita {

NodeCalls::NodeCalls(const Graph& graph, const Module& module) : calls_(graph.nodes.size()) {
    std::unordered_map<ExprId, std::vector<uint32_t>> nodes;
    std::unordered_map<std::string_view, ExprId> named;
    for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
        const ExprId expression = graph.nodes[i].expression;
        nodes[expression].push_back(i);
        if (expression.valid() && expression.value < module.size())
            if (const std::string_view label = module.label(expression); !label.empty())
                named.emplace(label, expression);
    }
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module.functions()) roots.push_back(global.function);
    for (ExprId id : post_order(module, roots)) {
        auto of = nodes.find(id);
        if (of == nodes.end() && module.kind(id) == ExprKind::Call) {
            const auto same = named.find(module.label(id));
            if (same != named.end()) of = nodes.find(same->second);
        }
        if (of != nodes.end())
            for (uint32_t node : of->second) calls_[node].push_back(id);
    }
}

bool decides(const Module& module, std::span<const ExprId> calls, ExprId call) {
    const auto computes = [&module](ExprId each) {
        const OpRecord* op = called_op_record(module, each);
        return !op || !op->same_bytes;
    };
    return computes(call) || std::none_of(calls.begin(), calls.end(), computes);
}

}  // namespace partita
