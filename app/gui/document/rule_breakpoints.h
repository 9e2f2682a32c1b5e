// The rules at which the step player stops, and lines of files in Python; each for all calls, or for those of which a
// condition holds. A rule is named as in decisions: "ops.nn.conv2d", or a pattern's name.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>

#include "engine/rules/rule.h"

namespace partita {

/// Of which calls a breakpoint stops: of those for which a text in the rule language holds, such as "attrs.groups > 1".
class BreakpointCondition {
public:
    /// "": of all.
    static Result<BreakpointCondition> compile(const QString& text);
    const QString& text() const { return text_; }
    bool holds(ModuleFacts& facts, ExprId call) const {
        return !rule_ || (call.valid() && rule_->evaluate({facts.module(), call, &facts}));
    }

private:
    QString text_;
    std::shared_ptr<const Rule> rule_;  ///< null: always
};

class RuleBreakpoints : public QObject {
    Q_OBJECT

public:
    using Place = std::pair<QString, QString>;  ///< backend, rule
    using Line = std::pair<QString, int>;       ///< backend, line

    explicit RuleBreakpoints(QObject* parent = nullptr) : QObject(parent) {}
    const std::map<Place, BreakpointCondition>& rules() const { return rules_; }
    const std::map<Line, BreakpointCondition>& lines() const { return lines_; }
    bool any() const { return !rules_.empty() || !lines_.empty(); }
    /// Null where it has none.
    const BreakpointCondition* find(const QString& backend, const QString& rule) const {
        const auto found = rules_.find({backend, rule});
        return found == rules_.end() ? nullptr : &found->second;
    }
    std::map<int, BreakpointCondition> conditionsOf(const QString& backend) const;
    std::vector<int> linesOf(const QString& backend) const;

    void set(const QString& backend, const QString& rule, bool on);
    void toggle(const QString& backend, const QString& rule) { set(backend, rule, !find(backend, rule)); }
    void toggleLine(const QString& backend, int line);
    /// `to`: by linesOf().
    void moveLines(const QString& backend, const std::vector<int>& to);
    /// Sets the breakpoint, too.
    void setCondition(const QString& backend, const QString& rule, BreakpointCondition condition);
    void setCondition(const QString& backend, int line, BreakpointCondition condition);

signals:
    void rulesChanged();

private:
    std::map<Place, BreakpointCondition> rules_;
    std::map<Line, BreakpointCondition> lines_;
};

}  // namespace partita
