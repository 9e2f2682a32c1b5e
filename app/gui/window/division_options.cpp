#include "app/gui/window/division_options.h"

#include <algorithm>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/gui/style/foreign_text.h"
#include "app/gui/style/language.h"
#include "app/gui/window/budget_field.h"

namespace partita {

namespace {

const Partitioner* partitioner_of(const Document& document) {
    return find_partitioner(document.choice().partitioner.name);
}

/// "yes|no" as a list; empty for what is free: "N", "FILE", "all|N", "OP,...".
QStringList choices_of(std::string_view values) {
    const QString text = shown_name(values);
    const bool is_free = std::any_of(text.begin(), text.end(), [](QChar letter) { return letter.isUpper(); });
    return is_free ? QStringList() : text.split(QLatin1Char('|'));
}

}  // namespace

QString DivisionOptions::obstacle(const Document& document) {
    const Partitioner* partitioner = partitioner_of(document);
    if (!partitioner) return tr("The passes above are the options of tvm; choose another algorithm under Divide by");
    return partitioner->options.empty() ? tr("%1 has no options").arg(shown_name(partitioner->name)) : QString();
}

DivisionOptions::DivisionOptions(Document& document, QWidget& window) : QDialog(&window), document_(document) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("division-options"));
    auto* column = new QVBoxLayout(this);
    column->setSpacing(12);
    form_ = new QFormLayout;
    form_->setHorizontalSpacing(24);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    column->addLayout(form_);
    column->addStretch(1);
    source_ = make_plain_label();
    source_->setWordWrap(true);
    source_->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(source_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);  // Enter ends the writing in a field
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    setMinimumWidth(460);
    fill();
    connect(&document_, &Document::choiceChanged, this, [this] {
        if (partitioner_of(document_) != partitioner_) return fill();
        for (const auto& refresh : refresh_) refresh();
    });
}

void DivisionOptions::fill() {
    partitioner_ = partitioner_of(document_);
    if (!partitioner_ || partitioner_->options.empty()) return close(), void();
    setWindowTitle(tr("Options of %1").arg(shown_name(partitioner_->name)));
    source_->setText(tr("From %1").arg(shown_name(partitioner_->source)));
    refresh_.clear();
    while (form_->rowCount() > 0) form_->removeRow(0);
    for (const PartitionerOption& option : partitioner_->options) {
        QWidget* field = fieldFor(option);
        field->setObjectName(QStringLiteral("option-%1").arg(shown_name(option.name)));
        const QString summary = say({option.summary.data(), {}});  // a literal
        auto* cell = new QWidget;
        auto* rows = new QVBoxLayout(cell);
        rows->setContentsMargins(0, 0, 0, 6);
        rows->setSpacing(2);
        rows->addWidget(field);
        auto* words = make_plain_label(summary);
        words->setWordWrap(true);
        words->setForegroundRole(QPalette::PlaceholderText);
        rows->addWidget(words);
        auto* label = make_plain_label(shown_name(option.name));
        label->setBuddy(field);
        field->setAccessibleName(shown_name(option.name));
        field->setAccessibleDescription(summary);
        form_->addRow(label, cell);
        if (form_->rowCount() == 1) field->setFocus();
    }
}

QWidget* DivisionOptions::fieldFor(const PartitionerOption& option) {
    if (option.values == "KIB,FILE") {
        auto* budget = new BudgetField(document_, valueOf(option));
        connect(budget, &BudgetField::changed, this, [this, option](const QString& value) { change(option, value); });
        refresh_.push_back([this, option, budget] { budget->setValue(valueOf(option)); });
        return budget;
    }
    if (const QStringList values = choices_of(option.values); !values.isEmpty()) return choiceField(option, values);
    return option.values == "FILE" ? fileField(option) : textField(option);
}

/// The first of the list is what holds without the option.
QWidget* DivisionOptions::choiceField(const PartitionerOption& option, const QStringList& values) {
    auto* box = new QComboBox;
    box->addItems(values);
    const auto refresh = [this, option, box, values] {
        box->setCurrentIndex(std::max(0, int(values.indexOf(valueOf(option)))));
    };
    refresh();
    refresh_.push_back(refresh);
    connect(box, &QComboBox::activated, this,
            [this, option, box](int row) { change(option, row == 0 ? QString() : box->itemText(row)); });
    return box;
}

QWidget* DivisionOptions::textField(const PartitionerOption& option) {
    auto* line = new QLineEdit(valueOf(option));
    line->setPlaceholderText(shown_name(option.values));
    line->setClearButtonEnabled(true);
    connect(line, &QLineEdit::editingFinished, this, [this, option, line] { change(option, line->text().trimmed()); });
    refresh_.push_back([this, option, line] { line->setText(valueOf(option)); });
    return line;
}

QWidget* DivisionOptions::fileField(const PartitionerOption& option) {
    auto* field = new QWidget;
    auto* row = new QHBoxLayout(field);
    row->setContentsMargins(0, 0, 0, 0);
    auto* line = qobject_cast<QLineEdit*>(textField(option));
    auto* choose = new QPushButton(tr("&Choose…"));
    choose->setAutoDefault(false);
    connect(choose, &QPushButton::clicked, this, [this, option, line] {
        const QString file = QFileDialog::getOpenFileName(this, tr("A file"), line->text(), tr("All files (*)"));
        if (file.isEmpty()) return;
        line->setText(file);
        change(option, file);
    });
    row->addWidget(line, 1);
    row->addWidget(choose);
    field->setFocusProxy(line);
    return field;
}

QString DivisionOptions::valueOf(const PartitionerOption& option) const {
    const auto& options = document_.choice().partitioner.options;
    const auto found = options.find(option.name);
    return found == options.end() ? QString() : QString::fromStdString(found->second);
}

/// "" takes the option away.
void DivisionOptions::change(const PartitionerOption& option, const QString& value) {
    if (value == valueOf(option) || partitioner_of(document_) != partitioner_) return;
    FlowChoice choice = document_.choice();
    if (value.isEmpty()) choice.partitioner.options.erase(std::string(option.name));
    else choice.partitioner.options[std::string(option.name)] = value.toStdString();
    document_.changeChoice(std::move(choice),
                           tr("%1 of %2").arg(shown_name(option.name), shown_name(partitioner_->name)));
}

}  // namespace partita
