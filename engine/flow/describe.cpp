#include "engine/flow/describe.h"

namespace partita {

namespace {

std::string backend_name(const Decision& decision, std::span<const BackendDescription> backends) {
    if (decision.backend < 0 || size_t(decision.backend) >= backends.size()) return "default";
    return backends[size_t(decision.backend)].name;
}

std::string path_text(const Decision& decision, const ExpressionNames& names) {
    constexpr size_t kShown = 12;
    std::string text;
    for (size_t i = 0; i < std::min(decision.path.size(), kShown); ++i)
        text += (i ? " → " : "") + names.name(decision.path[i]);
    if (decision.path.size() > kShown) text += " → … (" + std::to_string(decision.path.size()) + " expressions)";
    return text;
}

bool calls_no_operator(ExprId subject, const ExpressionNames& names) {
    return names.number(subject) > 0 && !names.module().called_op(subject).valid();
}

}  // namespace

Sentence sentence_of(const Decision& decision, const ExpressionNames& names,
                     std::span<const BackendDescription> backends) {
    const std::string subject = names.name(decision.subject);
    const std::string backend = backend_name(decision, backends);
    const std::string producer = names.name(decision.other);
    switch (decision.kind) {
        // The rewritten expression is of the module before; the names here are of the module after.
        case DecisionKind::Rewritten: return {"%1.", {decision.detail}};
        case DecisionKind::PatternMatched:
            return {SENTENCE("Engine", "%1 is the root of a match of the pattern %2."), {subject, decision.rule}};
        case DecisionKind::PatternRefused:
            return {SENTENCE("Engine", "%1 matches the pattern %2, but does not become a composite: %3."),
                    {subject, decision.rule, decision.detail}};
        case DecisionKind::Accepted:
            if (decision.rule.empty())
                return {SENTENCE("Engine", "%1 goes to %2: the backend accepts it."), {subject, backend}};
            return {SENTENCE("Engine", "%1 goes to %2: %3 accepts it."), {subject, backend, decision.rule}};
        case DecisionKind::RuleFailed:
            return {SENTENCE("Engine", "%1 does not go to %2: %3."), {subject, backend, decision.detail}};
        case DecisionKind::NoRule:
            if (decision.backend < 0)
                return {
                    SENTENCE("Engine", "%1 stays on default: no backend has the name that its pattern %2 begins with."),
                    {subject, decision.rule}};
            if (calls_no_operator(decision.subject, names))
                return {
                    SENTENCE("Engine", "%1 does not go to %2: rules apply to operators only, and it calls a function."),
                    {subject, backend}};
            return {SENTENCE("Engine", "%1 does not go to %2: it has no rule for the op."), {subject, backend}};
        case DecisionKind::Overridden:
            return {SENTENCE("Engine", "%1 goes to %2: you assigned it."), {subject, backend}};
        case DecisionKind::ByCost:
            return {SENTENCE("Engine", "%1 goes to %2: the placement by time puts it there."), {subject, backend}};
        case DecisionKind::Inherited:
            return {SENTENCE("Engine", "%1 goes to %2, where its operands go."), {subject, backend}};
        case DecisionKind::SizeLimit:
            return {SENTENCE("Engine", "%1 goes back to default: %2."), {subject, decision.detail}};
        // Regions go by an operator of theirs: their numbers are others in each pass, and default has none.
        case DecisionKind::Merged:
            return {SENTENCE("Engine", "The region of %1 is merged into the region of %2."), {producer, subject}};
        case DecisionKind::DifferentBackend:
            if (!decision.detail.empty())
                return {SENTENCE("Engine", "%1 is not merged with %2: %3."), {producer, subject, decision.detail}};
            return {SENTENCE("Engine", "%1 is not merged with %2: they go to different backends."),
                    {producer, subject}};
        case DecisionKind::WouldCloseCycle:
            return {SENTENCE("Engine",
                             "The region of %1 must not be merged into the region of %2: the merged region would "
                             "depend on itself through %3."),
                    {producer, subject, path_text(decision, names)}};
        case DecisionKind::MergeLimit:
            return {SENTENCE("Engine", "The region of %1 is not merged into the region of %2: %3."),
                    {producer, subject, decision.detail}};
        case DecisionKind::SubFunctionMade:
            return {SENTENCE("Engine", "The region of %1 becomes @%2."), {subject, decision.detail}};
        case DecisionKind::ConstantBound:
            return {SENTENCE("Engine", "An input of a region, %1, is put into its function."), {subject}};
    }
    return {"", {}};
}

std::string describe(const Decision& decision, const ExpressionNames& names,
                     std::span<const BackendDescription> backends) {
    return sentence_of(decision, names, backends).text();
}

std::string describe(const Decision& decision, const Module& input, std::span<const BackendDescription> backends) {
    return describe(decision, ExpressionNames(input), backends);
}

}  // namespace partita
