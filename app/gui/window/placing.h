// Places the open module by measured cost: measures on a worker, takes the answer over as one step of undo, and shows
// what it is worth.
#pragma once

#include <functional>

#include <QObject>
#include <QPointer>

#include "app/gui/document/document.h"
#include "app/gui/panels/inspector/inspector_costs.h"

class QWidget;

namespace partita {

class PlacementDialog;

class Placing : public QObject {
    Q_OBJECT

public:
    /// `request` gives the threads and the seed of runs.
    Placing(Document& document, std::function<RunRequest()> request, QWidget& window);

    /// `anew`: measures also what is known from earlier.
    void start(bool anew = false);
    /// Returns why it can't start now; "" if it can.
    QString obstacle() const;
    PlacementDialog* dialog() const;
    /// Divides the open module as the answer says, and opens the dialog about it.
    void show(PlacedModule placed);
    /// Opens the dialog about the last answer again.
    void showDialog();
    /// Returns the last answer if it is about the module that is open; else null.
    PlacedModulePtr placed() const;
    /// Moves an operator of the placed module; `with_others`: to the placement that costs least with it there.
    void moveTo(uint32_t op, uint16_t to, bool with_others);
    /// Divides the module so: one step of undo.
    void take(const Labels& labels, const QString& name);
    /// Whether the answer was just taken over, and nothing but its dialog changed the division since.
    bool canTakeBack() const;
    /// Goes back to the division of before, if it can.
    void takeBack();

signals:
    /// It ended in a sentence for the status line.
    void ended(const QString& sentence);
    /// There is another answer, or none that is about the open module.
    void placedChanged(const partita::PlacedModulePtr& placed);

private:
    void measure(const QStringList& trusted, bool anew);
    void accept(quint64 revision, Result<PlacedModule> placed);
    void openDialog(int step_before);

    Document& document_;
    std::function<RunRequest()> request_;
    QWidget& window_;
    quint64 job_ = 0;
    int step_before_ = -1;  ///< of undo, before the answer was taken over; -1: another dialog was opened since
    int last_step_ = -1;    ///< after the last change by placing
    PlacedModulePtr placed_;
    QPointer<PlacementDialog> dialog_;
};

}  // namespace partita
