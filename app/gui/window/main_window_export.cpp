// Writing what the window shows: which file or folder, and the work on a worker.
#include <QAbstractButton>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>
#include <QTimer>

#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/window/main_window.h"
#include "engine/runtime/machine.h"
#include "engine/session/export.h"

namespace partita {

namespace {

/// Chooses a folder that may not exist yet: Qt's own dialog refuses such names.
class FolderDialog : public QFileDialog {
public:
    FolderDialog(QWidget* parent, const QString& title, const QString& folder) : QFileDialog(parent, title, folder) {
        setOption(QFileDialog::DontUseNativeDialog);
        setFileMode(QFileDialog::Directory);
        setLabelText(QFileDialog::Accept, MainWindow::tr("Write"));
        setLabelText(QFileDialog::FileName, MainWindow::tr("Folder:"));
        // Qt's own slots run first and switch the button off for a folder that is not there yet.
        auto* name = findChild<QLineEdit*>();
        auto* buttons = findChild<QDialogButtonBox*>();
        const auto allow = [name, buttons] {
            for (QAbstractButton* button : buttons->buttons())
                if (buttons->buttonRole(button) == QDialogButtonBox::AcceptRole)
                    button->setEnabled(!name->text().trimmed().isEmpty());
        };
        connect(name, &QLineEdit::textChanged, this, allow, Qt::QueuedConnection);
        connect(this, &QFileDialog::directoryEntered, this, allow, Qt::QueuedConnection);
        connect(this, &QFileDialog::currentChanged, this, allow, Qt::QueuedConnection);
    }

protected:
    void accept() override {
        const QFileInfo chosen(selectedFiles().value(0));
        if (chosen.exists() || !QFileInfo(chosen.path()).isDir()) return QFileDialog::accept();
        QDialog::accept();  // NOLINT(bugprone-parent-virtual-call): QFileDialog's refuses what is not there yet
    }
};

/// A form in the reader's words; one that is not named here speaks for itself.
QString words_of(const ExportForm& form) {
    const std::pair<const char*, QString> all[] = {
        {"relay", MainWindow::tr("Relay text, as TVM 0.9 reads it")},
        {"json", MainWindow::tr("Module as JSON")},
        {"onnx", MainWindow::tr("ONNX model, each region a function")},
        {"dot", MainWindow::tr("Picture for Graphviz")},
        {"svg", MainWindow::tr("Picture, scalable")},
        {"png", MainWindow::tr("Picture in pixels")},
        {"pdf", MainWindow::tr("Picture for print")},
        {"report", MainWindow::tr("Report: page with picture and tables")},
        {"markdown", MainWindow::tr("Report: tables as Markdown, picture beside it")},
    };
    for (const auto& [name, words] : all)
        if (form.name == name) return words;
    return QString::fromUtf8(form.summary.data(), qsizetype(form.summary.size()));
}

}  // namespace

void MainWindow::chooseExport() {
    if (!document_.isOpen()) return;
    QStringList filters, usual_endings;
    for (const ExportForm& form : export_forms()) {
        if (!form.write) continue;  // a folder: chosen in chooseCExport, chooseOnnxExport
        usual_endings << QString::fromUtf8(form.endings.front().data(), qsizetype(form.endings.front().size()));
        QStringList endings;
        for (std::string_view ending : form.endings)
            endings << QLatin1Char('*') + QString::fromUtf8(ending.data(), qsizetype(ending.size()));
        filters << QStringLiteral("%1 (%2)").arg(words_of(form), endings.join(QLatin1Char(' ')));
    }
    const QFileInfo file(document_.path());
    const QString name = file.completeBaseName() + (document_.partitioned() ? QStringLiteral(".partitioned.relay")
                                                                            : QStringLiteral(".out.relay"));
    QFileDialog dialog(this, tr("Export"), file.dir().path());
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setNameFilters(filters);
    dialog.setDefaultSuffix(usual_endings.front());
    dialog.selectFile(name);
    // The name's ending says what is written: it follows the chosen form.
    connect(&dialog, &QFileDialog::filterSelected, &dialog, [&](const QString& filter) {
        const QString ending = usual_endings.value(std::max<qsizetype>(filters.indexOf(filter), 0));
        dialog.setDefaultSuffix(ending);
        const QFileInfo now(dialog.selectedFiles().value(0, name));
        dialog.selectFile(now.dir().filePath(now.completeBaseName() + ending));
    });
    if (dialog.exec() == QDialog::Accepted) exportTo(dialog.selectedFiles().value(0));
}

/// A folder that may not exist yet; "" where none was chosen, or where it has something in it and shall stay as it is.
QString MainWindow::chooseFolder(const QString& title, const QString& ending) {
    const QFileInfo file(document_.path());
    FolderDialog dialog(this, title, file.dir().path());
    dialog.selectFile(file.completeBaseName() + ending);
    if (dialog.exec() != QDialog::Accepted) return {};
    QString path = dialog.selectedFiles().value(0);
    if (!QFileInfo::exists(path) || QDir(path).isEmpty()) return path;
    const auto answer = QMessageBox::question(
        this, title,
        as_plain(tr("%1 is not empty. Files of the same names are replaced; others stay.").arg(shown_name(path))),
        QMessageBox::Yes | QMessageBox::Cancel);
    return answer == QMessageBox::Yes ? path : QString();
}

void MainWindow::chooseCExport() {
    if (!document_.isOpen()) return;
    const QString path = chooseFolder(tr("Folder for the C sources"), QStringLiteral("-c"));
    if (!path.isEmpty()) exportTo(path, QStringLiteral("c"));
}

void MainWindow::chooseReport() {
    if (!document_.isOpen()) return;
    const QFileInfo file(document_.path());
    QString path = QFileDialog::getSaveFileName(
        this, tr("Export a report"), file.dir().filePath(file.completeBaseName() + QStringLiteral(".report.html")),
        tr("Pages (*.html);;Markdown with pictures beside it (*.md)"));
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".html");
    exportTo(path);
}

void MainWindow::chooseOnnxExport() {
    if (!document_.isOpen()) return;
    const QString path = chooseFolder(tr("Folder for the ONNX models"), QStringLiteral("-onnx"));
    if (!path.isEmpty()) exportTo(path, QStringLiteral("onnx-split"));
}

/// `again` is the command with which another place can be chosen.
void MainWindow::tellNotWritten(const QString& path, const QString& message, const QString& again) {
    QMessageBox* box = show_warning(
        this, tr("%1 was not written").arg(shown_name(QFileInfo(path).fileName())),
        tr("%1\n\nNothing is lost: all of it is still open here. Make room, or choose another place.").arg(message));
    QPushButton* elsewhere = box->addButton(tr("Another place…"), QMessageBox::ActionRole);
    elsewhere->setObjectName(QStringLiteral("elsewhere"));
    connect(elsewhere, &QPushButton::clicked, this,
            [this, again] { QTimer::singleShot(0, action(again), &QAction::trigger); });
}

void MainWindow::exportTo(const QString& path, const QString& form) {
    if (!document_.isOpen()) return;
    std::vector<BackendDescription> backends;
    for (const BackendPtr& backend : document_.choice().backends) backends.push_back(*backend);
    std::shared_ptr<const RunReport> run;
    if (document_.runOutcome() && document_.runOutcome()->revision == document_.revision())
        run = {document_.runOutcome(), &document_.runOutcome()->report};
    const ExportForm* chosen =
        form.isEmpty() ? export_form_of_file(path.toStdString()) : find_export_form(form.toStdString());
    const QString again = QStringLiteral("export%1")
                              .arg(form == QLatin1String("c")            ? QLatin1String("-c")
                                   : form == QLatin1String("onnx-split") ? QLatin1String("-onnx")
                                                                         : QLatin1String(""));
    const bool is_report = chosen && (chosen->name == "report" || chosen->name == "markdown");
    std::optional<MachineLimits> known_machine = timing_->machine();
    FlowPtr flow = document_.flow();
    if (flow && !document_.choice().partition) {
        // The engine writes the last stage: what was not asked for is left out.
        auto until = std::make_shared<FlowResult>(*flow);
        until->partitioned = nullptr;
        flow = until;
    }
    jobs_.start<Status>(
        tr("Exporting %1").arg(QFileInfo(path).fileName()), this,
        [=, module = document_.shownModule(), title = document_.title().toStdString(),
         target = path.toStdString()](const JobContext& context) {
            std::optional<MachineLimits> machine = known_machine;
            if (is_report && run && !machine) machine = measure_machine(run->threads, context.cancel);
            ExportSubject subject =
                flow ? export_subject(*flow, backends, title, run.get(), machine ? &*machine : nullptr)
                     : export_subject(module, title, run.get(), machine ? &*machine : nullptr);
            subject.cancel = context.cancel;
            return export_to_file(subject, target, chosen);
        },
        [this, path, again](Status status) {
            if (!status) {
                const QString message = QString::fromStdString(status.error().to_string());
                tellNotWritten(path, message, again);
                emit exportFailed(message);
                return;
            }
            tellBriefly(tr("%1 was written.").arg(path));
            emit exported(path);
        });
}

}  // namespace partita
