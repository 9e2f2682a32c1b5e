#include "engine/flow/size_limits.h"

#include <algorithm>
#include <map>
#include <optional>

#include "engine/flow/weights.h"
#include "engine/ops/cost.h"
#include "engine/passes/live_bytes.h"

namespace partita {

namespace {

std::string whole(double number) { return std::to_string(int64_t(number)); }

/// Forms of "has 3 inputs, at most 2 are allowed" for each combination of singular and plural.
struct CountForms {
    const char* one_of_many;
    const char* many_of_one;
    const char* many_of_many;

    Sentence say(int count, double limit) const {
        if (count == 1) return {one_of_many, {whole(limit)}};
        if (limit == 1) return {many_of_one, {whole(count)}};
        return {many_of_many, {whole(count), whole(limit)}};
    }
};
constexpr CountForms kTooFewCalls{SENTENCE("Engine", "has 1 call, at least %1 are required"),
                                  SENTENCE("Engine", "has %1 calls, at least 1 is required"),
                                  SENTENCE("Engine", "has %1 calls, at least %2 are required")};
constexpr CountForms kTooManyInputs{"", SENTENCE("Engine", "has %1 inputs, at most 1 is allowed"),
                                    SENTENCE("Engine", "has %1 inputs, at most %2 are allowed")};
constexpr CountForms kTooManyOutputs{"", SENTENCE("Engine", "has %1 outputs, at most 1 is allowed"),
                                     SENTENCE("Engine", "has %1 outputs, at most %2 are allowed")};

/// Bytes of a region, as far as they are limited.
struct RegionBytes {
    double weights = 0;  ///< read
    double live = 0;     ///< at once
};

/// Returns all limits that a region violates.
OutsideLimits outside_limits(const RegionInfo& region, int calls, const RegionBytes& bytes,
                             const RegionLimits& limits) {
    constexpr const char* kForms[] = {"",
                                      SENTENCE("Engine", "its region %1"),
                                      SENTENCE("Engine", "its region %1, and %2"),
                                      SENTENCE("Engine", "its region %1, and %2, and %3"),
                                      SENTENCE("Engine", "its region %1, and %2, and %3, and %4"),
                                      SENTENCE("Engine", "its region %1, and %2, and %3, and %4, and %5"),
                                      SENTENCE("Engine", "its region %1, and %2, and %3, and %4, and %5, and %6")};
    std::vector<SentenceValue> faults;
    OutsideLimits outside;
    const auto add = [&](const char* limit, Sentence fault) {
        faults.push_back(std::move(fault));
        outside.limits += (outside.limits.empty() ? "" : ", ") + std::string(limit);
    };
    if (calls < limits.min_ops) add("min_ops", kTooFewCalls.say(calls, limits.min_ops));
    if (region.flops < limits.min_flops)
        add("min_flops", {SENTENCE("Engine", "takes %1 operations, at least %2 are required"),
                          {whole(region.flops), whole(limits.min_flops)}});
    if (limits.max_inputs && region.inputs > limits.max_inputs)
        add("max_inputs", kTooManyInputs.say(region.inputs, limits.max_inputs));
    if (limits.max_outputs && region.outputs > limits.max_outputs)
        add("max_outputs", kTooManyOutputs.say(region.outputs, limits.max_outputs));
    if (limits.max_weight_bytes > 0 && bytes.weights > limits.max_weight_bytes)
        add("max_weight_bytes", {SENTENCE("Engine", "reads %1 bytes of weights, at most %2 are allowed"),
                                 {whole(bytes.weights), whole(limits.max_weight_bytes)}});
    if (limits.max_live_bytes > 0 && bytes.live > limits.max_live_bytes)
        add("max_live_bytes", {SENTENCE("Engine", "holds %1 bytes at once, at most %2 are allowed"),
                               {whole(bytes.live), whole(limits.max_live_bytes)}});
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
    return std::any_of(options.backends.begin(), options.backends.end(),
                       [](const BackendDescription& backend) { return backend.limits.any(); });
}

namespace {

/// Finds the regions that go back to default.
class LimitCheck {
public:
    LimitCheck(const FlowResult& flow, const FlowOptions& options, DroppedCalls& dropped)
        : flow_(flow), options_(options), dropped_(dropped) {}

    void run() {
        for (const RegionInfo& region : flow_.regions) {
            if (region.backend < 0) continue;
            const RegionLimits& limits = options_.backends[size_t(region.backend)].limits;
            Found found = look_at(region);
            if (found.by_hand) {
                used_[region.backend] += found.bytes.weights;
                continue;
            }
            const OutsideLimits outside = outside_limits(region, int(found.calls.size()), found.bytes, limits);
            if (!outside.why.empty()) drop(region, found, outside);
            else if (limits.weight_bytes > 0 && found.bytes.weights > 0) with_weights_.push_back(std::move(found));
        }
        hold_budgets();
    }

private:
    struct Found {
        const RegionInfo* region = nullptr;
        std::vector<ExprId> calls;
        RegionBytes bytes;
        bool by_hand = false;  ///< assigned by hand, or part of the file
    };

    Found look_at(const RegionInfo& region) {
        Found found;
        found.region = &region;
        for (ExprId id : region.expressions) {
            if (flow_.input->kind(id) == ExprKind::Call) found.calls.push_back(id);
            found.by_hand |= (!options_.by_cost && options_.overrides.count(id) > 0) ||
                             (!flow_.carried.empty() && flow_.carried[id.value]);
        }
        const RegionLimits& limits = options_.backends[size_t(region.backend)].limits;
        if (limits.max_weight_bytes > 0 || limits.weight_bytes > 0)
            found.bytes.weights = weights().bytes_of(found.calls);
        if (limits.max_live_bytes > 0) found.bytes.live = live_bytes(region.function);
        return found;
    }

    const Weights& weights() {
        if (!weights_) weights_.emplace(*flow_.input);
        return *weights_;
    }

    double live_bytes(const std::string& function) {
        if (callers_.empty()) find_callers();
        const auto caller = callers_.find(function);
        if (caller == callers_.end()) return 0;
        return most_live_bytes(*flow_.partitioned, caller->second, [this](ExprId id) { return names_weight(id); });
    }

    bool names_weight(ExprId argument) {
        const Module& module = *flow_.partitioned;
        if (module.kind(argument) == ExprKind::Constant) return true;
        return module.kind(argument) == ExprKind::Var && weights().parameters().contains(module.name(argument));
    }

    /// Finds the call of each sub-function.
    void find_callers() {
        const Module& module = *flow_.partitioned;
        for (uint32_t i = 0; i < module.size(); ++i) {
            const ExprId call(i);
            if (module.kind(call) != ExprKind::Call) continue;
            const ExprId callee = module.callee(call);
            if (module.kind(callee) == ExprKind::GlobalVar) callers_.emplace(module.name(callee), call);
        }
    }

    void drop(const RegionInfo& region, const Found& found, const OutsideLimits& outside) {
        std::vector<ExprId> held = found.calls;
        if (held.empty()) held = region.expressions;
        if (held.empty()) {
            if (!tuples_) tuples_ = tuples_behind_functions(flow_);
            held = (*tuples_)[region.function];
        }
        for (ExprId id : held) dropped_.emplace(id, Dropped{region.backend, outside});
    }

    /// A call that reads weights.
    struct Reader {
        ExprId call;
        int backend;
        double flops, bytes;
    };

    /// Fills each backend's room for weights with the calls that do most work for each byte.
    void hold_budgets() {
        std::vector<Reader> readers;
        for (const Found& found : with_weights_)
            for (ExprId call : found.calls)
                if (const double bytes = weights_->bytes_of({&call, 1}); bytes > 0)
                    readers.push_back({call, found.region->backend, call_flops(*flow_.input, call), bytes});
        std::stable_sort(readers.begin(), readers.end(),
                         [](const Reader& a, const Reader& b) { return a.flops * b.bytes > b.flops * a.bytes; });
        for (const Reader& reader : readers) {
            const double room = options_.backends[size_t(reader.backend)].limits.weight_bytes;
            double& used = used_[reader.backend];
            if (used + reader.bytes <= room) {
                used += reader.bytes;
                continue;
            }
            const Sentence why{SENTENCE("Engine",
                                        "it reads %1 bytes of weights, and the backend has %2 of %3 left; calls "
                                        "with more work for each byte come first"),
                               {whole(reader.bytes), whole(std::max(0.0, room - used)), whole(room)}};
            dropped_.emplace(reader.call, Dropped{reader.backend, {why, "weight_bytes"}});
        }
    }

    const FlowResult& flow_;
    const FlowOptions& options_;
    DroppedCalls& dropped_;
    std::vector<Found> with_weights_;
    std::unordered_map<int, double> used_;  ///< bytes of weights, by backend
    std::optional<Weights> weights_;
    std::map<std::string, ExprId, std::less<>> callers_;  ///< the call of each sub-function, by its name
    std::optional<std::unordered_map<std::string, std::vector<ExprId>>> tuples_;
};

}  // namespace

size_t note_outside_limits(const FlowResult& flow, const FlowOptions& options, DroppedCalls& dropped) {
    const size_t before = dropped.size();
    LimitCheck(flow, options, dropped).run();
    return dropped.size() - before;
}

}  // namespace partita
