// What a canvas shows, to be drawn elsewhere: on paper and in files of pictures. Without what a person selected or
// points at, in light colours. Values only: it can be painted on a worker.
#pragma once

#include <QString>

#include "app/gui/canvas/graph_painter.h"

class QPainter;

namespace partita {

struct GraphPaper {
    GraphModelPtr model;
    GraphGeometryPtr geometry;
    std::shared_ptr<const GraphDecoration> decoration;
    Theme theme;
    PaintOptions options;
    QString title;

    /// The graph with a margin.
    static QRectF areaOf(const GraphGeometry& geometry);
    QRectF area() const { return areaOf(*geometry); }
    /// Paints a part, in the graph's coordinates, as large as it fits into a rectangle.
    void paint(QPainter& painter, const QRectF& target, const QRectF& part) const;
    /// The height of title and legend at a width, at the graph's own size.
    double headingHeight(double width) const;
    /// Paints title and legend at the top of a rectangle; `right` stands opposite the title.
    void paintHeading(QPainter& painter, const QRectF& place, const QString& right = QString()) const;
};

}  // namespace partita
