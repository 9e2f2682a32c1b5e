#include "engine/explain/flow_change.h"

#include <algorithm>
#include <map>

#include "engine/ops/registry.h"

namespace partita {

namespace {

double boundary_bytes(const FlowResult& flow) {
    double bytes = 0;
    for (const RegionInfo& region : flow.regions) bytes += region.boundary_bytes;
    return bytes;
}

void count_ops(const Module& module, FlowChange::Calls& calls) {
    std::map<std::string, int> counts;
    for (ExprId call : calls.calls) ++counts[called_op_record(module, call)->name];
    calls.by_op.assign(counts.begin(), counts.end());
    std::stable_sort(calls.by_op.begin(), calls.by_op.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
}

}  // namespace

FlowChange compare_flows(const FlowResult* before, std::span<const std::string> backends_before,
                         const FlowResult& after, std::span<const std::string> backends_after) {
    FlowChange change;
    change.regions_after = int(after.regions.size());
    change.boundary_bytes_after = boundary_bytes(after);
    if (before) {
        change.regions_before = int(before->regions.size());
        change.boundary_bytes_before = boundary_bytes(*before);
    }
    const Module& module = *after.input;
    const bool comparable = before && before->input == after.input;
    auto name = [](int backend, std::span<const std::string> names) {
        return backend >= 0 && size_t(backend) < names.size() ? std::string_view(names[size_t(backend)])
                                                              : std::string_view();
    };
    for (uint32_t i = 0; i < after.backend_of.size(); ++i) {
        if (!called_op_record(module, ExprId(i))) continue;
        std::string_view now = name(after.backend_of[i], backends_after);
        std::string_view then = comparable ? name(before->backend_of[i], backends_before) : std::string_view();
        if (now == then) continue;
        (then.empty() ? change.gained : now.empty() ? change.lost : change.moved).calls.push_back(ExprId(i));
    }
    for (FlowChange::Calls* calls : {&change.gained, &change.lost, &change.moved}) count_ops(module, *calls);
    return change;
}

}  // namespace partita
