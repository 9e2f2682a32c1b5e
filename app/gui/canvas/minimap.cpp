#include "app/gui/canvas/minimap.h"

#include <algorithm>

#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <QWheelEvent>

#include "app/gui/canvas/graph_view.h"

namespace partita {

namespace {

constexpr double kInset = 6, kDistanceFromEdge = 12;
constexpr QSizeF kLargest(150, 210);

}  // namespace

Minimap::Minimap(GraphView& view) : QWidget(&view), view_(view) {
    setAccessibleName(tr("Overview of the graph"));
    setCursor(Qt::ArrowCursor);
    setToolTip(tr("Overview: click or drag to move the view"));
    connect(&view_, &GraphView::graphChanged, this, [this] {
        picture_stale_ = true;
        moveToCorner();
        updateVisibility();
        update();
    });
    connect(&view_, &GraphView::viewChanged, this, [this] {
        updateVisibility();
        update();
    });
    hide();
}

void Minimap::setWanted(bool wanted) {
    wanted_ = wanted;
    updateVisibility();
}

void Minimap::updateVisibility() {
    const bool useful = wanted_ && view_.hasGraph() && !view_.geometry().bounds.isEmpty() &&
                        !view_.visibleArea().contains(view_.geometry().bounds);
    setVisible(useful);
    above_nodes_ = false;
    if (!useful) return;
    std::vector<uint32_t> below;
    const QRectF covered = coveredArea();
    view_.geometry().node_index.query(covered, below);
    above_nodes_ = std::any_of(below.begin(), below.end(),
                               [&](uint32_t node) { return view_.geometry().nodes[node].intersects(covered); });
}

QRectF Minimap::coveredArea() const {
    return {view_.toGraph(geometry().topLeft()), view_.toGraph(geometry().bottomRight())};
}

bool Minimap::covers(const QRectF& area) const { return isVisible() && coveredArea().intersects(area); }

void Minimap::moveToCorner() {
    if (!view_.hasGraph()) return;
    const QSizeF bounds = view_.geometry().bounds.size();
    if (bounds.isEmpty()) return;
    const QSizeF room(std::min(kLargest.width(), view_.width() * 0.25),
                      std::min(kLargest.height(), view_.height() * 0.5));
    QSizeF size = bounds.scaled(room, Qt::KeepAspectRatio).expandedTo(QSizeF(46, 46));
    resize((size + QSizeF(2 * kInset, 2 * kInset)).toSize());
    move(view_.width() - width() - int(kDistanceFromEdge), view_.height() - height() - int(kDistanceFromEdge));
    picture_stale_ = true;
}

double Minimap::scale() const {
    const QRectF bounds = view_.geometry().bounds;
    return std::min((width() - 2 * kInset) / bounds.width(), (height() - 2 * kInset) / bounds.height());
}

QPointF Minimap::origin() const {
    return QPointF(width() / 2.0, height() / 2.0) - view_.geometry().bounds.center() * scale();
}

void Minimap::updatePicture() {
    picture_ = QPixmap(size() * devicePixelRatioF());
    picture_.setDevicePixelRatio(devicePixelRatioF());
    picture_.fill(Qt::transparent);
    picture_stale_ = false;
    QPainter painter(&picture_);
    painter.translate(origin());
    painter.scale(scale(), scale());
    PaintOptions options;
    options.exposed = view_.geometry().bounds;
    options.scale = std::min(scale(), 0.1);
    options.stale_clusters = true;
    options.regions = false;
    options.most_dots = options.most_lines = 4000;  // some 20,000 pixels
    paint_graph(painter, *view_.model(), view_.geometry(), *view_.decoration(), PaintMarks(), view_.theme(), options);
}

void Minimap::paintEvent(QPaintEvent*) {
    if (!view_.hasGraph()) return;
    if (picture_stale_) {
        // An event of its own: of a very large graph, it takes as long as the graph's own frame.
        QTimer::singleShot(0, this, [this] {
            if (!picture_stale_ || !view_.hasGraph()) return;
            updatePicture();
            update();
        });
    }
    const Theme& theme = view_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (isFaded()) painter.setOpacity(0.4);
    painter.setPen(theme.border);
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.drawPixmap(0, 0, picture_);
    const QRectF visible = view_.visibleArea();
    QRectF frame(visible.topLeft() * scale() + origin(), visible.size() * scale());
    frame &= QRectF(rect()).adjusted(2, 2, -2, -2);
    QColor fill = theme.selection;
    fill.setAlphaF(0.12f);
    painter.setBrush(fill);
    painter.setPen(QPen(theme.selection, 1.5));
    painter.drawRoundedRect(frame, 2, 2);
}

void Minimap::goTo(const QPointF& position) { view_.centreOn((position - origin()) / scale()); }

void Minimap::mousePressEvent(QMouseEvent* event) { goTo(event->position()); }

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) goTo(event->position());
}

void Minimap::wheelEvent(QWheelEvent* event) {
    view_.setZoom(view_.zoom() * std::pow(1.0015, event->angleDelta().y()),
                  QPointF(view_.width() / 2.0, view_.height() / 2.0));
    event->accept();
}

}  // namespace partita
