#include "app/gui/jobs/job_runner.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QRunnable>
#include <QThread>

#include "engine/ir/tensor.h"

namespace partita {

namespace {

/// What one thread did before it gave, another sees after it took. Qt's queues promise that already, but by futexes in
/// a library that is built without the thread sanitizer, which would take every job for a race.
class Handover {
public:
    void give() { turn_.fetch_add(1, std::memory_order_release); }
    void take() { (void)turn_.load(std::memory_order_acquire); }

private:
    std::atomic<unsigned> turn_ = 0;
};

Handover handover;

class Task : public QRunnable {
public:
    explicit Task(std::function<void()> work) : work_(std::move(work)) { handover.give(); }
    void run() override {
        handover.take();
        work_();
        work_ = nullptr;  // what it holds ends before those who wait for it go on
        handover.give();
    }

private:
    std::function<void()> work_;
};

class CallEvent : public QEvent {
public:
    explicit CallEvent(std::function<void()> call) : QEvent(QEvent::User), call_(std::move(call)) { handover.give(); }
    void call() const {
        handover.take();
        call_();
    }

private:
    std::function<void()> call_;
};

}  // namespace

void run_on_worker(std::function<void()> work) {
    if (QThreadPool* pool = QThreadPool::globalInstance()) pool->start(new Task(std::move(work)));
    else work();
}

JobRunner::JobRunner(QObject* parent) : QObject(parent) {
    // A long run must not keep a layout waiting, even on a machine with one core.
    pool_.setMaxThreadCount(std::max(4, QThread::idealThreadCount()));
}

JobRunner::~JobRunner() {
    for (const Job& job : jobs_) job.cancel.cancel();
    pool_.waitForDone();
    handover.take();
}

void JobRunner::callBack(std::function<void()> call) {
    QCoreApplication::postEvent(this, new CallEvent(std::move(call)));
}

/// It gets no event but those of callBack().
void JobRunner::customEvent(QEvent* event) { static_cast<CallEvent*>(event)->call(); }

quint64 JobRunner::startErased(const QString& title, QObject* receiver, std::function<void(const JobContext&)> work,
                               std::function<void()> done) {
    const quint64 id = next_id_++;
    Job job{JobInfo{id, title, QString(), -1}, CancelToken()};
    JobContext context;
    context.cancel = job.cancel;
    // A job may report thousands of times a second; the window wants ten.
    auto last = std::make_shared<std::atomic<qint64>>(0);
    context.progress = [this, id, last](double fraction, const QString& what) {
        const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
        const qint64 now = std::chrono::duration_cast<std::chrono::milliseconds>(since_start).count();
        qint64 before = last->load();
        if (now - before < 100 || !last->compare_exchange_strong(before, now)) return;
        callBack([this, id, fraction, what] { report(id, fraction, what); });
    };
    QPointer<QObject> guard(receiver);
    const bool had_receiver = receiver != nullptr;
    jobs_.push_back(job);
    pool_.start(new Task([this, id, guard, had_receiver, context, work = std::move(work), done = std::move(done)] {
        Fault fault;
        try {
            work(context);
        } catch (const DataLost& lost) {
            fault = QString::fromUtf8(lost.what());
        } catch (const std::bad_alloc&) {
            fault = QString();
        }
        callBack([=, this] { finish(id, fault, guard, had_receiver, done); });
    }));
    emit jobsChanged();
    return id;
}

void JobRunner::startQuietly(std::function<void()> work) {
    pool_.start(new Task([work = std::move(work)] {
        try {
            work();
        } catch (const DataLost&) {
            // Nobody waits for it: who does will be told.
        } catch (const std::bad_alloc&) {
            // There may be memory at the next time.
        }
    }));
}

void JobRunner::release(std::shared_ptr<const void> value) {
    if (!value || value.use_count() > 1) return;
    pool_.start(new Task([value = std::move(value)]() mutable { value.reset(); }));
}

void JobRunner::report(quint64 id, double fraction, const QString& what) {
    for (Job& job : jobs_) {
        if (job.info.id != id) continue;
        job.info.fraction = fraction;
        job.info.what = what;
        emit jobsChanged();
    }
}

void JobRunner::finish(quint64 id, const Fault& fault, const QPointer<QObject>& receiver, bool had_receiver,
                       const std::function<void()>& done) {
    auto found = std::find_if(jobs_.begin(), jobs_.end(), [id](const Job& job) { return job.info.id == id; });
    if (found == jobs_.end()) return;
    const bool cancelled = found->cancel.cancelled() || fault;
    const QString title = found->info.title;
    jobs_.erase(found);
    if (fault) emit gaveUp(title, *fault);
    if (cancelled) emit jobCancelled(id);
    else if (!had_receiver || receiver) done();
    emit jobsChanged();
}

void JobRunner::cancel(quint64 id) {
    for (const Job& job : jobs_)
        if (job.info.id == id) job.cancel.cancel();
}

void JobRunner::cancelAll() {
    for (const Job& job : jobs_) job.cancel.cancel();
}

bool JobRunner::isCancelled(quint64 id) const {
    return std::any_of(jobs_.begin(), jobs_.end(),
                       [id](const Job& job) { return job.info.id == id && job.cancel.cancelled(); });
}

bool JobRunner::waitUntilIdle(int milliseconds) {
    QElapsedTimer timer;
    timer.start();
    while (busy() && timer.elapsed() < milliseconds) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
        QThread::msleep(1);
    }
    return !busy();
}

std::vector<JobInfo> JobRunner::jobs() const {
    std::vector<JobInfo> list;
    for (const Job& job : jobs_) list.push_back(job.info);
    return list;
}

}  // namespace partita
