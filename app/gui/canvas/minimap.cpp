#include "app/gui/canvas/minimap.h"

#include <algorithm>

#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <QWheelEvent>

#include "app/gui/canvas/graph_view.h"

namespace partita {

namespace {

constexpr double kInset = 6;
constexpr int kDistanceFromEdge = 12;
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

bool Minimap::isUseful() const {
    if (!wanted_ || !view_.hasGraph() || view_.geometry().bounds.isEmpty()) return false;
    const QRectF bounds = view_.geometry().bounds, seen = view_.visibleArea();
    return bounds.width() > seen.width() || bounds.height() > seen.height();
}

void Minimap::updateVisibility() {
    const bool useful = isUseful();
    const bool is_free = useful && nodesBelow(geometry()) == 0;
    // Jumping while the graph is moved below it would be in the way.
    if (useful && (!isVisible() || (zoom_ != view_.zoom() && !is_free))) chooseCorner();
    above_nodes_ = useful && nodesBelow(geometry()) > 0;
    constexpr int kSmallView = 320;  // pixels: there the nodes are wanted more
    setVisible(useful && !(above_nodes_ && std::min(view_.width(), view_.height()) < kSmallView));
}

size_t Minimap::nodesBelow(const QRect& place) const {
    std::vector<uint32_t> near;
    const QRectF covered = coveredArea(place);
    view_.geometry().node_index.query(covered, near);
    return size_t(std::count_if(near.begin(), near.end(),
                                [&](uint32_t node) { return view_.geometry().nodes[node].intersects(covered); }));
}

QRectF Minimap::coveredArea(const QRect& place) const {
    return {view_.toGraph(place.topLeft()), view_.toGraph(place.bottomRight())};
}

bool Minimap::covers(const QRectF& area) const { return isVisible() && coveredArea(geometry()).intersects(area); }

void Minimap::chooseCorner() {
    if (underMouse() && isVisible()) return;
    zoom_ = view_.zoom();
    const int right = view_.width() - width() - kDistanceFromEdge,
              bottom = view_.height() - height() - kDistanceFromEdge;
    const QPoint corners[] = {{right, bottom}, {kDistanceFromEdge, bottom}, {right, kDistanceFromEdge}};
    size_t fewest = SIZE_MAX;
    for (const QPoint& corner : corners) {
        const size_t below = nodesBelow(QRect(corner, size()));
        if (below >= fewest) continue;
        fewest = below;
        move(corner);
    }
}

void Minimap::moveToCorner() {
    if (!view_.hasGraph()) return;
    const QSizeF bounds = view_.geometry().bounds.size();
    if (bounds.isEmpty()) return;
    const QSizeF room(std::min(kLargest.width(), view_.width() * 0.25),
                      std::min(kLargest.height(), view_.height() * 0.5));
    QSizeF size = bounds.scaled(room, Qt::KeepAspectRatio).expandedTo(QSizeF(46, 46));
    resize((size + QSizeF(2 * kInset, 2 * kInset)).toSize());
    chooseCorner();
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
