// Where one looks on the canvas in terms of its nodes, and what keeps the eye's place when the layout changes.
#include <algorithm>

#include "app/gui/canvas/graph_groups.h"
#include "app/gui/canvas/graph_view.h"
#include "app/gui/canvas/minimap.h"

namespace partita {

namespace {

constexpr double kZoomStep = 1.25;
/// A new layout whose first sight would be this many times larger or smaller is looked at anew.
constexpr double kOtherSize = 1.5;

}  // namespace

void GraphView::lookAtBeginning(double zoom) {
    if (!geometry_ || geometry_->nodes.empty()) return;
    const bool across = geometry_->left_to_right;
    const auto first = std::min_element(
        geometry_->nodes.begin(), geometry_->nodes.end(),
        [across](const QRectF& a, const QRectF& b) { return across ? a.left() < b.left() : a.top() < b.top(); });
    sight_.lookAtBeginning(zoom, first->center());
}

/// After another layout: the eye keeps its place. Who has not moved the picture yet, or let it be fitted, sees all of
/// it again where all of it was in sight, or its beginning where that went out of sight or the graph has another size
/// now.
void GraphView::lookAtNext(const GraphGeometry& old_geometry, const std::vector<int32_t>& now) {
    const QRectF before = visibleArea();
    const bool whole_before = before.contains(old_geometry.bounds),
               beginning_before = before.top() < old_geometry.bounds.top();
    const int64_t kept = keepPlace(old_geometry, now);
    if (kept < 0) return sight_.lookAtFirst();
    const bool chosen = marks_.selected[size_t(kept)];
    if (!sight_.isOwn() && whole_before && !visibleArea().contains(geometry_->bounds))
        return sight_.isWhole() ? sight_.fit() : sight_.lookAtFirst();
    const double sizes = sight_.firstZoom() / zoom();  // not of the layout before: several small steps are a large one
    const bool beginning_gone = beginning_before && visibleArea().top() >= geometry_->bounds.top();
    if (sight_.isFirst() && !chosen && (beginning_gone || sizes > kOtherSize || sizes < 1 / kOtherSize))
        return sight_.lookAtFirst();
    if (!anyNodeVisible()) centreOn(geometry_->nodes[size_t(kept)].center());
}

/// The middle of the closed run of blocks that holds most of the graph.
std::optional<QPointF> GraphView::largestRun() const {
    if (!geometry_ || !model_->groups) return std::nullopt;
    uint32_t most = 0;
    std::optional<QPointF> place;
    for (size_t i = 0; i < model_->nodes.size(); ++i) {
        const int32_t index = model_->nodes[i].group;
        if (index < 0) continue;
        const GraphGroup& group = model_->groups->groups[size_t(index)];
        if (group.times < 2 || group.size <= most) continue;
        most = group.size;
        place = geometry_->nodes[i].center();
    }
    return place;
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
    const QPointF middle = toGraph(sight_.middle());
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
    sight_.shift((old_geometry.nodes[size_t(anchor_old)].center() - geometry_->nodes[size_t(anchor_new)].center()) *
                 zoom());
    return anchor_new;
}

void GraphView::reveal(const std::vector<uint32_t>& nodes) {
    if (!geometry_ || nodes.empty()) return;
    QRectF area;
    for (uint32_t node : nodes) area |= geometry_->nodes[node];
    const QRectF visible = sight_.comfortablyVisible();
    const bool readable = zoom() >= sight_.smallestReadableZoom();
    if (readable && visible.contains(area) && !minimap_->covers(area)) return;
    const double whole = sight_.zoomToFill(area);
    if (nodes.size() > 1 && whole < (readable ? zoom() : sight_.plainReadZoom()) && whole >= sight_.smallestPlainZoom())
        return fitArea(area);
    if (nodes.size() > 1 && whole < sight_.smallestPlainZoom()) {
        const QRectF nearest = geometry_->nodes[nearestToMiddle(nodes)];
        if (readable && visible.contains(nearest)) return;
        area = nearest;
    }
    sight_.centreOn(area.center(), readable ? zoom() : sight_.readZoom());
}

void GraphView::lookAt(uint32_t node) {
    if (!geometry_ || node >= geometry_->nodes.size()) return;
    if (zoom() < sight_.plainReadZoom()) sight_.centreOn(geometry_->nodes[node].center(), sight_.plainReadZoom());
    else reveal({node});
}

void GraphView::lookAtTop(const QRectF& area) {
    if (area.isEmpty()) return;
    const double whole = sight_.zoomToFill(area), readable = kNamesRead * theme_.type_size;
    if (whole >= readable) return fitArea(area);
    const QSizeF seen = QSizeF(size() - 2 * QSize(Sight::kFitMargin, Sight::kFitMargin)) / readable;
    sight_.centreOn(QPointF(std::min(area.center().x(), area.left() + seen.width() / 2),
                            std::min(area.center().y(), area.top() + seen.height() / 2)),
                    readable);
}

uint32_t GraphView::nearestToMiddle(const std::vector<uint32_t>& nodes) const {
    const QPointF middle = visibleArea().center();
    return *std::min_element(nodes.begin(), nodes.end(), [&](uint32_t a, uint32_t b) {
        const QPointF to_a = geometry_->nodes[a].center() - middle, to_b = geometry_->nodes[b].center() - middle;
        return QPointF::dotProduct(to_a, to_a) < QPointF::dotProduct(to_b, to_b);
    });
}

void GraphView::fitSelection() {
    QRectF area;
    for (uint32_t node : selectedNodes()) area |= geometry_->nodes[node];
    fitArea(area.adjusted(-80, -80, 80, 80));
}

void GraphView::zoomIn() { sight_.zoomBy(kZoomStep); }
void GraphView::zoomOut() { sight_.zoomBy(1 / kZoomStep); }
void GraphView::zoomToActualSize() { sight_.zoomAt(theme_.type_size, sight_.middle()); }

void GraphView::setPresented(bool on) {
    presented_ = on;
    sight_.setPresented(on);
}

}  // namespace partita
