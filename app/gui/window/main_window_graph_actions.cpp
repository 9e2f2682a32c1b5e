// The main window's commands that change the graph by hand.
#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>
#include <QTabWidget>

#include "app/gui/diff/diff_page.h"
#include "app/gui/editing/fault_bubble.h"
#include "app/gui/editing/graph_editor.h"
#include "app/gui/window/main_window.h"

namespace partita {

void MainWindow::buildGraphActions() {
    graph_editor_ = new GraphEditor(
        document_, [this] { return currentPage(); }, this);
    QMenu& graph = *menuBar()->addMenu(tr("&Graph"));
    const auto add = [&](const char* name, const QString& text, const QKeySequence& key, const QString& tip,
                         auto method) {
        return addCommand(graph, QLatin1String(name), text, key, tip,
                          [editor = graph_editor_, method] { (editor->*method)(); });
    };
    add("insert-op", tr("&Insert an operator…"), QKeySequence(Qt::Key_I),
        tr("On the chosen edge, after the selection, or as an output"), &GraphEditor::insertOperator);
    QAction* remove = add("delete", tr("&Delete"), QKeySequence(Qt::Key_Delete),
                          tr("Take the selection out; its users get its operands"), &GraphEditor::removeSelection);
    remove->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    removeAction(remove);  // the canvas' alone: elsewhere the key is for text
    pages_->addAction(remove);
    add("exchange-op", tr("E&xchange the operator…"), QKeySequence(Qt::Key_X),
        tr("Call another operator with the same operands"), &GraphEditor::exchangeOperator);
    add("rename", tr("Re&name…"), QKeySequence(Qt::Key_L),
        tr("The selected parameter or operator; with nothing selected, the function"), &GraphEditor::rename);
    add("parameter-type", tr("T&ype of the parameter…"), QKeySequence(), tr("Give the selected parameter another type"),
        &GraphEditor::changeParameterType);
    graph.addSeparator();
    addCommand(graph, QStringLiteral("choose-edge"), tr("&Choose the next input edge"), QKeySequence(Qt::Key_E),
               tr("Of the operator with the keyboard's focus; edges can be clicked, too"),
               [this] { forCurrentView([](GraphView& view) { view.chooseNextInputEdge(); }); });
    add("cut-edge", tr("&Make the edge an input"), QKeySequence(),
        tr("A new parameter takes the place of the edge's source"), &GraphEditor::cutEdge);
    graph.addSeparator();
    add("extract", tr("Make a &function…"), QKeySequence(tr("Ctrl+G")),
        tr("The selection becomes a function, called in its place"), &GraphEditor::extractFunction);
    add("inline", tr("In&line the call"), QKeySequence(tr("Ctrl+Shift+G")),
        tr("Put the body of the called function in the call's place"), &GraphEditor::inlineCall);
    add("function-attribute", tr("Attribute of the f&unction…"), QKeySequence(),
        tr("Set or take away an attribute, such as Compiler"), &GraphEditor::changeFunctionAttribute);
    graph.addSeparator();
    addCommand(graph, QStringLiteral("copy"), tr("C&opy as Relay text"), QKeySequence::Copy,
               tr("Copy the selection as a function"), [this] {
                   if (graph_editor_->copy())
                       statusBar()->showMessage(tr("The selection is on the clipboard as Relay text."), 4000);
               });
    addCommand(graph, QStringLiteral("paste"), tr("&Paste Relay text"), QKeySequence::Paste,
               tr("What is selected becomes its inputs; its result becomes an output"),
               [this] { graph_editor_->paste(PasteAs::Output); });
    addCommand(graph, QStringLiteral("paste-after"), tr("Paste &after the selection"), QKeySequence(tr("Ctrl+Alt+V")),
               tr("Those that use the selection use the result instead"),
               [this] { graph_editor_->paste(PasteAs::Successor); });

    backend_menu_->addSeparator();
    const auto add_region = [&](const char* name, const QString& text, const QKeySequence& key, const QString& tip,
                                auto method) {
        addCommand(*backend_menu_, QLatin1String(name), text, key, tip,
                   [editor = graph_editor_, method] { (editor->*method)(); });
    };
    add_region("split-region", tr("&Split off as a region of its own"), QKeySequence(Qt::Key_K),
               tr("The selection no longer merges with the rest of its region"), &GraphEditor::splitRegion);
    add_region("join-regions", tr("&Join into one region"), QKeySequence(Qt::Key_J),
               tr("The selection goes to the backend of its first operator that has one, and may merge again"),
               &GraphEditor::joinRegions);

    connect(graph_editor_, &GraphEditor::changed, this, &MainWindow::updateGraphActions);
    connect(&document_, &Document::edited, this, [this, was_edited = false](const QString&) mutable {
        statusBar()->clearMessage();  // why the edit before was refused
        updateTitle();
        updateActions();
        const bool read_again =
            was_edited && !document_.isEdited() && document_.undoStack().index() == document_.undoStack().count();
        if (read_again) tellBriefly(tr("The file was read again. Undo brings your own changes back."));
        was_edited = document_.isEdited();
    });
    connect(&document_, &Document::editRefused, this, [this](const QString& message, ExprId place) {
        if (graph_editor_->isAsking()) return;  // it stands where it was asked for
        tellBriefly(message);
        if (GraphPage* page = currentPage()) FaultBubble::show(*page, place, message, theme_);
    });
}

DiffPage* MainWindow::compare() {
    for (int i = 0; i < pages_->count(); ++i)
        if (auto* known = qobject_cast<DiffPage*>(pages_->widget(i))) {
            pages_->setCurrentIndex(i);
            return known;
        }
    auto* page = new DiffPage(document_);
    page->setTheme(theme_);
    pages_->addTab(page, tr("Comparison"));
    pages_->setCurrentWidget(page);
    return page;
}

/// Enables a command, or says in its tooltip, and in the command palette, what stands in the way.
void MainWindow::setObstacle(const QString& name, const QString& obstacle) {
    QAction* action = this->action(name);
    if (!action) return;
    action->setEnabled(obstacle.isEmpty());
    action->setProperty("obstacle", obstacle);
    QString tip = action->property("tip").toString();
    const QString key = action->shortcut().toString(QKeySequence::NativeText);
    if (!key.isEmpty()) tip += QStringLiteral(" (%1)").arg(key);
    action->setToolTip(obstacle.isEmpty() ? tip : QStringLiteral("%1\n%2").arg(tip, obstacle));
}

void MainWindow::updateGraphActions() {
    if (!graph_editor_) return;
    const GraphEditor& editor = *graph_editor_;
    setObstacle(QStringLiteral("insert-op"), editor.obstacleToInsert());
    setObstacle(QStringLiteral("delete"), editor.obstacleToSelection());
    setObstacle(QStringLiteral("exchange-op"), editor.obstacleToExchange());
    setObstacle(QStringLiteral("rename"), editor.obstacleToRename());
    setObstacle(QStringLiteral("parameter-type"), editor.obstacleToType());
    setObstacle(QStringLiteral("choose-edge"), editor.obstacleToSelection());
    setObstacle(QStringLiteral("cut-edge"), editor.obstacleToEdge());
    setObstacle(QStringLiteral("extract"), editor.obstacleToExtract());
    setObstacle(QStringLiteral("inline"), editor.obstacleToInline());
    setObstacle(QStringLiteral("function-attribute"), editor.obstacleToEdit());
    setObstacle(QStringLiteral("copy"), !document_.isOpen()             ? tr("Open a module first")
                                        : document_.selection().empty() ? tr("Select operators first")
                                                                        : QString());
    setObstacle(QStringLiteral("split-region"), editor.obstacleToRegions());
    setObstacle(QStringLiteral("join-regions"), editor.obstacleToRegions());
    setObstacle(QStringLiteral("compare"), document_.isOpen() ? obstacleToAnswers() : tr("Open a module first"));
    setObstacle(QStringLiteral("paste"), editor.obstacleToEdit());
    setObstacle(QStringLiteral("paste-after"), editor.obstacleToSelection());
}

/// The commands for what lies under the pointer.
void MainWindow::addGraphActions(QMenu& menu) {
    GraphPage* page = currentPage();
    const bool edge = page && page->view().currentEdge() >= 0;
    for (const char* name :
         {"insert-op", "cut-edge", "delete", "exchange-op", "rename", "parameter-type", "extract", "inline"}) {
        QAction* action = this->action(QLatin1String(name));
        const bool fits =
            edge ? name == std::string_view("insert-op") || name == std::string_view("cut-edge") : action->isEnabled();
        if (fits && action->isEnabled()) menu.addAction(action);
    }
}

}  // namespace partita
