#include "app/gui/panels/timing/timing_chart.h"

#include <algorithm>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include "app/gui/panels/timing/timing_rows.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"

namespace partita {

namespace {

constexpr int kBarHeight = 22, kChartMargin = 10;

}  // namespace

std::vector<TimingBar> bars_of(const RunReport& report) {
    std::vector<TimingBar> bars;
    for (size_t i = 0; i < report.regions.size(); ++i)
        bars.push_back({shown_name(report.regions[i].shown()), report.regions[i].time.median, int(i)});
    std::stable_sort(bars.begin(), bars.end(),
                     [](const TimingBar& a, const TimingBar& b) { return a.milliseconds > b.milliseconds; });
    return bars;
}

TimingChart::TimingChart(QWidget* parent)
    : QAbstractScrollArea(parent), theme_(make_theme(false, PaletteChoice::OkabeIto)) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Time per region"));
    setMinimumWidth(180);
}

void TimingChart::setTheme(const Theme& theme) {
    theme_ = theme;
    viewport()->update();
}

void TimingChart::setBars(std::vector<TimingBar> bars) {
    bars_ = std::move(bars);
    QStringList names;
    for (const TimingBar& bar : bars_) names << bar.name;
    names_ = TellingNames(names);
    current_ = -1;
    updateRange();
    viewport()->update();
}

void TimingChart::setBackends(std::vector<int> backends) {
    backends_ = std::move(backends);
    viewport()->update();
}

void TimingChart::setCurrentRegion(int region) {
    const auto found =
        std::find_if(bars_.begin(), bars_.end(), [region](const TimingBar& bar) { return bar.region == region; });
    current_ = found == bars_.end() ? -1 : int(found - bars_.begin());
    viewport()->update();
}

void TimingChart::updateRange() {
    const int content = int(bars_.size()) * kBarHeight + 2 * kChartMargin;
    verticalScrollBar()->setRange(0, std::max(0, content - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(kBarHeight);
}

void TimingChart::resizeEvent(QResizeEvent*) { updateRange(); }

int TimingChart::barAt(int y) const {
    const int bar = (y + verticalScrollBar()->value() - kChartMargin) / kBarHeight;
    return y + verticalScrollBar()->value() >= kChartMargin && bar < int(bars_.size()) ? bar : -1;
}

void TimingChart::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme_.base);
    if (bars_.empty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const double longest = std::max(bars_.front().milliseconds, 1e-9);
    const QFontMetrics metrics(font());
    const int value_width = metrics.horizontalAdvance(QStringLiteral("0000.000 ms"));
    const int width = viewport()->width() - 2 * kChartMargin - value_width;
    const int first = std::max(0, (verticalScrollBar()->value() - kChartMargin) / kBarHeight);
    for (int i = first; i < int(bars_.size()); ++i) {
        const int top = kChartMargin + i * kBarHeight - verticalScrollBar()->value();
        if (top > viewport()->height()) break;
        const TimingBar& bar = bars_[size_t(i)];
        const BackendColours colours =
            theme_.backend_colours(size_t(bar.region) < backends_.size() ? backends_[size_t(bar.region)] : -1);
        if (i == current_)
            painter.fillRect(QRect(0, top, viewport()->width(), kBarHeight), blend(theme_.accent, theme_.base, 0.18));
        const QRectF box(kChartMargin, top + 3, std::max(2.0, width * bar.milliseconds / longest), kBarHeight - 6);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colours.strong);
        painter.drawRoundedRect(box, 3, 3);
        painter.setPen(theme_.muted_text);
        painter.drawText(QRectF(box.right() + 6, top, value_width, kBarHeight), Qt::AlignVCenter | Qt::AlignLeft,
                         duration_text(bar.milliseconds));
        const QString name = names_.elided(bar.name, metrics, int(box.width()) - 10);
        if (box.width() < 40) continue;
        painter.setPen(colours.on_strong);
        painter.drawText(box.adjusted(6, 0, -4, 0), Qt::AlignVCenter | Qt::AlignLeft, name);
    }
}

void TimingChart::choose(int bar) {
    if (bar < 0 || bar >= int(bars_.size())) return;
    current_ = bar;
    viewport()->update();
    emit regionChosen(bars_[size_t(bar)].region);
}

void TimingChart::mousePressEvent(QMouseEvent* event) { choose(barAt(event->pos().y())); }

void TimingChart::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Down) return choose(std::min(current_ + 1, int(bars_.size()) - 1));
    if (event->key() == Qt::Key_Up) return choose(std::max(current_ - 1, 0));
    QAbstractScrollArea::keyPressEvent(event);
}

bool TimingChart::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        if (const int bar = barAt(help->pos().y()); bar >= 0)
            QToolTip::showText(
                help->globalPos(),
                QStringLiteral("%1: %2").arg(bars_[size_t(bar)].name, duration_text(bars_[size_t(bar)].milliseconds)));
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace partita
