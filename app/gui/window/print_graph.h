// A graph on paper: on one page where its text can be read there, else in pieces that are cut between the operators and
// stand side by side where there is room.
#pragma once

#include <vector>

#include <QRectF>
#include <QString>

class QPainter;
class QPagedPaintDevice;
class QWidget;

namespace partita {

struct GraphGeometry;
struct GraphPaper;

struct PrintPiece {
    QRectF part;  ///< of the graph, in its coordinates
    int page = 0;
    QRectF target;  ///< on the page
};

/// `page` in dots of which `natural` are as long as one unit of the graph on the screen. At most a hundred pages:
/// beyond that the graph gets smaller.
std::vector<PrintPiece> divide_over_pages(const GraphGeometry& geometry, const QRectF& page, double natural);

/// Onto a printer, or into a file of pages; on each page title and legend.
void print_graph(QPagedPaintDevice& device, const GraphPaper& paper);

/// Shows how it comes out of a printer, and prints it. `name` is what the printer's queue calls it.
void preview_print(QWidget& window, const GraphPaper& paper, const QString& name);

}  // namespace partita
