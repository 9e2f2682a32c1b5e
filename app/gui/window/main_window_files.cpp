// Opening, saving and printing from the window.
#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMessageBox>
#include <QMimeData>
#include <QPrintPreviewDialog>
#include <QPrinter>
#include <QPushButton>
#include <QScreen>
#include <QToolBar>

#include "app/gui/document/open_document.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/save_path.h"
#include "app/gui/window/dimensions_dialog.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/place_links.h"
#include "app/gui/window/print_graph.h"
#include "app/gui/window/recovery_dialog.h"
#include "app/gui/window/report_files.h"
#include "app/gui/window/run_inputs.h"
#include "app/gui/window/status_line.h"
#include "app/gui/window/welcome_page.h"

namespace partita {

void MainWindow::openFile(const QString& path) { openAndCompare(path, QString()); }

void MainWindow::openFiles(const QStringList& all) {
    QStringList paths, reports;
    for (const QString& path : all) (ReportFiles::isFor(path) ? reports : paths) << path;
    if (paths.isEmpty() && !reports.isEmpty()) report_files_->add(reports);
    if (paths.isEmpty()) return;
    openAndCompare(paths.first(), paths.size() == 2 ? paths[1] : QString(), reports);
    if (paths.size() <= 2) return;
    for (qsizetype i = paths.size(); i-- > 1;) settings_.remember(QFileInfo(paths[i]).absoluteFilePath());
    keepRecentFiles();
    status_->tell(tr("The other files are in File › Open recent. Two at once are compared."));
}

void MainWindow::openAndCompare(const QString& path, const QString& other, const QStringList& reports,
                                const PlaceLink& place) {
    leaving_->leaveDocument([this, path, other, reports, place] {
        when_opened_ = {other, {}, reports, place};
        if (path == Document::sessionFile()) when_opened_.view = SessionView::load();
        document_.setDimensions(settings_.dimensions);
        document_.open(path);
        showCentre();
    });
}

void MainWindow::openLink(const PlaceLink& link) {
    const QString file = file_of_link(link, settings_.recent_files);
    if (file.isEmpty()) {
        const QString name = QString::fromStdString(link.file);
        tell(tr("The file of the link is not here"),
             tr("No file that was opened before is called %1. Open it once; then links to it are found.")
                 .arg(shown_name(name)));
        return;
    }
    if (!link.backends.empty()) {
        QStringList backends;
        for (const std::string& each : link.backends) backends << QString::fromStdString(each);
        setBackends(backends);
    }
    if (QFileInfo(file) != QFileInfo(document_.path())) return openAndCompare(file, {}, {}, link);
    if (const QString fault = go_to_place(*this, link); !fault.isEmpty()) status_->tell(fault);
}

void MainWindow::chooseLink() {
    const QString copied = QApplication::clipboard()->text().trimmed();
    bool given = false;
    const QString text =
        QInputDialog::getText(this, tr("Open a link"), tr("A link that Edit › Copy link made:"), QLineEdit::Normal,
                              copied.startsWith(QLatin1String("partita:")) ? copied : QString(), &given);
    if (!given) return;
    if (const std::optional<PlaceLink> link = read_place_link(text.trimmed().toStdString())) openLink(*link);
    else tell(tr("This is no link"), tr("A link begins with partita: and a file's name."));
}

void MainWindow::chooseFile() {
    const QString folder =
        settings_.recent_files.isEmpty() ? QString() : QFileInfo(settings_.recent_files.first()).path();
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a module"), folder, filter_of_modules());
    if (!path.isEmpty()) openFile(path);
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
    else openFiles(paths);
}

void MainWindow::chooseDimensions() {
    if (document_.symbolicDimensions().empty()) return;
    auto* dialog = new DimensionsDialog(document_.title(), document_.symbolicDimensions(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const QString model = QFileInfo(document_.path()).absoluteFilePath();
    const QString file = document_.projectPath().isEmpty() ? document_.path() : document_.projectPath();
    const Dimensions taken = free_sizes(document_.symbolicDimensions());
    connect(dialog, &QDialog::finished, this, [=, this](int result) {
        // Whoever keeps the values as they are is not asked again either.
        const Dimensions chosen = result == QDialog::Accepted ? dialog->dimensions() : taken;
        settings_.dimensions[model] = chosen;
        settings_.save();
        if (chosen != taken && document_.isOpen())
            leaving_->leaveDocument([this, file, chosen] { document_.openWithDimensions(file, chosen); });
    });
    dialog->open();
}

void MainWindow::keepRecentFiles() {
    settings_.save();
    updateRecentFiles();
}

void MainWindow::updateRecentFiles() {
    if (welcome_) welcome_->setRecentFiles(settings_.recent_files);
    commands_->fill(QStringLiteral("recent"));
    commands_->update(QStringLiteral("recent"));
}

/// A file that is gone can be taken from the list of those that were open; it may stand on a disk that comes back.
void MainWindow::tellNotOpened(const QString& path, const QString& message) {
    QMessageBox* box = show_warning(this, tr("%1 was not opened").arg(shown_name(QFileInfo(path).fileName())), message);
    const QString known = QFileInfo(path).absoluteFilePath();
    if (QFileInfo::exists(path) || !settings_.recent_files.contains(known)) return;
    box->setObjectName(QStringLiteral("file-gone"));
    QPushButton* forget = box->addButton(tr("Take it from the list"), QMessageBox::ActionRole);
    forget->setToolTip(tr("The list of recent files offers it no more"));
    connect(forget, &QPushButton::clicked, this, [this, known] {
        settings_.recent_files.removeAll(known);
        keepRecentFiles();
    });
}

bool MainWindow::save() {
    if (document_.projectPath().isEmpty()) return saveAs();
    document_.saveProject(document_.projectPath());
    return true;
}

bool MainWindow::saveAs() {
    if (!document_.isOpen()) return false;
    const QFileInfo file(document_.path());
    const QString path = ask_where_to_save(this, tr("Save the project"),
                                           file.dir().filePath(file.completeBaseName() + QStringLiteral(".partita")),
                                           tr("Projects (*.partita)"), QStringLiteral(".partita"), Ending::Always);
    if (path.isEmpty()) return false;
    document_.saveProject(path);
    return true;
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
    if (leaving_->isEnding()) return false;
    if (!crashed.isEmpty()) document_.recover(crashed);
    else if (document_.goOnWithKept()) when_opened_.view = SessionView::load();
    else return false;
    if (file.isEmpty()) return true;
    settings_.remember(QFileInfo(file).absoluteFilePath());
    keepRecentFiles();
    tell(tr("%1 was not opened").arg(shown_name(QFileInfo(file).fileName())),
         tr("What was recovered stands here. Save it, then open the file: it is among the recent ones."));
    return true;
}

/// Makes Qt's preview as wide as its buttons, of which the last one prints; where the screen is too narrow, that one
/// comes first.
static void show_all_buttons(QPrintPreviewDialog& preview) {
    auto* buttons = preview.findChild<QToolBar*>();
    const QSize room = preview.screen()->availableSize() * 0.95;
    const int wanted = buttons ? buttons->sizeHint().width() + 40 : 0;
    preview.resize(QSize(std::max(900, wanted), 700).boundedTo(room));
    if (!buttons || wanted <= room.width() || buttons->actions().isEmpty()) return;
    buttons->insertAction(buttons->actions().first(), buttons->actions().last());
}

Theme MainWindow::paperTheme() const {
    Theme paper = make_theme(false, settings_.palette);
    paper.backend_slots = theme_.backend_slots;
    paper.canvas = Qt::white;
    return paper;
}

std::optional<GraphPaper> MainWindow::shownPaper() {
    GraphPage* page = currentPage();
    if (!page || !page->view().hasGraph()) return std::nullopt;
    return page->view().paper(paperTheme(), shown_name(document_.title()));
}

void MainWindow::printGraph() {
    GraphPage* page = currentPage();
    if (!page || !page->view().hasGraph()) return;
    QPrinter printer(QPrinter::HighResolution);
    const QRectF bounds = page->view().geometry().bounds;
    printer.setPageOrientation(bounds.width() > bounds.height() ? QPageLayout::Landscape : QPageLayout::Portrait);
    printer.setDocName(document_.title());
    QPrintPreviewDialog preview(&printer, this);
    connect(&preview, &QPrintPreviewDialog::paintRequested, this, [this, page](QPrinter* to) {
        print_graph(*to, page->view().paper(paperTheme(), shown_name(document_.title())));
    });
    show_all_buttons(preview);
    preview.exec();
}

}  // namespace partita
