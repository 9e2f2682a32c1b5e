#include "app/gui/window/main_window.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QKeyEvent>
#include <QMessageBox>
#include <QMimeData>
#include <QProgressBar>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QVBoxLayout>
#include <QThread>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>

#include "app/gui/canvas/search_bar.h"
#include "app/gui/diff/diff_page.h"
#include "app/gui/editing/graph_editor.h"
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
#include "app/gui/style/icons.h"
#include "app/gui/window/backends_dialog.h"
#include "app/gui/window/dimensions_dialog.h"
#include "app/gui/window/file_watch.h"
#include "app/gui/window/welcome_page.h"
#include "app/gui/window/recovery_dialog.h"

namespace partita {

namespace {

/// How much larger type is in a presentation: for the last row.
constexpr double kPresentedType = 1.6;
/// How large a small graph may get there.
constexpr double kPresentedGraph = 2.4;

}  // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), settings_(Settings::load()), document_(jobs_), base_point_size_(QApplication::font().pointSizeF()) {
    setAcceptDrops(true);
    qApp->installEventFilter(new PlainToolTips(this));
    setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
    setDockNestingEnabled(true);
    resize(1320, 860);
    buildCentre();
    buildPanels();
    buildStatusBar();
    buildActions();
    connectDocument();
    new FileWatch(document_, *this);
    settings_.applyCompiler();
    applyTheme();
    setBackends(settings_.backends);
    welcome_->setRecentFiles(settings_.recent_files);
    updateRecentFiles();
    updateActions();
    updateTitle();
    const QSettings store;
    restoreGeometry(store.value(QStringLiteral("window/geometry")).toByteArray());
    restoreState(store.value(QStringLiteral("window/state")).toByteArray());
}

MainWindow::~MainWindow() {
    // Pages and panels go first: they ask the document. What they and it say meanwhile is for nobody.
    pages_->disconnect(this);
    document_.disconnect(this);
    document_.undoStack().disconnect(this);
    jobs_.disconnect(this);
    delete takeCentralWidget();
    for (QDockWidget* dock : findChildren<QDockWidget*>()) delete dock;
}

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
    auto* middle = new QWidget;
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(centre_, 1);
    column->addWidget(caption_);
    setCentralWidget(middle);
    connect(welcome_, &WelcomePage::fileChosen, this, &MainWindow::openFile);
    connect(welcome_, &WelcomePage::openWanted, this, &MainWindow::chooseFile);
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
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetFloatable);
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
    rules_ = new RulesPanel(document_, steps_->breakpoints());
    coverage_ = new CoveragePanel(document_);
    QDockWidget* outline = addPanel(QStringLiteral("outline"), tr("Outline"), outline_, Qt::LeftDockWidgetArea);
    QDockWidget* inspector = addPanel(QStringLiteral("inspector"), tr("Inspector"), inspector_, Qt::RightDockWidgetArea);
    QDockWidget* lessons = addPanel(QStringLiteral("lessons"), tr("Lessons"), lessons_, Qt::LeftDockWidgetArea);
    tabifyDockWidget(outline, lessons);
    lessons->hide();
    // A lesson's text and questions do want height.
    connect(lessons->toggleViewAction(), &QAction::toggled, this, [this](bool shown) {
        setCorner(Qt::BottomLeftCorner, shown ? Qt::LeftDockWidgetArea : Qt::BottomDockWidgetArea);
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
    // Their tabs name them already.
    for (QWidget* panel : std::initializer_list<QWidget*>{steps_, timing_, text_, rules_, coverage_, problems_})
        static_cast<QDockWidget*>(panel->parentWidget())->setTitleBarWidget(new QWidget);
    connect(static_cast<QDockWidget*>(text_->parentWidget()), &QDockWidget::visibilityChanged, text_, &TextPanel::setOnScreen);
    steps->raise();
    resizeDocks({outline, inspector}, {230, 310}, Qt::Horizontal);
    resizeDocks({steps}, {230}, Qt::Vertical);
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
    connect(&document_, &Document::selectionChanged, this, [this] { showPath({}); });
    connect(coverage_, &CoveragePanel::fallbacksTold, this, &MainWindow::tellBriefly);
    connect(&document_, &Document::runFinished, coverage_, &CoveragePanel::tellFallbacks);
    connect(&document_, &Document::flowChanged, coverage_, [this] {
        if (!document_.partitioned()) return;
        if (document_.flow()->regions.empty() && !document_.choice().annotate && !document_.annotated())
            return tellBriefly(tr("There is no region to cut out yet: annotate first (F6), or let the whole flow run (F9)."));
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
    connect(&lessons_->prediction(), &PredictionView::predictingChanged, this, &MainWindow::updateActions);
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
    connect(&jobs_, &JobRunner::memoryWasMissing, this, [this](const QString& title) {
        tell(tr("There is not enough memory"), tr("%1 was given up. What was open before is as it was.").arg(title));
    });
    connect(&jobs_, &JobRunner::jobsChanged, this, [this, delay] {
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
    for (QWidget* widget : std::initializer_list<QWidget*>{job_text_, job_progress_, job_cancel_}) widget->setVisible(!jobs.empty());
    setObstacle(QStringLiteral("cancel"), jobs.empty() ? tr("Nothing is running") : QString());
    if (jobs.empty()) return;
    const JobInfo& job = jobs.front();
    job_text_->setText(job.what.isEmpty() ? job.title + QStringLiteral("…") : QStringLiteral("%1: %2").arg(job.title, job.what));
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
        heat_.reset();
        {
            const QSignalBlocker block(timing_->heatSwitch());
            timing_->heatSwitch().setChecked(false);
        }
        while (pages_->count() > 0) delete pages_->widget(0);
        PageTarget target;
        const Module& module = *document_.module();
        if (!module.find_function("main").valid() && !module.functions().empty()) {
            const std::string_view name = module.names().text(module.functions_by_name().front().name);
            target.function = QString::fromUtf8(name.data(), qsizetype(name.size()));
        }
        openPage(target);
        centre_->setCurrentWidget(pages_);
        updateTitle();
        updateActions();
        if (!document_.problems().empty()) showPanel(problems_);
        if (GraphPage* page = currentPage()) page->view().setFocus();
        if (!document_.symbolicDimensions().empty() && !document_.dimensionsChosen()) chooseDimensions();
    });
    connect(&document_, &Document::openFailed, this, [this](const QString& path, const QString& message) {
        updateActions();
        if (!message.isEmpty()) tell(tr("%1 was not opened").arg(QFileInfo(path).fileName()), message);
    });
    connect(&document_, &Document::flowFailed, this, [this](const QString& message) {
        showPanel(problems_);
        statusBar()->showMessage(message, 8000);
    });
    connect(&document_, &Document::flowChanged, this, [this] {
        closeVanishedPages();
        updateActions();
    });
    connect(&document_, &Document::choiceChanged, this, [this] {
        updateBackendActions();
        updateActions();
    });
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
        statusBar()->showMessage(tr("%1 was written.").arg(path), 6000);
        if (std::exchange(closing_, false)) QTimer::singleShot(0, this, &QWidget::close);
    });
    connect(&document_, &Document::projectNotSaved, this, [this](const QString& path, const QString& message) {
        closing_ = false;
        tell(tr("%1 was not written").arg(QFileInfo(path).fileName()), message);
    });
    connect(&document_.undoStack(), &QUndoStack::cleanChanged, this, &MainWindow::updateTitle);
    session_timer_ = new QTimer(this);
    session_timer_->setSingleShot(true);
    session_timer_->setInterval(1000);  // not at every key, yet soon enough to lose nothing worth mentioning
    connect(session_timer_, &QTimer::timeout, this, [this] {
        document_.autosave();
        document_.keepSession();
    });
    // Not started anew by the next change: someone who never pauses loses no more than others.
    const auto keep_soon = [this] {
        if (!session_timer_->isActive()) session_timer_->start();
    };
    connect(&document_, &Document::choiceChanged, this, keep_soon);
    connect(&document_, &Document::bookmarksChanged, this, keep_soon);
    connect(&document_, &Document::runFinished, this, keep_soon);
}

/// In the status bar, shortened to its room.
void MainWindow::tellBriefly(const QString& sentence) {
    int taken = counts_->sizeHint().width() + 40;
    for (const QWidget* widget : std::initializer_list<QWidget*>{job_text_, job_progress_, job_cancel_})
        if (widget->isVisible()) taken += widget->sizeHint().width() + 8;
    const int room = statusBar()->width() - taken;
    statusBar()->showMessage(statusBar()->fontMetrics().elidedText(sentence, Qt::ElideRight, std::max(room, 200)), 12000);
}

void MainWindow::tell(const QString& title, const QString& message) { show_warning(this, title, message); }

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
    if (!before_presenting_.isEmpty()) page->view().setLargestFit(kPresentedGraph);
    connect(page, &GraphPage::activated, this, [this, page](quint32 node) { activateNode(*page, node); });
    connect(page, &GraphPage::breadcrumbClicked, this, [this, page](int depth) { openBreadcrumb(*page, depth); });
    connect(page, &GraphPage::contextMenuRequested, this, &MainWindow::showContextMenu);
    graph_editor_->watch(page);
    pages_->addTab(page, target.title());
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
        target.function = data.title.mid(1);
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

/// A new division may have other sub-functions: tabs of those that are gone close.
void MainWindow::closeVanishedPages() {
    for (int i = pages_->count(); i-- > 0;) {
        auto* page = qobject_cast<GraphPage*>(pages_->widget(i));
        const bool composite_of_old = page && page->target().literal.valid() &&
                                      page->target().literal_module != document_.partitioned() &&
                                      page->target().literal_module != document_.shownModule();
        if (page && pages_->count() > 1 && (!page->exists() || composite_of_old)) delete page;
    }
}

void MainWindow::openFile(const QString& path) {
    document_.setDimensions(settings_.dimensions);
    document_.open(path);
}

void MainWindow::chooseDimensions() {
    if (document_.symbolicDimensions().empty()) return;
    auto* dialog = new DimensionsDialog(document_.title(), document_.symbolicDimensions(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const QString model = QFileInfo(document_.path()).absoluteFilePath();
    const QString file = document_.projectPath().isEmpty() ? document_.path() : document_.projectPath();
    const Dimensions taken = document_.symbolicDimensions();
    connect(dialog, &QDialog::finished, this, [=, this](int result) {
        // Whoever keeps the values as they are is not asked again either.
        const Dimensions chosen = result == QDialog::Accepted ? dialog->dimensions() : taken;
        settings_.dimensions[model] = chosen;
        settings_.save();
        document_.setDimensions(settings_.dimensions);
        if (chosen != taken && document_.isOpen()) document_.openWithDimensions(file, chosen);
    });
    dialog->open();
}

void MainWindow::setBackends(const QStringList& names_or_files) {
    std::vector<Diagnostic> faults;
    std::vector<BackendPtr> backends = load_backends(names_or_files, faults);
    for (const Diagnostic& fault : faults) document_.report(fault);
    document_.setDefaultBackends(backends);
    document_.setBackends(std::move(backends));
}

void MainWindow::applySettings(const Settings& settings, bool remembered) {
    const bool other_theme = settings.theme != settings_.theme;
    const bool theme_changed = other_theme || settings.theme_of_this_start != settings_.theme_of_this_start ||
                               settings.palette != settings_.palette ||
                               settings.text_scale != settings_.text_scale;
    settings_ = settings;
    if (other_theme) settings_.theme_of_this_start.reset();
    if (!document_.isRunning()) settings_.applyCompiler();
    if (remembered) settings_.save();
    if (theme_changed) applyTheme();
    for (int i = 0; i < pages_->count(); ++i)
        if (auto* page = qobject_cast<GraphPage*>(pages_->widget(i))) page->setCanvasOptions(settings_.canvas);
}

void MainWindow::applyTheme() {
    const bool system_dark = system_is_dark();
    const ThemeChoice theme = settings_.theme_of_this_start.value_or(settings_.theme);
    const bool dark = theme == ThemeChoice::Dark || (theme == ThemeChoice::System && system_dark);
    theme_ = make_theme(dark, settings_.palette);
    QFont font = QApplication::font();
    font.setPointSizeF(base_point_size_ * settings_.text_scale * (before_presenting_.isEmpty() ? 1 : kPresentedType));
    QApplication::setFont(font);
    apply_theme(*qApp, theme_);
    for (int i = 0; i < pages_->count(); ++i)
        if (auto* page = qobject_cast<GraphPage*>(pages_->widget(i))) page->setTheme(theme_);
    for (int i = 0; i < pages_->count(); ++i)
        if (auto* page = qobject_cast<DiffPage*>(pages_->widget(i))) page->setTheme(theme_);
    outline_->setTheme(theme_);
    inspector_->setTheme(theme_);
    timing_->setTheme(theme_);
    text_->setTheme(theme_);
    steps_->setTheme(theme_);
    problems_->setTheme(theme_);
    rules_->setTheme(theme_);
    coverage_->setTheme(theme_);
    for (const auto& [action, icon] : icons_) action->setIcon(themed_icon(icon, theme_));
    updateBackendActions();
}

void MainWindow::showPanel(QWidget* panel) {
    for (QDockWidget* dock : findChildren<QDockWidget*>()) {
        if (dock->widget() != panel) continue;
        dock->show();
        dock->raise();
    }
}

void MainWindow::forCurrentView(const std::function<void(GraphView&)>& work) {
    if (GraphPage* page = currentPage()) work(page->view());
}

void MainWindow::selectRegion(int region) {
    const FlowPtr flow = document_.flow();
    if (!flow || region < 0 || size_t(region) >= flow->regions.size()) return;
    document_.setSelection(flow->regions[size_t(region)].expressions);
}

void MainWindow::setHeat(bool on) {
    heat_.reset();
    if (on && document_.runOutcome() && document_.shownModule())
        heat_ = std::make_shared<const std::vector<float>>(heat_of_run(*document_.runOutcome(), document_.shownModule()->size()));
    for (int i = 0; i < pages_->count(); ++i)
        if (auto* page = qobject_cast<GraphPage*>(pages_->widget(i))) page->setHeat(heat_);
    if (on && !heat_) {
        const QSignalBlocker block(timing_->heatSwitch());
        timing_->heatSwitch().setChecked(false);
    }
    if (QAction* switch_action = action(QStringLiteral("heat"))) {
        const QSignalBlocker block(switch_action);
        switch_action->setChecked(heat_ != nullptr);
    }
    if (timing_->heatSwitch().isChecked() != (heat_ != nullptr)) {
        const QSignalBlocker block(timing_->heatSwitch());
        timing_->heatSwitch().setChecked(heat_ != nullptr);
    }
}

void MainWindow::setPresenting(bool on) {
    if (on == !before_presenting_.isEmpty()) return;
    if (on) {
        before_presenting_ = saveState();
        shape_before_presenting_ = windowState();
        for (QDockWidget* dock : findChildren<QDockWidget*>()) dock->hide();
        for (QWidget* bar : std::initializer_list<QWidget*>{tools_, palette_bar_, statusBar(), menuBar()}) bar->hide();
        caption_->setText(tr("F11 plays the next decision, Shift+F11 the one before. Esc leaves the presentation."));
        caption_->show();
        showFullScreen();
    } else {
        caption_->hide();
        setWindowState(shape_before_presenting_);
        statusBar()->show();
        menuBar()->show();
        restoreState(std::exchange(before_presenting_, QByteArray()));
    }
    applyTheme();
    if (QAction* presenting = action(QStringLiteral("presentation"))) presenting->setChecked(on);
    for (int i = 0; i < pages_->count(); ++i)
        if (auto* page = qobject_cast<GraphPage*>(pages_->widget(i))) page->view().setLargestFit(on ? kPresentedGraph : 1.25);
    // When the window has its new size.
    QTimer::singleShot(150, this, [this] { forCurrentView([](GraphView& view) { view.fit(); }); });
}

void MainWindow::showSteps() {
    if (before_presenting_.isEmpty()) showPanel(steps_);
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !before_presenting_.isEmpty()) return setPresenting(false);
    QMainWindow::keyPressEvent(event);
}

void MainWindow::showStep(const std::vector<ExprId>& subjects, const std::vector<ExprId>& related,
                          std::shared_ptr<const DecorationInput> state) {
    if (!state && !steps_shown_) return;
    steps_shown_ = state != nullptr;
    if (steps_shown_) caption_->setText(steps_->sentence());
    for (int i = 0; i < pages_->count(); ++i) {
        auto* page = qobject_cast<GraphPage*>(pages_->widget(i));
        if (!page || page->target().source != PageTarget::Source::Shown || page->target().literal.valid()) continue;
        if (state && i != pages_->currentIndex() && page->target().function == QLatin1String("main")) pages_->setCurrentIndex(i);
        page->setStepDecoration(state);
        page->setStep(subjects, related);
    }
}

void MainWindow::showPrediction(std::shared_ptr<const DecorationInput> state) {
    for (int i = 0; i < pages_->count(); ++i) {
        auto* page = qobject_cast<GraphPage*>(pages_->widget(i));
        if (page && page->target().source == PageTarget::Source::Shown && !page->target().literal.valid()) page->setStepDecoration(state);
    }
}

void MainWindow::showPath(const std::vector<ExprId>& path) {
    if (steps_shown_ || (path.empty() && !path_shown_)) return;
    path_shown_ = !path.empty();
    std::vector<ExprId> ends;
    if (path_shown_) ends = {path.front(), path.back()};
    for (int i = 0; i < pages_->count(); ++i)
        if (auto* page = qobject_cast<GraphPage*>(pages_->widget(i)); page && page->target().source == PageTarget::Source::Shown)
            page->setStep(ends, path);
}

bool MainWindow::waitUntilSettled(int milliseconds) {
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < milliseconds) {
        if (!jobs_.waitUntilIdle(int(milliseconds - timer.elapsed()))) return false;
        // A finished job may start the next one, and a new layout moves for a moment.
        QElapsedTimer quiet;
        quiet.start();
        while (quiet.elapsed() < 350 && !jobs_.busy()) {
            QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
            QThread::msleep(2);
        }
        if (!jobs_.busy()) return true;
    }
    return false;
}

void MainWindow::offerRecovery() {
    const std::vector<Autosave::LeftBehind> found = Autosave::leftBehind();
    if (found.empty()) return;
    RecoveryDialog dialog(found, this);
    dialog.exec();
    for (const QString& file : dialog.discarded()) Autosave::discard(file);
    if (!dialog.recovered().isEmpty()) document_.recover(dialog.recovered());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    // Choices are kept in the session; only a project that was saved before can fall behind.
    if (!document_.projectPath().isEmpty() && !document_.undoStack().isClean()) {
        const auto answer = QMessageBox::question(this, tr("Save the project?"), as_plain(tr("%1 has changes that were not saved.").arg(QFileInfo(document_.projectPath()).fileName())),
                                                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
        if (answer == QMessageBox::Cancel) return event->ignore();
        if (answer == QMessageBox::Save) {
            closing_ = save();
            return event->ignore();
        }
    }
    session_timer_->stop();
    document_.keepSession();
    document_.forgetAutosave();
    settings_.save();
    setPresenting(false);
    QSettings store;
    store.setValue(QStringLiteral("window/geometry"), saveGeometry());
    store.setValue(QStringLiteral("window/state"), saveState());
    jobs_.cancelAll();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.first().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.isEmpty()) return;
    event->acceptProposedAction();
    openFile(urls.first().toLocalFile());
}

}  // namespace partita
