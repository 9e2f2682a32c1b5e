#include "app/gui/editing/attribute_fields.h"

#include <utility>

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>

#include "app/gui/style/foreign_text.h"
#include "app/gui/style/language.h"

namespace partita {

namespace {

const QStringList& element_types() {
    static const QStringList types = {QString(),
                                      QStringLiteral("float32"),
                                      QStringLiteral("float16"),
                                      QStringLiteral("float64"),
                                      QStringLiteral("bfloat16"),
                                      QStringLiteral("int8"),
                                      QStringLiteral("uint8"),
                                      QStringLiteral("int16"),
                                      QStringLiteral("int32"),
                                      QStringLiteral("int64"),
                                      QStringLiteral("bool")};
    return types;
}

}  // namespace

AttributeValue beginning_of(const AttributeValue& value) {
    constexpr size_t kMost = 1000;
    const AttributeValue::List* list = value.as_list();
    return list && list->size() > kMost ? AttributeValue(AttributeValue::List(list->begin(), list->begin() + kMost))
                                        : value;
}

AttributeFields::AttributeFields(QWidget* parent) : QWidget(parent), form_(new QFormLayout(this)) {
    form_->setContentsMargins(0, 0, 0, 0);
    form_->setHorizontalSpacing(12);
    form_->setVerticalSpacing(4);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
}

void AttributeFields::show(const OpRecord* op, AttributesPtr values, std::vector<bool> differ, bool same) {
    const std::map<size_t, Refused> refused = std::exchange(refused_, {});
    const bool keep = same && op == op_;
    while (form_->rowCount() > 0) form_->removeRow(0);
    op_ = op;
    given_ = std::move(values);
    wanted_.clear();
    differ_ = std::move(differ);
    if (!op_) return;
    for (size_t i = 0; i < op_->attributes.size() && i < given_->size(); ++i) {
        const AttributeField& field = op_->attributes[i];
        QWidget* widget = makeField(i);
        widget->setObjectName(QStringLiteral("attribute-%1").arg(QString::fromUtf8(field.name)));
        widget->setAccessibleName(QString::fromUtf8(field.name));
        QString tip = say_summary(field.summary);
        if (!field.required) {
            if (!tip.isEmpty()) tip += QLatin1Char('\n');
            tip += tr("Default: %1").arg(QString::fromUtf8(field.default_value.to_string()));
        }
        widget->setToolTip(tip);
        auto* label = new QLabel(QString::fromUtf8(field.name));
        label->setToolTip(tip);
        label->setBuddy(widget);
        form_->addRow(label, widget);
    }
    if (keep) refused_ = refused;
    for (const auto& [index, what] : refused_)
        if (textField(index)) mark(index, what.text, what.message);
    emit faultChanged();
}

const AttributeValue& AttributeFields::value(size_t index) const {
    const auto wanted = wanted_.find(index);
    return wanted != wanted_.end() ? wanted->second : (*given_)[index];
}

AttributeList AttributeFields::values() const {
    AttributeList all = given_ ? *given_ : AttributeList();
    for (const auto& [index, value] : wanted_) all[index] = value;
    return all;
}

QWidget* AttributeFields::makeField(size_t index) {
    const AttributeField& field = op_->attributes[index];
    if (field.kind == AttributeKind::Bool) {
        auto* box = new QCheckBox;
        const bool* on = value(index).as_bool();
        if (differs(index)) box->setCheckState(Qt::PartiallyChecked);
        else box->setChecked(on && *on);
        connect(box, &QCheckBox::toggled, this,
                [=, this](bool now) { take(index, now ? QStringLiteral("True") : QStringLiteral("False")); });
        return box;
    }
    if (field.kind == AttributeKind::DType) {
        auto* box = new QComboBox;
        box->addItems(element_types());
        box->setItemText(0, tr("as the operands"));
        const QString text = QString::fromUtf8(write_attribute(field, value(index)));
        const int known = int(element_types().indexOf(text));
        if (known < 0) box->addItem(text);
        box->setCurrentIndex(differs(index) ? -1 : known < 0 ? box->count() - 1 : known);
        box->setPlaceholderText(tr("different values"));
        connect(box, &QComboBox::activated, this,
                [=, this](int at) { take(index, at == 0 ? QString() : box->itemText(at)); });
        return box;
    }
    return makeTextField(index);
}

QLineEdit* AttributeFields::makeTextField(size_t index) {
    const AttributeField& field = op_->attributes[index];
    auto* edit = new QLineEdit;
    const AttributeValue& all = value(index);
    const AttributeValue beginning = beginning_of(all);
    const bool whole = !all.as_list() || beginning.as_list()->size() == all.as_list()->size();
    if (differs(index)) edit->setPlaceholderText(tr("different values"));
    else show_in_field(*edit, write_attribute(field, beginning), whole);
    if (field.kind == AttributeKind::IntegerList && !differs(index)) edit->setPlaceholderText(tr("for example 1, 1"));
    edit->setProperty("index", int(index));
    connect(edit, &QLineEdit::editingFinished, this, [=, this] {
        if (!edit->isModified()) return;
        edit->setModified(
            false);  // leaving the field finishes it once more: "2,2" would be a second step beside [2, 2]
        if (edit->text() == textOf(index)) mend(index);
        else take(index, edit->text());
    });
    edit->installEventFilter(this);
    return edit;
}

QLineEdit* AttributeFields::textField(size_t index) const {
    return findChild<QLineEdit*>(QStringLiteral("attribute-%1").arg(QString::fromUtf8(op_->attributes[index].name)));
}

QString AttributeFields::textOf(size_t index) const {
    return differs(index) ? QString() : QString::fromUtf8(write_attribute(op_->attributes[index], value(index)));
}

void AttributeFields::take(size_t index, const QString& text) {
    Result<AttributeValue> read = read_attribute(op_->attributes[index], text.toStdString());
    if (!read) return mark(index, text, shown_message(read.error().message));
    mend(index);
    wanted_[index] = std::move(*read);
    emit changed(QString::fromUtf8(op_->attributes[index].name));
}

void AttributeFields::refuse(const QString& attribute, const QString& message) {
    const int index = op_ ? op_->attribute_index(attribute.toStdString()) : -1;
    if (index < 0) return;
    QLineEdit* edit = textField(size_t(index));
    const QString text = edit ? edit->text() : QString();
    wanted_.erase(size_t(index));
    mark(size_t(index), text, message);
    if (edit) edit->setFocus();
}

void AttributeFields::mark(size_t index, const QString& text, const QString& message) {
    refused_[index] = {text, message, ++turns_};
    if (QLineEdit* edit = textField(index)) {
        if (edit->text() != text) edit->setText(text);
        edit->setProperty("refused", true);
        edit->setAccessibleDescription(tr("Refused: %1").arg(message));
        edit->style()->polish(edit);
    }
    emit faultChanged();
}

void AttributeFields::mend(size_t index) {
    if (refused_.erase(index) == 0) return;
    if (QLineEdit* edit = textField(index)) {
        edit->setProperty("refused", false);
        edit->setAccessibleDescription(QString());
        edit->style()->polish(edit);
    }
    emit faultChanged();
}

void AttributeFields::restore(size_t index) {
    if (QLineEdit* edit = textField(index)) {
        edit->setText(textOf(index));
        edit->selectAll();
    }
    mend(index);
}

QString AttributeFields::fault() const {
    const Refused* latest = nullptr;
    for (const auto& [index, what] : refused_)
        if (!latest || what.turn > latest->turn) latest = &what;
    return latest ? latest->message : QString();
}

/// A field in which nothing was typed has nothing to take back: the key is the graph's.
bool AttributeFields::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const auto* edit = static_cast<QLineEdit*>(watched);
    const QVariant index = edit->property("index");
    if (key->key() == Qt::Key_Escape && index.isValid() &&
        (edit->isModified() || refused_.contains(size_t(index.toInt())))) {
        event->accept();
        if (event->type() == QEvent::KeyPress) restore(size_t(index.toInt()));
        return true;
    }
    const bool nothing = (key->matches(QKeySequence::Undo) && !edit->isUndoAvailable()) ||
                         (key->matches(QKeySequence::Redo) && !edit->isRedoAvailable());
    if (event->type() == QEvent::ShortcutOverride && nothing) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace partita
