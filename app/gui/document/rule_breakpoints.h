// The rules at which the step player stops. A rule is named as in decisions: "ops.nn.conv2d", or a pattern's name.
#pragma once

#include <set>
#include <utility>

#include <QObject>
#include <QString>

namespace partita {

class RuleBreakpoints : public QObject {
    Q_OBJECT

public:
    using Rule = std::pair<QString, QString>;  ///< backend, rule

    explicit RuleBreakpoints(QObject* parent = nullptr) : QObject(parent) {}
    const std::set<Rule>& rules() const { return rules_; }
    bool contains(const QString& backend, const QString& rule) const { return rules_.count({backend, rule}) > 0; }
    void set(const QString& backend, const QString& rule, bool on) {
        const bool changed = on ? rules_.insert({backend, rule}).second : rules_.erase({backend, rule}) > 0;
        if (changed) emit rulesChanged();
    }
    void toggle(const QString& backend, const QString& rule) { set(backend, rule, !contains(backend, rule)); }

signals:
    void rulesChanged();

private:
    std::set<Rule> rules_;
};

}  // namespace partita
