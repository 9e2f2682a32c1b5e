// The text editor of a backend description, or of a file in Python: line numbers with breakpoints in the margin, faults
// underlined where they are, words completed. Knows the text alone; what a text does is the panel's business.
#pragma once

#include <map>
#include <set>
#include <vector>

#include <QPlainTextEdit>

#include "app/gui/style/theme.h"
#include "engine/rules/description_outline.h"

class QCompleter;
class QStandardItemModel;

namespace partita {

class DescriptionHighlighter;
class PythonHighlighter;

class DescriptionEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit DescriptionEdit(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);

    /// Shows the text of something else: nothing of the one before stays, and no undo leads back to it.
    void openText(const QString& text);
    /// Puts another text in place of this one by changing what differs, so that the cursor and undo stay.
    void replaceText(const QString& text);
    void setFaults(const std::vector<Diagnostic>& faults);
    /// The lines of rules, by line, and of those the ones with a breakpoint, each with its condition ("": none).
    void setRuleLines(std::vector<RulePlace> places);
    void setBreakpointLines(std::map<int, QString> lines);
    /// In Python any line can have a breakpoint, and words are not completed.
    void setPython(bool python);
    bool isPython() const { return python_; }
    /// A figure beside a line, with what its tip says.
    struct Count {
        int calls = 0;
        QString tip;
    };
    void setCounts(std::map<int, Count> counts);
    /// The first line with a figure; 0 where there is none.
    int firstCount() const { return counts_.empty() ? 0 : counts_.begin()->first; }
    /// A line that a link led to, or at which playing stopped, with what is written behind it; 0: none.
    void setMarked(int line, const QString& values);
    int marked() const { return marked_.line; }
    /// Lines that a rule reached for a call: a bar in the margin.
    void setPath(std::set<int> lines);
    const std::set<int>& path() const { return path_; }
    /// The line of the cursor, from 1.
    int cursorLine() const { return textCursor().blockNumber() + 1; }
    /// Where the figure beside a line is in the margin; empty where there is none or the line is out of sight.
    QRect countPlace(int line) const;
    QWidget& margin() const { return *margin_; }
    /// Puts the cursor there, in sight.
    void look(SourcePosition position);
    /// The same, and the keys go to the text.
    void goTo(SourcePosition position);
    /// Puts `"name": value,` before the entry at a place, and selects the value.
    void insertEntry(SourcePosition before, const QString& name, const QString& value);
    /// Puts text at the end, and selects `value`, which it contains.
    void appendText(const QString& text, const QString& value);
    /// The rule that stands in a line (from 1), or "".
    QString ruleInLine(int line) const;
    QCompleter& completer() { return *completer_; }

public slots:
    /// Offers what can stand at the cursor; the only fitting word is not put in unasked.
    void complete();

signals:
    /// A click in the margin, or F9.
    void breakpointToggled(const QString& rule);
    /// The same, in Python.
    void lineToggled(int line);
    /// A click with the right button in the margin, or Shift+F9: when to stop at a line is to be asked.
    void conditionWanted(int line);
    /// Breakpoints moved with the text of their lines, in Python.
    void breakpointLinesMoved(const std::vector<int>& lines);
    /// A click on the figure beside a line.
    void countClicked(int line);
    /// Ctrl+F.
    void findWanted();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    friend class DescriptionMargin;
    struct Mark {
        int begin = 0, end = 0;  ///< characters of the text
        QString message;
        int line = 0;
    };

    struct MarkedLine {
        int line = 0;
        QString values;
    };

    void colourWhenSeen();
    void colourText();
    void followLines(int position, int added);
    int countWidth() const;
    int marginWidth() const;
    void paintCount(QPainter& painter, int line, const QRectF& row);
    void toggleBreakpoint(int line);
    QString tipAt(const QPoint& place) const;
    void placeMargin();
    void paintMargin(QPaintEvent& event);
    void clickMargin(const QPoint& place);
    void askForCondition(int line);
    int lineAt(int y) const;
    void insertCompletion(const QString& word);
    void showMarks();
    int offsetOf(SourcePosition position) const;
    QString messageAt(const QPoint& place) const;
    void newLine();

    Theme theme_;
    DescriptionHighlighter* highlighter_;
    PythonHighlighter* python_highlighter_;
    QWidget* margin_;
    QCompleter* completer_;
    QStandardItemModel* words_;
    int completion_begin_ = 0;
    std::vector<Mark> marks_;
    std::vector<RulePlace> rules_;
    std::map<int, QString> breakpoints_;  ///< conditions, by line
    bool python_ = false;
    bool seen_ = false;  ///< it was painted once
    bool centre_when_shown_ = false;
    int line_count_ = 1;  ///< before the text changes
    std::map<int, Count> counts_;
    MarkedLine marked_;
    std::set<int> path_;
};

}  // namespace partita
