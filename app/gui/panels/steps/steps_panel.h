// Steps: plays the decisions of the passes one by one on the canvas: forward, back, jump, speed, filter.
#pragma once

#include <map>

#include <QTimer>
#include <QWidget>

#include "app/gui/canvas/decorate_graph.h"
#include "app/gui/document/flow_explanations.h"
#include "app/gui/panels/steps/step_replay.h"
#include "app/gui/panels/steps/steps_model.h"

class QLabel;
class QStackedLayout;

namespace partita {

class StepBar;
class StepDelegate;
class StepList;

class StepsPanel : public QWidget {
    Q_OBJECT

public:
    explicit StepsPanel(Document& document, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    int currentRow() const { return row_; }
    int rowCount() const { return model_.rowCount(); }
    bool playing() const { return timer_.isActive(); }
    RuleBreakpoints& breakpoints() { return breakpoints_; }
    /// The terms of the rule with a breakpoint that the step at hand asks, with their values; "" where there is none.
    QString terms() const;

    /// What is said of the step that is shown; "" where none is.
    QString sentence() const;
    /// What an expression of the rule language is for the call of each step is said with it; "": nothing more. Returns
    /// what is wrong with the text; "" if it is taken.
    QString watch(const QString& expression);

public slots:
    /// Asks for the expression.
    void askForWatch();
    void togglePlaying();
    void stepForward();
    void stepBack();
    void jumpToStart();
    void jumpToBreakpoint();
    /// On to the next line of the file in Python that the rule reaches for the call at hand.
    void nextLine();
    void jumpToEnd();
    /// Back to the result itself.
    void stop();
    void goTo(int row);
    /// Shows each step of a row that stands for many blocks, or that row only. The step that is shown stays, or becomes
    /// that row.
    void setOpen(int row, bool open);

signals:
    /// A line of a backend's file in Python is to be seen.
    void lineWanted(int backend, int line);
    /// The rule stands before a line, with these values; 0: it is left.
    void lineReached(int backend, int line, const QString& values);
    /// The lines that the rule reaches for the call at hand; none: it is left.
    void pathWalked(int backend, const std::vector<int>& lines);
    /// A step is shown: what it looks at, what else it names, and the state so far. A null state: no step.
    void stepShown(const std::vector<ExprId>& subjects, const std::vector<ExprId>& related,
                   std::shared_ptr<const DecorationInput> state);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// What the canvas marks of a decision.
    struct StepShown {
        std::vector<ExprId> subjects, related;
        std::vector<ExprId> named_by;  ///< regions, each by one of its expressions
    };
    void buildContent();
    void followBar();
    void refresh();
    void updateControls();
    void tick();
    void showState(const StepShown& step, const ReplayedState& now);
    void cancelReplay();
    void showTerms();
    QString whyNeverAsked() const;
    StepShown shownOf(int row) const;
    void findAlike();
    void findMisses();
    void showMisses(std::vector<Decision> misses);
    void findReaching();
    /// The lines that the rule of the step at hand reaches, and before which of them it stands.
    struct Walk {
        int backend = -1, at = 0;
        std::vector<AnnotatorStep> steps;
    };
    void askForWalk(const Decision& decision);
    void showLine();
    QString watched() const;
    static QString valuesOf(const AnnotatorStep& step);
    int backendOf(const Decision& decision) const;
    std::map<int, BreakpointCondition> linesOf(int backend) const;
    /// What the rule or pattern said in a step.
    struct StepCause {
        CallCause cause;
        std::string at;  ///< the name of the cause's expression
    };
    QString headOf(int row) const;
    QString termsOf(const StepCause& step) const;
    QString termText(const RuleTerm& term, bool refused) const;

    Document& document_;
    RuleBreakpoints breakpoints_;
    StepsModel model_;
    FlowQuestions term_questions_, miss_questions_, reach_questions_, walk_questions_;
    QString terms_text_;  ///< without the line that is reached
    QString watch_;
    Walk walk_;
    Theme theme_;
    QTimer timer_;
    int row_ = -1;
    quint64 replay_job_ = 0, alike_job_ = 0;
    QStackedLayout* stack_;
    StepBar* bar_;
    StepList* list_;
    StepDelegate* delegate_;
    QLabel *sentence_, *terms_;
};

}  // namespace partita
