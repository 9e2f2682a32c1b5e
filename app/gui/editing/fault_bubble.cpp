#include "app/gui/editing/fault_bubble.h"

#include <algorithm>

#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

constexpr int kShownMilliseconds = 12000, kWidest = 420;

}  // namespace

void FaultBubble::show(GraphPage& page, ExprId place, const QString& message, const Theme& theme) {
    const int64_t node = page.nodeOfOrigin(place);
    if (node >= 0) page.view().reveal({uint32_t(node)});
    (new FaultBubble(page.view(), node, message, theme))->QLabel::show();
}

FaultBubble::FaultBubble(GraphView& view, int64_t node, const QString& message, const Theme& theme)
    : QLabel(&view), view_(view), node_(node) {
    setTextFormat(Qt::PlainText);  // the message has names of the module in it
    setText(QStringLiteral("⚠ %1").arg(shown_message(message)));
    for (FaultBubble* other : view.findChildren<FaultBubble*>())
        if (other != this) other->deleteLater();
    setObjectName(QStringLiteral("fault-bubble"));
    setAccessibleName(tr("Why the edit was refused"));
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setStyleSheet(
        QStringLiteral(
            "QLabel { background: %1; color: %2; border: 2px solid %3; border-radius: 6px; padding: 6px 9px; }")
            .arg(theme.base.name(), theme.text.name(), theme.refused.name()));
    ensurePolished();
    constexpr int kAround = 2 * (9 + 2 + 2);  // padding, border, and a little room
    const int widest = std::min(kWidest, std::max(120, view.width() - 20));
    const QRect words = fontMetrics().boundingRect(QRect(0, 0, widest - kAround, 4000), Qt::TextWordWrap, text());
    setFixedSize(words.width() + kAround, words.height() + 18);
    place();
    connect(&view, &GraphView::viewChanged, this, &FaultBubble::place);
    connect(&view, &GraphView::selectionEdited, this, &QObject::deleteLater);
    connect(&view, &GraphView::graphChanged, this, &QObject::deleteLater);
    QTimer::singleShot(kShownMilliseconds, this, &QObject::deleteLater);
}

void FaultBubble::place() {
    QPoint corner((view_.width() - width()) / 2, 12);
    if (node_ >= 0 && size_t(node_) < view_.geometry().nodes.size()) {
        const QRectF box = view_.geometry().nodes[size_t(node_)];
        const QPointF below = view_.toWidget(QPointF(box.center().x(), box.bottom()));
        corner = QPoint(int(below.x()) - width() / 2, int(below.y()) + 6);
        if (corner.y() + height() > view_.height()) corner.setY(int(view_.toWidget(box.topLeft()).y()) - height() - 6);
    }
    corner.setX(std::clamp(corner.x(), 6, std::max(6, view_.width() - width() - 6)));
    corner.setY(std::clamp(corner.y(), 6, std::max(6, view_.height() - height() - 6)));
    move(corner);
    raise();
}

}  // namespace partita
