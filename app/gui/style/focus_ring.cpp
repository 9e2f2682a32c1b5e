#include "app/gui/style/focus_ring.h"

#include <QApplication>
#include <QFocusEvent>
#include <QPainter>

namespace partita {

namespace {

class Ring : public QWidget {
public:
    explicit Ring(QWidget& round) : QWidget(&round) {
        setObjectName(QStringLiteral("focus-ring"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
        setGeometry(round.rect());
        raise();
        show();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette().color(QPalette::Link), 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
    }
};

bool is_by_keys(Qt::FocusReason reason) {
    return reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
}

}  // namespace

FocusRing::FocusRing(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn) {
        auto* widget = qobject_cast<QWidget*>(watched);
        if (widget && !widget->isWindow() && is_by_keys(static_cast<QFocusEvent*>(event)->reason())) showAt(*widget);
    } else if (ring_ && watched == ring_->parent()) {
        if (event->type() == QEvent::Resize) ring_->setGeometry(ring_->parentWidget()->rect());
        if (event->type() == QEvent::FocusOut || event->type() == QEvent::MouseButtonPress) delete ring_;
    }
    return false;
}

void FocusRing::showAt(QWidget& widget) {
    delete ring_;
    ring_ = new Ring(widget);
}

}  // namespace partita
