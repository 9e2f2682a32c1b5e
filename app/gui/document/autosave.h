// The autosave journal: what a person chose and did not save, in a file of this process's own. A process that ends as
// it should takes its file away; what a crash, a kill or a power cut leaves behind is offered at the next start. A
// process that is asked to end by the system, where nobody can be asked, keeps its work under another name: the next
// start takes it.
//
// A lock file beside each tells whether its owner still runs (QLockFile: process id and name). A file is replaced as a
// whole, so that there is the state before or the one after, never a part.
#pragma once

#include <memory>
#include <vector>

#include <QDateTime>
#include <QLockFile>
#include <QString>

namespace partita {

class Autosave {
public:
    /// "" is the program's own folder.
    explicit Autosave(QString folder = {});
    Autosave(const Autosave&) = delete;
    Autosave& operator=(const Autosave&) = delete;

    static QString defaultFolder();
    /// The file to write, made sure that it is this process's own; "" where the folder can't be written.
    QString file();
    /// The file for work that the next start is to take without a question; "" where the folder can't be written.
    QString keptFile();
    /// Whether `file` was asked for.
    bool exists() const { return !file_.isEmpty(); }

    struct LeftBehind {
        QString file;
        QString module;   ///< the module's file
        QString project;  ///< the project that was open; "" if it was not saved before
        QDateTime when;
    };
    /// Whether work of any process lies in the program's own folder: it may be left behind, kept, or one that runs.
    static bool holdsWork();
    /// What processes that crashed left in a folder, the latest first.
    static std::vector<LeftBehind> leftBehind(const QString& folder = {});
    /// The file is as a crash leaves it, and another program leaves it alone while the lock is held.
    struct Claimed {
        QString file;  ///< "": there is none
        std::unique_ptr<QLockFile> lock;
    };
    /// Claims the latest work that was kept for the next start.
    static Claimed takeKept(const QString& folder = {});
    static void discard(const QString& file, std::unique_ptr<QLockFile> lock = nullptr);

private:
    QString folder_, file_;
    std::unique_ptr<QLockFile> lock_;
};

}  // namespace partita
