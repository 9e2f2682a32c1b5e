// Notices that the opened file was changed by somebody else, and offers to read it again. Reading again is one undo
// step, and what was chosen stays with the operators that are still there.
#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QMainWindow>
#include <QTimer>

#include "app/gui/document/document.h"

class QAction;
class QLabel;
class QToolBar;

namespace partita {

class FileWatch : public QObject {
    Q_OBJECT

public:
    FileWatch(Document& document, QMainWindow& window);
    /// Whether the offer is on the screen.
    bool offers() const;
    /// Nothing is offered until it is let go again: then what changed meanwhile.
    void hold(bool held);

public slots:
    void reload();
    void ignore();

private:
    struct Stamp {
        qint64 size = -1;
        QDateTime changed;
        bool operator==(const Stamp&) const = default;
    };
    static Stamp stampOf(const QString& path);
    void watch();
    void look();

    Document& document_;
    QFileSystemWatcher watcher_;
    QTimer later_{this};  ///< writers write in several steps
    Stamp known_;
    bool held_ = false;
    QToolBar* bar_;
    QLabel* text_;
    QAction* read_;
};

}  // namespace partita
