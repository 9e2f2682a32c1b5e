#include "engine/lessons/course_grade.h"

#include <algorithm>

#include "engine/lessons/answer_text.h"

namespace partita {

int LearnerGrade::points() const {
    int sum = 0;
    for (const Grade& grade : lessons) sum += grade.points();
    return sum;
}

double LearnerGrade::seconds() const {
    double sum = 0;
    for (const Grade& grade : lessons) sum += grade.seconds();
    return sum;
}

CourseGrader::CourseGrader(const std::vector<CourseLesson>& lessons) : lessons_(lessons) {
    for (size_t lesson = 0; lesson < lessons.size(); ++lesson)
        for (int page : pages_with_questions(lessons[lesson].lesson)) {
            questions_.emplace_back();
            questions_.back().lesson = lesson;
            questions_.back().page = page;
        }
}

int CourseGrader::most_points() const { return kPointsAtOnce * int(questions_.size()); }

LearnerGrade CourseGrader::add(const CourseFile& file) {
    LearnerGrade learner;
    learner.who = file.who;
    learner.unchanged = file.unchanged;
    size_t known = 0, question = 0;
    for (const CourseLesson& asked : lessons_) {
        const std::string of = checksum_of(asked.lesson);
        const auto found = std::find_if(file.lessons.begin(), file.lessons.end(),
                                        [&](const AnswerFile& answers) { return answers.of == of; });
        known += found != file.lessons.end();
        const AnswerFile answers = found == file.lessons.end() ? AnswerFile() : *found;
        learner.lessons.push_back(grade(asked.lesson, asked.graph, answers));
        for (const GradedAnswer& graded : learner.lessons.back().answers)
            count(graded, answers, questions_[question++]);
    }
    learner.unknown = int(file.lessons.size() - std::min(known, file.lessons.size()));
    return learner;
}

void CourseGrader::count(const GradedAnswer& graded, const AnswerFile& answers, QuestionGrade& question) {
    if (!graded.given) return void(++question.missing);
    question.seconds += graded.seconds;
    ++(!graded.right ? question.wrong : graded.attempts <= 1 ? question.at_once : question.later);
    const CourseLesson& asked = lessons_[question.lesson];
    const LessonQuestion& text = *asked.lesson.pages[size_t(graded.page) - 1].question;
    const auto note = [&](const LessonAnswer& answer) {
        const std::string words = answer_text(answer, text, *asked.graph, {});
        const auto same = [&](const auto& each) { return each.first == words; };
        const auto found = std::find_if(question.wrong_ones.begin(), question.wrong_ones.end(), same);
        if (found == question.wrong_ones.end()) question.wrong_ones.emplace_back(words, 1);
        else ++found->second;
    };
    for (const GivenAnswer& given : answers.answers) {
        if (given.page != graded.page) continue;
        for (const LessonAnswer& wrong : given.wrong) note(wrong);
        if (!graded.right && given.wrong.empty()) note(given.answer);  // kept before wrong answers were
    }
}

std::vector<QuestionGrade> CourseGrader::questions() const {
    std::vector<QuestionGrade> questions = questions_;
    std::stable_sort(questions.begin(), questions.end(), [](const QuestionGrade& a, const QuestionGrade& b) {
        return a.failed_share() > b.failed_share();
    });
    for (QuestionGrade& question : questions)
        std::stable_sort(question.wrong_ones.begin(), question.wrong_ones.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
    return questions;
}

}  // namespace partita
