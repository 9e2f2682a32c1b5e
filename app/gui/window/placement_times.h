// What each region was predicted to take, beside what it took in the last run of the same division.
#pragma once

#include <QWidget>

#include "app/gui/document/document.h"
#include "engine/session/placing.h"

class QLabel;
class QTreeWidget;

namespace partita {

class PlacementTimes : public QWidget {
    Q_OBJECT

public:
    PlacementTimes(Document& document, PlacedModulePtr placed);

private:
    void fill();

    Document& document_;
    PlacedModulePtr placed_;
    QLabel* words_;
    QTreeWidget* table_;
};

}  // namespace partita
