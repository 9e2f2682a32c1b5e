#include "engine/flow/describe.h"

namespace partita {

namespace {

std::string backend_name(const Decision& decision, std::span<const BackendDescription> backends) {
    if (decision.backend < 0 || size_t(decision.backend) >= backends.size()) return "default";
    return backends[size_t(decision.backend)].name;
}

bool calls_no_operator(ExprId subject, const ExpressionNames& names) {
    return names.number(subject) > 0 && !names.module().called_op(subject).valid();
}

}  // namespace

Sentence path_sentence(std::span<const ExprId> path, std::span<const PathHop> hops, const ExpressionNames& names) {
    constexpr size_t kShown = 14;  // a sentence's text is made by recursion over its parts
    if (path.empty()) return {};
    Sentence said = as_it_is(names.name(path[0]));
    for (size_t i = 1; i < std::min(path.size(), kShown); ++i) {
        const PathHop hop = i <= hops.size() ? hops[i - 1] : PathHop::Data;
        const char* form = hop == PathHop::Inside ? SENTENCE("Engine", "%1, in one region with %2")
                           : hop == PathHop::Gap  ? "%1 … %2"
                                                  : "%1 → %2";
        said = {form, {std::move(said), names.name(path[i])}};
    }
    if (path.size() <= kShown) return said;
    return {SENTENCE("Engine", "%1 → … (%2 expressions)"), {std::move(said), std::to_string(path.size())}};
}

Sentence refusal_sentence(const Decision& decision, const ExpressionNames& names) {
    const std::string other = names.name(decision.other);
    switch (decision.refusal) {
        case PatternRefusal::UsedElsewhere:
            return {SENTENCE("Engine", "an expression inside is used elsewhere, by %1"), {other}};
        case PatternRefusal::InOtherMatch:
            return {SENTENCE("Engine", "%1 inside is part of another match of the pattern"), {other}};
        default: return decision.detail;
    }
}

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
                    {subject, decision.rule, refusal_sentence(decision, names)}};
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
            if (decision.other.valid())
                return {SENTENCE("Engine", "%1 goes to %2: you assigned %3, which is inside its composite."),
                        {subject, backend, producer}};
            return {SENTENCE("Engine", "%1 goes to %2: you assigned it."), {subject, backend}};
        case DecisionKind::ByCost:
            return {SENTENCE("Engine", "%1 goes to %2: the placement by time puts it there."), {subject, backend}};
        case DecisionKind::Inherited:
            if (!decision.detail.empty())
                return {SENTENCE("Engine", "%1 goes to %2: %3."), {subject, backend, decision.detail}};
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
        case DecisionKind::PutApart:
            return {SENTENCE("Engine", "%1 and %2 are in different regions: %3."),
                    {producer, subject, decision.detail}};
        case DecisionKind::LeftOut: return {SENTENCE("Engine", "%1 is in no region: %2."), {subject, decision.detail}};
        case DecisionKind::FromFile:
            return {SENTENCE("Engine",
                             "%1 is not merged with %2: one of them calls a function that the file has divided "
                             "already, which stays as it is."),
                    {producer, subject}};
        case DecisionKind::WouldCloseCycle:
            if (decision.path.empty())
                return {SENTENCE("Engine", "The region of %1 is not merged into the region of %2: %3."),
                        {producer, subject, decision.detail}};
            return {SENTENCE("Engine",
                             "The region of %1 must not be merged into the region of %2: the merged region would "
                             "depend on itself through %3."),
                    {producer, subject, path_sentence(decision.path, decision.hops, names)}};
        case DecisionKind::MergeLimit:
            return {SENTENCE("Engine", "The region of %1 is not merged into the region of %2: %3."),
                    {producer, subject, decision.detail}};
        case DecisionKind::SubFunctionMade:
            if (!decision.subject.valid() && decision.other.valid())
                return {SENTENCE("Engine",
                                 "%1 passes through @%2 unchanged: a tuple at the end of a region is split, and this "
                                 "value of it comes from elsewhere."),
                        {producer, decision.detail}};
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
