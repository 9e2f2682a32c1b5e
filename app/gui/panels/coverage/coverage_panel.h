// Coverage: what share goes to each backend, what keeps the rest away, and what would change if a cause were gone. A
// click on a cause selects its calls; one on a "what if" tries it, as one step of undo. Counted by jobs, only while the
// panel is seen or somebody wants to know.
#pragma once

#include <QWidget>

#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"
#include "engine/session/explanation.h"

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

public slots:
    void computeWhatIfs();
    /// Gives the calls of a what-if to its backend.
    void tryWhatIf(int index);
    void copyReport();
    /// Says how many calls of the flow at hand stayed on default and why, once they are counted.
    void tellFallbacks();

signals:
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
    QTreeWidget* addTable(QSplitter& split, const QString& title, const QStringList& columns, std::vector<int> dispensable,
                          QWidget* extra = nullptr);
    QString summary() const;
    static QString words(const CoverageCause& cause);
    void refresh();
    void clear();
    void fillShares();
    QTreeWidgetItem* shareItem(const QString& name, const CoverageShare& share) const;
    void fillCauses();
    void fillWhatIfs();
    void fitColumns();
    void fitTables();
    void addTryButton(QTreeWidgetItem& item, int index);

    Document& document_;
    Theme theme_;
    FlowPtr counted_;  ///< what the tables are of
    CoverageReport report_;
    std::vector<WhatIf> list_;
    QWidget* causes_box_ = nullptr;  ///< the table with its title
    bool telling_ = false;  ///< the sentence is wanted when the report is there
    quint64 report_job_ = 0, what_if_job_ = 0;

    QStackedLayout* stack_;
    QLabel *nothing_, *what_if_state_;
    QToolButton *compute_, *copy_;
    QTreeWidget *shares_ = nullptr, *causes_ = nullptr, *what_ifs_ = nullptr;
    std::vector<FittedColumns*> fitted_;  ///< in this order
};

}  // namespace partita
