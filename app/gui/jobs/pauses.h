// Pauses: what acts a moment later, so that a burst of changes is answered once, or a change is seen to move.
#pragma once

#include <functional>

class QObject;

namespace partita {

/// Calls `then` after `milliseconds`, unless `receiver` is deleted before. Unlike QTimer::singleShot it is found by
/// has_pauses.
void after_pause(QObject* receiver, int milliseconds, std::function<void()> then);

/// Whether a timer that fires once, in half a second at most, or an animation runs below `root`.
bool has_pauses(const QObject& root);

}  // namespace partita
