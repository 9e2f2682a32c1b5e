#include "engine/passes/live_bytes.h"

#include <algorithm>
#include <unordered_set>

#include "engine/ir/traversal.h"
#include "engine/ops/cost.h"

namespace partita {

LiveBytes::LiveBytes(const Module& module, Region region, const std::vector<ExprId>& ends)
    : module_(module), region_(std::move(region)) {
    const std::vector<ExprId> calls = calls_behind(ends);
    if (!calls.empty()) span_ = {module.origin(calls.front()).value, module.origin(calls.back()).value};
    for (ExprId call : calls) {
        ++steps_;
        ranges_[call.value] = {steps_, steps_, bytes(call)};
    }
    steps_ = 0;
    for (ExprId call : calls) {
        ++steps_;
        for (ExprId argument : module.arguments(call))
            for (ExprId source : sources(argument)) {
                const auto known = ranges_.find(source.value);
                if (known != ranges_.end()) known->second.last = std::max(known->second.last, steps_);
                else if (!region_.is_weight(source)) ranges_[source.value] = {0, steps_, bytes(source)};
            }
    }
}

/// Returns the region's calls in the order of the flow's input, where operands stand before their users.
std::vector<ExprId> LiveBytes::calls_behind(const std::vector<ExprId>& ends) {
    std::vector<ExprId> calls, open(ends);
    std::unordered_set<uint32_t> seen;
    while (!open.empty()) {
        const ExprId value = open.back();
        open.pop_back();
        for (ExprId source : sources(value)) {
            const bool is_new =
                module_.kind(source) == ExprKind::Call && region_.has(source) && seen.insert(source.value).second;
            if (!is_new) continue;
            calls.push_back(source);
            for (ExprId argument : module_.arguments(source)) open.push_back(argument);
        }
    }
    const auto place = [&](ExprId call) { return std::pair(module_.origin(call).value, call.value); };
    std::sort(calls.begin(), calls.end(), [&](ExprId a, ExprId b) { return place(a) < place(b); });
    return calls;
}

void LiveBytes::leave(ExprId value) {
    for (ExprId source : sources(value)) {
        const auto known = ranges_.find(source.value);
        if (known != ranges_.end() && known->second.first > 0) known->second.last = steps_;
    }
}

double LiveBytes::most() const {
    std::vector<double> change(steps_ + 2);  // by step: what comes to life there, less what died the step before
    for (const auto& [_, range] : ranges_) {
        change[range.first] += range.bytes;
        change[range.last + 1] -= range.bytes;
    }
    double alive = 0, most = 0;
    for (double bytes : change) most = std::max(most, alive += bytes);
    return most;
}

std::vector<ExprId> LiveBytes::sources(ExprId value) {
    std::vector<ExprId> found, open{region_.unmarked(value)};
    while (!open.empty()) {
        const ExprId id = open.back();
        open.pop_back();
        if (module_.kind(id) == ExprKind::Tuple) {
            for (ExprId field : module_.operands(id)) open.push_back(region_.unmarked(field));
        } else if (module_.kind(id) == ExprKind::Projection) {
            const ExprId tuple = region_.unmarked(module_.operands(id)[0]);
            const uint32_t field = module_.projection_index(id);
            if (module_.kind(tuple) == ExprKind::Tuple)
                open.push_back(region_.unmarked(module_.operands(tuple)[field]));
            else if (region_.has(tuple)) found.push_back(tuple);
            else found.push_back(fields_.try_emplace({tuple.value, field}, id).first->second);
        } else {
            found.push_back(id);
        }
    }
    return found;
}

double LiveBytes::bytes(ExprId value) const { return type_bytes(module_.types(), module_.type(value)); }

double most_live_bytes(const Module& module, ExprId caller, const std::function<bool(ExprId)>& is_weight) {
    const ExprId function = module.find_function(module.name(module.callee(caller)));
    std::unordered_map<uint32_t, ExprId> argument_of;
    for (size_t i = 0; i < module.parameters(function).size(); ++i)
        argument_of[module.parameters(function)[i].value] = module.arguments(caller)[i];
    std::unordered_set<uint32_t> inside;
    for (ExprId id : post_order(module, module.body(function))) inside.insert(id.value);
    const auto argument_or_self = [&](ExprId id) {
        const auto found = argument_of.find(id.value);
        return found == argument_of.end() ? id : found->second;
    };
    const auto has = [&](ExprId call) { return inside.count(call.value) > 0; };
    LiveBytes live(module, {argument_or_self, has, is_weight}, {module.body(function)});
    live.leave(module.body(function));
    return live.most();
}

}  // namespace partita
