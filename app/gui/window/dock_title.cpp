#include "app/gui/window/dock_title.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "app/gui/style/icons.h"

namespace partita {

DockTitle::DockTitle(QDockWidget& dock)
    : title_(new QLabel(dock.windowTitle())), float_(new QToolButton), close_(new QToolButton) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 2, 4, 2);
    row->setSpacing(0);
    row->addWidget(title_, 1);
    title_->setMinimumWidth(1);
    setObjectName(QStringLiteral("dock-title"));
    setAttribute(Qt::WA_StyledBackground);
    float_->setToolTip(tr("As a window of its own, or back"));
    float_->setAccessibleName(tr("%1 as a window of its own").arg(dock.windowTitle()));
    close_->setToolTip(tr("Close; the menu View brings it back"));
    close_->setAccessibleName(tr("Close %1").arg(dock.windowTitle()));
    for (QToolButton* button : {float_, close_}) {
        button->setStyleSheet(QStringLiteral("padding: 3px"));
        button->setFocusPolicy(Qt::NoFocus);  // the menu does the same by keys
        row->addWidget(button);
    }
    connect(float_, &QToolButton::clicked, &dock, [&dock] { dock.setFloating(!dock.isFloating()); });
    connect(close_, &QToolButton::clicked, &dock, &QWidget::close);
}

void DockTitle::setTheme(const Theme& theme) {
    const int side = std::max(12, fontMetrics().height() - 3);
    for (const auto& [button, icon] :
         {std::pair(float_, QStringLiteral("float")), std::pair(close_, QStringLiteral("close"))}) {
        button->setIcon(themed_icon(icon, theme));
        button->setIconSize(QSize(side, side));
    }
}

}  // namespace partita
