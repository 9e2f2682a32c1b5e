// The table of commands: Flow.
#pragma once

#include <string>

#include "app/gui/window/window_menu.h"
#include "engine/flow/flow_choice.h"

namespace partita {

class FlowMenu : public WindowMenu {
    Q_OBJECT

public:
    using WindowMenu::WindowMenu;
    Command menu();
    void run();

private:
    Command passSwitch(const char* id, const QString& text, const QList<QKeySequence>& keys, const QString& tip,
                       const QString& step, bool FlowChoice::*field);
    std::vector<Command> passCommands();
    Command partitionerMenu();
    void choosePartitioner(const std::string& name);
    std::vector<Command> passOptions();
    std::vector<Command> runCommands();
    std::vector<Command> placingCommands();
    std::vector<Command> checkingCommands();
    void changeChoice(const QString& name, const std::function<void(FlowChoice&)>& change);
    void switchPass(const QString& step, bool FlowChoice::*field);
    void applyOwnFlow();
    void nextPass();
    void startOver();
    void predict();
};

}  // namespace partita
