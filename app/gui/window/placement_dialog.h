// What a placement by measured cost is worth, and what moving single operators would cost.
#pragma once

#include <memory>

#include <QDialog>

#include "app/gui/document/document.h"
#include "app/gui/panels/inspector/inspector_costs.h"

class QLabel;
class QPushButton;
class QTreeWidget;
class QWidget;

namespace partita {

class Placing;

class PlacementDialog : public QDialog {
    Q_OBJECT

public:
    PlacementDialog(Document& document, Placing& placing, PlacedModulePtr placed, QWidget* parent);

private:
    QString headline() const;
    QWidget* buildPlacements();
    QWidget* buildContested();
    QTreeWidget* contestedTable();
    void showTerms();
    void moveCurrent(bool with_others);
    /// Divides the module as a row of the placements' table says.
    void takePlacement(int row);
    void savePlacement();
    QString nameOf(uint32_t op) const;
    const FlipCost* current() const;

    Document& document_;
    Placing& placing_;
    PlacedModulePtr placed_;
    ModulePtr module_;  ///< that was placed
    ExpressionNames names_;
    QTreeWidget* contested_;
    QLabel* terms_;
    QPushButton *move_, *move_with_;
};

}  // namespace partita
