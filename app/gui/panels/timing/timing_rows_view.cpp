#include "app/gui/panels/timing/timing_rows_view.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

namespace partita {

namespace {

constexpr int kRowsMargin = 8;
constexpr double kMostZoom = 1e6, kZoomStep = 1.4;

/// A round step (1, 2 or 5 times a power of ten) that leaves about `room` pixels between ticks.
double tick_step(double pixels_for_a_millisecond, double room) {
    const double wanted = room / pixels_for_a_millisecond;
    const double power = std::pow(10, std::floor(std::log10(wanted)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= wanted) return factor * power;
    return 10 * power;
}

}  // namespace

TimingRowsView::TimingRowsView(const QString& name, QWidget* parent)
    : QAbstractScrollArea(parent), theme_(make_theme(false, PaletteChoice::OkabeIto)) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(name);
    setAccessibleDescription(tr("Arrow keys choose a bar, plus and minus zoom, 0 shows all."));
    viewport()->setMouseTracking(true);
    connect(horizontalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
}

void TimingRowsView::setTheme(const Theme& theme) {
    theme_ = theme;
    viewport()->update();
}

void TimingRowsView::setRows(TimingRows rows) {
    rows_ = std::move(rows);
    current_ = {};
    zoom_ = 1;
    QStringList regions;
    const size_t count = rows_.report ? rows_.report->regions.size() : 0;
    for (size_t i = 0; i < std::min(count, size_t(TellingNames::kMostCompared)); ++i)
        regions << shown_name(rows_.report->regions[i].shown());
    names_ = TellingNames(regions);
    measureNames();
    findMarked();
}

void TimingRowsView::setBackends(std::vector<int> backends) {
    if (backends == backends_) return;
    backends_ = std::move(backends);
    viewport()->update();
}

void TimingRowsView::setCurrent(int region, ExprId origin) {
    region_ = region;
    origin_ = origin;
    if (current_.valid() && !isMarked(rows_.rows[size_t(current_.row)].bars[size_t(current_.bar)])) current_ = {};
    findMarked();
}

void TimingRowsView::findMarked() {
    marked_.assign(rows_.rows.size(), {});
    for (size_t row = 0; row < rows_.rows.size(); ++row)
        for (size_t bar = 0; bar < rows_.rows[row].bars.size(); ++bar)
            if (isMarked(rows_.rows[row].bars[bar])) marked_[row].push_back(int(bar));
    viewport()->update();
}

void TimingRowsView::measureNames() {
    name_width_ = 2 * kRowsMargin;
    for (const TimingRow& row : rows_.rows)
        name_width_ = std::max(name_width_, fontMetrics().horizontalAdvance(row.name) + 2 * kRowsMargin);
    updateRange();
}

int TimingRowsView::rowHeight() const { return fontMetrics().height() + 8; }
int TimingRowsView::axisHeight() const { return fontMetrics().height() + 8; }

double TimingRowsView::scale() const {
    const double room = std::max(viewport()->width() - nameWidth() - kRowsMargin, 20);
    return rows_.duration > 0 ? room * zoom_ / rows_.duration : 1;
}

double TimingRowsView::toX(double milliseconds) const {
    return nameWidth() + milliseconds * scale() - horizontalScrollBar()->value();
}

void TimingRowsView::updateRange() {
    const int room = std::max(viewport()->width() - nameWidth() - kRowsMargin, 20);
    horizontalScrollBar()->setRange(0, std::max(0, int(std::min(rows_.duration * scale(), 1e9)) - room));
    horizontalScrollBar()->setPageStep(room);
    horizontalScrollBar()->setSingleStep(40);
    const int height = axisHeight() + int(rows_.rows.size()) * rowHeight();
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(rowHeight());
}

void TimingRowsView::resizeEvent(QResizeEvent*) { updateRange(); }

void TimingRowsView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) measureNames();
    QAbstractScrollArea::changeEvent(event);
}

QRectF TimingRowsView::barRect(int row, int bar) const {
    const TimingBarItem& item = rows_.rows[size_t(row)].bars[size_t(bar)];
    const double top = axisHeight() + row * rowHeight() - verticalScrollBar()->value();
    return {toX(item.start), top + 2, std::max(item.duration * scale(), 1.0), rowHeight() - 4.0};
}

bool TimingRowsView::isMarked(const TimingBarItem& bar) const {
    if (bar.look == TimingBarItem::Look::Unknown || bar.look == TimingBarItem::Look::Thread) return false;
    if (origin_.valid()) return bar.origin == origin_;
    return region_ >= 0 && bar.region == region_;
}

QColor TimingRowsView::colourOf(const TimingBarItem& bar) const {
    switch (bar.look) {
        case TimingBarItem::Look::Thread: return blend(theme_.muted_text, theme_.base, 0.35);
        case TimingBarItem::Look::Unknown: return theme_.border;
        case TimingBarItem::Look::Extra: return theme_.warning;
        default: break;
    }
    const int backend = bar.region >= 0 && size_t(bar.region) < backends_.size() ? backends_[size_t(bar.region)] : -1;
    const BackendColours colours = theme_.backend_colours(backend);
    return bar.look == TimingBarItem::Look::Region ? colours.strong : blend(colours.strong, theme_.base, 0.72);
}

void TimingRowsView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme_.base);
    if (!rows_.report) return;  // not made yet
    if (rows_.rows.empty()) {
        painter.setPen(theme_.muted_text);
        painter.drawText(viewport()->rect(), Qt::AlignCenter,
                         tr("This run left no timeline: the module has control flow."));
        return;
    }
    painter.setClipRect(QRect(nameWidth(), 0, viewport()->width(), viewport()->height()));
    paintAxis(painter);
    painter.setClipRect(QRect(0, axisHeight(), viewport()->width(), viewport()->height()));
    for (int row = 0; row < int(rows_.rows.size()); ++row) paintRow(painter, row);
}

void TimingRowsView::paintAxis(QPainter& painter) const {
    const double step = tick_step(scale(), fontMetrics().horizontalAdvance(QStringLiteral("00000.000 ms")) + 16);
    const double first = std::floor(horizontalScrollBar()->value() / scale() / step) * step;
    for (double at = first; at <= rows_.duration && toX(at) < viewport()->width(); at += step) {
        painter.setPen(theme_.border);
        painter.drawLine(QPointF(toX(at), 4), QPointF(toX(at), viewport()->height()));
        painter.setPen(theme_.muted_text);
        const QString text = tick_text(at, step, rows_.duration);
        const double left = toX(at) + 4, width = fontMetrics().horizontalAdvance(text);
        if (left + width > viewport()->width()) break;  // its bar is there, and half a figure says nothing
        painter.drawText(QRectF(left, 0, width + 1, axisHeight()), Qt::AlignVCenter | Qt::AlignLeft, text);
    }
}

void TimingRowsView::paintRow(QPainter& painter, int row) const {
    const std::vector<TimingBarItem>& bars = rows_.rows[size_t(row)].bars;
    const double top = axisHeight() + row * rowHeight() - verticalScrollBar()->value();
    if (top > viewport()->height() || top + rowHeight() < 0) return;
    painter.save();
    painter.setClipRect(QRect(nameWidth(), axisHeight(), viewport()->width(), viewport()->height()), Qt::IntersectClip);
    for (int bar = firstEndingAfter(row, nameWidth()); bar < int(bars.size());) {
        const QRectF box = barRect(row, bar);
        if (box.left() > viewport()->width()) break;
        paintBar(painter, bars[size_t(bar)], box);
        bar = std::max(bar + 1, firstEndingAfter(row, box.right()));  // what ends before is hidden behind it
    }
    const std::vector<int>& marked = marked_[size_t(row)];
    for (auto bar = std::lower_bound(marked.begin(), marked.end(), firstEndingAfter(row, nameWidth()));
         bar != marked.end();) {
        const QRectF box = barRect(row, *bar);
        if (box.left() > viewport()->width()) break;
        paintMark(painter, box, false);
        bar = std::lower_bound(bar + 1, marked.end(), firstEndingAfter(row, box.right()));
    }
    if (current_.row == row) paintMark(painter, barRect(row, current_.bar), true);
    painter.restore();
    painter.setPen(theme_.muted_text);
    painter.drawText(QRectF(kRowsMargin, top, nameWidth() - kRowsMargin, rowHeight()), Qt::AlignVCenter | Qt::AlignLeft,
                     rows_.rows[size_t(row)].name);
}

/// The first bar of a row that ends at `x` or to the right of it.
int TimingRowsView::firstEndingAfter(int row, double x) const {
    const std::vector<TimingBarItem>& bars = rows_.rows[size_t(row)].bars;
    const double at = (x - toX(0)) / scale();
    return int(std::partition_point(bars.begin(), bars.end(),
                                    [at](const TimingBarItem& bar) { return bar.start + bar.duration < at; }) -
               bars.begin());
}

void TimingRowsView::paintMark(QPainter& painter, const QRectF& box, bool current) const {
    painter.setPen(QPen(theme_.selection, current ? 3 : 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(1, 1, -1, -1));
}

void TimingRowsView::paintBar(QPainter& painter, const TimingBarItem& bar, const QRectF& box) const {
    const QColor colour = colourOf(bar);
    if (bar.look == TimingBarItem::Look::Unknown) {
        painter.fillRect(box, QBrush(colour, Qt::BDiagPattern));
        return;
    }
    painter.fillRect(box, colour);
    if (box.width() > 3) {
        painter.setPen(theme_.base);
        painter.drawLine(box.topRight(), box.bottomRight());
    }
    // The name stays readable while the bar's start is scrolled away.
    const QRectF visible = box.intersected(QRectF(nameWidth(), 0, viewport()->width(), viewport()->height()));
    if (visible.width() < 28) return;
    painter.setPen(readable_on(colour));
    painter.drawText(visible.adjusted(5, 0, -3, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     names_.elided(rows_.name(bar), fontMetrics(), int(visible.width()) - 8));
}

TimingRowsView::Place TimingRowsView::placeAt(const QPoint& point) const {
    const int row = (point.y() + verticalScrollBar()->value() - axisHeight()) / rowHeight();
    if (point.y() < axisHeight() || point.x() < nameWidth() || row >= int(rows_.rows.size())) return {};
    const std::vector<TimingBarItem>& bars = rows_.rows[size_t(row)].bars;
    Place nearest;
    double distance = 3;  // pixels that a click may miss a narrow bar by
    for (int i = firstEndingAfter(row, point.x() - distance); i < int(bars.size()); ++i) {
        const QRectF box = barRect(row, i);
        if (box.left() > point.x() + distance) break;
        const double off = point.x() < box.left()    ? box.left() - point.x()
                           : point.x() > box.right() ? point.x() - box.right()
                                                     : 0;
        if (off < distance) {
            nearest = {row, i};
            distance = off;
        }
        if (off == 0) break;
    }
    return nearest;
}

void TimingRowsView::choose(Place place) {
    if (!place.valid()) return;
    current_ = place;
    const TimingBarItem& bar = rows_.rows[size_t(place.row)].bars[size_t(place.bar)];
    region_ = bar.region;
    origin_ = bar.origin;
    findMarked();
    reveal(place);
    emit chosen(bar.region, bar.origin);
}

void TimingRowsView::reveal(Place place) {
    const QRectF box = barRect(place.row, place.bar);
    if (box.right() < nameWidth() || box.left() > viewport()->width())
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() + int(box.left()) - nameWidth() - 40);
    if (box.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + int(box.bottom()) - viewport()->height() + 4);
    if (box.top() < axisHeight())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + int(box.top()) - axisHeight());
}

void TimingRowsView::moveInRow(int by) {
    if (rows_.rows.empty()) return;
    if (!current_.valid()) {
        const int row = rows_.rows[0].bars.empty() && rows_.rows.size() > 1 ? 1 : 0;
        return choose({row, rows_.rows[size_t(row)].bars.empty() ? -1 : 0});
    }
    const int last = int(rows_.rows[size_t(current_.row)].bars.size()) - 1;
    choose({current_.row, std::clamp(current_.bar + by, 0, last)});
}

/// To the bar of the next row that stands under the middle of this one.
void TimingRowsView::moveToRow(int by) {
    if (!current_.valid()) return moveInRow(0);
    const TimingBarItem& from = rows_.rows[size_t(current_.row)].bars[size_t(current_.bar)];
    const double middle = from.start + from.duration / 2;
    for (int row = current_.row + by; row >= 0 && row < int(rows_.rows.size()); row += by) {
        const std::vector<TimingBarItem>& bars = rows_.rows[size_t(row)].bars;
        if (bars.empty()) continue;
        auto after = std::upper_bound(bars.begin(), bars.end(), middle,
                                      [](double at, const TimingBarItem& bar) { return at < bar.start; });
        return choose({row, std::max(int(after - bars.begin()) - 1, 0)});
    }
}

void TimingRowsView::zoomAt(double factor, double x) {
    const double at = (x - nameWidth() + horizontalScrollBar()->value()) / scale();
    zoom_ = std::clamp(zoom_ * factor, 1.0, kMostZoom);
    updateRange();
    horizontalScrollBar()->setValue(int(std::min(at * scale() - (x - nameWidth()), 1e9)));
    viewport()->update();
}

void TimingRowsView::zoomBy(double factor) { zoomAt(factor, nameWidth() + (viewport()->width() - nameWidth()) / 2.0); }

void TimingRowsView::zoomToAll() { zoomBy(1 / zoom_); }

void TimingRowsView::mousePressEvent(QMouseEvent* event) {
    pressed_ = event->pos();
    pressed_scroll_ = horizontalScrollBar()->value();
    dragging_ = false;
}

void TimingRowsView::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton)) return;
    if ((event->pos() - pressed_).manhattanLength() >= QApplication::startDragDistance()) dragging_ = true;
    if (dragging_) horizontalScrollBar()->setValue(pressed_scroll_ - (event->pos().x() - pressed_.x()));
}

void TimingRowsView::mouseReleaseEvent(QMouseEvent* event) {
    if (!dragging_ && event->button() == Qt::LeftButton) choose(placeAt(event->pos()));
    dragging_ = false;
}

void TimingRowsView::wheelEvent(QWheelEvent* event) {
    if (!(event->modifiers() & Qt::ControlModifier)) return QAbstractScrollArea::wheelEvent(event);
    zoomAt(std::pow(kZoomStep, event->angleDelta().y() / 120.0), event->position().x());
    event->accept();
}

void TimingRowsView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left: return moveInRow(-1);
        case Qt::Key_Right: return moveInRow(1);
        case Qt::Key_Up: return moveToRow(-1);
        case Qt::Key_Down: return moveToRow(1);
        case Qt::Key_Plus:
        case Qt::Key_Equal: return zoomBy(kZoomStep);
        case Qt::Key_Minus: return zoomBy(1 / kZoomStep);
        case Qt::Key_0: return zoomToAll();
        default: QAbstractScrollArea::keyPressEvent(event);
    }
}

bool TimingRowsView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const Place place = placeAt(help->pos());
        if (place.valid())
            QToolTip::showText(help->globalPos(), rows_.tip(rows_.rows[size_t(place.row)].bars[size_t(place.bar)]));
        else QToolTip::hideText();
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace partita
