#include "engine/rules/coverage.h"

#include <algorithm>
#include <set>

#include "engine/ops/cost.h"
#include "engine/ops/registry.h"
#include "engine/rules/explain.h"

namespace partita {

namespace {

void add(CoverageShare& to, const CoverageShare& share) {
    to.calls += share.calls;
    to.flops += share.flops;
    to.parameter_bytes += share.parameter_bytes;
}

/// The cause's words without values, so that equal causes of different calls are one.
Sentence reason_of(const CallCause& cause, const std::string& op) {
    switch (cause.kind) {
        case CallCause::Kind::NoRule: return {SENTENCE("Engine", "no rule for %1"), {op}};
        case CallCause::Kind::Overridden: return {SENTENCE("Engine", "%1: kept by hand"), {op}};
        case CallCause::Kind::Annotated: return {SENTENCE("Engine", "%1: not annotated in the file"), {op}};
        case CallCause::Kind::SizeLimit: return {SENTENCE("Engine", "%1: outside the limits of regions"), {op}};
        case CallCause::Kind::RuleFailed: {
            std::string terms;
            for (const RuleTerm& term : cause.terms) {
                if (term.alternative > 0) break;  // the first way to mend it stands for all
                terms += (terms.empty() ? "" : " and ") + term.stated(false);
            }
            return {"%1: %2", {op, terms}};
        }
        default: return {"%1: %2", {op, cause.reason}};
    }
}

/// The op of a call that somebody computes: begin and end marks of an annotated module are none.
const OpRecord* computed_op(const Module& module, ExprId call) {
    const OpRecord* op = called_op_record(module, call);
    return op && !op->name.starts_with("annotation.compiler_") ? op : nullptr;
}

class Reporter {
public:
    Reporter(const FlowResult& flow, std::span<const BackendDescription> backends)
        : flow_(flow),
          backends_(backends),
          module_(*flow.input),
          explainer_(flow, backends),
          counted_(module_.size()) {}

    CoverageReport report() {
        for (const BackendDescription& backend : backends_) report_.backends.push_back({backend.name, {}, 0, 0, 0});
        report_.backends.push_back({"default", {}, 0, 0, 0});
        for (ExprId call : explainer_.names().calls())
            if (const OpRecord* op = computed_op(module_, call)) count_call(call, *op);
        for (const RegionInfo& region : flow_.regions) count_region(region);
        finish();
        return std::move(report_);
    }

private:
    size_t column_of(ExprId call) const {
        int backend = flow_.backend_of[call.value];
        return backend < 0 ? backends_.size() : size_t(backend);
    }

    double parameter_bytes(ExprId call) {
        double bytes = 0;
        for (ExprId argument : module_.arguments(call)) {
            ExprKind kind = module_.kind(argument);
            if ((kind != ExprKind::Var && kind != ExprKind::Constant) || counted_[argument.value]) continue;
            counted_[argument.value] = true;
            bytes += type_bytes(module_.types(), module_.type(argument));
        }
        return bytes;
    }

    void count_call(ExprId call, const OpRecord& op) {
        CoverageShare share{1, call_flops(module_, call), parameter_bytes(call)};
        size_t column = column_of(call);
        add(report_.total, share);
        add(report_.backends[column].share, share);
        OpCoverage& row = ops_[op.name];
        row.op = op.name;
        row.backends.resize(report_.backends.size());
        add(row.total, share);
        add(row.backends[column], share);
        if (column == backends_.size()) count_causes(call, op, share.flops);
    }

    void count_causes(ExprId call, const OpRecord& op, double flops) {
        CallExplanation explanation = explainer_.explain_call(call);
        // What a person or the file said counts before all that rules say.
        const auto said = std::find_if(explanation.causes.begin(), explanation.causes.end(), [](const CallCause& cause) {
            return cause.kind == CallCause::Kind::Overridden || cause.kind == CallCause::Kind::Annotated;
        });
        if (said != explanation.causes.end()) explanation.causes = {*said};
        std::set<int> counted;
        for (const CallCause& cause : explanation.causes) {
            // A limit's or rule's word counts before those of patterns.
            bool pattern = cause.kind == CallCause::Kind::PatternFailed || cause.kind == CallCause::Kind::Transparent;
            // A backend that would have taken the call keeps nothing away.
            bool willing = cause.kind == CallCause::Kind::Accepted || cause.kind == CallCause::Kind::Composite;
            if (pattern || willing || !counted.insert(cause.backend).second) continue;
            Sentence reason = reason_of(cause, op.name);
            CoverageCause& entry = causes_[{cause.backend, reason.text()}];
            entry.reason = std::move(reason);
            entry.backend = cause.backend;
            entry.op = op.name;
            entry.calls.push_back(call);
            entry.flops += flops;
        }
    }

    void count_region(const RegionInfo& region) {
        size_t column = region.backend < 0 ? backends_.size() : size_t(region.backend);
        BackendCoverage& backend = report_.backends[column];
        ++backend.regions;
        backend.boundary_tensors += region.inputs + region.outputs;
        backend.boundary_bytes += region.boundary_bytes;
    }

    void finish() {
        for (auto& [_, row] : ops_) report_.ops.push_back(std::move(row));
        std::stable_sort(report_.ops.begin(), report_.ops.end(),
                         [](const OpCoverage& a, const OpCoverage& b) { return a.total.calls > b.total.calls; });
        for (auto& [_, cause] : causes_) report_.causes.push_back(std::move(cause));
        std::stable_sort(
            report_.causes.begin(), report_.causes.end(),
            [](const CoverageCause& a, const CoverageCause& b) { return a.calls.size() > b.calls.size(); });
    }

    const FlowResult& flow_;
    std::span<const BackendDescription> backends_;
    const Module& module_;
    FlowExplainer explainer_;
    std::vector<bool> counted_;  ///< parameters, by ExprId
    std::map<std::string, OpCoverage> ops_;
    std::map<std::pair<int, std::string>, CoverageCause> causes_;
    CoverageReport report_;
};

}  // namespace

CoverageReport report_coverage(const FlowResult& flow, std::span<const BackendDescription> backends) {
    return Reporter(flow, backends).report();
}

std::vector<UnmetRequirement> check_required(const FlowResult& flow, std::span<const BackendDescription> backends,
                                             std::string_view backend, std::string_view selector) {
    FlowExplainer explainer(flow, backends);
    const Module& module = *flow.input;
    std::vector<UnmetRequirement> unmet;
    std::vector<ExprId> calls = selector.empty() ? explainer.names().calls() : explainer.names().select(selector);
    for (ExprId call : calls) {
        if (!computed_op(module, call) || explainer.backend_name(flow.backend_of[call.value]) == backend) continue;
        CallExplanation explanation = explainer.explain_call(call);
        std::string why;
        for (const CallCause& cause : explanation.causes)
            if ((cause.kind == CallCause::Kind::Annotated || explainer.backend_name(cause.backend) == backend) && why.empty()) why = cause.reason.text();
        if (why.empty()) why = "it went to " + explainer.backend_name(explanation.backend);
        unmet.push_back({call, explainer.names().name(call) + " is not on " + std::string(backend) + ": " + why});
    }
    return unmet;
}

namespace {

/// The causes, and for each op that several keep away from a backend all of them as one; the most frequent first.
std::vector<CoverageCause> causes_and_kinds(std::vector<CoverageCause> causes) {
    std::map<std::pair<int, std::string>, CoverageCause> kinds;
    std::map<std::pair<int, std::string>, int> counts;
    for (const CoverageCause& cause : causes) {
        ++counts[{cause.backend, cause.op}];
        CoverageCause& kind = kinds[{cause.backend, cause.op}];
        kind.reason = {SENTENCE("Engine", "every %1"), {cause.op}};
        kind.backend = cause.backend;
        kind.op = cause.op;
        kind.calls.insert(kind.calls.end(), cause.calls.begin(), cause.calls.end());
        kind.flops += cause.flops;
    }
    for (auto& [key, kind] : kinds)
        if (counts[key] > 1) causes.push_back(std::move(kind));
    std::stable_sort(causes.begin(), causes.end(),
                     [](const CoverageCause& a, const CoverageCause& b) { return a.calls.size() > b.calls.size(); });
    return causes;
}

}  // namespace

Result<std::vector<WhatIf>> what_if(const FlowResult& flow, const FlowOptions& options, size_t most_causes) {
    std::vector<CoverageCause> causes = causes_and_kinds(report_coverage(flow, options.backends).causes);
    auto boundary = [](const FlowResult& result) {
        double bytes = 0;
        for (const RegionInfo& region : result.regions) bytes += region.boundary_bytes;
        return bytes;
    };
    auto offloaded = [](const FlowResult& result) {
        int calls = 0;
        for (uint32_t i = 0; i < result.backend_of.size(); ++i)
            calls += result.backend_of[i] >= 0 && computed_op(*result.input, ExprId(i)) != nullptr;
        return calls;
    };
    std::vector<WhatIf> list;
    for (CoverageCause& cause : causes) {
        if (list.size() == most_causes) break;
        if (cause.backend < 0 || size_t(cause.backend) >= options.backends.size()) continue;
        FlowOptions changed = options;
        changed.simplify = false;  // flow.input is what came out of that
        changed.log_decisions = false;
        changed.until = FlowStage::Partition;
        WhatIf entry;
        entry.overrides = options.overrides;
        for (ExprId call : cause.calls) entry.overrides[call] = options.backends[size_t(cause.backend)].name;
        changed.overrides = entry.overrides;
        Result<FlowResult> result = run_flow(flow.input, changed);
        if (!result) return result.error();
        entry.cause = std::move(cause);
        entry.regions_before = int(flow.regions.size());
        entry.regions_after = int(result->regions.size());
        entry.boundary_bytes_before = boundary(flow);
        entry.boundary_bytes_after = boundary(*result);
        entry.calls_gained = offloaded(*result) - offloaded(flow);
        list.push_back(std::move(entry));
    }
    std::stable_sort(list.begin(), list.end(), [](const WhatIf& a, const WhatIf& b) {
        return std::pair(a.regions_gone(), a.bytes_gone()) > std::pair(b.regions_gone(), b.bytes_gone());
    });
    return list;
}

}  // namespace partita
