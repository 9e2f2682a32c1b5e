#include "app/gui/window/file_opening.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>

#include "app/gui/diff/diff_page.h"
#include "app/gui/document/open_document.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/window/dimensions_dialog.h"
#include "app/gui/window/leaving.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/place_links.h"
#include "app/gui/window/recovery_dialog.h"
#include "app/gui/window/report_files.h"
#include "app/gui/window/settings.h"
#include "app/gui/window/status_line.h"

namespace partita {

FileOpening::FileOpening(MainWindow& window, Settings& settings, StatusLine& status, Leaving& leaving)
    : QObject(&window), window_(window), document_(window.document()), settings_(settings), status_(status),
      leaving_(leaving), reports_(new ReportFiles(document_, window)) {
    connect(&document_, &Document::openFailed, this, [this](const QString& path, const QString& message) {
        when_opened_ = {};
        if (!message.isEmpty()) tellNotOpened(path, message);
    });
}

void FileOpening::rememberOpened() {
    if (!QFileInfo::exists(document_.path())) return;
    settings_.remember(document_.projectPath().isEmpty() ? document_.path() : document_.projectPath());
    keepRecentFiles();
}

void FileOpening::goOn() {
    const auto [compared, view, reports, place] = std::exchange(when_opened_, {});
    if (!document_.symbolicDimensions().empty() && !document_.dimensionsChosen()) chooseDimensions();
    if (!reports.isEmpty()) reports_->add(reports);
    if (const QString fault = go_to_place(window_, place); !fault.isEmpty()) status_.tell(fault);
    if (!compared.isEmpty()) window_.pages().compare()->openFile(DiffSideName::After, compared);
}

void FileOpening::openFile(const QString& path) { openAndCompare(path, QString()); }

void FileOpening::openFiles(const QStringList& all, const PlaceLink& place) {
    QStringList paths, reports;
    for (const QString& path : all) (ReportFiles::isFor(path) ? reports : paths) << path;
    if (paths.isEmpty() && !reports.isEmpty()) reports_->add(reports);
    if (paths.isEmpty()) return;
    openAndCompare(paths.first(), paths.size() == 2 ? paths[1] : QString(), reports, place);
    if (paths.size() <= 2) return;
    for (qsizetype i = paths.size(); i-- > 1;) settings_.remember(QFileInfo(paths[i]).absoluteFilePath());
    keepRecentFiles();
    status_.tell(tr("The other files are in File › Open recent. Two at once are compared."));
}

void FileOpening::openAndCompare(const QString& path, const QString& other, const QStringList& reports,
                                 const PlaceLink& place) {
    leaving_.leaveDocument([this, path, other, reports, place] {
        when_opened_ = {other, {}, reports, place};
        if (path == Document::sessionFile()) when_opened_.view = SessionView::load();
        document_.setDimensions(settings_.dimensions);
        document_.open(path);
        emit began();
    });
}

void FileOpening::openLink(const PlaceLink& link) {
    const QString file = file_of_link(link, settings_.recent_files);
    if (file.isEmpty()) {
        const QString name = QString::fromStdString(link.file);
        show_warning(&window_, tr("The file of the link is not here"),
                     tr("No file that was opened before is called %1. Open it once; then links to it are found.")
                         .arg(shown_name(name)));
        return;
    }
    if (!link.backends.empty()) {
        QStringList backends;
        for (const std::string& each : link.backends) backends << QString::fromStdString(each);
        window_.setBackends(backends);
    }
    if (QFileInfo(file) != QFileInfo(document_.path())) return openAndCompare(file, {}, {}, link);
    if (const QString fault = go_to_place(window_, link); !fault.isEmpty()) status_.tell(fault);
}

void FileOpening::chooseLink() {
    const QString copied = QApplication::clipboard()->text().trimmed();
    bool given = false;
    const QString text =
        QInputDialog::getText(&window_, tr("Open a link"), tr("A link that Edit › Copy link made:"), QLineEdit::Normal,
                              copied.startsWith(QLatin1String("partita:")) ? copied : QString(), &given);
    if (!given) return;
    if (const std::optional<PlaceLink> link = read_place_link(text.trimmed().toStdString())) openLink(*link);
    else show_warning(&window_, tr("This is no link"), tr("A link begins with partita: and a file's name."));
}

void FileOpening::chooseFile() {
    const QString folder =
        settings_.recent_files.isEmpty() ? QString() : QFileInfo(settings_.recent_files.first()).path();
    const QString path = QFileDialog::getOpenFileName(&window_, tr("Open a module"), folder, filter_of_modules());
    if (!path.isEmpty()) openFile(path);
}

void FileOpening::chooseDimensions() {
    if (document_.symbolicDimensions().empty()) return;
    auto* dialog = new DimensionsDialog(document_.title(), document_.symbolicDimensions(), &window_);
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
            leaving_.leaveDocument([this, file, chosen] { document_.openWithDimensions(file, chosen); });
    });
    dialog->open();
}

void FileOpening::keepRecentFiles() {
    settings_.save();
    emit recentFilesChanged();
}

/// A file that is gone can be taken from the list of those that were open; it may stand on a disk that comes back.
void FileOpening::tellNotOpened(const QString& path, const QString& message) {
    QMessageBox* box =
        show_warning(&window_, tr("%1 was not opened").arg(shown_name(QFileInfo(path).fileName())), message);
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

/// The file that a person chose to go on with; "" where a crash left nothing behind, or nothing that is wanted now.
QString FileOpening::askForRecovery() {
    const std::vector<Autosave::LeftBehind> found = Autosave::leftBehind();
    if (found.empty()) return {};
    RecoveryDialog dialog(found, &window_);
    dialog.exec();
    for (const QString& file : dialog.discarded()) Autosave::discard(file);
    return dialog.recovered();
}

bool FileOpening::offerRecovery(const QString& file) {
    const QString crashed = askForRecovery();
    if (leaving_.isEnding()) return false;
    if (!crashed.isEmpty()) document_.recover(crashed);
    else if (document_.goOnWithKept()) when_opened_.view = SessionView::load();
    else return false;
    if (file.isEmpty()) return true;
    settings_.remember(QFileInfo(file).absoluteFilePath());
    keepRecentFiles();
    show_warning(&window_, tr("%1 was not opened").arg(shown_name(QFileInfo(file).fileName())),
                 tr("What was recovered stands here. Save it, then open the file: it is among the recent ones."));
    return true;
}

}  // namespace partita
