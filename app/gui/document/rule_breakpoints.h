// The rules at which the step player stops, and lines of files in Python. A rule is named as in decisions:
// "ops.nn.conv2d", or a pattern's name.
#pragma once

#include <set>
#include <utility>
#include <vector>

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
    bool any() const { return !rules_.empty() || !lines_.empty(); }
    /// By backend and line.
    const std::set<std::pair<QString, int>>& lines() const { return lines_; }
    std::vector<int> linesOf(const QString& backend) const {
        std::vector<int> lines;
        for (auto at = lines_.lower_bound({backend, 0}); at != lines_.end() && at->first == backend; ++at)
            lines.push_back(at->second);
        return lines;
    }
    void toggleLine(const QString& backend, int line) {
        if (!lines_.erase({backend, line})) lines_.insert({backend, line});
        emit rulesChanged();
    }
    void setLines(const QString& backend, const std::vector<int>& lines) {
        std::erase_if(lines_, [&](const auto& line) { return line.first == backend; });
        for (int line : lines) lines_.insert({backend, line});
        emit rulesChanged();
    }
    void toggle(const QString& backend, const QString& rule) { set(backend, rule, !contains(backend, rule)); }

signals:
    void rulesChanged();

private:
    std::set<Rule> rules_;
    std::set<std::pair<QString, int>> lines_;
};

}  // namespace partita
