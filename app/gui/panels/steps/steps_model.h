// The decisions of a flow as a list of sentences; the text of a row is made when it is asked for. What is decided alike
// in many blocks is one row, which opens.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <utility>

#include <QAbstractListModel>

#include "app/gui/document/document.h"
#include "app/gui/document/rule_breakpoints.h"
#include "app/gui/panels/steps/step_replay.h"
#include "app/gui/style/theme.h"

namespace partita {

enum class StepFilter { All, Placement, Merging, Refusals };

class StepsModel : public QAbstractListModel {
    Q_OBJECT

public:
    explicit StepsModel(QObject* parent = nullptr);
    void setTheme(const Theme& theme) { theme_ = theme; }
    /// `named` are the names of the flow's input. Regions become functions in any flow; `partitioned` says whether
    /// somebody asked for that, and so wants to read of it.
    void setFlow(FlowPtr flow, NamedModulePtr named, std::vector<BackendDescription> backends, bool partitioned);
    void setFilter(StepFilter filter);
    /// Those of the flow at hand. A new flow has none.
    void setAlike(AlikeStepsPtr alike);
    /// A row that stands for what is alike in many blocks.
    bool isGroup(int row) const { return rowAt(row).kind == Row::Group; }
    bool isOpen(int row) const { return isGroup(row) && open_.count(groupOf(row)) > 0; }
    /// One of the rows below such a row.
    bool isInGroup(int row) const { return rowAt(row).kind == Row::Member; }
    /// Shows each of what a row stands for, or that row only; the row keeps its place.
    void setOpen(int row, bool open);
    /// Of a row in a group: that of the group.
    int groupRow(int row) const;
    /// Decisions of these rules are never filtered out, and groups with such are open, so that each is stopped at. They
    /// must outlive this; call it again when they change.
    void setBreakpoints(const RuleBreakpoints& breakpoints);
    /// Calls that a pattern with a breakpoint looks at in vain (FlowExplainer::explain_near_misses): rows behind those
    /// of the composite pass, which logs only what fits. A new flow has none.
    void setMisses(std::vector<Decision> misses);
    /// Decisions of the log that reach a line with a breakpoint, in order. A new flow has none. Opens the groups that
    /// they are in, so that each is stopped at.
    void setReaching(std::vector<uint32_t> reaching);
    /// Whether a rule with a breakpoint looks at an expression in a row, or reaches a line with one. Of a group that is
    /// open each call is a row of its own.
    bool stopsAt(int row) const { return (isBreakpoint(decision(row)) || reachesLine(row)) && !isOpen(row); }
    /// Which of the stops at decisions a row is, from 1, and how many there are; 0 for another row.
    std::pair<size_t, size_t> stopNumber(int row) const;
    bool reachesLine(int row) const { return !isMiss(row) && reaches(spokenOf(row)); }
    const FlowPtr& flow() const { return flow_; }
    /// The decision of a row; of a group the one that stops, or else the first.
    const Decision& decision(int row) const {
        return isMiss(row) ? misses_[rowAt(row).index] : flow_->log.decisions()[spokenOf(row)];
    }
    /// All decisions that a row stands for.
    std::vector<const Decision*> decisions(int row) const;
    bool isMiss(int row) const { return rowAt(row).kind == Row::Miss; }
    /// The decisions up to and with this row.
    StepsUpTo stepsThrough(int row) const;
    /// The largest number in the list.
    size_t largestNumber() const { return flow_ ? flow_->log.decisions().size() : 0; }
    QString sentence(int row) const;
    /// "–" for what is told beside the decisions.
    QString numberText(int row) const;
    QString passName(int row) const;
    /// All that there are.
    static QStringList passNames();

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    void rebuild();
    bool isBreakpoint(const Decision& decision) const;
    bool stops(const QString& backend, const QString& rule, const Decision& decision) const;
    bool reaches(uint32_t index) const;

    FlowPtr flow_;
    std::vector<BackendDescription> backends_;
    NamedModulePtr named_;
    struct Row {
        enum Kind : uint8_t { Single, Miss, Group, Member };
        uint32_t index;  ///< into misses_ or the log; of a group its first decision
        Kind kind;
    };
    Row rowAt(int row) const { return rows_.empty() ? Row{uint32_t(row), Row::Single} : rows_[size_t(row)]; }
    Decision ofAll(int row) const;
    int32_t groupOf(int row) const { return alike_->group(rowAt(row).index); }
    uint32_t spokenOf(int row) const;
    void addRow(uint32_t index, bool alone);
    bool openWhereItStops();
    std::vector<Row> rows_;  ///< empty where each decision of the log has its row: there may be millions
    size_t row_count_ = 0;
    AlikeStepsPtr alike_;
    std::set<int32_t> open_;  ///< groups
    std::vector<Decision> misses_;
    std::vector<uint32_t> reaching_;
    size_t before_misses_ = 0;  ///< how many decisions of the log come before them
    StepFilter filter_ = StepFilter::All;
    bool partitioned_ = true;
    const RuleBreakpoints* breakpoints_ = nullptr;
    mutable std::optional<ModuleFacts> facts_;               ///< of the flow's input, for conditions
    mutable std::optional<std::vector<uint32_t>> stops_at_;  ///< decisions, in order
    Theme theme_;
};

}  // namespace partita
