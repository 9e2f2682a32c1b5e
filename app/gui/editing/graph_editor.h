// What a person does to the graph by hand: each command asks for what it needs and hands an edit to the document, which
// makes it one undo step. Says of each command why it can't be used now. Knows the document and the page in front.
#pragma once

#include <functional>

#include <QObject>
#include <QPointer>

#include "app/gui/canvas/graph_page.h"
#include "app/gui/editing/ask_dialog.h"
#include "app/gui/editing/operator_dialog.h"

namespace partita {

class GraphEditor : public QObject {
    Q_OBJECT

public:
    /// `page` gives the page in front, or null. Dialogs stand over `window`.
    GraphEditor(Document& document, std::function<GraphPage*()> page, QWidget* window);

    // Commands.
    void insertOperator();
    void removeSelection();
    void exchangeOperator();
    void cutEdge();
    void rename();
    void renameOutput();
    void changeParameterType();
    void extractFunction();
    void inlineCall();
    void changeFunctionAttribute();
    /// The selection becomes a region of its own, or one region.
    void splitRegion();
    void joinRegions();
    /// False where nothing was copied; why, the document says (editRefused).
    bool copy();
    void paste(PasteAs as);
    /// An edge was dragged to another node.
    void rewire(GraphPage& page, quint32 edge, quint32 node);
    /// The head of an edge was dragged to an input: that is fed by the edge's source from now on. Who was fed before
    /// keeps the value, for no operand can be left out.
    void feed(GraphPage& page, quint32 edge, quint32 node, quint32 input);
    /// The input of a node that takes the head of an edge at `across` of its width: the one there, or the nearest that
    /// fits.
    std::optional<InputSlot> inputAt(const GraphPage& page, quint32 edge, quint32 node, double across) const;

    /// Why a node can't become the source of an edge; empty where it can, though types may still differ.
    QString obstacleToSource(const GraphPage& page, quint32 edge, quint32 node) const;

    // Why a command can't be used now; empty where it can.
    QString obstacleToEdit() const;
    QString obstacleToSelection() const;
    QString obstacleToEdge() const;
    QString obstacleToInsert() const;
    QString obstacleToExchange() const;
    QString obstacleToRename() const;
    QString obstacleToOutput() const;
    QString obstacleToType() const;
    QString obstacleToExtract() const;
    QString obstacleToInline() const;
    QString obstacleToRegions() const;

    /// Follows the edge that is chosen on a page.
    void watch(GraphPage* page);

    /// Whether a dialog is open that will say why an edit was refused.
    bool isAsking() const { return asking_ != nullptr; }

signals:
    /// What can be done may have changed.
    void changed();

private:
    /// The edge that is chosen on the page in front, in terms of the module.
    std::optional<EditEdge> chosenEdge() const;
    std::optional<EditEdge> edgeOf(const GraphPage& page, quint32 edge) const;
    /// What a node depends on, or with `users` what depends on it, itself included; by node. Found once, at the cost of
    /// the graph, and kept: a drag asks with each of its pictures about the same end of its edge.
    const std::vector<bool>& connectedTo(const GraphModelPtr& model, uint32_t node, bool users) const;
    ExprId shownFunction() const;
    std::vector<OperatorPlace> places() const;
    ExprId single() const;
    void ask(const QString& title, const QString& label, const QString& text, std::function<void(const QString&)> done);
    void ask(AskDialog& dialog, std::function<void(const QString&)> done);
    template <typename Dialog>
    void follow(Dialog& dialog);

    Document& document_;
    std::function<GraphPage*()> page_;
    QWidget* window_;
    QPointer<QDialog> asking_;
    struct {
        std::weak_ptr<const GraphModel> model;
        uint32_t node = 0;
        bool users = false;
        std::vector<bool> reached;  ///< by node
    } mutable connected_;
};

}  // namespace partita
