// The question of a page: its kind, what it asks of, and what is said of answers. The author answers it in the same
// fields as the learner, to give the right answer where it does not follow from the graph, and for hints.
#pragma once

#include <optional>
#include <vector>

#include <QWidget>

#include "app/gui/panels/lessons/editor/lesson_draft.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace partita {

class HintList;
class PointedCalls;
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
    /// A field of some kinds of questions.
    struct Field {
        QWidget* label;  ///< null: the field says it itself
        QWidget* widget;
        std::vector<QuestionKind> kinds;
    };

    void buildKind(QFormLayout& form);
    void buildSubject(QFormLayout& form);
    void buildRule(QFormLayout& form);
    void buildAnswer(QFormLayout& form);
    void buildTexts(QFormLayout& form);
    void addField(QFormLayout& form, const QString& label, QWidget* widget, std::vector<QuestionKind> kinds);
    void fill();
    void fillRule(const LessonQuestion& question);
    void showHints(const LessonQuestion& question);
    void showFields();
    void ask();
    void setKind(int index);
    /// Takes what stands in the fields into the lesson.
    void take();
    void takeSubject(LessonQuestion& question) const;
    void takeAnswer();
    void addHint();
    const LessonQuestion* question() const;
    void editQuestion(const std::function<void(LessonQuestion&)>& change);

    LessonDraft& draft_;
    Document& document_;
    int page_ = -1;
    bool filling_ = false;
    std::vector<Field> fields_;
    QComboBox *kind_, *counted_, *backend_, *place_;
    PointedCalls *call_, *calls_, *ends_, *takes_, *leaves_;
    QPlainTextEdit *choices_, *right_, *wrong_;
    QSpinBox *most_regions_, *most_bytes_;
    QuestionView* answering_;
    QLabel *solution_, *selected_;
    QPushButton *is_right_, *add_hint_;
    HintList* hints_;
    QLabel* hints_title_;
};

}  // namespace partita
