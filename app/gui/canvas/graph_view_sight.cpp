// Where one looks on the canvas: first sight, zoom, fitting, and what keeps the eye's place when the layout changes.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/canvas/graph_view.h"

#include "app/gui/canvas/minimap.h"

namespace partita {

namespace {

constexpr double kSmallestZoom = 0.005, kLargestZoom = 4.0, kZoomStep = 1.25, kFitMargin = 36;
/// How large fitting may make a small graph, 1 being the size of type in the window; and in a presentation.
constexpr double kLargestFit = 1.25, kLargestPresented = 2.4;
/// Below this, nodes are dots: what shall be seen is shown at kReadZoom instead. All of them grow with the window's
/// type.
constexpr double kSmallestReadableZoom = 0.25, kReadZoom = 0.7, kPresentedReadZoom = 1.4;
/// A new layout whose first sight would be this many times larger or smaller is looked at anew.
constexpr double kOtherSize = 1.5;

}  // namespace

/// How large a graph is at first sight: all of it where its text stays readable, else as wide as the view.
double GraphView::firstZoom(const QRectF& bounds) const {
    const double across = (width() - 2 * kFitMargin) / std::max(1.0, bounds.width());
    const double whole = std::min(across, (height() - 2 * kFitMargin) / std::max(1.0, bounds.height()));
    const double readable = 0.5 * theme_.type_size;
    if (whole >= readable) return std::min(whole, largestFit());
    return std::clamp(across, std::min(readable, std::max(whole, 0.12)), 0.85 * theme_.type_size);
}

double GraphView::largestFit() const { return theme_.type_size * (presented_ ? kLargestPresented : kLargestFit); }
double GraphView::readZoom() const { return theme_.type_size * (presented_ ? kPresentedReadZoom : kReadZoom); }
double GraphView::smallestReadableZoom() const {
    return theme_.type_size * (presented_ ? kReadZoom : kSmallestReadableZoom);
}

/// The graph's text grows with the window's, round the middle of what is seen.
void GraphView::followTypeSize(double grown) {
    if (!hasGraph()) return;
    if (sight_ == Sight::First) return lookAtFirst();
    if (sight_ == Sight::Whole) return fit();
    setZoom(zoom_ * grown, QPointF(width() / 2.0, height() / 2.0));
}

// The first sight of a graph: all of it where its text stays readable, else its beginning.
void GraphView::lookAtFirst() {
    looked_at_ = false;
    if (!geometry_ || width() < 50 || height() < 50) return;
    looked_at_ = isVisible();
    if (wanted_sight_ && looked_at_) {
        const auto [zoom, centre] = *std::exchange(wanted_sight_, std::nullopt);
        const double possible = std::clamp(zoom, kSmallestZoom, kLargestZoom);
        return look(possible, QPointF(width() / 2.0, height() / 2.0) - centre * possible);
    }
    const QRectF bounds = geometry_->bounds;
    const double zoom = firstZoom(bounds);
    const double top = zoom >= 0.5 * theme_.type_size && bounds.height() * zoom <= height() - 2 * kFitMargin + 1
                           ? height() / 2.0 - bounds.center().y() * zoom
                           : kFitMargin - bounds.top() * zoom;
    look(zoom, QPointF(width() / 2.0 - bounds.center().x() * zoom, top));
    sight_ = Sight::First;
}

void GraphView::lookAtBeginning(double zoom) {
    if (!geometry_ || geometry_->nodes.empty()) return;
    const QRectF bounds = geometry_->bounds;
    const auto highest = std::min_element(geometry_->nodes.begin(), geometry_->nodes.end(),
                                          [](const QRectF& a, const QRectF& b) { return a.top() < b.top(); });
    const double across = bounds.width() * zoom <= width() ? bounds.center().x() : highest->center().x();
    look(zoom, QPointF(width() / 2.0 - across * zoom, kFitMargin - bounds.top() * zoom));
}

void GraphView::lookFirstAt(double zoom, const QPointF& centre) {
    wanted_sight_ = {zoom, centre};
    if (looked_at_) lookAtFirst();
}

/// After another layout: the eye keeps its place. Who has not moved the picture yet, or let it be fitted, sees all of
/// it again where all of it was in sight, or its beginning where that went out of sight or the graph has another size
/// now.
void GraphView::lookAtNext(const GraphGeometry& old_geometry, const std::vector<int32_t>& now) {
    const QRectF before = visibleArea();
    const bool whole_before = before.contains(old_geometry.bounds),
               beginning_before = before.top() < old_geometry.bounds.top();
    const int64_t kept = keepPlace(old_geometry, now);
    if (kept < 0) return lookAtFirst();
    const bool chosen = marks_.selected[size_t(kept)];
    if (sight_ != Sight::Own && whole_before && !visibleArea().contains(geometry_->bounds))
        return sight_ == Sight::Whole ? fit() : lookAtFirst();
    const double sizes =
        firstZoom(geometry_->bounds) / zoom_;  // not of the layout before: several small steps are a large one
    const bool beginning_gone = beginning_before && visibleArea().top() >= geometry_->bounds.top();
    if (sight_ == Sight::First && !chosen && (beginning_gone || sizes > kOtherSize || sizes < 1 / kOtherSize))
        return lookAtFirst();
    if (!anyNodeVisible()) centreOn(geometry_->nodes[size_t(kept)].center());
}

bool GraphView::anyNodeVisible() const {
    std::vector<uint32_t> found;
    const QRectF visible = visibleArea();
    geometry_->node_index.query(visible, found);
    return std::any_of(found.begin(), found.end(),
                       [&](uint32_t node) { return geometry_->nodes[node].intersects(visible); });
}

/// The node that the eye is on (selected, or nearest to the middle) keeps its place on the screen. Returns it as it is
/// now; -1 where no node stayed.
int64_t GraphView::keepPlace(const GraphGeometry& old_geometry, const std::vector<int32_t>& now) {
    const QPointF middle = toGraph(QPointF(width() / 2.0, height() / 2.0));
    double best = -1;
    int64_t anchor_old = -1, anchor_new = -1;
    for (size_t i = 0; i < now.size(); ++i) {
        if (now[i] < 0) continue;
        const QPointF away = old_geometry.nodes[i].center() - middle;
        double distance = QPointF::dotProduct(away, away);
        if (marks_.selected[size_t(now[i])]) distance *= 1e-6;
        if (best >= 0 && distance >= best) continue;
        best = distance;
        anchor_old = int64_t(i);
        anchor_new = now[i];
    }
    if (anchor_old < 0) return -1;
    offset_ +=
        (old_geometry.nodes[size_t(anchor_old)].center() - geometry_->nodes[size_t(anchor_new)].center()) * zoom_;
    limitOffset();
    return anchor_new;
}

QRectF GraphView::visibleArea() const { return QRectF(toGraph(QPointF(0, 0)), toGraph(QPointF(width(), height()))); }

void GraphView::look(double zoom, const QPointF& offset) {
    zoom_ = std::clamp(zoom, kSmallestZoom, kLargestZoom);
    offset_ = offset;
    sight_ = Sight::Own;
    limitOffset();
    emit viewChanged();
    update();
}

void GraphView::setZoom(double zoom, const QPointF& fixed) {
    zoom = std::clamp(zoom, kSmallestZoom, kLargestZoom);
    const QPointF point = toGraph(fixed);
    look(zoom, fixed - point * zoom);
}

void GraphView::pan(const QPointF& by) { look(zoom_, offset_ + by); }

/// Some of the graph always stays in sight.
void GraphView::limitOffset() {
    if (!geometry_ || geometry_->bounds.isEmpty()) return;
    const QRectF bounds = geometry_->bounds;
    const double keep = 60;
    offset_.setX(std::clamp(offset_.x(), keep - bounds.right() * zoom_, width() - keep - bounds.left() * zoom_));
    offset_.setY(std::clamp(offset_.y(), keep - bounds.bottom() * zoom_, height() - keep - bounds.top() * zoom_));
}

void GraphView::centreOn(const QPointF& point) { look(zoom_, QPointF(width() / 2.0, height() / 2.0) - point * zoom_); }

void GraphView::reveal(const std::vector<uint32_t>& nodes) {
    if (!geometry_ || nodes.empty()) return;
    QRectF area;
    for (uint32_t node : nodes) area |= geometry_->nodes[node];
    const double margin = kFitMargin / 2 / zoom_;  // less than fitting leaves: what was fitted is in sight
    const QRectF visible = visibleArea().adjusted(margin, margin, -margin, -margin);
    const bool readable = zoom_ >= smallestReadableZoom();
    if (readable && visible.contains(area) && !minimap_->covers(area)) return;
    const double whole =
        std::min((width() - 2 * kFitMargin) / area.width(), (height() - 2 * kFitMargin) / area.height());
    if (nodes.size() > 1 && whole < (readable ? zoom_ : theme_.type_size * kReadZoom) &&
        whole >= theme_.type_size * kSmallestReadableZoom)
        return fitArea(area);
    if (nodes.size() > 1 && whole < theme_.type_size * kSmallestReadableZoom) {
        const QRectF nearest = geometry_->nodes[nearestToMiddle(nodes)];
        if (readable && visible.contains(nearest)) return;
        area = nearest;
    }
    if (!readable) zoom_ = readZoom();
    centreOn(area.center());
}

void GraphView::lookAt(uint32_t node) {
    if (!geometry_ || node >= geometry_->nodes.size()) return;
    if (zoom_ < theme_.type_size * kReadZoom) {
        zoom_ = theme_.type_size * kReadZoom;
        return centreOn(geometry_->nodes[node].center());
    }
    reveal({node});
}

uint32_t GraphView::nearestToMiddle(const std::vector<uint32_t>& nodes) const {
    const QPointF middle = visibleArea().center();
    return *std::min_element(nodes.begin(), nodes.end(), [&](uint32_t a, uint32_t b) {
        const QPointF to_a = geometry_->nodes[a].center() - middle, to_b = geometry_->nodes[b].center() - middle;
        return QPointF::dotProduct(to_a, to_a) < QPointF::dotProduct(to_b, to_b);
    });
}

void GraphView::fitArea(QRectF area) {
    if (area.isEmpty()) return;
    const double zoom = std::min(
        {(width() - 2 * kFitMargin) / area.width(), (height() - 2 * kFitMargin) / area.height(), largestFit()});
    zoom_ = std::clamp(zoom, kSmallestZoom, kLargestZoom);
    centreOn(area.center());
}

void GraphView::fit() {
    if (!geometry_) return;
    fitArea(geometry_->bounds);
    sight_ = Sight::Whole;
}

void GraphView::fitSelection() {
    QRectF area;
    for (uint32_t node : selectedNodes()) area |= geometry_->nodes[node];
    fitArea(area.adjusted(-80, -80, 80, 80));
}

void GraphView::zoomIn() { setZoom(zoom_ * kZoomStep, QPointF(width() / 2.0, height() / 2.0)); }
void GraphView::zoomOut() { setZoom(zoom_ / kZoomStep, QPointF(width() / 2.0, height() / 2.0)); }
void GraphView::zoomToActualSize() { setZoom(theme_.type_size, QPointF(width() / 2.0, height() / 2.0)); }

}  // namespace partita
