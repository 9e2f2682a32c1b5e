// The whole graph in a corner of the canvas, with the visible part marked; a click or a drag goes there. Hidden while
// everything is visible, or would be but for where the view was moved to.
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
    bool isUseful() const;
    /// Goes to the first corner where it hides no node, or as few as anywhere.
    void chooseCorner();
    /// How many nodes it would hide at a place of the view.
    size_t nodesBelow(const QRect& place) const;
    QRectF coveredArea(const QRect& place) const;
    double scale() const;
    QPointF origin() const;
    void goTo(const QPointF& position);

    GraphView& view_;
    QPixmap picture_;
    bool picture_stale_ = true;
    bool wanted_ = true;
    bool above_nodes_ = false;
    double zoom_ = 0;  ///< at which its corner was chosen
};

}  // namespace partita
