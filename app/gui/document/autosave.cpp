#include "app/gui/document/autosave.h"

#include <algorithm>

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QUuid>

#include "engine/session/project.h"
#include "engine/support/file.h"

namespace partita {

namespace {

const QString kKept = QStringLiteral("kept-");

bool is_kept(const QString& file) { return QFileInfo(file).fileName().startsWith(kKept); }

QString without_mark(const QString& file) {
    const QFileInfo info(file);
    return is_kept(file) ? info.path() + QLatin1Char('/') + info.fileName().mid(kKept.size()) : file;
}

QString lock_of(const QString& file) { return without_mark(file) + QStringLiteral(".lock"); }

}  // namespace

Autosave::Autosave(QString folder) : folder_(folder.isEmpty() ? defaultFolder() : std::move(folder)) {}

QString Autosave::defaultFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/autosave");
}

QString Autosave::file() {
    if (!file_.isEmpty()) return file_;
    QDir().mkpath(folder_);
    const QString file =
        folder_ + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces) + QStringLiteral(".partita");
    auto lock = std::make_unique<QLockFile>(lock_of(file));
    lock->setStaleLockTime(0);
    if (!lock->tryLock(0)) return {};
    lock_ = std::move(lock);
    return file_ = file;
}

QString Autosave::keptFile() {
    const QFileInfo own(file());
    return file_.isEmpty() ? QString() : own.path() + QLatin1Char('/') + kKept + own.fileName();
}

bool Autosave::holdsWork() {
    return !QDir(defaultFolder()).entryList({QStringLiteral("*.partita")}, QDir::Files).isEmpty();
}

std::vector<Autosave::LeftBehind> Autosave::leftBehind(const QString& folder) {
    const QDir place(folder.isEmpty() ? defaultFolder() : folder);
    std::vector<LeftBehind> found;
    for (const QFileInfo& entry : place.entryInfoList({QStringLiteral("*.partita")}, QDir::Files)) {
        const QString file = entry.absoluteFilePath();
        if (is_kept(file)) continue;
        QLockFile lock(lock_of(file));
        lock.setStaleLockTime(0);
        if (!lock.tryLock(0)) continue;  // its owner runs
        const Result<std::string> text = read_file(file.toStdString());
        if (!text) continue;
        const Result<Project> project = read_project(*text, file.toStdString());
        if (!project) continue;
        found.push_back({file, QString::fromStdString(project->module_path), QString::fromStdString(project->recovers),
                         entry.lastModified()});
    }
    std::sort(found.begin(), found.end(), [](const LeftBehind& a, const LeftBehind& b) { return a.when > b.when; });
    return found;
}

Autosave::Claimed Autosave::takeKept(const QString& folder) {
    const QDir place(folder.isEmpty() ? defaultFolder() : folder);
    for (const QFileInfo& entry : place.entryInfoList({kKept + QStringLiteral("*.partita")}, QDir::Files, QDir::Time)) {
        const QString file = entry.absoluteFilePath(), taken = without_mark(file);
        auto lock = std::make_unique<QLockFile>(lock_of(file));
        lock->setStaleLockTime(0);
        // Of several programs that start at the same time one gets it.
        if (lock->tryLock(0) && QFile::rename(file, taken)) return {taken, std::move(lock)};
    }
    return {};
}

void Autosave::discard(const QString& file, std::unique_ptr<QLockFile> lock) {
    QFile::remove(file);
    if (lock) lock->unlock();
    else QFile::remove(lock_of(file));
}

}  // namespace partita
