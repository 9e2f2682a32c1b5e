// A lesson on paper: its texts and questions with pictures to draw on, and the solutions apart.
#pragma once

#include <string_view>

#include "engine/exporters/handout.h"
#include "engine/lessons/lesson.h"

namespace partita {

/// What to do on paper, by kind of question, and what stands beside answers; in the reader's language.
struct LessonHandoutWords : HandoutWords {
    std::string answer = "Answer:";
    std::string given = "Given:";
    std::string select = "On paper: circle these operators in the picture.";
    std::string assign = "On paper: write its backend at each of these operators in the picture.";
    std::string path = "On paper: draw the path in the picture.";
    std::string reason = "On paper: tick one.";
    std::string rule = "On paper: write the rule.";
    std::string faster = "On paper: write down what you change, and draw the regions that result.";
    std::string regions = "On paper: draw a line round each region.";
    std::string order = "order of backends:";
};

/// Returns the words in a language, such as "de" or "zh_CN"; in English for those that nobody wrote.
LessonHandoutWords handout_words(std::string_view language);

/// Returns whether a text is meant as a lesson, with faults or without.
bool looks_like_lesson(std::string_view text);
/// Costs a flow and the layout of a picture, and again for each page that begins with another division.
Result<Handout> handout_of(const Lesson& lesson, const LessonHandoutWords& words, const CancelToken& cancel);

}  // namespace partita
