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
#include <QMessageBox>
#include <QMimeData>
#include <QProgressBar>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QThread>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>

#include "app/gui/diff/diff_page.h"
#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/lessons/lessons_panel.h"
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
#include "app/gui/window/dock_title.h"
#include "app/gui/window/file_watch.h"
#include "app/gui/window/missing_backends.h"
#include "app/gui/window/recovery_dialog.h"
#include "app/gui/window/welcome_page.h"

namespace partita {

namespace {

constexpr QSize kWindowFrame(4, 40);  ///< what the desktop draws round a window, about

/// How much larger type is in a presentation: for the last row.
constexpr double kPresentedType = 1.6;
constexpr int kToldFor = 12000;  ///< milliseconds

}  // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), settings_(Settings::load()), document_(jobs_),
      base_point_size_(QApplication::font().pointSizeF()) {
    setAcceptDrops(true);
    qApp->installEventFilter(new PlainToolTips(this));
    setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
    setDockNestingEnabled(true);
    resize(QSize(1320, 860).boundedTo(screen()->availableSize() - kWindowFrame));
    buildCentre();
    buildPanels();
    buildStatusBar();
    buildActions();
    connectDocument();
    settings_.applyCompiler();
    applyTheme();
    sizePanels();
    setBackends(settings_.backends);
    welcome_->setRecentFiles(settings_.recent_files);
    updateRecentFiles();
    updateActions();
    updateTitle();
    const QSettings store;
    restoreGeometry(store.value(QStringLiteral("window/geometry")).toByteArray());
    panels_restored_ = restoreState(store.value(QStringLiteral("window/state")).toByteArray());
    // The desktop's session ends: nobody may be asked now, and the windows are closed next.
    connect(qApp, &QGuiApplication::commitDataRequest, this, &MainWindow::keepForNextStart, Qt::DirectConnection);
    file_watch_ = new FileWatch(
        document_, *this);  // now: its bar is not to come back from another day, about a file that is not open
    missing_backends_ = new MissingBackends(document_, *this);
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

void MainWindow::startWithSize(const QSize& size) {
    resize(size);
    if (!panels_restored_) sizePanels();  // they were given their widths for another size
}

/// In the status bar, shortened to its room.
void MainWindow::tellBriefly(const QString& sentence) {
    told_ = shown_name(sentence);
    told_in_room_ = toldInRoom();
    statusBar()->showMessage(told_in_room_, kToldFor);
}

/// What stands beside a sentence comes and goes, and the window changes its width while it is read.
void MainWindow::fitToldToRoom() {
    if (told_in_room_.isEmpty() || statusBar()->currentMessage() != told_in_room_) return;
    const QString fitting = toldInRoom();
    if (fitting == told_in_room_) return;
    told_in_room_ = fitting;
    statusBar()->showMessage(fitting, kToldFor);
}

QString MainWindow::toldInRoom() const {
    int taken = counts_->sizeHint().width() + 40;
    for (const QWidget* widget : std::initializer_list<QWidget*>{job_text_, job_progress_, job_cancel_})
        if (widget->isVisible()) taken += widget->sizeHint().width() + 8;
    const int room = std::max(statusBar()->width() - taken, 200);
    return statusBar()->fontMetrics().elidedText(told_, Qt::ElideRight, room);
}

void MainWindow::tell(const QString& title, const QString& message) { show_warning(this, title, message); }

void MainWindow::openFile(const QString& path) { openAndCompare(path, QString()); }

void MainWindow::openFiles(const QStringList& paths) {
    if (paths.isEmpty()) return;
    openAndCompare(paths.first(), paths.size() == 2 ? paths[1] : QString());
    if (paths.size() <= 2) return;
    for (qsizetype i = paths.size(); i-- > 1;) settings_.remember(QFileInfo(paths[i]).absoluteFilePath());
    settings_.save();
    updateRecentFiles();
    tellBriefly(tr("The other files are in File › Open recent. Two at once are compared."));
}

void MainWindow::openAndCompare(const QString& path, const QString& other) {
    leaveDocument([this, path, other] {
        compared_when_opened_ = other;
        if (path == Document::sessionFile()) view_when_opened_ = SessionView::load();
        else view_when_opened_.reset();
        document_.setDimensions(settings_.dimensions);
        document_.open(path);
    });
}

/// Passes that were switched on are soon made again; what a person placed or edited is not.
bool MainWindow::hasWorkToSave() const {
    if (!document_.isUnsaved() || lessons_->isInLesson()) return false;
    return !document_.projectPath().isEmpty() || document_.hasHandwork();
}

bool MainWindow::hasWorkToSaveAtTheEnd() const {
    return hasWorkToSave() || (document_.isUnsaved() && !lessons_->isInLesson() && rules_->hasUnsavedRules());
}

void MainWindow::leaveDocument(std::function<void()> go_on) {
    if (!hasWorkToSave()) return go_on();
    askToSave(std::move(go_on));
}

void MainWindow::askToSave(std::function<void()> go_on) {
    const bool asked = go_on_ != nullptr;
    go_on_ = std::move(go_on);  // of several that wait for one answer, the last one asked for
    if (asked) return;
    auto* box = new QMessageBox(QMessageBox::Question, tr("Save the project?"),
                                as_plain(tr("%1 has changes that were not saved.").arg(shown_name(document_.title()))),
                                QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("leave-document"));
    box->setDefaultButton(QMessageBox::Save);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(box, &QMessageBox::finished, this, [this](int answer) {
        const std::function<void()> go_on = std::exchange(go_on_, nullptr);
        if (answer == QMessageBox::Discard) return go_on();
        if (answer == QMessageBox::Save && save()) when_saved_ = go_on;
    });
    box->open();
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
        if (chosen != taken && document_.isOpen())
            leaveDocument([this, file, chosen] { document_.openWithDimensions(file, chosen); });
    });
    dialog->open();
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
    settings_ = settings;
    if (other_theme) settings_.theme_of_this_start.reset();
    if (!document_.isRunning()) settings_.applyCompiler();
    if (remembered && !settings_.save())
        tellBriefly(tr("The settings hold until you leave: %1 can't be written.").arg(QSettings().fileName()));
    if (theme_changed) applyTheme();
    for (int i = 0; i < pages_->count(); ++i)
        if (auto* page = qobject_cast<GraphPage*>(pages_->widget(i))) page->setCanvasOptions(settings_.canvas);
}

void MainWindow::applyTheme() {
    const bool system_dark = system_is_dark();
    const ThemeChoice theme = settings_.theme_of_this_start.value_or(settings_.theme);
    const bool dark = theme == ThemeChoice::Dark || (theme == ThemeChoice::System && system_dark);
    theme_ = make_theme(dark, settings_.palette);
    theme_.type_size = settings_.text_scale;
    QFont font = QApplication::font();
    font.setPointSizeF(base_point_size_ * settings_.text_scale * (before_presenting_.isEmpty() ? 1 : kPresentedType));
    QApplication::setFont(font);
    apply_theme(*qApp, theme_);
    // Before the first event the application's font does not reach a window that is there already; and the first style
    // sheet of a program gives its widgets back the fonts from before.
    setFont(font);
    const int icon = fontMetrics().height() + 4;
    for (QToolBar* bar : {tools_, palette_bar_}) bar->setIconSize(QSize(icon, icon));
    for (int i = 0; i < pages_->count(); ++i)
        if (auto* page = qobject_cast<GraphPage*>(pages_->widget(i))) page->setTheme(theme_);
    for (int i = 0; i < pages_->count(); ++i)
        if (auto* page = qobject_cast<DiffPage*>(pages_->widget(i))) page->setTheme(theme_);
    for (DockTitle* title : findChildren<DockTitle*>()) title->setTheme(theme_);
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

QString MainWindow::obstacleToAnswers() const {
    return outline_->hidesRegions() ? tr("Compare your prediction first, or end it") : QString();
}

void MainWindow::showPanel(QWidget* panel) {
    const std::vector<QWidget*> telling = panelsThatTellRegions();
    if (outline_->hidesRegions() && std::find(telling.begin(), telling.end(), panel) != telling.end()) return;
    for (QDockWidget* dock : findChildren<QDockWidget*>()) {
        if (dock->widget() != panel) continue;
        dock->show();
        dock->raise();
    }
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

/// The file that a person chose to go on with; "" where a crash left nothing behind, or nothing that is wanted now.
QString MainWindow::askForRecovery() {
    const std::vector<Autosave::LeftBehind> found = Autosave::leftBehind();
    if (found.empty()) return {};
    RecoveryDialog dialog(found, this);
    dialog.exec();
    for (const QString& file : dialog.discarded()) Autosave::discard(file);
    return dialog.recovered();
}

bool MainWindow::offerRecovery(const QString& file) {
    const QString crashed = askForRecovery();
    if (ending_) return false;
    if (!crashed.isEmpty()) document_.recover(crashed);
    else if (document_.goOnWithKept()) view_when_opened_ = SessionView::load();
    else return false;
    if (file.isEmpty()) return true;
    settings_.remember(QFileInfo(file).absoluteFilePath());
    settings_.save();
    updateRecentFiles();
    tell(tr("%1 was not opened").arg(shown_name(QFileInfo(file).fileName())),
         tr("What was recovered stands here. Save it, then open the file: it is among the recent ones."));
    return true;
}

void MainWindow::keepForNextStart() {
    ending_ = true;
    session_timer_->stop();
    keepView();
    if (keeps_) rules_->keepDraftsForNextStart();
    if (hasWorkToSaveAtTheEnd()) document_.keepForNextStart();
    else document_.forgetAutosave();
}

void MainWindow::keepNothing() {
    keeps_ = false;
    session_timer_->stop();
}

void MainWindow::end() {
    keepForNextStart();
    close();
    QApplication::exit(0);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (rules_->hasFaultyTexts() && !rules_left_ && !closing_ && !ending_) {
        event->ignore();
        return rules_->leave([this] {
            rules_left_ = true;
            close();
            rules_left_ = false;
        });
    }
    // The session keeps it, too, but the next file that is opened takes its place there.
    if (hasWorkToSaveAtTheEnd() && !closing_ && !ending_) {
        event->ignore();
        return askToSave([this] {
            closing_ = true;
            close();
        });
    }
    session_timer_->stop();
    document_.keepSession();
    keepView();
    if (!ending_) document_.forgetAutosave();
    settings_.save();
    setPresenting(false);
    QSettings store;
    store.setValue(QStringLiteral("window/geometry"), saveGeometry());
    lessons_->endPrediction();  // it hides panels for a while
    store.setValue(QStringLiteral("window/state"), saveState());
    jobs_.cancelAll();
    QMainWindow::closeEvent(event);
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
    for (const QUrl& url : urls) paths << url.toLocalFile();
    openFiles(paths);
}

}  // namespace partita
