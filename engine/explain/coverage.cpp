#include "engine/explain/coverage.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "engine/explain/alike_calls.h"
#include "engine/explain/explain.h"
#include "engine/flow/region_names.h"
#include "engine/flow/reported_division.h"
#include "engine/ir/function_uses.h"
#include "engine/ops/cost.h"
#include "engine/ops/registry.h"

namespace partita {

namespace {

void add(CoverageShare& to, const CoverageShare& share) {
    to.calls += share.calls;
    to.flops += share.flops;
    to.parameter_bytes += share.parameter_bytes;
    to.time_us += share.time_us;
}

std::string stated(std::span<const RuleTerm> terms) {
    std::string text;
    for (const RuleTerm& term : terms) text += (text.empty() ? "" : " and ") + term.stated(false);
    return text;
}

/// Returns the first alternative, which stands for all.
std::span<const RuleTerm> first_alternative(std::span<const RuleTerm> terms) {
    const auto is_other = [](const RuleTerm& term) { return term.alternative > 0; };
    return terms.first(size_t(std::find_if(terms.begin(), terms.end(), is_other) - terms.begin()));
}

/// Returns the cause's reason without values, so that equal causes of different calls are counted together.
Sentence reason_of(const CallCause& cause, const std::string& op) {
    switch (cause.kind) {
        case CallCause::Kind::NoRule:
            if (!cause.rule.empty()) return {"%1: %2", {op, cause.reason}};
            return {SENTENCE("Engine", "no rule for %1"), {op}};
        case CallCause::Kind::Overridden: return {SENTENCE("Engine", "%1: kept by hand"), {op}};
        case CallCause::Kind::ByCost: return {SENTENCE("Engine", "%1: costs least on default"), {op}};
        case CallCause::Kind::Annotated: return {SENTENCE("Engine", "%1: not annotated in the file"), {op}};
        case CallCause::Kind::SizeLimit: return {SENTENCE("Engine", "%1: outside the limits of regions"), {op}};
        case CallCause::Kind::RuleFailed:
            if (!cause.place.empty()) return {"%1: %2", {op, cause.place}};
            return {"%1: %2", {op, stated(first_alternative(cause.terms))}};
        default: return {"%1: %2", {op, cause.reason}};
    }
}

class Reporter {
public:
    Reporter(const FlowResult& flow, std::span<const BackendDescription> backends, const CancelToken& cancel)
        : flow_(flow), backends_(backends), module_(*flow.input), cancel_(cancel), explainer_(flow, backends),
          uses_(module_), counted_(module_.size()) {
        explainer_.set_cancel(cancel);
    }

    CoverageReport report() {
        for (const BackendDescription& backend : backends_) report_.backends.push_back({backend.name, {}, 0, 0, 0});
        report_.backends.push_back({"default", {}, 0, 0, 0});
        report_.has_times = flow_.reported && flow_.reported->has_times;
        for (ExprId call : explainer_.names().calls()) {
            if (cancel_.cancelled()) break;
            if (const OpRecord* op = computed_op(module_, call)) count_call(call, *op);
        }
        for (const Decision& decision : flow_.log.decisions()) {
            if (cancel_.cancelled()) break;
            if (decision.kind == DecisionKind::PatternRefused) count_refused_match(decision);
        }
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
        const std::span<const ExprId> arguments = module_.arguments(call);
        std::vector<ExprId> open(arguments.begin(), arguments.end());
        while (!open.empty()) {
            const ExprId argument = open.back();
            open.pop_back();
            const bool is_parameter = uses_.is_parameter(argument);
            if ((!is_parameter && module_.kind(argument) != ExprKind::Constant) || counted_[argument.value]) continue;
            counted_[argument.value] = true;
            const std::vector<ExprId> given = is_parameter ? uses_.given_to(argument) : std::vector<ExprId>();
            if (given.empty()) bytes += type_bytes(module_.types(), module_.type(argument));
            open.insert(open.end(), given.begin(), given.end());
        }
        return bytes;
    }

    /// Returns the time in a run of the node that the call is of, once for each node.
    double time_us(ExprId call) {
        const ReportedNode* node = flow_.reported ? flow_.reported->find(module_, call) : nullptr;
        return node && node->time_us > 0 && timed_.insert(node).second ? node->time_us / flow_.reported->runs : 0;
    }

    void count_call(ExprId call, const OpRecord& op) {
        const int64_t times = uses_.times(call);
        CoverageShare share{times, double(times) * call_flops(module_, call), parameter_bytes(call), time_us(call)};
        size_t column = column_of(call);
        add(report_.total, share);
        add(report_.backends[column].share, share);
        OpCoverage& row = ops_[op.name];
        row.op = op.name;
        row.backends.resize(report_.backends.size());
        add(row.total, share);
        add(row.backends[column], share);
        const bool fell_back = flow_.reported && column < backends_.size() && backends_.size() > 1 &&
                               backends_[column].name == flow_.reported->last_resort();
        if (column == backends_.size() || fell_back) count_causes(call, op, share);
    }

    void count_causes(ExprId call, const OpRecord& op, const CoverageShare& share) {
        CallExplanation explanation = explainer_.explain_call(call, FlowExplainer::Patterns::None);
        // A choice of a person or of the file overrides all rules.
        const auto choice =
            std::find_if(explanation.causes.begin(), explanation.causes.end(), [](const CallCause& cause) {
                return cause.kind == CallCause::Kind::Overridden || cause.kind == CallCause::Kind::ByCost ||
                       cause.kind == CallCause::Kind::Annotated;
            });
        if (choice != explanation.causes.end()) {
            kept_by_hand_.insert(call);
            explanation.causes = {*choice};
        }
        std::set<int> counted;
        for (const CallCause& cause : explanation.causes) {
            bool follows = cause.kind == CallCause::Kind::Transparent;
            // A backend that accepts the call is no cause.
            bool accepted = cause.kind == CallCause::Kind::Accepted || cause.kind == CallCause::Kind::Composite;
            if (follows || accepted || !counted.insert(cause.backend).second) continue;
            const std::string& name = asked_name(cause.backend, call, op);
            Sentence reason = reason_of(cause, name);
            CoverageCause& entry = causes_[{cause.backend, reason.text()}];
            entry.reason = std::move(reason);
            entry.backend = cause.backend;
            entry.op = name;
            entry.line = cause.line;
            if (cause.kind == CallCause::Kind::RuleFailed && !cause.place.empty()) add_condition(cause, entry);
            else if (entry.calls.empty()) entry.remedy = remedy_of(cause, name);
            entry.calls.push_back(call);
            entry.flops += share.flops;
            entry.time_us += share.time_us;
        }
    }

    /// The operator that a backend is asked about: that of the call, or of the file.
    const std::string& asked_name(int backend, ExprId call, const OpRecord& op) const {
        if (backend < 0) return op.name;
        const AskedCall asked = asked_call(backends_[size_t(backend)], module_, call, nullptr);
        const OpRecord* stated = asked.call.valid() ? called_op_record(asked.module, asked.call) : nullptr;
        return stated ? stated->name : op.name;
    }

    std::vector<RuleChange> remedy_of(const CallCause& cause, const std::string& op) const {
        if (cause.kind == CallCause::Kind::NoRule && cause.rule.empty())
            return {{RuleChange::Kind::Op, cause.backend, op}};
        if (cause.kind != CallCause::Kind::RuleFailed) return {};
        // The rule may be that for `opaque`, which is asked about every operator that nobody knows.
        const auto& ops = backends_[size_t(cause.backend)].ops;
        const auto asked = ops.find(ops.contains(op) ? op : "opaque");
        if (asked == ops.end()) return {};
        const std::string& rule = asked->second.text;
        return {
            {RuleChange::Kind::Op, cause.backend, asked->first, without_terms(rule, first_alternative(cause.terms))}};
    }

    /// Adds the condition in Python that decided, where another one of the same line is not enough. The last of a file
    /// comes first, so that a change moves no other.
    void add_condition(const CallCause& cause, CoverageCause& entry) const {
        std::optional<RuleChange> change = change_of_condition(backends_, cause.backend, cause.condition, false);
        if (!change || std::find(entry.remedy.begin(), entry.remedy.end(), *change) != entry.remedy.end()) return;
        const auto later = [&change](const RuleChange& other) { return other.place.span < change->place.span; };
        entry.remedy.insert(std::find_if(entry.remedy.begin(), entry.remedy.end(), later), std::move(*change));
    }

    /// Counts the calls of the match that no other backend or match took.
    void count_refused_match(const Decision& match) {
        std::vector<ExprId> left;
        for (ExprId call : match.path)
            if (computed_op(module_, call) && flow_.backend_of[call.value] < 0 && !kept_by_hand_.count(call))
                left.push_back(call);
        if (left.empty()) return;
        const CallCause cause = explainer_.explain_match(match);
        const std::span<const RuleTerm> terms = first_alternative(cause.terms);
        const bool by_check = match.refusal == PatternRefusal::CheckFalse;
        Sentence reason = reason_of_match(cause, terms);
        CoverageCause& entry = causes_[{cause.backend, reason.text()}];
        if (!entry.matches++) {
            entry.backend = cause.backend;
            entry.op = called_op_record(module_, match.subject) ? called_op_record(module_, match.subject)->name : "";
            if (by_check && cause.place.empty())
                entry.remedy = {{RuleChange::Kind::Check, cause.backend, match.rule, check_without(cause, terms)}};
            entry.line = cause.line;
            entry.reason = std::move(reason);
        }
        if (by_check && !cause.place.empty()) add_condition(cause, entry);
        entry.calls.insert(entry.calls.end(), left.begin(), left.end());  // matches may share some: see finish
    }

    /// Without the names of the match, so that matches with the same reason are counted together.
    static Sentence reason_of_match(const CallCause& cause, std::span<const RuleTerm> terms) {
        if (cause.refusal == PatternRefusal::UsedElsewhere)
            return {SENTENCE("Engine", "%1: an expression inside is used elsewhere"), {cause.rule}};
        if (cause.refusal == PatternRefusal::InOtherMatch)
            return {SENTENCE("Engine", "%1: another match of it has a part"), {cause.rule}};
        if (!cause.place.empty()) return {"%1: %2", {cause.rule, cause.place}};
        if (terms.empty()) return {SENTENCE("Engine", "%1: its check"), {cause.rule}};
        return {"%1: %2", {cause.rule, stated(terms)}};
    }

    std::string check_without(const CallCause& cause, std::span<const RuleTerm> terms) const {
        for (const CompositePattern& pattern : backends_[size_t(cause.backend)].patterns)
            if (pattern.name == cause.rule && !terms.empty()) return without_terms(pattern.check_text, terms);
        return "true";
    }

    void count_region(const RegionInfo& region) {
        size_t column = region.backend < 0 ? backends_.size() : size_t(region.backend);
        BackendCoverage& backend = report_.backends[column];
        const int64_t times = region.expressions.empty() ? 1 : uses_.times(region.expressions.front());
        ++backend.regions;
        backend.boundary_tensors += times * (region.inputs + region.outputs);
        backend.boundary_bytes += double(times) * region.boundary_bytes;
    }

    void finish() {
        for (auto& [_, row] : ops_) report_.ops.push_back(std::move(row));
        std::stable_sort(report_.ops.begin(), report_.ops.end(),
                         [](const OpCoverage& a, const OpCoverage& b) { return a.total.calls > b.total.calls; });
        const ModuleBlocks blocks(module_);
        for (auto& [_, cause] : causes_) {
            if (cause.matches > 0) count_each_once(cause);
            cause.where = spread_over_blocks(cause.calls, blocks);
            report_.causes.push_back(std::move(cause));
        }
        std::stable_sort(
            report_.causes.begin(), report_.causes.end(),
            [](const CoverageCause& a, const CoverageCause& b) { return a.calls.size() > b.calls.size(); });
    }

    void count_each_once(CoverageCause& cause) const {
        std::sort(cause.calls.begin(), cause.calls.end());
        cause.calls.erase(std::unique(cause.calls.begin(), cause.calls.end()), cause.calls.end());
        for (ExprId call : cause.calls) cause.flops += double(uses_.times(call)) * call_flops(module_, call);
    }

    const FlowResult& flow_;
    std::span<const BackendDescription> backends_;
    const Module& module_;
    const CancelToken cancel_;
    FlowExplainer explainer_;
    const FunctionUses uses_;
    std::vector<bool> counted_;  ///< parameters and constants, by ExprId
    std::set<const ReportedNode*> timed_;
    std::unordered_set<ExprId> kept_by_hand_;  ///< or by the file's annotations
    std::map<std::string, OpCoverage> ops_;
    std::map<std::pair<int, std::string>, CoverageCause> causes_;
    CoverageReport report_;
};

}  // namespace

Sentence CoverageCause::words() const {
    if (matches == 0) return reason;
    if (matches == 1) return {SENTENCE("Engine", "%1, 1 match"), {reason}};
    return {SENTENCE("Engine", "%1, %2 matches"), {reason, std::to_string(matches)}};
}

CoverageReport report_coverage(const FlowResult& flow, std::span<const BackendDescription> backends,
                               const CancelToken& cancel) {
    return Reporter(flow, backends, cancel).report();
}

namespace {

/// Returns why a call is not on a backend: what kept it away, or else where it is.
std::string why_elsewhere(const CallExplanation& explanation, const FlowExplainer& explainer,
                          std::string_view backend) {
    using Kind = CallCause::Kind;
    for (const CallCause& cause : explanation.causes) {
        const std::string to = explainer.backend_name(cause.backend);
        if (cause.kind == Kind::Annotated || cause.kind == Kind::Partitioner) return cause.reason.text();
        if (cause.kind == Kind::Overridden) return "it was given to " + to + " by hand";
        if (cause.kind == Kind::ByCost) return "it was given to " + to + " by measured cost";
    }
    for (const CallCause& cause : explanation.causes) {
        const bool takes =
            cause.kind == Kind::Accepted || cause.kind == Kind::Composite || cause.kind == Kind::Transparent;
        if (!takes && explainer.backend_name(cause.backend) == backend) return cause.reason.text();
    }
    return "it went to " + explainer.backend_name(explanation.backend);
}

}  // namespace

std::vector<UnmetRequirement> check_required(const FlowResult& flow, std::span<const BackendDescription> backends,
                                             std::string_view backend, std::string_view selector) {
    FlowExplainer explainer(flow, backends);
    const Module& module = *flow.input;
    std::vector<UnmetRequirement> unmet;
    std::vector<ExprId> calls = selector.empty() ? explainer.names().calls() : explainer.names().select(selector);
    for (ExprId call : calls) {
        if (!computed_op(module, call) || explainer.backend_name(flow.backend_of[call.value]) == backend) continue;
        CallExplanation explanation = explainer.explain_call(call, FlowExplainer::Patterns::None);
        const std::string why = why_elsewhere(explanation, explainer, backend);
        unmet.push_back({call, explainer.names().name(call) + " is not on " + std::string(backend) + ": " + why});
    }
    return unmet;
}

}  // namespace partita
