#include "app/gui/panels/lessons/lesson_end.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>

namespace partita {

namespace {

constexpr const char* kNameKey = "lessons/name";
constexpr int kLongestName = 200;

}  // namespace

LessonEnd::LessonEnd(QWidget* parent)
    : QWidget(parent), score_(new QLabel), course_(new QLabel), name_(new QLineEdit),
      save_(new QPushButton(tr("Save answers…"))), again_(new QPushButton(tr("Start again"))) {
    score_->setObjectName(QStringLiteral("lesson-score"));
    score_->setWordWrap(true);
    course_->setObjectName(QStringLiteral("course-score"));
    course_->setWordWrap(true);
    course_->hide();
    name_->setObjectName(QStringLiteral("learner-name"));
    name_->setMaxLength(kLongestName);
    name_->setPlaceholderText(tr("For the teacher; a code will do"));
    name_->setText(QSettings().value(QLatin1String(kNameKey)).toString());
    save_->setObjectName(QStringLiteral("save-answers"));
    again_->setObjectName(QStringLiteral("start-again"));
    again_->setToolTip(tr("Forget the answers given here"));
    auto* who = new QFormLayout;
    who->addRow(tr("Your name:"), name_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(score_);
    column->addWidget(course_);
    column->addLayout(who);
    column->addWidget(save_);
    column->addWidget(again_);
    connect(save_, &QPushButton::clicked, this, &LessonEnd::saveWanted);
    connect(name_, &QLineEdit::returnPressed, this, &LessonEnd::saveWanted);
    connect(again_, &QPushButton::clicked, this, &LessonEnd::startAgainWanted);
    connect(name_, &QLineEdit::textChanged, this, [this] { QSettings().setValue(QLatin1String(kNameKey), name()); });
}

void LessonEnd::showScore(const QString& score, const QString& obstacle, bool again) {
    score_->setText(score);
    course_->hide();
    again_->setVisible(again);
    save_->setEnabled(obstacle.isEmpty());
    save_->setToolTip(obstacle.isEmpty() ? tr("Write the answers to a file that the teacher grades") : obstacle);
}

void LessonEnd::showCourse(const QString& score) {
    course_->setText(score);
    course_->show();
}

QString LessonEnd::name() const { return name_->text().trimmed(); }

/// Answers of nobody can't be graded.
bool LessonEnd::hasName() {
    if (!name().isEmpty()) return true;
    name_->setPlaceholderText(tr("Write your name first"));
    name_->setFocus();
    return false;
}

}  // namespace partita
