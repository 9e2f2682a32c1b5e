// The table of commands: View.
#pragma once

#include "app/gui/canvas/graph_page.h"
#include "app/gui/window/look_dialogs.h"
#include "app/gui/window/window_menu.h"

namespace partita {

class PlacesSeen;

class ViewMenu : public WindowMenu {
    Q_OBJECT

public:
    ViewMenu(const WindowParts& parts, PlacesSeen& places, QObject* parent)
        : WindowMenu(parts, parent), places_(places) {}
    Command menu();
    void setHeat(bool on);
    void togglePath();

private:
    std::vector<Command> zoomCommands();
    Command canvasSwitch(const char* id, const QString& text, const QList<QKeySequence>& keys,
                         const std::function<bool&(CanvasOptions&)>& option);
    std::vector<Command> showingCommands();
    void chooseLook(const std::function<QDialog*(const ChangeLook&)>& make);
    std::vector<Command> hidingCommands();
    std::vector<Command> groupCommands();
    std::vector<Command> tabCommands();
    std::vector<Command> modelCommands();
    std::vector<Command> placeCommands();
    std::vector<Command> bookmarkCommands();
    std::vector<Command> stepCommands();
    void stepBookmark(int by);
    void fillBookmarks(QMenu& menu);
    void writeNote();

    PlacesSeen& places_;
};

}  // namespace partita
