// The files of the chosen descriptions: their texts as they were last read or written here, and a watch over what other
// programs make of them.
#pragma once

#include <map>
#include <optional>
#include <set>

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include "engine/support/diagnostic.h"

namespace partita {

class DescriptionFiles : public QObject {
    Q_OBJECT

public:
    explicit DescriptionFiles(QObject* parent);
    /// Watches these files and forgets all others. A file that is new here is known as it is on disk.
    void follow(const QStringList& files);
    /// Returns the text on disk, with line ends as an editor shows them; nothing where the file can't be read.
    static std::optional<QString> read(const QString& file);
    /// Writes a text with the line ends that the file has, or had when it was first read; a new file gets those of
    /// `before`.
    Status write(const QString& file, const QString& text, const QString& before);
    /// Returns the text that was last read or written here; "" where there was none.
    QString known(const QString& file) const;
    void setKnown(const QString& file, const QString& text);
    /// Returns whether somebody else changed or removed the file since then.
    bool changed(const QString& file) const;

signals:
    /// One of the files may have changed.
    void touched();

private:
    void noteLineEnds(const QString& file);

    std::map<QString, QString> known_;
    std::set<QString> two_characters_;  ///< files whose lines end with CR and LF
    QFileSystemWatcher watcher_;
    QTimer later_{this};  ///< writers write in several steps
};

}  // namespace partita
