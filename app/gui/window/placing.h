// Places the open module by measured cost: measures on a worker, takes the answer over as one step of undo, and shows
// what it is worth.
#pragma once

#include <functional>

#include <QObject>
#include <QPointer>

#include "app/gui/document/document.h"
#include "engine/session/placing.h"

class QWidget;

namespace partita {

class PlacementDialog;

class Placing : public QObject {
    Q_OBJECT

public:
    /// `request` gives the threads and the seed of runs.
    Placing(Document& document, std::function<RunRequest()> request, QWidget& window);

    void start();
    /// Returns why it can't start now; "" if it can.
    QString obstacle() const;
    PlacementDialog* dialog() const;

signals:
    /// It ended in a sentence for the status line.
    void ended(const QString& sentence);

private:
    void measure(const QStringList& trusted);
    void accept(quint64 revision, Result<PlacedModule> placed);

    Document& document_;
    std::function<RunRequest()> request_;
    QWidget& window_;
    quint64 job_ = 0;
    QPointer<PlacementDialog> dialog_;
};

}  // namespace partita
