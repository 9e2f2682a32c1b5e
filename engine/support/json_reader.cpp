#include "engine/support/json_reader.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include <utf8.h>
#include <nlohmann/json.hpp>

#include "engine/support/json_cursor.h"
#include "engine/support/json_text.h"

namespace partita {

namespace {

/// Builds values as the cursor reads them.
class JsonBuilder {
public:
    explicit JsonBuilder(JsonCursor& json) : json_(json) {}

    void open(char bracket) {
        JsonValue& value = add();
        value.kind = bracket == '{' ? JsonValue::Kind::Object : JsonValue::Kind::Array;
        path_.push_back(&value);
    }
    void close() {
        path_.back()->end = uint32_t(json_.offset());
        path_.pop_back();
    }
    void key(std::string_view text, SourcePosition position) {
        path_.back()->members.push_back({std::string(text), position, {}});
    }
    void leaf() {
        const char first = json_.peek();
        JsonValue& value = add();
        if (first == '"') {
            value.kind = JsonValue::Kind::String;
            value.text = json_.string();
        } else if (const std::string_view text = json_.scalar(); text == "true" || text == "false") {
            value.kind = JsonValue::Kind::Bool;
            value.boolean = text == "true";
        } else if (text != "null") {
            value.kind = JsonValue::Kind::Number;
            const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value.number);
            if (fault != std::errc()) json_.fail(value.position, "the number is out of range");
        }
        value.end = uint32_t(json_.offset());
    }

    JsonValue root;

private:
    JsonValue& add() {
        JsonValue* value = &root;
        if (!path_.empty() && path_.back()->is(JsonValue::Kind::Object)) value = &path_.back()->members.back().value;
        else if (!path_.empty()) value = &path_.back()->items.emplace_back();
        value->position = json_.position();
        value->offset = uint32_t(json_.offset());
        return *value;
    }

    JsonCursor& json_;
    std::vector<JsonValue*> path_;  ///< the open values: only the innermost grows
};

}  // namespace

const JsonValue* JsonValue::member(std::string_view key) const {
    for (const JsonMember& member : members)
        if (member.key == key) return &member.value;
    return nullptr;
}

std::string_view JsonValue::kind_name() const {
    switch (kind) {
        case Kind::Null: return "null";
        case Kind::Bool: return "true or false";
        case Kind::Number: return "a number";
        case Kind::String: return "a string";
        case Kind::Array: return "an array";
        case Kind::Object: return "an object";
    }
    return "";
}

Result<JsonValue> read_json(std::string_view text) {
    if (text.size() > (size_t(1) << 28)) return error("the text is larger than 256 MiB");
    if (utf8::starts_with_bom(text)) text.remove_prefix(3);
    std::deque<std::string> decoded;
    JsonCursor json(text, {1, 1}, decoded);
    JsonBuilder builder(json);
    try {
        json.value(builder);
        json.expect_end("the value");
    } catch (const SyntaxError& fault) {
        return error(fault.message, fault.position);
    }
    return std::move(builder.root);
}

Result<JsonValue> read_json(std::string_view text, const std::string& file) {
    Result<JsonValue> read = read_json(text);
    if (read) return read;
    Diagnostic fault = read.error();
    fault.file = file;
    return fault;
}

SourcePosition position_in_string(std::string_view source, const JsonValue& string, size_t offset) {
    const size_t begin = string.offset + 1;
    size_t at = begin;
    std::string letter;
    for (size_t decoded = 0; decoded < offset && at + 1 < string.end; decoded += letter.size()) {
        letter.assign(1, source[at]);
        if (source[at] == '\\') {
            letter.clear();
            at += std::max<size_t>(decode_json_escape(source.substr(at), letter).length, 1);
        } else {
            ++at;
        }
    }
    return {string.position.line, string.position.column + 1 + uint32_t(at - begin)};
}

/// Bytes that are no UTF-8 are replaced.
static std::string quoted(const std::string& key) { return json_text(nlohmann::json(key)); }

std::string with_json_value(std::string_view source, std::span<const std::string> path, std::string_view value) {
    Result<JsonValue> document = read_json(source);
    if (!document || utf8::starts_with_bom(source)) return {};
    const auto replaced = [source](size_t begin, size_t end, const std::string& text) {
        return std::string(source.substr(0, begin)) + text + std::string(source.substr(end));
    };
    const JsonValue* at = &*document;
    size_t step = 0;
    while (step < path.size()) {
        const JsonValue* next = at->member(path[step]);
        if (at->is(JsonValue::Kind::Array)) {
            const size_t index = size_t(std::strtoull(path[step].c_str(), nullptr, 10));
            next = index < at->items.size() ? &at->items[index] : nullptr;
        }
        if (!next) break;
        at = next;
        ++step;
    }
    if (step == path.size()) return replaced(at->offset, at->end, std::string(value));
    if (!at->is(JsonValue::Kind::Object)) return {};
    std::string made(value);
    for (size_t i = path.size(); i-- > step + 1;) made = "{" + quoted(path[i]) + ": " + made + "}";
    const std::string indent(2 * (step + 1), ' '), key = quoted(path[step]);
    made = "\n" + indent + key + ": " + made + (at->members.empty() ? "\n" + indent.substr(2) : ",");
    return replaced(at->offset + 1, at->offset + 1, made);
}

}  // namespace partita
