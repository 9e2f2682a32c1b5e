// A learner's answers to the questions of a lesson, or of all lessons, as a file: JSON with the time and the attempts
// of each, and a checksum that tells a careless change. The checksum is no signature: whoever reads this source can
// compute it.
//
// Refuses files of more than kLongestAnswers bytes, with line and column of a fault.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/lessons/lesson.h"

namespace partita {

inline constexpr size_t kLongestAnswers = 1 << 20;
inline constexpr size_t kMostWrong = 6;

struct GivenAnswer {
    int page = 0;  ///< from 1
    LessonAnswer answer;
    int attempts = 1;
    double seconds = 0;                    ///< from the first sight of the question to this answer
    bool right = false;                    ///< as the window judged it; grading judges anew
    std::vector<LessonAnswer> wrong = {};  ///< those before it, each once: the first kMostWrong
};

struct AnswerFile {
    std::string lesson;  ///< its title in English
    std::string of;      ///< checksum of the graph and the questions that were asked
    std::string who, made;
    std::vector<GivenAnswer> answers;  ///< at most one for each page
    bool unchanged = true;             ///< the checksum is that of the content; set by parsing
};

/// The answers to several lessons, to hand in at once.
struct CourseFile {
    std::string who, made;
    int points = 0, most_points = 0;  ///< as the window counted; grading judges anew
    std::vector<AnswerFile> lessons;  ///< their `who` and `made` are those of the course
    bool unchanged = true;            ///< as AnswerFile::unchanged
};

/// Returns the checksum of what is asked in a lesson; texts in other languages do not count.
std::string checksum_of(const Lesson& lesson);
std::string format_answers(const AnswerFile& file);
Result<AnswerFile> parse_answers(std::string_view text, const std::string& name);

std::string format_course(const CourseFile& course);
/// Reads the answers to several lessons; those to one are a course of one.
Result<CourseFile> parse_course(std::string_view text, const std::string& name);

/// Puts an answer in the place of an earlier one to the same page.
void put_answer(AnswerFile& file, GivenAnswer answer);

}  // namespace partita
