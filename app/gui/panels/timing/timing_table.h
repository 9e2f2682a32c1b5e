// The times of a run in a table, and in a wide panel as bars beside it.
#pragma once

#include <QSplitter>

#include "app/gui/panels/timing/timing_chart.h"
#include "app/gui/panels/timing/timing_model.h"

class QTreeView;

namespace partita {

class FittedColumns;

class TimingTable : public QSplitter {
    Q_OBJECT

public:
    explicit TimingTable(Document& document);

    TimingModel& model() { return model_; }
    QTreeView& table() { return *table_; }
    TimingChart& chart() { return *chart_; }
    void setTheme(const Theme& theme);
    /// Columns that say nothing of this run give their room to the others.
    void fitColumns(bool with_errors);
    void mark(int region, ExprId origin);

signals:
    void chosen(int region, ExprId origin);

private:
    TimingModel model_;
    QTreeView* table_;
    TimingChart* chart_;
    FittedColumns* fitted_;
};

}  // namespace partita
