#include "app/gui/jobs/pauses.h"

#include <algorithm>
#include <utility>

#include <QTimer>
#include <QVariantAnimation>

namespace partita {

void after_pause(QObject* receiver, int milliseconds, std::function<void()> then) {
    auto* timer = new QTimer(receiver);
    timer->setSingleShot(true);
    QObject::connect(timer, &QTimer::timeout, receiver, [timer, then = std::move(then)] {
        timer->deleteLater();
        then();
    });
    timer->start(milliseconds);
}

bool has_pauses(const QObject& root) {
    constexpr int kLongest = 500;  ///< ms: what waits longer, such as a message that goes away, changes nothing else
    const auto timers = root.findChildren<QTimer*>();
    const auto animations = root.findChildren<QVariantAnimation*>();
    return std::any_of(timers.begin(), timers.end(),
                       [](const QTimer* timer) {
                           return timer->isActive() && timer->isSingleShot() && timer->interval() <= kLongest;
                       }) ||
           std::any_of(animations.begin(), animations.end(), [](const QVariantAnimation* animation) {
               return animation->state() == QAbstractAnimation::Running && animation->loopCount() == 1;
           });
}

}  // namespace partita
