// Takes members out of the objects of a lesson or a file of answers, and collects every fault with its position.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/lessons/lesson.h"
#include "engine/support/json_reader.h"

namespace partita {

class LessonFields {
public:
    LessonFields(std::string file, std::vector<Diagnostic>& faults) : file_(std::move(file)), faults_(faults) {}

    void fail(SourcePosition position, const std::string& message);
    /// Reports members that are none of `known`.
    void check_members(const JsonValue& object, std::initializer_list<std::string_view> known);
    /// Returns an empty text, and reports a fault, if it is missing or no text.
    std::string text(const JsonValue& object, std::string_view key);
    std::string text_or_empty(const JsonValue& object, std::string_view key);
    /// Returns null if there is none, and reports a member of another kind.
    const JsonValue* part(const JsonValue& object, std::string_view key, JsonValue::Kind kind);
    /// Returns `otherwise` if there is none.
    double number(const JsonValue& object, std::string_view key, double otherwise);
    std::vector<uint32_t> calls(const JsonValue& object, std::string_view key);
    std::vector<std::vector<uint32_t>> lists_of_calls(const JsonValue& object, std::string_view key);
    std::vector<std::string> texts(const JsonValue& object, std::string_view key);
    /// Reads an object such as {"3": "dnnl"}.
    std::map<uint32_t, std::string> backends(const JsonValue& object, std::string_view key);
    /// Reads the member "rules", such as {"npu": {"add": "true"}}.
    ChangedRules rules(const JsonValue& object);
    LessonAnswer answer(const JsonValue& object);

private:
    uint32_t call(const JsonValue& value);
    std::vector<uint32_t> list_of_calls(const JsonValue& value);

    std::string file_;
    std::vector<Diagnostic>& faults_;
};

}  // namespace partita
