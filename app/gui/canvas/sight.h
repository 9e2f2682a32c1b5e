// Where one looks on a canvas: zoom and place, chosen by the program or by a person.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include <QPointF>
#include <QRectF>

class QWidget;

namespace partita {

class Sight {
public:
    static constexpr int kFitMargin = 36;  ///< that fitting leaves on each side, in pixels

    /// The room is that of `view`; `changed` is called after each change.
    Sight(const QWidget& view, std::function<void()> changed);

    double zoom() const { return zoom_; }
    const QPointF& offset() const { return offset_; }
    QPointF toWidget(const QPointF& graph_point) const { return graph_point * zoom_ + offset_; }
    QPointF toGraph(const QPointF& widget_point) const { return (widget_point - offset_) / zoom_; }
    QRectF visibleArea() const;
    /// The view's middle.
    QPointF middle() const;
    bool isFirst() const { return kind_ == Kind::First; }
    bool isWhole() const { return kind_ == Kind::Whole; }
    /// Whether a person moved or zoomed, and did not let it be fitted since.
    bool isOwn() const { return kind_ == Kind::Own; }
    /// Whether the first graph was put in view at a real size.
    bool wasLookedAt() const { return looked_at_; }

    /// The graph's; none without a graph. Some of it always stays in sight.
    void setBounds(std::optional<QRectF> bounds) { bounds_ = bounds; }
    /// The part that is looked at first where not all of the graph can be: the layers of a network; none: the
    /// beginning.
    void setHeart(std::optional<QPointF> heart) { heart_ = heart; }
    /// Where a graph goes on to the right it begins at the left.
    void setLeftToRight(bool on) { left_to_right_ = on; }
    /// The size of type in the window; the graph's text grows with it, round the middle of what is seen.
    void setTypeSize(double size);
    /// In a presentation fitting makes a small graph larger.
    void setPresented(bool on) { presented_ = on; }

    /// Returns how large a graph is at first sight: all of it where its text stays readable, else as wide as the view.
    double firstZoom() const;
    double largestFit() const;
    /// Below this, nodes are dots: what shall be seen is shown at readZoom instead.
    double smallestReadableZoom() const;
    double readZoom() const;
    /// The same where nothing is presented.
    double smallestPlainZoom() const;
    double plainReadZoom() const;
    /// The zoom at which an area fills the view but for a margin.
    double zoomToFill(const QRectF& area) const;
    /// The part of the graph that counts as seen: what was fitted is.
    QRectF comfortablyVisible() const;

    void look(double zoom, const QPointF& offset);
    /// Moves on without a person's doing.
    void shift(const QPointF& by);
    void zoomAt(double zoom, const QPointF& fixed_widget_point);
    void zoomBy(double factor) { zoomAt(zoom_ * factor, middle()); }
    void pan(const QPointF& by) { look(zoom_, offset_ + by); }
    void centreOn(const QPointF& graph_point) { centreOn(graph_point, zoom_); }
    void centreOn(const QPointF& graph_point, double zoom);
    void fitArea(const QRectF& area);
    void fit();
    /// The first sight of a graph: all of it where its text stays readable, else its beginning.
    void lookAtFirst();
    /// Where the graph is looked at first, in place of the program's choice; at once where it was looked at already.
    void lookFirstAt(double zoom, const QPointF& centre);
    /// Shows the top of the graph at a size; `first` is the point where it begins.
    void lookAtBeginning(double zoom, const QPointF& first);

private:
    enum class Kind : uint8_t { First, Whole, Own };
    void limitOffset();

    const QWidget& view_;
    std::function<void()> changed_;
    std::optional<QRectF> bounds_;
    std::optional<QPointF> heart_;
    double type_size_ = 1;
    bool presented_ = false;
    bool left_to_right_ = false;
    bool looked_at_ = false;
    Kind kind_ = Kind::First;
    std::optional<std::pair<double, QPointF>> wanted_;  ///< the zoom and the middle
    double zoom_ = 1;
    QPointF offset_;
};

}  // namespace partita
