#include "app/gui/canvas/layout_move.h"

#include <utility>

#include "app/gui/canvas/graph_painter.h"

namespace partita {

LayoutMove::LayoutMove(QObject* parent, std::function<void()> changed)
    : QVariantAnimation(parent), changed_(std::move(changed)) {
    constexpr int kMilliseconds = 260;
    setDuration(kMilliseconds);
    setEasingCurve(QEasingCurve::InOutCubic);
    setStartValue(0.0);
    setEndValue(1.0);
    connect(this, &QVariantAnimation::finished, this, [this] {
        current_.reset();
        changed_();
    });
}

void LayoutMove::begin(GraphModelPtr model, GraphGeometryPtr geometry, std::vector<QRectF> from) {
    model_ = std::move(model);
    geometry_ = std::move(geometry);
    from_ = std::move(from);
    current_.emplace();
    start();
}

void LayoutMove::end() {
    stop();
    current_.reset();
}

void LayoutMove::updateCurrentValue(const QVariant& progress) {
    if (!current_) return;
    const double done = progress.toDouble();
    current_->nodes = geometry_->nodes;
    current_->left_to_right = geometry_->left_to_right;
    for (size_t i = 0; i < from_.size(); ++i) {
        const QPointF before = from_[i].center(), after = geometry_->nodes[i].center();
        current_->nodes[i].moveCenter(before + (after - before) * done);
    }
    current_->edges.resize(model_->edges.size());
    for (size_t i = 0; i < model_->edges.size(); ++i)
        current_->edges[i] = straight_edge(current_->nodes[model_->edges[i].from], current_->nodes[model_->edges[i].to],
                                           geometry_->left_to_right);
    current_->rebuild_index();
    changed_();
}

}  // namespace partita
