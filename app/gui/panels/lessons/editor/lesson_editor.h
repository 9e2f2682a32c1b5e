// Writing a lesson in the window: title and aim, pages, their text with a preview, the state of the graph as it is in
// the window, questions by pointing at the graph.
#pragma once

#include <functional>

#include <QWidget>

#include "app/gui/panels/lessons/editor/lesson_draft.h"

class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QStackedLayout;
class QTabWidget;
class QTextBrowser;
class QVBoxLayout;

namespace partita {

class ClaimEditor;
class PointedCalls;
class QuestionEditor;

class LessonEditor : public QWidget {
    Q_OBJECT

public:
    explicit LessonEditor(Document& document, QWidget* parent = nullptr);
    LessonDraft& draft() { return draft_; }
    int currentPage() const { return page_; }

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
    /// Removes the page; the same button brings it back.
    void removePage();
    void movePage(int by);
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
    void buildHead(QVBoxLayout& column);
    void buildPages(QVBoxLayout& column);
    void buildState(QVBoxLayout& column);
    void buildTabs(QVBoxLayout& column);
    void buildShown(QVBoxLayout& column);
    void buildEnd(QVBoxLayout& column);
    void showDraft();
    void fillPages();
    void showFaults();
    void updateButtons();
    bool differsFromGraph();
    QString stateText() const;
    void applyState();
    void followGraph();
    /// Goes on when an unsaved lesson was saved or given up.
    void afterAsking(std::function<void()> go_on);
    void showOutcome(const Status& status);
    void saveTo(const QString& path);

    Document& document_;
    LessonDraft draft_;
    int page_ = 0;
    bool filling_ = false;
    std::optional<std::pair<int, LessonPage>> removed_;  ///< page and its place
    QStackedLayout* stack_;
    QPushButton* go_on_;
    QLineEdit *title_, *line_, *chapter_;
    QListWidget *pages_, *faults_;
    QPushButton *remove_, *up_, *down_, *record_, *open_graph_, *take_graph_, *save_, *try_;
    QTabWidget* tabs_;
    QPlainTextEdit* text_;
    QTextBrowser* preview_;
    QuestionEditor* question_;
    ClaimEditor* claims_;
    PointedCalls* shown_;
    QLabel *state_, *other_graph_, *file_;
    QWidget* other_row_;
};

}  // namespace partita
