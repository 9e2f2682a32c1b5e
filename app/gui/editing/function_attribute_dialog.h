// Sets an attribute of a function, such as Compiler, or takes it away.
#pragma once

#include <optional>

#include <QDialog>

#include "engine/edits/edits.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace partita {

class FunctionAttributeDialog : public QDialog {
    Q_OBJECT

public:
    /// `function` is its name, for people; `attributes` are those that it has.
    FunctionAttributeDialog(const QString& function, AttributeDictionary attributes, QWidget* parent);

    QString name() const;
    /// What it is set to; none where it is taken away. Only after the dialog was accepted.
    const std::optional<AttributeValue>& value() const { return value_; }

private:
    const AttributeValue* valueNow() const;
    void chooseName();
    void set();

    AttributeDictionary attributes_;
    std::optional<AttributeValue> value_;
    QComboBox* name_;
    QLineEdit* text_;
    QLabel* fault_;
    QPushButton *set_, *take_away_;
};

}  // namespace partita
