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

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void updatePicture();
    void updateVisibility();
    double scale() const;
    QPointF origin() const;
    void goTo(const QPointF& position);

    GraphView& view_;
    QPixmap picture_;
    bool picture_stale_ = true;
    bool wanted_ = true;
};

}  // namespace partita
