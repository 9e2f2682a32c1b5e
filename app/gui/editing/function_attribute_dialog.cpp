#include "app/gui/editing/function_attribute_dialog.h"

#include <algorithm>
#include <utility>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/gui/editing/attribute_fields.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

/// Those that the passes read or write; any other name can be typed.
constexpr const char* kCommon[] = {"Compiler", "Composite", "Inline", "Primitive", "global_symbol"};

/// Without quotes a number is a number, all else text.
AttributeField any_field(const QString& name) { return {name.toStdString(), AttributeKind::Object, {}, false, {}}; }

}  // namespace

FunctionAttributeDialog::FunctionAttributeDialog(const QString& function, AttributeDictionary attributes,
                                                 QWidget* parent)
    : QDialog(parent), attributes_(std::move(attributes)), name_(new QComboBox), text_(new QLineEdit),
      fault_(make_plain_label()) {
    setObjectName(QStringLiteral("function-attribute"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Attribute of %1").arg(as_title(function)));
    auto* column = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Attribute"), name_);
    form->addRow(tr("&Value"), text_);
    column->addLayout(form);
    name_->setEditable(true);
    name_->setInsertPolicy(QComboBox::NoInsert);
    for (const auto& [key, value] : attributes_) {
        const QString name = QString::fromStdString(key.text());
        name_->addItem(shown_name(shortened(name)), name);
    }
    for (const char* name : kCommon)
        if (name_->findData(QLatin1String(name)) < 0) name_->addItem(QLatin1String(name), QLatin1String(name));
    fault_->setObjectName(QStringLiteral("ask-fault"));
    fault_->setAccessibleName(tr("Why it was refused"));
    fault_->setWordWrap(true);
    fault_->hide();
    column->addWidget(fault_);
    column->addStretch();

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    set_ = buttons->addButton(tr("Set"), QDialogButtonBox::AcceptRole);
    set_->setDefault(true);
    take_away_ = buttons->addButton(tr("Take away"), QDialogButtonBox::DestructiveRole);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &FunctionAttributeDialog::set);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(take_away_, &QPushButton::clicked, this, &QDialog::accept);
    connect(name_, &QComboBox::currentTextChanged, this, &FunctionAttributeDialog::chooseName);
    connect(text_, &QLineEdit::textChanged, fault_, &QWidget::hide);
    resize(420, sizeHint().height());
    chooseName();
    text_->setFocus();
}

/// A name from the list stands there as it can be shown, which may be another text.
QString FunctionAttributeDialog::name() const {
    const QString text = name_->currentText().trimmed();
    const int index = name_->findText(text, Qt::MatchExactly | Qt::MatchCaseSensitive);
    return index < 0 ? text : name_->itemData(index).toString();
}

const AttributeValue* FunctionAttributeDialog::valueNow() const {
    const std::string wanted = name().toStdString();
    const auto found = std::find_if(attributes_.begin(), attributes_.end(),
                                    [&wanted](const auto& attribute) { return attribute.first.text() == wanted; });
    return found == attributes_.end() ? nullptr : &found->second;
}

void FunctionAttributeDialog::chooseName() {
    fault_->hide();
    const AttributeValue* now = valueNow();
    text_->setReadOnly(false);
    text_->clear();
    text_->setPlaceholderText(now ? QString() : tr("not set; a number, text or a list such as 1, 1"));
    if (now) {
        const AttributeValue beginning = beginning_of(*now);
        const bool whole = !now->as_list() || beginning.as_list()->size() == now->as_list()->size();
        show_in_field(*text_, write_attribute(any_field(name()), beginning), whole);
    }
    set_->setEnabled(!name().isEmpty() && !text_->isReadOnly());
    take_away_->setEnabled(now != nullptr);
    take_away_->setToolTip(now ? QString() : tr("The function has no such attribute"));
}

void FunctionAttributeDialog::set() {
    if (!set_->isEnabled()) return;
    const auto refuse = [this](const QString& why) {
        fault_->setText(QStringLiteral("⚠ %1").arg(shown_message(why)));
        fault_->show();
    };
    if (!is_valid_name(name().toStdString())) return refuse(tr("%1 is no name").arg(shown_name(shortened(name()))));
    Result<AttributeValue> value = read_attribute(any_field(name()), text_->text().toStdString());
    if (!value) return refuse(QString::fromStdString(value.error().message));
    value_ = std::move(*value);
    accept();
}

}  // namespace partita
