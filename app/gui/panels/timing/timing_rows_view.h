// Paints rows of bars over time: zoom with Ctrl+wheel, + and -, move by dragging, the wheel or the scroll bars, choose a
// bar by a click or with the arrow keys. Painting costs what is visible: bars narrower than a pixel are joined.
#pragma once

#include <QAbstractScrollArea>

#include "app/gui/panels/timing/timing_rows.h"
#include "app/gui/style/theme.h"

namespace partita {

class TimingRowsView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit TimingRowsView(const QString& name, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// `backends`: for each region of the report the index of its colour.
    void setRows(TimingRows rows, std::vector<int> backends);
    const TimingRows& rows() const { return rows_; }
    /// Marks what belongs to a region or operator; without a signal.
    void setCurrent(int region, ExprId origin);
    /// Where a bar is painted now.
    QRectF barRect(int row, int bar) const;
    double zoom() const { return zoom_; }
    QSize sizeHint() const override { return {400, 160}; }

public slots:
    void zoomBy(double factor);
    void zoomToAll();

signals:
    /// By a person. The region may be -1, the origin invalid.
    void chosen(int region, partita::ExprId origin);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    struct Place {
        int row = -1, bar = -1;
        bool valid() const { return row >= 0 && bar >= 0; }
    };
    int nameWidth() const;
    int rowHeight() const;
    int axisHeight() const;
    double scale() const;  ///< pixels for a millisecond
    double toX(double milliseconds) const;
    void zoomAt(double factor, double x);
    void updateRange();
    Place placeAt(const QPoint& point) const;
    void choose(Place place);
    void moveInRow(int by);
    void moveToRow(int by);
    void reveal(Place place);
    void paintAxis(QPainter& painter) const;
    void paintRow(QPainter& painter, int row) const;
    void paintBar(QPainter& painter, const TimingBarItem& bar, const QRectF& box, bool current) const;
    QColor colourOf(const TimingBarItem& bar) const;
    bool isMarked(const TimingBarItem& bar) const;

    Theme theme_;
    TimingRows rows_;
    std::vector<int> backends_;
    double zoom_ = 1;
    Place current_;
    int region_ = -1;
    ExprId origin_;
    QPoint pressed_;
    int pressed_scroll_ = 0;
    bool dragging_ = false;
};

}  // namespace partita
