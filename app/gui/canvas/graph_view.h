// The canvas: shows one graph with pan, zoom, selection, keyboard travel along edges and animated change of layout.
//
// One widget paints all that is visible through a spatial index; there is no object for each node. It knows the graph
// picture only, no document: what a person does leaves as signals.
#pragma once

#include <memory>

#include <QWidget>

#include "app/gui/canvas/edge_drag.h"
#include "app/gui/canvas/graph_painter.h"
#include "app/gui/canvas/graph_paper.h"
#include "app/gui/canvas/graph_picture.h"
#include "app/gui/canvas/layout_move.h"
#include "app/gui/canvas/sight.h"

namespace partita {

class Minimap;

using GraphDecorationPtr = std::shared_ptr<const GraphDecoration>;

class GraphView : public QWidget {
    Q_OBJECT

public:
    explicit GraphView(QWidget* parent = nullptr);

    // What is shown.
    void setTheme(const Theme& theme);
    /// Shows a graph or a new layout of the same one; `animated` moves nodes that stay to their new places.
    /// `now` says for each node that was shown which node it is now (-1: none); null: those of the same expression.
    void showGraph(GraphModelPtr model, GraphGeometryPtr geometry, GraphDecorationPtr decoration, bool animated,
                   const std::vector<int32_t>* now = nullptr);
    /// Changes colours and outlines only. `stale_clusters`: the layout is of an older division.
    void setDecoration(GraphDecorationPtr decoration, bool stale_clusters);
    void setHighlighted(std::vector<uint8_t> highlighted);
    const std::vector<uint8_t>& highlighted() const { return marks_.highlighted; }
    void setEdgeTypesShown(bool shown);
    /// Edges as wide as what flows along them is large.
    void setEdgeWidthsShown(bool shown);
    /// What is shown, in the colours of a theme, to be drawn elsewhere. Only with a graph.
    GraphPaper paper(const Theme& theme, const QString& title = QString()) const;
    /// The whole graph at twice its size on the screen; of one too large for that, what is visible.
    QImage picture();
    void setMinimapShown(bool shown);
    bool hasGraph() const { return model_ != nullptr && geometry_ != nullptr; }
    const GraphModelPtr& model() const { return model_; }
    const GraphGeometry& geometry() const;
    const GraphDecorationPtr& decoration() const { return decoration_; }
    const Theme& theme() const { return theme_; }

    // Selection, by node.
    std::vector<uint32_t> selectedNodes() const;
    void selectNodes(const std::vector<uint32_t>& nodes);
    int64_t currentNode() const { return marks_.current; }
    void setCurrentNode(int64_t node);
    int64_t nodeAt(const QPointF& position) const;
    int64_t nodeOfBoxAt(const QPointF& position) const;

    // Edges: one can be chosen, and each of its ends dragged to another node where that is allowed.
    EdgeDrag& edges() { return edges_; }
    int64_t edgeAt(const QPointF& position) const { return edges_.edgeAt(position); }
    int64_t currentEdge() const { return edges_.chosen(); }
    void setCurrentEdge(int64_t edge) { edges_.choose(edge); }
    /// The next of the edges that enter the node with the keyboard's focus.
    void chooseNextInputEdge();
    /// In the graph's coordinates.
    QPointF middleOfEdge(uint32_t edge) const;

    // Where one looks.
    double zoom() const { return sight_.zoom(); }
    QRectF visibleArea() const { return sight_.visibleArea(); }
    QPointF toWidget(const QPointF& graph_point) const { return sight_.toWidget(graph_point); }
    QPointF toGraph(const QPointF& widget_point) const { return sight_.toGraph(widget_point); }
    void setZoom(double zoom, const QPointF& fixed_widget_point) { sight_.zoomAt(zoom, fixed_widget_point); }
    /// Whether a person moved or zoomed, and did not let it be fitted since.
    bool hasOwnSight() const { return sight_.isOwn(); }
    /// Where the graph is looked at first, in place of the program's choice; at once where it was looked at already.
    void lookFirstAt(double zoom, const QPointF& centre) { sight_.lookFirstAt(zoom, centre); }
    /// Returns how large the graph is at first sight.
    double firstZoom() const { return sight_.firstZoom(); }
    /// Shows the top of the graph at a size.
    void lookAtBeginning(double zoom);
    void centreOn(const QPointF& graph_point) { sight_.centreOn(graph_point); }
    /// Scrolls as little as needed to show these nodes large enough to read; of nodes that lie too far apart for that,
    /// the nearest one.
    void reveal(const std::vector<uint32_t>& nodes);
    /// Shows a node large enough to read all that it says, in the middle where it is not in sight already.
    void lookAt(uint32_t node);
    void fitArea(const QRectF& area) { sight_.fitArea(area); }
    /// Shows an area of the graph, or its beginning, large enough to be read.
    void lookAtTop(const QRectF& area);
    /// In a presentation fitting makes a small graph larger, and Esc is the window's at once.
    void setPresented(bool on);
    /// Esc is for what stands round the graph first, before it lets go of the selection.
    void setEscapePassedOn(bool on) { escape_passed_on_ = on; }

public slots:
    void fit() { sight_.fit(); }
    void fitSelection();
    void zoomIn();
    void zoomOut();
    void zoomToActualSize();
    void selectAll();
    void clearSelection();
    /// Adds all nodes that the selection depends on, or that depend on it.
    void selectProducers();
    void selectUsers();

signals:
    /// A person changed the selection.
    void selectionEdited();
    /// Enter or a double click.
    void nodeActivated(quint32 node);
    void contextMenuRequested(const QPoint& global_position);
    void currentEdgeChanged();
    /// A person dragged an edge to another node, which shall be its source.
    void edgeDropped(quint32 edge, quint32 node);
    /// A person dragged the head of an edge to an input of a node, which shall be fed by its source.
    void edgeHeadDropped(quint32 edge, quint32 node, quint32 input);
    void viewChanged();
    void graphChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    enum class Drag { None, Pan, RubberBand, Edge };

    std::vector<int32_t> nodesNow(const GraphModelPtr& model, const std::vector<int32_t>* known) const;
    void lookAtNext(const GraphGeometry& old_geometry, const std::vector<int32_t>& now);
    int64_t keepPlace(const GraphGeometry& old_geometry, const std::vector<int32_t>& now);
    bool anyNodeVisible() const;
    std::optional<QPointF> largestRun() const;
    uint32_t nearestToMiddle(const std::vector<uint32_t>& nodes) const;
    void moveFrom(const GraphGeometry& old_geometry, const std::vector<int32_t>& now, const Sight& old_sight);
    void travel(int key, bool extend);
    int64_t neighbourAlong(uint32_t node, int key) const;
    void press(int64_t node, Qt::KeyboardModifiers modifiers);
    void finishRubberBand(Qt::KeyboardModifiers modifiers);
    void selectReachable(bool producers);
    QString tooltipFor(uint32_t node) const;
    void announceCurrent();

    Theme theme_;
    GraphModelPtr model_;
    GraphGeometryPtr geometry_;
    GraphDecorationPtr decoration_;
    PaintMarks marks_;
    PaintOptions shown_;
    Sight sight_;
    LayoutMove move_;
    EdgeDrag edges_{*this};
    Drag drag_ = Drag::None;
    QPointF press_position_, last_position_;
    QRectF rubber_band_;
    bool moved_ = false;
    bool presented_ = false;
    bool escape_passed_on_ = false;
    Minimap* minimap_ = nullptr;
};

}  // namespace partita
