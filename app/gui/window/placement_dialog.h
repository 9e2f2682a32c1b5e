// What a placement by measured cost is worth, and what moving single operators would cost.
#pragma once

#include <memory>

#include <QDialog>

#include "app/gui/document/document.h"
#include "app/gui/panels/inspector/inspector_costs.h"

class QDialogButtonBox;
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

    const PlacedModulePtr& placed() const { return placed_; }

protected:
    /// Escape takes back what was just placed.
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString headline() const;
    QDialogButtonBox* buildButtons();
    void takeBack();
    void followFlow();
    void fillContested();
    QWidget* buildPlacements();
    QWidget* buildContested();
    QTreeWidget* contestedTable() const;
    void showTerms();
    void selectCurrent();  ///< on the graph
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
    std::vector<FlipCost> flips_;  ///< the contested operators, as the graph is divided
    Labels of_;                    ///< the division that these are of
    QTreeWidget* contested_;
    QLabel* terms_;
    QPushButton *move_, *move_with_, *save_ = nullptr;
};

}  // namespace partita
