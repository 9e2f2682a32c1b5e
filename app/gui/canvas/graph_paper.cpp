#include "app/gui/canvas/graph_paper.h"

#include <algorithm>
#include <set>

#include <QFontMetricsF>
#include <QPainter>

#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

constexpr double kMargin = 18;
constexpr double kTitleLine = 26, kLegendLine = 20, kSwatch = 16, kGap = 20;

QFont font_of(int pixels, bool bold) {
    QFont font;
    font.setPixelSize(pixels);
    font.setBold(bold);
    return font;
}

/// The backends of what is shown; -1 last, for what none takes.
std::vector<int> legend_of(const GraphDecoration& decoration) {
    std::set<int> backends;
    for (const int16_t backend : decoration.backend)
        if (backend >= -1) backends.insert(backend);
    for (const std::vector<BackendShare>& shares : decoration.shares)
        for (const BackendShare& share : shares) backends.insert(share.backend);
    const bool some_default = backends.erase(-1) > 0;
    std::vector<int> legend(backends.begin(), backends.end());
    if (some_default && !legend.empty()) legend.push_back(-1);
    return legend;
}

/// A backend, or a query with a colour of its own.
struct LegendEntry {
    int backend = -1;
    int tint = -1;  ///< of Theme::tint
    QString name;
};

std::vector<LegendEntry> entries_of(const GraphDecoration& decoration) {
    std::vector<LegendEntry> entries;
    for (const int backend : legend_of(decoration)) entries.push_back({backend, -1, decoration.backend_name(backend)});
    if (!decoration.heat.empty()) return entries;  // hides them
    for (qsizetype i = 0; i < decoration.tints.size(); ++i)
        if (!decoration.tints[i].trimmed().isEmpty())
            entries.push_back({-1, int(i), shortened(decoration.tints[i], 60)});
    return entries;
}

/// Calls each(entry, place) for each entry; returns how many lines they take.
template <class Each>
int lay_legend(const GraphDecoration& decoration, double width, const Each& each) {
    const QFontMetricsF metrics(font_of(12, false));
    const std::vector<LegendEntry> legend = entries_of(decoration);
    double x = 0;
    int line = 0;
    for (const LegendEntry& entry : legend) {
        const double wide = kSwatch + metrics.horizontalAdvance(entry.name);
        if (x > 0 && x + wide > width) x = 0, ++line;
        each(entry, QPointF(x, line * kLegendLine));
        x += wide + kGap;
    }
    return legend.empty() ? 0 : line + 1;
}

}  // namespace

QRectF GraphPaper::areaOf(const GraphGeometry& geometry) {
    return geometry.bounds.adjusted(-kMargin, -kMargin, kMargin, kMargin);
}

void GraphPaper::paint(QPainter& painter, const QRectF& target, const QRectF& part) const {
    const double scale = std::min(target.width() / part.width(), target.height() / part.height());
    painter.save();
    painter.translate(target.center() - part.center() * scale);
    painter.scale(scale, scale);
    painter.setClipRect(part);
    PaintOptions all = options;
    all.exposed = part;
    all.scale = 1;  // paper shows all details
    all.is_frame = false;
    paint_graph(painter, *model, *geometry, *decoration, PaintMarks(), theme, all);
    painter.restore();
}

double GraphPaper::headingHeight(double width) const {
    return kTitleLine + kLegendLine * lay_legend(*decoration, width, [](const LegendEntry&, const QPointF&) {});
}

void GraphPaper::paintHeading(QPainter& painter, const QRectF& place, const QString& right) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.text);
    painter.setFont(font_of(12, false));
    const QRectF line(place.left(), place.top(), place.width(), kTitleLine - 6);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, right);
    const double room = line.width() - QFontMetricsF(painter.font()).horizontalAdvance(right) - 12;
    painter.setFont(font_of(14, true));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(painter.font()).elidedText(title, Qt::ElideMiddle, room));
    painter.setFont(font_of(12, false));
    lay_legend(*decoration, place.width(), [&](const LegendEntry& entry, const QPointF& at) {
        const QPointF corner = place.topLeft() + QPointF(0, kTitleLine) + at;
        const QColor fill = entry.tint >= 0     ? theme.tint(entry.tint)
                            : entry.backend < 0 ? theme.node
                                                : theme.backend_colours(entry.backend).strong;
        painter.setPen(QPen(entry.tint < 0 && entry.backend < 0 ? theme.node_border : fill, 1));
        painter.setBrush(fill);
        painter.drawRoundedRect(QRectF(corner + QPointF(0.5, 3), QSizeF(11, 11)), 3, 3);
        painter.setPen(theme.text);
        painter.drawText(QPointF(corner.x() + kSwatch, corner.y() + 12.5), entry.name);
    });
    painter.restore();
}

}  // namespace partita
