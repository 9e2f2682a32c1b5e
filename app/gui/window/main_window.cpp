#include "app/gui/window/main_window.h"

#include <algorithm>

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QTabBar>
#include <QThread>
#include <QTimer>
#include <QVBoxLayout>

#include "app/gui/canvas/search_bar.h"
#include "app/gui/editing/graph_editor.h"
#include "app/gui/jobs/pauses.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/lessons/prediction_view.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/style/file_dialog_columns.h"
#include "app/gui/style/focus_ring.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/window/annotator_starter.h"
#include "app/gui/window/file_watch.h"
#include "app/gui/window/menu_backend.h"
#include "app/gui/window/menu_edit.h"
#include "app/gui/window/menu_file.h"
#include "app/gui/window/menu_flow.h"
#include "app/gui/window/menu_graph.h"
#include "app/gui/window/menu_help.h"
#include "app/gui/window/menu_view.h"
#include "app/gui/window/missing_backends.h"
#include "app/gui/window/places_seen.h"
#include "app/gui/window/presentation.h"
#include "app/gui/window/run_inputs.h"
#include "app/gui/window/status_line.h"
#include "app/gui/window/tool_bars.h"
#include "app/gui/window/welcome_page.h"

namespace partita {

namespace {

constexpr int kQuietMilliseconds = 200;  ///< without a job or a pause: the window has settled
constexpr QSize kWindowFrame(4, 40);     ///< what the desktop draws round a window, about

/// Returns the desktop's type in another size.
QFont type_of_scale(double scale) {
    static const double desktop = QApplication::font().pointSizeF();  // before the first change
    QFont font = QApplication::font();
    font.setPointSizeF(desktop * scale);
    return font;
}

Theme chosen_theme(const Settings& settings) {
    const ThemeChoice choice = settings.theme_of_this_start.value_or(settings.theme);
    const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && system_is_dark());
    Theme theme = make_theme(dark, settings.palette);
    theme.type_size = settings.text_scale;
    return theme;
}

/// Returns the settings, with their style and type in force.
Settings settings_in_force() {
    put_look_in_force();
    return Settings::load();
}

/// How much larger type is in a presentation: for the last row.
constexpr double kPresentedType = 1.6;

}  // namespace

void put_look_in_force() {
    system_is_dark();  // known before the style changes the palette
    prepare_look(*qApp, type_of_scale(Settings::load().text_scale));
}

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), settings_(settings_in_force()), document_(jobs_), pages_(new Pages(document_)),
      status_(new StatusLine(jobs_)) {
    // In a tab it is no window of its own. Said later, all its widgets would take on the style once more.
    if (parent) setWindowFlags(Qt::Widget);
    setAcceptDrops(true);
    qApp->installEventFilter(new PlainToolTips(this));
    qApp->installEventFilter(new FileDialogColumns(this));
    new FocusRing(this);
    resize(QSize(1320, 860).boundedTo(screen()->availableSize() - kWindowFrame));
    buildCentre();
    panels_ = new Panels(document_, *this);
    presentation_->setPanels(*panels_);
    setStatusBar(status_);
    graph_editor_ = new GraphEditor(
        document_, [this] { return currentPage(); }, this);
    places_seen_ = new PlacesSeen(document_, *pages_, this);
    exports_ = new Exports(
        document_, [this] { return panels_->timing().machine(); }, *this);
    handouts_ = new Handouts(document_, panels_->lessons(), *exports_, *this);
    exports_->setPaper([this] { return menus_.file->shownPaper(); });
    run_inputs_ = new RunInputs(document_, *this);
    leaving_ = new Leaving(document_, *pages_, *panels_, *this, [this] { return menus_.file->save(); });
    opening_ = new FileOpening(*this, settings_, *status_, *leaving_);
    buildCommands();
    connectOpening();
    connectPages();
    connectPanels();
    connectDocument();
    connectEditing();
    settings_.applyCompiler();
    pages_->setCanvasOptions(settings_.canvas);
    applyTheme();
    panels_->fit(settings_.text_scale);
    if (settings_.backends) setBackends(*settings_.backends);
    updateRecentFiles();
    updateTitle();
    const QSettings store;
    restoreGeometry(store.value(QStringLiteral("window/geometry")).toByteArray());
    panels_->restore(store.value(QStringLiteral("window/state")).toByteArray());
    // The desktop's session ends: nobody may be asked now, and the windows are closed next.
    connect(qApp, &QGuiApplication::commitDataRequest, leaving_, &Leaving::keepForNextStart, Qt::DirectConnection);
    // Now: its bar is not to come back from another day, about a file that is not open.
    connect(presentation_, &Presentation::held, new FileWatch(document_, *this), &FileWatch::hold);
    connect(presentation_, &Presentation::held, new MissingBackends(document_, *this), &MissingBackends::hold);
    new AnnotatorStarter(document_, panels_->rules(), *this);
}

MainWindow::~MainWindow() {
    // Pages and panels go first: they ask the document. What they and it say meanwhile is for nobody.
    pages_->disconnect(this);
    graph_editor_->disconnect(this);
    document_.disconnect();
    document_.undoStack().disconnect(this);
    jobs_.disconnect(this);
    jobs_.disconnect(status_);
    delete takeCentralWidget();
    for (QDockWidget* dock : panels_->docks()) delete dock;
}

void MainWindow::buildCentre() {
    auto* centre = new QStackedWidget;
    centre->addWidget(pages_);
    connect(&document_, &Document::opened, this, &MainWindow::showCentre);
    connect(&document_, &Document::openFailed, this, &MainWindow::showCentre);
    auto* middle = new QWidget;
    auto* sides = new QHBoxLayout(middle);
    sides->setContentsMargins(0, 0, 0, 0);
    sides->setSpacing(0);
    auto* column = new QVBoxLayout;
    sides->addLayout(column, 1);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(centre, 1);
    presentation_ = new Presentation(*this, *pages_, *column, *sides);
    middle->setMinimumSize(320, 140);
    setCentralWidget(middle);
    QTimer::singleShot(0, this, &MainWindow::showCentre);  // whoever made the window may have a file to open
}

/// The welcome page where nothing is open. While the first file is read nothing is shown: the page would take longer to
/// make than most files take to read.
void MainWindow::showCentre() {
    auto* centre = static_cast<QStackedWidget*>(pages_->parentWidget());
    const bool any = document_.isOpen() || document_.isOpening();
    panels_->standAside(!any);
    if (any) return centre->setCurrentWidget(pages_);
    const bool first = !welcome_;
    if (first) {
        buildWelcome();
        centre->addWidget(welcome_);
    }
    centre->setCurrentWidget(welcome_);
    if (first) welcome_->setFocus();  // keys begin there
}

void MainWindow::buildWelcome() {
    welcome_ = new WelcomePage;
    welcome_->setSession(QFileInfo::exists(Document::sessionFile()), Document::sessionTitle());
    welcome_->setRecentFiles(settings_.recent_files);
    listLessons();
    connect(welcome_, &WelcomePage::fileChosen, opening_, &FileOpening::openFile);
    connect(welcome_, &WelcomePage::openWanted, opening_, &FileOpening::chooseFile);
    connect(welcome_, &WelcomePage::continueWanted, this, [this] { opening_->openFile(Document::sessionFile()); });
    connect(welcome_, &WelcomePage::lessonChosen, this, [this](int lesson) {
        panels_->show(&panels_->lessons());
        panels_->lessons().start(lesson);
    });
    connect(&panels_->lessons(), &LessonsPanel::lessonsChanged, welcome_,
            [this] { listLessons(); });  // panels outlive it
}

void MainWindow::listLessons() {
    std::vector<WelcomeLesson> all;
    for (const ListedLesson& lesson : panels_->lessons().list().lessons())
        all.push_back({lesson.title, lesson.line, lesson.done});
    welcome_->setLessons(all);
}

void MainWindow::buildCommands() {
    commands_ = new Commands(*this, *pages_);
    const WindowParts parts{*this,
                            document_,
                            settings_,
                            theme_,
                            *opening_,
                            *run_inputs_,
                            *pages_,
                            *panels_,
                            *presentation_,
                            *graph_editor_,
                            *status_,
                            *commands_,
                            {*this, document_, *pages_, *panels_, *presentation_},
                            [this] { updateCommands(); }};
    menus_ = {new FileMenu(parts, this),    new EditMenu(parts, this),  new FlowMenu(parts, this),
              new BackendMenu(parts, this), new GraphMenu(parts, this), new ViewMenu(parts, *places_seen_, this)};
    commands_->add({menus_.file->menu(), menus_.edit->menu(), menus_.flow->menu(), menus_.backend->menu(),
                    menus_.graph->menu(), menus_.view->menu(), (new HelpMenu(parts, this))->menu()});
    tool_bars_ = new ToolBars(*this, *commands_, BackendMenu::givingIds());
    connect(&document_.undoStack(), &QUndoStack::indexChanged, this, &MainWindow::updateCommands);
    connect(&jobs_, &JobRunner::jobsChanged, this, [this] { commands_->update(QStringLiteral("cancel")); });
    connect(&jobs_, &JobRunner::gaveUp, this, [this](const QString& title, const QString& lost) {
        const QString after = tr("%1 was given up. What was open before is as it was.").arg(title);
        if (lost.isEmpty()) show_warning(this, tr("There is not enough memory"), after);
        else show_warning(this, tr("The model's weights can't be read"), lost + QStringLiteral("\n\n") + after);
    });
}

void MainWindow::startWithSize(const QSize& size) {
    resize(size);
    panels_->fitIfNew(settings_.text_scale);
}

void MainWindow::setBackends(const QStringList& names_or_files) {
    std::vector<Diagnostic> faults;
    std::vector<BackendPtr> backends = load_backends(names_or_files, faults);
    for (const Diagnostic& fault : faults) document_.report(fault);
    document_.setBackends(std::move(backends));
}

void MainWindow::applySettings(const Settings& settings, bool remembered) {
    const bool other_theme = settings.theme != settings_.theme;
    const bool theme_changed = other_theme || settings.theme_of_this_start != settings_.theme_of_this_start ||
                               settings.palette != settings_.palette || settings.text_scale != settings_.text_scale;
    const bool other_files = settings.recent_files != settings_.recent_files;
    settings_ = settings;
    if (other_files) updateRecentFiles();
    if (other_theme) settings_.theme_of_this_start.reset();
    if (!document_.isRunning()) settings_.applyCompiler();
    if (remembered && !settings_.save())
        status_->tell(tr("The settings hold until you leave: %1 can't be written.").arg(QSettings().fileName()));
    if (theme_changed) applyTheme();
    pages_->setCanvasOptions(settings_.canvas);
    updateCommands();
}

void MainWindow::applyTheme() {
    theme_ = chosen_theme(settings_);
    theme_.backend_slots = slotsOfBackends();
    const QFont font = type_of_scale(settings_.text_scale * (presentation_->isOn() ? kPresentedType : 1));
    apply_look(*qApp, theme_, font);
    // Before the first event the application's font does not reach a window that is there already; and the first style
    // sheet of a program gives its widgets back the fonts from before.
    setFont(font);
    tool_bars_->setIconSize(fontMetrics().height() + 4);
    tellColours();
    commands_->setTheme(theme_);
    updateBackends();
}

bool MainWindow::waitUntilSettled(int milliseconds) {
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < milliseconds) {
        if (!jobs_.waitUntilIdle(int(milliseconds - timer.elapsed()))) return false;
        // A finished job may start the next one, at once or after a pause.
        QElapsedTimer quiet;
        quiet.start();
        while (quiet.elapsed() < kQuietMilliseconds && timer.elapsed() < milliseconds && !jobs_.busy()) {
            QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
            QThread::msleep(2);
            if (has_pauses(*this)) quiet.restart();
        }
        if (!jobs_.busy()) return true;
    }
    return false;
}

void MainWindow::endPresentation() { presentation_->set(false); }

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!leaving_->mayClose()) return event->ignore();
    leaving_->finish();
    settings_.save();
    presentation_->set(false);
    QSettings store;
    store.setValue(QStringLiteral("window/geometry"), window()->saveGeometry());
    panels_->lessons().endPrediction();  // it hides panels for a while, as the start page does
    panels_->standAside(false);
    store.setValue(QStringLiteral("window/state"), saveState());
    jobs_.cancelAll();
    QMainWindow::closeEvent(event);
    emit closed();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (tool_bars_) tool_bars_->fit();
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    GraphPage* page = currentPage();
    const bool turns = event->key() == Qt::Key_PageDown || event->key() == Qt::Key_PageUp;
    if (turns && presentation_->isOn()) turnPresented(event->key() == Qt::Key_PageDown);
    else if (event->key() != Qt::Key_Escape) QMainWindow::keyPressEvent(event);
    else if (presentation_->isOn()) presentation_->set(false);
    else if (page && page->pathShown()) menus_.view->togglePath();
    else if (page && page->searchBar().isVisible()) page->searchBar().leave();
    else if (pages_->showsStep() && !panels_->lessons().prediction().isPredicting()) panels_->steps().stop();
    else QMainWindow::keyPressEvent(event);
}

/// A lesson goes on by a page, a division by a decision.
void MainWindow::turnPresented(bool forward) {
    const bool lesson = panels_->lessons().isInLesson();
    const char* const id = lesson ? (forward ? "lesson-next" : "lesson-back") : forward ? "step-forward" : "step-back";
    if (QAction* turn = action(QLatin1String(id)); turn && turn->isEnabled()) turn->trigger();
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

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    const bool local = std::all_of(urls.begin(), urls.end(), [](const QUrl& url) { return url.isLocalFile(); });
    if (local && !urls.isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.isEmpty()) return;
    event->acceptProposedAction();
    QStringList paths;
    QStringList values;
    for (const QUrl& url : urls) (RunInputs::isFor(url.toLocalFile()) ? values : paths) << url.toLocalFile();
    if (paths.isEmpty()) run_inputs_->add(values);
    else opening_->openFiles(paths);
}

void MainWindow::updateRecentFiles() {
    if (welcome_) welcome_->setRecentFiles(settings_.recent_files);
    commands_->fill(QStringLiteral("recent"));
    commands_->update(QStringLiteral("recent"));
}

}  // namespace partita
