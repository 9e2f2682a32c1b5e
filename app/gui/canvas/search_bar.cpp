#include "app/gui/canvas/search_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>

#include "app/gui/canvas/graph_search.h"

namespace partita {

SearchBar::SearchBar(QWidget* parent)
    : QWidget(parent), edit_(new QLineEdit), count_(new QLabel), previous_(new QToolButton), next_(new QToolButton),
      select_(new QToolButton) {
    setAutoFillBackground(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 6, 8, 6);
    row->setSpacing(4);
    edit_->setPlaceholderText(tr("Find: nn.conv2d   op:add   backend:default   shape:*x3x*   attr:stride   -op:add"));
    edit_->setAccessibleName(tr("Find in the graph"));
    edit_->setToolTip(
        tr("Words must all match. Keys: op: name: backend: shape: type: attr: region:\n"
           "* and ? are wildcards; a leading - turns a word round.\n"
           "Enter: next, Shift+Enter: previous, Ctrl+Enter: select all hits, Esc: close"));
    edit_->setClearButtonEnabled(true);
    edit_->setMinimumWidth(edit_->fontMetrics().averageCharWidth() * 16);
    edit_->installEventFilter(this);
    previous_->setText(QStringLiteral("▲"));
    previous_->setToolTip(tr("Previous hit (Shift+Enter)"));
    previous_->setAccessibleName(tr("Previous hit"));
    next_->setText(QStringLiteral("▼"));
    next_->setToolTip(tr("Next hit (Enter)"));
    next_->setAccessibleName(tr("Next hit"));
    select_->setText(tr("Select all"));
    select_->setToolTip(tr("Select all hits (Ctrl+Enter)"));
    auto* close = new QToolButton;
    close->setText(QStringLiteral("✕"));
    close->setToolTip(tr("Close (Esc)"));
    close->setAccessibleName(tr("Close the search"));
    count_->setMinimumWidth(70);
    row->addWidget(edit_, 1);
    row->addWidget(count_);
    row->addWidget(previous_);
    row->addWidget(next_);
    row->addWidget(select_);
    row->addWidget(close);
    connect(edit_, &QLineEdit::textChanged, this, &SearchBar::queryChanged);
    connect(previous_, &QToolButton::clicked, this, [this] { emit stepped(-1); });
    connect(next_, &QToolButton::clicked, this, [this] { emit stepped(1); });
    connect(select_, &QToolButton::clicked, this, &SearchBar::selectionWanted);
    connect(close, &QToolButton::clicked, this, &SearchBar::closed);
    showHits(0, -1);
}

void SearchBar::showHits(int hits, int current) {
    if (query().trimmed().isEmpty()) count_->clear();
    else if (const QString key = hits == 0 ? unknown_search_key(query()) : QString(); !key.isEmpty())
        count_->setText(tr("no key %1:").arg(key));
    else if (hits == 0) count_->setText(tr("no hit"));
    else if (current >= 0) count_->setText(tr("%1 of %2").arg(current + 1).arg(hits));
    else count_->setText(tr("%n hit(s)", nullptr, hits));
    for (QToolButton* button : {previous_, next_, select_}) button->setEnabled(hits > 0);
}

void SearchBar::open() {
    show();
    edit_->setFocus(Qt::ShortcutFocusReason);
    edit_->selectAll();
}

bool SearchBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == edit_ && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape) {
            emit closed();
            return true;
        }
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (key->modifiers() & Qt::ControlModifier) emit selectionWanted();
            else emit stepped(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace partita
