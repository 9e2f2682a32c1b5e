// Grades a class: files of answers to the whole course, by learner and by question.
//
// Costs a flow for each answer.
#pragma once

#include "engine/lessons/grade.h"

namespace partita {

/// A lesson that answers may be of.
struct CourseLesson {
    std::string name;  ///< of its file: "1-regions"
    Lesson lesson;
    std::shared_ptr<const LessonGraph> graph;
};

struct LearnerGrade {
    std::string who;
    std::vector<Grade> lessons;  ///< one for each of the course; all missing where it was not begun
    bool unchanged = true;       ///< as Grade::unchanged
    int unknown = 0;             ///< lessons in the file that are none of the course, or ask something else now

    int points() const;
    double seconds() const;
};

/// How a class did at a question.
struct QuestionGrade {
    size_t lesson = 0;  ///< place in the course
    int page = 0;       ///< from 1
    int at_once = 0, later = 0, wrong = 0, missing = 0;
    double seconds = 0;                                   ///< of all who answered
    std::vector<std::pair<std::string, int>> wrong_ones;  ///< wrong answers in words, the most frequent first

    int answered() const { return at_once + later + wrong; }
    /// Returns how many did not get it at the first attempt, of those who answered.
    double failed_share() const { return answered() ? double(later + wrong) / answered() : 0; }
};

class CourseGrader {
public:
    explicit CourseGrader(const std::vector<CourseLesson>& lessons);

    /// Takes one learner's file into account.
    LearnerGrade add(const CourseFile& file);
    /// Returns the points of the whole course.
    int most_points() const;
    /// Returns all questions, those that most got wrong first; of the same, in the order of the course.
    std::vector<QuestionGrade> questions() const;

private:
    void count(const GradedAnswer& graded, const AnswerFile& answers, QuestionGrade& question);

    const std::vector<CourseLesson>& lessons_;
    std::vector<QuestionGrade> questions_;  ///< in the order of the course
};

}  // namespace partita
