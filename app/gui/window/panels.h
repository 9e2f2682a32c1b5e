// The window's panels and the docks that they stand in.
#pragma once

#include <functional>
#include <vector>

#include <QObject>

#include "app/gui/window/help_window.h"

class QDockWidget;
class QMainWindow;

namespace partita {

class CodePanel;
class CoveragePanel;
class Document;
class InspectorPanel;
class LessonEditor;
class LessonsPanel;
class OutlinePanel;
class NumbersPanel;
class ProblemsPanel;
class RulesPanel;
class StepsPanel;
class TextPanel;
class TimingPanel;
struct Theme;

/// One panel in its dock. To add one, add a row to the table in panels.cpp.
struct PanelRow {
    QString name, title;
    QWidget* panel;
    Qt::DockWidgetArea area;
    HelpTopic topic = HelpTopic::FirstMinutes;    ///< for F1 in it
    bool tells_regions = false;                   ///< not while a person predicts them
    std::function<void(const Theme&)> set_theme;  ///< may be empty
};

class Panels : public QObject {
    Q_OBJECT

public:
    Panels(Document& document, QMainWindow& window);

    OutlinePanel& outline() const { return *outline_; }
    InspectorPanel& inspector() const { return *inspector_; }
    TimingPanel& timing() const { return *timing_; }
    TextPanel& text() const { return *text_; }
    CodePanel& code() const { return *code_; }
    LessonsPanel& lessons() const { return *lessons_; }
    LessonEditor& lessonEditor() const { return *lesson_editor_; }
    StepsPanel& steps() const { return *steps_; }
    ProblemsPanel& problems() const { return *problems_; }
    NumbersPanel& numbers() const { return *numbers_; }
    RulesPanel& rules() const { return *rules_; }
    CoveragePanel& coverage() const { return *coverage_; }
    std::vector<QDockWidget*> docks() const;
    /// Null if there is none of that name.
    QWidget* named(const QString& name) const;
    QStringList names() const;
    /// What the help says about the panel that a widget is in.
    HelpTopic topicAt(const QWidget* widget) const;

    /// Brings a panel to the front, unless it tells what a person predicts.
    void show(QWidget* panel);
    /// The same, and the keyboard goes there.
    void enter(QWidget* panel);
    /// Makes them as wide as larger type needs, as long as the graph keeps the most.
    void fit(double text_scale);
    /// Takes the window's state from when it was last left.
    void restore(const QByteArray& state);
    /// The same as fit, unless they were restored: then they have their widths.
    void fitIfNew(double text_scale);
    void setTheme(const Theme& theme);
    /// All are hidden for a while, and come back as they were.
    void setAway(bool away) { away_ = away; }
    /// While nothing is open, panels that have nothing to show leave the window to the start page; those that were
    /// there come back with the first module.
    void standAside(bool aside);
    /// While a person predicts, no panel tells the regions.
    void hideAnswers();
    /// Why what tells regions can't be had now; empty where it can.
    QString obstacleToAnswers() const;

signals:
    /// Something for the status bar.
    void told(const QString& sentence);
    void regionSelected(int region);
    void regionsSelected(const QVariantList& regions);

private:
    std::vector<PanelRow> table();
    QDockWidget* addDock(const PanelRow& row);
    void addSideDocks();
    void addBottomDocks();
    void join();
    void followLessons(bool shown);
    void followLessonEditor(bool shown);
    /// Of the lessons and their editor, which stand in the outline's place.
    bool lessonsAreShown() const;
    void giveLessonsHeight();
    void keepOutlineWidth();
    void giveRooflineHeight();
    void tellOfDivision();
    void countProblems();
    std::vector<QWidget*> tellingRegions() const;

    Document& document_;
    QMainWindow& window_;
    OutlinePanel* outline_;
    InspectorPanel* inspector_;
    StepsPanel* steps_;
    TimingPanel* timing_;
    TextPanel* text_;
    CodePanel* code_;
    ProblemsPanel* problems_;
    NumbersPanel* numbers_;
    LessonsPanel* lessons_;
    LessonEditor* lesson_editor_;
    RulesPanel* rules_;
    CoveragePanel* coverage_;
    const std::vector<PanelRow> rows_;
    bool restored_ = false;
    bool away_ = false;
    bool hides_panels_ = false;              ///< those that tell of the regions
    int outline_width_ = 0;                  ///< before the lessons took its place; 0 where they did not
    std::vector<QDockWidget*> aside_;        ///< docks that come back when something is open
    QDockWidget* front_aside_ = nullptr;     ///< of those at the bottom the one that was in front
    int given_height_ = 0, own_height_ = 0;  ///< of the docks at the bottom: for the roofline, and before; 0: not given
    std::vector<QDockWidget*> hidden_answers_;  ///< docks that tell of the regions and were open
};

}  // namespace partita
