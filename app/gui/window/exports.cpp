#include "app/gui/window/exports.h"

#include <QAbstractButton>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

#include "app/gui/document/document.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/save_path.h"
#include "app/gui/window/picture_file.h"
#include "engine/session/export.h"
#include "engine/support/own_folder.h"

namespace partita {

namespace {

/// Chooses a folder that may not exist yet: Qt's own dialog refuses such names.
class FolderDialog : public QFileDialog {
public:
    FolderDialog(QWidget* parent, const QString& title, const QString& folder) : QFileDialog(parent, title, folder) {
        setOption(QFileDialog::DontUseNativeDialog);
        setFileMode(QFileDialog::Directory);
        setLabelText(QFileDialog::Accept, Exports::tr("Write"));
        setLabelText(QFileDialog::FileName, Exports::tr("Folder:"));
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
        {"relay", Exports::tr("Relay text, as TVM 0.9 reads it")},
        {"json", Exports::tr("Module as JSON")},
        {"onnx", Exports::tr("ONNX model, each region a function")},
        {"dot", Exports::tr("Picture for Graphviz")},
        {"svg", Exports::tr("Picture, scalable")},
        {"png", Exports::tr("Picture in pixels")},
        {"pdf", Exports::tr("Picture for print")},
        {"handout", Exports::tr("Hand-out: picture to draw regions on, and the solution")},
        {"page", Exports::tr("Page to send: graph with groups, search and reasons")},
        {"report", Exports::tr("Report: page with picture and tables")},
        {"markdown", Exports::tr("Report: tables as Markdown, picture beside it")},
    };
    for (const auto& [name, words] : all)
        if (form.name == name) return words;
    return QString::fromUtf8(form.summary.data(), qsizetype(form.summary.size()));
}

}  // namespace

void tell_not_written(QWidget& window, const QString& path, const QString& message,
                      const std::function<void()>& elsewhere) {
    QMessageBox* box = show_warning(
        &window, Exports::tr("%1 was not written").arg(shown_name(QFileInfo(path).fileName())),
        Exports::tr("%1\n\nNothing is lost: all of it is still open here. Make room, or choose another place.")
            .arg(message));
    QPushButton* other = box->addButton(Exports::tr("Another place…"), QMessageBox::ActionRole);
    other->setObjectName(QStringLiteral("elsewhere"));
    QObject::connect(other, &QPushButton::clicked, &window,
                     [&window, elsewhere] { QTimer::singleShot(0, &window, elsewhere); });
}

Exports::Exports(Document& document, std::function<std::optional<MachineLimits>()> machine, QWidget& window)
    : QObject(&window), document_(document), machine_(std::move(machine)), window_(window) {}

void Exports::choose() {
    if (!document_.isOpen()) return;
    QStringList filters, usual_endings;
    for (const ExportForm& form : export_forms()) {
        if (!form.write) continue;  // a folder: chosen in chooseC, chooseOnnx
        usual_endings << QString::fromUtf8(form.endings.front().data(), qsizetype(form.endings.front().size()));
        QStringList endings;
        for (std::string_view ending : form.endings)
            endings << QLatin1Char('*') + QString::fromUtf8(ending.data(), qsizetype(ending.size()));
        filters << QStringLiteral("%1 (%2)").arg(words_of(form), endings.join(QLatin1Char(' ')));
    }
    const QFileInfo file(document_.path());
    const QString name = file.completeBaseName() + (document_.partitioned() ? QStringLiteral(".partitioned.relay")
                                                                            : QStringLiteral(".out.relay"));
    QFileDialog dialog(&window_, tr("Export"), file.dir().path());
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
    if (dialog.exec() == QDialog::Accepted) write(dialog.selectedFiles().value(0));
}

/// Writes to a folder that may not exist yet. Where files of others would be mixed with the export's, a person is
/// asked.
void Exports::chooseFolder(const QString& title, const QString& ending, const QString& form) {
    const QFileInfo file(document_.path());
    FolderDialog dialog(&window_, title, file.dir().path());
    dialog.selectFile(file.completeBaseName() + ending);
    if (dialog.exec() != QDialog::Accepted) return;
    const QString path = dialog.selectedFiles().value(0);
    if (check_own_folder({path.toStdString()})) return write(path, form);
    const auto answer = QMessageBox::question(
        &window_, title,
        as_plain(tr("%1 has files that no export wrote. Those of the same names are replaced; others stay.")
                     .arg(shown_name(path))),
        QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel);
    if (answer == QMessageBox::Yes) write(path, form, true);
}

void Exports::chooseC() {
    if (!document_.isOpen()) return;
    chooseFolder(tr("Folder for the C sources"), QStringLiteral("-c"), QStringLiteral("c"));
}

void Exports::chooseReport() {
    if (!document_.isOpen()) return;
    const QFileInfo file(document_.path());
    const QString path = ask_where_to_save(
        &window_, tr("Export a report"), file.dir().filePath(file.completeBaseName() + QStringLiteral(".report.html")),
        tr("Pages (*.html);;Markdown with pictures beside it (*.md)"), QStringLiteral(".html"));
    if (!path.isEmpty()) write(path);
}

void Exports::chooseOnnx() {
    if (!document_.isOpen()) return;
    chooseFolder(tr("Folder for the ONNX models"), QStringLiteral("-onnx"), QStringLiteral("onnx-split"));
}

void Exports::chooseAgain(const QString& form) {
    if (form == QLatin1String("c")) chooseC();
    else if (form == QLatin1String("onnx-split")) chooseOnnx();
    else choose();
}

void Exports::write(const QString& path, const QString& form, bool force) {
    if (!document_.isOpen()) return;
    if (form.isEmpty() && paper_ && is_picture_file(path))
        if (const std::optional<GraphPaper> paper = paper_()) return writePicture(*paper, path, form);
    const std::vector<BackendDescription> backends = descriptions_of(document_.choice());
    std::shared_ptr<const RunReport> run;
    if (const RunOutcomePtr& last = document_.runOutcome(); last && last->revision == document_.revision())
        run = {last, &last->report};
    const ExportForm* chosen =
        form.isEmpty() ? export_form_of_file(path.toStdString()) : find_export_form(form.toStdString());
    const bool is_report = chosen && (chosen->name == "report" || chosen->name == "markdown");
    FlowPtr flow = document_.flow();
    if (flow && !document_.choice().partition) {
        // The engine writes the last stage: what was not asked for is left out.
        auto until = std::make_shared<FlowResult>(*flow);
        until->partitioned = nullptr;
        flow = until;
    }
    auto is_foreign = std::make_shared<bool>(false);
    document_.jobs().start<Status>(
        tr("Exporting %1").arg(QFileInfo(path).fileName()), this,
        [=, module = document_.shownModule(), title = document_.title().toStdString(), target = path.toStdString(),
         known = machine_(), marks = document_.bookmarks()](const JobContext& context) {
            std::optional<MachineLimits> machine = known;
            if (is_report && run && !machine) machine = measure_machine(run->threads, context.cancel);
            const MachineLimits* limits = machine ? &*machine : nullptr;
            ExportSubject subject = flow ? export_subject(*flow, backends, title, run.get(), limits)
                                         : export_subject(module, title, run.get(), limits);
            subject.cancel = context.cancel;
            subject.force = force;
            if (is_report) add_notes(subject, marks);
            *is_foreign = chosen && calls_unknown_to_tvm(subject, *chosen) > 0;
            return export_to_file(subject, target, chosen);
        },
        [this, path, form, is_foreign](const Status& status) { tellWritten(status, path, form, *is_foreign); });
}

/// As the canvas shows it, with its groups and attributes.
void Exports::writePicture(const GraphPaper& paper, const QString& path, const QString& form) {
    document_.jobs().start<Status>(
        tr("Exporting %1").arg(QFileInfo(path).fileName()), this,
        [paper, path, page = chosen_paper()](const JobContext&) { return write_picture(paper, path, page); },
        [this, path, form](const Status& status) { tellWritten(status, path, form); });
}

void Exports::tellWritten(const Status& status, const QString& path, const QString& form, bool is_foreign) {
    if (status) return emit written(path, is_foreign);
    const QString message = QString::fromStdString(status.error().to_string());
    tell_not_written(window_, path, message, [this, form] { chooseAgain(form); });
    emit failed(message);
}

}  // namespace partita
