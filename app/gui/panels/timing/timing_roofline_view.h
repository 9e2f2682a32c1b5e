// The roofline: regions (and operators) as points under what the machine can do at best, both axes logarithmic. A click
// or the arrow keys choose a point.
#pragma once

#include <optional>

#include <QWidget>

#include "app/gui/style/theme.h"
#include "engine/runtime/machine.h"

namespace partita {

struct RooflineDot {
    QString name;
    RooflinePoint point;
    int region = -1;  ///< index into the report's regions
    ExprId origin;    ///< of an operator; invalid for a region
    int backend = -1;
};

/// The points of a run that can be shown: those that compute something and took time, the longest of them. Regions
/// first.
std::vector<RooflineDot> roofline_dots(const RunReport& report, const MachineLimits& machine,
                                       const std::vector<int>& backends);

class TimingRooflineView : public QWidget {
    Q_OBJECT

public:
    explicit TimingRooflineView(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setDots(std::vector<RooflineDot> dots, const MachineLimits& machine);
    /// What stands there instead of a diagram.
    void setMessage(const QString& message);
    void setCurrent(int region, ExprId origin);
    const std::vector<RooflineDot>& dots() const { return dots_; }
    const MachineLimits& machine() const { return machine_; }
    /// Where a point is painted now.
    QPointF placeOf(int dot) const;
    QSize sizeHint() const override { return {400, 200}; }

signals:
    void chosen(int region, partita::ExprId origin);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF plot() const;
    double xOf(double intensity, const QRectF& area) const;
    double yOf(double flops, const QRectF& area) const;
    QPointF placeOf(int dot, const QRectF& area) const;
    int dotAt(const QPointF& place) const;
    void choose(int dot);
    void findRange();
    void paintGrid(QPainter& painter) const;
    void paintLimits(QPainter& painter) const;
    void paintDots(QPainter& painter) const;
    void nameLimits(QPainter& painter) const;
    void nameCurrent(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;

    Theme theme_;
    std::vector<RooflineDot> dots_;
    MachineLimits machine_;
    QString message_;
    double first_x_ = 0, last_x_ = 1, first_y_ = 0, last_y_ = 1;  ///< exponents of ten
    int current_ = -1;
};

}  // namespace partita
