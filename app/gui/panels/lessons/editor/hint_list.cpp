#include "app/gui/panels/lessons/editor/hint_list.h"

#include <algorithm>
#include <utility>

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/gui/panels/lessons/editor/lesson_draft.h"

namespace partita {

HintList::HintList(QWidget* parent) : QWidget(parent), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
}

void HintList::setQuestion(const LessonQuestion& question, const LessonGraph* graph) {
    QStringList answers;
    for (const LessonHint& hint : question.hints)
        answers << (graph ? shown_answer(hint.answer, question, *graph) : QStringLiteral("…"));
    const auto same_text = [](const LessonHint& a, const LessonHint& b) { return a.text == b.text; };
    // Rows that are as they were keep their cursor.
    if (answers == answers_ &&
        std::equal(hints_.begin(), hints_.end(), question.hints.begin(), question.hints.end(), same_text))
        return;
    hints_ = question.hints;
    answers_ = answers;
    if (rows_) rows_->deleteLater();
    rows_ = new QWidget;
    auto* rows = new QVBoxLayout(rows_);
    rows->setContentsMargins(0, 0, 0, 0);
    for (size_t i = 0; i < hints_.size(); ++i) rows->addWidget(makeRow(i, answers_[qsizetype(i)]));
    column_->addWidget(rows_);
    setVisible(!hints_.empty());
}

void HintList::setTabPlace(QWidget* before, QWidget* after) {
    for (auto* row : rows_ ? rows_->findChildren<QWidget*>() : QList<QWidget*>())
        if (row->focusPolicy() & Qt::TabFocus) setTabOrder(std::exchange(before, row), row);
    setTabOrder(before, after);
}

QWidget* HintList::makeRow(size_t hint, const QString& answer) {
    auto* row = new QWidget;
    auto* grid = new QGridLayout(row);
    grid->setContentsMargins(0, 0, 0, 0);
    auto* who = new QLabel(tr("Who answers %1 reads:").arg(answer));
    who->setTextFormat(Qt::PlainText);
    who->setWordWrap(true);
    auto* text = new QLineEdit(QString::fromStdString(hints_[hint].text));
    text->setCursorPosition(0);
    text->setObjectName(QStringLiteral("hint-%1").arg(hint));
    text->setAccessibleName(who->text());
    auto* remove = new QPushButton(tr("Remove"));
    grid->addWidget(who, 0, 0, 1, 2);
    grid->addWidget(text, 1, 0);
    grid->addWidget(remove, 1, 1);
    connect(text, &QLineEdit::textEdited, this, [this, hint](const QString& now) {
        hints_[hint].text = now.toStdString();
        emit changed();
    });
    connect(remove, &QPushButton::clicked, this, [this, hint] {
        hints_.erase(hints_.begin() + ptrdiff_t(hint));
        emit changed();
    });
    return row;
}

}  // namespace partita
