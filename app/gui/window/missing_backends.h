// Tells of a backend of the opened project that can't be loaded, and offers to look for its file or to leave it out.
// Until then the project keeps it.
#pragma once

#include <QMainWindow>

#include "app/gui/document/document.h"

class QLabel;
class QToolBar;

namespace partita {

class MissingBackends : public QObject {
    Q_OBJECT

public:
    MissingBackends(Document& document, QMainWindow& window);
    /// Puts the description in this file where the first missing backend was.
    void find(const QString& file);
    /// While it is held nothing is told.
    void hold(bool held);

public slots:
    void chooseFile();
    void leaveOut();

private:
    void tell();
    /// What the first one is called on the screen.
    QString name() const;

    Document& document_;
    QMainWindow& window_;
    QToolBar* bar_;
    QLabel* text_;
    bool held_ = false;
};

}  // namespace partita
