#include "app/gui/panels/lessons/lesson_end.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace partita {

LessonEnd::LessonEnd(QWidget* parent)
    : QWidget(parent), score_(new QLabel), save_(new QPushButton(tr("Save answers…"))) {
    auto* again = new QPushButton(tr("Start again"));
    score_->setObjectName(QStringLiteral("lesson-score"));
    score_->setWordWrap(true);
    save_->setObjectName(QStringLiteral("save-answers"));
    again->setObjectName(QStringLiteral("start-again"));
    again->setToolTip(tr("Forget the answers given here"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    for (QWidget* part : std::initializer_list<QWidget*>{score_, save_, again}) column->addWidget(part);
    connect(save_, &QPushButton::clicked, this, &LessonEnd::saveWanted);
    connect(again, &QPushButton::clicked, this, &LessonEnd::startAgainWanted);
}

void LessonEnd::showScore(const QString& score, const QString& obstacle) {
    score_->setText(score);
    save_->setEnabled(obstacle.isEmpty());
    save_->setToolTip(obstacle.isEmpty() ? tr("Write the answers to a file that the teacher grades") : obstacle);
}

}  // namespace partita
