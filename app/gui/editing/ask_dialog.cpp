#include "app/gui/editing/ask_dialog.h"

#include <utility>

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "app/gui/style/foreign_text.h"

namespace partita {

AskDialog::AskDialog(const QString& title, const QString& label, const QString& text, QWidget* parent)
    : QInputDialog(parent), fault_(make_plain_label()) {
    setObjectName(QStringLiteral("ask"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(title);
    setLabelText(as_plain(shown_message(shortened(label))));
    setTextValue(text);
    fault_->setObjectName(QStringLiteral("ask-fault"));
    fault_->setAccessibleName(tr("Why it was refused"));
    fault_->setWordWrap(true);
    fault_->hide();
    connect(this, &QInputDialog::textValueChanged, this, [this] { fault_->hide(); });
    resize(420, sizeHint().height());
    placeFault();
}

/// Between the field and the buttons.
void AskDialog::placeFault() {
    auto* column = qobject_cast<QBoxLayout*>(layout());
    if (column) column->insertWidget(column->count() - 1, fault_);
}

void AskDialog::done(int result) {
    if (waiting_ && result == Accepted) return;
    if (result != Accepted || !work_) return QInputDialog::done(result);
    setWaiting(true);
    work_(textValue().trimmed());
}

void AskDialog::setWaiting(bool waiting) {
    waiting_ = waiting;
    for (QDialogButtonBox* box : findChildren<QDialogButtonBox*>())
        if (QPushButton* ok = box->button(QDialogButtonBox::Ok)) ok->setEnabled(!waiting);
}

void AskDialog::succeed() { QInputDialog::done(Accepted); }

void AskDialog::refuse(const QString& why) {
    setWaiting(false);
    fault_->setText(QStringLiteral("⚠ %1").arg(shown_message(why)));
    fault_->show();
    if (QWidget* field = findChild<QLineEdit*>()) field->setFocus();
}

QString AskDialog::fault() const { return fault_->isHidden() ? QString() : fault_->text(); }

}  // namespace partita
