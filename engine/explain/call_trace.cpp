#include "engine/explain/call_trace.h"

#include <algorithm>

#include "engine/annotators/annotator.h"
#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"
#include "engine/rules/annotated_backend.h"
#include "engine/rules/rule_trace.h"

namespace partita {

namespace {

/// Returns a line of the file whose lines are walked, without its indentation.
std::string source_line(const BackendDescription& backend, int number) {
    std::string_view text;
    if (is_python(backend)) text = backend.source;
    else if (backend.annotator_files && backend.annotator.starts_with(kPythonAnnotator))
        if (const auto file = backend.annotator_files->texts.find(backend.annotator.substr(kPythonAnnotator.size()));
            file != backend.annotator_files->texts.end())
            text = file->second;
    for (int line = 1; line < number && !text.empty(); ++line)
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    text = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return std::string(text);
}

/// The names that were not known so before the line above: "attrs = {...}".
std::string changed_values(const AnnotatorStep& step, const AnnotatorStep* before) {
    std::string text;
    for (const auto& value : step.values) {
        if (before && std::find(before->values.begin(), before->values.end(), value) != before->values.end()) continue;
        text += (text.empty() ? "" : ", ") + value.first + " = " + value.second;
    }
    return text;
}

nlohmann::json term_json(const RuleTerm& term, const ExpressionNames& names) {
    nlohmann::json json{{"text", term.text}, {"value", term.value}};
    if (!term.error.empty()) json["error"] = term.error;
    for (const RuleTerm::Operand& operand : term.operands)
        json["operands"].push_back(
            {{"text", operand.text}, {"value", operand.value}, {"of", names.name(operand.expr)}});
    return json;
}

}  // namespace

CallTracer::CallTracer(FlowExplainer& explainer, const FlowResult& flow, std::span<const BackendDescription> backends,
                       const CancelToken& cancel)
    : explainer_(explainer), flow_(flow), backends_(backends),
      placed_(flow.stage("composite") ? *flow.stage("composite") : *flow.input), facts_(placed_) {
    facts_.set_cancel(cancel);
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : placed_.functions()) roots.push_back(global.function);
    for (ExprId id : post_order(placed_, roots))
        if (placed_.kind(id) == ExprKind::Call)
            if (const ExprId origin = &placed_ == flow.input.get() ? id : placed_.origin(id); origin.valid())
                placed_as_.try_emplace(origin, id);
    for (const Decision& decision : flow.log.decisions())
        if (decision.kind == DecisionKind::PatternMatched ||
            (decision.kind == DecisionKind::PatternRefused && decision.refusal == PatternRefusal::CheckFalse))
            checked_.emplace(decision.subject, &decision);
}

void CallTracer::trace_rules(int index, ExprId call, std::vector<RuleTrace>& traces) {
    const BackendDescription& backend = backends_[size_t(index)];
    const auto as = placed_as_.find(call);
    if (as == placed_as_.end()) return;
    const AskedCall asked = asked_call(backend, placed_, as->second, &facts_);
    const OpRecord* op = asked.call.valid() ? called_op_record(asked.module, asked.call) : nullptr;
    const OpRule* rule = op ? backend.rule_for(*op) : nullptr;
    if (!rule) return;
    RuleTrace trace{.backend = index, .rule = "ops." + std::string(op->name), .terms = {}, .lines = {}};
    if (rule->by_annotator) {
        if (!backend.running) return;
        const AnnotatorQuestion question{{op_registry().find(op->name), -1}, asked.call};
        AnnotatorAnswer answer =
            std::move(asked.facts->session(backend.running).walk({&question, 1}, {}, facts_.cancel()).front());
        trace.accepted = answer.accepted;
        trace.lines = std::move(answer.walk);
    } else if (!rule->rule) {
        trace.accepted = true;
    } else {
        RuleContext context;
        context.op = op;
        const RuleSubject subject{asked.module, asked.call, asked.facts};
        trace.accepted = rule->rule->evaluate(subject);
        trace.terms = trace_rule(*rule->rule, context, subject);
        for (RuleTerm& term : trace.terms)
            for (RuleTerm::Operand& operand : term.operands)
                if (&asked.module != &placed_) operand.expr = call;
                else if (&placed_ != flow_.input.get() && operand.expr.valid())
                    operand.expr = placed_.origin(operand.expr);
    }
    traces.push_back(std::move(trace));
}

std::vector<RuleTrace> CallTracer::trace(ExprId call) {
    std::vector<RuleTrace> traces;
    const auto [begin, end] = checked_.equal_range(call);
    for (auto each = begin; each != end; ++each) {
        const CallCause cause = explainer_.explain_match(*each->second);
        const bool matched = each->second->kind == DecisionKind::PatternMatched;
        traces.push_back({cause.backend, cause.rule, matched, cause.terms, explainer_.walk(*each->second)});
    }
    for (size_t backend = 0; backend < backends_.size(); ++backend) trace_rules(int(backend), call, traces);
    return traces;
}

std::string CallTracer::to_text(const RuleTrace& trace) const {
    const BackendDescription& backend = backends_[size_t(trace.backend)];
    std::string text = "    asked " + backend.name + ", " + trace.rule + ": " + (trace.accepted ? "yes" : "no") + "\n";
    for (const RuleTerm& term : trace.terms)
        text += "      " + std::string(term.value ? "true   " : "false  ") + term.to_string(term.value) + "\n";
    for (size_t i = 0; i < trace.lines.size(); ++i) {
        const std::string values = changed_values(trace.lines[i], i ? &trace.lines[i - 1] : nullptr);
        text += "      line " + std::to_string(trace.lines[i].line) + "  " + source_line(backend, trace.lines[i].line) +
                (values.empty() ? "" : "    with " + values) + "\n";
    }
    if (trace.terms.empty() && trace.lines.empty()) text += "      it has no condition\n";
    return text;
}

nlohmann::json CallTracer::to_json(const RuleTrace& trace) const {
    const BackendDescription& backend = backends_[size_t(trace.backend)];
    nlohmann::json json{{"backend", backend.name},
                        {"rule", trace.rule},
                        {"accepted", trace.accepted},
                        {"terms", nlohmann::json::array()},
                        {"lines", nlohmann::json::array()}};
    for (const RuleTerm& term : trace.terms) json["terms"].push_back(term_json(term, explainer_.names()));
    for (const AnnotatorStep& step : trace.lines) {
        nlohmann::json values = nlohmann::json::object();
        for (const auto& [name, value] : step.values) values[name] = value;
        json["lines"].push_back(
            {{"line", step.line}, {"text", source_line(backend, step.line)}, {"values", std::move(values)}});
    }
    return json;
}

}  // namespace partita
