// The attributes of one operator as typed fields: a check box, a list of element types, text. A value that does not
// fit is refused: its field is marked until it is mended, and Esc puts the true value back. Whoever shows the fields
// says why; nothing moves under the mouse.
#pragma once

#include <map>
#include <memory>

#include <QWidget>

#include "engine/edits/edits.h"

class QFormLayout;
class QLineEdit;

namespace partita {

/// The value, or of a long list the first elements: writing a million takes longer than a window may wait.
AttributeValue beginning_of(const AttributeValue& value);

/// The values of a call. They are shared with its module, not copied: there may be a million.
using AttributesPtr = std::shared_ptr<const AttributeList>;

class AttributeFields : public QWidget {
    Q_OBJECT

public:
    explicit AttributeFields(QWidget* parent = nullptr);

    /// `values` are in the order of the op's schema; so is `differ`, which says where those of several calls do: no
    /// value stands there. Null: no fields. With `same` they are of the calls that were shown: what was refused stays
    /// marked.
    void show(const OpRecord* op, AttributesPtr values, std::vector<bool> differ = {}, bool same = false);
    /// As a person wants them.
    AttributeList values() const;
    const AttributeValue& value(size_t index) const;
    /// Marks a field whose value was refused elsewhere.
    void refuse(const QString& attribute, const QString& message);
    /// Returns why the latest of the values that stand refused was; "" where none is.
    QString fault() const;

signals:
    /// A person gave an attribute another value that fits its kind.
    void changed(const QString& attribute);
    /// A value was refused or mended.
    void faultChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeField(size_t index);
    QLineEdit* makeTextField(size_t index);
    QLineEdit* textField(size_t index) const;
    /// The value as its field has it.
    QString textOf(size_t index) const;
    void take(size_t index, const QString& text);
    void mark(size_t index, const QString& text, const QString& message);
    void mend(size_t index);
    void restore(size_t index);
    bool differs(size_t index) const { return index < differ_.size() && differ_[index]; }

    struct Refused {
        QString text, message;
        int turn = 0;  ///< the larger, the later
    };

    const OpRecord* op_ = nullptr;
    AttributesPtr given_;                      ///< as they are; null where no op is shown
    std::map<size_t, AttributeValue> wanted_;  ///< of those that a person changed
    std::vector<bool> differ_;
    std::map<size_t, Refused> refused_;  ///< by attribute
    int turns_ = 0;
    QFormLayout* form_;
};

}  // namespace partita
