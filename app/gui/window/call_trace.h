// What the rules were asked about a call, in order: terms with their values, of rules in Python the lines that were
// reached. Asked anew, whether or not it decided; shown in a dialog whose lines lead to the rules.
#pragma once

#include <vector>

#include <QObject>
#include <QPointer>

#include "app/gui/document/flow_explanations.h"

class QDialog;
class QTextBrowser;
class QWidget;

namespace partita {

class CallTrace : public QObject {
    Q_OBJECT

public:
    CallTrace(Document& document, QWidget& window);

    /// Of the first call that is selected.
    void show();
    /// Returns why there is nothing to show; "" if there is.
    QString obstacle() const;

signals:
    void lineWanted(int backend, int line);
    /// The lines of a file in Python that a rule reached for the call.
    void pathWalked(int backend, const std::vector<int>& lines);

private:
    struct Traced {
        QString html;
        int backend = -1;  ///< the first one with lines
        std::vector<int> lines;
    };
    static Traced trace(FlowExplainer& explainer, const FlowResult& flow,
                        const std::vector<BackendDescription>& backends, ExprId call);
    ExprId selectedCall() const;
    void showText(const QString& title, const QString& html);

    Document& document_;
    QWidget& window_;
    FlowQuestions questions_;
    QPointer<QDialog> dialog_;
    QPointer<QTextBrowser> text_;
};

}  // namespace partita
