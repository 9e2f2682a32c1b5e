#include "app/gui/style/file_dialog_columns.h"

#include <QEvent>
#include <QFileDialog>
#include <QHeaderView>
#include <QTreeView>

namespace partita {

bool FileDialogColumns::eventFilter(QObject* watched, QEvent* event) {
    // Desktops' dialogs have no list of Qt's.
    auto* dialog = event->type() == QEvent::Show ? qobject_cast<QFileDialog*>(watched) : nullptr;
    auto* list = dialog ? dialog->findChild<QTreeView*>(QStringLiteral("treeView")) : nullptr;
    if (list) {
        constexpr int kMeasured = 64;  // rows of a folder, beside those in sight
        QHeaderView* header = list->header();
        header->setStretchLastSection(false);
        header->setResizeContentsPrecision(kMeasured);
        header->setSectionResizeMode(QHeaderView::ResizeToContents);
        header->setSectionResizeMode(0, QHeaderView::Stretch);
        dialog->resize(dialog->size().expandedTo(QSize(dialog->fontMetrics().averageCharWidth() * 100, 0)));
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace partita
