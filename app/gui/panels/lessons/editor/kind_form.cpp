#include "app/gui/panels/lessons/editor/kind_form.h"

#include <algorithm>
#include <utility>

#include <QLabel>

namespace partita {

void KindForm::add(const QString& label, QWidget* widget, std::vector<QuestionKind> kinds) {
    QLabel* words = label.isEmpty() ? nullptr : new QLabel(label);
    if (words) {
        words->setWordWrap(true);
        words->setBuddy(widget);
        layout_->addRow(words);  // above it, as wide as the panel
    }
    layout_->addRow(widget);
    rows_.push_back({words, widget, std::move(kinds)});
}

void KindForm::showRowsOf(const LessonQuestion* question) const {
    for (const Row& row : rows_) {
        const bool fits = question && std::find(row.kinds.begin(), row.kinds.end(), question->kind) != row.kinds.end();
        if (row.label) row.label->setVisible(fits);
        row.widget->setVisible(fits);
    }
}

}  // namespace partita
