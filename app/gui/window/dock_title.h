// The title of a docked panel, in the window's own size of type: Qt's keeps that of the desktop, and its buttons too.
#pragma once

#include <QWidget>

#include "app/gui/style/theme.h"

class QDockWidget;
class QLabel;
class QToolButton;

namespace partita {

/// Set as the title bar of `dock`, which owns it; what is not on a button passes to the dock, so that it can be
/// dragged.
class DockTitle : public QWidget {
    Q_OBJECT

public:
    explicit DockTitle(QDockWidget& dock);

    void setTheme(const Theme& theme);

private:
    QLabel* title_;
    QToolButton *float_, *close_;
};

}  // namespace partita
