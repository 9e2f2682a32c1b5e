// Measures how long the window's thread goes without coming back to its event loop: what a person feels as a window
// that does not answer.
//
// Two figures for each stretch: wall time, and the thread's own processor time. On a loaded machine only the second one
// is a property of the program, so it is what tests hold.
#pragma once

#include <algorithm>
#include <ctime>
#include <vector>

#include <QApplication>
#include <QEvent>
#include <QThread>

namespace partita {

struct Stall {
    double cpu_ms = 0, wall_ms = 0;
    QString what;  ///< the receiver and the event
};

/// An application that times each event it delivers from its loop. Nested loops count as the loop.
class MeteredApplication : public QApplication {
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override {
        // Timer events of the meter itself and events delivered inside others are part of the outer one.
        if (QThread::currentThread() != thread() || inside_) return QApplication::notify(receiver, event);
        inside_ = true;
        const QString what = describe(*receiver, *event);
        const double cpu = cpu_now(), wall = wall_now();
        const bool result = QApplication::notify(receiver, event);
        inside_ = false;
        const Stall stall{cpu_now() - cpu, wall_now() - wall, what};
        if (stall.cpu_ms > kNoted) stalls_.push_back(stall);
        return result;
    }

    void startMeter() { stalls_.clear(); }
    /// The longest event since startMeter, by processor time.
    Stall longest() const {
        const auto found = std::max_element(stalls_.begin(), stalls_.end(),
                                            [](const Stall& a, const Stall& b) { return a.cpu_ms < b.cpu_ms; });
        return found == stalls_.end() ? Stall() : *found;
    }
    const std::vector<Stall>& stalls() const { return stalls_; }
    /// The calling thread's processor time in ms.
    static double cpu_now() { return milliseconds_of(CLOCK_THREAD_CPUTIME_ID); }

private:
    static constexpr double kNoted = 8;  ///< ms

    static double milliseconds_of(clockid_t clock) {
        timespec time{};
        clock_gettime(clock, &time);
        return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
    }
    static double wall_now() { return milliseconds_of(CLOCK_MONOTONIC); }

    static QString describe(QObject& receiver, QEvent& event) {
        return QStringLiteral("%1 %2 event %3")
            .arg(QString::fromLatin1(receiver.metaObject()->className()), receiver.objectName())
            .arg(int(event.type()));
    }

    bool inside_ = false;
    std::vector<Stall> stalls_;
};

}  // namespace partita
