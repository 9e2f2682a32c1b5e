// Of the explainer: which lines of a file in Python a decision reached.
#include <algorithm>
#include <array>

#include "engine/annotators/annotator.h"
#include "engine/explain/explain.h"
#include "engine/ops/registry.h"

namespace partita {

/// A question to the annotator of a backend, about the placed module or the input.
struct FlowExplainer::Walked {
    int backend;
    bool placed;
    AnnotatorQuestion question;
};

std::optional<FlowExplainer::Walked> FlowExplainer::asked_for(const Decision& decision) const {
    if (!decision.subject.valid()) return {};
    if (decision.pass == PassKind::Place) {
        if (decision.kind != DecisionKind::Accepted && decision.kind != DecisionKind::RuleFailed) return {};
        if (decision.backend < 0 || size_t(decision.backend) >= backends_.size()) return {};
        const BackendDescription& backend = backends_[size_t(decision.backend)];
        const ExprId as = placed_as_.empty() ? ExprId() : placed_as_[decision.subject.value];
        const OpRecord* op = called_op_record(as.valid() ? placed_ : module_, as.valid() ? as : decision.subject);
        if (!op) return {};
        const auto rule = backend.ops.find(op->name);
        if (!backend.running || rule == backend.ops.end() || !rule->second.by_annotator) return {};
        const ExprId call = as.valid() ? as : decision.subject;
        return Walked{decision.backend, as.valid(), {{op_registry().find(op->name), -1}, call}};
    }
    const bool match = decision.kind == DecisionKind::PatternMatched || decision.kind == DecisionKind::PatternRefused;
    if (decision.pass != PassKind::Composite || !match) return {};
    for (size_t i = 0; i < backends_.size(); ++i)
        for (const CompositePattern& pattern : backends_[i].patterns)
            if (pattern.name == decision.rule && pattern.annotator)
                return Walked{int(i), false, {{OpId(), pattern.annotator_check}, decision.subject}};
    return {};
}

std::vector<AnnotatorStep> FlowExplainer::walk(const Decision& decision) {
    const std::optional<Walked> asked = asked_for(decision);
    if (!asked) return {};
    ModuleFacts& facts = asked->placed ? placed_facts_ : facts_;
    AnnotatorSession& session = facts.session(backends_[size_t(asked->backend)].running);
    return std::move(session.walk({&asked->question, 1}, {}, facts.cancel()).front().walk);
}

std::vector<uint32_t> FlowExplainer::decisions_reaching(int backend, std::span<const int> lines) {
    std::array<std::vector<AnnotatorQuestion>, 2> questions;  // of the input, of the placed module
    std::array<std::vector<uint32_t>, 2> numbers;
    const std::vector<Decision>& decisions = flow_.log.decisions();
    for (uint32_t i = 0; i < decisions.size(); ++i) {
        const std::optional<Walked> asked = asked_for(decisions[i]);
        if (!asked || asked->backend != backend) continue;
        questions[asked->placed].push_back(asked->question);
        numbers[asked->placed].push_back(i);
    }
    std::vector<uint32_t> reaching;
    for (size_t k = 0; k < questions.size(); ++k) {
        if (questions[k].empty()) continue;
        ModuleFacts& facts = k ? placed_facts_ : facts_;
        const std::vector<AnnotatorAnswer> answers =
            facts.session(backends_[size_t(backend)].running).walk(questions[k], lines, facts.cancel());
        for (size_t i = 0; i < answers.size(); ++i)
            if (!answers[i].walk.empty()) reaching.push_back(numbers[k][i]);
    }
    std::sort(reaching.begin(), reaching.end());
    return reaching;
}

}  // namespace partita
