#include "engine/flow/size_limits.h"

#include <optional>

namespace partita {

namespace {

/// Forms of "has 3 inputs, at most 2 are allowed" for each combination of singular and plural.
struct CountForms {
    const char* one_of_many;
    const char* many_of_one;
    const char* many_of_many;

    Sentence say(int count, int limit) const {
        if (count == 1) return {one_of_many, {std::to_string(limit)}};
        if (limit == 1) return {many_of_one, {std::to_string(count)}};
        return {many_of_many, {std::to_string(count), std::to_string(limit)}};
    }
};
constexpr CountForms kTooFewCalls{SENTENCE("Engine", "has 1 call, at least %1 are required"),
                                  SENTENCE("Engine", "has %1 calls, at least 1 is required"),
                                  SENTENCE("Engine", "has %1 calls, at least %2 are required")};
constexpr CountForms kTooManyInputs{"", SENTENCE("Engine", "has %1 inputs, at most 1 is allowed"),
                                    SENTENCE("Engine", "has %1 inputs, at most %2 are allowed")};
constexpr CountForms kTooManyOutputs{"", SENTENCE("Engine", "has %1 outputs, at most 1 is allowed"),
                                     SENTENCE("Engine", "has %1 outputs, at most %2 are allowed")};

/// Returns all limits that a region violates.
OutsideLimits outside_limits(const RegionInfo& region, int calls, const RegionLimits& limits) {
    constexpr const char* kForms[] = {"", SENTENCE("Engine", "its region %1"),
                                      SENTENCE("Engine", "its region %1, and %2"),
                                      SENTENCE("Engine", "its region %1, and %2, and %3"),
                                      SENTENCE("Engine", "its region %1, and %2, and %3, and %4")};
    std::vector<SentenceValue> faults;
    OutsideLimits outside;
    const auto add = [&](const char* limit, Sentence fault) {
        faults.push_back(std::move(fault));
        outside.limits += (outside.limits.empty() ? "" : ", ") + std::string(limit);
    };
    if (calls < limits.min_ops) add("min_ops", kTooFewCalls.say(calls, limits.min_ops));
    if (region.flops < limits.min_flops)
        add("min_flops", {SENTENCE("Engine", "takes %1 operations, at least %2 are required"),
                          {std::to_string(int64_t(region.flops)), std::to_string(int64_t(limits.min_flops))}});
    if (limits.max_inputs && region.inputs > limits.max_inputs)
        add("max_inputs", kTooManyInputs.say(region.inputs, limits.max_inputs));
    if (limits.max_outputs && region.outputs > limits.max_outputs)
        add("max_outputs", kTooManyOutputs.say(region.outputs, limits.max_outputs));
    outside.why = {kForms[faults.size()], std::move(faults)};
    return outside;
}

/// Returns, by name of a sub-function that only returns its parameter, the tuples of the input that use it.
/// Partitioning a region that is a tuple alone makes such a sub-function for each field.
std::unordered_map<std::string, std::vector<ExprId>> tuples_behind_functions(const FlowResult& flow) {
    std::unordered_map<std::string, std::vector<ExprId>> tuples;
    const Module& module = *flow.partitioned;
    for (uint32_t i = 0; i < module.size(); ++i) {
        const ExprId tuple(i), origin = module.origin(tuple);
        if (module.kind(tuple) != ExprKind::Tuple || !origin.valid()) continue;
        for (ExprId field : module.operands(tuple)) {
            if (module.kind(field) == ExprKind::Projection) field = module.operands(field)[0];
            if (module.kind(field) != ExprKind::Call) continue;
            const ExprId callee = module.callee(field);
            if (module.kind(callee) == ExprKind::GlobalVar) tuples[std::string(module.name(callee))].push_back(origin);
            if (module.kind(callee) == ExprKind::Function)
                tuples[std::string(module.function_info(callee).string_attribute("ExternalSymbol"))].push_back(origin);
        }
    }
    return tuples;
}

}  // namespace

bool has_limits(const FlowOptions& options) {
    for (const BackendDescription& backend : options.backends) {
        const RegionLimits& limits = backend.limits;
        if (limits.min_ops > 0 || limits.min_flops > 0 || limits.max_inputs > 0 || limits.max_outputs > 0) return true;
    }
    return false;
}

size_t note_outside_limits(const FlowResult& flow, const FlowOptions& options, DroppedCalls& dropped) {
    size_t before = dropped.size();
    std::optional<std::unordered_map<std::string, std::vector<ExprId>>> tuples;
    for (const RegionInfo& region : flow.regions) {
        if (region.backend < 0) continue;
        std::vector<ExprId> calls;
        bool by_hand = false;  // assigned by hand, or part of the file
        for (ExprId id : region.expressions) {
            if (flow.input->kind(id) == ExprKind::Call) calls.push_back(id);
            by_hand |= (!options.by_cost && options.overrides.count(id) > 0) ||
                       (!flow.carried.empty() && flow.carried[id.value]);
        }
        if (by_hand) continue;
        const OutsideLimits outside =
            outside_limits(region, int(calls.size()), options.backends[size_t(region.backend)].limits);
        if (outside.why.empty()) continue;
        std::vector<ExprId> held = std::move(calls);
        if (held.empty()) held = region.expressions;
        if (held.empty()) {
            if (!tuples) tuples = tuples_behind_functions(flow);
            held = (*tuples)[region.function];
        }
        for (ExprId id : held) dropped.emplace(id, Dropped{region.backend, outside});
    }
    return dropped.size() - before;
}

}  // namespace partita
