#include "app/gui/panels/timing/timing_roofline_view.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "app/gui/panels/timing/timing_rows.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"

namespace partita {

namespace {

constexpr double kRegionRadius = 6, kOpRadius = 3.5, kReach = 10;
constexpr size_t kMostOfAKind = 1000;

/// "12.3 GFLOP/s", "1.50 GB/s"; a decade needs no decimals.
QString rate_text(double value, const QString& unit, bool decade = false) {
    static const char* const prefixes[] = {"", "k", "M", "G", "T"};
    int step = 0;
    while (value >= 1000 && step < 4) {
        value /= 1000;
        ++step;
    }
    return QStringLiteral("%1 %2%3").arg(number_text(value, decade       ? 0
                                                            : value < 10 ? 2
                                                                         : 1),
                                         QLatin1String(prefixes[step]), unit);
}

bool can_be_shown(const RooflinePoint& point) {
    return point.flops > 0 && point.intensity > 0 && std::isfinite(point.flops);
}

}  // namespace

std::vector<RooflineDot> roofline_dots(const RunReport& report, const MachineLimits& machine,
                                       const std::vector<int>& backends) {
    struct Candidate {
        RooflinePoint point;
        double time;
        size_t region;
        const OpTiming* op;
    };
    std::vector<Candidate> regions, ops;
    for (size_t i = 0; i < report.regions.size(); ++i) {
        const RegionTiming& region = report.regions[i];
        const RooflinePoint point = roofline(machine, region.flops, region.bytes, region.time.median);
        if (can_be_shown(point)) regions.push_back({point, region.time.median, i, nullptr});
        for (const OpTiming& op : region.ops)
            if (const RooflinePoint of_op = roofline(machine, op.flops, op.bytes, op.time.median); can_be_shown(of_op))
                ops.push_back({of_op, op.time.median, i, &op});
    }
    std::vector<RooflineDot> dots;
    for (std::vector<Candidate>* kind : {&regions, &ops}) {
        if (kind->size() > kMostOfAKind) {
            const auto end = kind->begin() + kMostOfAKind;
            std::nth_element(kind->begin(), end, kind->end(),
                             [](const Candidate& x, const Candidate& y) { return x.time > y.time; });
            kind->erase(end, kind->end());
        }
        for (const Candidate& made : *kind) {
            const QString name = made.op ? shown_operator(*made.op) : shown_name(report.regions[made.region].shown());
            const int backend = made.region < backends.size() ? backends[made.region] : -1;
            dots.push_back({name, made.point, int(made.region), made.op ? made.op->origin : ExprId(), backend});
        }
    }
    return dots;
}

TimingRooflineView::TimingRooflineView(QWidget* parent)
    : QWidget(parent), theme_(make_theme(false, PaletteChoice::OkabeIto)) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Roofline"));
    setMinimumSize(260, 120);
}

void TimingRooflineView::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

void TimingRooflineView::setDots(std::vector<RooflineDot> dots, const MachineLimits& machine) {
    dots_ = std::move(dots);
    machine_ = machine;
    message_ = dots_.empty() ? tr("Nothing in this run does floating-point work that could be shown.") : QString();
    current_ = -1;
    findRange();
    update();
}

void TimingRooflineView::setMessage(const QString& message) {
    dots_.clear();
    current_ = -1;
    message_ = message;
    update();
}

void TimingRooflineView::setCurrent(int region, ExprId origin) {
    const auto found = std::find_if(dots_.begin(), dots_.end(), [&](const RooflineDot& dot) {
        return origin.valid() ? dot.origin == origin : dot.region == region && !dot.origin.valid();
    });
    current_ = found == dots_.end() ? -1 : int(found - dots_.begin());
    update();
}

void TimingRooflineView::findRange() {
    if (machine_.flops <= 0 || machine_.bandwidth <= 0) return;
    const double ridge = machine_.flops / machine_.bandwidth;
    double least_x = ridge / 8, most_x = ridge * 4, least_y = machine_.flops / 100, most_y = machine_.flops * 1.3;
    for (const RooflineDot& dot : dots_) {
        least_x = std::min(least_x, dot.point.intensity);
        most_x = std::max(most_x, dot.point.intensity);
        least_y = std::min(least_y, dot.point.flops);
        most_y = std::max(most_y, dot.point.flops);
    }
    first_x_ = std::log10(least_x) - 0.15;
    last_x_ = std::log10(most_x) + 0.15;
    first_y_ = std::log10(least_y) - 0.2;
    last_y_ = std::log10(most_y) + 0.1;
}

QRectF TimingRooflineView::plot() const {
    const int line = fontMetrics().height();
    const int left = fontMetrics().horizontalAdvance(QStringLiteral("100 MFLOP/s")) + 12;
    return QRectF(rect()).adjusted(left, line + 4, -16, -2.3 * line);  // above, the peak is named
}

double TimingRooflineView::xOf(double intensity, const QRectF& area) const {
    return area.left() + (std::log10(intensity) - first_x_) / (last_x_ - first_x_) * area.width();
}

double TimingRooflineView::yOf(double flops, const QRectF& area) const {
    return area.bottom() - (std::log10(flops) - first_y_) / (last_y_ - first_y_) * area.height();
}

QPointF TimingRooflineView::placeOf(int dot) const { return placeOf(dot, plot()); }

QPointF TimingRooflineView::placeOf(int dot, const QRectF& area) const {
    const RooflinePoint& point = dots_[size_t(dot)].point;
    return {xOf(point.intensity, area), yOf(point.flops, area)};
}

void TimingRooflineView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_.base);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!message_.isEmpty()) {
        painter.setPen(theme_.muted_text);
        painter.drawText(rect().adjusted(20, 0, -20, 0), Qt::AlignCenter | Qt::TextWordWrap, message_);
        return;
    }
    paintGrid(painter);
    painter.save();
    painter.setClipRect(QRectF(rect()).adjusted(plot().left() - 8, 0, -8, -(height() - plot().bottom() - 8)));
    paintLimits(painter);
    paintDots(painter);
    nameLimits(painter);
    if (current_ >= 0) nameCurrent(painter);
    painter.restore();
    paintLegend(painter);
}

void TimingRooflineView::paintGrid(QPainter& painter) const {
    const QRectF area = plot();
    const auto x_of = [&](double intensity) { return xOf(intensity, area); };
    const auto y_of = [&](double flops) { return yOf(flops, area); };
    const int line = fontMetrics().height();
    for (int e = int(std::ceil(first_x_)); e <= last_x_; ++e) {
        const double x = x_of(std::pow(10, e));
        painter.setPen(theme_.border);
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setPen(theme_.muted_text);
        painter.drawText(QRectF(x - 40, area.bottom() + 2, 80, line), Qt::AlignHCenter,
                         significant_text(std::pow(10, e), 3));
    }
    // In a low panel not every decade has room for its figure.
    const double decade = area.height() / (last_y_ - first_y_);
    const int stride = std::max(1, int(std::ceil(line / std::max(1.0, decade))));
    for (int e = int(std::ceil(first_y_)); e <= last_y_; ++e) {
        const double y = y_of(std::pow(10, e));
        painter.setPen(theme_.border);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(theme_.muted_text);
        if (e % stride != 0) continue;
        painter.drawText(QRectF(0, y - line / 2.0, area.left() - 6, line), Qt::AlignRight | Qt::AlignVCenter,
                         rate_text(std::pow(10, e), QStringLiteral("FLOP/s"), true));
    }
    painter.drawText(QRectF(area.left(), area.bottom() + 2 + line, area.width(), line), Qt::AlignHCenter,
                     tr("operations for each byte moved"));
}

void TimingRooflineView::paintLimits(QPainter& painter) const {
    const QRectF area = plot();
    const auto x_of = [&](double intensity) { return xOf(intensity, area); };
    const auto y_of = [&](double flops) { return yOf(flops, area); };
    const double ridge = machine_.flops / machine_.bandwidth;
    const double left = std::pow(10, first_x_), right = std::pow(10, last_x_);
    painter.setPen(QPen(theme_.text, 1.6));
    painter.drawLine(QPointF(x_of(left), y_of(left * machine_.bandwidth)), QPointF(x_of(ridge), y_of(machine_.flops)));
    painter.drawLine(QPointF(x_of(ridge), y_of(machine_.flops)), QPointF(x_of(right), y_of(machine_.flops)));
}

/// Above the lines, where no dot can be but by a fault of measuring.
void TimingRooflineView::nameLimits(QPainter& painter) const {
    const QRectF area = plot();
    const auto x_of = [&](double intensity) { return xOf(intensity, area); };
    const auto y_of = [&](double flops) { return yOf(flops, area); };
    const double ridge = machine_.flops / machine_.bandwidth, left = std::pow(10, first_x_);
    const int line = fontMetrics().height();
    painter.setPen(theme_.muted_text);
    const QString peak = tr("peak %1").arg(rate_text(machine_.flops, QStringLiteral("FLOP/s")));
    const double width = fontMetrics().horizontalAdvance(peak) + 2;
    const QRectF box(area.right() - width, y_of(machine_.flops) - line - 3, width, line);
    QColor veil = theme_.base;
    veil.setAlphaF(0.75f);  // a dot above the limit stays to be seen, and the name to be read
    painter.fillRect(box, veil);
    painter.drawText(box, Qt::AlignRight, peak);
    // Along the sloping line, where that enters the picture.
    const double enters = std::max(left, std::pow(10, first_y_) / machine_.bandwidth);
    const QPointF from(x_of(enters), y_of(enters * machine_.bandwidth)), to(x_of(ridge), y_of(machine_.flops));
    painter.save();
    painter.translate((from + to) / 2);
    painter.rotate(std::atan2(to.y() - from.y(), to.x() - from.x()) * 180 / M_PI);
    const QString memory = tr("memory %1").arg(rate_text(machine_.bandwidth, QStringLiteral("B/s")));
    const double length = fontMetrics().horizontalAdvance(memory) + 2;
    painter.drawText(QRectF(-length / 2, -line - 3, length, line), Qt::AlignHCenter, memory);
    painter.restore();
}

void TimingRooflineView::paintDots(QPainter& painter) const {
    const QRectF area = plot();
    for (int i = int(dots_.size()); i-- > 0;) {  // regions stand first and shall lie on top
        const RooflineDot& dot = dots_[size_t(i)];
        const QColor colour = theme_.backend_colours(dot.backend).strong;
        const bool is_region = !dot.origin.valid();
        painter.setPen(QPen(i == current_ ? theme_.selection : theme_.base, i == current_ ? 3 : 1));
        painter.setBrush(is_region ? colour : blend(colour, theme_.base, 0.5));
        const double radius = is_region ? kRegionRadius : kOpRadius;
        painter.drawEllipse(placeOf(i, area), radius, radius);
    }
}

/// Above the plot: which dots are regions, which operators.
void TimingRooflineView::paintLegend(QPainter& painter) const {
    const QColor colour = theme_.muted_text;
    double x = plot().left();
    const double middle = fontMetrics().height() / 2.0 + 1;
    const auto add = [&](double radius, const QColor& fill, const QString& words) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawEllipse(QPointF(x + kRegionRadius, middle), radius, radius);
        painter.setPen(colour);
        const double width = fontMetrics().horizontalAdvance(words) + 2;
        painter.drawText(QRectF(x + 2 * kRegionRadius + 5, 0, width, 2 * middle), Qt::AlignVCenter, words);
        x += 2 * kRegionRadius + width + 21;
    };
    const bool has_operators =
        std::any_of(dots_.begin(), dots_.end(), [](const RooflineDot& dot) { return dot.origin.valid(); });
    add(kRegionRadius, colour, tr("region"));
    if (has_operators) add(kOpRadius, blend(colour, theme_.base, 0.5), tr("operator"));
}

void TimingRooflineView::nameCurrent(QPainter& painter) const {
    const RooflineDot& dot = dots_[size_t(current_)];
    const QString text = tr("%1: %2 % of the %3 bound")
                             .arg(dot.name, number_text(dot.point.share * 100, 1),
                                  dot.point.memory_bound ? tr("memory") : tr("compute"));
    const QPointF place = placeOf(current_);
    const double width = fontMetrics().horizontalAdvance(text) + 12;
    QRectF box(place.x() + 10, place.y() - fontMetrics().height() - 8, width, fontMetrics().height() + 4);
    if (box.right() > plot().right()) box.moveRight(place.x() - 10);
    if (box.top() < 0) box.moveTop(place.y() + 8);
    painter.setPen(theme_.border);
    painter.setBrush(theme_.panel);
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(theme_.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

int TimingRooflineView::dotAt(const QPointF& place) const {
    int nearest = -1;
    double distance = kReach;
    const QRectF area = plot();
    for (int i = 0; i < int(dots_.size()); ++i) {
        const QPointF off = placeOf(i, area) - place;
        const double length = std::hypot(off.x(), off.y());
        if (length >= distance) continue;
        distance = length;
        nearest = i;
    }
    return nearest;
}

void TimingRooflineView::choose(int dot) {
    if (dot < 0 || dot >= int(dots_.size())) return;
    current_ = dot;
    update();
    emit chosen(dots_[size_t(dot)].region, dots_[size_t(dot)].origin);
}

void TimingRooflineView::mousePressEvent(QMouseEvent* event) { choose(dotAt(event->position())); }

void TimingRooflineView::keyPressEvent(QKeyEvent* event) {
    const int last = int(dots_.size()) - 1;
    if (event->key() == Qt::Key_Right || event->key() == Qt::Key_Down) return choose(std::min(current_ + 1, last));
    if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Up) return choose(std::max(current_ - 1, 0));
    QWidget::keyPressEvent(event);
}

bool TimingRooflineView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const int dot = message_.isEmpty() ? dotAt(help->pos()) : -1;
    if (dot < 0) {
        QToolTip::hideText();
        return true;
    }
    const RooflineDot& shown = dots_[size_t(dot)];
    QToolTip::showText(
        help->globalPos(),
        tr("%1\n%2, %3\n%4 operations for each byte\n%5 % of the %6 bound")
            .arg(shown.name, rate_text(shown.point.flops, QStringLiteral("FLOP/s")),
                 rate_text(shown.point.bandwidth, QStringLiteral("B/s")), significant_text(shown.point.intensity, 3),
                 number_text(shown.point.share * 100, 1), shown.point.memory_bound ? tr("memory") : tr("compute")));
    return true;
}

}  // namespace partita
