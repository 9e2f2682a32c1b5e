// The whole graph in a corner of the canvas, with the visible part marked; a click or a drag goes there. Hidden while
// everything is visible.
#pragma once

#include <QPixmap>
#include <QWidget>

namespace partita {

class GraphView;

class Minimap : public QWidget {
    Q_OBJECT

public:
    explicit Minimap(GraphView& view);
    void setWanted(bool wanted);
    void moveToCorner();
    /// Whether it is shown and hides some of an area of the graph.
    bool covers(const QRectF& area) const;
    /// Something of the graph lies below it: it lets that shine through until the pointer is on it.
    bool isFaded() const { return above_nodes_ && !underMouse(); }

protected:
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void updatePicture();
    void updateVisibility();
    QRectF coveredArea() const;
    double scale() const;
    QPointF origin() const;
    void goTo(const QPointF& position);

    GraphView& view_;
    QPixmap picture_;
    bool picture_stale_ = true;
    bool wanted_ = true;
    bool above_nodes_ = false;
};

}  // namespace partita
