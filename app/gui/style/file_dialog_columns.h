// An event filter for the application: the columns of Qt's own file dialogs are as wide as their figures, which else
// lose their middles.
#pragma once

#include <QObject>

namespace partita {

class FileDialogColumns : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace partita
