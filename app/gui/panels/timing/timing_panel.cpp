#include "app/gui/panels/timing/timing_panel.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QLabel>
#include <QMessageBox>
#include <QStackedLayout>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "app/gui/document/inputs_text.h"
#include "app/gui/panels/timing/heat_legend.h"
#include "app/gui/panels/timing/timing_alike_view.h"
#include "app/gui/panels/timing/timing_history.h"
#include "app/gui/panels/timing/timing_invitation.h"
#include "app/gui/panels/timing/timing_memory_view.h"
#include "app/gui/panels/timing/timing_roofline_view.h"
#include "app/gui/panels/timing/timing_rows.h"
#include "app/gui/panels/timing/timing_rows_view.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/language.h"
#include "app/gui/style/number_text.h"
#include "engine/flow/reported_division.h"
#include "engine/runtime/ran_where.h"

namespace partita {

namespace {

/// In document mode QTabWidget paints nothing but a base line where it has a corner widget: there stand no tabs.
class TabsWithoutBase : public QTabWidget {
protected:
    void paintEvent(QPaintEvent*) override {}
};

}  // namespace

TimingPanel::TimingPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), stack_(new QStackedLayout(this)),
      invitation_(new TimingInvitation(document)), summary_(new QLabel), heat_(new QCheckBox(tr("Heat on the graph"))),
      legend_(new HeatLegend), compare_(new QToolButton), copy_(new QToolButton), views_(new TabsWithoutBase),
      times_(new TimingTable(document)), timeline_(new TimingRowsView(tr("Timeline"))),
      flame_(new TimingRowsView(tr("Flame"))), roofline_(new TimingRooflineView),
      memory_(new TimingMemoryView(document)), alike_(new TimingAlikeView(document)),
      history_(new TimingHistory(document.jobs())), theme_(make_theme(false, PaletteChoice::OkabeIto)) {
    compare_->setText(tr("Compare regions"));
    stack_->addWidget(invitation_);
    stack_->addWidget(buildContent());
    followViews();
    followDocument();
    refresh();
}

void TimingPanel::followViews() {
    connect(invitation_, &TimingInvitation::runWanted, this, &TimingPanel::runWanted);
    connect(invitation_, &TimingInvitation::keptWanted, this, [this] {
        kept_shown_ = true;
        views_->setCurrentWidget(history_);
        refresh();
    });
    connect(heat_, &QCheckBox::toggled, this, &TimingPanel::heatToggled);
    connect(compare_, &QToolButton::clicked, this, &TimingPanel::compareBoundaries);
    connect(times_, &TimingTable::chosen, this, &TimingPanel::choose);
    for (TimingRowsView* view : {timeline_, flame_}) connect(view, &TimingRowsView::chosen, this, &TimingPanel::choose);
    connect(roofline_, &TimingRooflineView::chosen, this, &TimingPanel::choose);
    connect(memory_, &TimingMemoryView::chosen, this, &TimingPanel::choose);
    connect(alike_, &TimingAlikeView::chosen, this, &TimingPanel::chooseRegions);
    connect(history_, &TimingHistory::regionChosen, this,
            [this](const QString& name) { choose(regionOfName(name), ExprId()); });
    connect(history_, &TimingHistory::callsChosen, this, &TimingPanel::chooseCalls);
    connect(history_, &TimingHistory::failed, this, &TimingPanel::tell);
    connect(views_, &QTabWidget::currentChanged, this, [this] { showRoofline(); });
}

void TimingPanel::followDocument() {
    connect(&document_, &Document::runFinished, this, [this] {
        boundaries_.reset();
        history_->add(document_.runOutcome()->record);
        refresh();
        prepareViews();
        if (std::exchange(compare_at_, std::nullopt) == document_.runOutcome()->revision) compareBoundaries();
    });
    connect(&document_, &Document::opened, this, [this] {
        kept_shown_ = false;
        history_->addMissing(document_.runHistory());
    });
    for (auto signal : {&Document::runStarted, &Document::opened, &Document::choiceChanged, &Document::inputsChanged})
        connect(&document_, signal, this, &TimingPanel::refresh);
    connect(&document_, &Document::runFailed, this, &TimingPanel::refresh);
    connect(&document_, &Document::selectionChanged, this, &TimingPanel::followGraph);
    connect(&document_.jobs(), &JobRunner::jobCancelled, this, [this](quint64 job) {
        for (quint64* known : {&jobs_.machine, &jobs_.boundaries, &jobs_.views})
            if (job == *known) *known = 0;
        refresh();
    });
}

QWidget* TimingPanel::buildContent() {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(10, 5, 10, 5);
    top->setSpacing(10);
    summary_->setObjectName(QStringLiteral("timing-summary"));
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    summary_->setWordWrap(true);
    legend_->hide();
    top->addWidget(summary_, 1);
    top->addWidget(legend_);
    column->addLayout(top);
    views_->setDocumentMode(true);
    views_->setTabPosition(QTabWidget::South);
    views_->setAccessibleName(tr("Views of the run"));
    views_->addTab(times_, tr("Table"));
    views_->addTab(alike_, tr("Alike"));
    views_->addTab(timeline_, tr("Timeline"));
    views_->addTab(flame_, tr("Flame"));
    views_->addTab(roofline_, tr("Roofline"));
    views_->addTab(memory_, tr("Memory"));
    views_->addTab(history_, tr("Compare runs"));
    views_->setCornerWidget(buildCommands());
    column->addWidget(views_, 1);
    return content;
}

/// Beside the tabs: there they take no height of their own.
QWidget* TimingPanel::buildCommands() {
    auto* commands = new QWidget;
    auto* row = new QHBoxLayout(commands);
    row->setContentsMargins(8, 0, 8, 0);
    row->setSpacing(8);
    for (QToolButton* button : {compare_, copy_})
        button->setStyleSheet(QStringLiteral("padding: 0 6px"));  // as high as the tabs
    copy_->setText(tr("Copy as CSV"));
    copy_->setToolTip(tr("Copy what the shown view holds as comma-separated values"));
    heat_->setToolTip(tr("Colour the operators by the time they took"));
    row->addWidget(heat_);
    row->addWidget(compare_);
    row->addWidget(copy_);
    connect(copy_, &QToolButton::clicked, this, &TimingPanel::copyCsv);
    return commands;
}

void TimingPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    times_->setTheme(theme);
    timeline_->setTheme(theme);
    flame_->setTheme(theme);
    roofline_->setTheme(theme);
    memory_->setTheme(theme);
    alike_->setTheme(theme);
    history_->setTheme(theme);
    legend_->setTheme(theme);
    refresh();
    shortenCommands();  // type may have another size now
}

void TimingPanel::showHeat(bool shown) {
    const QSignalBlocker block(heat_);
    heat_->setChecked(shown);
    legend_->setVisible(shown);
}

std::vector<int> TimingPanel::backendsOfRegions() const {
    std::vector<int> backends;
    for (const RegionTiming& region : model().report()->regions)
        backends.push_back(document_.choice().backend_index(region.backend));
    return backends;
}

int TimingPanel::regionOfName(const QString& name) const {
    const RunReport* report = model().report();
    const std::string searched = name.toStdString();
    for (size_t i = 0; report && i < report->regions.size(); ++i)
        if (report->regions[i].shown() == searched || report->regions[i].name == searched) return int(i);
    return -1;
}

void TimingPanel::refresh() {
    const RunReport* report = model().report();
    stack_->setCurrentIndex((report || kept_shown_) && !document_.isRunning() ? 1 : 0);
    invitation_->refresh(int(history_->runs().size()));
    if (!report) {
        summary_->setText(tr("No run of this session yet: run the module to fill the other views."));
        times_->chart().setBars({});
        timeline_->setRows({});
        flame_->setRows({});
        roofline_->setMessage({});
        memory_->setPicture(nullptr);
        alike_->setClasses({});
        return;
    }
    const bool divided = document_.runOutcome()->flow && !document_.runOutcome()->flow->regions.empty();
    compare_->setEnabled(divided && !jobs_.boundaries);
    compare_->setToolTip(divided ? tr("Run again and hold what each region gives against the same region on default; "
                                      "the first that differs is selected")
                                 : tr("There are no regions: annotate the module and run it again"));
    refreshSummary();
    refreshColours();
    times_->fitColumns(boundaries_.has_value());
    showRoofline();
}

void TimingPanel::refreshSummary() {
    const RunReport& report = *model().report();
    const auto wrong = [this](const QString& words) {
        return QStringLiteral("<b style='color:%1'>✗ %2</b>").arg(theme_.error.name(), words);
    };
    QString tip = tr("Relative error: |a − b| / (|b| + scale / 20), scale being the largest |b| of the tensor");
    QStringList parts;
    const FlowPtr& flow = document_.runOutcome()->flow;
    const bool reported = flow && flow->reported;  // which tells nothing of threads and memory
    if (reported)
        parts << tr("<b>%1</b> mean of %n run(s) of %2", nullptr, report.repeat)
                     .arg(duration_text(report.time.median), shown_name(flow->reported->program).toHtmlEscaped());
    else
        parts << tr("<b>%1</b> median, %2 measured after %3 to warm up")
                     .arg(duration_text(report.time.median))
                     .arg(report.repeat)
                     .arg(report.warmup);
    for (const Sentence& sentence : ran_where(report)) parts << shown_name(say(sentence)).toHtmlEscaped();
    if (boundaries_)
        parts << (first_wrong(*boundaries_)
                      ? wrong(tr("first wrong region: %1")
                                  .arg(shown_name(first_wrong(*boundaries_)->shown()).toHtmlEscaped()))
                      : tr("all %n region(s) equal", nullptr, int(boundaries_->size())));
    if (!report.differences.empty()) {
        double worst = 0;
        bool equal = true;
        OutputDifference::FromDouble from_double;
        for (const OutputDifference& difference : report.differences) {
            worst = std::max(worst, difference.max_rel_error);
            equal = equal && difference.within_tolerance;
            if (difference.from_double && difference.from_double->own >= from_double.own)
                from_double = *difference.from_double;
        }
        const bool judged = from_double.own > 0;
        if (judged)
            tip += tr(". Against a run in float64 it is %1, that of default %2")
                       .arg(significant_text(from_double.own, 2), significant_text(from_double.expected, 2));
        const QString figure = significant_text(worst, 2);
        if (all_fell_back(report)) parts << tr("<b>default compared with itself</b>");
        else
            parts << (equal && judged ? tr("outputs equal to default but for rounding (relative error %1)").arg(figure)
                      : equal         ? tr("outputs equal to default (relative error %1)").arg(figure)
                                      : wrong(tr("outputs differ (relative error %1)").arg(figure)));
    }
    if (document_.runOutcome()->revision != document_.revision())
        parts << tr("<i>of an earlier division, run again for this one (F5)</i>");
    if (!document_.runOutcome()->inputs.empty())
        parts << tr("inputs: %1").arg(inputs_text(document_.runOutcome()->inputs).toHtmlEscaped());
    if (document_.runOutcome()->inputs != document_.inputs()) parts << tr("<i>of other inputs than are chosen now</i>");
    if (!reported) {
        parts << tr("%n thread(s)", nullptr, report.threads);
        parts << tr("first run %1, compiling %2")
                     .arg(duration_text(report.first_run_ms), duration_text(report.compile_ms));
    }
    double moved = 0;
    for (const RegionTiming& region : report.regions)
        if (region.backend != "default") moved += region.bytes;
    if (moved > 0) parts << tr("%1 cross the boundaries of regions").arg(bytes_text(moved));
    if (!reported) parts << tr("peak %1").arg(bytes_text(double(report.peak_bytes)));
    summary_->setText(parts.join(QStringLiteral(" &nbsp;·&nbsp; ")));
    summary_->setToolTip(tip);
}

void TimingPanel::refreshColours() {
    const std::vector<int> backends = backendsOfRegions();
    times_->chart().setBackends(backends);
    timeline_->setBackends(backends);
    flame_->setBackends(backends);
    memory_->refreshColours();
}

/// A run may have left a million events: they are put in rows on a worker.
void TimingPanel::prepareViews() {
    struct Views {
        RunOutcomePtr run;
        std::vector<TimingBar> bars;
        TimingRows timeline, flame;
        double longest_op = 0;
        std::shared_ptr<const MemoryPicture> memory;
        std::vector<AlikeTimes> alike;
    };
    times_->chart().setBars({});
    timeline_->setRows({});
    flame_->setRows({});
    memory_->setPicture(nullptr);
    alike_->setClasses({});
    if (jobs_.views) document_.jobs().cancel(jobs_.views);
    jobs_.views = document_.jobs().start<Views>(
        tr("Preparing the views of the run"), this,
        [run = document_.runOutcome()](const JobContext&) {
            const std::shared_ptr<const RunReport> report(run, &run->report);
            Views views{run, bars_of(*report), timeline_of(report), flame_of(report), 0, {}, {}};
            if (run->flow) views.alike = alike_times(*run->flow, *report);
            views.memory = std::make_shared<const MemoryPicture>(memory_picture(report));
            for (const RegionTiming& region : report->regions)
                for (const OpTiming& op : region.ops) views.longest_op = std::max(views.longest_op, op.time.median);
            return views;
        },
        [this](Views views) {
            jobs_.views = 0;
            if (views.run != document_.runOutcome()) return;
            times_->chart().setBars(std::move(views.bars));
            timeline_->setRows(std::move(views.timeline));
            flame_->setRows(std::move(views.flame));
            memory_->setPicture(std::move(views.memory));
            alike_->setClasses(std::move(views.alike));
            legend_->setLongest(views.longest_op);
        });
}

/// In a narrow panel the bars of the column "Share" are enough.
void TimingPanel::resizeEvent(QResizeEvent* event) {
    constexpr int kWideEnoughForBoth = 1250;
    QWidget::resizeEvent(event);
    times_->chart().setVisible(width() >= kWideEnoughForBoth);
    shortenCommands();
}

/// Beside the tabs there is room for whole words only in a wide panel: the tabs would be cut off.
void TimingPanel::shortenCommands() {
    const auto write = [this](bool whole) {
        heat_->setText(whole ? tr("Heat on the graph") : tr("Heat"));
        compare_->setText(whole ? tr("Compare regions") : tr("Compare", "regions, in a narrow panel"));
        copy_->setText(whole ? tr("Copy as CSV") : tr("CSV"));
        views_->setTabText(views_->indexOf(history_),
                           whole ? tr("Compare runs") : tr("Runs", "compares two, in a narrow panel"));
    };
    views_->cornerWidget()->setMinimumHeight(views_->tabBar()->sizeHint().height());
    const auto fits = [this] {
        return views_->tabBar()->sizeHint().width() + views_->cornerWidget()->sizeHint().width() <= width();
    };
    for (QWidget* button : std::initializer_list<QWidget*>{heat_, compare_}) button->show();
    write(true);
    if (fits()) return;
    write(false);
    if (fits()) return;
    // In large type. Both are in the menus, too.
    for (QWidget* button : std::initializer_list<QWidget*>{heat_, compare_}) button->hide();
}

/// Measures when the roofline is looked at for the first time, and again for another number of threads.
void TimingPanel::showRoofline() {
    const RunReport* report = model().report();
    if (!report || views_->currentWidget() != roofline_) return;
    if (!machine_ || machine_->threads != report->threads) return measureMachine();
    roofline_->setDots(roofline_dots(*report, *machine_, backendsOfRegions()), *machine_);
}

void TimingPanel::measureMachine() {
    if (jobs_.machine) return;
    roofline_->setMessage(tr("Measuring what this machine can do…"));
    jobs_.machine = document_.jobs().start<MachineLimits>(
        tr("Measuring this machine"), this,
        [threads = model().report()->threads](const JobContext& context) {
            return measure_machine(threads, context.cancel);
        },
        [this](const MachineLimits& machine) {
            jobs_.machine = 0;
            machine_ = machine;
            showRoofline();
        });
}

static FlowedValuesPtr flowed_values(std::vector<RegionDifference> regions) {
    auto values = std::make_unique<FlowedValues>();
    values->regions = std::move(regions);
    for (uint32_t i = 0; i < values->regions.size(); ++i)
        for (uint32_t k = 0; k < values->regions[i].values.size(); ++k)
            if (const ExprId origin = values->regions[i].values[k].origin; origin.valid())
                values->places.emplace(origin, std::pair(i, k));
    return freed_on_worker(std::unique_ptr<const FlowedValues>(std::move(values)));
}

void TimingPanel::compareBoundaries() {
    if (!document_.runOutcome() || !document_.runOutcome()->flow || jobs_.boundaries) return;
    if (document_.runOutcome()->revision != document_.revision()) {  // of what is divided now there is no run yet
        compare_at_ = document_.revision();
        return emit runWanted();
    }
    const FlowPtr flow = document_.runOutcome()->flow;
    jobs_.boundaries = document_.jobs().start<Result<FlowedValuesPtr>>(
        tr("Comparing regions"), this,
        [flow,
         options = document_.runOutcome()->options](const JobContext& context) mutable -> Result<FlowedValuesPtr> {
            options.cancel = context.cancel;
            options.progress = nullptr;
            options.inputs = make_inputs(*flow->input, options.seed, options.inputs);
            Result<std::vector<RegionDifference>> regions = compare_regions(flow->last(), options);
            if (!regions) return regions.error();
            name_regions(*regions, *flow);
            return flowed_values(std::move(*regions));
        },
        [this, run = document_.runOutcome()](const Result<FlowedValuesPtr>& values) {
            jobs_.boundaries = 0;
            if (!values) tell(tr("The regions were not compared"), shown_message(values.error().to_string()));
            else if (run == document_.runOutcome()) {
                document_.setFlowedValues(*values);
                showBoundaries((*values)->regions);
            }
            refresh();
        });
    compare_->setEnabled(false);
}

void TimingPanel::showBoundaries(const std::vector<RegionDifference>& regions) {
    boundaries_ = regions;
    for (RegionDifference& region : *boundaries_) region.values.clear();  // the document has them
    model().setDifferences(regions);
    if (const RegionDifference* wrong = first_wrong(regions))
        choose(regionOfName(QString::fromStdString(wrong->name)), ExprId());
}

void TimingPanel::tell(const QString& title, const QString& message) { show_warning(window(), title, message); }

void TimingPanel::choose(int region, ExprId origin) {
    if (choosing_ || !model().report() || region < 0 || size_t(region) >= model().report()->regions.size()) return;
    choosing_ = true;
    mark(region, origin);
    selectInGraph(region, origin);
    choosing_ = false;
}

void TimingPanel::mark(int region, ExprId origin) {
    times_->mark(region, origin);
    timeline_->setCurrent(region, origin);
    flame_->setCurrent(region, origin);
    roofline_->setCurrent(region, origin);
}

void TimingPanel::chooseRegions(const std::vector<int>& regions) {
    if (regions.size() == 1) return choose(regions.front(), ExprId());
    const RunOutcomePtr& run = document_.runOutcome();
    if (choosing_ || !run || !run->flow) return;
    std::unordered_set<std::string_view> names;
    for (const int region : regions) names.insert(run->report.regions[size_t(region)].name);
    std::vector<ExprId> selection;
    for (const RegionInfo& info : run->flow->regions) {
        if (!names.contains(info.function)) continue;
        if (!isDividedSoNow(info)) return tellOfEarlierDivision();
        selection.insert(selection.end(), info.expressions.begin(), info.expressions.end());
    }
    choosing_ = true;
    document_.setSelection(std::move(selection));
    choosing_ = false;
}

/// Of a run of another model that was opened the numbers mean nothing here.
void TimingPanel::chooseCalls(const std::vector<uint32_t>& numbers) {
    const RunOutcomePtr& run = document_.runOutcome();
    const RunRecordPtr shown = history_->runB();
    if (choosing_ || !run || !shown || !are_of_one_model(*run->record, *shown)) return;
    std::vector<ExprId> selection;
    for (const uint32_t number : numbers)
        if (const ExprId call = document_.names().numbered(number); call.valid()) selection.push_back(call);
    choosing_ = true;
    document_.setSelection(std::move(selection));
    choosing_ = false;
}

/// An operator that was selected on the graph is marked here.
void TimingPanel::followGraph() {
    if (choosing_ || !model().report() || document_.selection().size() != 1) return;
    const ExprId selected = document_.selection().front();
    const std::vector<RegionTiming>& regions = model().report()->regions;
    for (size_t region = 0; region < regions.size(); ++region)
        for (const OpTiming& op : regions[region].ops)
            if (op.origin == selected) {
                choosing_ = true;
                mark(int(region), selected);
                choosing_ = false;
                return;
            }
}

/// Whether a region of the run is one of those on the graph. After another division its operators may lie in several.
bool TimingPanel::isDividedSoNow(const RegionInfo& region) const {
    if (document_.runOutcome()->revision == document_.revision()) return true;
    const FlowPtr now = document_.flow(), then = document_.runOutcome()->flow;
    if (!now || !document_.flowIsCurrent() || now->input != then->input) return false;
    return std::any_of(now->regions.begin(), now->regions.end(), [&](const RegionInfo& each) {
        return each.backend == region.backend && each.expressions == region.expressions;
    });
}

void TimingPanel::tellOfEarlierDivision() {
    emit told(
        tr("The run is of an earlier division, which had this region; the graph has others now. Run again (F5)."));
}

void TimingPanel::selectInGraph(int region, ExprId origin) {
    if (origin.valid()) return document_.setSelection({origin});
    const RegionTiming& timing = model().report()->regions[size_t(region)];
    const FlowPtr flow = document_.runOutcome()->flow;
    std::vector<ExprId> selection;
    if (flow)
        for (const RegionInfo& info : flow->regions) {
            if (info.function != timing.name) continue;
            if (!isDividedSoNow(info)) return tellOfEarlierDivision();
            selection = info.expressions;
        }
    if (selection.empty())
        for (const OpTiming& op : timing.ops)
            if (op.origin.valid()) selection.push_back(op.origin);
    document_.setSelection(std::move(selection));
}

void TimingPanel::copyCsv() {
    const RunOutcomePtr run = document_.runOutcome();
    std::function<QString(const JobContext&)> write;
    if (views_->currentWidget() == history_)
        write = [rows = history_->model().rows()](const JobContext&) { return csv_of(*rows); };
    else if (run && views_->currentWidget() == alike_)
        write = [classes = alike_->classes()](const JobContext&) { return csv_of(classes); };
    else if (run && views_->currentWidget() == memory_)
        write = [run](const JobContext&) { return memory_csv(run->report); };
    else if (run) write = [run](const JobContext&) { return csv_of(run->report); };
    else return;
    document_.jobs().start<QString>(tr("Copying"), this, write, [this](const QString& text) {
        QApplication::clipboard()->setText(text);
        emit told(tr("The table is on the clipboard."));
    });
}

}  // namespace partita
