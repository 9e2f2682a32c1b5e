#include "app/gui/panels/rules/description_files.h"

#include <QFileInfo>

#include "engine/support/file.h"

namespace partita {

namespace {

constexpr int kSettleMilliseconds = 350;

}  // namespace

DescriptionFiles::DescriptionFiles(QObject* parent) : QObject(parent) {
    later_.setSingleShot(true);
    later_.setInterval(kSettleMilliseconds);
    connect(&later_, &QTimer::timeout, this, &DescriptionFiles::touched);
    const auto soon = [this] { later_.start(); };
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, soon);
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, soon);
}

void DescriptionFiles::follow(const QStringList& files) {
    std::erase_if(known_, [&](const auto& entry) { return !files.contains(entry.first); });
    QStringList watched;
    for (const QString& file : files) {
        if (!known_.contains(file)) {
            known_[file] = read(file).value_or(QString());
            noteLineEnds(file);
        }
        if (QFileInfo::exists(file)) watched << file;
        // Many programs write another file and give it the name: then the old one vanishes from the watch.
        if (const QString folder = QFileInfo(file).absolutePath(); QFileInfo::exists(folder)) watched << folder;
    }
    watched.removeDuplicates();
    const QStringList before = watcher_.files() + watcher_.directories();
    for (const QString& path : before)
        if (!watched.contains(path)) watcher_.removePath(path);
    for (const QString& path : watched)
        if (!before.contains(path)) watcher_.addPath(path);
}

std::optional<QString> DescriptionFiles::read(const QString& file) {
    const Result<std::string> text = read_file(file.toStdString());
    if (!text) return {};
    return QString::fromStdString(*text).replace(QLatin1String("\r\n"), QLatin1String("\n"));
}

/// What can't be read leaves what was noted before. A file of both kinds counts as its first line does.
void DescriptionFiles::noteLineEnds(const QString& file) {
    const Result<std::string> text = read_file(file.toStdString());
    const size_t end = text ? text->find('\n') : std::string::npos;
    if (end == std::string::npos) return;
    if (end > 0 && (*text)[end - 1] == '\r') two_characters_.insert(file);
    else two_characters_.erase(file);
}

Status DescriptionFiles::write(const QString& file, const QString& text, const QString& before) {
    noteLineEnds(file);
    if (!QFileInfo::exists(file) && two_characters_.contains(before)) two_characters_.insert(file);
    QString written = text;
    if (two_characters_.contains(file)) written.replace(QLatin1String("\n"), QLatin1String("\r\n"));
    if (Status done = write_file(file.toStdString(), written.toStdString()); !done) return done;
    setKnown(file, text);
    return Nothing();
}

QString DescriptionFiles::known(const QString& file) const {
    const auto found = known_.find(file);
    return found == known_.end() ? QString() : found->second;
}

void DescriptionFiles::setKnown(const QString& file, const QString& text) { known_[file] = text; }

bool DescriptionFiles::changed(const QString& file) const { return read(file).value_or(QString()) != known(file); }

}  // namespace partita
