// The help: Markdown from resources/help in a window of its own.
#pragma once

class QWidget;

namespace partita {

/// Opens the help, or brings it to the front.
void show_help(QWidget* parent);

}  // namespace partita
