#include "app/gui/canvas/graph_view.h"

#include <algorithm>
#include <cmath>

#include <QAccessible>
#include <QContextMenuEvent>
#include <QGestureEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QPinchGesture>
#include <QToolTip>
#include <QWheelEvent>

#include "app/gui/canvas/graph_groups.h"
#include "app/gui/canvas/minimap.h"
#include "app/gui/style/number_text.h"

namespace partita {

namespace {

/// Beyond this a move is a jump: the eye can't follow thousands of boxes, and frames would get slow.
constexpr size_t kLargestAnimatedGraph = 1500;

bool is_arrow(int key) {
    return key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_Left || key == Qt::Key_Right;
}

}  // namespace

GraphView::GraphView(QWidget* parent)
    : QWidget(parent), theme_(make_theme(false, PaletteChoice::OkabeIto)), sight_(*this,
                                                                                  [this] {
                                                                                      emit viewChanged();
                                                                                      update();
                                                                                  }),
      move_(this, [this] { update(); }) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(160, 120);
    setAccessibleName(tr("Graph"));
    grabGesture(Qt::PinchGesture);
    decoration_ = std::make_shared<GraphDecoration>();
    minimap_ = new Minimap(*this);
}

void GraphView::setTheme(const Theme& theme) {
    theme_ = theme;
    sight_.setTypeSize(theme.type_size);
    emit graphChanged();
    update();
}

const GraphGeometry& GraphView::geometry() const {
    static const GraphGeometry empty;
    return geometry_ ? *geometry_ : empty;
}

/// By node of the graph that is shown: which one it will be, or -1.
std::vector<int32_t> GraphView::nodesNow(const GraphModelPtr& model, const std::vector<int32_t>* known) const {
    std::vector<int32_t> now;
    if (!model_ || !model) return now;
    if (known && known->size() == model_->nodes.size()) return *known;
    for (const GraphNode& node : model_->nodes) now.push_back(model->node_of(node.expr));
    return now;
}

void GraphView::showGraph(GraphModelPtr model, GraphGeometryPtr geometry, GraphDecorationPtr decoration, bool animated,
                          const std::vector<int32_t>* now) {
    const GraphGeometryPtr old_geometry = geometry_;
    const std::vector<int32_t> now_of_old = nodesNow(model, now);
    const bool same_graph = model_ && model && old_geometry &&
                            (now || (model_->module == model->module && model_->function == model->function));
    PaintMarks marks;
    if (model) marks.selected.assign(model->nodes.size(), 0);
    for (uint32_t node : selectedNodes())
        if (node < now_of_old.size() && now_of_old[node] >= 0) marks.selected[size_t(now_of_old[node])] = 1;
    if (marks_.current >= 0 && size_t(marks_.current) < now_of_old.size())
        marks.current = now_of_old[size_t(marks_.current)];
    move_.end();
    model_ = std::move(model);
    geometry_ = std::move(geometry);
    decoration_ = std::move(decoration);
    shown_.stale_clusters = false;
    marks_ = std::move(marks);
    edges_.forget();
    sight_.setBounds(geometry_ ? std::optional(geometry_->bounds) : std::nullopt);
    sight_.setHeart(largestRun());
    sight_.setLeftToRight(geometry_ && geometry_->left_to_right);
    if (same_graph) {
        const Sight old_sight = sight_;
        lookAtNext(*old_geometry, now_of_old);
        if (animated && model_->nodes.size() <= kLargestAnimatedGraph && isVisible())
            moveFrom(*old_geometry, now_of_old, old_sight);
    } else {
        sight_.lookAtFirst();
    }
    emit graphChanged();
    emit viewChanged();
    update();
}

/// Nodes begin where they were on the screen.
void GraphView::moveFrom(const GraphGeometry& old_geometry, const std::vector<int32_t>& now, const Sight& old_sight) {
    std::vector<QRectF> from = geometry_->nodes;
    for (size_t i = 0; i < now.size(); ++i) {
        if (now[i] < 0) continue;
        QRectF& box = from[size_t(now[i])];
        box = old_geometry.nodes[i];
        box.moveCenter(toGraph(old_sight.toWidget(box.center())));
    }
    move_.begin(model_, geometry_, std::move(from));
}

void GraphView::setDecoration(GraphDecorationPtr decoration, bool stale_clusters) {
    decoration_ = std::move(decoration);
    shown_.stale_clusters = stale_clusters;
    emit graphChanged();
    update();
}

void GraphView::setHighlighted(std::vector<uint8_t> highlighted) {
    marks_.highlighted = std::move(highlighted);
    update();
}

void GraphView::setEdgeTypesShown(bool shown) {
    shown_.edge_types = shown;
    update();
}

void GraphView::setEdgeWidthsShown(bool shown) {
    shown_.edge_widths = shown;
    update();
}

QImage GraphView::picture() {
    constexpr double kSharpness = 2, kLargestSide = 8000;
    constexpr size_t kMostNodes = 5000;  // painted on the window's thread
    if (!hasGraph() || model_->nodes.size() > kMostNodes) return grab().toImage();
    const GraphPaper whole = paper(theme_);
    const QSizeF size = whole.area().size();
    const double scale = std::min(kSharpness, kLargestSide / std::max(size.width(), size.height()));
    QImage image((size * scale).toSize().expandedTo(QSize(1, 1)), QImage::Format_ARGB32_Premultiplied);
    image.fill(theme_.canvas);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    whole.paint(painter, QRectF(image.rect()), whole.area());
    return image;
}

GraphPaper GraphView::paper(const Theme& theme, const QString& title) const {
    return {model_, geometry_, decoration_, theme, shown_, title};
}

void GraphView::setMinimapShown(bool shown) { minimap_->setWanted(shown); }

std::vector<uint32_t> GraphView::selectedNodes() const {
    std::vector<uint32_t> nodes;
    for (uint32_t i = 0; i < marks_.selected.size(); ++i)
        if (marks_.selected[i]) nodes.push_back(i);
    return nodes;
}

void GraphView::selectNodes(const std::vector<uint32_t>& nodes) {
    if (!model_) return;
    marks_.selected.assign(model_->nodes.size(), 0);
    for (uint32_t node : nodes)
        if (node < marks_.selected.size()) marks_.selected[node] = 1;
    if (nodes.size() == 1) setCurrentNode(nodes[0]);
    else if (nodes.empty()) setCurrentNode(-1);
    update();
}

void GraphView::setCurrentNode(int64_t node) {
    if (marks_.current == node) return;
    marks_.current = node;
    announceCurrent();
    update();
}

void GraphView::announceCurrent() {
    setAccessibleDescription(marks_.current >= 0 ? tooltipFor(uint32_t(marks_.current)) : QString());
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

QPointF GraphView::middleOfEdge(uint32_t edge) const {
    const std::vector<QPointF>& curve = geometry_->edges[edge];
    const size_t part = (curve.size() - 1) / 3 / 2 * 3;
    return curve.size() < 4 ? QPointF() : curve_point(&curve[part], 0.5);
}

void GraphView::chooseNextInputEdge() {
    if (hasGraph() && marks_.current >= 0) edges_.chooseNextInput(uint32_t(marks_.current));
}

void GraphView::selectAll() {
    if (!model_) return;
    std::fill(marks_.selected.begin(), marks_.selected.end(), uint8_t(1));
    update();
    emit selectionEdited();
}

void GraphView::clearSelection() {
    selectNodes({});
    emit selectionEdited();
}

void GraphView::selectProducers() { selectReachable(true); }
void GraphView::selectUsers() { selectReachable(false); }

void GraphView::selectReachable(bool producers) {
    if (!model_) return;
    std::vector<uint32_t> open = selectedNodes();
    while (!open.empty()) {
        const uint32_t node = open.back();
        open.pop_back();
        for (uint32_t edge : producers ? model_->incoming(node) : model_->outgoing(node)) {
            const uint32_t next = producers ? model_->edges[edge].from : model_->edges[edge].to;
            if (marks_.selected[next]) continue;
            marks_.selected[next] = 1;
            open.push_back(next);
        }
    }
    update();
    emit selectionEdited();
}

int64_t GraphView::nodeAt(const QPointF& position) const {
    if (!hasGraph()) return -1;
    const QPointF point = toGraph(position);
    std::vector<uint32_t> found;
    geometry_->node_index.query(QRectF(point.x() - 1, point.y() - 1, 2, 2), found);
    const double slack = zoom() < 0.3 ? 3 / zoom() : 0;
    for (auto node = found.rbegin(); node != found.rend(); ++node)
        if (geometry_->nodes[*node].adjusted(-slack, -slack, slack, slack).contains(point)) return *node;
    return -1;
}

/// An operator of the region in whose box the position is, or on whose label: the box stands for what it holds. -1:
/// none.
int64_t GraphView::nodeOfBoxAt(const QPointF& position) const {
    constexpr double kLabel = 12;  // stands on the upper border
    if (!hasGraph() || !decoration_ || shown_.stale_clusters) return -1;
    const QPointF point = toGraph(position);
    for (size_t i = 0; i < std::min(decoration_->regions.size(), geometry_->clusters.size()); ++i) {
        if (geometry_->clusters[i].isEmpty() || !geometry_->clusters[i].adjusted(0, -kLabel, 0, 0).contains(point))
            continue;
        for (uint32_t node : decoration_->regions[i].nodes)
            if (model_->nodes[node].kind == GraphNodeKind::Call) return node;
    }
    return -1;
}

void GraphView::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.fillRect(event->rect(), theme_.canvas);
    if (!hasGraph()) return;
    painter.translate(sight_.offset());
    painter.scale(zoom(), zoom());
    PaintOptions options = shown_;
    const QRectF dirty = event->rect();
    options.exposed = QRectF(toGraph(dirty.topLeft()), toGraph(dirty.bottomRight() + QPointF(1, 1)));
    options.scale = zoom();
    options.stale_clusters = shown_.stale_clusters || move_.isMoving();
    const GraphGeometry* moving = move_.geometry();
    paint_graph(painter, *model_, moving ? *moving : *geometry_, *decoration_, marks_, theme_, options);
    if (!move_.isMoving()) edges_.paint(painter);
    if (drag_ != Drag::RubberBand) return;
    painter.resetTransform();
    painter.setPen(QPen(theme_.selection, 1));
    QColor fill = theme_.selection;
    fill.setAlphaF(0.12f);
    painter.setBrush(fill);
    painter.drawRect(rubber_band_);
}

void GraphView::resizeEvent(QResizeEvent* event) {
    if (geometry_ && (!sight_.wasLookedAt() || sight_.isFirst())) sight_.lookAtFirst();
    else if (geometry_ && sight_.isWhole()) sight_.fit();
    else if (event->oldSize().isValid()) sight_.shift(QPointF(event->size().width() - event->oldSize().width(), 0) / 2);
    minimap_->moveToCorner();
    emit viewChanged();
}

void GraphView::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    press_position_ = last_position_ = event->position();
    moved_ = false;
    const int64_t node = event->button() == Qt::MiddleButton ? -1 : nodeAt(event->position());
    if (event->button() == Qt::RightButton) {
        edges_.pressRight(event->position());
        if (node >= 0 && !marks_.selected[size_t(node)]) press(node, Qt::NoModifier);
        return;
    }
    if (node >= 0 && event->button() == Qt::LeftButton) {
        setCurrentEdge(-1);
        press(node, event->modifiers());
        return;
    }
    if (event->button() == Qt::LeftButton && event->modifiers() == Qt::NoModifier && edges_.press(event->position())) {
        drag_ = Drag::Edge;
        return;
    }
    if (event->button() == Qt::LeftButton && event->modifiers() & Qt::ShiftModifier) {
        drag_ = Drag::RubberBand;
        rubber_band_ = QRectF(press_position_, QSizeF());
        return;
    }
    drag_ = Drag::Pan;
    setCursor(Qt::ClosedHandCursor);
}

void GraphView::press(int64_t node, Qt::KeyboardModifiers modifiers) {
    if (modifiers & (Qt::ControlModifier | Qt::ShiftModifier)) {
        marks_.selected[size_t(node)] ^= 1;
    } else {
        std::fill(marks_.selected.begin(), marks_.selected.end(), uint8_t(0));
        marks_.selected[size_t(node)] = 1;
    }
    setCurrentNode(node);
    update();
    emit selectionEdited();
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF by = event->position() - last_position_;
    last_position_ = event->position();
    if ((event->position() - press_position_).manhattanLength() > 4) moved_ = true;
    switch (drag_) {
        case Drag::Pan:
            if (moved_) sight_.pan(by);
            return;
        case Drag::RubberBand:
            rubber_band_ = QRectF(press_position_, event->position()).normalized();
            update();
            return;
        case Drag::Edge:
            if (moved_) edges_.drag(event->position());
            update();
            return;
        case Drag::None: break;
    }
    edges_.hover(event->position());
    const int64_t node = nodeAt(event->position());
    if (node == marks_.hovered) return;
    marks_.hovered = node;
    setCursor(node >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
    if (drag_ == Drag::RubberBand && moved_) finishRubberBand(event->modifiers());
    if (drag_ == Drag::Edge) edges_.release(event->position());
    // A click that misses the node that it was to add loses nothing.
    if (drag_ == Drag::Pan && !moved_ && event->button() == Qt::LeftButton &&
        !(event->modifiers() & Qt::ControlModifier))
        clearSelection();
    drag_ = Drag::None;
    setCursor(Qt::ArrowCursor);
    update();
}

void GraphView::finishRubberBand(Qt::KeyboardModifiers modifiers) {
    if (!hasGraph()) return;
    if (!(modifiers & Qt::ControlModifier)) std::fill(marks_.selected.begin(), marks_.selected.end(), uint8_t(0));
    const QRectF area(toGraph(rubber_band_.topLeft()), toGraph(rubber_band_.bottomRight()));
    std::vector<uint32_t> found;
    geometry_->node_index.query(area, found);
    for (uint32_t node : found)
        if (geometry_->nodes[node].intersects(area)) marks_.selected[node] = 1;
    emit selectionEdited();
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    int64_t node = nodeAt(event->position());
    if (node < 0) node = nodeOfBoxAt(event->position());
    if (node >= 0) emit nodeActivated(quint32(node));
}

void GraphView::wheelEvent(QWheelEvent* event) {
    if (event->modifiers() & Qt::ControlModifier) {
        setZoom(zoom() * std::pow(1.0015, event->angleDelta().y()), event->position());
    } else {
        QPointF by = event->pixelDelta().isNull() ? QPointF(event->angleDelta()) * 0.6 : QPointF(event->pixelDelta());
        if (event->modifiers() & Qt::ShiftModifier) by = QPointF(by.y() + by.x(), 0);
        sight_.pan(by);
    }
    event->accept();
}

void GraphView::contextMenuEvent(QContextMenuEvent* event) { emit contextMenuRequested(event->globalPos()); }

void GraphView::keyPressEvent(QKeyEvent* event) {
    const bool control = event->modifiers() & Qt::ControlModifier;
    if (is_arrow(event->key()) && (control || !hasGraph() || model_->nodes.empty())) {
        const double step = 60;
        const QPointF by(event->key() == Qt::Key_Left    ? step
                         : event->key() == Qt::Key_Right ? -step
                                                         : 0,
                         event->key() == Qt::Key_Up     ? step
                         : event->key() == Qt::Key_Down ? -step
                                                        : 0);
        return sight_.pan(by);
    }
    if (is_arrow(event->key())) return travel(event->key(), event->modifiers() & Qt::ShiftModifier);
    switch (event->key()) {
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
            if (presented_) return event->ignore();  // the window's: clickers turn pages by them
            return sight_.pan(QPointF(0, (event->key() == Qt::Key_PageUp ? 0.85 : -0.85) * height()));
        case Qt::Key_Escape:
            if (presented_ || escape_passed_on_ || (currentEdge() < 0 && selectedNodes().empty()))
                return event->ignore();  // there is nothing to let go of here
            setCurrentEdge(-1);
            return clearSelection();
        case Qt::Key_Home:
            if (hasGraph() && !model_->nodes.empty()) press(0, Qt::NoModifier), reveal({0});
            return;
        case Qt::Key_End:
            if (hasGraph() && !model_->nodes.empty()) {
                const uint32_t last = uint32_t(model_->nodes.size() - 1);
                press(last, Qt::NoModifier);
                reveal({last});
            }
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (marks_.current >= 0) emit nodeActivated(quint32(marks_.current));
            return;
        case Qt::Key_Space:
            if (marks_.current >= 0) press(marks_.current, Qt::ControlModifier);
            return;
        default: QWidget::keyPressEvent(event);
    }
}

void GraphView::travel(int key, bool extend) {
    int64_t next = marks_.current < 0 ? nodeAt(sight_.middle()) : neighbourAlong(uint32_t(marks_.current), key);
    if (marks_.current < 0 && next < 0) next = 0;
    if (next < 0) return;
    if (extend) {
        marks_.selected[size_t(next)] = 1;
        setCurrentNode(next);
        emit selectionEdited();
    } else {
        press(next, Qt::NoModifier);
    }
    reveal({uint32_t(next)});
}

/// Up and down follow edges, to the nearest operand or user; left and right go to the nearest node beside. In a
/// picture from left to right it is the other way round.
int64_t GraphView::neighbourAlong(uint32_t node, int key) const {
    const QPointF here = geometry_->nodes[node].center();
    int64_t best = -1;
    double best_distance = 0;
    const auto consider = [&](uint32_t other, double distance) {
        if (other == node || (best >= 0 && distance >= best_distance)) return;
        best = other;
        best_distance = distance;
    };
    const bool across = geometry_->left_to_right;
    const auto turned = [across](const QPointF& point) { return across ? point.transposed() : point; };
    const bool back = key == Qt::Key_Up || key == Qt::Key_Left;
    if (across == (key == Qt::Key_Left || key == Qt::Key_Right)) {
        for (uint32_t edge : back ? model_->incoming(node) : model_->outgoing(node)) {
            const uint32_t other = back ? model_->edges[edge].from : model_->edges[edge].to;
            consider(other, std::abs(turned(geometry_->nodes[other].center() - here).x()));
        }
        return best;
    }
    std::vector<uint32_t> found;
    const QSizeF around = across ? QSizeF(240, 4000) : QSizeF(4000, 240);
    geometry_->node_index.query(QRectF(here - QPointF(around.width(), around.height()) / 2, around), found);
    for (uint32_t other : found) {
        const QPointF away = turned(geometry_->nodes[other].center() - here);
        if (back ? away.x() >= -1 : away.x() <= 1) continue;
        consider(other, std::abs(away.x()) + 3 * std::abs(away.y()));
    }
    return best;
}

QString GraphView::tooltipFor(uint32_t index) const {
    const GraphNode& node = model_->nodes[index];
    QStringList lines{node.title};
    if (!node.name.isEmpty()) lines << node.name;
    if (!node.detail.isEmpty()) lines << node.detail;
    if (!node.type.isEmpty()) lines << node.type;
    if (node.group >= 0 && model_->groups)
        if (const QString& difference = model_->groups->groups[size_t(node.group)].difference; !difference.isEmpty())
            lines << difference;
    const int backend = index < decoration_->backend.size() ? decoration_->backend[index] : -2;
    if (backend > -2) lines << tr("Backend: %1").arg(decoration_->backend_name(backend));
    const int region = index < decoration_->region.size() ? decoration_->region[index] : -1;
    // A region of one operator has none: its badge says the same.
    if (const QString label = region >= 0 ? decoration_->regions[size_t(region)].label : QString(); !label.isEmpty())
        lines << tr("Region: %1").arg(label);
    if (index < decoration_->overridden.size() && decoration_->overridden[index]) lines << tr("Given by hand");
    for (const BackendShare& share : decoration_->shares.value(index))
        lines << tr("%1: %2 %")
                     .arg(decoration_->backend_name(share.backend), number_text(100.0 * double(share.share), 0));
    if (node.kind == GraphNodeKind::Group) lines << tr("Enter or a double click opens the group");
    return lines.join(QLatin1Char('\n'));
}

bool GraphView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int64_t node = nodeAt(help->pos());
        if (node >= 0) QToolTip::showText(help->globalPos(), tooltipFor(uint32_t(node)), this);
        else QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::Gesture) {
        auto* gestures = static_cast<QGestureEvent*>(event);
        if (auto* pinch = static_cast<QPinchGesture*>(gestures->gesture(Qt::PinchGesture))) {
            setZoom(zoom() * pinch->scaleFactor(), mapFromGlobal(pinch->centerPoint().toPoint()));
            return true;
        }
    }
    if (event->type() == QEvent::NativeGesture) {
        auto* native = static_cast<QNativeGestureEvent*>(event);
        if (native->gestureType() == Qt::ZoomNativeGesture) {
            setZoom(zoom() * (1 + native->value()), native->position());
            return true;
        }
    }
    if (event->type() == QEvent::Leave && marks_.hovered >= 0) {
        marks_.hovered = -1;
        update();
    }
    if (event->type() == QEvent::Show && !sight_.wasLookedAt() && geometry_) sight_.lookAtFirst();
    return QWidget::event(event);
}

void GraphView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void GraphView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

}  // namespace partita
