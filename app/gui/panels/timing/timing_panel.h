// Timing: what a run took, by region and operator, as a table and bars; switches the heat overlay.
#pragma once

#include <QSortFilterProxyModel>
#include <QWidget>

#include "app/gui/panels/timing/timing_model.h"

class QCheckBox;
class QLabel;
class QStackedLayout;
class QTreeView;

namespace partita {

class TimingChart;

class TimingPanel : public QWidget {
    Q_OBJECT

public:
    explicit TimingPanel(Document& document, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    QCheckBox& heatSwitch() { return *heat_; }
    QTreeView& table() { return *table_; }
    const TimingModel& model() const { return model_; }

signals:
    void heatToggled(bool on);
    void runWanted();

private:
    void refresh();
    void selectRegion(int region);
    void selectRow(const QModelIndex& index);
    void copyCsv();

    Document& document_;
    TimingModel model_;
    QSortFilterProxyModel sorted_;
    QStackedLayout* stack_;
    QLabel* summary_;
    QCheckBox* heat_;
    QTreeView* table_;
    TimingChart* chart_;
};

}  // namespace partita
