#include "app/gui/window/tool_bars.h"

#include <QEvent>
#include <QLabel>
#include <QMainWindow>
#include <QToolBar>
#include <QToolButton>

#include "app/gui/window/commands.h"

namespace partita {

ToolBars::ToolBars(QMainWindow& window, const Commands& commands, const QStringList& backend_commands)
    : QObject(&window), window_(window), tools_(add(QStringLiteral("tools"), tr("Tools"))),
      backends_(add(QStringLiteral("palette"), tr("Backends"))) {
    for (const char* id : {"open", "export", "", "undo", "redo", "", "annotate", "merge", "partition", "", "run"}) {
        if (*id) tools_->addAction(commands.action(QLatin1String(id)));
        else tools_->addSeparator();
    }
    for (const char* id : {"undo", "redo"})
        static_cast<QToolButton*>(tools_->widgetForAction(commands.action(QLatin1String(id))))
            ->setToolButtonStyle(Qt::ToolButtonIconOnly);
    auto* words = new QLabel(tr("Selection to"));
    words->setContentsMargins(6, 0, 4, 0);
    backends_->addWidget(words);
    for (const QString& id : backend_commands) backends_->addAction(commands.action(id));
    for (QToolBar* bar : {tools_, backends_}) bar->installEventFilter(this);
}

/// Other type reaches the buttons later than the window.
bool ToolBars::eventFilter(QObject* bar, QEvent* event) {
    const bool handled = QObject::eventFilter(bar, event);
    if (event->type() == QEvent::LayoutRequest) QMetaObject::invokeMethod(this, &ToolBars::fit, Qt::QueuedConnection);
    return handled;
}

QToolBar* ToolBars::add(const QString& name, const QString& title) {
    QToolBar* bar = window_.addToolBar(title);
    bar->setObjectName(name);
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    return bar;
}

void ToolBars::setIconSize(int pixels) {
    for (QToolBar* bar : {tools_, backends_}) bar->setIconSize(QSize(pixels, pixels));
}

void ToolBars::fit() {
    const bool too_wide = tools_->sizeHint().width() + backends_->sizeHint().width() > window_.width();
    if (too_wide == window_.toolBarBreak(backends_)) return;
    if (too_wide) window_.insertToolBarBreak(backends_);
    else window_.removeToolBarBreak(backends_);
}

}  // namespace partita
