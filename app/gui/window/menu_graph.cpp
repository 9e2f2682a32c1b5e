#include "app/gui/window/menu_graph.h"

#include <QMenu>

#include "app/gui/document/document.h"
#include "app/gui/editing/graph_editor.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/menu_backend.h"
#include "app/gui/window/pages.h"
#include "app/gui/window/status_line.h"

namespace partita {

Command GraphMenu::editorCommand(const char* id, const QString& text, const QList<QKeySequence>& keys,
                                 const QString& tip, void (GraphEditor::*work)(),
                                 QString (GraphEditor::*obstacle)() const) {
    GraphEditor* editor = &parts_.editor;
    return Command(id, text, keys, tip, [editor, work] { (editor->*work)(); }).unless([editor, obstacle] {
        return (editor->*obstacle)();
    });
}

Command GraphMenu::menu() {
    return {"graph", tr("&Graph"), joined({operatorCommands(), edgeCommands(), pasteCommands()})};
}

std::vector<Command> GraphMenu::operatorCommands() {
    return {
        editorCommand("insert-op", tr("&Insert an operator…"), {Qt::Key_I},
                      tr("On the chosen edge, after the selection, or as an output"), &GraphEditor::insertOperator,
                      &GraphEditor::obstacleToInsert),
        editorCommand("delete", tr("&Delete"), {Qt::Key_Delete},
                      tr("Take the selection out; its users get its operands"), &GraphEditor::removeSelection,
                      &GraphEditor::obstacleToSelection),
        editorCommand("exchange-op", tr("E&xchange the operator…"), {Qt::Key_X},
                      tr("Call another operator with the same operands"), &GraphEditor::exchangeOperator,
                      &GraphEditor::obstacleToExchange),
        editorCommand("rename", tr("Re&name…"), {Qt::Key_L},
                      tr("The selected parameter or operator; with nothing selected, the function"),
                      &GraphEditor::rename, &GraphEditor::obstacleToRename),
        editorCommand("rename-output", tr("Name of the o&utput…"), {},
                      tr("The selected operator is a result of the module: how that is called in files"),
                      &GraphEditor::renameOutput, &GraphEditor::obstacleToOutput),
        editorCommand("parameter-type", tr("T&ype of the parameter…"), {},
                      tr("Give the selected parameter another type"), &GraphEditor::changeParameterType,
                      &GraphEditor::obstacleToType),
    };
}

std::vector<Command> GraphMenu::edgeCommands() {
    return {
        Command("choose-edge", tr("&Choose the next input edge"), {Qt::Key_E},
                tr("Of the operator with the keyboard's focus; edges can be clicked, too"),
                [this] { parts_.pages.forCurrentView([](GraphView& view) { view.chooseNextInputEdge(); }); })
            .unless([this] { return parts_.editor.obstacleToSelection(); })
            .belowLine(),
        editorCommand("cut-edge", tr("&Make the edge an input"), {},
                      tr("A new parameter takes the place of the edge's source"), &GraphEditor::cutEdge,
                      &GraphEditor::obstacleToEdge),
        editorCommand("extract", tr("Make a &function…"), {tr("Ctrl+G")},
                      tr("The selection becomes a function, called in its place"), &GraphEditor::extractFunction,
                      &GraphEditor::obstacleToExtract)
            .belowLine(),
        editorCommand("inline", tr("In&line the call"), {tr("Ctrl+Shift+G")},
                      tr("Put the body of the called function in the call's place"), &GraphEditor::inlineCall,
                      &GraphEditor::obstacleToInline),
        editorCommand("function-attribute", tr("Attribute of the f&unction…"), {},
                      tr("Set or take away an attribute, such as Compiler"), &GraphEditor::changeFunctionAttribute,
                      &GraphEditor::obstacleToEdit),
    };
}

std::vector<Command> GraphMenu::pasteCommands() {
    GraphEditor* editor = &parts_.editor;
    return {
        Command("copy", tr("C&opy as Relay text"), {QKeySequence::Copy}, tr("Copy the selection as a function"),
                [this] {
                    if (parts_.editor.copy())
                        parts_.status.showMessage(tr("The selection is on the clipboard as Relay text."), 4000);
                })
            .unless(needs(&CommandReasons::selection))
            .belowLine(),
        Command("paste", tr("&Paste Relay text"), {QKeySequence::Paste},
                tr("What is selected becomes its inputs; its result becomes an output"),
                [editor] { editor->paste(PasteAs::Output); })
            .unless([editor] { return editor->obstacleToEdit(); }),
        Command("paste-after", tr("Paste &after the selection"), {tr("Ctrl+Alt+V")},
                tr("Those that use the selection use the result instead"),
                [editor] { editor->paste(PasteAs::Successor); })
            .unless([editor] { return editor->obstacleToSelection(); }),
    };
}

/// The commands for what lies under the pointer.
void GraphMenu::showContextMenu(const QPoint& place) {
    QMenu menu(&parts_.window);
    parts_.commands.ownLetters(menu);
    const auto action = [this](const QString& id) { return parts_.commands.action(id); };
    const auto add = [&](std::initializer_list<const char*> ids, bool only_possible = false) {
        for (const char* id : ids)
            if (QAction* command = action(QLatin1String(id)); command->isEnabled() || !only_possible)
                menu.addAction(command);
    };
    add({"insert-op", "cut-edge"}, true);
    if (parts_.pages.current() && parts_.pages.current()->view().currentEdge() >= 0) {
        menu.exec(place);
        return;
    }
    add({"delete", "exchange-op", "rename", "parameter-type", "extract", "inline"}, true);
    menu.addSeparator();
    if (parts_.document.hasSelectedOperators()) {
        for (const QString& id : BackendMenu::givingIds())
            if (action(id)->isVisible()) menu.addAction(action(id));
        menu.addSeparator();
        add({"select-region"});
    }
    add({"select-same", "select-producers", "select-users"});
    menu.addSeparator();
    add({"collapse", "bookmark", "path"});
    menu.addSeparator();
    add({"fit-selection", "fit"});
    menu.exec(place);
}

}  // namespace partita
