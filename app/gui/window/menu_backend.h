// The table of commands: Backend.
#pragma once

#include <optional>

#include "app/gui/window/rules_of_division.h"
#include "app/gui/window/window_menu.h"

namespace partita {

class BackendMenu : public WindowMenu {
    Q_OBJECT

public:
    BackendMenu(const WindowParts& parts, QObject* parent);
    Command menu();
    /// The commands that give the selection to a backend.
    static QStringList givingIds();
    /// In the theme's colours.
    void setIcons();
    void keepBackends();

private:
    std::vector<Command> givingCommands();
    std::vector<Command> backendChoices();
    void nameBackend(QAction& action, int place);
    void giveSelection(std::optional<int> backend);
    void chooseBackends();
    void compareRules();

    RulesOfDivision rules_;
};

}  // namespace partita
