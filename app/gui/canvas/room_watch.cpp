#include "app/gui/canvas/room_watch.h"

#include <QEvent>

namespace partita {

RoomWatch::RoomWatch(QWidget& view, std::function<void()> changed) : QObject(&view) {
    constexpr int kSteady = 150;  // milliseconds
    timer_.setSingleShot(true);
    timer_.setInterval(kSteady);
    connect(&timer_, &QTimer::timeout, this, std::move(changed));
    view.installEventFilter(this);
}

bool RoomWatch::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show) timer_.start();
    return QObject::eventFilter(watched, event);
}

}  // namespace partita
