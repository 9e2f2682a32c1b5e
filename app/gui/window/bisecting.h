// Searches the operator that a backend computes wrong, or that its compiler refuses: on a worker, with each step as
// progress; what was found is selected on the graph and told in a dialog.
#pragma once

#include <functional>

#include <QObject>
#include <QPointer>

#include "app/gui/document/document.h"
#include "engine/session/bisect.h"

class QDialog;
class QWidget;

namespace partita {

class Bisecting : public QObject {
    Q_OBJECT

public:
    /// `request` gives the threads and the seed of runs.
    Bisecting(Document& document, std::function<RunRequest()> request, QWidget& window);

    void start();
    /// Returns why it can't start now; "" if it can.
    QString obstacle() const;
    QDialog* dialog() const;

signals:
    /// It ended in a sentence for the status line.
    void ended(const QString& sentence);

private:
    void search(const QStringList& trusted);
    void accept(const ModulePtr& module, const Result<Culprit>& culprit);
    void show(const ModulePtr& module, const Culprit& culprit);
    void select(const ModulePtr& module, const std::vector<ExprId>& calls);
    void save(const Culprit& culprit);

    Document& document_;
    std::function<RunRequest()> request_;
    QWidget& window_;
    quint64 job_ = 0;
    QPointer<QDialog> dialog_;
};

}  // namespace partita
