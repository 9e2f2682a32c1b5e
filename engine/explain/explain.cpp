#include "engine/explain/explain.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/flow/describe.h"
#include "engine/flow/region_names.h"
#include "engine/flow/reported_division.h"
#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"
#include "engine/ops/registry.h"
#include "engine/partitioners/partitioner.h"
#include "engine/passes/merge_composite.h"
#include "engine/rules/annotated_backend.h"
#include "engine/rules/pattern_matcher.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

std::string_view refusal_name(PatternRefusal refusal) {
    switch (refusal) {
        case PatternRefusal::None: return "";
        case PatternRefusal::CheckFalse: return "check_false";
        case PatternRefusal::UsedElsewhere: return "used_elsewhere";
        case PatternRefusal::InOtherMatch: return "in_other_match";
        case PatternRefusal::TakenBefore: return "taken_before";
        case PatternRefusal::NotWhole: return "not_whole";
        case PatternRefusal::PutApart: return "put_apart";
        case PatternRefusal::MissingUser: return "missing_user";
        case PatternRefusal::Mismatch: return "mismatch";
        case PatternRefusal::Unknown: return "unknown";
    }
    return "";
}

std::string indented(const std::string& text) { return "    " + text + "\n"; }

}  // namespace

std::string_view cause_name(CallCause::Kind kind) {
    switch (kind) {
        case CallCause::Kind::Overridden: return "overridden";
        case CallCause::Kind::ByCost: return "by_cost";
        case CallCause::Kind::Partitioner: return "partitioner";
        case CallCause::Kind::Annotated: return "annotated";
        case CallCause::Kind::Composite: return "composite";
        case CallCause::Kind::Accepted: return "accepted";
        case CallCause::Kind::RuleFailed: return "rule_failed";
        case CallCause::Kind::NoRule: return "no_rule";
        case CallCause::Kind::PatternFailed: return "pattern_failed";
        case CallCause::Kind::Transparent: return "transparent";
        case CallCause::Kind::SizeLimit: return "size_limit";
        case CallCause::Kind::Reserved: return "reserved";
        case CallCause::Kind::NotAsked: return "not_asked";
        case CallCause::Kind::Reported: return "reported";
        case CallCause::Kind::Unknown: return "unknown";
    }
    return "";
}

FlowExplainer::FlowExplainer(const FlowResult& flow, std::span<const BackendDescription> backends)
    : flow_(flow), backends_(backends), module_(*flow.input),
      placed_(flow.stage("composite") ? *flow.stage("composite") : *flow.input), names_(module_), facts_(module_),
      placed_facts_(placed_) {
    for (const RegionInfo& region : flow.regions) region_names_.push_back(region_name(region, names_));
    note_composites();
    note_decisions();
}

void FlowExplainer::note_composites() {
    placed_as_.resize(flow_.stage("composite") ? module_.size() : 0);
    const Module& module = placed_;
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module.functions()) roots.push_back(global.function);
    std::vector<bool> seen(module.size());
    // Users follow operands, so a backward loop visits the outermost composite first.
    std::vector<ExprId> order = post_order(module, roots);
    for (size_t i = order.size(); i-- > 0;) {
        ExprId origin = module.origin(order[i]);
        if (origin.valid() && module.kind(order[i]) == ExprKind::Call && !placed_as_.empty())
            placed_as_[origin.value] = order[i];
        std::string_view name = composite_name(module, order[i]);
        if (name.empty()) continue;
        std::vector<ExprId> stack{module.body(module.callee(order[i]))};
        while (!stack.empty()) {
            ExprId id = stack.back();
            stack.pop_back();
            if (seen[id.value]) continue;
            seen[id.value] = true;
            if (module.kind(id) == ExprKind::Call && module.origin(id).valid())
                composite_of_.emplace(module.origin(id), CompositeUse{std::string(name), origin});
            for (ExprId operand : module.operands(id)) stack.push_back(operand);
        }
    }
}

void FlowExplainer::set_cancel(const CancelToken& cancel) {
    facts_.set_cancel(cancel);
    placed_facts_.set_cancel(cancel);
}

void FlowExplainer::note_decisions() {
    for (const Decision& decision : flow_.log.decisions()) {
        if (decision.subject.valid() &&
            (decision.pass == PassKind::Composite || decision.pass == PassKind::Place ||
             decision.kind == DecisionKind::Inherited || decision.kind == DecisionKind::LeftOut))
            decisions_[decision.subject].push_back(&decision);
        if (decision.kind == DecisionKind::PatternMatched)  // by a partitioner that asks patterns by itself
            for (ExprId call : decision.path)
                composite_of_.try_emplace(call, CompositeUse{decision.rule, decision.subject});
    }
}

std::span<const Decision* const> FlowExplainer::decisions_on(ExprId call) const {
    auto found = decisions_.find(call);
    if (found == decisions_.end()) return {};
    return found->second;
}

std::string FlowExplainer::backend_name(int backend) const {
    return backend < 0 || size_t(backend) >= backends_.size() ? "default" : backends_[size_t(backend)].name;
}

CallExplanation FlowExplainer::explain_call(ExprId call, Patterns patterns) {
    CallExplanation explanation;
    explanation.call = call;
    explanation.backend = flow_.backend_of[call.value];
    explanation.region = flow_.region_of[call.value];
    const auto annotated = [&](const char* words) {
        explanation.causes.push_back({CallCause::Kind::Annotated, explanation.backend, {}, {words, {}}, {}, {}});
    };
    if (!flow_.carried.empty() && flow_.carried[call.value]) {
        annotated(SENTENCE("Engine", "partitioned so in the file"));
        return explanation;
    }
    if (flow_.annotated_before) {  // no backend was asked
        annotated(explanation.backend < 0 ? SENTENCE("Engine", "not annotated in the file")
                                          : SENTENCE("Engine", "annotated so in the file"));
        return explanation;
    }
    explain_decisions(call, explanation.causes);
    if (flow_.reported) {
        explanation.causes.push_back({CallCause::Kind::Reported,
                                      explanation.backend,
                                      {},
                                      reported_sentence(*flow_.reported, flow_.reported->find(module_, call)),
                                      {},
                                      {}});
        return explanation;
    }
    if (const Partitioner* partitioner = find_partitioner(flow_.partitioner);
        partitioner && !partitioner->asks_backends) {
        if (explanation.causes.empty())
            explanation.causes.push_back(
                {CallCause::Kind::Reported,
                 explanation.backend,
                 {},
                 {explanation.backend < 0 ? SENTENCE("Engine", "the division that was given leaves it out")
                                          : SENTENCE("Engine", "the division that was given has it there"),
                  {}},
                 {},
                 {}});
        return explanation;
    }
    for (int i = 0; i < int(backends_.size()); ++i)
        if (explain_backend(i, patterns, explanation)) break;
    return explanation;
}

/// Explains decisions on the call itself, or choices for the composite around it.
void FlowExplainer::explain_decisions(ExprId call, std::vector<CallCause>& causes) const {
    using Kind = CallCause::Kind;
    const auto add_overridden = [&](const Decision& decision) {
        if (decision.kind == DecisionKind::Overridden) {
            // Of a composite one expression may have been chosen: the others go along.
            const bool chosen = decision.other.valid() ? decision.other == call : decision.subject == call;
            const ExprId other = decision.other.valid() ? decision.other : decision.subject;
            Sentence why{SENTENCE("Engine", "you said so"), {}};
            if (!chosen)
                why = {SENTENCE("Engine", "you gave it %1, and the whole composite goes along"), {names_.name(other)}};
            causes.push_back({Kind::Overridden, decision.backend, {}, std::move(why), {}, other});
        }
        if (decision.kind == DecisionKind::ByCost)
            causes.push_back({Kind::ByCost,
                              decision.backend,
                              {},
                              {SENTENCE("Engine", "the placement by time puts it there"), {}},
                              {},
                              {}});
    };
    const auto composite = composite_of_.find(call);
    if (composite != composite_of_.end() && composite->second.call != call)
        for (const Decision* decision : decisions_on(composite->second.call)) add_overridden(*decision);
    for (const Decision* decision : decisions_on(call)) {
        add_overridden(*decision);
        if (decision->kind == DecisionKind::LeftOut)
            causes.push_back({Kind::Partitioner, decision->backend, flow_.partitioner, decision->detail, {}, {}});
        if (decision->kind == DecisionKind::SizeLimit)
            causes.push_back({Kind::SizeLimit, decision->backend, "limits", decision->detail, {}, {}});
        if (decision->kind == DecisionKind::Inherited && decision->rule == "node")
            causes.push_back({Kind::Transparent, decision->backend, {}, decision->detail, {}, {}});
        if (decision->kind == DecisionKind::Inherited && decision->rule == "transparent")
            causes.push_back({Kind::Transparent,
                              decision->backend,
                              "transparent",
                              {SENTENCE("Engine", "it goes where its neighbours go"), {}},
                              {},
                              {}});
    }
}

/// Returns whether the call went to the backend, so that later ones were not asked.
bool FlowExplainer::explain_backend(int index, Patterns patterns, CallExplanation& explanation) {
    const ExprId call = explanation.call;
    const BackendDescription& backend = backends_[size_t(index)];
    const int function = facts_.function_of(call);
    std::string_view reserved;
    if (function >= 0)
        reserved = module_.function_info(module_.functions()[size_t(function)].function).string_attribute("compiler");
    if (!reserved.empty() && reserved != backend.name) {
        explanation.causes.push_back({CallCause::Kind::Reserved,
                                      index,
                                      {},
                                      {SENTENCE("Engine", "the function is for %1"), {std::string(reserved)}},
                                      {},
                                      {}});
        return false;
    }
    const auto composite = composite_of_.find(call);
    if (composite != composite_of_.end() && composite->second.name.starts_with(backend.name + ".")) {
        explanation.causes.push_back(explain_composite(index, call, composite->second.name));
        return explanation.backend == index;
    }
    const bool asks_all = find_partitioner(flow_.partitioner) != nullptr;
    if (!asks_all && backend.has_rules() && composite_name(module_, call).empty() && !was_asked(index, call)) {
        explanation.causes.push_back(why_not_asked(index, call));
        return false;
    }
    if (explanation.backend == index && follows_neighbours(index, call)) return true;
    explanation.causes.push_back(explain_rule(index, call));
    const bool taken = explanation.backend == index && explanation.causes.back().kind == CallCause::Kind::Accepted;
    const bool near_misses = patterns == Patterns::NearMisses;
    if (near_misses || (patterns == Patterns::OfRoot && !taken))
        explain_patterns(index, call, near_misses, explanation.causes);
    return taken;
}

/// Returns whether the log has what the backend said about the call. Without a log every backend counts as asked.
bool FlowExplainer::was_asked(int backend, ExprId call) const {
    if (flow_.log.decisions().empty()) return true;
    const std::span<const Decision* const> decisions = decisions_on(call);
    return std::any_of(decisions.begin(), decisions.end(), [backend](const Decision* decision) {
        return decision->pass == PassKind::Place && decision->backend == backend &&
               (decision->kind == DecisionKind::Accepted || decision->kind == DecisionKind::RuleFailed ||
                decision->kind == DecisionKind::NoRule);
    });
}

const Decision* FlowExplainer::accepted_before(int backend, ExprId call) const {
    for (const Decision* decision : decisions_on(call))
        if (decision->kind == DecisionKind::Accepted && decision->backend < backend) return decision;
    return nullptr;
}

CallCause FlowExplainer::why_not_asked(int index, ExprId call) {
    const BackendDescription& backend = backends_[size_t(index)];
    CallCause cause{CallCause::Kind::NotAsked, index, {}, unexplained(), {}, {}};
    const auto composite = composite_of_.find(call);
    const int function = facts_.function_of(call);
    if (composite != composite_of_.end()) {
        cause.rule = composite->second.name;
        cause.at = composite->second.call;
        cause.reason = {SENTENCE("Engine", "%1 took it before %2 was asked: patterns come before rules"),
                        {on_one_line(cause.rule), backend.name}};
    } else if (function >= 0 && is_opaque_function(module_, module_.functions()[size_t(function)].function)) {
        cause.reason = {SENTENCE("Engine", "its function is not divided, so %1 was not asked"), {backend.name}};
    } else if (const Decision* taken = accepted_before(index, call)) {
        cause.reason = {SENTENCE("Engine", "%1 accepted it before %2 was asked"),
                        {backend_name(taken->backend), backend.name}};
    } else if (!flow_.stage("annotated") && flow_.partitioner == PartitionerChoice::kOwn) {
        cause.reason = {SENTENCE("Engine", "calls were not placed, so %1 was not asked"), {backend.name}};
    } else {
        cause.kind = CallCause::Kind::Unknown;
    }
    return cause;
}

bool FlowExplainer::follows_neighbours(int backend, ExprId call) const {
    for (const Decision* decision : decisions_on(call))
        if (decision->kind == DecisionKind::Inherited && decision->backend == backend) return true;
    return false;
}

ExprId FlowExplainer::in_input(const Module& module, ExprId id) const {
    return &module == &module_ || !id.valid() ? id : module.origin(id);
}

Sentence FlowExplainer::no_rule(const BackendDescription& backend, ExprId call) const {
    const std::string_view composite = composite_name(module_, call);
    if (!composite.empty())
        return {SENTENCE("Engine", "it calls the composite %1, which goes to the backend that its name begins with"),
                {on_one_line(composite)}};
    if (!backend.annotator.empty() && !backend.running)
        return {SENTENCE("Engine", "it was not asked: its rules are a program, which did not run"), {}};
    const AskedCall asked = asked_call(backend, module_, call, nullptr);
    if (!asked.call.valid())
        return {SENTENCE("Engine", "its rules are about the file's operators, and none of them became this"), {}};
    const OpRecord* op = called_op_record(asked.module, asked.call);
    if (!op) return {SENTENCE("Engine", "it calls a function, and rules are for operators"), {}};
    if (!backend.is_transparent(op->name)) return {SENTENCE("Engine", "no rule for %1"), {op->name}};
    return {SENTENCE("Engine",
                     "no rule for %1; it would follow its argument or all its users, but they are not on this backend"),
            {op->name}};
}

CallCause FlowExplainer::explain_rule(int backend, ExprId call) {
    const BackendDescription& description = backends_[size_t(backend)];
    ExprId placed = placed_as_.empty() || !placed_as_[call.value].valid() ? ExprId() : placed_as_[call.value];
    const Module& module = placed.valid() ? placed_ : module_;
    ModuleFacts& facts = placed.valid() ? placed_facts_ : facts_;
    if (!placed.valid()) placed = call;
    Verdict verdict = judge(description, module, placed, true, &facts);
    const AskedCall asked = asked_call(description, module, placed, &facts);
    const OpRecord* op = asked.call.valid() ? called_op_record(asked.module, asked.call) : nullptr;
    if (verdict.supported() && op) {
        const OpRule* rule = description.rule_for(*op);
        if (rule && rule->rule) {
            RuleExplanation explanation = partita::explain_rule(description, *rule->rule, module, placed, &facts);
            verdict.text = explanation.to_string();
            verdict.terms = std::move(explanation.terms);
        }
    }
    name_in_input(module, verdict.terms);
    CallCause cause;
    cause.backend = backend;
    cause.rule = verdict.rule;
    cause.reason = as_it_is(std::move(verdict.text));
    cause.terms = std::move(verdict.terms);
    cause.place = std::move(verdict.place);
    cause.condition = std::move(verdict.condition);
    cause.line = own_line(description, cause.place);
    switch (verdict.reason) {
        case Verdict::Reason::Accepted:
            cause.kind = CallCause::Kind::Accepted;
            if (!cause.place.empty()) cause.place = std::exchange(cause.reason, {}).text();
            if (description.running && cause.reason.empty())
                cause.reason = {SENTENCE("Engine", "the annotator accepts it"), {}};
            if (cause.reason.empty()) cause.reason = {SENTENCE("Engine", "supported without a condition"), {}};
            break;
        case Verdict::Reason::RuleFailed: cause.kind = CallCause::Kind::RuleFailed; break;
        case Verdict::Reason::NoRule:
            cause.kind = CallCause::Kind::NoRule;
            cause.reason = no_rule(description, call);
            if (!description.annotator.empty() && !description.running) cause.rule = "annotator";
            break;
    }
    return cause;
}

/// Returns null for an expression outside global functions.
DataflowGraph* FlowExplainer::dataflow_around(ExprId call) {
    int function = facts_.function_of(call);
    if (function < 0) return nullptr;
    if (dataflow_ && dataflow_function_ == function) return &*dataflow_;
    dataflow_.reset();
    positions_.resize(module_.size(), DataflowGraph::kNone);
    dataflow_.emplace(module_, module_.functions()[size_t(function)].function, positions_);
    dataflow_function_ = function;
    return &*dataflow_;
}

void FlowExplainer::name_in_input(const Module& module, std::vector<RuleTerm>& terms) const {
    for (RuleTerm& term : terms)
        for (RuleTerm::Operand& operand : term.operands) operand.expr = in_input(module, operand.expr);
}

CallCause FlowExplainer::explain_match(const Decision& match) {
    CallCause cause;
    cause.kind =
        match.kind == DecisionKind::PatternMatched ? CallCause::Kind::Composite : CallCause::Kind::PatternFailed;
    cause.rule = match.rule;
    cause.reason = refusal_sentence(match, names_);
    cause.refusal = match.refusal;
    cause.at = match.other;
    const std::span<const RuleTerm> terms = flow_.log.terms(match);
    cause.terms.assign(terms.begin(), terms.end());
    for (size_t i = 0; i < backends_.size(); ++i)
        for (const CompositePattern& composite : backends_[i].patterns) {
            if (composite.name != match.rule) continue;
            cause.backend = int(i);
            if (match.kind == DecisionKind::PatternMatched) cause.reason = as_it_is(composite.check_text);
            if (composite.annotator && match.refusal == PatternRefusal::CheckFalse) {
                const AnnotatorAnswer answer =
                    ask_about_matches(composite, facts_, {&match.subject, 1}, true, facts_.cancel()).front();
                const bool is_bare = match.detail.values.empty();  // noted by a partitioner, which asked by itself
                if (is_bare) cause.reason = check_is_false(answer);
                cause.place = is_bare ? answer.place() : match.detail.values.front().name;
                cause.condition = answer.condition();
            }
            cause.line = own_line(backends_[i], cause.place);
        }
    return cause;
}

/// Includes the terms of the check if the call is the composite's root.
CallCause FlowExplainer::explain_composite(int backend, ExprId call, const std::string& name) {
    CallCause cause;
    for (const Decision* decision : decisions_on(call))
        if (decision->kind == DecisionKind::PatternMatched && decision->rule == name) cause = explain_match(*decision);
    cause.kind = CallCause::Kind::Composite;
    cause.backend = backend;
    cause.rule = name;
    cause.reason = {SENTENCE("Engine", "it is part of %1"), {name}};
    return cause;
}

/// Explains why a pattern did not match the call; `matched` receives the number of matched nodes. Gives no reason if
/// the call is of another op.
CallCause FlowExplainer::explain_mismatch(const CompositePattern& composite, ExprId call, size_t& matched) {
    CallCause cause;
    DataflowGraph* graph = composite.pattern->has_dominator() ? dataflow_around(call) : nullptr;
    PatternMatcher matcher(*composite.pattern, module_, graph, composite.transparent);
    if (matcher.match(call)) {
        matched = composite.pattern->nodes().size();
        return why_no_composite(composite, call, matcher);
    }
    PatternFailure failure = matcher.explain(call);
    matched = failure.matched;
    // Products and quotients can be roots of each other's patterns; finding the other one explains nothing.
    if (failure.expr == call && composite.pattern->nodes()[failure.node].kind == PatternKind::Op) return cause;
    cause.at = failure.expr;
    cause.refusal = PatternRefusal::Mismatch;
    cause.reason = {
        SENTENCE("Engine", "at %1: '%2' does not match: %3"),
        {names_.name(failure.expr), std::string(composite.pattern->source(failure.node)), std::move(failure.reason)}};
    return cause;
}

/// Explains why an expression that the pattern could begin at is no composite of it.
CallCause FlowExplainer::explain_root(const CompositePattern& composite, ExprId root, size_t& matched) {
    matched = composite.pattern->nodes().size();
    for (const Decision* decision : decisions_on(root))
        if (decision->kind == DecisionKind::PatternRefused && decision->rule == composite.name)
            return explain_match(*decision);
    return explain_mismatch(composite, root, matched);
}

/// The same for a pattern whose root need not be a call: at the call, and at projections of it. Says nothing where no
/// part of the pattern matches.
CallCause FlowExplainer::explain_any_root(const CompositePattern& composite, ExprId call, size_t& matched) {
    std::vector<ExprId> roots{call};
    for (ExprId user : facts_.users(call))
        if (module_.kind(user) == ExprKind::Projection) roots.push_back(user);
    CallCause best;
    for (ExprId root : roots) {
        size_t now = 0;
        CallCause cause = explain_root(composite, root, now);
        const bool fails_at_root = cause.refusal == PatternRefusal::Mismatch && cause.at == root;
        if (cause.reason.empty() || fails_at_root || now <= matched) continue;
        matched = now;
        best = std::move(cause);
    }
    return best;
}

/// Returns whether the patterns of one name are searched for no later than those of the other.
bool FlowExplainer::is_before(const std::string& pattern, const std::string& other) const {
    for (const BackendDescription& backend : backends_)
        for (const CompositePattern& composite : backend.patterns) {
            if (composite.name == pattern) return true;
            if (composite.name == other) return false;
        }
    return true;  // of the file itself
}

/// Explains from the log why a match at `root`, which the matcher has just found, is no composite.
CallCause FlowExplainer::why_no_composite(const CompositePattern& composite, ExprId root,
                                          const PatternMatcher& matcher) const {
    CallCause cause;
    if (matcher.matches(composite.pattern->root())[0] != root) return cause;  // found through a transparent op
    std::vector<ExprId> inside;
    for (uint32_t node = 0; node < composite.pattern->nodes().size(); ++node)
        if (!composite.pattern->nodes()[node].children.empty())
            for (ExprId id : matcher.matches(node)) inside.push_back(id);
    for (ExprId id : inside) {
        const auto taken = composite_of_.find(id);
        if (taken == composite_of_.end() || taken->second.call == root ||
            !is_before(taken->second.name, composite.name))
            continue;
        cause.refusal = PatternRefusal::TakenBefore;
        cause.at = id;
        cause.reason = {SENTENCE("Engine", "it matches, but %1 inside is already part of %2"),
                        {names_.name(id), on_one_line(taken->second.name)}};
        return cause;
    }
    if (flow_.partitioner != PartitionerChoice::kOwn) {
        cause.refusal = PatternRefusal::PutApart;
        for (const Decision* decision : decisions_on(root))
            if (decision->kind == DecisionKind::LeftOut) cause.reason = decision->detail;
        if (!cause.reason.empty()) return cause;
        cause.reason = {
            SENTENCE("Engine",
                     "it matches, but the partitioner %1 does not put all of it into one region of the backend"),
            {flow_.partitioner}};
        return cause;
    }
    for (const Decision& decision : flow_.log.decisions()) {
        if (decision.kind == DecisionKind::ByCost) {
            cause.refusal = PatternRefusal::NotWhole;
            cause.reason = {
                SENTENCE("Engine", "it matches, but the placement by cost gives not all of it to the backend"), {}};
            return cause;
        }
        if (decision.kind != DecisionKind::PatternRefused || decision.rule != composite.name) continue;
        for (ExprId id : inside) {
            if (std::find(decision.path.begin(), decision.path.end(), id) == decision.path.end()) continue;
            cause.refusal = PatternRefusal::InOtherMatch;
            cause.at = id;
            cause.reason = {SENTENCE("Engine", "%1 inside is part of another match of the pattern"), {names_.name(id)}};
            return cause;
        }
    }
    cause.refusal = PatternRefusal::Unknown;
    cause.reason = unexplained();
    return cause;
}

/// Explains patterns that could begin at the call but did not match there, and patterns without a root in the graph of
/// which a part matches: the nearest misses, best first.
void FlowExplainer::explain_patterns(int backend, ExprId call, bool near_misses, std::vector<CallCause>& causes) {
    constexpr size_t kShown = 8, kMissingShown = 3;
    std::set<std::string> missing_reasons;
    OpId op = module_.called_op(call);
    if (!op.valid() || backends_[size_t(backend)].patterns.empty()) return;
    if (!flow_.stage("composite")) {
        const Sentence reason{SENTENCE("Engine", "its patterns were not asked: the composite pass did not run"), {}};
        causes.push_back({CallCause::Kind::NotAsked, backend, {}, reason, {}, {}});
        return;
    }
    std::vector<std::pair<size_t, CallCause>> failures;
    for (const CompositePattern& composite : backends_[size_t(backend)].patterns) {
        const std::vector<OpId>& roots = composite.pattern->root_ops();
        const auto add = [&](size_t matched, CallCause cause) {
            cause.kind = CallCause::Kind::PatternFailed;
            cause.backend = backend;
            cause.rule = composite.name;
            if (!cause.reason.empty()) failures.emplace_back(matched, std::move(cause));
        };
        if (composite.pattern->any_root()) {
            size_t matched = 0;
            CallCause cause = explain_any_root(composite, call, matched);
            add(matched, std::move(cause));
            continue;
        }
        if (std::find(roots.begin(), roots.end(), op) == roots.end()) {
            const std::optional<MissingUser> missing =
                near_misses ? find_missing_user_around(composite, call) : std::nullopt;
            if (!missing || missing_reasons.size() == kMissingShown) continue;
            Sentence reason = missing->reason(names_);
            if (!missing_reasons.insert(reason.text()).second) continue;  // longer patterns begin like shorter ones
            CallCause cause{{}, backend, {}, std::move(reason), {}, missing->after};
            cause.refusal = PatternRefusal::MissingUser;
            add(missing->matched, std::move(cause));
            continue;
        }
        size_t matched = 0;
        CallCause cause = explain_root(composite, call, matched);
        add(matched, std::move(cause));
    }
    std::stable_sort(failures.begin(), failures.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (size_t i = 0; i < std::min(failures.size(), kShown); ++i) causes.push_back(std::move(failures[i].second));
}

std::vector<Decision> FlowExplainer::explain_near_misses(const std::string& pattern, size_t most) {
    std::vector<Decision> misses;
    if (!flow_.stage("composite")) return misses;
    for (size_t i = 0; i < backends_.size(); ++i) {
        for (const CompositePattern& composite : backends_[i].patterns) {
            if (composite.name != pattern) continue;
            const std::vector<OpId>& roots = composite.pattern->root_ops();
            for (ExprId call : names_.calls()) {
                if (misses.size() == most) return misses;
                if (std::find(roots.begin(), roots.end(), module_.called_op(call)) == roots.end()) continue;
                std::span<const Decision* const> known = decisions_on(call);
                if (std::any_of(known.begin(), known.end(),
                                [&](const Decision* decision) { return decision->rule == pattern; }))
                    continue;
                size_t matched = 0;
                CallCause cause = explain_mismatch(composite, call, matched);
                if (cause.reason.empty()) continue;
                Decision& miss = misses.emplace_back();
                miss.pass = PassKind::Composite;
                miss.kind = DecisionKind::PatternRefused;
                miss.subject = call;
                miss.other = cause.at.valid() ? cause.at : call;
                miss.backend = int32_t(i);
                miss.rule = pattern;
                miss.refusal = cause.refusal;
                miss.detail = std::move(cause.reason);
            }
        }
    }
    return misses;
}

std::string FlowExplainer::to_text(const CallExplanation& explanation) const {
    std::string text = names_.name(explanation.call) + " -> " + backend_name(explanation.backend);
    if (explanation.region >= 0) {
        const RegionInfo& region = flow_.regions[size_t(explanation.region)];
        const std::string& name = name_of_region(explanation.region);
        text += name == region.function ? ", in @" + name : ", in " + name + " (@" + region.function + ")";
    }
    text += "\n";
    for (const CallCause& cause : explanation.causes) {
        std::string line = backend_name(cause.backend) + ": ";
        switch (cause.kind) {
            case CallCause::Kind::Accepted: line += cause.rule + " accepts it: "; break;
            case CallCause::Kind::RuleFailed: line += cause.rule + " refuses it: "; break;
            case CallCause::Kind::PatternFailed: line += "pattern " + cause.rule + ": "; break;
            default: break;
        }
        text += indented(line + cause.reason.text());
        if (cause.kind == CallCause::Kind::Accepted && !cause.place.empty()) text += indented("  " + cause.place);
    }
    if (backends_.empty()) text += indented("no backend was given");
    return text;
}

nlohmann::json FlowExplainer::expression_json(ExprId id) const {
    nlohmann::json json{{"name", names_.name(id)}};
    if (names_.number(id)) json["node"] = names_.number(id);
    return json;
}

nlohmann::json FlowExplainer::to_json(const CallExplanation& explanation) const {
    nlohmann::json json = expression_json(explanation.call);
    json["backend"] = backend_name(explanation.backend);
    json["region"] = explanation.region < 0 ? nlohmann::json(nullptr)
                                            : nlohmann::json(flow_.regions[size_t(explanation.region)].function);
    if (explanation.region >= 0) json["region_short_name"] = name_of_region(explanation.region);
    json["causes"] = nlohmann::json::array();
    for (const CallCause& cause : explanation.causes) {
        nlohmann::json item{
            {"kind", cause_name(cause.kind)}, {"backend", backend_name(cause.backend)}, {"text", cause.reason.text()}};
        if (!cause.rule.empty()) item["rule"] = cause.rule;
        if (cause.at.valid()) item["at"] = expression_json(cause.at);
        if (!cause.place.empty()) item["place"] = cause.place;
        if (cause.refusal != PatternRefusal::None) item["refusal"] = refusal_name(cause.refusal);
        for (const RuleTerm& term : cause.terms) {
            nlohmann::json term_json{{"text", term.text}, {"value", term.value}, {"alternative", term.alternative}};
            if (!term.error.empty()) term_json["error"] = term.error;
            for (const RuleTerm::Operand& operand : term.operands)
                term_json["operands"].push_back(
                    {{"text", operand.text}, {"value", operand.value}, {"of", expression_json(operand.expr)}});
            item["terms"].push_back(std::move(term_json));
        }
        json["causes"].push_back(std::move(item));
    }
    return json;
}

namespace {

/// Returns the selected calls, or else all that compute something.
std::vector<ExprId> calls_to_explain(const FlowResult& flow, const FlowExplainer& explainer,
                                     std::span<const ExprId> chosen) {
    if (!chosen.empty()) return {chosen.begin(), chosen.end()};
    std::vector<ExprId> calls = explainer.names().calls();
    CompilerNames compilers;
    const MarkReader marks(*flow.input, compilers);
    std::erase_if(calls, [&marks](ExprId call) { return marks.mark(call) != Mark::None; });
    return calls;
}

}  // namespace

std::string explain_text(const FlowResult& flow, std::span<const BackendDescription> backends,
                         std::span<const ExprId> chosen) {
    FlowExplainer explainer(flow, backends);
    std::string text;
    const std::vector<ExprId> calls = calls_to_explain(flow, explainer, chosen);
    const auto patterns = chosen.empty() ? FlowExplainer::Patterns::OfRoot : FlowExplainer::Patterns::NearMisses;
    for (ExprId call : calls) text += explainer.to_text(explainer.explain_call(call, patterns));
    if (!chosen.empty()) return text;
    for (const RegionPairExplanation& pair : explainer.explain_neighbours())
        text += explainer.name_of_region(pair.producer) + " and " + explainer.name_of_region(pair.consumer) + ": " +
                pair.reason.text() + "\n";
    return text;
}

void write_explanations(JsonStream& json, const FlowResult& flow, std::span<const BackendDescription> backends,
                        std::span<const ExprId> chosen) {
    FlowExplainer explainer(flow, backends);
    const std::vector<ExprId> calls = calls_to_explain(flow, explainer, chosen);
    json.begin_list("calls");
    const auto patterns = chosen.empty() ? FlowExplainer::Patterns::OfRoot : FlowExplainer::Patterns::NearMisses;
    for (ExprId call : calls) json.item(explainer.to_json(explainer.explain_call(call, patterns)));
    json.end();
    json.begin_list("neighbours");
    if (chosen.empty())
        for (const RegionPairExplanation& pair : explainer.explain_neighbours()) json.item(explainer.to_json(pair));
    json.end();
}

}  // namespace partita
