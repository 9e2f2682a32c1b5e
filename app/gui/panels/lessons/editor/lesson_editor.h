// Writing a lesson in the window: title and aim, pages, their text with a preview, the state of the graph as it is in
// the window, questions by pointing at the graph.
#pragma once

#include <functional>

#include <QWidget>

#include "app/gui/panels/lessons/editor/lesson_draft.h"

class QLabel;
class QPushButton;
class QStackedLayout;
class QTabWidget;
class QVBoxLayout;

namespace partita {

class ClaimEditor;
class LessonHeading;
class LessonPages;
class PageTextEditor;
class PointedCalls;
class QuestionEditor;

class LessonEditor : public QWidget {
    Q_OBJECT

public:
    explicit LessonEditor(Document& document, QWidget* parent = nullptr);
    LessonDraft& draft() { return draft_; }
    int currentPage() const;

public slots:
    /// Begins a lesson with the graph that is open; asks first if another one is not saved.
    void begin();
    /// Opens a lesson's file; the same.
    void edit(const QString& path);
    /// Saves under its name, or under one after its title.
    void save();
    void saveAs();
    void tryOut();
    void addPage();
    /// Shows another page, here and on the graph.
    void showPage(int page);
    /// Takes the stage, the assignments and the order of backends of the window into the page.
    void recordState();

signals:
    void tryWanted(const partita::Lesson& lesson);
    /// The lesson's graph shall be opened.
    void graphWanted(const partita::Lesson& lesson);
    void saved(const QString& path);
    void told(const QString& sentence);

private:
    QWidget* buildBeginning();
    QWidget* buildForm();
    void buildOtherGraph(QVBoxLayout& column);
    void buildPages(QVBoxLayout& column);
    void buildState(QVBoxLayout& column);
    void buildTabs(QVBoxLayout& column);
    void buildShown(QVBoxLayout& column);
    QWidget* buildEnd();
    void showDraft();
    const LessonPage& shownPage() const;
    void editPage(const std::function<void(LessonPage&)>& change);
    void updateButtons();
    bool differsFromGraph();
    QString stateText() const;
    void applyState();
    void followGraph();
    /// Goes on when an unsaved lesson was saved or given up.
    void afterAsking(const std::function<void()>& go_on);
    void showOutcome(const Status& status);
    void saveTo(const QString& path);

    Document& document_;
    LessonDraft draft_;
    QStackedLayout* stack_;
    QPushButton* go_on_;
    LessonHeading* heading_;
    QWidget* other_row_;  ///< shown while another graph than the lesson's is open
    QPushButton* take_graph_;
    LessonPages* pages_;
    QLabel* state_;
    QPushButton* record_;
    QTabWidget* tabs_;
    PageTextEditor* text_;
    QuestionEditor* question_;
    ClaimEditor* claims_;
    PointedCalls* shown_;
};

}  // namespace partita
