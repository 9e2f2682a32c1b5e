// Paints rows of bars over time: zoom with Ctrl+wheel, + and -, move by dragging, the wheel or the scroll bars, choose
// a bar by a click or with the arrow keys. Painting costs what is visible, whatever is there: of bars narrower than a
// pixel one is painted for each.
#pragma once

#include <QAbstractScrollArea>

#include "app/gui/panels/timing/timing_rows.h"
#include "app/gui/style/telling_names.h"
#include "app/gui/style/theme.h"

namespace partita {

class TimingRowsView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit TimingRowsView(const QString& name, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setRows(TimingRows rows);
    /// For each region of the report the index of its colour.
    void setBackends(std::vector<int> backends);
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
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    struct Place {
        int row = -1, bar = -1;
        bool valid() const { return row >= 0 && bar >= 0; }
    };
    int nameWidth() const { return name_width_; }
    void measureNames();
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
    int firstEndingAfter(int row, double x) const;
    void paintBar(QPainter& painter, const TimingBarItem& bar, const QRectF& box) const;
    void paintMark(QPainter& painter, const QRectF& box, bool current) const;
    QColor colourOf(const TimingBarItem& bar) const;
    bool isMarked(const TimingBarItem& bar) const;
    void findMarked();

    Theme theme_;
    TimingRows rows_;
    TellingNames names_;  ///< of regions
    std::vector<int> backends_;
    double zoom_ = 1;
    int name_width_ = 0;
    Place current_;
    std::vector<std::vector<int>> marked_;  ///< for each row the bars that belong to what is current
    int region_ = -1;
    ExprId origin_;
    QPoint pressed_;
    int pressed_scroll_ = 0;
    bool dragging_ = false;
};

}  // namespace partita
