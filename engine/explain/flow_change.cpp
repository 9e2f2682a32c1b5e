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

/// Returns "3 gained (nn.relu 2, add 1)".
std::string calls_text(const FlowChange::Calls& calls, const char* what) {
    constexpr size_t kShown = 4;
    std::string text = std::to_string(calls.calls.size()) + " " + what + " (";
    for (size_t i = 0; i < calls.by_op.size() && i < kShown; ++i) {
        text += (i ? ", " : "") + calls.by_op[i].first;
        if (calls.calls.size() > 1) text += " " + std::to_string(calls.by_op[i].second);
    }
    return text + (calls.by_op.size() > kShown ? ", ...)" : ")");
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

std::string flow_change_text(const FlowChange& change) {
    if (change.nothing()) return "nothing changed";
    std::string text;
    auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (!change.gained.calls.empty()) add(calls_text(change.gained, "gained"));
    if (!change.lost.calls.empty()) add(calls_text(change.lost, "lost"));
    if (!change.moved.calls.empty()) add(calls_text(change.moved, "moved"));
    add("regions " + std::to_string(change.regions_before) + " -> " + std::to_string(change.regions_after));
    return text;
}

}  // namespace partita
