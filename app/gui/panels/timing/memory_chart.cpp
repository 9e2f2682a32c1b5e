#include "app/gui/panels/timing/memory_chart.h"

#include <algorithm>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"

namespace partita {

MemoryPicture memory_picture(std::shared_ptr<const RunReport> report) {
    MemoryPicture picture;
    const MemoryUse& memory = report->memory;
    picture.live = memory.live_bytes();
    picture.peak = memory.peak_step();
    const size_t steps = memory.steps.size();
    const auto layer_of = [&](int region) -> MemoryPicture::Layer& {
        const bool known = region >= 0 && size_t(region) < report->regions.size();
        const std::string backend = known ? report->regions[size_t(region)].backend : "default";
        for (MemoryPicture::Layer& layer : picture.layers)
            if (layer.backend == backend) return layer;
        return picture.layers.emplace_back(MemoryPicture::Layer{backend, std::vector<size_t>(steps + 1)});
    };
    // First what each step adds and takes away, in numbers that wrap round; then the sums.
    for (const MemoryUse::Block& block : memory.blocks) {
        if (block.first >= steps) continue;
        std::vector<size_t>& bytes = layer_of(block.owner.region).bytes;
        bytes[block.first] += block.bytes;
        bytes[std::min<size_t>(block.last + size_t(1), steps)] -= block.bytes;
    }
    for (MemoryPicture::Layer& layer : picture.layers) {
        for (size_t i = 1; i < steps; ++i) layer.bytes[i] += layer.bytes[i - 1];
        layer.bytes.resize(steps);
    }
    picture.report = std::move(report);
    return picture;
}

QString memory_name(const MemoryUse::Step& step) {
    const QString name = shown_name(step.name);
    return step.number ? QStringLiteral("%1 #%2").arg(name).arg(step.number) : name;
}

MemoryChart::MemoryChart(QWidget* parent) : QWidget(parent), theme_(make_theme(false, PaletteChoice::OkabeIto)) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Memory at each step"));
    setMinimumSize(200, 80);
}

void MemoryChart::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

void MemoryChart::setPicture(std::shared_ptr<const MemoryPicture> picture, std::vector<int> colours) {
    picture_ = std::move(picture);
    colours_ = std::move(colours);
    step_ = std::min(step_, steps() ? steps() - 1 : 0);
    update();
}

void MemoryChart::setStep(size_t step) {
    if (step >= steps()) return;
    step_ = step;
    setAccessibleDescription(
        tr("Step %1 of %2: %3").arg(step + 1).arg(steps()).arg(bytes_text(double(picture_->live[step]))));
    update();
}

QRectF MemoryChart::area() const {
    const QFontMetrics metrics(font());
    const int left = metrics.horizontalAdvance(QStringLiteral("000,00 MB")) + 14;
    return QRectF(rect()).adjusted(left, metrics.height() / 2.0 + 4, -14, -metrics.height() - 8);
}

double MemoryChart::xOf(size_t step) const { return area().left() + area().width() * double(step) / double(steps()); }

size_t MemoryChart::stepAt(double x) const {
    const double share = std::clamp((x - area().left()) / std::max(area().width(), 1.0), 0.0, 1.0);
    return std::min(size_t(share * double(steps())), steps() - 1);
}

/// A column of pixels stands for many steps of a long run: it shows the one with the most.
void MemoryChart::paintLayers(QPainter& painter, double top) const {
    const QRectF area = this->area();
    painter.setPen(Qt::NoPen);
    const auto column = [&](size_t step, double left, double right) {
        double below = area.bottom();
        for (size_t i = 0; i < picture_->layers.size(); ++i) {
            const double height = area.height() * double(picture_->layers[i].bytes[step]) / top;
            if (height <= 0) continue;
            painter.setBrush(theme_.backend_colours(i < colours_.size() ? colours_[i] : -1).strong);
            painter.drawRect(QRectF(left, below - height, right - left, height));
            below -= height;
        }
    };
    const auto columns = size_t(std::max(area.width(), 1.0));
    if (steps() <= columns) {
        for (size_t i = 0; i < steps(); ++i) column(i, xOf(i), xOf(i + 1));
        return;
    }
    for (size_t x = 0; x < columns; ++x) {
        const size_t first = x * steps() / columns, end = std::max((x + 1) * steps() / columns, first + 1);
        const auto most =
            std::max_element(picture_->live.begin() + ptrdiff_t(first), picture_->live.begin() + ptrdiff_t(end));
        column(size_t(most - picture_->live.begin()), area.left() + double(x), area.left() + double(x) + 1);
    }
}

void MemoryChart::paintAxes(QPainter& painter, double top) const {
    const QRectF area = this->area();
    const QFontMetrics metrics(font());
    painter.setPen(theme_.border);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    for (const double share : {0.0, 0.5, 1.0}) {
        const double y = area.bottom() - area.height() * share;
        painter.setPen(QPen(theme_.border, 1, share > 0 ? Qt::DotLine : Qt::SolidLine));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(theme_.muted_text);
        painter.drawText(QRectF(4, y - metrics.height() / 2.0, area.left() - 10, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, bytes_text(top * share));
    }
    painter.drawText(QRectF(area.left(), area.bottom() + 4, area.width(), metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("step 1"));
    painter.drawText(QRectF(area.left(), area.bottom() + 4, area.width(), metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, QString::number(steps()));
}

void MemoryChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_.base);
    if (!steps()) return;
    const double top = std::max<double>(double(picture_->live[picture_->peak]), 1);
    paintAxes(painter, top);
    paintLayers(painter, top);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = this->area();
    const auto middle = [this](size_t step) { return (xOf(step) + xOf(step + 1)) / 2; };
    const double peak = middle(picture_->peak);
    painter.setBrush(theme_.error);
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(QPolygonF({{peak - 5, area.top() - 7}, {peak + 5, area.top() - 7}, {peak, area.top() - 1}}));
    painter.setPen(QPen(theme_.text, hasFocus() ? 2 : 1));
    painter.drawLine(QPointF(middle(step_), area.top()), QPointF(middle(step_), area.bottom()));
}

void MemoryChart::choose(size_t step) {
    if (!steps()) return;
    setStep(std::min(step, steps() - 1));
    emit stepChosen(step_);
}

void MemoryChart::mousePressEvent(QMouseEvent* event) {
    if (steps() && event->button() == Qt::LeftButton) choose(stepAt(event->position().x()));
}

void MemoryChart::mouseMoveEvent(QMouseEvent* event) {
    if (steps() && (event->buttons() & Qt::LeftButton)) choose(stepAt(event->position().x()));
}

void MemoryChart::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left: return choose(step_ ? step_ - 1 : 0);
        case Qt::Key_Right: return choose(step_ + 1);
        case Qt::Key_Home: return choose(0);
        case Qt::Key_End: return choose(steps() ? steps() - 1 : 0);
        case Qt::Key_P: return choose(picture_ ? picture_->peak : 0);
        default: QWidget::keyPressEvent(event);
    }
}

bool MemoryChart::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !steps()) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const size_t step = stepAt(help->pos().x());
    QStringList lines{tr("Step %1: %2, %3")
                          .arg(step + 1)
                          .arg(memory_name(picture_->report->memory.steps[step]))
                          .arg(bytes_text(double(picture_->live[step])))};
    for (const MemoryPicture::Layer& layer : picture_->layers)
        if (layer.bytes[step])
            lines << QStringLiteral("%1: %2").arg(shown_name(layer.backend), bytes_text(double(layer.bytes[step])));
    QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')));
    return true;
}

}  // namespace partita
