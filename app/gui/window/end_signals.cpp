#include "app/gui/window/end_signals.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

#include <QSocketNotifier>

namespace partita {

namespace {

constexpr int kSignals[] = {SIGTERM, SIGHUP, SIGINT};
volatile std::sig_atomic_t write_end = -1;

/// A signal's handler may do next to nothing: it writes one byte, which the event loop reads.
void tell_event_loop(int) {
    const int before = errno;
    const char byte = 0;
    (void)!::write(int(write_end), &byte, 1);
    errno = before;
}

}  // namespace

EndSignals::EndSignals(QObject* parent) : QObject(parent) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return;  // then a signal ends the process, as ever
    read_end_ = ends[0];
    write_end = ends[1];
    auto* notifier = new QSocketNotifier(read_end_, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this] {
        char bytes[16];
        while (::read(read_end_, bytes, sizeof bytes) > 0) {
        }
        emit asked();
    });
    for (int signal : kSignals) {
        struct sigaction before {
        }, action{};
        if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        action.sa_handler = tell_event_loop;
        action.sa_flags = SA_RESTART | int(SA_RESETHAND);
        ::sigaction(signal, &action, nullptr);
    }
}

EndSignals::~EndSignals() {
    if (read_end_ < 0) return;
    for (int signal : kSignals) {
        struct sigaction now {};
        if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == tell_event_loop) std::signal(signal, SIG_DFL);
    }
    ::close(int(write_end));
    ::close(read_end_);
    write_end = -1;
}

}  // namespace partita
