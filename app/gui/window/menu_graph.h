// The table of commands: Graph, and the menu of what lies under the pointer.
#pragma once

#include "app/gui/window/window_menu.h"

class QPoint;

namespace partita {

class GraphMenu : public WindowMenu {
    Q_OBJECT

public:
    using WindowMenu::WindowMenu;
    Command menu();
    void showContextMenu(const QPoint& place);

private:
    Command editorCommand(const char* id, const QString& text, const QList<QKeySequence>& keys, const QString& tip,
                          void (GraphEditor::*work)(), QString (GraphEditor::*obstacle)() const);
    std::vector<Command> operatorCommands();
    std::vector<Command> edgeCommands();
    std::vector<Command> pasteCommands();
};

}  // namespace partita
