#include "app/gui/window/panels.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>

#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/lessons/editor/lesson_editor.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/lessons/prediction_view.h"
#include "app/gui/panels/numbers/numbers_panel.h"
#include "app/gui/panels/outline/outline_panel.h"
#include "app/gui/panels/problems/problems_panel.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/text/code_panel.h"
#include "app/gui/panels/text/text_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/panels/timing/timing_roofline_view.h"
#include "app/gui/window/dock_title.h"
#include "engine/annotators/annotator.h"

namespace partita {

namespace {

constexpr int kRooflineHeight = 230;  ///< of its view: slopes and decades can be told

QDockWidget* dock_of(const QWidget* panel) { return static_cast<QDockWidget*>(panel->parentWidget()); }

}  // namespace

Panels::Panels(Document& document, QMainWindow& window)
    : QObject(&window), document_(document), window_(window), outline_(new OutlinePanel(document)),
      inspector_(new InspectorPanel(document)), steps_(new StepsPanel(document)), timing_(new TimingPanel(document)),
      text_(new TextPanel(document)), code_(new CodePanel(document)), problems_(new ProblemsPanel(document)),
      numbers_(new NumbersPanel(document)), lessons_(new LessonsPanel(document)),
      lesson_editor_(new LessonEditor(document)), rules_(new RulesPanel(document, steps_->breakpoints())),
      coverage_(new CoveragePanel(document)), rows_(table()) {
    addSideDocks();
    addBottomDocks();
    join();
}

/// At the bottom in the order of their tabs.
std::vector<PanelRow> Panels::table() {
    using enum HelpTopic;
    constexpr Qt::DockWidgetArea kLeft = Qt::LeftDockWidgetArea, kBottom = Qt::BottomDockWidgetArea;
    const auto themed = [](auto* panel) { return [panel](const Theme& theme) { panel->setTheme(theme); }; };
    return {
        {"outline", tr("Outline"), outline_, kLeft, FirstMinutes, false, themed(outline_)},
        {"inspector", tr("Inspector"), inspector_, Qt::RightDockWidgetArea, Why, false, themed(inspector_)},
        {"lessons", tr("Lessons"), lessons_, kLeft, Lessons, false, {}},
        {"lesson-editor", tr("Lesson editor"), lesson_editor_, kLeft, FirstMinutes, false, {}},
        {"steps", tr("Steps"), steps_, kBottom, Why, true, themed(steps_)},
        {"timing", tr("Timing"), timing_, kBottom, Timing, true, themed(timing_)},
        {"text", tr("Text"), text_, kBottom, FirstMinutes, true, themed(text_)},
        {"code", tr("Code"), code_, kBottom, FirstMinutes, true, themed(code_)},
        {"rules", tr("Rules"), rules_, kBottom, Rules, false, themed(rules_)},
        {"coverage", tr("Coverage"), coverage_, kBottom, Why, true, themed(coverage_)},
        {"numbers", tr("Numbers"), numbers_, kBottom, Timing, true, {}},
        {"problems", tr("Problems"), problems_, kBottom, FirstMinutes, false, themed(problems_)},
    };
}

QDockWidget* Panels::addDock(const PanelRow& row) {
    auto* dock = new QDockWidget(row.title, &window_);
    dock->setObjectName(row.name);
    dock->setWidget(row.panel);
    dock->setTitleBarWidget(new DockTitle(*dock));
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable |
                      QDockWidget::DockWidgetFloatable);
    dock->toggleViewAction()->setProperty("group", tr("Panels"));
    window_.addDockWidget(row.area, dock);
    return dock;
}

void Panels::addSideDocks() {
    window_.setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
    // Tables want width more than the outline wants height.
    window_.setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    window_.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    QDockWidget* previous = nullptr;
    for (const PanelRow& row : rows_) {
        if (row.area == Qt::BottomDockWidgetArea) continue;
        QDockWidget* dock = addDock(row);
        if (row.area != Qt::LeftDockWidgetArea) continue;
        if (previous) window_.tabifyDockWidget(previous, dock);
        if (previous) dock->hide();
        previous = dock;
    }
    connect(dock_of(lessons_)->toggleViewAction(), &QAction::toggled, this, &Panels::followLessons);
    connect(dock_of(lesson_editor_)->toggleViewAction(), &QAction::toggled, this, &Panels::followLessonEditor);
}

void Panels::addBottomDocks() {
    // In place of what their buttons ask for: in large type that would be more than a screen.
    constexpr int kNarrowest = 440, kLowest = 100;
    // Each becomes a tab before the next one is added: side by side for a moment, they would widen the window for good.
    QDockWidget* previous = nullptr;
    for (const PanelRow& row : rows_) {
        if (row.area != Qt::BottomDockWidgetArea) continue;
        QDockWidget* dock = addDock(row);
        if (previous) window_.tabifyDockWidget(previous, dock);
        previous = dock;
    }
    for (const PanelRow& row : rows_) {
        if (row.area != Qt::BottomDockWidgetArea) continue;
        dock_of(row.panel)->setTitleBarWidget(new QWidget);  // their tabs name them already
        row.panel->setMinimumSize(kNarrowest, kLowest);
    }
    window_.setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
    connect(dock_of(text_), &QDockWidget::visibilityChanged, text_, &TextPanel::setOnScreen);
    connect(dock_of(code_), &QDockWidget::visibilityChanged, code_, &CodePanel::setOnScreen);
    dock_of(steps_)->raise();
}

void Panels::join() {
    connect(outline_, &OutlinePanel::regionSelected, this, &Panels::regionSelected);
    connect(outline_, &OutlinePanel::regionsSelected, this, &Panels::regionsSelected);
    connect(inspector_, &InspectorPanel::told, this, &Panels::told);
    connect(inspector_, &InspectorPanel::regionSelected, this, &Panels::regionSelected);
    connect(inspector_, &InspectorPanel::ruleWanted, this, [this](int backend, const QString& rule) {
        show(rules_);
        rules_->showRule(backend, rule);
    });
    const auto show_line = [this](int backend, int line) {
        show(rules_);
        rules_->showLine(backend, line);
    };
    connect(inspector_, &InspectorPanel::lineWanted, this, show_line);
    connect(problems_, &ProblemsPanel::problemChosen, this, [this, show_line](const Problem& problem) {
        const std::string annotator = std::string(kPythonAnnotator) + problem.file.toStdString();
        const std::vector<BackendPtr>& backends = document_.choice().backends;
        const auto runs_it = [&](const BackendPtr& backend) { return backend->annotator == annotator; };
        const auto found = std::find_if(backends.begin(), backends.end(), runs_it);
        if (problem.position.line && found != backends.end())
            show_line(int(found - backends.begin()), int(problem.position.line));
    });
    connect(inspector_, &InspectorPanel::stageWanted, this, [this](const QString& stage) {
        text_->showStage(stage);
        show(text_);
    });
    connect(coverage_, &CoveragePanel::lineWanted, this, show_line);
    coverage_->setObstacle([this] { return lessons_->obstacleToDividing(); });
    rules_->setObstacle([this] { return lessons_->obstacleToDividing(); });
    connect(steps_, &StepsPanel::lineWanted, this, show_line);
    connect(steps_, &StepsPanel::lineReached, rules_, &RulesPanel::markLine);
    connect(steps_, &StepsPanel::pathWalked, rules_, &RulesPanel::showPath);
    connect(inspector_, &InspectorPanel::newRuleWanted, this, [this](int backend, const QString& op) {
        show(rules_);
        rules_->writeRule(backend, op);
    });
    connect(coverage_, &CoveragePanel::told, this, &Panels::told);
    connect(timing_, &TimingPanel::told, this, &Panels::told);
    connect(numbers_, &NumbersPanel::told, this, &Panels::told);
    connect(&timing_->views(), &QTabWidget::currentChanged, this,
            [this] { QTimer::singleShot(0, this, &Panels::giveRooflineHeight); });
    connect(dock_of(timing_), &QDockWidget::visibilityChanged, this,
            [this] { QTimer::singleShot(0, this, &Panels::giveRooflineHeight); });
    connect(&document_, &Document::runFinished, coverage_, &CoveragePanel::tellFallbacks);
    connect(&document_, &Document::flowChanged, this, &Panels::tellOfDivision);
    connect(&lessons_->prediction(), &PredictionView::predictingChanged, this, &Panels::hideAnswers);
    connect(&document_, &Document::choiceChanged, this, &Panels::hideAnswers);
    connect(lessons_, &LessonsPanel::pageChanged, this, &Panels::hideAnswers);
    connect(&document_, &Document::problemsChanged, this, &Panels::countProblems);
    connect(lesson_editor_, &LessonEditor::told, this, &Panels::told);
    connect(lesson_editor_, &LessonEditor::saved, lessons_, &LessonsPanel::reload);
    connect(lesson_editor_, &LessonEditor::tryWanted, this, [this](const Lesson& lesson) {
        show(lessons_);
        lessons_->tryOut(lesson);
    });
    connect(lesson_editor_, &LessonEditor::graphWanted, lessons_, &LessonsPanel::openGraphOf);
}

/// On the tab; the panel keeps its name in menus.
void Panels::countProblems() {
    QDockWidget* dock = dock_of(problems_);
    const size_t count = document_.problems().size();
    dock->setWindowTitle(count ? tr("Problems (%1)").arg(count) : tr("Problems"));
    dock->toggleViewAction()->setText(tr("Problems"));
}

void Panels::tellOfDivision() {
    if (!document_.partitioned()) return;
    if (document_.flow()->regions.empty() && !document_.choice().annotate && !document_.annotated())
        emit told(tr("There is no region to cut out yet: annotate first (F6), or let the whole flow run (F9)."));
    else coverage_->tellFallbacks();
}

std::vector<QDockWidget*> Panels::docks() const {
    std::vector<QDockWidget*> all;
    for (const PanelRow& row : rows_) all.push_back(dock_of(row.panel));
    return all;
}

QWidget* Panels::named(const QString& name) const {
    if (name == QLatin1String("why")) return inspector_;  // what it is for
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const PanelRow& row) { return row.name == name; });
    return found == rows_.end() ? nullptr : found->panel;
}

QStringList Panels::names() const {
    QStringList names;
    for (const PanelRow& row : rows_) names << row.name;
    return names;
}

HelpTopic Panels::topicAt(const QWidget* widget) const {
    for (const PanelRow& row : rows_)
        if (widget && (row.panel == widget || row.panel->isAncestorOf(widget))) return row.topic;
    return HelpTopic::FirstMinutes;
}

bool Panels::lessonsAreShown() const {
    return dock_of(lessons_)->toggleViewAction()->isChecked() ||
           dock_of(lesson_editor_)->toggleViewAction()->isChecked();
}

/// A lesson's text and questions do want height.
void Panels::giveLessonsHeight() {
    window_.setCorner(Qt::BottomLeftCorner, lessonsAreShown() ? Qt::LeftDockWidgetArea : Qt::BottomDockWidgetArea);
}

void Panels::followLessons(bool shown) {
    giveLessonsHeight();
    if (away_) return;
    keepOutlineWidth();
    if (shown) lessons_->resumePrediction();
    else lessons_->pausePrediction();  // what is marked could neither be compared nor taken off the graph
}

void Panels::followLessonEditor(bool shown) {
    constexpr int kWidth = 370;
    giveLessonsHeight();
    if (away_) return;
    keepOutlineWidth();
    QDockWidget* dock = dock_of(lesson_editor_);
    if (shown && dock->width() < kWidth)
        QTimer::singleShot(0, this, [this, dock] { window_.resizeDocks({dock}, {kWidth}, Qt::Horizontal); });
}

/// Lessons want more width than the outline in whose place they stand; it gets its own back after them.
void Panels::keepOutlineWidth() {
    QDockWidget* outline = dock_of(outline_);
    if (lessonsAreShown()) {
        const bool there = outline->isVisible() || std::find(aside_.begin(), aside_.end(), outline) != aside_.end();
        if (outline_width_ == 0) outline_width_ = there ? outline->width() : 0;
    } else if (const int width = std::exchange(outline_width_, 0)) {
        QTimer::singleShot(0, this,
                           [this, outline, width] { window_.resizeDocks({outline}, {width}, Qt::Horizontal); });
    }
}

void Panels::fit(double text_scale) {
    const double scale = std::clamp(text_scale, 1.0, 1.15);
    // In a small window half of it is the graph's.
    const auto of_window = [scale](int wanted, int whole, double most) {
        return std::min(int(wanted * scale), int(whole * most * scale));
    };
    window_.resizeDocks({dock_of(outline_), dock_of(inspector_)},
                        {of_window(230, window_.width(), 0.21), of_window(310, window_.width(), 0.28)}, Qt::Horizontal);
    // Rows grow with the type: a few are seen where the window has the height.
    const double rows = 230 * std::clamp(text_scale, 1.0, 1.5);
    const double most = window_.height() * (0.3 + 0.04 * std::clamp(text_scale - 1, 0.0, 1.0));
    window_.resizeDocks({dock_of(steps_)}, {int(std::min(rows, most))}, Qt::Vertical);
}

void Panels::restore(const QByteArray& state) { restored_ = window_.restoreState(state); }

void Panels::fitIfNew(double text_scale) {
    if (!restored_) fit(text_scale);
}

void Panels::standAside(bool aside) {
    if (aside == !aside_.empty()) return;
    const auto is_at_bottom = [this](QDockWidget* dock) {
        return window_.dockWidgetArea(dock) == Qt::BottomDockWidgetArea;
    };
    if (!aside) {
        for (QDockWidget* dock : docks()) {  // what a person opened meanwhile stays in front
            const bool opened = dock->isVisible() && dock->widget() != problems_ && !dock->visibleRegion().isEmpty();
            if (opened && is_at_bottom(dock)) front_aside_ = dock;
        }
        for (QDockWidget* dock : std::exchange(aside_, {})) dock->show();
        if (QDockWidget* front = std::exchange(front_aside_, nullptr)) front->raise();
        return;
    }
    for (QDockWidget* dock : docks()) {
        const QWidget* panel = dock->widget();
        const bool tells =
            panel == lessons_ || panel == lesson_editor_ || (panel == problems_ && !document_.problems().empty());
        if (tells || dock->isHidden() || dock->isFloating()) continue;
        if (is_at_bottom(dock) && (!front_aside_ || !dock->visibleRegion().isEmpty())) front_aside_ = dock;
        aside_.push_back(dock);
    }
    for (QDockWidget* dock : aside_) dock->hide();
}

/// A roofline in a low dock is all but flat. The others get their height back.
void Panels::giveRooflineHeight() {
    QDockWidget* dock = dock_of(timing_);
    const bool shown = timing_->views().currentWidget() == &timing_->roofline() && timing_->roofline().isVisible();
    const auto resize = [this, dock](int height) {
        for (const QTabBar* bar : window_.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
            if (bar->isVisible() && bar->geometry().bottom() + 1 == dock->y()) height += bar->height();
        window_.resizeDocks({dock}, {height}, Qt::Vertical);
    };
    if (!shown) {
        const int own = std::exchange(own_height_, 0);
        if (own && std::abs(dock->height() - given_height_) < 8) resize(own);  // nobody chose another since
        return;
    }
    const int wanted = std::min(dock->height() + kRooflineHeight - timing_->roofline().height(), window_.height() / 2);
    if (own_height_ || wanted <= dock->height()) return;
    own_height_ = dock->height();
    resize(wanted);
    QTimer::singleShot(0, this, [this, dock] { given_height_ = dock->height(); });  // the graph keeps some
}

void Panels::setTheme(const Theme& theme) {
    for (DockTitle* title : window_.findChildren<DockTitle*>()) title->setTheme(theme);
    for (const PanelRow& row : rows_)
        if (row.set_theme) row.set_theme(theme);
}

void Panels::show(QWidget* panel) {
    const std::vector<QWidget*> telling = tellingRegions();
    if (hides_panels_ && std::find(telling.begin(), telling.end(), panel) != telling.end()) return;
    for (QDockWidget* dock : docks()) {
        if (dock->widget() != panel) continue;
        dock->show();
        dock->raise();
    }
}

void Panels::enter(QWidget* panel) {
    show(panel);
    const QWidget* focus = QApplication::focusWidget();
    if (focus && panel->isAncestorOf(focus)) return;
    for (QWidget* next = panel->nextInFocusChain(); next != panel; next = next->nextInFocusChain())
        if (panel->isAncestorOf(next) && next->isVisibleTo(panel) && next->isEnabled() &&
            next->focusPolicy() & Qt::TabFocus)
            return next->setFocus(Qt::TabFocusReason);
}

QString Panels::obstacleToAnswers() const {
    return hides_panels_ ? tr("Compare your prediction first, or end it") : QString();
}

std::vector<QWidget*> Panels::tellingRegions() const {
    std::vector<QWidget*> telling;
    for (const PanelRow& row : rows_)
        if (row.tells_regions) telling.push_back(row.panel);
    return telling;
}

void Panels::hideAnswers() {
    const bool hide = lessons_->prediction().hidesAnswers();
    const bool hide_regions = hide || lessons_->hidesRegions();
    if (hide_regions != outline_->hidesRegions()) {
        outline_->setRegionsHidden(hide_regions);
        inspector_->setRegionsHidden(hide_regions);
    }
    if (hide == hides_panels_) return;
    hides_panels_ = hide;
    for (QWidget* panel : tellingRegions()) dock_of(panel)->toggleViewAction()->setEnabled(!hide);
    for (QDockWidget* dock : hidden_answers_) dock->show();
    if (!hidden_answers_.empty()) hidden_answers_.back()->raise();
    hidden_answers_.clear();
    if (!hide) return;
    for (QWidget* panel : tellingRegions())
        if (dock_of(panel)->toggleViewAction()->isChecked()) hidden_answers_.push_back(dock_of(panel));
    // The one in front is the last to come back.
    const auto is_behind = [](const QDockWidget* dock) { return dock->visibleRegion().isEmpty(); };
    std::stable_partition(hidden_answers_.begin(), hidden_answers_.end(), is_behind);
    for (QDockWidget* dock : hidden_answers_) dock->hide();
}

}  // namespace partita
