#include "app/gui/panels/lessons/lesson_progress.h"

#include <algorithm>
#include <utility>

#include <QDateTime>

#include "app/gui/panels/lessons/lesson_files.h"

namespace partita {

void LessonProgress::begin(const QString& file, const Lesson& lesson, const std::shared_ptr<const LessonGraph>& graph) {
    file_ = file;
    answers_ = load_progress(file, lesson);
    attempts_.assign(lesson.pages.size(), 0);
    solved_.assign(lesson.pages.size(), false);
    if (!graph) return;
    for (const GradedAnswer& graded : grade(lesson, graph, answers_).answers) {
        solved_[size_t(graded.page) - 1] = graded.right;
        attempts_[size_t(graded.page) - 1] = graded.attempts;
    }
}

bool LessonProgress::isDone(const Lesson& lesson) const {
    const std::vector<int> asked = pages_with_questions(lesson);
    return std::all_of(asked.begin(), asked.end(), [this](int page) { return solved_[size_t(page) - 1]; });
}

Status LessonProgress::note(int page, LessonAnswer answer, bool right) {
    GivenAnswer given;
    given.page = page + 1;
    for (const GivenAnswer& before : answers_.answers)
        if (before.page == given.page) given.wrong = before.wrong;
    const bool known = std::find(given.wrong.begin(), given.wrong.end(), answer) != given.wrong.end();
    if (!right && !known && given.wrong.size() < kMostWrong) given.wrong.push_back(answer);
    given.answer = std::move(answer);
    given.attempts = ++attempts_[size_t(page)];
    given.seconds = double(asked_.elapsed()) / 1000;
    given.right = right;
    put_answer(answers_, std::move(given));
    solved_[size_t(page)] = right;
    return file_.isEmpty() ? Status(Nothing()) : save_progress(file_, answers_);
}

bool LessonProgress::notePrediction(LessonAnswer answer, bool right) {
    if (predicted_.right || (predicted_.page && answer == predicted_.answer)) return false;
    predicted_ = {
        1, std::move(answer), predicted_.attempts + (predicted_.page ? 1 : 0), double(asked_.elapsed()) / 1000, right,
        {}};
    return true;
}

AnswerFile LessonProgress::predictionFile(const Lesson& asked) const {
    AnswerFile file;
    file.lesson = asked.title;
    file.of = checksum_of(asked);
    file.made = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    put_answer(file, predicted_);
    return file;
}

}  // namespace partita
