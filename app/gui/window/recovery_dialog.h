// What a crash left behind: which of it to go on with, what to throw away. Closing the dialog keeps everything for the
// next start.
#pragma once

#include <QDialog>
#include <QStringList>

#include "app/gui/document/autosave.h"

class QListWidget;

namespace partita {

class RecoveryDialog : public QDialog {
    Q_OBJECT

public:
    RecoveryDialog(const std::vector<Autosave::LeftBehind>& found, QWidget* parent);
    /// The file to open; "" for none.
    const QString& recovered() const { return recovered_; }
    const QStringList& discarded() const { return discarded_; }

private:
    void discardCurrent();

    QListWidget* list_;
    QString recovered_;
    QStringList discarded_;
};

}  // namespace partita
