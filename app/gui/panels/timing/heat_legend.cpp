#include "app/gui/panels/timing/heat_legend.h"

#include <QLinearGradient>
#include <QPainter>

#include "app/gui/style/number_text.h"

namespace partita {

namespace {

constexpr int kBarWidth = 90, kGap = 6;

}  // namespace

HeatLegend::HeatLegend(QWidget* parent) : QWidget(parent), theme_(make_theme(false, PaletteChoice::OkabeIto)) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    setToolTip(tr("An operator's colour on the graph stands for its time, from none to the longest one's"));
}

void HeatLegend::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

void HeatLegend::setLongest(double milliseconds) {
    longest_ = milliseconds;
    setAccessibleName(tr("Heat: from 0 to %1").arg(duration_text(longest_)));
    updateGeometry();
    update();
}

QSize HeatLegend::sizeHint() const {
    const QFontMetrics metrics(font());
    const int texts =
        metrics.horizontalAdvance(QStringLiteral("0")) + metrics.horizontalAdvance(duration_text(longest_));
    return {kBarWidth + texts + 2 * kGap + 2, metrics.height() + 4};
}

void HeatLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const int zero = fontMetrics().horizontalAdvance(QStringLiteral("0"));
    const QRect bar(zero + kGap, height() / 2 - 6, kBarWidth, 12);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (const double stop : {0.0, 0.25, 0.5, 0.75, 1.0}) gradient.setColorAt(stop, theme_.heat(stop));
    painter.setPen(theme_.border);
    painter.setBrush(gradient);
    painter.drawRect(bar);
    painter.setPen(theme_.muted_text);
    painter.drawText(QRect(0, 0, zero, height()), Qt::AlignCenter, QStringLiteral("0"));
    painter.drawText(QRect(bar.right() + kGap, 0, width() - bar.right(), height()), Qt::AlignVCenter | Qt::AlignLeft,
                     duration_text(longest_));
}

}  // namespace partita
