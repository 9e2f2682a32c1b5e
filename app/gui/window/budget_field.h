// A budget of memory as a slider, with the statistics that it is counted by, what it leaves out here, and the setting
// that says the same to ONNX Runtime.
#pragma once

#include <optional>

#include <QTimer>
#include <QWidget>

#include "app/gui/document/document.h"

class QLabel;
class QLineEdit;
class QSlider;

namespace partita {

class BudgetField : public QWidget {
    Q_OBJECT

public:
    /// `value` is "KIB,FILE", or "" for no budget.
    BudgetField(Document& document, const QString& value);
    void setValue(const QString& value);

signals:
    void changed(const QString& value);

private:
    QString value() const;
    void setUp(const QString& value);
    void showBudget(std::optional<int> kibibytes, int needed);
    void tell();
    void chooseFile();

    Document& document_;
    QSlider* slider_;
    QLineEdit* file_;
    QLabel *amount_, *setting_, *left_;
    QTimer settled_;
    quint64 measuring_ = 0;  ///< the job that counts what all nodes need
};

}  // namespace partita
