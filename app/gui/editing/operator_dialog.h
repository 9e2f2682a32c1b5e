// Choosing an operator to put into the graph: a searchable list, its attributes and operands, where it goes, and at
// once the type of what it would give or the reason why it can't stand there.
#pragma once

#include <functional>

#include <QDialog>

#include "engine/edits/edits.h"

class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QListWidget;
class QPushButton;
class QVBoxLayout;

namespace partita {

class AttributeFields;

/// Where a new operator can go.
struct OperatorPlace {
    enum class Kind : uint8_t { Edge, After, Output };
    Kind kind = Kind::After;
    EditEdge edge;                 ///< of Edge
    ExprId function;               ///< of Output
    std::vector<ExprId> operands;  ///< what it reads, in order
    QString text;                  ///< for the list of places
};

class OperatorDialog : public QDialog {
    Q_OBJECT

public:
    OperatorDialog(ModulePtr module, std::vector<OperatorPlace> places, QWidget* parent);

    /// The chosen place, call, and the table that its types are of.
    const OperatorPlace& place() const;
    const NewCall& call() const { return call_; }
    const TypeTable& types() const { return types_; }
    /// What inserts it.
    std::function<EditResult(const Module&)> edit() const;
    QString operatorName() const;
    /// What Insert does. It calls `succeed` or `refuse` in the end; until then Insert is not offered again.
    void setWork(std::function<void()> work) { work_ = std::move(work); }
    void succeed() { QDialog::done(Accepted); }
    /// The dialog stays with all that was chosen in it, and says why.
    void refuse(const QString& why);
    /// Nothing came of it: Insert is offered again.
    void stopWaiting() { setWaiting(false); }
    void done(int result) override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLayout* buildList();
    QLayout* buildCall();
    void filter();
    void chooseOperator();
    void propose();
    void buildOperands();
    void check();
    void setWaiting(bool waiting);

    ModulePtr module_;
    std::vector<OperatorPlace> places_;
    TypeTable types_;
    NewCall call_;
    QLineEdit* search_;
    QListWidget* list_;
    QLabel *title_, *summary_, *verdict_;
    QComboBox* place_;
    AttributeFields* attributes_;
    QWidget* operands_ = nullptr;
    QVBoxLayout* operands_column_;
    QPushButton* insert_;
    std::function<void()> work_;
    bool waiting_ = false;
};

}  // namespace partita
