#include "app/gui/panels/rules/find_bar.h"

#include <algorithm>
#include <vector>

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace partita {

namespace {

std::vector<qsizetype> places_of(const QString& words, const QString& text) {
    std::vector<qsizetype> places;
    if (words.isEmpty()) return places;
    for (qsizetype at = 0; (at = text.indexOf(words, at, Qt::CaseInsensitive)) >= 0; at += words.size())
        places.push_back(at);
    return places;
}

}  // namespace

FindBar::FindBar(QPlainTextEdit& edit, QWidget* parent)
    : QWidget(parent), edit_(edit), words_(new QLineEdit), count_(new QLabel), previous_(new QToolButton),
      next_(new QToolButton) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 2);
    row->setSpacing(4);
    words_->setObjectName(QStringLiteral("find-in-rules"));
    words_->setPlaceholderText(tr("Find in the text"));
    words_->setAccessibleName(tr("Find in the text"));
    words_->setToolTip(tr("Enter: next, Shift+Enter: previous, Esc: close"));
    words_->setClearButtonEnabled(true);
    words_->installEventFilter(this);
    count_->setObjectName(QStringLiteral("found-in-rules"));
    count_->setMinimumWidth(70);
    previous_->setText(QStringLiteral("▲"));
    previous_->setToolTip(tr("Previous hit (Shift+Enter)"));
    previous_->setAccessibleName(tr("Previous hit"));
    next_->setText(QStringLiteral("▼"));
    next_->setToolTip(tr("Next hit (Enter)"));
    next_->setAccessibleName(tr("Next hit"));
    auto* close = new QToolButton;
    close->setText(QStringLiteral("✕"));
    close->setToolTip(tr("Close (Esc)"));
    close->setAccessibleName(tr("Close the search"));
    row->addWidget(words_, 1);
    for (QWidget* each : std::initializer_list<QWidget*>{count_, previous_, next_, close}) row->addWidget(each);
    connect(words_, &QLineEdit::textChanged, this, [this] { step(0); });
    connect(previous_, &QToolButton::clicked, this, [this] { step(-1); });
    connect(next_, &QToolButton::clicked, this, [this] { step(1); });
    connect(close, &QToolButton::clicked, this, &FindBar::leave);
    hide();
}

void FindBar::open() {
    const QString selected = edit_.textCursor().selectedText();
    show();
    if (!selected.isEmpty() && !selected.contains(QChar::ParagraphSeparator)) words_->setText(selected);
    words_->setFocus(Qt::ShortcutFocusReason);
    words_->selectAll();
    step(0);
}

void FindBar::step(int by) {
    const std::vector<qsizetype> places = places_of(words_->text(), edit_.toPlainText());
    for (QToolButton* button : {previous_, next_}) button->setEnabled(!places.empty());
    count_->setText(words_->text().isEmpty() ? QString() : tr("no hit"));
    if (places.empty()) return;
    const qsizetype here = edit_.textCursor().selectionStart() + (by > 0 && edit_.textCursor().hasSelection() ? 1 : 0);
    const auto ahead = std::lower_bound(places.begin(), places.end(), here);
    const size_t count = places.size();
    const size_t found = (size_t(ahead - places.begin()) + (by < 0 ? count - 1 : 0)) % count;
    QTextCursor cursor = edit_.textCursor();
    cursor.setPosition(int(places[found]));
    cursor.setPosition(int(places[found] + words_->text().size()), QTextCursor::KeepAnchor);
    edit_.setTextCursor(cursor);
    edit_.ensureCursorVisible();
    count_->setText(tr("%1 of %2").arg(found + 1).arg(count));
}

void FindBar::leave() {
    hide();
    edit_.setFocus();
}

bool FindBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (!enter && key->key() != Qt::Key_Escape && !key->matches(QKeySequence::Find))
        return QWidget::eventFilter(watched, event);
    event->accept();  // the keys are the bar's, not commands of the window
    if (event->type() == QEvent::ShortcutOverride) return true;
    if (key->matches(QKeySequence::Find)) words_->selectAll();
    else if (!enter) leave();
    else step(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
    return true;
}

}  // namespace partita
