// Of the explainer: which lines of a file in Python a decision reached.
#include <algorithm>
#include <map>
#include <tuple>

#include "engine/annotators/annotator.h"
#include "engine/explain/explain.h"
#include "engine/ops/registry.h"
#include "engine/rules/annotated_backend.h"

namespace partita {

namespace {

std::string file_and_line(const AnnotatorAnswer& answer) {
    const std::string file = answer.file.substr(answer.file.rfind('/') + 1);
    return answer.line ? file + ":" + std::to_string(answer.line) : file;
}

}  // namespace

/// A question to the annotator of a backend, about the placed module, the input or the file's operators.
struct FlowExplainer::Walked {
    int backend;
    ModuleFacts* facts;
    AnnotatorQuestion question;
};

/// What a backend's annotator was asked about one of these modules, and for which decisions.
struct FlowExplainer::Asked {
    ModuleFacts* facts;
    std::vector<AnnotatorQuestion> questions;
    std::vector<uint32_t> decisions;  ///< by question
};

std::optional<FlowExplainer::Walked> FlowExplainer::asked_for(const Decision& decision) {
    if (!decision.subject.valid()) return {};
    if (decision.pass == PassKind::Place) {
        if (decision.kind != DecisionKind::Accepted && decision.kind != DecisionKind::RuleFailed) return {};
        if (decision.backend < 0 || size_t(decision.backend) >= backends_.size()) return {};
        const BackendDescription& backend = backends_[size_t(decision.backend)];
        const ExprId as = placed_as_.empty() ? ExprId() : placed_as_[decision.subject.value];
        const Module& module = as.valid() ? placed_ : module_;
        const AskedCall asked =
            asked_call(backend, module, as.valid() ? as : decision.subject, as.valid() ? &placed_facts_ : &facts_);
        const OpRecord* op = asked.call.valid() ? called_op_record(asked.module, asked.call) : nullptr;
        if (!op) return {};
        const OpRule* rule = backend.rule_for(*op);
        if (!backend.running || !rule || !rule->by_annotator) return {};
        return Walked{decision.backend, asked.facts, {{asked.module.called_op(asked.call), -1}, asked.call}};
    }
    const bool match = decision.kind == DecisionKind::PatternMatched || decision.kind == DecisionKind::PatternRefused;
    if (decision.pass != PassKind::Composite || !match) return {};
    for (size_t i = 0; i < backends_.size(); ++i)
        for (const CompositePattern& pattern : backends_[i].patterns)
            if (pattern.name == decision.rule && pattern.annotator)
                return Walked{int(i), &facts_, {{OpId(), pattern.annotator_check}, decision.subject}};
    return {};
}

std::vector<AnnotatorStep> FlowExplainer::walk(const Decision& decision) {
    const std::optional<Walked> asked = asked_for(decision);
    if (!asked) return {};
    AnnotatorSession& session = asked->facts->session(backends_[size_t(asked->backend)].running);
    return std::move(session.walk({&asked->question, 1}, {}, asked->facts->cancel()).front().walk);
}

std::vector<FlowExplainer::Asked> FlowExplainer::all_asked(int backend) {
    std::vector<Asked> all;
    const std::vector<Decision>& decisions = flow_.log.decisions();
    for (uint32_t i = 0; i < decisions.size(); ++i) {
        const std::optional<Walked> asked = asked_for(decisions[i]);
        if (!asked || asked->backend != backend) continue;
        auto of_module =
            std::find_if(all.begin(), all.end(), [&](const Asked& each) { return each.facts == asked->facts; });
        if (of_module == all.end()) of_module = all.insert(all.end(), Asked{asked->facts, {}, {}});
        of_module->questions.push_back(asked->question);
        of_module->decisions.push_back(i);
    }
    return all;
}

std::vector<uint32_t> FlowExplainer::decisions_reaching(int backend, std::span<const int> lines) {
    std::vector<uint32_t> reaching;
    for (const Asked& asked : all_asked(backend)) {
        const std::vector<AnnotatorAnswer> answers = asked.facts->session(backends_[size_t(backend)].running)
                                                         .walk(asked.questions, lines, asked.facts->cancel());
        for (size_t i = 0; i < answers.size(); ++i)
            if (!answers[i].walk.empty()) reaching.push_back(asked.decisions[i]);
    }
    std::sort(reaching.begin(), reaching.end());
    return reaching;
}

std::vector<RuleFault> FlowExplainer::rule_faults() {
    // What a rule raises has a traceback; a condition that decided has none.
    const auto failed = [](const AnnotatorAnswer& answer) { return !answer.answered || !answer.traceback.empty(); };
    std::vector<RuleFault> faults;
    std::map<std::tuple<int, std::string, std::string>, size_t> known;
    for (int backend = 0; backend < int(backends_.size()); ++backend)
        for (const Asked& asked : all_asked(backend)) {
            const std::vector<AnnotatorAnswer> answers = asked.facts->session(backends_[size_t(backend)].running)
                                                             .ask(asked.questions, false, asked.facts->cancel());
            for (size_t i = 0; i < answers.size(); ++i) {
                if (!failed(answers[i])) continue;
                const Decision& decision = flow_.log.decisions()[asked.decisions[i]];
                const std::string whole = answers[i].place();
                const auto [at, fresh] = known.try_emplace({backend, decision.rule, whole}, faults.size());
                if (fresh)
                    faults.push_back({backend,
                                      decision.rule,
                                      answers[i].reason,
                                      file_and_line(answers[i]),
                                      own_line(backends_[size_t(backend)], whole),
                                      {}});
                faults[at->second].calls.push_back(decision.subject);
            }
        }
    return faults;
}

}  // namespace partita
