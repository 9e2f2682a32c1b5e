#include "app/gui/window/print_graph.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QPainter>
#include <QPrinter>

#include "app/gui/canvas/graph_picture.h"
#include "app/gui/canvas/graph_view.h"

namespace partita {

namespace {

// Of the size on the screen: the smallest that can be read, about 5 points, and the largest that saves paper.
constexpr double kReadable = 0.55, kComfortable = 0.8;
constexpr int kMostPages = 100;
constexpr double kBadge = 14;  ///< above a node

/// Where to cut at most `height` below `top`: above the operators that the cut would go through, if that leaves a half.
double cut_below(const GraphGeometry& geometry, const QRectF& paper, double top, double height) {
    double cut = top + height;
    std::vector<uint32_t> near;
    for (bool through = true; through;) {
        near.clear();
        geometry.node_index.query(QRectF(paper.left(), cut - 1, paper.width(), 2), near);
        double above = cut;
        for (uint32_t node : near) {
            const QRectF& box = geometry.nodes[node];
            if (box.top() - kBadge < cut && box.bottom() > cut) above = std::min(above, box.top() - kBadge);
        }
        if (above < top + height / 2) return top + height;
        through = above < cut;
        cut = above;
    }
    return cut;
}

std::vector<PrintPiece> divide(const GraphGeometry& geometry, const QRectF& page, double scale) {
    const QRectF paper = GraphView::paperOf(geometry);
    const double width = page.width() / scale, height = page.height() / scale;
    const int columns = std::max(1, int(std::ceil(paper.width() / width - 1e-6)));
    const int side_by_side = columns > 1 ? 1 : std::max(1, int(width / paper.width()));
    std::vector<PrintPiece> pieces;
    int bands = 0;
    for (double top = paper.top(); top < paper.bottom() - 1; ++bands) {
        const double bottom =
            paper.bottom() - top <= height + 1 ? paper.bottom() : cut_below(geometry, paper, top, height);
        for (int column = 0; column < columns; ++column) {
            const double left = paper.left() + column * width;
            const QRectF part(left, top, std::min(width, paper.right() - left), bottom - top);
            const double x =
                columns > 1 ? 0 : (bands % side_by_side + 0.5) * page.width() / side_by_side - part.width() * scale / 2;
            pieces.push_back({part, columns > 1 ? bands * columns + column : bands / side_by_side,
                              QRectF(page.topLeft() + QPointF(x, 0), part.size() * scale)});
        }
        if (pieces.back().page >= kMostPages) break;
        top = bottom;
    }
    return pieces;
}

}  // namespace

std::vector<PrintPiece> divide_over_pages(const GraphGeometry& geometry, const QRectF& page, double natural) {
    const QRectF paper = GraphView::paperOf(geometry);
    const double fit_width = page.width() / paper.width(), fit = std::min(fit_width, page.height() / paper.height());
    if (fit >= kReadable * natural) {
        const QSizeF size = paper.size() * fit;
        return {{paper, 0, QRectF(page.center() - QPointF(size.width() / 2, size.height() / 2), size)}};
    }
    double scale = std::clamp(fit_width, kReadable * natural, kComfortable * natural);
    while (scale > fit) {
        std::vector<PrintPiece> pieces = divide(geometry, page, scale);
        if (pieces.back().page < kMostPages) return pieces;
        scale *= 0.8;
    }
    return divide(geometry, page, fit);
}

void print_graph(QPrinter& printer, const GraphView& view, const Theme& theme, const QString& title) {
    QPainter painter(&printer);
    const QRectF sheet = painter.viewport();
    const double line = std::max(sheet.height(), sheet.width()) / 60;
    QFont font = QApplication::font();
    font.setPixelSize(int(line * 0.7));
    const std::vector<PrintPiece> pieces =
        divide_over_pages(view.geometry(), sheet.adjusted(0, line * 1.5, 0, 0), printer.resolution() / 96.0);
    const int pages = pieces.back().page + 1;
    int page = -1;
    for (const PrintPiece& piece : pieces) {
        if (piece.page != page) {
            if (page >= 0 && !printer.newPage()) return;
            page = piece.page;
            painter.setFont(font);
            painter.setPen(theme.text);
            const QRectF head(sheet.left(), sheet.top(), sheet.width(), line);
            const QString number = pages > 1 ? QStringLiteral("%1 / %2").arg(page + 1).arg(pages) : QString();
            painter.drawText(head, Qt::AlignRight | Qt::AlignVCenter, number);
            const double room = head.width() - painter.fontMetrics().horizontalAdvance(number) - line;
            painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter,
                             painter.fontMetrics().elidedText(title, Qt::ElideMiddle, int(room)));
        }
        view.paintInto(painter, piece.target, theme, piece.part);
    }
}

}  // namespace partita
