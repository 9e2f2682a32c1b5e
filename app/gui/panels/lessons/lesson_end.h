// The end of a lesson, of the course or of a prediction: the score, the learner's name, saving the answers, starting
// again.
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace partita {

class LessonEnd : public QWidget {
    Q_OBJECT

public:
    explicit LessonEnd(QWidget* parent = nullptr);
    /// `obstacle`: why the answers can't be saved; empty if they can. `again`: whether one may start again here.
    void showScore(const QString& score, const QString& obstacle, bool again = true);
    /// Below the score of a lesson.
    void showCourse(const QString& score);
    /// Returns who hands in: asked once, and kept.
    QString name() const;
    /// Returns whether there is a name; asks for it where it stands if there is none.
    bool hasName();

signals:
    void saveWanted();
    void startAgainWanted();

private:
    QLabel *score_, *course_;
    QLineEdit* name_;
    QPushButton *save_, *again_;
};

}  // namespace partita
