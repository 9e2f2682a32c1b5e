// What other programs said of the model: files that are dropped on the window or chosen, shown as the division and as
// a run.
#pragma once

#include <QObject>
#include <QStringList>

class QWidget;

namespace partita {

class Document;

class ReportFiles : public QObject {
    Q_OBJECT

public:
    ReportFiles(Document& document, QWidget& window);

    /// Whether a file is such a report, or has numbers of operators, and is no model: by how it begins.
    static bool isFor(const QString& path);
    /// Reads them, and divides the module as they tell: one step of undo. A box says why one was refused.
    void add(const QStringList& paths);
    void choose();

signals:
    void numbersGiven(const QStringList& paths);
    /// Something for the status bar.
    void told(const QString& sentence);
    void timesShown();

private:
    Document& document_;
    QWidget& window_;
};

}  // namespace partita
