#include "app/gui/window/dimensions_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

constexpr int kLargestDimension = 1 << 24;
constexpr int kMostHeight = 420;

}  // namespace

DimensionsDialog::DimensionsDialog(const QString& title, const Dimensions& taken, QWidget* parent) : QDialog(parent) {
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
    for (const auto& [symbol, value] : taken) {
        auto* box = new QSpinBox;
        box->setRange(1, kLargestDimension);
        box->setValue(int(std::min<int64_t>(value, kLargestDimension)));
        box->setGroupSeparatorShown(true);
        box->setButtonSymbols(QAbstractSpinBox::NoButtons);  // sizes are typed, not stepped to
        const QString name = symbol == "?" ? tr("without a name") : shown_name(symbol);
        box->setAccessibleName(name);
        box->setMinimumWidth(120);
        auto* label = new QLabel(name);
        label->setTextFormat(Qt::PlainText);
        label->setBuddy(box);
        form->addRow(label, box);
        boxes_.emplace_back(symbol, box);
    }
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(inside);
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

Dimensions DimensionsDialog::dimensions() const {
    Dimensions values;
    for (const auto& [symbol, box] : boxes_) values[symbol] = box->value();
    return values;
}

}  // namespace partita
