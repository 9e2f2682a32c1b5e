// A JSON reader (RFC 8259) that keeps the place of every value, so that a fault in a backend description is reported
// with its line and column and its path.
//
// Nesting is bounded by kJsonDepth (json_cursor.h); duplicate keys are refused. Values own what they hold.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/diagnostic.h"

namespace partita {

struct JsonMember;

struct JsonValue {
    enum class Kind : uint8_t { Null, Bool, Number, String, Array, Object };

    Kind kind = Kind::Null;
    bool boolean = false;
    double number = 0;
    std::string text;  ///< of a string, decoded
    std::vector<JsonValue> items;
    std::vector<JsonMember> members;  ///< in the order of the text
    SourcePosition position;          ///< of the first character
    uint32_t offset = 0, end = 0;     ///< bytes: of the first character, behind the last

    bool is(Kind wanted) const { return kind == wanted; }
    /// Null where an object has no such member.
    const JsonValue* member(std::string_view key) const;
    /// "a string", "an array", ...: for messages.
    std::string_view kind_name() const;
};

struct JsonMember {
    std::string key;
    SourcePosition key_position;
    JsonValue value;
};

Result<JsonValue> read_json(std::string_view text);

/// Where in `source` the byte `offset` of a decoded string stands, past its escapes.
SourcePosition position_in_string(std::string_view source, const JsonValue& string, size_t offset);

/// `source` with another value (JSON text) at a path of keys and, in arrays, indices. What is there is replaced; of
/// what is not, the objects on the way are made, too. All else keeps its bytes. "" where `source` is no JSON, or where
/// the path goes through what is no object and ends in no array.
std::string with_json_value(std::string_view source, std::span<const std::string> path, std::string_view value);

}  // namespace partita
