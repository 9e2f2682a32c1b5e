// Lessons: pages of text beside the graph; questions are answered by selecting operators on the canvas, or by marking
// all regions. That can be done with any graph, too.
#pragma once

#include <functional>
#include <utility>

#include <QWidget>

#include "app/gui/document/document.h"
#include "app/gui/panels/lessons/lesson_files.h"
#include "app/gui/panels/lessons/lesson_list.h"
#include "app/gui/panels/lessons/lesson_progress.h"
#include "engine/lessons/lesson_graph.h"
#include "engine/lessons/question_kinds.h"

class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;

namespace partita {

class LessonEnd;
class PageText;
class PageTurner;
class PredictionView;
class QuestionView;

class LessonsPanel : public QWidget {
    Q_OBJECT

public:
    explicit LessonsPanel(Document& document, QWidget* parent = nullptr);
    /// Reads them when they are first asked for: not at each start.
    const LessonList& list();
    int pageCount() const { return lesson_ ? int(lesson_->pages.size()) : 0; }
    int currentPage() const { return page_; }
    QString answerText() const;
    /// Returns the list of lessons, or the page, as it is shown.
    QString choiceText() const;
    PredictionView& prediction() { return *prediction_; }
    bool isInLesson() const { return lesson_.has_value(); }
    /// Returns the file of the lesson that is shown; "" if it stands in none.
    QString lessonFile() const { return shown_lesson_ >= 0 ? list_[shown_lesson_].file : QString(); }
    /// Returns the text of the page; "" outside a lesson.
    QString pageText() const;
    /// Returns the choices of its question, as a list in Markdown; "" if there are none.
    QString choicesText() const;
    bool asksQuestion() const { return question() != nullptr; }
    /// Returns whether an open question asks for their number, which stands in other places, too.
    bool hidesRegions() const;
    /// Returns why the graph may not be divided further now: an open question asks for what would be seen.
    QString obstacleToDividing() const;
    QuestionView& questionView() { return *question_; }
    /// Called before a lesson takes the place of what is open; it goes on by its argument, or not at all.
    void setLeaving(std::function<void(std::function<void()>)> leaving) { leaving_ = std::move(leaving); }

public slots:
    /// Opens the lesson's graph and shows its first page.
    void start(int lesson);
    /// The same with a lesson that may stand in no file; its answers are not kept.
    void tryOut(const partita::Lesson& lesson);
    /// The graph stays; its pages don't speak of it any more.
    void leave();
    /// Opens the graph of a lesson that is being written, with its backends.
    void openGraphOf(const partita::Lesson& lesson);
    void next();
    void back();
    /// Compares what was answered with the right answer.
    void check();
    /// Looks for lessons again: files were added or changed.
    void reload();
    void openFolder() { list_.openFolder(); }
    /// Saves the answers of the course, or to a prediction, where a person chooses.
    void saveAnswers();
    bool saveAnswersTo(const QString& path, const QString& who);
    /// Forgets the answers of the lesson.
    void startAgain();
    /// Asks for the regions of the graph that is open, without a lesson.
    void predictOpenGraph();
    /// The graph shows the result again. A page that asks for all regions begins anew with resumePrediction().
    void endPrediction();
    /// The marks wait until the panel is shown again.
    void pausePrediction();
    void resumePrediction();

signals:
    /// Another page, or none, is shown.
    void pageChanged();
    /// Titles, lines or what is done changed.
    void lessonsChanged();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fillChooser();
    void buildTexts();
    void buildColumn();
    void open(int lesson);
    void begin(Lesson lesson, int number);
    void readAgain();
    const LessonGraph* pageGraph();
    const LessonQuestion* question() const;
    bool isAnswered() const;
    void showVerdict(const LessonVerdict& verdict);
    void showSolved(const QString& right);
    void showAnswer(const QString& text, bool right, Qt::TextFormat format);
    void noteAnswer(LessonAnswer answer, bool right);
    void notePrediction();
    void noteOwnPrediction();
    QString rulesText() const;
    LessonAnswer markedRegions() const;
    QString obstacleToSaving() const;
    AnswerFile answersToSave() const;
    QString obstacleToNextLesson() const;
    void showScore();
    void showOwnScore();
    void openGraph(const Lesson& lesson);
    void openScript();
    QString courseScore() const;
    bool savesCourse() const;
    QString comparedText();
    QString reachedText(const LessonVerdict& verdict) const;
    std::vector<ExprId> expressionsOf(const std::vector<uint32_t>& calls) const;
    void showPage(int page);
    void applyPage();
    void putSolvedRules(FlowChoice& choice);
    int rowOf(int lesson) const;
    void tick(int lesson);
    void showChoice();
    void updateCheck();
    QString namesOf(const std::vector<ExprId>& operators, bool links) const;

    Document& document_;
    LessonList list_;
    std::optional<Lesson> lesson_;
    std::shared_ptr<const LessonGraph> graph_;       ///< null where the lesson's graph has a fault
    std::shared_ptr<const LessonGraph> page_graph_;  ///< divided as the page begins; null until it is asked for
    LessonProgress progress_;
    std::function<void(std::function<void()>)> leaving_;
    QString compared_;  ///< the table of divisions of the page
    int shown_lesson_ = -1;
    int page_ = 0;
    bool hinted_ = false;  ///< a wrong answer was given since the page is shown
    bool opening_ = false;
    QComboBox* chooser_;
    PageText* text_;
    QScrollArea* page_area_;
    QLabel *answer_, *selected_;
    QuestionView* question_;
    PredictionView* prediction_;
    LessonEnd* end_;  ///< below the last page
    PageTurner* turner_;
    QPushButton* check_;
};

}  // namespace partita
