// What a learner has answered: to the questions of a lesson, kept in a file of its own, or after the regions of any
// graph.
#pragma once

#include <memory>
#include <vector>

#include <QElapsedTimer>
#include <QString>

#include "engine/lessons/answer_file.h"
#include "engine/lessons/grade.h"
#include "engine/lessons/lesson_graph.h"

namespace partita {

class LessonProgress {
public:
    /// Goes on with the answers that were kept of a lesson. `file` is the lesson's; "" if it stands in none: its
    /// answers are not kept. `graph` may be null: nothing is right then.
    void begin(const QString& file, const Lesson& lesson, const std::shared_ptr<const LessonGraph>& graph);
    /// Takes the time from now on.
    void ask() { asked_.start(); }
    /// Pages count from 0.
    bool isSolved(int page) const { return solved_[size_t(page)]; }
    /// Returns whether every question is answered right.
    bool isDone(const Lesson& lesson) const;
    /// Notes an answer: the first right one, or the last one before it. Fails if it can't be kept.
    Status note(int page, LessonAnswer answer, bool right);
    /// Notes what was marked in a graph without a lesson. Returns false for what was marked before, and after the first
    /// that is right.
    bool notePrediction(LessonAnswer answer, bool right);
    /// Of a graph without a lesson.
    const GivenAnswer& prediction() const { return predicted_; }
    const AnswerFile& answers() const { return answers_; }
    /// Returns the right answer to a page, from 0; null if it has none yet.
    const LessonAnswer* rightAnswer(int page) const {
        for (const GivenAnswer& given : answers_.answers)
            if (given.page == page + 1 && given.right) return &given.answer;
        return nullptr;
    }
    /// Returns the answer to the question after the regions of a graph.
    AnswerFile predictionFile(const Lesson& asked) const;

private:
    QString file_;
    AnswerFile answers_;
    std::vector<int> attempts_;  ///< by page
    std::vector<bool> solved_;   ///< by page
    GivenAnswer predicted_;      ///< no page: none yet
    QElapsedTimer asked_;
};

}  // namespace partita
