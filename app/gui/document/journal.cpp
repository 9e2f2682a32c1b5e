#include "app/gui/document/journal.h"

#include <mutex>
#include <new>
#include <utility>

#include "app/gui/document/write_order.h"
#include "app/gui/jobs/job_runner.h"
#include "engine/ir/tensor.h"

namespace partita {

struct Journal::State {
    std::mutex lock;
    std::string fault;  ///< of the last write that failed, until it is told
    QString recovered;  ///< the file that a crash left behind, until what it holds is kept under this process's name
    std::unique_ptr<QLockFile> recovered_lock;  ///< where it was kept for this start

    QString recoveredFile() {
        const std::lock_guard<std::mutex> hold(lock);
        return recovered;
    }

    void discardRecovered() {
        QString file;
        std::unique_ptr<QLockFile> claimed;
        {
            const std::lock_guard<std::mutex> hold(lock);
            if (recovered.isEmpty()) return;
            file.swap(recovered);
            claimed.swap(recovered_lock);
        }
        Autosave::discard(file, std::move(claimed));
    }

    /// Notes what became of a write that was begun when `recovered_then` was the file that a crash left.
    void finishWrite(const Status& written, const QString& recovered_then) {
        bool kept = false;
        {
            const std::lock_guard<std::mutex> hold(lock);
            if (!written) fault = written.error().message;
            // An earlier document's write knows nothing of this one's.
            kept = written && recovered == recovered_then;
        }
        // Only now: another crash before would have lost it.
        if (kept) discardRecovered();
    }
};

Journal::Journal(JobRunner& jobs)
    : jobs_(jobs), order_(std::make_shared<WriteOrder>()), state_(std::make_shared<State>()) {}

void Journal::begin(const QString& file) {
    const std::lock_guard<std::mutex> hold(state_->lock);
    state_->recovered = file;
}

void Journal::keep(const PrepareWrite& prepare) {
    const QString file = autosave_.file();
    if (file.isEmpty()) return tellFault(tr("can't write into %1").arg(Autosave::defaultFolder()));
    jobs_.startQuietly([write = prepare(file), state = state_, recovered = state_->recoveredFile()] {
        state->finishWrite(write(), recovered);
    });
}

void Journal::discardRecovered() { state_->discardRecovered(); }

void Journal::clear() {
    if (!autosave_.exists()) return;
    jobs_.startQuietly([order = order_, place = order_->next(), file = autosave_.file().toStdString()] {
        order->remove(place, file);
    });
}

void Journal::forget() {
    removeAutosave();
    forgetKept();
}

void Journal::removeAutosave() {
    if (autosave_.exists()) order_->remove(order_->next(), autosave_.file().toStdString());
}

void Journal::forgetKept() {
    if (std::exchange(kept_, false)) order_->remove(order_->next(), autosave_.keptFile().toStdString());
}

void Journal::keepForNextStart(const PrepareWrite& prepare) {
    const QString file = autosave_.keptFile();
    try {
        if (file.isEmpty() || !prepare(file)()) return;
    } catch (const DataLost&) {
        return;
    } catch (const std::bad_alloc&) {
        return;
    }
    removeAutosave();  // not what was kept before: that is the file just written
    kept_ = true;
    state_->discardRecovered();
}

void Journal::goOn() {
    forgetKept();
    std::string fault;
    {
        const std::lock_guard<std::mutex> hold(state_->lock);
        fault.swap(state_->fault);
    }
    if (!fault.empty()) tellFault(QString::fromStdString(fault));
}

QString Journal::claimKept() {
    Autosave::Claimed claimed = Autosave::takeKept();
    if (claimed.file.isEmpty()) return {};
    const std::lock_guard<std::mutex> hold(state_->lock);
    state_->recovered_lock = std::move(claimed.lock);
    return claimed.file;
}

void Journal::tellFault(const QString& message) {
    if (!std::exchange(fault_told_, true)) emit notKept(message);
}

}  // namespace partita
