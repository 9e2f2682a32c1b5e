#include "engine/ir/function_uses.h"

#include <algorithm>
#include <span>

#include "engine/ir/called_function.h"
#include "engine/ir/post_order.h"
#include "engine/ir/traversal.h"

namespace partita {

FunctionUses::FunctionUses(const Module& module) : module_(module), owner_(module.size()) {
    find_owners();
    count_uses();
}

void FunctionUses::find_owners() {
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module_.functions()) roots.push_back(global.function);
    for (ExprId id : post_order(module_, roots)) {
        if (module_.kind(id) == ExprKind::Function) functions_.push_back(id);
        if (const ExprId called = called_function(module_, id); called.valid()) calls_[called].push_back(id);
    }
    const auto operands_of = [this](ExprId id) {
        return module_.kind(id) == ExprKind::Function ? std::span<const ExprId>() : module_.operands(id);
    };
    std::vector<ExprId> order;
    for (size_t i = functions_.size(); i-- > 0;) {
        const ExprId function = functions_[i];
        const auto enter = [&](ExprId id) {
            if (owner_[id.value].valid()) return false;
            owner_[id.value] = function;
            return true;
        };
        const std::span<const ExprId> parameters = module_.parameters(function);
        for (size_t at = 0; at < parameters.size(); ++at) {
            parameters_.emplace(parameters[at], std::pair(function, at));
            enter(parameters[at]);
        }
        const ExprId body = module_.body(function);
        walk_post_order(order, {&body, 1}, operands_of, enter);
    }
}

/// Callers before what they call (Kahn's algorithm).
void FunctionUses::count_uses() {
    std::unordered_map<ExprId, std::vector<ExprId>> users, uses;  // functions; one that is only written is used once
    for (ExprId function : functions_) {
        if (const auto found = calls_.find(function); found != calls_.end())
            for (ExprId call : found->second) users[function].push_back(owner_[call.value]);
        else if (owner_[function.value].valid()) users[function].push_back(owner_[function.value]);
        for (ExprId user : users[function]) uses[user].push_back(function);
    }
    std::unordered_map<ExprId, size_t> open;
    std::vector<ExprId> ready;
    for (ExprId function : functions_)
        if (!(open[function] = users[function].size())) ready.push_back(function);
    while (!ready.empty()) {
        const ExprId function = ready.back();
        ready.pop_back();
        constexpr int64_t kMost = 1'000'000'000'000;
        int64_t times = users[function].empty() ? 1 : 0;
        for (ExprId user : users[function]) times = std::min(kMost, times + times_[user]);
        times_[function] = times;
        for (ExprId used : uses[function])
            if (!--open[used]) ready.push_back(used);
    }
}

int64_t FunctionUses::times(ExprId id) const {
    const auto found = times_.find(owner_[id.value]);
    return found == times_.end() ? 1 : found->second;
}

std::vector<ExprId> FunctionUses::given_to(ExprId parameter) const {
    std::vector<ExprId> given;
    const auto found = parameters_.find(parameter);
    const auto calls = found == parameters_.end() ? calls_.end() : calls_.find(found->second.first);
    if (calls == calls_.end()) return given;
    for (ExprId call : calls->second)
        if (found->second.second < module_.arguments(call).size())
            given.push_back(module_.arguments(call)[found->second.second]);
    return given;
}

}  // namespace partita
