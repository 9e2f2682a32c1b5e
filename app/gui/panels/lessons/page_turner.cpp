#include "app/gui/panels/lessons/page_turner.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace partita {

PageTurner::PageTurner(QWidget* parent)
    : QWidget(parent), back_(new QPushButton(tr("Back"))), number_(new QLabel), next_(new QPushButton(tr("Next"))) {
    number_->setAlignment(Qt::AlignCenter);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(back_);
    row->addWidget(number_, 1);
    row->addWidget(next_);
    connect(back_, &QPushButton::clicked, this, &PageTurner::backWanted);
    connect(next_, &QPushButton::clicked, this, &PageTurner::nextWanted);
    clear();
    fit();
}

void PageTurner::showPage(int page, int count, const QString& obstacle) {
    const bool last = page + 1 == count;
    back_->setEnabled(page > 0);
    next_->setText(last ? tr("Next lesson") : tr("Next"));
    next_->setEnabled(!last || obstacle.isEmpty());
    next_->setToolTip(next_->isEnabled() ? QString() : obstacle);
    number_->setText(tr("%1 of %2", "pages").arg(page + 1).arg(count));
}

void PageTurner::clear() {
    number_->clear();
    next_->setText(tr("Next"));
    for (QPushButton* button : {back_, next_}) button->setEnabled(false);
}

void PageTurner::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fit();
}

/// Next is as wide as its longer text: it would push what is beside it on the last page.
void PageTurner::fit() {
    const QString now = next_->text();
    next_->setText(tr("Next lesson"));
    const int width = next_->sizeHint().width();
    next_->setText(now);
    next_->setMinimumWidth(width);
}

}  // namespace partita
