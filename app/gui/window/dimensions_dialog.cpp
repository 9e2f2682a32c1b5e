#include "app/gui/window/dimensions_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QVBoxLayout>

#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

constexpr int kLargestDimension = 1 << 24;
constexpr int kMostHeight = 420;
constexpr size_t kShownInputs = 8;
constexpr int kMostLetters = 48;  ///< of a name, so that its field has room; the tool tip has the whole

/// Returns the inputs where a dimension stands, one a line; before them its name, if the label has not all of it.
QString inputs_text(const NamedDimension& dimension, const QString& name) {
    QStringList lines;
    if (name.size() > kMostLetters) lines << name;
    for (size_t i = 0; i < std::min(dimension.inputs.size(), kShownInputs); ++i)
        lines << QStringLiteral("%1 [%2]").arg(shown_name(dimension.inputs[i].first)).arg(dimension.inputs[i].second);
    if (dimension.inputs.size() > kShownInputs) lines << QStringLiteral("…");
    return as_plain(lines.join(QLatin1Char('\n')));
}

}  // namespace

DimensionsDialog::DimensionsDialog(const QString& title, const std::vector<NamedDimension>& taken, QWidget* parent)
    : QDialog(parent) {
    setWindowTitle(tr("Dimensions of %1").arg(shown_name(title)));
    auto* column = new QVBoxLayout(this);
    column->setSpacing(12);
    auto* text =
        new QLabel(tr("The model leaves these dimensions open. Partita fixes them when it reads the model; "
                      "your choice is remembered for this file."));
    text->setWordWrap(true);
    text->setMinimumWidth(380);
    column->addWidget(text);

    auto* inside = new QWidget;
    auto* form = new QFormLayout(inside);
    form->setContentsMargins(0, 0, 8, 0);
    form->setHorizontalSpacing(24);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (const NamedDimension& dimension : taken) {
        const QString name = dimension.name == "?" ? tr("without a name") : shown_name(dimension.name);
        QWidget* field = fieldFor(dimension, name);
        auto* label = make_plain_label(without_keys(without_middle(name, kMostLetters)));
        label->setBuddy(field);
        label->setToolTip(inputs_text(dimension, name));
        form->addRow(label, field);
    }
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(inside);
    scroll->setMinimumWidth(inside->sizeHint().width() + scroll->verticalScrollBar()->sizeHint().width());
    scroll->setFixedHeight(std::min(inside->sizeHint().height() + 4, kMostHeight));
    column->addWidget(scroll);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Use these"));
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Keep as they are"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    if (!boxes_.empty()) {
        boxes_.front().second->setFocus();
        boxes_.front().second->selectAll();
    }
}

QWidget* DimensionsDialog::fieldFor(const NamedDimension& dimension, const QString& name) {
    if (dimension.source == NamedDimension::Source::Derived) {
        const QString relation = shown_name(dimension.relation);
        auto* label = make_plain_label(relation.isEmpty() ? tr("%1, from the graph").arg(dimension.value)
                                                          : without_middle(relation, kMostLetters));
        if (relation.size() > kMostLetters) label->setToolTip(as_plain(relation));
        return label;
    }
    auto* box = new QSpinBox;
    box->setRange(1, kLargestDimension);
    box->setValue(int(std::min<int64_t>(dimension.value, kLargestDimension)));
    box->setGroupSeparatorShown(true);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);  // sizes are typed, not stepped to
    box->setAccessibleName(name);
    box->setMinimumWidth(120);
    boxes_.emplace_back(dimension.name, box);
    return box;
}

Dimensions DimensionsDialog::dimensions() const {
    Dimensions values;
    for (const auto& [symbol, box] : boxes_) values[symbol] = box->value();
    return values;
}

}  // namespace partita
