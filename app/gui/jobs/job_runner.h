// Work that must not block the window: runs on a thread pool, reports progress, can be cancelled, and hands its
// result to a function on the window's thread. A job gets values and returns a value; it never touches a widget.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QPointer>
#include <QString>
#include <QThreadPool>

#include "engine/support/cancel.h"

namespace partita {

/// What a job is given. Copies may be kept by what the job calls.
struct JobContext {
    CancelToken cancel;
    std::function<void(double fraction, const QString& what)> progress;  ///< fraction < 0: unknown
};

/// A running job as the status bar shows it.
struct JobInfo {
    quint64 id = 0;
    QString title;
    QString what;
    double fraction = -1;
};

/// On a thread of Qt's own pool, or at once while the program ends.
void run_on_worker(std::function<void()> work);

/// A shared value that is freed on a worker, whoever lets go of it last: freeing the tables of a large module takes
/// longer than a frame.
template <class T>
std::shared_ptr<T> freed_on_worker(std::unique_ptr<T> value) {
    return std::shared_ptr<T>(value.release(), [](T* old) { run_on_worker([old] { delete old; }); });
}

class JobRunner : public QObject {
    Q_OBJECT

public:
    explicit JobRunner(QObject* parent = nullptr);
    /// Cancels all jobs and waits for them.
    ~JobRunner() override;

    /// Starts `work` on a worker. `done` runs on this object's thread with the result, unless the job was cancelled or
    /// `receiver` was deleted. Returns the job's id.
    template <class T>
    quint64 start(const QString& title, QObject* receiver, std::function<T(const JobContext&)> work,
                  std::function<void(T)> done) {
        auto result = std::make_shared<std::unique_ptr<T>>();
        return startErased(
            title, receiver,
            [work = std::move(work), result](const JobContext& context) {
                *result = std::make_unique<T>(work(context));
            },
            [done = std::move(done), result] { done(std::move(**result)); });
    }

    /// Work that always ends by itself and is not shown, such as writing a small file. The destructor waits for it.
    void startQuietly(std::function<void()> work);
    /// Lets go of something on a worker: freeing the tables of a large module takes a while.
    void release(std::shared_ptr<const void> value);
    void cancel(quint64 id);
    void cancelAll();
    /// Whether a job was asked to stop and has not ended yet.
    bool isCancelled(quint64 id) const;
    bool busy() const { return !jobs_.empty(); }
    /// Waits until no job is left, delivering results. For tests and for taking pictures without a person.
    bool waitUntilIdle(int milliseconds);
    std::vector<JobInfo> jobs() const;

protected:
    void customEvent(QEvent* event) override;

signals:
    void jobsChanged();
    /// A job that was cancelled has ended; its result is dropped.
    void jobCancelled(quint64 id);
    /// A job ended for want of memory, or because of data that were `lost`: what DataLost says. It counts as cancelled.
    void gaveUp(const QString& title, const QString& lost);

private:
    struct Job {
        JobInfo info;
        CancelToken cancel;
    };
    using Fault = std::optional<QString>;  ///< why it gave up; empty for want of memory
    quint64 startErased(const QString& title, QObject* receiver, std::function<void(const JobContext&)> work,
                        std::function<void()> done);
    /// Calls something on this object's thread, later.
    void callBack(std::function<void()> call);
    void report(quint64 id, double fraction, const QString& what);
    void finish(quint64 id, const Fault& fault, const QPointer<QObject>& receiver, bool had_receiver,
                const std::function<void()>& done);

    QThreadPool pool_;
    std::vector<Job> jobs_;
    quint64 next_id_ = 1;
};

}  // namespace partita
