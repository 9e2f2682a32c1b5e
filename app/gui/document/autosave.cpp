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

QString lock_of(const QString& file) { return file + QStringLiteral(".lock"); }

}  // namespace

Autosave::Autosave(QString folder) : folder_(folder.isEmpty() ? defaultFolder() : std::move(folder)) {}

QString Autosave::defaultFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/autosave");
}

QString Autosave::file() {
    if (!file_.isEmpty()) return file_;
    QDir().mkpath(folder_);
    const QString file = folder_ + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces) + QStringLiteral(".partita");
    auto lock = std::make_unique<QLockFile>(lock_of(file));
    lock->setStaleLockTime(0);
    if (!lock->tryLock(0)) return {};
    lock_ = std::move(lock);
    return file_ = file;
}

std::vector<Autosave::LeftBehind> Autosave::leftBehind(const QString& folder) {
    const QDir place(folder.isEmpty() ? defaultFolder() : folder);
    std::vector<LeftBehind> found;
    for (const QFileInfo& entry : place.entryInfoList({QStringLiteral("*.partita")}, QDir::Files)) {
        const QString file = entry.absoluteFilePath();
        QLockFile lock(lock_of(file));
        lock.setStaleLockTime(0);
        if (!lock.tryLock(0)) continue;  // its owner runs
        const Result<std::string> text = read_file(file.toStdString());
        if (!text) continue;
        const Result<Project> project = read_project(*text, file.toStdString());
        if (!project) continue;
        found.push_back({file, QString::fromStdString(project->module_path), QString::fromStdString(project->recovers), entry.lastModified()});
    }
    std::sort(found.begin(), found.end(), [](const LeftBehind& a, const LeftBehind& b) { return a.when > b.when; });
    return found;
}

void Autosave::discard(const QString& file) {
    QFile::remove(file);
    QFile::remove(lock_of(file));
}

}  // namespace partita
