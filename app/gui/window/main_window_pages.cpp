// The tabs of graphs: which are open, what is marked on them, and the presentation of one.
#include <algorithm>
#include <utility>

#include <QCheckBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QMenuBar>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolBar>

#include "app/gui/canvas/search_bar.h"
#include "app/gui/diff/diff_page.h"
#include "app/gui/editing/graph_editor.h"
#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/lessons/prediction_view.h"
#include "app/gui/panels/outline/outline_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/text/text_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/window/file_watch.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/missing_backends.h"

namespace partita {

namespace {}  // namespace

GraphPage* MainWindow::currentPage() const { return qobject_cast<GraphPage*>(pages_->currentWidget()); }

GraphPage* MainWindow::openPage(const PageTarget& target) {
    for (int i = 0; i < pages_->count(); ++i) {
        auto* page = qobject_cast<GraphPage*>(pages_->widget(i));
        if (!page || !(page->target() == target)) continue;
        pages_->setCurrentIndex(i);
        return page;
    }
    auto* page = new GraphPage(document_, target);
    page->setTheme(theme_);
    page->setCanvasOptions(settings_.canvas);
    page->setHeat(heat_);
    page->view().setPresented(!before_presenting_.isEmpty());
    connect(page, &GraphPage::activated, this, [this, page](quint32 node) { activateNode(*page, node); });
    connect(page, &GraphPage::breadcrumbClicked, this, [this, page](int depth) { openBreadcrumb(*page, depth); });
    connect(page, &GraphPage::contextMenuRequested, this, &MainWindow::showContextMenu);
    connect(page, &GraphPage::resultWanted, this, [this] {
        if (steps_shown_) steps_->stop();
        else lessons_->endPrediction();
    });
    graph_editor_->watch(page);
    pages_->setTabToolTip(pages_->addTab(page, as_title(target.title())), target.title());
    pages_->setCurrentWidget(page);
    return page;
}

void MainWindow::openFunction(const QString& name, bool partitioned) {
    PageTarget target;
    target.source = partitioned ? PageTarget::Source::Partitioned : PageTarget::Source::Shown;
    target.function = name;
    if (partitioned && name != QLatin1String("main")) target.path << tr("@main partitioned");
    if (GraphPage* page = openPage(target)) page->view().setFocus();
}

/// Enter on a call of a function opens the function; on an operator of a region, the region's sub-function.
void MainWindow::activateNode(GraphPage& page, quint32 node) {
    const GraphModelPtr model = page.view().model();
    const GraphNode& data = model->nodes[node];
    const ExprId called = called_function(*model->module, data.expr);
    PageTarget target;
    target.path = page.target().path;
    target.path << page.target().title();
    if (called.valid() && data.kind == GraphNodeKind::Composite) {
        target.source = page.target().source;
        target.function = page.target().function;
        target.literal = called;
        target.literal_module = model->module;
        openPage(target)->view().setFocus();
        return;
    }
    if (called.valid()) {
        target.source = page.target().source;
        target.function = QString::fromUtf8(model->module->name(model->module->callee(data.expr)));
        openPage(target)->view().setFocus();
        return;
    }
    const FlowPtr flow = document_.flow();
    if (!document_.partitioned() || data.expr.value >= flow->region_of.size() || model->module != flow->input) return;
    const int region = flow->region_of[data.expr.value];
    if (region >= 0) openFunction(QString::fromStdString(flow->regions[size_t(region)].function), true);
}

void MainWindow::openBreadcrumb(GraphPage& page, int depth) {
    const QString title = page.target().path.value(depth);
    for (int i = 0; i < pages_->count(); ++i) {
        auto* other = qobject_cast<GraphPage*>(pages_->widget(i));
        if (other && other->target().title() == title) return pages_->setCurrentIndex(i);
    }
    openFunction(title.mid(1).section(QLatin1Char(' '), 0, 0), page.target().source == PageTarget::Source::Partitioned);
}

/// Main, or the first function of a module without one.
PageTarget MainWindow::firstPage() const {
    PageTarget target;
    const ModulePtr module = document_.shownModule();
    if (module->find_function("main").valid() || module->functions().empty()) return target;
    const std::string_view name = module->names().text(module->functions_by_name().front().name);
    target.function = QString::fromUtf8(name.data(), qsizetype(name.size()));
    return target;
}

/// A new division may have other sub-functions: tabs of those that are gone close. A function with a new name keeps its
/// tab.
void MainWindow::closeVanishedPages() {
    for (int i = pages_->count(); i-- > 0;) {
        auto* page = qobject_cast<GraphPage*>(pages_->widget(i));
        if (page && page->followRename()) {
            pages_->setTabText(i, as_title(page->target().title()));
            pages_->setTabToolTip(i, page->target().title());
        }
        const bool composite_of_old = page && page->target().literal.valid() &&
                                      page->target().literal_module != document_.partitioned() &&
                                      page->target().literal_module != document_.shownModule();
        if (!page || (page->exists() && !composite_of_old)) continue;
        if (pages_->count() == 1) openPage(firstPage());
        delete page;
    }
}

void MainWindow::keepView() const {
    if (!document_.isOpen() || lessons_->isInLesson()) return;
    SessionView kept;
    kept.module = QFileInfo(document_.path()).absoluteFilePath();
    for (int i = 0; i < pages_->count(); ++i) {
        const auto* page = qobject_cast<const GraphPage*>(pages_->widget(i));
        if (!page || page->target().literal.valid()) continue;
        const PageTarget& target = page->target();
        SessionView::Page entry{
            target.source == PageTarget::Source::Partitioned, target.function, {}, i == pages_->currentIndex()};
        const GraphView& view = page->view();
        if (view.hasGraph() && view.hasOwnSight())
            entry.sight = PageSight{view.zoom(), view.visibleArea().center(), qint64(view.model()->nodes.size())};
        kept.pages.push_back(std::move(entry));
    }
    kept.save();
}

void MainWindow::restoreView() {
    if (!view_to_restore_ || !document_.flowIsCurrent()) return;
    const SessionView kept = *std::exchange(view_to_restore_, std::nullopt);
    if (kept.module != QFileInfo(document_.path()).absoluteFilePath()) return;
    GraphPage* in_front = currentPage();
    for (const SessionView::Page& entry : kept.pages) {
        const ModulePtr module = entry.partitioned ? document_.partitioned() : document_.shownModule();
        if (!module || !module->find_function(entry.function.toStdString()).valid()) continue;
        openFunction(entry.function, entry.partitioned);
        GraphPage* page = currentPage();
        if (entry.in_front) in_front = page;
        if (!entry.sight) continue;
        const auto look = [page, sight = *entry.sight] {
            if (const GraphModelPtr& model = page->view().model(); model && qint64(model->nodes.size()) == sight.nodes)
                page->view().lookFirstAt(sight.zoom, sight.centre);
        };
        connect(page, &GraphPage::settled, this, look, Qt::SingleShotConnection);
    }
    if (in_front) pages_->setCurrentWidget(in_front);
}

void MainWindow::forCurrentView(const std::function<void(GraphView&)>& work) {
    if (GraphPage* page = currentPage()) work(page->view());
}

void MainWindow::lookAround(const std::function<void(GraphView&)>& work) {
    if (auto* comparison = qobject_cast<DiffPage*>(pages_->currentWidget()))
        work(comparison->side(DiffSideName::Before).graph());
    else forCurrentView(work);
}

void MainWindow::setHeat(bool on) {
    heat_.reset();
    if (const RunOutcomePtr& run = document_.runOutcome(); on && run) heat_ = {run, &run->heat};
    for (int i = 0; i < pages_->count(); ++i)
        if (auto* page = qobject_cast<GraphPage*>(pages_->widget(i))) page->setHeat(heat_);
    if (QAction* switch_action = action(QStringLiteral("heat"))) {
        const QSignalBlocker block(switch_action);
        switch_action->setChecked(heat_ != nullptr);
    }
    timing_->showHeat(heat_ != nullptr);
}

void MainWindow::showStep(const std::vector<ExprId>& subjects, const std::vector<ExprId>& related,
                          const std::shared_ptr<const DecorationInput>& state) {
    if (!state && !steps_shown_) return;
    steps_shown_ = state != nullptr;
    fillCaption();
    const QString step = tr("Step %1 of %2").arg(steps_->currentRow() + 1).arg(steps_->rowCount());
    const QString tip = tr("The graph is shown as it is after this decision; a click shows the result");
    for (int i = 0; i < pages_->count(); ++i) {
        auto* page = qobject_cast<GraphPage*>(pages_->widget(i));
        if (!page || page->target().source != PageTarget::Source::Shown || page->target().literal.valid()) continue;
        if (state && i != pages_->currentIndex() && page->target().function == QLatin1String("main"))
            pages_->setCurrentIndex(i);
        page->setStepDecoration(state, step, tip);
        page->setStep(subjects, related);
    }
}

void MainWindow::showPrediction(const std::shared_ptr<const DecorationInput>& state) {
    if (state && steps_shown_) steps_->stop();
    // A lesson goes on by its pages.
    const QString caption = state && !lessons_->isInLesson() ? tr("Predicting") : QString();
    const QString tip = tr("The graph shows the regions that you marked; a click ends it and shows the result");
    for (int i = 0; i < pages_->count(); ++i) {
        auto* page = qobject_cast<GraphPage*>(pages_->widget(i));
        if (page && page->target().source == PageTarget::Source::Shown && !page->target().literal.valid())
            page->setStepDecoration(state, caption, tip);
    }
}

void MainWindow::showPath(const std::vector<ExprId>& path) {
    if (steps_shown_ || (path.empty() && !path_shown_)) return;
    path_shown_ = !path.empty();
    std::vector<ExprId> ends;
    if (path_shown_) ends = {path.front(), path.back()};
    for (int i = 0; i < pages_->count(); ++i)
        if (auto* page = qobject_cast<GraphPage*>(pages_->widget(i));
            page && page->target().source == PageTarget::Source::Shown)
            page->setStep(ends, path);
}

void MainWindow::selectRegion(int region) {
    const FlowPtr flow = document_.flow();
    if (!flow || region < 0 || size_t(region) >= flow->regions.size()) return;
    document_.setSelection(flow->regions[size_t(region)].expressions);
}

void MainWindow::setPresenting(bool on) {
    if (on == !before_presenting_.isEmpty()) return;
    if (on) {
        file_watch_->hold(true);
        missing_backends_->hold(true);
        before_presenting_ = saveState();
        GraphPage* page = currentPage();
        sight_before_presenting_ = {};
        if (page && page->view().hasOwnSight())
            sight_before_presenting_ = {page, page->view().zoom(), page->view().visibleArea().center()};
        shape_before_presenting_ = windowState();
        for (QDockWidget* dock : findChildren<QDockWidget*>()) dock->hide();
        for (QWidget* bar : std::initializer_list<QWidget*>{tools_, palette_bar_, statusBar(), menuBar()}) bar->hide();
        showFullScreen();
    } else {
        setWindowState(shape_before_presenting_);
        statusBar()->show();
        menuBar()->show();
        restoreState(std::exchange(before_presenting_, QByteArray()));
        file_watch_->hold(false);
        missing_backends_->hold(false);
    }
    applyTheme();
    fillCaption();
    if (QAction* presenting = action(QStringLiteral("presentation"))) presenting->setChecked(on);
    for (int i = 0; i < pages_->count(); ++i)
        if (auto* page = qobject_cast<GraphPage*>(pages_->widget(i))) page->view().setPresented(on);
    // When the window has its new size.
    QTimer::singleShot(150, this, [this, on] {
        const auto& [page, zoom, centre] = sight_before_presenting_;
        if (!on && page && page == currentPage()) page->view().lookFirstAt(zoom, centre);
        else forCurrentView([](GraphView& view) { view.fit(); });
    });
}

std::vector<QWidget*> MainWindow::panelsThatTellRegions() const { return {steps_, timing_, text_, coverage_}; }

void MainWindow::hideAnswers() {
    const bool hide = lessons_->prediction().hidesAnswers();
    if (hide == outline_->hidesRegions()) return;
    for (QWidget* panel : panelsThatTellRegions())
        if (auto* dock = qobject_cast<QDockWidget*>(panel->parentWidget())) dock->toggleViewAction()->setEnabled(!hide);
    outline_->setRegionsHidden(hide);
    inspector_->setRegionsHidden(hide);
    for (QDockWidget* dock : docks_before_predicting_) dock->show();
    if (!docks_before_predicting_.empty()) docks_before_predicting_.back()->raise();
    docks_before_predicting_.clear();
    if (!hide) return;
    for (QWidget* panel : panelsThatTellRegions())
        if (auto* dock = qobject_cast<QDockWidget*>(panel->parentWidget());
            dock && dock->toggleViewAction()->isChecked())
            docks_before_predicting_.push_back(dock);
    // The one in front is the last to come back.
    const auto is_behind = [](const QDockWidget* dock) { return dock->visibleRegion().isEmpty(); };
    std::stable_partition(docks_before_predicting_.begin(), docks_before_predicting_.end(), is_behind);
    for (QDockWidget* dock : docks_before_predicting_) dock->hide();
}

/// A step's sentence leaves the keys readable.
void MainWindow::fillCaption() {
    const bool presenting = !before_presenting_.isEmpty();
    const QString keys = tr("F11 plays the next decision, Shift+F11 the one before. Esc leaves the presentation.");
    caption_->setText(steps_shown_ ? steps_->sentence() : keys);
    hint_->setText(
        QStringLiteral("<small style='color:%1'>%2</small>").arg(theme_.muted_text.name(), keys.toHtmlEscaped()));
    caption_->setVisible(presenting);
    hint_->setVisible(presenting && steps_shown_);
}

void MainWindow::showSteps() {
    if (before_presenting_.isEmpty()) showPanel(steps_);
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !before_presenting_.isEmpty()) return setPresenting(false);
    if (event->key() == Qt::Key_Escape && currentPage() && currentPage()->pathShown())
        return action(QStringLiteral("path"))->trigger();
    if (event->key() == Qt::Key_Escape && currentPage() && currentPage()->searchBar().isVisible())
        return currentPage()->searchBar().leave();
    QMainWindow::keyPressEvent(event);
}

/// Qt makes the tabs of docks when they are needed. In large type there may be no room for all names: they are scrolled
/// to, not cut down to a letter.
void MainWindow::childEvent(QChildEvent* event) {
    QMainWindow::childEvent(event);
    auto* tabs = event->type() == QEvent::ChildPolished ? qobject_cast<QTabBar*>(event->child()) : nullptr;
    if (!tabs) return;
    tabs->setElideMode(Qt::ElideNone);
    tabs->setUsesScrollButtons(true);
}

}  // namespace partita
