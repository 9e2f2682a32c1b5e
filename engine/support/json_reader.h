// A JSON reader (RFC 8259) that keeps the position of every value, so that an error in a backend description is
// reported with its line, column and path.
//
// kJsonDepth (json_cursor.h) bounds the nesting; duplicate keys are refused. Values own what they hold.
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
    uint32_t offset = 0, end = 0;     ///< byte offsets: of the first character, after the last

    bool is(Kind wanted) const { return kind == wanted; }
    /// Returns null if an object has no such member.
    const JsonValue* member(std::string_view key) const;
    /// Returns "a string", "an array", ...: for messages.
    std::string_view kind_name() const;
};

struct JsonMember {
    std::string key;
    SourcePosition key_position;
    JsonValue value;
};

Result<JsonValue> read_json(std::string_view text);
/// Does the same; errors name the file.
Result<JsonValue> read_json(std::string_view text, const std::string& file);

/// Returns the position in `source` of the byte `offset` of a decoded string, taking its escapes into account.
SourcePosition position_in_string(std::string_view source, const JsonValue& string, size_t offset);

/// Returns `source` with another value (JSON text) at a path of keys and, in arrays, indices. Replaces an existing
/// value; creates missing objects on the way. All other bytes stay the same. Returns "" if `source` is not JSON, or if
/// the path leads through a value that is not an object and does not end in an array.
std::string with_json_value(std::string_view source, std::span<const std::string> path, std::string_view value);

}  // namespace partita
