// Edges on a canvas: which one lies under the pointer, the one that is chosen, and dragging either of its ends to
// another node.
#pragma once

#include <functional>
#include <optional>

#include <QPointF>
#include <QString>

class QColor;
class QPainter;

namespace partita {

class GraphView;

/// An input of a node, to which the head of an edge may go.
struct InputSlot {
    uint32_t index = 0;  ///< of the operand
    QString label;
    bool fits = false;  ///< its type is that of the value, and no cycle would arise
};

class EdgeDrag {
public:
    /// Which input of a node the edge's head goes to at `across` (0: left border, 1: right border); none: it takes
    /// none.
    using InputFinder = std::function<std::optional<InputSlot>(quint32 edge, quint32 node, double across)>;
    /// Why a node can't be the source of an edge; empty where it can.
    using SourceObstacle = std::function<QString(quint32 edge, quint32 node)>;

    explicit EdgeDrag(GraphView& view) : view_(view) {}

    int64_t edgeAt(const QPointF& position) const;
    int64_t chosen() const { return chosen_; }
    void choose(int64_t edge);
    /// Edges can be chosen, and their ends be dragged.
    void setEditable(bool editable);
    void setInputFinder(InputFinder finder) { input_finder_ = std::move(finder); }
    void setSourceObstacle(SourceObstacle obstacle) { source_obstacle_ = std::move(obstacle); }
    /// Chooses the next of the edges that enter a node.
    void chooseNextInput(uint32_t node);
    /// Another graph is shown.
    void forget();

    /// Chooses the edge there, and begins to drag the end that is nearer; false where there is none.
    bool press(const QPointF& position);
    /// Chooses the edge there without dragging it.
    void pressRight(const QPointF& position) { choose(editable_ ? edgeAt(position) : -1); }
    void drag(const QPointF& position) { dragged_to_ = position; }
    void release(const QPointF& position);
    void hover(const QPointF& position);
    /// Over the graph, in its coordinates.
    void paint(QPainter& painter) const;

private:
    enum class End : uint8_t { None, Source, Head };

    bool nearerToHead(uint32_t edge, const QPointF& position) const;
    std::optional<InputSlot> slotUnder(const QPointF& position) const;
    void paintEdge(QPainter& painter, int64_t edge, double width) const;
    void paintDraggedSource(QPainter& painter, const QPointF& to) const;
    void paintDraggedHead(QPainter& painter, const QPointF& to) const;
    void paintTag(QPainter& painter, const QPointF& tip, const QString& words, const QColor& colour) const;
    /// A width on the screen, in the graph's coordinates.
    double thin(double width) const;

    GraphView& view_;
    InputFinder input_finder_;
    SourceObstacle source_obstacle_;
    bool editable_ = false;
    int64_t hovered_ = -1, chosen_ = -1;
    End end_ = End::None;
    std::optional<QPointF> dragged_to_;
};

}  // namespace partita
