// Notices that the room of a canvas changed: a panel was opened, the window got another size, the type grew.
#pragma once

#include <functional>

#include <QTimer>
#include <QWidget>

namespace partita {

class RoomWatch : public QObject {
    Q_OBJECT

public:
    /// `changed` is called when `view` has kept another size for a while. Is the view's child.
    RoomWatch(QWidget& view, std::function<void()> changed);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QTimer timer_;
};

}  // namespace partita
