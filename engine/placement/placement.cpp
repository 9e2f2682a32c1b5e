#include "engine/placement/placement.h"

#include <algorithm>
#include <unordered_map>

#include "engine/annotators/annotator.h"
#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"
#include "engine/ops/registry.h"
#include "engine/rules/module_facts.h"

namespace partita {

namespace {

int16_t index_of(std::span<const BackendDescription> backends, std::string_view name) {
    for (size_t i = 0; i < backends.size(); ++i)
        if (backends[i].name == name) return int16_t(i);
    return Placement::kDefault;
}

Decision place_decision(DecisionKind kind, ExprId subject, int32_t backend, std::string rule, std::string terms = {}) {
    Decision decision;
    decision.pass = PassKind::Place;
    decision.kind = kind;
    decision.subject = subject;
    decision.backend = backend;
    decision.rule = std::move(rule);
    decision.detail = as_it_is(std::move(terms));
    return decision;
}

/// The calls to place, in graph order, and the only backend allowed for each where its function names one.
struct CallList {
    static constexpr int16_t kAny = -2;
    std::vector<ExprId> calls;
    std::vector<int16_t> only;  ///< by index into calls: a backend, kDefault (none of the given), or kAny
};

CallList list_calls(const Module& module, std::span<const BackendDescription> backends) {
    std::vector<ExprId> roots, composites;
    for (const GlobalFunction& global : module.functions())
        if (!is_opaque_function(module, global.function)) roots.push_back(global.function);
    std::vector<ExprId> order = post_order(module, roots);
    for (ExprId id : order)
        if (is_composite(module, id)) composites.push_back(module.body(id));
    std::vector<bool> inside_composite(composites.empty() ? 0 : module.size());
    if (!composites.empty())
        for (ExprId id : post_order(module, composites)) inside_composite[id.value] = true;

    CompilerNames names;
    MarkReader reader(module, names);
    CallList list;
    size_t root = 0, begin = 0;
    for (ExprId id : order) {
        bool placed = module.kind(id) == ExprKind::Call && reader.mark(id) == Mark::None &&
                      (inside_composite.empty() || !inside_composite[id.value]);
        if (placed) {
            list.calls.push_back(id);
            list.only.push_back(CallList::kAny);
        }
        if (root == roots.size() || id != roots[root]) continue;
        std::string_view compiler = module.function_info(id).string_attribute("compiler");
        if (!compiler.empty())
            std::fill(list.only.begin() + long(begin), list.only.end(), index_of(backends, compiler));
        begin = list.calls.size();
        ++root;
    }
    return list;
}

/// Evaluates the rules for a call.
class Judge {
public:
    Judge(const Module& module, std::span<const BackendDescription> backends, bool explain,
          std::vector<Decision>* verdicts)
        : module_(module), backends_(backends), explain_(explain), verdicts_(verdicts), facts_(module) {}

    /// Asks each annotator about all calls that it has rules for, at once.
    void ask_annotators(const CallList& list, const CancelToken& cancel) {
        answers_.resize(backends_.size());
        for (size_t i = 0; i < backends_.size(); ++i) {
            if (!backends_[i].running || backends_[i].whole_graph) continue;
            std::vector<AnnotatorQuestion> questions;
            std::vector<ExprId> calls;  // by question
            ModuleFacts* facts = &facts_;
            for (size_t k = 0; k < list.calls.size(); ++k) {
                const AskedCall asked = asked_call(backends_[i], module_, list.calls[k], &facts_);
                const OpRecord* op = asked.call.valid() ? called_op_record(asked.module, asked.call) : nullptr;
                if (!op || (list.only[k] != CallList::kAny && list.only[k] != int16_t(i))) continue;
                facts = asked.facts;
                const OpRule* rule = backends_[i].rule_for(*op);
                if (!rule || !rule->by_annotator) continue;
                questions.push_back({{asked.module.called_op(asked.call), -1}, asked.call});
                calls.push_back(list.calls[k]);
            }
            std::vector<AnnotatorAnswer> answers =
                facts->session(backends_[i].running).ask(questions, explain_, cancel);
            if (cancel.cancelled()) return;
            for (size_t k = 0; k < questions.size(); ++k) {
                if (answers[k].accepted && answers[k].group > 0)
                    groups_[module_.origin(calls[k])] = Placement::kFirstRuleGroup + answers[k].group;
                answers_[i].emplace(calls[k], std::move(answers[k]));
            }
        }
    }

    int16_t judge_call(ExprId call, int16_t only) {
        if (is_composite(module_, module_.callee(call))) return judge_composite(call, only);
        for (size_t i = 0; i < backends_.size(); ++i) {
            if (!backends_[i].has_rules() || (only != CallList::kAny && only != int16_t(i))) continue;
            Verdict verdict = judge_by(i, call);
            note(verdict, call, int32_t(i));
            if (verdict.supported()) return int16_t(i);
        }
        return Placement::kDefault;
    }

    const std::map<ExprId, int>& groups() const { return groups_; }

private:
    Verdict judge_by(size_t backend, ExprId call) {
        const auto answer = answers_[backend].find(call);
        if (answer != answers_[backend].end()) {
            const AskedCall asked = asked_call(backends_[backend], module_, call, nullptr);
            return verdict_of(called_op_record(asked.module, asked.call)->name, answer->second);
        }
        return judge(backends_[backend], module_, call, explain_, &facts_);
    }

    void note(Verdict& verdict, ExprId call, int32_t backend) {
        if (!verdicts_) return;
        DecisionKind kind = verdict.reason == Verdict::Reason::Accepted     ? DecisionKind::Accepted
                            : verdict.reason == Verdict::Reason::RuleFailed ? DecisionKind::RuleFailed
                                                                            : DecisionKind::NoRule;
        verdicts_->push_back(
            place_decision(kind, module_.origin(call), backend, std::move(verdict.rule), std::move(verdict.text)));
    }

    /// Returns the backend named by the first part of a composite's name.
    int16_t judge_composite(ExprId call, int16_t only) {
        std::string_view name = module_.function_info(module_.callee(call)).string_attribute("Composite");
        size_t dot = name.find('.');
        int16_t backend =
            dot == std::string_view::npos ? int16_t(Placement::kDefault) : index_of(backends_, name.substr(0, dot));
        if (only != CallList::kAny && backend != only) backend = Placement::kDefault;
        if (verdicts_) {
            DecisionKind kind = backend == Placement::kDefault ? DecisionKind::NoRule : DecisionKind::Accepted;
            verdicts_->push_back(place_decision(kind, module_.origin(call), backend, std::string(name)));
        }
        return backend;
    }

    const Module& module_;
    std::span<const BackendDescription> backends_;
    bool explain_;
    std::vector<Decision>* verdicts_;
    ModuleFacts facts_;
    std::vector<std::unordered_map<ExprId, AnnotatorAnswer>> answers_;  ///< by backend: what annotators said
    std::map<ExprId, int> groups_;
};

/// Applies overrides, and what follows from the placement of others, to the verdicts of the rules.
class Adjuster {
public:
    Adjuster(const Module& module, std::span<const BackendDescription> backends, std::span<const ExprId> calls,
             Placement& placement, DecisionLog* log)
        : module_(module), backends_(backends), calls_(calls), placement_(placement), log_(log) {}

    void apply(const Overrides& overrides) {
        if (overrides.empty()) return;
        overridden_.resize(module_.size());
        for (ExprId call : calls_) {
            auto found = find(overrides, call);
            if (found == overrides.end()) continue;
            placement_.backend_of[call.value] = index_of(backends_, found->second);
            overridden_[call.value] = true;
            if (!log_) continue;
            Decision decision = place_decision(DecisionKind::Overridden, module_.origin(call),
                                               placement_.backend_of[call.value], "", found->second);
            if (found->first != decision.subject) decision.other = found->first;  // it takes its composite along
            log_->add(std::move(decision));
        }
    }

    void let_transparent_ops_follow() {
        std::vector<ExprId> waiting;
        for (ExprId call : calls_)
            if (is_candidate(call) && !follow_operand(call)) waiting.push_back(call);
        if (waiting.empty()) return;
        UserTable users(module_, order());
        for (size_t i = waiting.size(); i-- > 0;) follow_users(waiting[i], users.users(waiting[i]));
    }

private:
    /// Returns the override of a call; for a composite, also that of a call inside it.
    Overrides::const_iterator find(const Overrides& overrides, ExprId call) const {
        auto found = overrides.find(module_.origin(call));
        if (found != overrides.end() || !is_composite(module_, module_.callee(call))) return found;
        for (ExprId inner : post_order(module_, module_.body(module_.callee(call)))) {
            if (module_.kind(inner) != ExprKind::Call) continue;
            found = overrides.find(module_.origin(inner));
            if (found != overrides.end()) break;
        }
        return found;
    }

    bool is_candidate(ExprId call) const {
        if (placement_.backend_of[call.value] != Placement::kDefault || module_.operands(call).size() != 2)
            return false;
        if (!overridden_.empty() && overridden_[call.value]) return false;
        const OpRecord* op = called_op_record(module_, call);
        return op && std::any_of(backends_.begin(), backends_.end(),
                                 [&](const BackendDescription& backend) { return backend.is_transparent(op->name); });
    }

    bool accepts(int16_t backend, ExprId call) const {
        return backend >= 0 && backends_[size_t(backend)].is_transparent(called_op_record(module_, call)->name);
    }

    bool follow_operand(ExprId call) {
        ExprId operand = module_.arguments(call)[0];
        while (module_.kind(operand) == ExprKind::Projection) operand = module_.operands(operand)[0];
        if (module_.kind(operand) != ExprKind::Call) return false;
        return follow(call, placement_.backend_of[operand.value]);
    }

    bool follow_users(ExprId call, std::span<const ExprId> users) {
        if (users.empty()) return false;
        int16_t common = placement_.backend_of[users[0].value];
        for (ExprId user : users)
            if (module_.kind(user) != ExprKind::Call || placement_.backend_of[user.value] != common) return false;
        return follow(call, common);
    }

    bool follow(ExprId call, int16_t backend) {
        if (!accepts(backend, call)) return false;
        placement_.backend_of[call.value] = backend;
        if (log_) log_->add(place_decision(DecisionKind::Inherited, module_.origin(call), backend, "transparent"));
        return true;
    }

    std::vector<ExprId> order() const {
        std::vector<ExprId> roots;
        for (const GlobalFunction& global : module_.functions()) roots.push_back(global.function);
        return post_order(module_, roots);
    }

    const Module& module_;
    std::span<const BackendDescription> backends_;
    std::span<const ExprId> calls_;
    Placement& placement_;
    DecisionLog* log_;
    std::vector<bool> overridden_;
};

Placement empty_placement(std::span<const BackendDescription> backends) {
    Placement placement;
    for (const BackendDescription& backend : backends) placement.backends.push_back(backend.name);
    return placement;
}

}  // namespace

Placement place(const Module& module, std::span<const BackendDescription> backends, const Overrides& overrides,
                DecisionLog* log, const CancelToken& cancel) {
    CallList list = list_calls(module, backends);
    Placement placement = empty_placement(backends);
    placement.backend_of.assign(module.size(), Placement::kDefault);
    std::vector<Decision> verdicts;
    Judge judge(module, backends, log != nullptr, log ? &verdicts : nullptr);
    judge.ask_annotators(list, cancel);
    if (cancel.cancelled()) return placement;
    for (size_t i = 0; i < list.calls.size(); ++i)
        placement.backend_of[list.calls[i].value] = judge.judge_call(list.calls[i], list.only[i]);
    placement.groups = judge.groups();
    if (log)
        for (Decision& verdict : verdicts) log->add(std::move(verdict));
    Adjuster adjuster(module, backends, list.calls, placement, log);
    adjuster.apply(overrides);
    adjuster.let_transparent_ops_follow();
    return placement;
}

Placer::Placer(ModulePtr module, std::span<const BackendDescription> backends, const CancelToken& cancel)
    : module_(std::move(module)), backends_(backends.begin(), backends.end()) {
    CallList list = list_calls(*module_, backends_);
    by_rules_.assign(module_->size(), Placement::kDefault);
    Judge judge(*module_, backends_, true, &verdicts_);
    judge.ask_annotators(list, cancel);
    for (size_t i = 0; i < list.calls.size() && !cancel.cancelled(); ++i) {
        by_rules_[list.calls[i].value] = judge.judge_call(list.calls[i], list.only[i]);
    }
    calls_ = std::move(list.calls);
    groups_ = judge.groups();
}

Placement Placer::place(const Overrides& overrides, DecisionLog* log) const {
    Placement placement = empty_placement(backends_);
    placement.backend_of = by_rules_;
    placement.groups = groups_;
    if (log) {
        log->expect(verdicts_.size());
        for (const Decision& verdict : verdicts_) log->add(verdict);
    }
    Adjuster adjuster(*module_, backends_, calls_, placement, log);
    adjuster.apply(overrides);
    adjuster.let_transparent_ops_follow();
    return placement;
}

Status verify_placement(const Placement& placement, const Module& module) {
    if (placement.backend_of.size() != module.size()) return error("unsound placement: it is of another module");
    for (int16_t backend : placement.backend_of)
        if (backend != Placement::kDefault && (backend < 0 || size_t(backend) >= placement.backends.size()))
            return error("unsound placement: there is no backend " + std::to_string(backend));
    return Nothing();
}

}  // namespace partita
