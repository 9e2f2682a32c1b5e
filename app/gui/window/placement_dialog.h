// What a placement by measured cost is worth, and what moving single operators would cost.
#pragma once

#include <memory>

#include <QDialog>

#include "app/gui/document/document.h"
#include "engine/session/placing.h"

class QLabel;
class QPushButton;
class QTreeWidget;

namespace partita {

class PlacementDialog : public QDialog {
    Q_OBJECT

public:
    PlacementDialog(Document& document, std::shared_ptr<const PlacedModule> placed, QWidget* parent);

private:
    QString headline() const;
    QTreeWidget* buildPlacements();
    QTreeWidget* buildContested();
    void showTerms();
    void moveCurrent();
    void savePlacement();
    QString nameOf(uint32_t op) const;
    QString termsText(const std::vector<CostTerm>& terms) const;
    const FlipCost* current() const;

    Document& document_;
    std::shared_ptr<const PlacedModule> placed_;
    ModulePtr module_;  ///< that was placed
    ExpressionNames names_;
    QTreeWidget* contested_;
    QLabel* terms_;
    QPushButton* move_;
};

}  // namespace partita
