#include "engine/lessons/answer_file.h"

#include <algorithm>
#include <cstdio>

#include "engine/lessons/answer_json.h"
#include "engine/lessons/lesson_fields.h"
#include "engine/support/amount.h"
#include "engine/support/hash.h"
#include "engine/support/json_text.h"

namespace partita {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

std::string checksum(std::string_view text) {
    uint64_t hash = text.size();
    for (char c : text) hash = hash_combine(hash, uint8_t(c));
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
    return digits;
}

Json answers_json(const AnswerFile& file) {
    Json answers = Json::array();
    for (const GivenAnswer& given : file.answers) {
        answers.push_back({{"page", given.page},
                           {"attempts", given.attempts},
                           {"seconds", double(int64_t(given.seconds * 10)) / 10},
                           {"right", given.right},
                           {"answer", answer_json(given.answer)}});
        for (const LessonAnswer& wrong : given.wrong) answers.back()["wrong"].push_back(answer_json(wrong));
    }
    return answers;
}

Json content(const AnswerFile& file) {
    return {{"partita_answers", kVersion}, {"lesson", file.lesson},        {"of", file.of}, {"who", file.who},
            {"made", file.made},           {"answers", answers_json(file)}};
}

Json content(const CourseFile& course) {
    Json json{{"partita_course", kVersion},
              {"who", course.who},
              {"made", course.made},
              {"points", course.points},
              {"most_points", course.most_points}};
    json["lessons"] = Json::array();
    for (const AnswerFile& file : course.lessons)
        json["lessons"].push_back({{"lesson", file.lesson}, {"of", file.of}, {"answers", answers_json(file)}});
    return json;
}

/// Returns the text of a file with the checksum of its content.
template <class File>
std::string with_checksum(const File& file) {
    Json json = content(file);
    json["checksum"] = checksum(json_text(json, -1, JsonLetters::Ascii));
    return json_text(json, 1, JsonLetters::Ascii) + "\n";
}

template <class File>
bool is_unchanged(LessonFields& fields, const JsonValue& json, const File& file) {
    return fields.text_or_empty(json, "checksum") == checksum(json_text(content(file), -1, JsonLetters::Ascii));
}

GivenAnswer read_given(LessonFields& fields, const JsonValue& entry) {
    GivenAnswer given;
    given.page = int(std::min(fields.number(entry, "page", 0), 1e6));
    if (given.page < 1) fields.fail(entry.position, "an answer needs the \"page\" of its question, from 1");
    given.attempts = std::max(int(std::min(fields.number(entry, "attempts", 1), 1e6)), 1);
    given.seconds = std::min(fields.number(entry, "seconds", 0), 1e9);
    if (const JsonValue* right = fields.part(entry, "right", JsonValue::Kind::Bool)) given.right = right->boolean;
    if (const JsonValue* answer = fields.part(entry, "answer", JsonValue::Kind::Object))
        given.answer = fields.answer(*answer);
    if (const JsonValue* wrong = fields.part(entry, "wrong", JsonValue::Kind::Array))
        for (const JsonValue& answer : wrong->items)
            if (answer.is(JsonValue::Kind::Object) && given.wrong.size() < kMostWrong)
                given.wrong.push_back(fields.answer(answer));
    return given;
}

/// Reads what is the same in a file of one lesson and in an entry of a course.
AnswerFile read_lesson_answers(LessonFields& fields, const JsonValue& entry) {
    AnswerFile file;
    file.lesson = fields.text(entry, "lesson");
    file.of = fields.text(entry, "of");
    if (const JsonValue* answers = fields.part(entry, "answers", JsonValue::Kind::Array))
        for (const JsonValue& answer : answers->items) put_answer(file, read_given(fields, answer));
    return file;
}

Result<JsonValue> read_object(std::string_view text, LessonFields& fields, std::vector<Diagnostic>& faults) {
    if (text.size() > kLongestAnswers)
        fields.fail({}, "a file of answers has at most " + amount_text(kLongestAnswers, "B"));
    if (!faults.empty()) return faults.front();
    Result<JsonValue> json = read_json(text);
    if (!json) fields.fail(json.error().position, json.error().message);
    else if (!json->is(JsonValue::Kind::Object)) fields.fail(json->position, "this is no file of answers");
    if (!faults.empty()) return faults.front();
    return json;
}

}  // namespace

std::string checksum_of(const Lesson& lesson) {
    std::string asked = lesson.graph;
    for (const BackendPtr& backend : lesson.backends) {
        const Json description = ordered_json_of_text(backend->source);  // however it is laid out
        asked += '\0' + (description.is_discarded() ? backend->source : json_text(description, -1, JsonLetters::Ascii));
    }
    for (size_t page = 0; page < lesson.pages.size(); ++page) {
        const LessonSetting& with = lesson.pages[page].with;
        if (!with.empty())
            asked += '\0' + json_text(Json{{"with", backends_json(with.backends)}, {"order", with.order}}, -1,
                                      JsonLetters::Ascii);
        if (!with.partitioner.is_own()) asked += '\0' + with.partitioner.name;
        for (const auto& [option, value] : with.partitioner.options) asked += '\0' + option + '=' + value;
        if (!lesson.pages[page].question) continue;
        const LessonQuestion& question = *lesson.pages[page].question;
        asked += '\0' + std::to_string(page) + ' ' + std::to_string(int(question.kind));
        for (uint32_t call : question.calls) asked += ' ' + std::to_string(call);
        asked += json_text(answer_json(question.solution), -1, JsonLetters::Ascii);
    }
    return checksum(asked);
}

std::string format_answers(const AnswerFile& file) { return with_checksum(file); }

std::string format_course(const CourseFile& course) { return with_checksum(course); }

Result<AnswerFile> parse_answers(std::string_view text, const std::string& name) {
    std::vector<Diagnostic> faults;
    LessonFields fields(name, faults);
    const Result<JsonValue> json = read_object(text, fields, faults);
    if (!json) return json.error();
    if (fields.number(*json, "partita_answers", 0) != kVersion)
        fields.fail(json->position, "this is no file of answers of this version");
    AnswerFile file = read_lesson_answers(fields, *json);
    file.who = fields.text_or_empty(*json, "who");
    file.made = fields.text_or_empty(*json, "made");
    if (!faults.empty()) return faults.front();
    file.unchanged = is_unchanged(fields, *json, file);
    return file;
}

Result<CourseFile> parse_course(std::string_view text, const std::string& name) {
    std::vector<Diagnostic> faults;
    LessonFields fields(name, faults);
    const Result<JsonValue> json = read_object(text, fields, faults);
    if (!json) return json.error();
    CourseFile course;
    if (!json->member("partita_course")) {
        Result<AnswerFile> file = parse_answers(text, name);
        if (!file) return file.error();
        course.who = file->who;
        course.made = file->made;
        course.unchanged = file->unchanged;
        course.lessons.push_back(std::move(*file));
        return course;
    }
    if (fields.number(*json, "partita_course", 0) != kVersion)
        fields.fail(json->position, "this is no file of answers of this version");
    course.who = fields.text_or_empty(*json, "who");
    course.made = fields.text_or_empty(*json, "made");
    course.points = int(std::min(fields.number(*json, "points", 0), 1e6));
    course.most_points = int(std::min(fields.number(*json, "most_points", 0), 1e6));
    if (const JsonValue* lessons = fields.part(*json, "lessons", JsonValue::Kind::Array))
        for (const JsonValue& entry : lessons->items) course.lessons.push_back(read_lesson_answers(fields, entry));
    if (!faults.empty()) return faults.front();
    course.unchanged = is_unchanged(fields, *json, course);
    for (AnswerFile& file : course.lessons) {
        file.who = course.who;
        file.made = course.made;
        file.unchanged = course.unchanged;
    }
    return course;
}

void put_answer(AnswerFile& file, GivenAnswer answer) {
    const auto same = [&](const GivenAnswer& each) { return each.page == answer.page; };
    const auto found = std::find_if(file.answers.begin(), file.answers.end(), same);
    if (found == file.answers.end()) file.answers.push_back(std::move(answer));
    else *found = std::move(answer);
}

}  // namespace partita
