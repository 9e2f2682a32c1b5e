#include "app/gui/style/save_path.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

#include "app/gui/style/foreign_text.h"

namespace partita {

QString ask_where_to_save(QWidget* parent, const QString& title, const QString& suggested, const QString& filters,
                          const QString& ending, Ending when) {
    const QString path = QFileDialog::getSaveFileName(parent, title, suggested, filters);
    const bool complete = when == Ending::Always ? path.endsWith(ending) : !QFileInfo(path).suffix().isEmpty();
    if (path.isEmpty() || complete) return path;
    const QString completed = path + ending;
    if (!QFileInfo::exists(completed)) return completed;
    const auto answer =
        QMessageBox::question(parent, title,
                              as_plain(QCoreApplication::translate("SavePath", "%1 exists already. Replace it?")
                                           .arg(shown_name(QFileInfo(completed).fileName()))),
                              QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel);
    return answer == QMessageBox::Yes ? completed : QString();
}

}  // namespace partita
