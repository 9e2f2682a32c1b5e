// The attributes of one operator as typed fields: a check box, a list of element types, text. A value that does not
// fit is refused where it is typed, with the reason below the field.
#pragma once

#include <QWidget>

#include "engine/session/editing.h"

class QFormLayout;
class QLabel;

namespace partita {

/// The value, or of a long list the first elements: writing a million takes longer than a window may wait.
AttributeValue beginning_of(const AttributeValue& value);

class AttributeFields : public QWidget {
    Q_OBJECT

public:
    explicit AttributeFields(QWidget* parent = nullptr);

    /// `values` are in the order of the op's schema; so is `differ`, which says where those of several calls do: no value
    /// stands there. Null: no fields.
    void show(const OpRecord* op, const AttributeList& values, std::vector<bool> differ = {});
    const AttributeList& values() const { return values_; }
    /// Marks a field whose value was refused elsewhere.
    void showFault(const QString& attribute, const QString& message);

signals:
    /// A person gave an attribute another value that fits its kind.
    void changed(const QString& attribute);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeField(size_t index);
    void take(size_t index, const QString& text, QWidget* field);

    const OpRecord* op_ = nullptr;
    bool differs(size_t index) const { return index < differ_.size() && differ_[index]; }

    AttributeList values_;
    std::vector<bool> differ_;
    QFormLayout* form_;
    QLabel* fault_;
};

}  // namespace partita
