// The text editor of a backend description: line numbers with breakpoints in the margin, faults underlined where they
// are, words completed. Knows the text alone; what a text does is the panel's business.
#pragma once

#include <vector>

#include <QPlainTextEdit>

#include "app/gui/style/theme.h"
#include "engine/rules/description_outline.h"

class QCompleter;
class QStandardItemModel;

namespace partita {

class DescriptionHighlighter;

class DescriptionEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit DescriptionEdit(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);

    /// Puts another text in place of this one by changing what differs, so that the cursor and undo stay.
    void replaceText(const QString& text);
    void setFaults(const std::vector<Diagnostic>& faults);
    /// The lines of rules, by line, and of those the ones with a breakpoint.
    void setRuleLines(std::vector<RulePlace> places);
    void setBreakpointLines(std::vector<int> lines);
    /// Puts the cursor there, in sight.
    void look(SourcePosition position);
    /// The same, and the keys go to the text.
    void goTo(SourcePosition position);
    /// Puts `"name": value,` before the entry at a place, and selects the value.
    void insertEntry(SourcePosition before, const QString& name, const QString& value);
    /// The rule that stands in a line (from 1), or "".
    QString ruleInLine(int line) const;
    QCompleter& completer() { return *completer_; }

public slots:
    /// Offers what can stand at the cursor; the only fitting word is not put in unasked.
    void complete();

signals:
    /// A click in the margin, or F9.
    void breakpointToggled(const QString& rule);
    /// Ctrl+F.
    void findWanted();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    friend class DescriptionMargin;
    struct Mark {
        int begin = 0, end = 0;  ///< characters of the text
        QString message;
        int line = 0;
    };

    int marginWidth() const;
    void placeMargin();
    void paintMargin(QPaintEvent& event);
    void clickMargin(int y);
    int lineAt(int y) const;
    void insertCompletion(const QString& word);
    void showMarks();
    int offsetOf(SourcePosition position) const;
    QString messageAt(const QPoint& place) const;
    void newLine();

    Theme theme_;
    DescriptionHighlighter* highlighter_;
    QWidget* margin_;
    QCompleter* completer_;
    QStandardItemModel* words_;
    int completion_begin_ = 0;
    std::vector<Mark> marks_;
    std::vector<RulePlace> rules_;
    std::vector<int> breakpoints_;
};

}  // namespace partita
