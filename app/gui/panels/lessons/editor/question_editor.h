// The question of a page: its kind, what it asks of, and what is said of answers. The author answers it in the same
// fields as the learner, to give the right answer where it does not follow from the graph, and for hints.
#pragma once

#include <QWidget>

#include "app/gui/panels/lessons/editor/kind_form.h"
#include "app/gui/panels/lessons/editor/lesson_draft.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace partita {

class HintList;
class QuestionSubject;
class QuestionView;

class QuestionEditor : public QWidget {
    Q_OBJECT

public:
    QuestionEditor(LessonDraft& draft, Document& document, QWidget* parent = nullptr);
    /// Shows the question of a page.
    void showPage(int page);
    /// Shows what follows from the lesson: names, the right answer.
    void refresh();

private:
    void buildKind();
    void buildAnswer();
    void buildTexts();
    void fill();
    void showHints(const LessonQuestion& question);
    void showFields();
    void ask();
    void setKind(int index);
    /// Takes what stands in the fields into the lesson.
    void take();
    void takeAnswer();
    void addHint();
    const LessonQuestion* question() const;
    void editQuestion(const std::function<void(LessonQuestion&)>& change);

    LessonDraft& draft_;
    Document& document_;
    int page_ = -1;
    bool filling_ = false;
    KindForm form_{this};
    QComboBox* kind_;
    QuestionSubject* subject_;
    QPlainTextEdit *right_, *wrong_;
    QuestionView* answering_;
    QLabel *solution_, *selected_;
    QPushButton *is_right_, *add_hint_;
    HintList* hints_;
};

}  // namespace partita
