// What a question asks of: operators, choices, limits, or the place of a rule, by its kind.
#pragma once

#include <QWidget>

#include "app/gui/panels/lessons/editor/kind_form.h"
#include "app/gui/panels/lessons/editor/lesson_draft.h"

class QComboBox;
class QPlainTextEdit;
class QSpinBox;

namespace partita {

class PointedCalls;

class QuestionSubject : public QWidget {
    Q_OBJECT

public:
    explicit QuestionSubject(LessonDraft& draft, QWidget* parent = nullptr);
    /// Shows the subject of a question. Emits nothing.
    void fill(const LessonQuestion& question);
    /// Shows the fields of the question's kind; none for null.
    void showFieldsOf(const LessonQuestion* question);
    /// Shows what follows from the lesson: names of operators.
    void refresh();
    /// Writes what stands in the fields into a question of the kind that is shown.
    void take(LessonQuestion& question) const;

signals:
    void changed();

private:
    void buildOperators();
    void buildLimits();
    void buildRule();
    void fillRule(const LessonQuestion& question);

    LessonDraft& draft_;
    KindForm form_{this};
    QComboBox *counted_, *backend_, *place_;
    PointedCalls *call_, *calls_, *ends_, *takes_, *leaves_;
    QPlainTextEdit* choices_;
    QSpinBox *most_regions_, *most_bytes_;
};

}  // namespace partita
