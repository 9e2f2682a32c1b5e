#include "engine/session/names.h"
#include "engine/session/session.h"

namespace partita {

namespace {

std::string backend_name(const Decision& decision, std::span<const BackendDescription> backends) {
    if (decision.backend < 0 || size_t(decision.backend) >= backends.size()) return "default";
    return backends[size_t(decision.backend)].name;
}

std::string region_name(int32_t region) { return "region " + std::to_string(region); }

std::string path_text(const Decision& decision, const ExpressionNames& names) {
    constexpr size_t kShown = 12;
    std::string text;
    for (size_t i = 0; i < std::min(decision.path.size(), kShown); ++i)
        text += (i ? " → " : "") + names.name(decision.path[i]);
    if (decision.path.size() > kShown) text += " → … (" + std::to_string(decision.path.size()) + " expressions)";
    return text;
}

}  // namespace

std::string describe(const Decision& decision, const ExpressionNames& names,
                     std::span<const BackendDescription> backends) {
    std::string subject = names.name(decision.subject);
    std::string backend = backend_name(decision, backends);
    switch (decision.kind) {
        // What was rewritten is of the module before: the names at hand are of the one after.
        case DecisionKind::Rewritten: return decision.text + ".";
        case DecisionKind::PatternMatched:
            return subject + " is the root of a match of the pattern " + decision.rule + ".";
        case DecisionKind::PatternRefused:
            return subject + " fits the pattern " + decision.rule + ", but is left: " + decision.text + ".";
        case DecisionKind::Accepted:
            return subject + " goes to " + backend + ": " +
                   (decision.rule.empty() ? "the backend takes it" : decision.rule + " accepts it") + ".";
        case DecisionKind::RuleFailed: return subject + " does not go to " + backend + ": " + decision.text + ".";
        case DecisionKind::NoRule: return subject + " does not go to " + backend + ": it has no rule for the op.";
        case DecisionKind::Overridden: return subject + " goes to " + backend + " because you said so.";
        case DecisionKind::Inherited: return subject + " goes to " + backend + ", where its operands go.";
        case DecisionKind::SizeLimit: return subject + " goes back to default: " + decision.text + ".";
        case DecisionKind::Merged:
            return region_name(decision.other_region) + " is merged into " + region_name(decision.region) + " of " +
                   subject + ".";
        case DecisionKind::DifferentBackend:
            return region_name(decision.other_region) + " is not merged into " + region_name(decision.region) +
                   ": " +
                   (decision.text.empty() ? "they go to different backends" : decision.text) + ".";
        case DecisionKind::WouldCloseCycle:
            return region_name(decision.other_region) + " must not be merged into " + region_name(decision.region) +
                   ": the merged region would depend on itself through " + path_text(decision, names) + ".";
        case DecisionKind::MergeLimit:
            return region_name(decision.other_region) + " is not merged into " + region_name(decision.region) + " of " +
                   subject + ": " + decision.text + ".";
        case DecisionKind::SubFunctionMade: return region_name(decision.region) + " becomes @" + decision.text + ".";
        case DecisionKind::ConstantBound:
            return "A constant input of " + region_name(decision.region) + " is put into its function.";
    }
    return {};
}

std::string describe(const Decision& decision, const Module& input, std::span<const BackendDescription> backends) {
    return describe(decision, ExpressionNames(input), backends);
}

}  // namespace partita
