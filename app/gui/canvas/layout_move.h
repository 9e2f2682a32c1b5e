// The animated change from one layout of a graph to the next.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QVariantAnimation>

#include "app/gui/canvas/graph_picture.h"

namespace partita {

class LayoutMove : public QVariantAnimation {
public:
    /// `changed` is called for each new picture, and at the end.
    LayoutMove(QObject* parent, std::function<void()> changed);

    /// Moves each node from its box in `from` to its place in `geometry`.
    void begin(GraphModelPtr model, GraphGeometryPtr geometry, std::vector<QRectF> from);
    void end();
    bool isMoving() const { return current_.has_value(); }
    /// Where all is now; null before the first picture, and where nothing moves.
    const GraphGeometry* geometry() const { return current_ && !current_->nodes.empty() ? &*current_ : nullptr; }

protected:
    void updateCurrentValue(const QVariant& progress) override;

private:
    std::function<void()> changed_;
    GraphModelPtr model_;
    GraphGeometryPtr geometry_;
    std::vector<QRectF> from_;
    std::optional<GraphGeometry> current_;
};

}  // namespace partita
