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

Json content(const AnswerFile& file) {
    Json json{{"partita_answers", kVersion},
              {"lesson", file.lesson},
              {"of", file.of},
              {"who", file.who},
              {"made", file.made}};
    json["answers"] = Json::array();
    for (const GivenAnswer& given : file.answers)
        json["answers"].push_back({{"page", given.page},
                                   {"attempts", given.attempts},
                                   {"seconds", double(int64_t(given.seconds * 10)) / 10},
                                   {"right", given.right},
                                   {"answer", answer_json(given.answer)}});
    return json;
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
    return given;
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
        if (!lesson.pages[page].question) continue;
        const LessonQuestion& question = *lesson.pages[page].question;
        asked += '\0' + std::to_string(page) + ' ' + std::to_string(int(question.kind));
        for (uint32_t call : question.calls) asked += ' ' + std::to_string(call);
        asked += json_text(answer_json(question.solution), -1, JsonLetters::Ascii);
    }
    return checksum(asked);
}

std::string format_answers(const AnswerFile& file) {
    Json json = content(file);
    json["checksum"] = checksum(json_text(content(file), -1, JsonLetters::Ascii));
    return json_text(json, 1, JsonLetters::Ascii) + "\n";
}

Result<AnswerFile> parse_answers(std::string_view text, const std::string& name) {
    std::vector<Diagnostic> faults;
    LessonFields fields(name, faults);
    if (text.size() > kLongestAnswers)
        fields.fail({}, "a file of answers has at most " + amount_text(kLongestAnswers, "B"));
    if (!faults.empty()) return faults.front();
    Result<JsonValue> json = read_json(text);
    if (!json) {
        fields.fail(json.error().position, json.error().message);
        return faults.front();
    }
    AnswerFile file;
    if (!json->is(JsonValue::Kind::Object) || fields.number(*json, "partita_answers", 0) != kVersion)
        fields.fail(json->position, "this is no file of answers of this version");
    file.lesson = fields.text(*json, "lesson");
    file.of = fields.text(*json, "of");
    file.who = fields.text_or_empty(*json, "who");
    file.made = fields.text_or_empty(*json, "made");
    if (const JsonValue* answers = fields.part(*json, "answers", JsonValue::Kind::Array))
        for (const JsonValue& entry : answers->items) put_answer(file, read_given(fields, entry));
    if (!faults.empty()) return faults.front();
    file.unchanged =
        fields.text_or_empty(*json, "checksum") == checksum(json_text(content(file), -1, JsonLetters::Ascii));
    return file;
}

void put_answer(AnswerFile& file, GivenAnswer answer) {
    const auto same = [&](const GivenAnswer& each) { return each.page == answer.page; };
    const auto found = std::find_if(file.answers.begin(), file.answers.end(), same);
    if (found == file.answers.end()) file.answers.push_back(std::move(answer));
    else *found = std::move(answer);
}

}  // namespace partita
