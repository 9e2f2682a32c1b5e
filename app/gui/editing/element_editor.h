// The part of the inspector that changes things: the attributes of the selected operators (of one kind) as typed
// fields, the name and type of a selected parameter. Each change is one undo step; a value that the module can't take
// is refused at its field.
#pragma once

#include <QTimer>
#include <QWidget>

#include "app/gui/document/document.h"

class QFormLayout;
class QLabel;
class QLineEdit;
class QScrollArea;

namespace partita {

class AttributeFields;

class ElementEditor : public QWidget {
    Q_OBJECT

public:
    explicit ElementEditor(Document& document, QWidget* parent = nullptr);
    AttributeFields& attributes() { return *attributes_; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void moveEvent(QMoveEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void build();
    void followDocument();
    void followFields();
    void refuse(const QString& message, ExprId place);
    void setAttribute(const QString& attribute);
    void refresh();
    void showCalls(const std::vector<ExprId>& calls);
    void showParameter(ExprId parameter);
    void fitHeight();
    /// Whether these are the calls that the fields are of, maybe after an edit.
    bool areShown(const std::vector<ExprId>& calls) const;
    void showFault();

    Document& document_;
    QLabel* heading_;
    QScrollArea* scroll_;
    AttributeFields* attributes_;
    QWidget* parameter_;
    QLineEdit *name_, *type_;
    QLabel* fault_;  ///< over what stands above, so that no field moves
    ModulePtr shown_in_;
    std::vector<ExprId> shown_;  ///< calls of that module, whose attributes the fields have
    QString asked_;              ///< the attribute whose change the document is making
    QTimer later_;
};

}  // namespace partita
