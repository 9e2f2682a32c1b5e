// Grades files of answers by their lesson: two points for a right answer at the first attempt, one for a later one.
//
// Costs a flow for each question and file.
#pragma once

#include "engine/lessons/answer_file.h"
#include "engine/lessons/lesson_graph.h"

namespace partita {

inline constexpr int kPointsAtOnce = 2, kPointsLater = 1;

struct GradedAnswer {
    int page = 0;  ///< from 1
    bool given = false, right = false;
    int attempts = 0;
    double seconds = 0;

    int points() const { return !right ? 0 : attempts <= 1 ? kPointsAtOnce : kPointsLater; }
};

struct Grade {
    std::string who;
    std::vector<GradedAnswer> answers;  ///< one for each question of the lesson
    bool unchanged = true;              ///< the file's checksum is that of its content
    bool same_lesson = true;            ///< it answers what this lesson asks

    int points() const;
    int right() const;
    double seconds() const;
};

/// Returns the pages of a lesson with a question, from 1.
std::vector<int> pages_with_questions(const Lesson& lesson);
Grade grade(const Lesson& lesson, const std::shared_ptr<const LessonGraph>& graph, const AnswerFile& file);

}  // namespace partita
