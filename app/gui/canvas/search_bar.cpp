#include "app/gui/canvas/search_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSettings>
#include <QToolButton>

#include "app/gui/canvas/graph_search.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

const QString kHistory = QStringLiteral("search/history");
constexpr int kMostKept = 30;

}  // namespace

SearchBar::SearchBar(QWidget* parent)
    : QWidget(parent), edit_(new QLineEdit), count_(new QLabel), previous_(new QToolButton), next_(new QToolButton),
      select_(new QToolButton), list_(new QToolButton) {
    setAutoFillBackground(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 6, 8, 6);
    row->setSpacing(4);
    edit_->setPlaceholderText(tr("Find: nn.conv2d   op:add   backend:default   shape:*x3x*   attr:stride   -op:add"));
    edit_->setAccessibleName(tr("Find in the graph"));
    edit_->setToolTip(
        tr("Words must all match. Keys: op: name: backend: shape: type: attr: region:\n"
           "With numbers: flops:>1e9 bytes:1k..4M\n"
           "* and ? are wildcards; /.../ is a regular expression; a leading - turns a word round.\n"
           "Enter: next, Shift+Enter: previous, Ctrl+Enter: select all hits, Esc: close\n"
           "Up: the query before, Down: on to the list of hits"));
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
    list_->setText(tr("List"));
    list_->setCheckable(true);
    list_->setToolTip(tr("List the hits of all functions (Down)"));
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
    row->addWidget(list_);
    row->addWidget(close);
    connect(edit_, &QLineEdit::textChanged, this, &SearchBar::queryChanged);
    connect(previous_, &QToolButton::clicked, this, [this] { emit stepped(-1); });
    connect(next_, &QToolButton::clicked, this, [this] { emit stepped(1); });
    connect(select_, &QToolButton::clicked, this, &SearchBar::selectionWanted);
    connect(list_, &QToolButton::toggled, this, &SearchBar::listingChanged);
    connect(edit_, &QLineEdit::textEdited, this, [this] { recalled_ = -1; });
    connect(close, &QToolButton::clicked, this, &SearchBar::closed);
    showHits(0, -1);
}

void SearchBar::showHits(int hits, int current) {
    if (query().trimmed().isEmpty()) count_->clear();
    else if (const QString key = hits == 0 ? unknown_search_key(query()) : QString(); !key.isEmpty())
        count_->setText(tr("no key %1:").arg(key));
    else if (hits == 0 && !unreadable_search_word(query()).isEmpty())
        count_->setText(tr("can't be read: %1").arg(shortened(unreadable_search_word(query()), 20)));
    else if (hits == 0) count_->setText(tr("no hit"));
    else if (current >= 0) count_->setText(tr("%1 of %2").arg(current + 1).arg(hits));
    else count_->setText(tr("%n hit(s)", nullptr, hits));
    for (QToolButton* button : {previous_, next_, select_}) button->setEnabled(hits > 0);
}

void SearchBar::remember() {
    const QString now = query().trimmed();
    if (now.isEmpty()) return;
    QSettings store;
    QStringList before = store.value(kHistory).toStringList();
    before.removeAll(now);
    before.prepend(now);
    store.setValue(kHistory, before.mid(0, kMostKept));
}

/// Writes an older (1) or newer (-1) query of before in place of the one that stands there.
void SearchBar::recall(int by) {
    const QStringList before = QSettings().value(kHistory).toStringList();
    int next = recalled_ + by;
    if (by > 0 && recalled_ < 0 && before.value(0) == query().trimmed()) ++next;  // it stands there already
    if (next < 0 || next >= before.size()) return;
    recalled_ = next;
    edit_->setText(before[next]);
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
            remember();
            emit closed();
            return true;
        }
        if (key->key() == Qt::Key_Up || (key->key() == Qt::Key_Down && recalled_ > 0)) {
            recall(key->key() == Qt::Key_Up ? 1 : -1);
            return true;
        }
        if (key->key() == Qt::Key_Down) {
            setListing(true);
            emit listWanted();
            return true;
        }
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            remember();
            if (key->modifiers() & Qt::ControlModifier) emit selectionWanted();
            else emit stepped(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace partita
