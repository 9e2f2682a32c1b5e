#include "engine/support/json_fields.h"

#include <cmath>

namespace partita {

double JsonFields::number(const JsonValue& object, std::string_view key) {
    const JsonValue* value = member(object, key, JsonValue::Kind::Number);
    if (value && (!std::isfinite(value->number) || value->number < 0))
        fail(*value, std::string(key) + " must be a number from 0 up");
    return value && !fault_ ? value->number : 0;
}

double JsonFields::number(const JsonValue& object, std::string_view key, double most) {
    const double value = number(object, key);
    if (value > most) fail(*object.member(key), std::string(key) + " must be at most " + std::to_string(int64_t(most)));
    return fault_ ? 0 : value;
}

int JsonFields::whole(const JsonValue& object, std::string_view key) {
    constexpr double kMost = 1e9;
    const double value = number(object, key);
    if (value > kMost || value != std::floor(value))
        fail(object, std::string(key) + " must be a whole number up to 10^9");
    return fault_ ? 0 : int(value);
}

std::string JsonFields::text(const JsonValue& object, std::string_view key) {
    const JsonValue* value = member(object, key, JsonValue::Kind::String);
    return value ? value->text : std::string();
}

std::string JsonFields::text_or(const JsonValue& object, std::string_view key, std::string otherwise) {
    if (object.member(key)) return text(object, key);
    return otherwise;
}

const JsonValue& JsonFields::part(const JsonValue& object, std::string_view key, JsonValue::Kind kind) {
    static const JsonValue nothing;
    const JsonValue* value = member(object, key, kind);
    return value ? *value : nothing;
}

void JsonFields::kind_and_version(const JsonValue& document, std::string_view key, int known) {
    const std::string kind = what_.substr(what_.find(' ') + 1);
    if (!document.is(JsonValue::Kind::Object) || !document.member(key))
        fail(document, "this is no " + kind + " of Partita");
    else if (whole(document, key) != known)
        fail(document, "this " + kind + " is of another version; this program reads version " + std::to_string(known));
}

void JsonFields::fail(const JsonValue& place, const std::string& message) {
    if (fault_) return;
    fault_ = error(message, place.position);
    fault_->file = file_;
}

const JsonValue* JsonFields::member(const JsonValue& object, std::string_view key, JsonValue::Kind kind) {
    if (fault_) return nullptr;
    const JsonValue* value = object.member(key);
    if (!value) fail(object, what_ + " needs \"" + std::string(key) + "\" here");
    else if (!value->is(kind)) fail(*value, "\"" + std::string(key) + "\" can't be " + std::string(value->kind_name()));
    return fault_ ? nullptr : value;
}

}  // namespace partita
