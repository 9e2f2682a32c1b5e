// Lessons: pages of text beside the graph; questions are answered by selecting operators on the canvas, or by marking
// all regions. That can be done with any graph, too.
#pragma once

#include <functional>
#include <utility>

#include <QWidget>

#include "app/gui/document/document.h"
#include "app/gui/panels/lessons/lesson.h"

class QComboBox;
class QLabel;
class QPushButton;
class QTextBrowser;

namespace partita {

class PredictionView;

class LessonsPanel : public QWidget {
    Q_OBJECT

public:
    explicit LessonsPanel(Document& document, QWidget* parent = nullptr);
    int lessonCount() const { return int(files_.size()); }
    QStringList lessonTitles() const;
    int pageCount() const { return lesson_ ? int(lesson_->pages.size()) : 0; }
    int currentPage() const { return page_; }
    QString answerText() const;
    PredictionView& prediction() { return *prediction_; }
    bool isInLesson() const { return lesson_.has_value(); }
    /// Called before a lesson takes the place of what is open; it goes on by its argument, or not at all.
    void setLeaving(std::function<void(std::function<void()>)> leaving) { leaving_ = std::move(leaving); }

public slots:
    /// Opens the lesson's graph and shows its first page.
    void start(int lesson);
    void next();
    void back();
    /// Compares the selection with the right answer.
    void check();
    /// Asks for the regions of the graph that is open, without a lesson.
    void predictOpenGraph();
    /// The graph shows the result again. A page that asks for all regions begins anew with resumePrediction().
    void endPrediction();
    void resumePrediction();

protected:
    void changeEvent(QEvent* event) override;

private:
    void fillChooser();
    void buildTexts();
    void buildColumn();
    void open(int lesson);
    void showPage(int page);
    void applyPage();
    void leave();
    void showChoice();
    void updateCheck();
    void fit();
    QString namesOf(const std::vector<ExprId>& operators, bool links) const;

    Document& document_;
    QStringList files_;
    std::optional<Lesson> lesson_;
    std::function<void(std::function<void()>)> leaving_;
    int shown_lesson_ = -1;
    int page_ = 0;
    bool hinted_ = false;  ///< a wrong answer was given to the page's question
    bool opening_ = false;
    QComboBox* chooser_;
    QTextBrowser* text_;
    QLabel *answer_, *selected_, *number_;
    PredictionView* prediction_;
    QPushButton *back_, *next_, *check_;
};

}  // namespace partita
