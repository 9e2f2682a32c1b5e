#include "app/gui/editing/attribute_fields.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTimer>

#include "app/gui/style/foreign_text.h"
#include "app/gui/style/language.h"

namespace partita {

namespace {

const QStringList& element_types() {
    static const QStringList types = {QString(), QStringLiteral("float32"), QStringLiteral("float16"), QStringLiteral("float64"),
                                      QStringLiteral("bfloat16"), QStringLiteral("int8"), QStringLiteral("uint8"),
                                      QStringLiteral("int16"), QStringLiteral("int32"), QStringLiteral("int64"), QStringLiteral("bool")};
    return types;
}

}  // namespace

AttributeValue beginning_of(const AttributeValue& value) {
    constexpr size_t kMost = 1000;
    const AttributeValue::List* list = value.as_list();
    return list && list->size() > kMost ? AttributeValue(AttributeValue::List(list->begin(), list->begin() + kMost)) : value;
}

AttributeFields::AttributeFields(QWidget* parent) : QWidget(parent), form_(new QFormLayout(this)), fault_(make_plain_label()) {
    fault_->setParent(this);
    form_->setContentsMargins(0, 0, 0, 0);
    form_->setHorizontalSpacing(12);
    form_->setVerticalSpacing(4);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    fault_->setWordWrap(true);
    fault_->setObjectName(QStringLiteral("fault"));
    fault_->setAccessibleName(tr("Why the value was refused"));
    fault_->hide();
}

void AttributeFields::show(const OpRecord* op, const AttributeList& values, std::vector<bool> differ) {
    form_->removeWidget(fault_);  // else it would go with its row
    fault_->hide();
    while (form_->rowCount() > 0) form_->removeRow(0);
    op_ = op;
    values_ = values;
    differ_ = std::move(differ);
    if (!op_) return;
    for (size_t i = 0; i < op_->attributes.size() && i < values_.size(); ++i) {
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
    form_->addRow(fault_);
    fault_->hide();
}

QWidget* AttributeFields::makeField(size_t index) {
    const AttributeField& field = op_->attributes[index];
    if (field.kind == AttributeKind::Bool) {
        auto* box = new QCheckBox;
        const bool* on = values_[index].as_bool();
        if (differs(index)) box->setCheckState(Qt::PartiallyChecked);
        else box->setChecked(on && *on);
        connect(box, &QCheckBox::toggled, this, [=, this](bool now) {
            take(index, now ? QStringLiteral("True") : QStringLiteral("False"), box);
        });
        return box;
    }
    if (field.kind == AttributeKind::DType) {
        auto* box = new QComboBox;
        box->addItems(element_types());
        box->setItemText(0, tr("as the operands"));
        const QString value = QString::fromUtf8(write_attribute(field, values_[index]));
        const int known = int(element_types().indexOf(value));
        if (known < 0) box->addItem(value);
        box->setCurrentIndex(differs(index) ? -1 : known < 0 ? box->count() - 1 : known);
        box->setPlaceholderText(tr("different values"));
        connect(box, &QComboBox::activated, this, [=, this](int at) { take(index, at == 0 ? QString() : box->itemText(at), box); });
        return box;
    }
    auto* edit = new QLineEdit;
    const AttributeValue beginning = beginning_of(values_[index]);
    const bool whole = !values_[index].as_list() || beginning.as_list()->size() == values_[index].as_list()->size();
    if (differs(index)) edit->setPlaceholderText(tr("different values"));
    else show_in_field(*edit, write_attribute(field, beginning), whole);
    if (field.kind == AttributeKind::IntegerList && !differs(index)) edit->setPlaceholderText(tr("for example 1, 1"));
    connect(edit, &QLineEdit::editingFinished, this, [=, this] {
        const QString now = differs(index) ? QString() : QString::fromUtf8(write_attribute(op_->attributes[index], values_[index]));
        if (!edit->isModified() || edit->text() == now) return;
        edit->setModified(false);  // leaving the field finishes it once more: "2,2" would be a second step beside [2, 2]
        take(index, edit->text(), edit);
    });
    edit->installEventFilter(this);
    return edit;
}

void AttributeFields::take(size_t index, const QString& text, QWidget*) {
    const AttributeField& field = op_->attributes[index];
    Result<AttributeValue> value = read_attribute(field, text.toStdString());
    if (!value) return showFault(QString::fromUtf8(field.name), shown_message(value.error().message));
    fault_->hide();
    values_[index] = std::move(*value);
    emit changed(QString::fromUtf8(field.name));
}

void AttributeFields::showFault(const QString& attribute, const QString& message) {
    fault_->setText(QStringLiteral("⚠ %1").arg(message));
    fault_->show();
    QWidget* field = findChild<QWidget*>(QStringLiteral("attribute-%1").arg(attribute));
    if (!field) return;
    // Right below its field, and in sight.
    form_->removeWidget(fault_);
    int row = 0;
    QFormLayout::ItemRole role;
    form_->getWidgetPosition(field, &row, &role);
    form_->insertRow(row + 1, fault_);
    field->setFocus();
    form_->activate();
    for (QWidget* around = parentWidget(); around; around = around->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(around)) QTimer::singleShot(0, fault_, [this, area] { area->ensureWidgetVisible(fault_, 0, 4); });
}

/// A field in which nothing was typed has nothing to take back: the key is the graph's.
bool AttributeFields::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const auto* edit = static_cast<QLineEdit*>(watched);
        if ((key->matches(QKeySequence::Undo) && !edit->isUndoAvailable()) || (key->matches(QKeySequence::Redo) && !edit->isRedoAvailable())) {
            event->ignore();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace partita
