// The table of commands: Help.
#pragma once

#include "app/gui/window/window_menu.h"

namespace partita {

class HelpMenu : public WindowMenu {
    Q_OBJECT

public:
    using WindowMenu::WindowMenu;
    Command menu();

private:
    void showOperator();
    void newLesson();
    void editLesson();
    void openCommandPalette();
    void showHelp();
    void showAbout();
};

}  // namespace partita
