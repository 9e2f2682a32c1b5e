// The window's centre, panels and status bar, and what joins them to the document.
#include <algorithm>
#include <utility>

#include <QCheckBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/diff/diff_page.h"
#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/lessons/prediction_view.h"
#include "app/gui/panels/outline/outline_panel.h"
#include "app/gui/panels/problems/problems_panel.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/text/text_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/window/dock_title.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/welcome_page.h"

namespace partita {

void MainWindow::buildCentre() {
    centre_ = new QStackedWidget;
    welcome_ = new WelcomePage;
    pages_ = new QTabWidget;
    pages_->setDocumentMode(true);
    pages_->setTabsClosable(false);  // the first tab alone stays
    pages_->setMovable(true);
    pages_->setAccessibleName(tr("Open functions"));
    centre_->addWidget(welcome_);
    centre_->addWidget(pages_);
    caption_ = new QLabel;
    caption_->setObjectName(QStringLiteral("presentation-caption"));
    caption_->setAccessibleName(tr("What is shown"));
    caption_->setWordWrap(true);
    caption_->setAlignment(Qt::AlignCenter);
    caption_->setContentsMargins(40, 14, 40, 18);
    caption_->hide();
    hint_ = new QLabel;
    hint_->setObjectName(QStringLiteral("presentation-hint"));
    hint_->setAlignment(Qt::AlignCenter);
    hint_->setWordWrap(true);
    hint_->setContentsMargins(40, 0, 40, 14);
    hint_->hide();
    auto* middle = new QWidget;
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(centre_, 1);
    column->addWidget(caption_);
    column->addWidget(hint_);
    middle->setMinimumSize(320, 140);
    setCentralWidget(middle);
    connect(welcome_, &WelcomePage::fileChosen, this, &MainWindow::openFile);
    connect(welcome_, &WelcomePage::openWanted, this, &MainWindow::chooseFile);
    connect(welcome_, &WelcomePage::continueWanted, this, [this] { openFile(Document::sessionFile()); });
    welcome_->setSession(QFileInfo::exists(Document::sessionFile()), Document::sessionTitle());
    connect(pages_, &QTabWidget::tabCloseRequested, this, [this](int index) {
        if (pages_->count() > 1) delete pages_->widget(index);
        pages_->setTabsClosable(pages_->count() > 1);
    });
    connect(pages_, &QTabWidget::currentChanged, this, [this] {
        pages_->setTabsClosable(pages_->count() > 1);
        updateActions();
    });
}

QDockWidget* MainWindow::addPanel(const QString& name, const QString& title, QWidget* panel, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(panel);
    dock->setTitleBarWidget(new DockTitle(*dock));
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable |
                      QDockWidget::DockWidgetFloatable);
    addDockWidget(area, dock);
    return dock;
}

void MainWindow::buildPanels() {
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);  // tables want width more than the outline wants height
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    outline_ = new OutlinePanel(document_);
    inspector_ = new InspectorPanel(document_);
    steps_ = new StepsPanel(document_);
    timing_ = new TimingPanel(document_);
    text_ = new TextPanel(document_);
    problems_ = new ProblemsPanel(document_);
    lessons_ = new LessonsPanel(document_);
    lessons_->setLeaving([this](std::function<void()> go_on) { leaveDocument(std::move(go_on)); });
    rules_ = new RulesPanel(document_, steps_->breakpoints());
    coverage_ = new CoveragePanel(document_);
    QDockWidget* outline = addPanel(QStringLiteral("outline"), tr("Outline"), outline_, Qt::LeftDockWidgetArea);
    addPanel(QStringLiteral("inspector"), tr("Inspector"), inspector_, Qt::RightDockWidgetArea);
    QDockWidget* lessons = addPanel(QStringLiteral("lessons"), tr("Lessons"), lessons_, Qt::LeftDockWidgetArea);
    tabifyDockWidget(outline, lessons);
    lessons->hide();
    // A lesson's text and questions do want height.
    connect(lessons->toggleViewAction(), &QAction::toggled, this, [this](bool shown) {
        setCorner(Qt::BottomLeftCorner, shown ? Qt::LeftDockWidgetArea : Qt::BottomDockWidgetArea);
        if (!before_presenting_.isEmpty()) return;  // a presentation hides all panels for a while
        keepOutlineWidth(shown);
        if (shown) lessons_->resumePrediction();
        else lessons_->endPrediction();  // what is marked could neither be compared nor taken off the graph any more
    });
    QDockWidget* steps = addPanel(QStringLiteral("steps"), tr("Steps"), steps_, Qt::BottomDockWidgetArea);
    // Each becomes a tab before the next one is added: side by side for a moment, they would widen the window for good.
    QDockWidget* previous = steps;
    const auto add_tab = [&](const QString& name, const QString& title, QWidget* panel) {
        QDockWidget* dock = addPanel(name, title, panel, Qt::BottomDockWidgetArea);
        tabifyDockWidget(previous, dock);
        previous = dock;
    };
    add_tab(QStringLiteral("timing"), tr("Timing"), timing_);
    add_tab(QStringLiteral("text"), tr("Text"), text_);
    add_tab(QStringLiteral("rules"), tr("Rules"), rules_);
    add_tab(QStringLiteral("coverage"), tr("Coverage"), coverage_);
    add_tab(QStringLiteral("problems"), tr("Problems"), problems_);
    setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
    // In place of what their buttons ask for: in large type that would be more than a screen.
    constexpr int kNarrowest = 440, kLowest = 100;
    for (QWidget* panel : std::initializer_list<QWidget*>{steps_, timing_, text_, rules_, coverage_, problems_}) {
        static_cast<QDockWidget*>(panel->parentWidget())
            ->setTitleBarWidget(new QWidget);  // their tabs name them already
        panel->setMinimumSize(kNarrowest, kLowest);
    }
    connect(static_cast<QDockWidget*>(text_->parentWidget()), &QDockWidget::visibilityChanged, text_,
            &TextPanel::setOnScreen);
    steps->raise();
    connect(outline_, &OutlinePanel::functionOpened, this, &MainWindow::openFunction);
    connect(outline_, &OutlinePanel::regionSelected, this, &MainWindow::selectRegion);
    connect(inspector_, &InspectorPanel::regionSelected, this, &MainWindow::selectRegion);
    connect(inspector_, &InspectorPanel::pathShown, this, &MainWindow::showPath);
    connect(inspector_, &InspectorPanel::ruleWanted, this, [this](int backend, const QString& rule) {
        showPanel(rules_);
        rules_->showRule(backend, rule);
    });
    connect(inspector_, &InspectorPanel::newRuleWanted, this, [this](int backend, const QString& op) {
        showPanel(rules_);
        rules_->writeRule(backend, op);
    });
    connect(rules_, &RulesPanel::saved, this, &MainWindow::keepBackends);
    connect(&document_, &Document::selectionChanged, this, [this] { showPath({}); });
    connect(coverage_, &CoveragePanel::told, this, &MainWindow::tellBriefly);
    connect(timing_, &TimingPanel::told, this, &MainWindow::tellBriefly);
    connect(&document_, &Document::runFinished, coverage_, &CoveragePanel::tellFallbacks);
    connect(&document_, &Document::flowChanged, coverage_, [this] {
        if (!document_.partitioned()) return;
        if (document_.flow()->regions.empty() && !document_.choice().annotate && !document_.annotated())
            return tellBriefly(
                tr("There is no region to cut out yet: annotate first (F6), or let the whole flow run (F9)."));
        coverage_->tellFallbacks();
    });
    connect(timing_, &TimingPanel::heatToggled, this, &MainWindow::setHeat);
    connect(timing_, &TimingPanel::runWanted, this, &MainWindow::runModule);
    welcome_->setLessons(lessons_->lessonTitles());
    connect(welcome_, &WelcomePage::lessonChosen, this, [this](int lesson) {
        showPanel(lessons_);
        lessons_->start(lesson);
    });
    connect(steps_, &StepsPanel::stepShown, this, &MainWindow::showStep);
    connect(&lessons_->prediction(), &PredictionView::shown, this, &MainWindow::showPrediction);
    connect(&lessons_->prediction(), &PredictionView::predictingChanged, this,
            &MainWindow::hideAnswers);  // commands follow that
    connect(&lessons_->prediction(), &PredictionView::predictingChanged, this, &MainWindow::updateActions);
    connect(&document_, &Document::choiceChanged, this, &MainWindow::hideAnswers);
}

/// Lessons want more width than the outline in whose place they stand; it gets its own back after them.
void MainWindow::keepOutlineWidth(bool lessons_shown) {
    auto* outline = static_cast<QDockWidget*>(outline_->parentWidget());
    if (lessons_shown) outline_width_ = outline->isVisible() ? outline->width() : 0;
    else if (const int width = std::exchange(outline_width_, 0))
        QTimer::singleShot(0, this, [this, outline, width] { resizeDocks({outline}, {width}, Qt::Horizontal); });
}

/// As wide as larger type needs, as long as the graph keeps the most.
void MainWindow::sizePanels() {
    const double scale = std::clamp(settings_.text_scale, 1.0, 1.15);
    // In a small window half of it is the graph's.
    const auto of_window = [scale](int wanted, int whole, double most) {
        return std::min(int(wanted * scale), int(whole * most * scale));
    };
    resizeDocks(
        {static_cast<QDockWidget*>(outline_->parentWidget()), static_cast<QDockWidget*>(inspector_->parentWidget())},
        {of_window(230, width(), 0.21), of_window(310, width(), 0.28)}, Qt::Horizontal);
    resizeDocks({static_cast<QDockWidget*>(steps_->parentWidget())}, {of_window(230, height(), 0.3)}, Qt::Vertical);
}

void MainWindow::buildStatusBar() {
    job_text_ = make_plain_label();
    job_progress_ = new QProgressBar;
    job_progress_->setFixedWidth(140);
    job_progress_->setTextVisible(false);
    job_progress_->setAccessibleName(tr("Progress"));
    job_cancel_ = new QToolButton;
    job_cancel_->setText(tr("Cancel"));
    job_cancel_->setToolTip(tr("Cancel what is running"));
    counts_ = new QLabel;
    for (QWidget* widget : std::initializer_list<QWidget*>{job_text_, job_progress_, job_cancel_}) {
        statusBar()->addPermanentWidget(widget);  // messages pass to the left of it
        widget->hide();
    }
    statusBar()->addPermanentWidget(counts_);
    connect(job_cancel_, &QToolButton::clicked, &jobs_, &JobRunner::cancelAll);
    auto* delay = new QTimer(this);
    delay->setSingleShot(true);
    delay->setInterval(200);  // short work would only flicker
    connect(delay, &QTimer::timeout, this, &MainWindow::updateJobs);
    connect(&jobs_, &JobRunner::gaveUp, this, [this](const QString& title, const QString& lost) {
        const QString after = tr("%1 was given up. What was open before is as it was.").arg(title);
        if (lost.isEmpty()) tell(tr("There is not enough memory"), after);
        else tell(tr("The model's weights can't be read"), lost + QStringLiteral("\n\n") + after);
    });
    connect(&jobs_, &JobRunner::jobsChanged, this, [this, delay] {
        setObstacle(QStringLiteral("cancel"), jobs_.busy() ? QString() : tr("Nothing is running"));
        if (!jobs_.busy()) {
            delay->stop();
            updateJobs();
        } else if (job_text_->isVisible()) {
            updateJobs();
        } else if (!delay->isActive()) {
            delay->start();
        }
    });
}

void MainWindow::updateJobs() {
    const std::vector<JobInfo> jobs = jobs_.jobs();
    for (QWidget* widget : std::initializer_list<QWidget*>{job_text_, job_progress_, job_cancel_})
        widget->setVisible(!jobs.empty());
    fitToldToRoom();
    if (jobs.empty()) return;
    const JobInfo& job = jobs.front();
    job_text_->setText(shown_name(job.what.isEmpty() ? job.title + QStringLiteral("…")
                                                     : QStringLiteral("%1: %2").arg(job.title, job.what)));
    job_progress_->setRange(0, job.fraction < 0 ? 0 : 1000);
    if (job.fraction >= 0) job_progress_->setValue(int(job.fraction * 1000));
}

void MainWindow::connectDocument() {
    connect(&document_, &Document::opened, this, [this] {
        if (QFileInfo::exists(document_.path())) {
            settings_.remember(document_.projectPath().isEmpty() ? document_.path() : document_.projectPath());
            settings_.save();
            updateRecentFiles();
        }
        statusBar()->clearMessage();  // what was told of the module before
        setHeat(false);
        while (pages_->count() > 0) delete pages_->widget(0);
        openPage(firstPage());
        view_to_restore_ = std::exchange(view_when_opened_, std::nullopt);
        restoreView();
        centre_->setCurrentWidget(pages_);
        updateTitle();
        updateActions();
        if (!document_.problems().empty()) showPanel(problems_);
        if (GraphPage* page = currentPage()) page->view().setFocus();
        if (!document_.symbolicDimensions().empty() && !document_.dimensionsChosen()) chooseDimensions();
        if (const QString other = std::exchange(compared_when_opened_, QString()); !other.isEmpty())
            compare()->openFile(DiffSideName::After, other);
    });
    connect(&document_, &Document::openFailed, this, [this](const QString& path, const QString& message) {
        compared_when_opened_.clear();
        view_when_opened_.reset();
        updateActions();
        if (!message.isEmpty()) tellNotOpened(path, message);
    });
    connect(&document_, &Document::flowFailed, this, [this](const QString& message) {
        showPanel(problems_);
        tellBriefly(message);
    });
    connect(&document_, &Document::flowChanged, this, [this] {
        closeVanishedPages();
        restoreView();
        updateActions();
    });
    connect(&document_, &Document::choiceChanged, this, &MainWindow::updateBackendActions);
    connect(&document_, &Document::selectionChanged, this, &MainWindow::updateActions);
    connect(&document_, &Document::runStarted, this, &MainWindow::updateActions);
    connect(&document_, &Document::runFinished, this, [this] {
        showPanel(timing_);
        if (timing_->heatSwitch().isChecked()) setHeat(true);
        updateActions();
    });
    connect(&document_, &Document::runFailed, this, [this](const QString& message) {
        updateActions();
        if (!message.isEmpty()) tell(tr("The run failed"), message);
    });
    connect(&document_, &Document::projectSaved, this, [this](const QString& path) {
        settings_.remember(path);
        settings_.save();
        updateRecentFiles();
        updateTitle();
        tellBriefly(tr("%1 was written.").arg(path));
        if (const auto go_on = std::exchange(when_saved_, nullptr)) QTimer::singleShot(0, this, go_on);
    });
    connect(&document_, &Document::projectNotSaved, this, [this](const QString& path, const QString& message) {
        when_saved_ = nullptr;
        if (!message.isEmpty()) tellNotWritten(path, message, QStringLiteral("save-as"));
    });
    connect(&document_, &Document::notKept, this, [this](const QString& message) {
        tell(tr("What is not saved is not kept for a crash"),
             tr("%1\n\nThe work goes on; save the project to be sure of it (Ctrl+S).").arg(message));
    });
    connect(&document_.undoStack(), &QUndoStack::cleanChanged, this, &MainWindow::updateTitle);
    connect(&document_, &Document::bookmarksChanged, this, &MainWindow::updateTitle);
    session_timer_ = new QTimer(this);
    session_timer_->setSingleShot(true);
    session_timer_->setInterval(1000);  // not at every key, yet soon enough to lose nothing worth mentioning
    connect(session_timer_, &QTimer::timeout, this, [this] {
        document_.autosave();
        document_.keepSession();
    });
    // Not started anew by the next change: someone who never pauses loses no more than others.
    const auto keep_soon = [this] {
        ending_ = false;
        if (keeps_ && !session_timer_->isActive()) session_timer_->start();
    };
    connect(&document_, &Document::choiceChanged, this, keep_soon);
    connect(&document_, &Document::bookmarksChanged, this, keep_soon);
    connect(&document_, &Document::runFinished, this, keep_soon);
}

}  // namespace partita
