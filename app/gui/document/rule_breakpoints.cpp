#include "app/gui/document/rule_breakpoints.h"

namespace partita {

Result<BreakpointCondition> BreakpointCondition::compile(const QString& text) {
    BreakpointCondition made;
    made.text_ = text.trimmed();
    if (made.text_.isEmpty()) return made;
    Result<std::shared_ptr<const Rule>> rule = Rule::compile(made.text_.toStdString(), {});
    if (!rule) return rule.error();
    made.rule_ = std::move(*rule);
    return made;
}

std::map<int, BreakpointCondition> RuleBreakpoints::conditionsOf(const QString& backend) const {
    std::map<int, BreakpointCondition> lines;
    for (auto at = lines_.lower_bound({backend, 0}); at != lines_.end() && at->first.first == backend; ++at)
        lines.emplace(at->first.second, at->second);
    return lines;
}

std::vector<int> RuleBreakpoints::linesOf(const QString& backend) const {
    std::vector<int> lines;
    for (const auto& [line, _] : conditionsOf(backend)) lines.push_back(line);
    return lines;
}

void RuleBreakpoints::set(const QString& backend, const QString& rule, bool on) {
    const Place place(backend, rule);
    const bool changed = on ? rules_.try_emplace(place).second : rules_.erase(place) > 0;
    if (changed) emit rulesChanged();
}

void RuleBreakpoints::toggleLine(const QString& backend, int line) {
    if (!lines_.erase({backend, line})) lines_.try_emplace({backend, line});
    emit rulesChanged();
}

void RuleBreakpoints::moveLines(const QString& backend, const std::vector<int>& to) {
    const std::map<int, BreakpointCondition> lines = conditionsOf(backend);
    if (lines.size() != to.size()) return;
    std::erase_if(lines_, [&](const auto& each) { return each.first.first == backend; });
    size_t next = 0;
    for (const auto& [_, condition] : lines) lines_.insert_or_assign({backend, to[next++]}, condition);
    emit rulesChanged();
}

void RuleBreakpoints::setCondition(const QString& backend, const QString& rule, BreakpointCondition condition) {
    rules_.insert_or_assign({backend, rule}, std::move(condition));
    emit rulesChanged();
}

void RuleBreakpoints::setCondition(const QString& backend, int line, BreakpointCondition condition) {
    lines_.insert_or_assign({backend, line}, std::move(condition));
    emit rulesChanged();
}

}  // namespace partita
