#include "app/gui/canvas/sight.h"

#include <algorithm>

#include <QWidget>

namespace partita {

namespace {

constexpr double kSmallestZoom = 0.005, kLargestZoom = 4.0;
/// How large fitting may make a small graph, 1 being the size of type in the window; and in a presentation.
/// At this zoom titles are eight pixels high: what is that large is seen as a whole at first.
constexpr double kReadableWhole = 0.42;
constexpr double kLargestFit = 1.25, kLargestPresented = 2.4;
/// All of them grow with the window's type.
constexpr double kSmallestReadableZoom = 0.25, kReadZoom = 0.7, kPresentedReadZoom = 1.4;

double possible(double zoom) { return std::clamp(zoom, kSmallestZoom, kLargestZoom); }

}  // namespace

Sight::Sight(const QWidget& view, std::function<void()> changed) : view_(view), changed_(std::move(changed)) {}

QRectF Sight::visibleArea() const {
    return QRectF(toGraph(QPointF(0, 0)), toGraph(QPointF(view_.width(), view_.height())));
}

QPointF Sight::middle() const { return QPointF(view_.width() / 2.0, view_.height() / 2.0); }

double Sight::zoomToFill(const QRectF& area) const {
    return std::min((view_.width() - 2 * kFitMargin) / area.width(), (view_.height() - 2 * kFitMargin) / area.height());
}

double Sight::firstZoom() const {
    if (!bounds_) return 1;
    const double wide = (view_.width() - 2 * kFitMargin) / std::max(1.0, bounds_->width());
    const double high = (view_.height() - 2 * kFitMargin) / std::max(1.0, bounds_->height());
    const double whole = std::min(wide, high), across = left_to_right_ ? high : wide;
    const double readable = kReadableWhole * type_size_;
    if (whole >= readable) return std::min(whole, largestFit());
    return std::clamp(across, std::min(readable, std::max(whole, 0.12)), 0.85 * type_size_);
}

double Sight::largestFit() const { return type_size_ * (presented_ ? kLargestPresented : kLargestFit); }
double Sight::readZoom() const { return type_size_ * (presented_ ? kPresentedReadZoom : kReadZoom); }
double Sight::smallestReadableZoom() const { return type_size_ * (presented_ ? kReadZoom : kSmallestReadableZoom); }
double Sight::plainReadZoom() const { return type_size_ * kReadZoom; }
double Sight::smallestPlainZoom() const { return type_size_ * kSmallestReadableZoom; }

QRectF Sight::comfortablyVisible() const {
    const double margin = kFitMargin / 2.0 / zoom_;  // less than fitting leaves
    return visibleArea().adjusted(margin, margin, -margin, -margin);
}

void Sight::setTypeSize(double size) {
    const double grown = size / std::exchange(type_size_, size);
    if (grown == 1 || !bounds_) return;
    if (isFirst()) lookAtFirst();
    else if (isWhole()) fit();
    else zoomBy(grown);
}

void Sight::look(double zoom, const QPointF& offset) {
    zoom_ = possible(zoom);
    offset_ = offset;
    kind_ = Kind::Own;
    limitOffset();
    changed_();
}

void Sight::shift(const QPointF& by) {
    offset_ += by;
    limitOffset();
}

void Sight::limitOffset() {
    if (!bounds_ || bounds_->isEmpty()) return;
    const double keep = 60;
    offset_.setX(
        std::clamp(offset_.x(), keep - bounds_->right() * zoom_, view_.width() - keep - bounds_->left() * zoom_));
    offset_.setY(
        std::clamp(offset_.y(), keep - bounds_->bottom() * zoom_, view_.height() - keep - bounds_->top() * zoom_));
}

void Sight::zoomAt(double zoom, const QPointF& fixed) {
    const QPointF point = toGraph(fixed);
    look(zoom, fixed - point * possible(zoom));
}

void Sight::centreOn(const QPointF& point, double zoom) { look(zoom, middle() - point * possible(zoom)); }

void Sight::fitArea(const QRectF& area) {
    if (!area.isEmpty()) centreOn(area.center(), std::min(zoomToFill(area), largestFit()));
}

void Sight::fit() {
    if (!bounds_) return;
    fitArea(*bounds_);
    kind_ = Kind::Whole;
}

void Sight::lookAtFirst() {
    looked_at_ = false;
    if (!bounds_ || view_.width() < 50 || view_.height() < 50) return;
    looked_at_ = view_.isVisible();
    if (wanted_ && looked_at_) {
        const auto [zoom, centre] = *std::exchange(wanted_, std::nullopt);
        return centreOn(centre, zoom);
    }
    const double zoom = firstZoom();
    const double length = left_to_right_ ? bounds_->width() : bounds_->height();
    const double room = left_to_right_ ? view_.width() : view_.height();
    QPointF offset = middle() - bounds_->center() * zoom;
    if (zoom < kReadableWhole * type_size_ || length * zoom > room - 2 * kFitMargin + 1) {
        if (heart_) offset = middle() - *heart_ * zoom;
        else if (left_to_right_) offset.setX(kFitMargin - bounds_->left() * zoom);
        else offset.setY(kFitMargin - bounds_->top() * zoom);
    }
    look(zoom, offset);
    kind_ = Kind::First;
}

void Sight::lookFirstAt(double zoom, const QPointF& centre) {
    wanted_ = {zoom, centre};
    if (looked_at_) lookAtFirst();
}

void Sight::lookAtBeginning(double zoom, const QPointF& first) {
    if (left_to_right_) {
        const double beside = bounds_->height() * zoom <= view_.height() ? bounds_->center().y() : first.y();
        return look(zoom, QPointF(kFitMargin - bounds_->left() * zoom, view_.height() / 2.0 - beside * zoom));
    }
    const double across = bounds_->width() * zoom <= view_.width() ? bounds_->center().x() : first.x();
    look(zoom, QPointF(view_.width() / 2.0 - across * zoom, kFitMargin - bounds_->top() * zoom));
}

}  // namespace partita
