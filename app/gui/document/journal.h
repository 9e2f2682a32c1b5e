// Keeps what is not saved, for a crash and for the next start: when the file of the autosave journal is written and
// when it is taken away.
#pragma once

#include <functional>
#include <memory>

#include <QObject>
#include <QString>

#include "app/gui/document/autosave.h"
#include "engine/support/diagnostic.h"

namespace partita {

class JobRunner;
class WriteOrder;

class Journal : public QObject {
    Q_OBJECT

public:
    explicit Journal(JobRunner& jobs);

    /// Prepares the write of what is open into a file; what it returns writes, on any thread.
    using PrepareWrite = std::function<std::function<Status()>(const QString& file)>;
    /// The order of all that the program writes.
    const std::shared_ptr<WriteOrder>& order() const { return order_; }
    /// Another document is open; it came from `file` of the journal ("": from elsewhere), which stays until what it
    /// holds is kept under this process's name, or saved.
    void begin(const QString& file);
    /// Writes the journal on a worker.
    void keep(const PrepareWrite& prepare);
    /// All is saved: takes away what a crash left.
    void discardRecovered();
    /// Takes the journal's file away, on a worker.
    void clear();
    /// Takes this process's files away, for good: before the program ends as it should.
    void forget();
    /// Keeps work for the next start, at once. Where it can't be written, what a crash would leave stays.
    void keepForNextStart(const PrepareWrite& prepare);
    /// The program goes on: what was kept for the next start goes, and a fault of the last write is told.
    void goOn();
    /// Claims what was kept for this start; "" where there is nothing.
    QString claimKept();

signals:
    /// The journal can't be written, so that a crash would lose what is unsaved. Said once.
    void notKept(const QString& message);

private:
    struct State;
    void removeAutosave();
    void forgetKept();
    void tellFault(const QString& message);

    JobRunner& jobs_;
    Autosave autosave_;
    std::shared_ptr<WriteOrder> order_;
    std::shared_ptr<State> state_;  ///< a worker may outlive the document
    bool fault_told_ = false;
    bool kept_ = false;  ///< for the next start
};

}  // namespace partita
