#include "engine/explain/report_truth.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "engine/flow/reported_division.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

std::string provider_of(const BackendDescription& backend, const ReportedDivision& reported) {
    std::string only;
    for (const std::string& name : reported.backends) {
        if (name == backend.name) return name;
        if (name != reported.last_resort()) only = only.empty() ? name : "several";
    }
    return only == "several" ? std::string() : only;
}

RuleTruth compare(int index, const BackendDescription& backend, const std::string& provider, FlowExplainer& explainer,
                  const FlowResult& flow, const ReportedDivision& reported) {
    RuleTruth truth{index, provider, 0, 0, {}};
    std::map<std::tuple<bool, std::string, std::string>, RuleDifference> found;
    for (ExprId call : explainer.names().calls()) {
        const ReportedNode* node = reported.find(*flow.input, call);
        if (!node || (node->backend < 0 && node->asked < 0)) continue;
        ++truth.told;
        const bool rules_take = flow.backend_of[call.value] == index;
        if (rules_take == reported.takes(*node, provider)) {
            ++truth.equal;
            continue;
        }
        const CallCause cause = explainer.explain_rule(index, call);
        const std::string op = explainer.names().callee(call), why = cause.reason.text();
        RuleDifference& difference = found[{rules_take, op, why}];
        difference.rules_take = rules_take;
        difference.op = op;
        difference.rule = cause.rule.empty() ? backend.name + ": " + op : cause.rule;
        difference.cause = why;
        if (difference.said.empty()) difference.said = node->reason;
        difference.calls.push_back(call);
    }
    for (auto& [_, difference] : found) truth.differences.push_back(std::move(difference));
    std::stable_sort(truth.differences.begin(), truth.differences.end(),
                     [](const auto& a, const auto& b) { return a.calls.size() > b.calls.size(); });
    return truth;
}

}  // namespace

std::vector<RuleTruth> compare_with_report(FlowExplainer& explainer, const FlowResult& flow,
                                           std::span<const BackendDescription> backends,
                                           const ReportedDivision& reported) {
    std::vector<RuleTruth> all;
    for (size_t i = 0; i < backends.size(); ++i)
        if (const std::string provider = provider_of(backends[i], reported); !provider.empty())
            all.push_back(compare(int(i), backends[i], provider, explainer, flow, reported));
    return all;
}

std::string rule_truth_text(const std::vector<RuleTruth>& truth, const FlowExplainer& explainer,
                            const std::string& program) {
    std::string text;
    for (const RuleTruth& each : truth) {
        const std::string name = on_one_line(explainer.backend_name(each.backend));
        text += "\nthe rules of " + name + " beside what " + on_one_line(each.provider) +
                " took: " + std::to_string(each.equal) + " of " + std::to_string(each.told) + " calls agree\n";
        for (const RuleDifference& difference : each.differences) {
            text += "  " + std::to_string(difference.calls.size()) + " " + on_one_line(difference.op) + ", such as " +
                    on_one_line(explainer.names().name(difference.calls.front())) + ": " +
                    (difference.rules_take ? "the rules take them, " + program + " did not"
                                           : program + " took them, the rules do not") +
                    "; " + on_one_line(difference.rule) + ": " + on_one_line(difference.cause) + "\n";
            if (!difference.said.empty()) text += "    " + program + " says: " + on_one_line(difference.said) + "\n";
        }
        if (!each.differences.empty())
            text += "  most is gained where " + on_one_line(each.differences.front().rule) +
                    (each.differences.front().rules_take ? " refuses" : " takes") + " these " +
                    std::to_string(each.differences.front().calls.size()) + "\n";
    }
    return text;
}

nlohmann::json rule_truth_json(const std::vector<RuleTruth>& truth, const FlowExplainer& explainer) {
    nlohmann::json list = nlohmann::json::array();
    for (const RuleTruth& each : truth) {
        nlohmann::json differences = nlohmann::json::array();
        for (const RuleDifference& difference : each.differences) {
            nlohmann::json calls = nlohmann::json::array();
            for (ExprId call : difference.calls) calls.push_back(explainer.names().name(call));
            differences.push_back({{"rules_take", difference.rules_take},
                                   {"op", difference.op},
                                   {"rule", difference.rule},
                                   {"cause", difference.cause},
                                   {"said", difference.said},
                                   {"calls", std::move(calls)}});
        }
        list.push_back({{"backend", explainer.backend_name(each.backend)},
                        {"provider", each.provider},
                        {"told", each.told},
                        {"equal", each.equal},
                        {"differences", std::move(differences)}});
    }
    return list;
}

}  // namespace partita
