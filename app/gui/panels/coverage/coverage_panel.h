// Coverage: what share goes to each backend, what keeps the rest away, and what other rules would change: each by
// itself, or the few that do the most together. A click on a cause selects its calls; *Try* makes a change of the
// rules, as one step of undo. Counted by jobs, only while the panel is seen or somebody wants to know.
#pragma once

#include <QWidget>

#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"
#include "engine/explain/coverage.h"
#include "engine/explain/what_if.h"

class QLabel;
class QSplitter;
class QStackedLayout;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace partita {

class FittedColumns;

class CoveragePanel : public QWidget {
    Q_OBJECT

public:
    explicit CoveragePanel(Document& document, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    QTreeWidget& shares() { return *shares_; }
    QTreeWidget& causes() { return *causes_; }
    QTreeWidget& whatIfs() { return *what_ifs_; }
    /// Whether the list has the best changes, one after the other.
    QToolButton& bestButton() { return *best_; }

public slots:
    void computeWhatIfs();
    /// Changes the rules as a what-if says; of the best changes also as those before it.
    void tryWhatIf(int index);
    /// `obstacle` returns why rules must stay as they are now; "" if they may be changed.
    void setObstacle(std::function<QString()> obstacle) { obstacle_ = std::move(obstacle); }
    void copyReport();
    /// Says how many calls of the flow at hand stayed on default and why, once they are counted.
    void tellFallbacks();

signals:
    /// A line of a backend's file in Python is to be seen.
    void lineWanted(int backend, int line);
    /// Something for the status bar.
    void told(const QString& sentence);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct WhatIfs {
        std::vector<WhatIf> list;
        QString failure;
    };
    QTreeWidget* addTable(QSplitter& split, const QString& title, const QStringList& columns,
                          std::vector<int> dispensable, QWidget* extra = nullptr, int narrowest_name = 130);
    QWidget* makeWhatIfRow();
    void connectTables();
    QString summary() const;
    static QString words(const CoverageCause& cause);
    void refresh();
    void clear();
    void fillShares();
    QTreeWidgetItem* shareItem(const QString& name, const CoverageShare& share) const;
    void fillCauses();
    void addPlaces(QTreeWidgetItem& item);
    QTreeWidgetItem* placeItem(const QString& text, const std::vector<ExprId>& calls) const;
    void fillWhatIfs();
    void fitColumns();
    void fitTables();
    void addTryButton(QTreeWidgetItem& item, int index);
    void showBest(bool best);
    void tellWhatIfs();
    WhatIfGoal goal() const;
    std::vector<RuleChange> changesThrough(int index) const;
    /// Why the rules of a line can not be tried; "" if they can.
    QString obstacleToTrying(int index) const;

    Document& document_;
    std::function<QString()> obstacle_ = [] { return QString(); };
    Theme theme_;
    FlowPtr counted_;  ///< what the tables are of
    CoverageReport report_;
    std::vector<WhatIf> list_;  ///< the best changes in their order while that button is down
    bool counted_list_ = false;
    QWidget* causes_box_ = nullptr;  ///< the table with its title
    bool telling_ = false;           ///< the sentence is wanted when the report is there
    quint64 report_job_ = 0, what_if_job_ = 0;

    QStackedLayout* stack_;
    QLabel *nothing_, *what_if_state_;
    QToolButton *compute_, *copy_, *best_;
    QTreeWidget *shares_ = nullptr, *causes_ = nullptr, *what_ifs_ = nullptr;
    std::vector<FittedColumns*> fitted_;  ///< in this order
};

}  // namespace partita
