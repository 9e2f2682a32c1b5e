// The table of commands: Edit.
#pragma once

#include <QVariantList>

#include "app/gui/window/window_menu.h"

namespace partita {

class EditMenu : public WindowMenu {
    Q_OBJECT

public:
    using WindowMenu::WindowMenu;
    Command menu();
    void selectRegion(int region);
    void selectRegions(const QVariantList& regions);

private:
    std::vector<Command> undoCommands();
    std::vector<Command> selectionCommands();
    void copyText();
    void selectAlike();
    void selectRegionOfSelection();
    void selectSame();
    void chooseSettings();
};

}  // namespace partita
