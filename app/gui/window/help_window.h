// The help: Markdown from resources/help in a window of its own, with its headings beside it and a line to search it.
#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace partita {

/// The second-level headings of a user's guide, in their order: the same in each language.
enum class HelpTopic {
    FirstMinutes,
    ByHand,
    Changing,
    Comparing,
    Reading,
    Finding,
    Why,
    Rules,
    Timing,
    Backends,
    Keeping,
    Lessons,
    Presenting
};

class HelpWindow : public QDialog {
    Q_OBJECT

public:
    explicit HelpWindow(QWidget* parent);

    void showTopic(HelpTopic topic);
    QTextBrowser& text() { return *text_; }
    QListWidget& headings() { return *headings_; }
    QLineEdit& search() { return *search_; }

private:
    void fillHeadings();
    void goToHeading(int row);
    void markHeading(int position);
    void find(const QString& words, bool on);

    QTextBrowser* text_;
    QListWidget* headings_;
    QLineEdit* search_;
    QLabel* missing_;
};

/// Opens the help at a topic, or brings it there and to the front.
void show_help(QWidget* parent, HelpTopic topic = HelpTopic::FirstMinutes);

}  // namespace partita
