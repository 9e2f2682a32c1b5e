// The table of commands: File.
#pragma once

#include <optional>

#include "app/gui/canvas/graph_paper.h"
#include "app/gui/style/theme.h"
#include "app/gui/window/window_menu.h"

namespace partita {

class FileMenu : public WindowMenu {
    Q_OBJECT

public:
    using WindowMenu::WindowMenu;
    Command menu();
    /// Writes the project; asks for a name where there is none. False if the person gave none.
    bool save();
    bool saveAs();
    /// The graph of the tab in front as it is printed and exported.
    std::optional<GraphPaper> shownPaper() const;

private:
    std::vector<Command> openingCommands();
    std::vector<Command> savingCommands();
    std::vector<Command> exportCommands();
    void fillRecent(QMenu& menu);
    void fillSamples(QMenu& menu);
    void copyPicture();
    void printGraph();
    /// The colours of what is printed and of pictures in files.
    Theme paperTheme() const;
};

}  // namespace partita
