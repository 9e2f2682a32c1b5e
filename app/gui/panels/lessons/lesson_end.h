// The end of a lesson, or of a prediction: the score, saving the answers, starting again.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace partita {

class LessonEnd : public QWidget {
    Q_OBJECT

public:
    explicit LessonEnd(QWidget* parent = nullptr);
    /// `obstacle`: why the answers can't be saved; empty if they can.
    void showScore(const QString& score, const QString& obstacle);

signals:
    void saveWanted();
    void startAgainWanted();

private:
    QLabel* score_;
    QPushButton* save_;
};

}  // namespace partita
