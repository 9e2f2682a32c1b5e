#include "engine/rules/description_outline.h"

#include <algorithm>

#include "engine/support/json_reader.h"

namespace partita {

std::vector<RulePlace> outline_description(std::string_view text) {
    std::vector<RulePlace> places;
    Result<JsonValue> document = read_json(text);
    if (!document) return places;
    if (const JsonValue* ops = document->member("ops"); ops && ops->is(JsonValue::Kind::Object))
        for (const JsonMember& op : ops->members) places.push_back({"ops." + op.key, op.key_position});
    if (const JsonValue* patterns = document->member("patterns"); patterns && patterns->is(JsonValue::Kind::Array))
        for (const JsonValue& pattern : patterns->items)
            if (const JsonValue* name = pattern.member("name"); name && name->is(JsonValue::Kind::String))
                places.push_back({name->text, name->position});
    std::stable_sort(places.begin(), places.end(),
                     [](const RulePlace& a, const RulePlace& b) { return a.position.line < b.position.line; });
    return places;
}

}  // namespace partita
