#include "engine/lessons/lesson_fields.h"

#include <algorithm>
#include <cmath>

namespace partita {

namespace {

constexpr double kMostCalls = 1e6;
constexpr size_t kMostFaults = 200;

std::string in_quotes(std::string_view word) { return "\"" + std::string(word) + "\""; }

}  // namespace

void LessonFields::fail(SourcePosition position, const std::string& message) {
    if (faults_.size() >= kMostFaults) return;
    Diagnostic fault = error(message, position);
    fault.file = file_;
    faults_.push_back(std::move(fault));
}

void LessonFields::check_members(const JsonValue& object, std::initializer_list<std::string_view> known) {
    for (const JsonMember& member : object.members)
        if (std::find(known.begin(), known.end(), member.key) == known.end())
            fail(member.key_position, "unknown member " + in_quotes(member.key));
}

std::string LessonFields::text(const JsonValue& object, std::string_view key) {
    if (!object.member(key)) fail(object.position, in_quotes(key) + " is missing here");
    return text_or_empty(object, key);
}

std::string LessonFields::text_or_empty(const JsonValue& object, std::string_view key) {
    const JsonValue* value = part(object, key, JsonValue::Kind::String);
    return value ? value->text : std::string();
}

const JsonValue* LessonFields::part(const JsonValue& object, std::string_view key, JsonValue::Kind kind) {
    const JsonValue* value = object.member(key);
    if (!value || value->is(kind)) return value;
    fail(value->position, in_quotes(key) + " can't be " + std::string(value->kind_name()));
    return nullptr;
}

double LessonFields::number(const JsonValue& object, std::string_view key, double otherwise) {
    const JsonValue* value = part(object, key, JsonValue::Kind::Number);
    if (!value) return otherwise;
    if (std::isfinite(value->number) && value->number >= 0 && value->number <= 1e15) return value->number;
    fail(value->position, in_quotes(key) + " must be a number from 0 to 10^15");
    return otherwise;
}

uint32_t LessonFields::call(const JsonValue& value) {
    if (value.is(JsonValue::Kind::Number) && value.number >= 1 && value.number <= kMostCalls &&
        value.number == std::floor(value.number))
        return uint32_t(value.number);
    fail(value.position, "a call's number is expected here, from 1");
    return 0;
}

std::vector<uint32_t> LessonFields::list_of_calls(const JsonValue& value) {
    std::vector<uint32_t> numbers;
    for (const JsonValue& item : value.items)
        if (const uint32_t number = call(item)) numbers.push_back(number);
    return numbers;
}

std::vector<uint32_t> LessonFields::calls(const JsonValue& object, std::string_view key) {
    const JsonValue* list = part(object, key, JsonValue::Kind::Array);
    return list ? list_of_calls(*list) : std::vector<uint32_t>();
}

std::vector<std::vector<uint32_t>> LessonFields::lists_of_calls(const JsonValue& object, std::string_view key) {
    std::vector<std::vector<uint32_t>> lists;
    if (const JsonValue* list = part(object, key, JsonValue::Kind::Array))
        for (const JsonValue& item : list->items) {
            if (item.is(JsonValue::Kind::Array)) lists.push_back(list_of_calls(item));
            else fail(item.position, "a list of calls is expected here");
        }
    return lists;
}

std::vector<std::string> LessonFields::texts(const JsonValue& object, std::string_view key) {
    std::vector<std::string> texts;
    if (const JsonValue* list = part(object, key, JsonValue::Kind::Array))
        for (const JsonValue& item : list->items) {
            if (item.is(JsonValue::Kind::String)) texts.push_back(item.text);
            else fail(item.position, "a text is expected here");
        }
    return texts;
}

std::map<uint32_t, std::string> LessonFields::backends(const JsonValue& object, std::string_view key) {
    std::map<uint32_t, std::string> backends;
    const JsonValue* members = part(object, key, JsonValue::Kind::Object);
    if (!members) return backends;
    for (const JsonMember& member : members->members) {
        const bool digits = !member.key.empty() && member.key.size() <= 6 &&
                            member.key.find_first_not_of("0123456789") == std::string::npos;
        if (!digits) fail(member.key_position, "a call's number is expected here, such as \"3\"");
        else if (!member.value.is(JsonValue::Kind::String)) fail(member.value.position, "a backend's name is expected");
        else backends[uint32_t(std::stoul(member.key))] = member.value.text;
    }
    return backends;
}

ChangedRules LessonFields::rules(const JsonValue& object) {
    ChangedRules rules;
    const JsonValue* backends = part(object, "rules", JsonValue::Kind::Object);
    if (!backends) return rules;
    for (const JsonMember& backend : backends->members)
        for (const JsonMember& op : backend.value.members) {
            if (op.value.is(JsonValue::Kind::String)) rules[backend.key][op.key] = op.value.text;
            else fail(op.value.position, "the text of a rule is expected here");
        }
    return rules;
}

LessonAnswer LessonFields::answer(const JsonValue& object) {
    check_members(object, {"calls", "backends", "order", "regions", "number", "text", "rules"});
    return {.calls = calls(object, "calls"),
            .backends = backends(object, "backends"),
            .order = texts(object, "order"),
            .regions = lists_of_calls(object, "regions"),
            .number = int64_t(number(object, "number", -1)),
            .text = text_or_empty(object, "text"),
            .rules = rules(object)};
}

}  // namespace partita
