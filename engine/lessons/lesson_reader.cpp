#include <algorithm>

#include "engine/lessons/lesson.h"
#include "engine/lessons/lesson_fields.h"
#include "engine/lessons/question_kinds.h"
#include "engine/partitioners/partitioner.h"
#include "engine/support/amount.h"

namespace partita {

namespace {

constexpr size_t kMostPages = 100;
constexpr const char* kStages[] = {"annotate", "merge", "partition"};

class LessonReader {
public:
    LessonReader(std::string_view text, std::string file, std::vector<Diagnostic>& faults)
        : text_(text), file_(std::move(file)), faults_(faults), fields_(file_, faults) {}

    Lesson read(const JsonValue& document) {
        fields_.check_members(
            document, {"$schema", "title", "line", "chapter", "graph", "backends", "speeds", "script", "pages"});
        Lesson lesson;
        lesson.title = fields_.text(document, "title");
        lesson.line = fields_.text_or_empty(document, "line");
        lesson.chapter = fields_.text_or_empty(document, "chapter");
        lesson.graph = fields_.text(document, "graph");
        if (const JsonValue* backends = fields_.part(document, "backends", JsonValue::Kind::Array))
            for (const JsonValue& entry : backends->items) read_backend(entry, lesson);
        if (const JsonValue* speeds = fields_.part(document, "speeds", JsonValue::Kind::Object))
            lesson.speeds = read_speeds(*speeds);
        if (const JsonValue* script = fields_.part(document, "script", JsonValue::Kind::Object))
            lesson.script = read_script(*script);
        const JsonValue* pages = fields_.part(document, "pages", JsonValue::Kind::Array);
        if (!pages || pages->items.empty()) fields_.fail(document.position, "a lesson needs at least one of \"pages\"");
        else if (pages->items.size() > kMostPages) fields_.fail(pages->position, "a lesson has at most 100 pages");
        else
            for (const JsonValue& entry : pages->items) lesson.pages.push_back(read_page(entry));
        for (const LessonPage& page : lesson.pages)
            for (const ComparedDivision& row : page.compare) check_compared(lesson, page, row);
        return lesson;
    }

private:
    LessonSpeeds read_speeds(const JsonValue& entry) {
        fields_.check_members(entry, {"backends", "link_gbytes"});
        LessonSpeeds speeds;
        speeds.link_gbytes = speed(entry, "link_gbytes");
        if (const JsonValue* backends = fields_.part(entry, "backends", JsonValue::Kind::Object))
            for (const JsonMember& member : backends->members) {
                fields_.check_members(member.value, {"gflops", "gbytes", "call_us"});
                speeds.backends[member.key] = {speed(member.value, "gflops"), speed(member.value, "gbytes"),
                                               fields_.number(member.value, "call_us", 0)};
            }
        return speeds;
    }

    /// What takes no time at all would be divided by 0.
    double speed(const JsonValue& entry, const char* key) {
        constexpr double kLeast = 1e-6;
        return std::max(fields_.number(entry, key, 1), kLeast);
    }

    LessonScript read_script(const JsonValue& entry) {
        fields_.check_members(entry, {"name", "text"});
        LessonScript script{fields_.text(entry, "name"), fields_.text(entry, "text")};
        const bool plain = script.name.ends_with(".py") && script.name.size() <= 64 &&
                           script.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.") == std::string::npos;
        if (!plain || script.name.starts_with('.'))
            fields_.fail(entry.position, "a script's \"name\" is of small letters, digits and _, and ends in .py");
        return script;
    }

    void check_compared(const Lesson& lesson, const LessonPage& page, const ComparedDivision& row) {
        const size_t asked = size_t(std::max({row.answer_to, row.solution_of, 0}));
        if (asked > lesson.pages.size() || (asked > 0 && !lesson.pages[asked - 1].question))
            fields_.fail(page.position, "page " + std::to_string(asked) + " has no question to compare with");
    }

    /// A backend of the lesson has no file: saving its rules must not write over the lesson.
    void read_backend(const JsonValue& entry, Lesson& lesson) {
        if (entry.is(JsonValue::Kind::String)) {
            Result<BackendDescription> backend = builtin_backend(entry.text);
            if (!backend) return fields_.fail(entry.position, backend.error().message);
            lesson.backends.push_back(std::make_shared<const BackendDescription>(std::move(*backend)));
            return;
        }
        const std::string source(text_.substr(entry.offset, entry.end - entry.offset));
        CheckedDescription checked = check_backend_description(source, std::string());
        for (const Diagnostic& fault : checked.faults)
            fields_.fail(moved(fault.position, entry.position), fault.message);
        if (!checked.description) return;
        lesson.backends.push_back(std::make_shared<const BackendDescription>(std::move(*checked.description)));
    }

    /// Returns the position in the lesson of one in a part that begins at `begin`.
    static SourcePosition moved(SourcePosition position, SourcePosition begin) {
        if (position.line == 0) return begin;
        if (position.line == 1) return {begin.line, begin.column + position.column - 1};
        return {begin.line + position.line - 1, position.column};
    }

    LessonPage read_page(const JsonValue& entry) {
        LessonPage page;
        page.position = entry.position;
        if (!entry.is(JsonValue::Kind::Object)) {
            fields_.fail(entry.position, "a page is an object");
            return page;
        }
        fields_.check_members(entry, {"text", "do", "with", "show", "predict", "question", "claims", "compare"});
        page.text = fields_.text(entry, "text");
        read_stages(entry, page);
        page.with = read_setting(entry, "with");
        page.show = fields_.calls(entry, "show");
        if (const JsonValue* predict = fields_.part(entry, "predict", JsonValue::Kind::Bool);
            predict && predict->boolean) {
            page.question.emplace();
            page.question->kind = QuestionKind::Regions;
            page.question->position = predict->position;
        }
        if (const JsonValue* question = fields_.part(entry, "question", JsonValue::Kind::Object))
            page.question = read_question(*question);
        if (const JsonValue* claims = fields_.part(entry, "claims", JsonValue::Kind::Array))
            for (const JsonValue& claim : claims->items) page.claims.push_back(read_claim(claim));
        if (const JsonValue* compare = fields_.part(entry, "compare", JsonValue::Kind::Array))
            for (const JsonValue& row : compare->items) read_compared(row, page);
        return page;
    }

    void read_compared(const JsonValue& entry, LessonPage& page) {
        constexpr size_t kMostRows = 20;  // each costs a flow
        if (page.compare.size() >= kMostRows)
            return fields_.fail(entry.position, "a page compares at most 20 divisions");
        if (!entry.is(JsonValue::Kind::Object)) return fields_.fail(entry.position, "a division is an object");
        fields_.check_members(entry, {"name", "with", "answer_to", "solution_of"});
        page.compare.push_back({fields_.text(entry, "name"), read_setting(entry, "with"),
                                int(std::min(fields_.number(entry, "answer_to", 0), 1e6)),
                                int(std::min(fields_.number(entry, "solution_of", 0), 1e6))});
    }

    void read_stages(const JsonValue& entry, LessonPage& page) {
        const JsonValue* stages = fields_.part(entry, "do", JsonValue::Kind::Array);
        if (!stages) return;
        for (const JsonValue& stage : stages->items) {
            if (std::find(std::begin(kStages), std::end(kStages), stage.text) == std::end(kStages))
                fields_.fail(stage.position, "\"annotate\", \"merge\" or \"partition\" is expected here");
            page.annotate |= stage.text == "annotate";
            page.merge |= stage.text == "merge";
            page.partition |= stage.text == "partition";
        }
    }

    LessonQuestion read_question(const JsonValue& entry) {
        fields_.check_members(entry,
                              {"kind",         "region_of",  "calls",       "from",         "to",        "count",
                               "choices",      "backend",    "place",       "takes",        "leaves",    "variants",
                               "most_regions", "most_bytes", "least_share", "most_weights", "most_time", "most_rules",
                               "answer",       "right",      "wrong",       "more",         "hints"});
        LessonQuestion question;
        question.position = entry.position;
        read_kind(entry, question);
        read_subject(entry, question);
        question.right = fields_.text(entry, "right");
        question.wrong = fields_.text(entry, "wrong");
        question.more = fields_.text_or_empty(entry, "more");
        if (const JsonValue* answer = fields_.part(entry, "answer", JsonValue::Kind::Object))
            question.solution = fields_.answer(*answer);
        if (const JsonValue* hints = fields_.part(entry, "hints", JsonValue::Kind::Array))
            for (const JsonValue& hint : hints->items) {
                fields_.check_members(hint, {"answer", "text"});
                const JsonValue* answer = fields_.part(hint, "answer", JsonValue::Kind::Object);
                if (!answer) fields_.fail(hint.position, "a hint needs the \"answer\" that it is for");
                question.hints.push_back(
                    {answer ? fields_.answer(*answer) : LessonAnswer(), fields_.text(hint, "text")});
            }
        for (const std::string& lack : lacks_of(question)) fields_.fail(entry.position, "this question needs " + lack);
        return question;
    }

    /// A question without a kind selects, as in the first lessons.
    void read_kind(const JsonValue& entry, LessonQuestion& question) {
        const JsonValue* kind = fields_.part(entry, "kind", JsonValue::Kind::String);
        if (!kind) return;
        std::string names;
        for (const QuestionKindRow& row : question_kinds()) {
            if (row.name == kind->text) {
                question.kind = row.kind;
                return;
            }
            names += (names.empty() ? "" : ", ") + std::string(row.name);
        }
        fields_.fail(kind->position, "unknown kind of question; there are " + names);
    }

    void read_subject(const JsonValue& entry, LessonQuestion& question) {
        question.calls = fields_.calls(entry, "calls");
        for (const char* key : {"region_of", "from", "to"})
            if (const double number = fields_.number(entry, key, 0); number >= 1)
                question.calls.push_back(uint32_t(std::min(number, 1e6)));
        question.counted = fields_.text_or_empty(entry, "count");
        question.choices = fields_.texts(entry, "choices");
        question.backend = fields_.text_or_empty(entry, "backend");
        question.place = fields_.texts(entry, "place");
        question.takes = fields_.calls(entry, "takes");
        question.leaves = fields_.calls(entry, "leaves");
        if (const JsonValue* variants = fields_.part(entry, "variants", JsonValue::Kind::Array))
            for (const JsonValue& variant : variants->items) read_variant(variant, question);
        question.most_regions = int(std::min(fields_.number(entry, "most_regions", -1), 1e6));
        question.most_bytes = fields_.number(entry, "most_bytes", -1);
        for (const ReachLimitField& field : kReachLimits)
            question.reach.*field.value = fields_.number(entry, field.name, question.reach.*field.value);
    }

    void read_variant(const JsonValue& entry, LessonQuestion& question) {
        constexpr size_t kMostVariants = 20;  // each costs a flow for each answer
        if (question.variants.size() >= kMostVariants)
            return fields_.fail(entry.position, "a question has at most 20 variants");
        if (!entry.is(JsonValue::Kind::Object)) return fields_.fail(entry.position, "a variant is an object");
        fields_.check_members(entry, {"what", "graph", "takes", "leaves"});
        question.variants.push_back({fields_.text(entry, "graph"), fields_.calls(entry, "takes"),
                                     fields_.calls(entry, "leaves"), fields_.text_or_empty(entry, "what")});
    }

    LessonSetting read_setting(const JsonValue& entry, const char* key) {
        LessonSetting setting;
        const JsonValue* value = fields_.part(entry, key, JsonValue::Kind::Object);
        if (!value) return setting;
        fields_.check_members(*value, {"backends", "order", "rules", "partitioner", "options"});
        setting.backends = fields_.backends(*value, "backends");
        setting.order = fields_.texts(*value, "order");
        setting.rules = fields_.rules(*value);
        if (const std::string name = fields_.text_or_empty(*value, "partitioner"); !name.empty()) {
            setting.partitioner.name = name;
            if (!find_partitioner(name)) fields_.fail(value->position, "there is no partitioner \"" + name + "\"");
        }
        if (const JsonValue* options = fields_.part(*value, "options", JsonValue::Kind::Object))
            for (const JsonMember& option : options->members) {
                if (names_file(setting.partitioner.name, option.key))
                    fields_.fail(option.key_position, "a lesson names no files");
                setting.partitioner.options[option.key] = option.value.text;
            }
        return setting;
    }

    static bool names_file(const std::string& partitioner, const std::string& key) {
        const Partitioner* found = find_partitioner(partitioner);
        if (!found) return true;
        return std::any_of(found->options.begin(), found->options.end(), [&](const PartitionerOption& option) {
            return option.name == key && option.values.find("FILE") != std::string_view::npos;
        });
    }

    LessonClaim read_claim(const JsonValue& entry) {
        fields_.check_members(entry, {"with", "regions", "moved_bytes", "share", "weight_bytes", "time", "backend_of",
                                      "together", "apart", "times", "than"});
        LessonClaim claim;
        claim.position = entry.position;
        claim.with = read_setting(entry, "with");
        claim.than = read_setting(entry, "than");
        claim.regions = int(std::min(fields_.number(entry, "regions", -1), 1e6));
        claim.moved_bytes = fields_.number(entry, "moved_bytes", -1);
        claim.share = fields_.number(entry, "share", -1);
        claim.weight_bytes = fields_.number(entry, "weight_bytes", -1);
        claim.time = fields_.number(entry, "time", -1);
        claim.backend_of = fields_.backends(entry, "backend_of");
        claim.together = fields_.lists_of_calls(entry, "together");
        claim.apart = fields_.lists_of_calls(entry, "apart");
        claim.times = fields_.number(entry, "times", 0);
        return claim;
    }

    std::string_view text_;
    std::string file_;
    std::vector<Diagnostic>& faults_;
    LessonFields fields_;
};

const JsonValue* of_kind(const JsonValue& object, std::string_view key, JsonValue::Kind kind) {
    const JsonValue* value = object.member(key);
    return value && value->is(kind) ? value : nullptr;
}

void put(std::string& text, const JsonValue& object, const char* key) {
    const JsonValue* other = of_kind(object, key, JsonValue::Kind::String);
    if (other && !other->text.empty()) text = other->text;
}

void put_question(LessonQuestion& question, const JsonValue& entry) {
    put(question.right, entry, "right");
    put(question.wrong, entry, "wrong");
    put(question.more, entry, "more");
    const auto put_list = [&](const char* key, size_t count, auto text) {
        const JsonValue* list = of_kind(entry, key, JsonValue::Kind::Array);
        for (size_t i = 0; list && i < list->items.size() && i < count; ++i)
            if (list->items[i].is(JsonValue::Kind::String)) text(i) = list->items[i].text;
    };
    put_list("choices", question.choices.size(), [&](size_t i) -> std::string& { return question.choices[i]; });
    put_list("hints", question.hints.size(), [&](size_t i) -> std::string& { return question.hints[i].text; });
    put_list("variants", question.variants.size(), [&](size_t i) -> std::string& { return question.variants[i].what; });
}

}  // namespace

CheckedLesson read_lesson(std::string_view text, const std::string& file) {
    CheckedLesson checked;
    LessonFields fields(file, checked.faults);
    if (text.size() > kLongestLesson) {
        fields.fail({}, "a lesson has at most " + amount_text(kLongestLesson, "B"));
        return checked;
    }
    Result<JsonValue> document = read_json(text);
    if (!document) {
        fields.fail(document.error().position, document.error().message);
    } else if (!document->is(JsonValue::Kind::Object)) {
        fields.fail(document->position, "this is no lesson: it is no JSON object");
    } else {
        Lesson lesson = LessonReader(text, file, checked.faults).read(*document);
        if (checked.faults.empty()) checked.lesson = lesson;
        checked.as_read = std::move(lesson);
    }
    return checked;
}

void translate_lesson(Lesson& lesson, std::string_view text) {
    if (text.size() > kLongestLesson) return;
    const Result<JsonValue> document = read_json(text);
    if (!document || !document->is(JsonValue::Kind::Object)) return;
    put(lesson.title, *document, "title");
    put(lesson.line, *document, "line");
    put(lesson.chapter, *document, "chapter");
    const JsonValue* pages = of_kind(*document, "pages", JsonValue::Kind::Array);
    for (size_t i = 0; pages && i < pages->items.size() && i < lesson.pages.size(); ++i) {
        const JsonValue& entry = pages->items[i];
        put(lesson.pages[i].text, entry, "text");
        if (lesson.pages[i].question) put_question(*lesson.pages[i].question, entry);
        const JsonValue* names = of_kind(entry, "compare", JsonValue::Kind::Array);
        for (size_t row = 0; names && row < names->items.size() && row < lesson.pages[i].compare.size(); ++row)
            if (names->items[row].is(JsonValue::Kind::String))
                lesson.pages[i].compare[row].name = names->items[row].text;
    }
}

}  // namespace partita
