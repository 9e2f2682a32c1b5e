// The document's choices as a project: saved, kept for a crash, for the next start, and as the session.
#include <utility>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

#include "app/gui/document/document.h"
#include "app/gui/document/write_order.h"
#include "engine/session/project.h"

namespace partita {

/// Returns what writes a project's file on a worker.
std::function<Status()> Document::projectWriter(const QString& path, bool recovers) {
    // The names are of the shown module; with simplification chosen and not made yet, that is another one.
    NamedModulePtr known = named();
    const ModulePtr base = open_.content.base();
    if (known->module != base) known = nullptr;
    const bool holds_module = isEdited() || !QFileInfo::exists(this->path());
    const std::string recovered = recovers && !projectPath().isEmpty()
                                      ? QFileInfo(projectPath()).absoluteFilePath().toStdString()
                                      : std::string();
    return [=, choice = choice(), marks = bookmarks(), runs = runHistory(), inputs = inputs(),
            digest = open_.content.digest, unknown = open_.file.unknown, dimensions = free_sizes(symbolicDimensions()),
            order = journal_.order(), place = journal_.order()->next(),
            file = QFileInfo(path).absoluteFilePath().toStdString(),
            module_file = QFileInfo(this->path()).absoluteFilePath().toStdString()]() -> Status {
        const auto write = [&](Project project) {
            project.runs = runs;
            project.inputs = inputs;
            project.unknown = unknown;
            project.recovers = recovered;
            return order->write(place, file, write_project(project, file));
        };
        if (holds_module) {
            Result<Project> project = project_with_module(choice, module_file, *base, marks);
            return project ? write(std::move(*project)) : Status(project.error());
        }
        const NamedModulePtr named = known ? known : std::make_shared<NamedModule>(base);
        Project project = project_of(choice, module_file, named->names);
        project.bookmarks = marks;
        project.module_digest = digest;
        project.dimensions = dimensions;
        return write(std::move(project));
    };
}

void Document::saveProject(const QString& path) {
    if (!isOpen()) return;
    running_.save = jobs_.start<Status>(
        tr("Saving %1").arg(QFileInfo(path).fileName()), this,
        [write = projectWriter(path)](const JobContext&) { return write(); },
        [this, path, revision = revision_, step = undo_stack_.index(), marks = bookmarks(),
         inputs = inputs()](Status written) {
            if (!written) {
                emit projectNotSaved(path, QString::fromStdString(written.error().to_string()));
                return;
            }
            open_.file.project_path = path;
            if (revision == revision_ && step == undo_stack_.index()) {
                open_.file.unsaved = false;
                open_.file.saved_bookmarks = marks;
                open_.file.saved_inputs = inputs;
                undo_stack_.setClean();
            }
            autosave();
            emit projectSaved(path);
        });
}

QString Document::sessionFile() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/session.partita");
}

QString Document::sessionTitle() {
    constexpr qint64 kLongest = 1 << 20;  // read at each start
    QFile file(sessionFile());
    if (file.size() > kLongest || !file.open(QIODevice::ReadOnly)) return {};
    const QString module = QJsonDocument::fromJson(file.readAll()).object().value(QLatin1String("module")).toString();
    return QFileInfo(module).fileName();
}

void Document::keepSession() {
    if (!isOpen() || !open_.file.on_disk) return;
    QDir().mkpath(QFileInfo(sessionFile()).path());
    // A help, not a promise: a full disk must not stop the work.
    jobs_.startQuietly([write = projectWriter(sessionFile())] { (void)write(); });
}

Journal::PrepareWrite Document::journalWriter() {
    return [this](const QString& file) { return projectWriter(file, true); };
}

void Document::autosave() {
    journal_.goOn();
    if (!isUnsaved()) journal_.discardRecovered();
    if (isUnsaved() && open_.file.on_disk) journal_.keep(journalWriter());
    else journal_.clear();
}

void Document::keepForNextStart() {
    if (isUnsaved() && open_.file.on_disk) journal_.keepForNextStart(journalWriter());
}

bool Document::goOnWithKept() {
    const QString file = journal_.claimKept();
    if (!file.isEmpty()) recover(file);
    return !file.isEmpty();
}

}  // namespace partita
