// What is shown while no module is open: what the program is for, samples, recent files.
#pragma once

#include <vector>

#include <QStringList>
#include <QWidget>

class QLayout;
class QListWidget;
class QPushButton;

namespace partita {

struct Sample {
    QString path, title, line;
};

struct WelcomeLesson {
    QString title, line;  ///< its aim
    bool done = false;
};

/// The samples that ship, found beside the program or in the source tree it was built in. The line is the first
/// comment of the file.
std::vector<Sample> find_samples();

class WelcomePage : public QWidget {
    Q_OBJECT

public:
    explicit WelcomePage(QWidget* parent = nullptr);
    /// Offers to go on with the last session; `title` says with what, where that is known.
    void setSession(bool there, const QString& title);
    void setRecentFiles(const QStringList& files);
    /// Lists the lessons with their aims; the first that is not done is offered.
    void setLessons(const std::vector<WelcomeLesson>& lessons);
    QListWidget& samples() { return *samples_; }

signals:
    void fileChosen(const QString& path);
    void openWanted();
    void continueWanted();
    void lessonChosen(int lesson);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QLayout* buildHead();
    QLayout* buildLists();
    void fitLists();

    QListWidget *samples_, *recent_, *lessons_;
    QPushButton *continue_, *begin_;
    int next_lesson_ = 0;
};

}  // namespace partita
