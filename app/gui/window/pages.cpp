#include "app/gui/window/pages.h"

#include <cmath>
#include <utility>

#include <QFileInfo>

#include "app/gui/diff/diff_page.h"
#include "app/gui/style/foreign_text.h"
#include "engine/ir/called_function.h"

namespace partita {

namespace {

/// Returns, by expression, the regret of the best other backend: as the root of its share of the largest, for few
/// operators have most of it. -1 where the rules leave no choice.
std::vector<float> heat_of_regrets(const PlacedModule& placed) {
    const CostModel& model = placed.task.model;
    std::vector<float> heat(placed.task.module->size(), -1);
    double largest = 0;
    for (size_t op = 0; op < placed.answer.least_ms.size(); ++op) {
        double least = CostProblem::kForbidden;
        for (uint16_t label = 0; label < model.labels(); ++label)
            if (label != placed.answer.chosen.labels[op]) least = std::min(least, placed.answer.least_ms[op][label]);
        if (least == CostProblem::kForbidden) continue;
        const double regret = std::max(0.0, least - placed.answer.chosen.predicted_ms);
        largest = std::max(largest, regret);
        heat[model.operators()[op].expr.value] = float(regret);
    }
    for (float& value : heat)
        if (value > 0) value = std::sqrt(value / float(largest));
    return heat;
}

}  // namespace

Pages::Pages(Document& document) : document_(document) {
    setDocumentMode(true);
    setMovable(true);
    setAccessibleName(tr("Open functions"));
    connect(this, &QTabWidget::tabCloseRequested, this, [this](int index) {
        if (count() > 1) delete widget(index);
        setTabsClosable(count() > 1);
    });
    connect(this, &QTabWidget::currentChanged, this, [this] {
        setTabsClosable(count() > 1);  // the last one stays
        emit changed();
    });
}

std::vector<GraphPage*> Pages::graphs() const {
    std::vector<GraphPage*> found;
    for (int i = 0; i < count(); ++i)
        if (auto* page = qobject_cast<GraphPage*>(widget(i))) found.push_back(page);
    return found;
}

GraphPage* Pages::openPage(const PageTarget& target) {
    for (GraphPage* page : graphs()) {
        if (!(page->target() == target)) continue;
        setCurrentWidget(page);
        return page;
    }
    auto* page = new GraphPage(document_, target);
    page->setTheme(theme_);
    page->setCanvasOptions(options_);
    page->setHeat(heat_);
    page->view().setPresented(presented_);
    connect(page, &GraphPage::activated, this, [this, page](quint32 node) { activateNode(*page, node); });
    connect(page, &GraphPage::breadcrumbClicked, this, [this, page](int depth) { openBreadcrumb(*page, depth); });
    connect(page, &GraphPage::hitWanted, this, [this, page](const QString& function, ExprId expr) {
        openAt(function, page->target().source == PageTarget::Source::Partitioned, expr);
    });
    connect(page, &GraphPage::contextMenuRequested, this, &Pages::contextMenuRequested);
    connect(page, &GraphPage::resultWanted, this, &Pages::resultWanted);
    emit made(page);
    setTabToolTip(addTab(page, as_title(target.title())), target.title());
    setCurrentWidget(page);
    return page;
}

void Pages::openFunction(const QString& name, bool partitioned) {
    PageTarget target;
    target.source = partitioned ? PageTarget::Source::Partitioned : PageTarget::Source::Shown;
    target.function = name;
    if (partitioned && name != QLatin1String("main")) target.path << tr("@main partitioned");
    openPage(target)->view().setFocus();
}

/// Shows an expression of a function, as soon as the function is on the screen.
void Pages::openAt(const QString& name, bool partitioned, ExprId expr) {
    openFunction(name, partitioned);
    GraphPage* page = current();
    if (page->view().hasGraph()) return page->showExpression(expr);
    connect(
        page, &GraphPage::settled, page, [page, expr] { page->showExpression(expr); }, Qt::SingleShotConnection);
}

/// Enter on a call of a function opens the function; on an operator of a region, the region's sub-function.
void Pages::activateNode(GraphPage& page, quint32 node) {
    const GraphModelPtr model = page.view().model();
    const GraphNode& data = model->nodes[node];
    const ExprId called = called_function(*model->module, data.expr);
    if (called.valid()) {
        PageTarget target;
        target.path = page.target().path;
        target.path << page.target().title();
        target.source = page.target().source;
        if (data.kind == GraphNodeKind::Composite) {
            target.function = page.target().function;
            target.literal = called;
            target.literal_module = model->module;
        } else {
            target.function = QString::fromUtf8(model->module->name(model->module->callee(data.expr)));
        }
        return openPage(target)->view().setFocus();
    }
    const FlowPtr flow = document_.flow();
    if (!document_.partitioned() || data.expr.value >= flow->region_of.size() || model->module != flow->input) return;
    const int region = flow->region_of[data.expr.value];
    if (region >= 0) openFunction(QString::fromStdString(flow->regions[size_t(region)].function), true);
}

void Pages::openBreadcrumb(GraphPage& page, int depth) {
    const QString title = page.target().path.value(depth);
    for (GraphPage* other : graphs())
        if (other->target().title() == title) return setCurrentWidget(other);
    openFunction(title.mid(1).section(QLatin1Char(' '), 0, 0), page.target().source == PageTarget::Source::Partitioned);
}

void Pages::openCaller() {
    GraphPage* page = current();
    if (page && !page->target().path.isEmpty()) openBreadcrumb(*page, int(page->target().path.size()) - 1);
}

DiffPage* Pages::compare() {
    for (int i = 0; i < count(); ++i)
        if (auto* known = qobject_cast<DiffPage*>(widget(i))) {
            setCurrentIndex(i);
            return known;
        }
    auto* page = new DiffPage(document_);
    page->setTheme(theme_);
    addTab(page, tr("Comparison"));
    setCurrentWidget(page);
    return page;
}

/// Main, or the first function of a module without one.
PageTarget Pages::firstPage() const {
    PageTarget target;
    const ModulePtr module = document_.shownModule();
    if (module->find_function("main").valid() || module->functions().empty()) return target;
    const std::string_view name = module->names().text(module->functions_by_name().front().name);
    target.function = QString::fromUtf8(name.data(), qsizetype(name.size()));
    return target;
}

void Pages::begin(std::optional<SessionView> view) {
    while (count() > 0) delete widget(0);
    openPage(firstPage());
    view_to_restore_ = std::move(view);
    restoreView();
}

void Pages::followDivision() {
    closeVanished();
    restoreView();
}

/// A new division may have other sub-functions: tabs of those that are gone close. A function with a new name keeps its
/// tab.
void Pages::closeVanished() {
    const std::vector<GraphPage*> before = graphs();
    for (auto at = before.rbegin(); at != before.rend(); ++at) {
        GraphPage* page = *at;
        const PageTarget& target = page->target();
        if (page->followRename()) {
            setTabText(indexOf(page), as_title(target.title()));
            setTabToolTip(indexOf(page), target.title());
        }
        const bool composite_of_old = target.literal.valid() && target.literal_module != document_.partitioned() &&
                                      target.literal_module != document_.shownModule();
        if (page->exists() && !composite_of_old) continue;
        if (count() == 1) openPage(firstPage());
        delete page;
    }
}

void Pages::step(int by) {
    if (count() > 1) setCurrentIndex((currentIndex() + by + count()) % count());
}

void Pages::keepView() const {
    SessionView kept;
    kept.module = QFileInfo(document_.path()).absoluteFilePath();
    for (const GraphPage* page : graphs()) {
        const PageTarget& target = page->target();
        if (target.literal.valid()) continue;
        SessionView::Page entry{
            target.source == PageTarget::Source::Partitioned, target.function, {}, page == currentWidget()};
        const GraphView& view = page->view();
        if (view.hasGraph() && view.hasOwnSight())
            entry.sight = PageSight{view.zoom(), view.visibleArea().center(), qint64(view.model()->nodes.size())};
        kept.pages.push_back(std::move(entry));
    }
    kept.save();
}

/// Once the division of what was opened is there, and with it its sub-functions.
void Pages::restoreView() {
    if (!view_to_restore_ || !document_.flowIsCurrent()) return;
    const SessionView kept = *std::exchange(view_to_restore_, std::nullopt);
    if (kept.module != QFileInfo(document_.path()).absoluteFilePath()) return;
    GraphPage* in_front = current();
    for (const SessionView::Page& entry : kept.pages) {
        const ModulePtr module = entry.partitioned ? document_.partitioned() : document_.shownModule();
        if (!module || !module->find_function(entry.function.toStdString()).valid()) continue;
        restorePage(entry);
        if (entry.in_front) in_front = current();
    }
    if (in_front) setCurrentWidget(in_front);
}

void Pages::restorePage(const SessionView::Page& entry) {
    openFunction(entry.function, entry.partitioned);
    if (!entry.sight) return;
    const auto look = [page = current(), sight = *entry.sight] {
        if (const GraphModelPtr& model = page->view().model(); model && qint64(model->nodes.size()) == sight.nodes)
            page->view().lookFirstAt(sight.zoom, sight.centre);
    };
    connect(current(), &GraphPage::settled, this, look, Qt::SingleShotConnection);
}

void Pages::forCurrentView(const std::function<void(GraphView&)>& work) {
    if (GraphPage* page = current()) work(page->view());
}

void Pages::lookAround(const std::function<void(GraphView&)>& work) {
    if (auto* comparison = qobject_cast<DiffPage*>(currentWidget()))
        work(comparison->side(DiffSideName::Before).graph());
    else forCurrentView(work);
}

void Pages::setTheme(const Theme& theme) {
    theme_ = theme;
    for (GraphPage* page : graphs()) page->setTheme(theme);
    for (int i = 0; i < count(); ++i)
        if (auto* page = qobject_cast<DiffPage*>(widget(i))) page->setTheme(theme);
}

void Pages::setCanvasOptions(const CanvasOptions& options) {
    options_ = options;
    for (GraphPage* page : graphs()) page->setCanvasOptions(options);
}

void Pages::setPresented(bool presented) {
    presented_ = presented;
    for (GraphPage* page : graphs()) page->view().setPresented(presented);
}

void Pages::setHeat(bool on) {
    heat_.reset();
    heat_of_ = HeatOf::Times;
    if (const RunOutcomePtr& run = document_.runOutcome(); on && run) heat_ = {run, &run->heat};
    for (GraphPage* page : graphs()) page->setHeat(heat_);
}

void Pages::showHeat(std::shared_ptr<const std::vector<float>> heat) {
    heat_ = std::move(heat);
    heat_of_ = HeatOf::Numbers;
    for (GraphPage* page : graphs()) page->setHeat(heat_);
}

void Pages::setRegretHeat(bool on) {
    heat_.reset();
    heat_of_ = HeatOf::Regrets;
    if (on && placed_ && placed_->task.module == document_.shownModule())
        heat_ = std::make_shared<const std::vector<float>>(heat_of_regrets(*placed_));
    for (GraphPage* page : graphs()) page->setHeat(heat_);
}

void Pages::setPlaced(PlacedModulePtr placed) {
    if (showsRegretHeat()) setRegretHeat(false);
    placed_ = std::move(placed);
}

void Pages::showStep(const std::vector<ExprId>& subjects, const std::vector<ExprId>& related,
                     const std::shared_ptr<const DecorationInput>& state, const QString& caption) {
    step_shown_ = state != nullptr;
    const QString tip = tr("The graph is shown as it is after this decision; a click shows the result");
    for (GraphPage* page : graphs()) {
        if (page->target().source != PageTarget::Source::Shown || page->target().literal.valid()) continue;
        if (state && page->target().function == QLatin1String("main")) setCurrentWidget(page);
        page->setStepDecoration(state, caption, tip);
        page->setStep(subjects, related);
    }
}

void Pages::showPrediction(const std::shared_ptr<const DecorationInput>& state, const QString& caption) {
    const QString tip = tr("The graph shows the regions that you marked; a click ends it and shows the result");
    for (GraphPage* page : graphs())
        if (page->target().source == PageTarget::Source::Shown && !page->target().literal.valid())
            page->setStepDecoration(state, caption, tip);
}

void Pages::showPath(const std::vector<ExprId>& path) {
    if (step_shown_ || (path.empty() && !path_shown_)) return;
    path_shown_ = !path.empty();
    std::vector<ExprId> ends;
    if (path_shown_) ends = {path.front(), path.back()};
    for (GraphPage* page : graphs())
        if (page->target().source == PageTarget::Source::Shown) page->setStep(ends, path);
}

}  // namespace partita
