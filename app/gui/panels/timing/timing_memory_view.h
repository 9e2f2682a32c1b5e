// The memory of a run over its steps, and a table of what is kept at the chosen step: at first at the peak.
#pragma once

#include <QWidget>

#include "app/gui/panels/timing/memory_chart.h"

class QLabel;
class QTreeWidget;

namespace partita {

class Document;

class TimingMemoryView : public QWidget {
    Q_OBJECT

public:
    explicit TimingMemoryView(Document& document);
    void setTheme(const Theme& theme);
    /// Null: none. A picture without steps is of a module with control flow.
    void setPicture(std::shared_ptr<const MemoryPicture> picture);
    /// The colours of the backends as they are now.
    void refreshColours();
    MemoryChart& chart() { return *chart_; }
    QTreeWidget& table() { return *table_; }
    QLabel& headline() { return *headline_; }

signals:
    /// The region is an index into the report.
    void chosen(int region, ExprId origin);

private:
    void showStep(size_t step);

    Document& document_;
    std::shared_ptr<const MemoryPicture> picture_;
    QLabel* headline_;
    MemoryChart* chart_;
    QTreeWidget* table_;
};

/// All that the plan of a run keeps, as comma-separated values.
QString memory_csv(const RunReport& report);

}  // namespace partita
