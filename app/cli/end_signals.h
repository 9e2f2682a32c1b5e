// What happens when the program is asked to end, by Ctrl-C, a closed terminal or a scheduler: nothing half written
// stays behind, no program that was started goes on, and the exit status tells the signal, as usual.
#pragma once

#include "engine/support/cancel.h"

namespace partita::cli {

/// From now on a thread takes SIGINT, SIGTERM and SIGHUP. Call it once, before there are other threads. What was
/// ignored when the program was started stays so.
void watch_end_signals();

/// While it lives, a signal cancels work that then writes what it has; the program ends when this goes out of scope, at
/// a second signal, or after some seconds.
class CancelOnSignal {
public:
    explicit CancelOnSignal(const CancelToken& token);
    ~CancelOnSignal();
    CancelOnSignal(const CancelOnSignal&) = delete;
    CancelOnSignal& operator=(const CancelOnSignal&) = delete;
};

}  // namespace partita::cli
