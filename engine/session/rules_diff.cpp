#include "engine/session/rules_diff.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "engine/explain/explain.h"
#include "engine/flow/region_names.h"
#include "engine/ops/cost.h"
#include "engine/support/json_reader.h"

namespace partita {

namespace {

DivisionSize size_of(const FlowResult& flow) {
    DivisionSize size;
    size.regions = flow.regions.size();
    for (const RegionInfo& region : flow.regions) {
        size.calls += size_t(operator_count(region, *flow.input));
        size.flops += region.flops;
        size.boundary_bytes += region.boundary_bytes;
    }
    return size;
}

std::string reason_without_values(const CallCause& cause) {
    if (cause.kind != CallCause::Kind::RuleFailed) return cause.reason.text();
    if (!cause.place.empty()) return cause.place;
    std::string text;
    for (const RuleTerm& term : cause.terms)
        if (term.alternative == 0) text += (text.empty() ? "" : " and ") + term.stated(false);
    return text.empty() ? cause.reason.text() : text;
}

/// Returns the first cause that the version which does not take a call has for it.
CallCause cause_of(FlowExplainer& explainer, ExprId call) {
    const CallExplanation explanation = explainer.explain_call(call, FlowExplainer::Patterns::OfRoot);
    for (const CallCause& cause : explanation.causes)
        if (cause.kind == CallCause::Kind::RuleFailed) return cause;
    for (const CallCause& cause : explanation.causes)
        if (cause.kind != CallCause::Kind::Accepted) return cause;
    return explanation.causes.empty() ? CallCause() : explanation.causes.front();
}

}  // namespace

bool RulesDiff::identical() const {
    return changes.empty() && before.regions == after.regions && before.boundary_bytes == after.boundary_bytes;
}

RulesDiff diff_rules(const FlowResult& before, std::span<const BackendDescription> before_backends,
                     const FlowResult& after, std::span<const BackendDescription> after_backends) {
    const Module& module = *before.input;
    RulesDiff diff;
    diff.before = size_of(before);
    diff.after = size_of(after);
    FlowExplainer old_rules(before, before_backends), new_rules(after, after_backends);
    std::map<std::tuple<std::string, bool, std::string, std::string>, size_t> known;
    const ModuleBlocks blocks(module);
    std::map<size_t, std::set<std::pair<int32_t, uint32_t>>> blocks_of;
    for (ExprId call : old_rules.names().calls()) {
        const OpRecord* op = computed_op(module, call);
        if (!op) continue;
        ++diff.calls;
        diff.flops += call_flops(module, call);
        const bool was = before.backend_of[call.value] >= 0, is = after.backend_of[call.value] >= 0;
        if (was == is) continue;
        const CallCause cause = cause_of(is ? old_rules : new_rules, call);
        const std::string reason = reason_without_values(cause);
        const auto [at, fresh] = known.try_emplace({op->name, is, cause.rule, reason}, diff.changes.size());
        if (fresh) diff.changes.push_back({op->name, is, cause.rule, reason, {}, 0});
        diff.changes[at->second].calls.push_back(call);
        if (const BlockPlace place = blocks.place(call); place.run >= 0)
            blocks_of[at->second].insert({place.run, place.block});
    }
    for (const auto& [change, found] : blocks_of) diff.changes[change].blocks = uint32_t(found.size());
    std::stable_sort(diff.changes.begin(), diff.changes.end(),
                     [](const VerdictChange& a, const VerdictChange& b) { return a.calls.size() > b.calls.size(); });
    return diff;
}

std::string to_text(const VerdictChange& change, const ExpressionNames& names) {
    constexpr size_t kMost = 3;
    std::string text = (change.taken ? "+ " : "- ") + std::to_string(change.calls.size()) + " " + change.op;
    if (change.blocks > 1) text += " in " + std::to_string(change.blocks) + " blocks";
    if (!change.rule.empty()) text += ": " + change.rule;
    if (!change.reason.empty()) text += ": " + change.reason;
    for (size_t i = 0; i < std::min(change.calls.size(), kMost); ++i)
        text += (i ? ", " : ": ") + names.name(change.calls[i]);
    if (change.calls.size() > kMost) text += " and " + std::to_string(change.calls.size() - kMost) + " more";
    return text;
}

Result<std::string> with_tests(const std::string& description, const std::string& module, const RulesDiff& diff,
                               const ExpressionNames& names, bool wants_new) {
    const auto json = nlohmann::ordered_json::parse(description, nullptr, false, true);
    if (!json.is_object()) return error("tests are kept in a description in JSON");
    nlohmann::ordered_json tests = json.value("expect", nlohmann::ordered_json::array());
    for (const VerdictChange& change : diff.changes)
        tests.push_back({{"module", module},
                         {"node", names.number(change.calls.front())},
                         {"supported", change.taken == wants_new}});
    std::string lines;
    for (const auto& test : tests) lines += (lines.empty() ? "[\n    " : ",\n    ") + test.dump();
    if (lines.empty()) return description;
    const std::string path[] = {"expect"};
    return with_json_value(description, path, lines + "\n  ]");
}

Result<std::string> model_of_test(const std::string& description_file, const std::string& model) {
    const std::filesystem::path folder = std::filesystem::path(description_file).parent_path();
    std::error_code fault;
    const std::filesystem::path name = std::filesystem::relative(model, folder.empty() ? "." : folder, fault);
    if (fault || name.empty() || *name.begin() == ".." || name.extension() != ".relay")
        return error("a test names Relay text in the description's folder or below it, and " + model + " is none");
    return name.string();
}

Result<ModelRulesDiff> diff_rules_on(const OpenedInput& input, DivideRequest request, const BackendPtr& before,
                                     const BackendPtr& after, std::vector<Diagnostic>& notes) {
    request.log_decisions = true;
    request.backends = {before};
    const Result<Divided> old_rules = divide(input, request, notes);
    if (!old_rules) return old_rules.error();
    request.backends = {after};
    const Result<Divided> new_rules = divide(input, std::move(request), notes);
    if (!new_rules) return new_rules.error();
    return ModelRulesDiff{
        input.path, old_rules->result.input, std::make_shared<const ExpressionNames>(*old_rules->result.input),
        diff_rules(old_rules->result, old_rules->options.backends, new_rules->result, new_rules->options.backends)};
}

}  // namespace partita
