// Placements between which one chooses: predicted time against regions, or against weights on backends. Each point can
// be opened.
#pragma once

#include <functional>

#include <QWidget>

#include "engine/session/placing.h"

class QComboBox;
class QPushButton;
class QTreeWidget;

namespace partita {

class CurveChart;

class PlacementCurve : public QWidget {
    Q_OBJECT

public:
    explicit PlacementCurve(PlacedModulePtr placed);

signals:
    void placementWanted(const std::vector<uint16_t>& labels);

private:
    const std::vector<ParetoPoint>& points() const;
    bool byWeights() const;
    void fill();
    void open();

    PlacedModulePtr placed_;
    QComboBox* goal_;
    CurveChart* chart_;
    QTreeWidget* table_;
    QPushButton* open_;
};

/// The points as a line; a click chooses the nearest.
class CurveChart : public QWidget {
    Q_OBJECT

public:
    CurveChart();
    void setPoints(std::vector<QPointF> points, const QString& across, const QString& up);
    void choose(int point);
    QSize sizeHint() const override;

signals:
    void chosen(int point);

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    QPointF placeOf(const QPointF& point) const;

    std::vector<QPointF> points_;
    QString across_, up_;
    int chosen_ = -1;
};

}  // namespace partita
