// What an operator is: a window beside the graph that follows the selection. Meaning, shapes, attributes with the
// values here, a formula, the names in Relay and ONNX.
#pragma once

#include <QDialog>

#include "engine/ir/module.h"

class QTextBrowser;

namespace partita {

class Document;

class OperatorSheet : public QDialog {
    Q_OBJECT

public:
    OperatorSheet(Document& document, QWidget* parent);

    /// Shows the first selected operator; keeps what it shows while none is selected.
    void follow();
    QTextBrowser& text() { return *text_; }

    /// Returns the selected call of an operator, or an invalid one.
    static ExprId selected_call(const Document& document);

private:
    QString page(ExprId call) const;

    Document& document_;
    QTextBrowser* text_;
    ExprId shown_;
    ModulePtr module_;  ///< of `shown_`
};

}  // namespace partita
