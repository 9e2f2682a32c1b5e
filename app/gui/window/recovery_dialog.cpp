#include "app/gui/window/recovery_dialog.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/gui/style/foreign_text.h"

namespace partita {

RecoveryDialog::RecoveryDialog(const std::vector<Autosave::LeftBehind>& found, QWidget* parent)
    : QDialog(parent), list_(new QListWidget) {
    setWindowTitle(tr("Unsaved changes"));
    resize(560, 300);
    auto* column = new QVBoxLayout(this);
    auto* words =
        new QLabel(tr("Partita closed unexpectedly. Choose the unsaved work to recover now; the rest is offered again "
                      "at the next start."));
    words->setWordWrap(true);
    column->addWidget(words);
    list_->setAccessibleName(tr("Unsaved changes"));
    for (const Autosave::LeftBehind& left : found) {
        const QString name = shown_name(QFileInfo(left.project.isEmpty() ? left.module : left.project).fileName());
        auto* item =
            new QListWidgetItem(QStringLiteral("%1\n%2").arg(
                                    name, tr("changed %1").arg(QLocale().toString(left.when, QLocale::ShortFormat))),
                                list_);
        item->setToolTip(shown_name(left.project.isEmpty() ? left.module : left.project));
        item->setData(Qt::UserRole, left.file);
    }
    list_->setCurrentRow(0);
    column->addWidget(list_, 1);
    auto* buttons = new QDialogButtonBox;
    QPushButton* recover = buttons->addButton(tr("Go on"), QDialogButtonBox::AcceptRole);
    recover->setDefault(true);
    QPushButton* discard = buttons->addButton(tr("Throw away"), QDialogButtonBox::DestructiveRole);
    buttons->addButton(tr("Not now"), QDialogButtonBox::RejectRole);
    column->addWidget(buttons);
    const auto open_current = [this] {
        if (list_->currentItem()) recovered_ = list_->currentItem()->data(Qt::UserRole).toString();
        accept();
    };
    connect(recover, &QPushButton::clicked, this, open_current);
    connect(list_, &QListWidget::itemActivated, this, open_current);
    connect(discard, &QPushButton::clicked, this, &RecoveryDialog::discardCurrent);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void RecoveryDialog::discardCurrent() {
    QListWidgetItem* item = list_->takeItem(list_->currentRow());
    if (!item) return;
    discarded_ << item->data(Qt::UserRole).toString();
    delete item;
    if (list_->count() == 0) accept();
}

}  // namespace partita
