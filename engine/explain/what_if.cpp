#include "engine/explain/what_if.h"

#include "engine/explain/what_if_float16.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "engine/flow/region_names.h"
#include "engine/ops/cost.h"
#include "engine/ops/registry.h"
#include "engine/passes/region_limits.h"
#include "engine/rules/module_facts.h"

namespace partita {

namespace {

/// Collects the causes that a change of the rules would remove; for each op that several causes keep from a backend,
/// all of them as one; the limits that had an effect; and calls that another backend could take.
class Candidates {
    using Kind = RuleChange::Kind;

public:
    /// `merges` has the merges that limits refused.
    Candidates(const FlowResult& flow, const FlowOptions& options, const DecisionLog& merges)
        : flow_(flow), backends_(options.backends), cancel_(options.cancel), merges_(merges) {}

    /// Returns causes with the most calls first, limits before all.
    std::vector<WhatIf> find() {
        add_limits();
        const size_t limits = list_.size();
        add_causes();
        add_moves();
        std::stable_sort(list_.begin() + long(limits), list_.end(),
                         [](const WhatIf& a, const WhatIf& b) { return a.cause.calls.size() > b.cause.calls.size(); });
        return std::move(list_);
    }

private:
    void add(CoverageCause cause, std::vector<RuleChange> changes) {
        const auto same = [&](const WhatIf& known) { return known.changes == changes; };
        if (std::any_of(list_.begin(), list_.end(), same)) return;
        WhatIf entry;
        entry.cause = std::move(cause);
        entry.changes = std::move(changes);
        list_.push_back(std::move(entry));
    }

    void add_causes() {
        std::map<std::pair<int, std::string>, std::vector<const CoverageCause*>> kinds;
        const std::vector<CoverageCause> causes = report_coverage(flow_, backends_, cancel_).causes;
        for (const CoverageCause& cause : causes) {
            if (cause.remedy.empty()) continue;
            if (cause.remedy[0].kind == Kind::Op) kinds[{cause.backend, cause.op}].push_back(&cause);
            add(cause, cause.remedy);
            if (cause.remedy[0].kind == Kind::Condition) add_inverted(cause);
        }
        for (const auto& [key, parts] : kinds)
            if (parts.size() > 1) add(all_of(parts), {{Kind::Op, key.first, key.second}});
    }

    /// A condition in Python may be the wrong way round.
    void add_inverted(CoverageCause cause) {
        std::vector<RuleChange> changes;
        for (const RuleChange& change : cause.remedy)
            if (auto inverted = change_of_condition(backends_, change.backend, change.place, true))
                changes.push_back(std::move(*inverted));
        cause.reason = {SENTENCE("Engine", "inverted: %1"), {cause.reason}};
        add(std::move(cause), std::move(changes));
    }

    static CoverageCause all_of(std::span<const CoverageCause* const> parts) {
        CoverageCause all;
        all.reason = {SENTENCE("Engine", "every %1"), {parts[0]->op}};
        all.backend = parts[0]->backend;
        all.op = parts[0]->op;
        for (const CoverageCause* part : parts) {
            all.calls.insert(all.calls.end(), part->calls.begin(), part->calls.end());
            all.flops += part->flops;
        }
        return all;
    }

    /// The effects of one backend's limits in the log.
    struct MetLimits {
        std::set<ExprId> calls;
        std::set<std::string> dropped;                   ///< limits that regions exceeded, as Decision::rule
        std::map<std::string, std::set<double>> wanted;  ///< by limit: what the refused merges would need
    };

    void add_limits() {
        std::vector<MetLimits> met(backends_.size());
        const auto note = [&](const Decision& decision, int backend) {
            if (backend < 0) return;
            MetLimits& limits = met[size_t(backend)];
            for (ExprId id : {decision.subject, decision.other})
                if (id.valid()) limits.calls.insert(id);
            if (decision.kind == DecisionKind::SizeLimit) limits.dropped.insert(decision.rule);
            if (const std::optional<ExceededLimit> exceeded = exceeded_limit(decision.detail))
                limits.wanted[exceeded->limit].insert(exceeded->count);
        };
        for (const Decision& decision : flow_.log.decisions())
            if (decision.kind == DecisionKind::SizeLimit) note(decision, decision.backend);
        for (const Decision& decision : merges_.decisions())
            if (decision.kind == DecisionKind::MergeLimit) note(decision, index_of(decision.rule));
        for (int i = 0; i < int(backends_.size()); ++i) add_limits_of(i, met[size_t(i)]);
    }

    void add_limits_of(int backend, const MetLimits& met) {
        const auto change = [&](const char* name, double value, Sentence reason) {
            CoverageCause cause;
            cause.reason = std::move(reason);
            cause.backend = backend;
            cause.calls.assign(met.calls.begin(), met.calls.end());
            add(std::move(cause), {{Kind::Limit, backend, name, "", value}});
        };
        const auto drop = [&](const char* name) {
            const auto names_it = [&](const std::string& limits) {
                return (", " + limits + ",").find(std::string(", ") + name + ",") != std::string::npos;
            };
            if (std::none_of(met.dropped.begin(), met.dropped.end(), names_it)) return;
            // A region of its own has one call.
            const bool lower = std::string_view(name) == "min_ops" && backends_[size_t(backend)].limits.min_ops > 1;
            if (lower) change(name, 1, {SENTENCE("Engine", "lower %1 to %2"), {name, "1"}});
            else change(name, 0, {SENTENCE("Engine", "drop %1"), {name}});
        };
        const auto raise = [&](const char* name, double value) {
            change(name, value, {SENTENCE("Engine", "raise %1 to %2"), {name, std::to_string(int64_t(value))}});
        };
        const auto loosen = [&](const char* name) {
            drop(name);
            const auto wanted = met.wanted.find(name);
            if (wanted == met.wanted.end()) return;
            raise(name, *wanted->second.begin());
            raise(name, *wanted->second.rbegin());
        };
        loosen("max_inputs");
        loosen("max_outputs");
        loosen("max_weight_bytes");
        loosen("max_live_bytes");
        drop("weight_bytes");
        const RegionLimits& limits = backends_[size_t(backend)].limits;
        if (met.dropped.count("weight_bytes")) raise("weight_bytes", 2 * limits.weight_bytes);
        drop("min_ops");
        drop("min_flops");
    }

    int index_of(const std::string& name) const {
        for (size_t i = 0; i < backends_.size(); ++i)
            if (backends_[i].name == name) return int(i);
        return -1;
    }

    /// Adds, for each op, the calls that a backend took by its rule, given to each other backend.
    void add_moves() {
        std::map<std::pair<int, std::string>, std::vector<ExprId>> taken;
        for (const Decision& decision : flow_.log.decisions()) {
            if (decision.kind != DecisionKind::Accepted || !decision.rule.starts_with("ops.")) continue;
            if (flow_.backend_of[decision.subject.value] != decision.backend) continue;
            taken[{decision.backend, decision.rule.substr(4)}].push_back(decision.subject);
        }
        ModuleFacts facts(*flow_.input);
        for (const auto& [key, calls] : taken)
            for (int to = 0; to < int(backends_.size()); ++to)
                if (to != key.first) add_move(key.first, to, key.second, calls, facts);
    }

    void add_move(int from, int to, const std::string& op, const std::vector<ExprId>& calls, ModuleFacts& facts) {
        const BackendDescription &source = backends_[size_t(from)], &target = backends_[size_t(to)];
        const bool supported = std::all_of(calls.begin(), calls.end(), [&](ExprId call) {
            return judge(target, *flow_.input, call, false, &facts).supported();
        });
        CoverageCause cause;
        cause.reason = {supported ? SENTENCE("Engine", "%1: %2 → %3") : SENTENCE("Engine", "%1: %2 → %3, a new rule"),
                        {op, source.name, target.name}};
        cause.backend = to;
        cause.op = op;
        cause.calls = calls;
        for (ExprId call : calls) cause.flops += call_flops(*flow_.input, call);
        std::vector<RuleChange> changes;
        if (from < to) changes.push_back({Kind::Op, from, op, "false"});  // else it would be asked first
        if (!supported) changes.push_back({Kind::Op, to, op});
        if (!changes.empty()) add(std::move(cause), std::move(changes));
    }

    const FlowResult& flow_;
    std::span<const BackendDescription> backends_;
    const CancelToken cancel_;
    const DecisionLog& merges_;
    std::vector<WhatIf> list_;
};

/// Runs a flow's module again with other descriptions.
class Trials {
public:
    Trials(const FlowResult& flow, const FlowOptions& options) : input_(flow.input), options_(options) {
        options_.lower = options_.simplify = false;  // the input is its result
        options_.until = FlowStage::Partition;
    }

    Result<FlowResult> run(std::span<const RuleChange> changes, bool log) const {
        Result<std::vector<BackendDescription>> changed = with_changes(options_.backends, changes);
        if (!changed) return changed.error();
        FlowOptions options = options_;
        options.backends = std::move(*changed);
        options.log_decisions = log;
        return run_flow(input_, options);
    }

    Status measure(WhatIf& entry, const FlowFigures& before) const {
        Result<FlowResult> flow = run(entry.changes, false);
        if (!flow) return flow.error();
        entry.before = before;
        entry.after = figures_of(*flow);
        return Nothing();
    }

private:
    ModulePtr input_;
    FlowOptions options_;
};

/// Returns the flow before it drops regions that are too small: afterwards their possible merges are lost. Nothing if
/// it drops no region.
Result<std::optional<FlowResult>> before_dropping(const Trials& trials, const FlowOptions& options) {
    std::vector<RuleChange> none;
    for (int i = 0; i < int(options.backends.size()); ++i) {
        const RegionLimits& limits = options.backends[size_t(i)].limits;
        if (limits.min_ops > 0) none.push_back({RuleChange::Kind::Limit, i, "min_ops"});
        if (limits.min_flops > 0) none.push_back({RuleChange::Kind::Limit, i, "min_flops"});
        if (limits.weight_bytes > 0) none.push_back({RuleChange::Kind::Limit, i, "weight_bytes"});
    }
    if (none.empty()) return std::optional<FlowResult>();
    Result<FlowResult> flow = trials.run(none, true);
    if (!flow) return flow.error();
    return std::optional<FlowResult>(std::move(*flow));
}

/// Returns the improvement by an entry, the goal's own figure first.
std::array<double, 4> worth(const WhatIf& entry, WhatIfGoal goal) {
    const double regions = entry.regions_gone(), bytes = entry.bytes_gone(), calls = entry.calls_gained(),
                 flops = entry.flops_gained();
    switch (goal) {
        case WhatIfGoal::Regions: break;
        case WhatIfGoal::Boundary: return {bytes, regions, calls, flops};
        case WhatIfGoal::Calls: return {calls, regions, bytes, flops};
        case WhatIfGoal::Work: return {flops, regions, bytes, calls};
    }
    return {regions, bytes, calls, flops};
}

/// Fewer regions because a backend has fewer calls are no gain; nor are gains in the lesser figures only.
bool is_gain(const WhatIf& entry, WhatIfGoal goal) {
    const std::array<double, 4> figures = worth(entry, goal);
    return entry.calls_gained() >= 0 && std::pair(figures[0], figures[1]) > std::pair(0.0, 0.0);
}

/// Returns those two of the best of `list` that together gain the most; none if none gain.
Result<std::vector<WhatIf>> best_pair(const Trials& trials, std::span<const WhatIf> list, WhatIfGoal goal) {
    constexpr size_t kTried = 10;
    std::vector<WhatIf> best;
    std::optional<WhatIf> best_sum;
    list = list.first(std::min(list.size(), kTried));
    for (size_t i = 0; i < list.size(); ++i)
        for (size_t k = i + 1; k < list.size(); ++k) {
            WhatIf sum;
            sum.changes = list[i].changes;
            for (const RuleChange& change : list[k].changes) sum.changes.push_back(change);
            if (Status measured = trials.measure(sum, list[i].before); !measured) continue;  // of one line, both
            if (!is_gain(sum, goal) || (best_sum && !is_better(sum, *best_sum, goal))) continue;
            best_sum = sum;
            best = {list[i], list[k]};
            best[1].before = best[0].after;
            best[1].after = sum.after;
        }
    return best;
}

}  // namespace

FlowFigures figures_of(const FlowResult& flow) {
    FlowFigures figures;
    figures.regions = int(flow.regions.size());
    for (const RegionInfo& region : flow.regions) figures.boundary_bytes += region.boundary_bytes;
    const Module& module = *flow.input;
    for (uint32_t i = 0; i < flow.backend_of.size(); ++i) {
        if (flow.backend_of[i] < 0 || !computed_op(module, ExprId(i))) continue;
        ++figures.calls;
        figures.flops += call_flops(module, ExprId(i));
    }
    return figures;
}

std::span<const std::string_view> goal_names() {
    static constexpr std::string_view kNames[] = {"regions", "boundary", "calls", "work"};
    return kNames;
}

bool is_better(const WhatIf& a, const WhatIf& b, WhatIfGoal goal) { return worth(a, goal) > worth(b, goal); }

namespace {

/// The best are not first.
Result<std::vector<WhatIf>> changes_of_rules(const FlowResult& flow, const FlowOptions& options, size_t most) {
    if (flow.annotated_before) return std::vector<WhatIf>();  // no rule was evaluated
    const Trials trials(flow, options);
    const Result<std::optional<FlowResult>> whole = before_dropping(trials, options);
    if (!whole) return whole.error();
    std::vector<WhatIf> list = Candidates(flow, options, *whole ? (*whole)->log : flow.log).find();
    if (list.size() > most) list.resize(most);
    const FlowFigures before = figures_of(flow);
    for (WhatIf& entry : list) {
        const Status measured = trials.measure(entry, before);
        if (options.cancel.cancelled()) return error("cancelled");
        if (measured) continue;
        if (entry.changes.front().kind != RuleChange::Kind::Condition) return measured.error();
        entry.changes.clear();  // a file that does not run so
    }
    std::erase_if(list, [](const WhatIf& entry) { return entry.changes.empty(); });
    return list;
}

void sort(std::vector<WhatIf>& list, WhatIfGoal goal) {
    std::stable_sort(list.begin(), list.end(),
                     [goal](const WhatIf& a, const WhatIf& b) { return is_better(a, b, goal); });
}

}  // namespace

Result<std::vector<WhatIf>> what_if(const FlowResult& flow, const FlowOptions& options, WhatIfGoal goal, size_t most) {
    Result<std::vector<WhatIf>> list = changes_of_rules(flow, options, most);
    if (!list) return list;
    Result<std::vector<WhatIf>> of_constants = what_if_float16(flow, options);
    if (!of_constants) return of_constants;
    std::move(of_constants->begin(), of_constants->end(), std::back_inserter(*list));
    sort(*list, goal);
    return list;
}

Result<std::vector<WhatIf>> best_changes(const FlowResult& flow, const FlowOptions& options, size_t count,
                                         WhatIfGoal goal) {
    std::vector<WhatIf> chosen;
    FlowOptions now = options;
    std::optional<FlowResult> made;  // with the changes chosen so far
    while (chosen.size() < count) {
        const FlowResult& current = made ? *made : flow;
        const Trials trials(current, now);
        Result<std::vector<WhatIf>> list = changes_of_rules(current, now, kMostWhatIfs);
        if (!list) return list;
        sort(*list, goal);
        std::vector<WhatIf> next;
        const auto found =
            std::find_if(list->begin(), list->end(), [goal](const WhatIf& entry) { return is_gain(entry, goal); });
        if (found != list->end()) {
            next = {*found};
        } else if (chosen.size() + 2 <= count) {
            Result<std::vector<WhatIf>> pair = best_pair(trials, *list, goal);
            if (!pair) return pair;
            next = std::move(*pair);
        }
        if (next.empty()) break;
        std::vector<RuleChange> changes;
        for (const WhatIf& entry : next) changes.insert(changes.end(), entry.changes.begin(), entry.changes.end());
        Result<FlowResult> flow_then = trials.run(changes, true);
        if (!flow_then) return flow_then.error();
        now.backends = *with_changes(now.backends, changes);
        now.lower = now.simplify = now.fold = false;
        made = std::move(*flow_then);
        std::move(next.begin(), next.end(), std::back_inserter(chosen));
    }
    return chosen;
}

}  // namespace partita
