#include "app/gui/window/print_graph.h"

#include <algorithm>

#include <QPagedPaintDevice>
#include <QPainter>
#include <QPrintPreviewDialog>
#include <QPrinter>
#include <QScreen>
#include <QToolBar>

#include "app/gui/canvas/graph_paper.h"
#include "engine/layout/pages.h"

namespace partita {

namespace {

LayoutBox box_of(const QRectF& rect) { return {rect.left(), rect.top(), rect.right(), rect.bottom()}; }
QRectF rect_of(const LayoutBox& box) { return QRectF(QPointF(box.left, box.top), QPointF(box.right, box.bottom)); }

/// Makes Qt's preview as wide as its buttons, of which the last one prints; where the screen is too narrow, that one
/// comes first.
void show_all_buttons(QPrintPreviewDialog& preview) {
    auto* buttons = preview.findChild<QToolBar*>();
    const QSize room = preview.screen()->availableSize() * 0.95;
    const int wanted = buttons ? buttons->sizeHint().width() + 40 : 0;
    preview.resize(QSize(std::max(900, wanted), 700).boundedTo(room));
    if (!buttons || wanted <= room.width() || buttons->actions().isEmpty()) return;
    buttons->insertAction(buttons->actions().first(), buttons->actions().last());
}

}  // namespace

std::vector<PrintPiece> divide_over_pages(const GraphGeometry& geometry, const QRectF& page, double natural) {
    std::vector<LayoutBox> nodes;
    nodes.reserve(geometry.nodes.size());
    for (const QRectF& node : geometry.nodes) nodes.push_back(box_of(node));
    const std::vector<PagePiece> divided =
        divide_over_pages(std::move(nodes), box_of(GraphPaper::areaOf(geometry)), box_of(page), natural);
    std::vector<PrintPiece> pieces;
    for (const PagePiece& piece : divided) pieces.push_back({rect_of(piece.part), piece.page, rect_of(piece.target)});
    return pieces;
}

void print_graph(QPagedPaintDevice& device, const GraphPaper& paper) {
    QPainter painter(&device);
    const double natural = device.logicalDpiX() / 96.0;
    const QRectF sheet(0, 0, painter.viewport().width(), painter.viewport().height());
    const double heading = paper.headingHeight(sheet.width() / natural) * natural;
    const std::vector<PrintPiece> pieces =
        divide_over_pages(*paper.geometry, sheet.adjusted(0, heading + 6 * natural, 0, 0), natural);
    const int pages = pieces.back().page + 1;
    int page = -1;
    for (const PrintPiece& piece : pieces) {
        if (piece.page != page) {
            if (page >= 0 && !device.newPage()) return;
            page = piece.page;
            painter.save();
            painter.scale(natural, natural);
            paper.paintHeading(painter, QRectF(0, 0, sheet.width() / natural, heading / natural),
                               pages > 1 ? QStringLiteral("%1 / %2").arg(page + 1).arg(pages) : QString());
            painter.restore();
        }
        paper.paint(painter, piece.target, piece.part);
    }
}

void preview_print(QWidget& window, const GraphPaper& paper, const QString& name) {
    QPrinter printer(QPrinter::HighResolution);
    const QRectF& bounds = paper.geometry->bounds;
    printer.setPageOrientation(bounds.width() > bounds.height() ? QPageLayout::Landscape : QPageLayout::Portrait);
    printer.setDocName(name);
    QPrintPreviewDialog preview(&printer, &window);
    QObject::connect(&preview, &QPrintPreviewDialog::paintRequested, &preview,
                     [&paper](QPrinter* to) { print_graph(*to, paper); });
    show_all_buttons(preview);
    preview.exec();
}

}  // namespace partita
