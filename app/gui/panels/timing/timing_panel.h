// Timing: what a run took, as a table with bars, as a timeline, as a flame, under the machine's roofline, and beside
// other runs; compares what regions give; switches the heat overlay. Choosing something in any view chooses it in all
// views and selects it in the graph.
#pragma once

#include <optional>

#include <QWidget>

#include "app/gui/panels/timing/timing_table.h"
#include "engine/runtime/compare_runs.h"
#include "engine/runtime/machine.h"

class QCheckBox;
class QLabel;
class QStackedLayout;
class QTabWidget;
class QToolButton;
class QTreeView;

namespace partita {

class HeatLegend;
class TimingHistory;
class TimingAlikeView;
class TimingInvitation;
class TimingMemoryView;
class TimingRooflineView;
class TimingRowsView;

class TimingPanel : public QWidget {
    Q_OBJECT

public:
    explicit TimingPanel(Document& document, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    QCheckBox& heatSwitch() { return *heat_; }
    /// As the graph is: the switch and the legend.
    void showHeat(bool shown);
    HeatLegend& heatLegend() { return *legend_; }
    QTreeView& table() { return times_->table(); }
    QTabWidget& views() { return *views_; }
    TimingRowsView& timeline() { return *timeline_; }
    TimingRowsView& flame() { return *flame_; }
    TimingRooflineView& roofline() { return *roofline_; }
    TimingMemoryView& memory() { return *memory_; }
    TimingAlikeView& alike() { return *alike_; }
    TimingHistory& history() { return *history_; }
    QToolButton& compareButton() { return *compare_; }
    TimingModel& model() const { return times_->model(); }
    /// This machine at the threads of the last run; nothing while it was not measured.
    const std::optional<MachineLimits>& machine() const { return machine_; }
    /// What regions give, held against the same regions on default; nothing while it was not asked for.
    const std::optional<std::vector<RegionDifference>>& boundaries() const { return boundaries_; }

public slots:
    /// Runs the module of the last run region by region, selects the first region that computes something else.
    void compareBoundaries();
    /// What the shown view holds, as comma-separated values.
    void copyCsv();

signals:
    void heatToggled(bool on);
    void runWanted();
    /// Something for the status bar.
    void told(const QString& sentence);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void followViews();
    void followDocument();
    QWidget* buildContent();
    QWidget* buildCommands();
    void shortenCommands();
    void refresh();
    void refreshSummary();
    void refreshColours();
    void prepareViews();
    void measureMachine();
    void showRoofline();
    void showBoundaries(const std::vector<RegionDifference>& regions);
    void tell(const QString& title, const QString& message);
    std::vector<int> backendsOfRegions() const;
    int regionOfName(const QString& name) const;
    /// Marks it in all views and selects it in the graph.
    void choose(int region, ExprId origin);
    void mark(int region, ExprId origin);
    void chooseRegions(const std::vector<int>& regions);
    void chooseCalls(const std::vector<uint32_t>& numbers);
    void followGraph();
    bool isDividedSoNow(const RegionInfo& region) const;
    void tellOfEarlierDivision();
    void selectInGraph(int region, ExprId origin);

    Document& document_;
    QStackedLayout* stack_;
    TimingInvitation* invitation_;
    QLabel* summary_;
    QCheckBox* heat_;
    HeatLegend* legend_;
    QToolButton *compare_, *copy_;
    QTabWidget* views_;
    TimingTable* times_;
    TimingRowsView *timeline_, *flame_;
    TimingRooflineView* roofline_;
    TimingMemoryView* memory_;
    TimingAlikeView* alike_;
    TimingHistory* history_;
    std::optional<MachineLimits> machine_;
    std::optional<std::vector<RegionDifference>> boundaries_;
    std::optional<quint64> compare_at_;  ///< the revision whose run is to be compared when it is done
    struct {
        quint64 machine = 0, boundaries = 0, views = 0;
    } jobs_;
    bool kept_shown_ = false;  ///< kept runs are looked at before there is one of this session
    bool choosing_ = false;
    Theme theme_;
};

}  // namespace partita
