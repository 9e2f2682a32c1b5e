#include "engine/lessons/grade.h"

#include "engine/lessons/question_kinds.h"

namespace partita {

int Grade::points() const {
    int sum = 0;
    for (const GradedAnswer& answer : answers) sum += answer.points();
    return sum;
}

int Grade::right() const {
    int count = 0;
    for (const GradedAnswer& answer : answers) count += answer.right;
    return count;
}

double Grade::seconds() const {
    double sum = 0;
    for (const GradedAnswer& answer : answers) sum += answer.seconds;
    return sum;
}

std::vector<int> pages_with_questions(const Lesson& lesson) {
    std::vector<int> pages;
    for (size_t page = 0; page < lesson.pages.size(); ++page)
        if (lesson.pages[page].question) pages.push_back(int(page) + 1);
    return pages;
}

Grade grade(const Lesson& lesson, const std::shared_ptr<const LessonGraph>& graph, const AnswerFile& file) {
    Grade grade;
    grade.who = file.who;
    grade.unchanged = file.unchanged;
    grade.same_lesson = file.of == checksum_of(lesson);
    for (int page : pages_with_questions(lesson)) {
        GradedAnswer graded;
        graded.page = page;
        for (const GivenAnswer& given : file.answers) {
            if (given.page != page) continue;
            graded.given = true;
            graded.attempts = given.attempts;
            graded.seconds = given.seconds;
            const LessonPage& asked = lesson.pages[size_t(page) - 1];
            const Result<std::shared_ptr<const LessonGraph>> divided = LessonGraph::of(graph, asked);
            if (!divided) continue;
            const Result<LessonVerdict> verdict = judge_answer(**divided, *asked.question, given.answer);
            graded.right = verdict && verdict->right;
        }
        grade.answers.push_back(graded);
    }
    return grade;
}

}  // namespace partita
