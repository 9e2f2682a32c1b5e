// Where a question is answered that is not answered on the graph: a number, a choice, a rule, backends of operators.
// What is answered on the graph, a selection or assignments, is read from the document.
#pragma once

#include <vector>

#include <QWidget>

#include "app/gui/document/document.h"
#include "engine/lessons/lesson.h"

class QComboBox;
class QLineEdit;
class QRadioButton;
class QSpinBox;
class QVBoxLayout;

namespace partita {

class QuestionView : public QWidget {
    Q_OBJECT

public:
    explicit QuestionView(Document& document, QWidget* parent = nullptr);

    /// Asks a question; `backends` are the lesson's: an operator may go to one of them, or to default.
    void ask(const LessonQuestion& question, const std::vector<BackendPtr>& backends);
    void clear();
    /// Returns the answer as it stands.
    LessonAnswer answer() const;
    /// Returns why there is nothing to check yet; "" if there is.
    QString obstacle() const;
    /// Fills in an answer, as one that was given before.
    void give(const LessonAnswer& answer);

    /// Returns whether a kind is answered by selecting operators.
    static bool selects(QuestionKind kind) { return kind == QuestionKind::Select || kind == QuestionKind::Path; }

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void changed();
    /// Enter was pressed in a field.
    void checkWanted();

private:
    void checkByEnter(QWidget& field) { field.installEventFilter(this); }
    void addNumber();
    void addChoices(const LessonQuestion& question);
    void addRule(const LessonQuestion& question);
    void addBackends(const LessonQuestion& question);

    Document& document_;
    QuestionKind kind_ = QuestionKind::Select;
    std::vector<BackendPtr> of_lesson_;
    QVBoxLayout* column_;
    QWidget* fields_ = nullptr;  ///< of the question that is asked
    QSpinBox* number_ = nullptr;
    QLineEdit* rule_ = nullptr;
    std::vector<QRadioButton*> choices_;
    std::vector<std::pair<uint32_t, QComboBox*>> backends_;  ///< by call
};

}  // namespace partita
