// Lessons and files of answers: what is read, even in part, can be checked, solved and written.
#include "engine/lessons/answer_file.h"
#include "engine/lessons/check_lesson.h"
#include "engine/lessons/lesson_writer.h"
#include "engine/lessons/question_kinds.h"
#include "tests/fuzz/targets.h"

namespace partita::fuzz {

void fuzz_lesson(Bytes bytes) {
    if (const Result<AnswerFile> answers = parse_answers(bytes, "fuzz.json")) {
        const Result<AnswerFile> again = parse_answers(format_answers(*answers), "fuzz.json");
        require(again && again->unchanged, "answers that are written are read, and unchanged", bytes);
    }
    if (const Result<CourseFile> course = parse_course(bytes, "fuzz.json")) {
        const Result<CourseFile> again = parse_course(format_course(*course), "fuzz.json");
        require(again && again->unchanged, "a course that is written is read, and unchanged", bytes);
    }
    const CheckedLesson read = read_lesson(bytes, "fuzz.json");
    require(bool(read.lesson) == read.faults.empty(), "a lesson is read, or has faults", bytes);
    for (const Diagnostic& fault : check_lesson(bytes, "fuzz.json", false))
        require(!fault.message.empty(), "a fault has a message", bytes);
    for (const LessonPage& page : read.as_read.pages)
        if (page.question) (void)lacks_of(*page.question);
    const Result<std::string> written = format_lesson(read.as_read);
    if (!read.lesson || !written) return;
    const CheckedLesson again = read_lesson(*written, "fuzz.json");
    require(again.lesson.has_value(), "a lesson that is written is read", *written);
    const Result<std::string> twice = format_lesson(*again.lesson);  // bytes that are no UTF-8 are replaced once
    require(twice && *twice == *written, "it is written as it was read", *written);
}

}  // namespace partita::fuzz
