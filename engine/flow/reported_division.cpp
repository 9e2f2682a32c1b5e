#include "engine/flow/reported_division.h"

#include "engine/support/one_line.h"

namespace partita {

const ReportedNode* ReportedDivision::find(const Module& module, ExprId call) const {
    const std::string_view label = module.label(call);
    if (!label.empty()) {
        const auto found = by_label.find(std::string(label));
        return found == by_label.end() ? nullptr : &nodes[found->second];
    }
    const auto found = by_expression.find(call);
    return found == by_expression.end() ? nullptr : &nodes[found->second];
}

bool ReportedDivision::takes(const ReportedNode& node, std::string_view backend) const {
    if (node.asked >= 0 && backends[size_t(node.asked)] == backend) return node.verdict > 0;
    return node.backend >= 0 && backends[size_t(node.backend)] == backend;
}

std::string_view ReportedDivision::last_resort() const {
    return !backends.empty() && backends.back() == "CPUExecutionProvider" ? std::string_view(backends.back()) : "";
}

ReportedPtr carried_over(const ReportedPtr& reported, const std::vector<ExprId>& image) {
    if (reported->by_expression.empty()) return reported;
    auto carried = std::make_shared<ReportedDivision>(*reported);
    carried->by_expression.clear();
    for (const auto& [expression, node] : reported->by_expression)
        if (expression.value < image.size() && image[expression.value].valid())
            carried->by_expression.emplace(image[expression.value], node);
    return carried;
}

Sentence reported_sentence(const ReportedDivision& reported, const ReportedNode* node) {
    const bool placed = node && node->backend >= 0;
    if (placed && node->reason.empty() && reported.backends[size_t(node->backend)] == reported.last_resort() &&
        reported.backends.size() > 1)
        return {SENTENCE("Engine", "%1 put it there; the file does not say why"), {reported.program}};
    if (placed && node->reason.empty()) return {SENTENCE("Engine", "%1 put it there"), {reported.program}};
    if (placed)
        return {SENTENCE("Engine", "%1 put it there and says: %2"), {reported.program, on_one_line(node->reason)}};
    if (node && !node->reason.empty())
        return {SENTENCE("Engine", "the file does not say where it went; %1 says: %2"),
                {reported.program, on_one_line(node->reason)}};
    return {SENTENCE("Engine", "the file does not say where it went"), {}};
}

}  // namespace partita
