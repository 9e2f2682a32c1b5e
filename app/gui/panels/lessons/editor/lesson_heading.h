// What a lesson is called: its title, its chapter and its aim.
#pragma once

#include <QWidget>

#include "app/gui/panels/lessons/editor/lesson_draft.h"

class QLineEdit;

namespace partita {

/// What is typed goes into the draft at once.
class LessonHeading : public QWidget {
    Q_OBJECT

public:
    explicit LessonHeading(LessonDraft& draft, QWidget* parent = nullptr);
    /// Shows what the draft has.
    void fill();

private:
    QLineEdit* addField(const QString& name, const QString& what, std::string Lesson::*member);

    LessonDraft& draft_;
    QLineEdit *title_, *chapter_, *line_;
};

}  // namespace partita
