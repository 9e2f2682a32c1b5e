// Attribute values of calls and functions.
//
// The attributes of a call are a list of values in the order of its op's schema (engine/ops/op.h). Those of a function
// are a small dictionary. Values own what they hold.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/ir/data_type.h"

namespace partita {

/// An integer with its width in Relay, which distinguishes `2` from `2i64` in text.
struct Integer {
    int64_t value = 0;
    uint8_t bits = 32;  ///< 32 or 64
};

class AttributeValue {
public:
    using List = std::vector<AttributeValue>;

    AttributeValue() = default;  ///< None
    AttributeValue(bool value) : value_(value) {}
    AttributeValue(int value) : value_(Integer{value, 32}) {}
    AttributeValue(int64_t value) : value_(Integer{value, 64}) {}
    AttributeValue(Integer value) : value_(value) {}
    AttributeValue(double value) : value_(value) {}
    AttributeValue(const char* value) : value_(std::string(value)) {}
    AttributeValue(std::string value) : value_(std::move(value)) {}
    AttributeValue(DataType value) : value_(value) {}
    AttributeValue(List value) : value_(std::move(value)) {}

    bool is_none() const { return value_.index() == 0; }
    const bool* as_bool() const { return std::get_if<bool>(&value_); }
    const Integer* as_integer() const { return std::get_if<Integer>(&value_); }
    const double* as_double() const { return std::get_if<double>(&value_); }
    const std::string* as_string() const { return std::get_if<std::string>(&value_); }
    const DataType* as_dtype() const { return std::get_if<DataType>(&value_); }
    const List* as_list() const { return std::get_if<List>(&value_); }

    /// Compares kinds and values. Ignores the widths of integers, which Relay's text does not always keep.
    bool operator==(const AttributeValue& other) const;
    /// As ==, but also compares the widths of integers, so that identical values have the same text.
    bool identical(const AttributeValue& other) const;
    uint64_t hash() const;
    /// Returns a text for people: `[1, 1]`, `"NCHW"`, `float32`. The Relay printer has its own, exact form.
    std::string to_string() const;

private:
    std::variant<std::monostate, bool, Integer, double, std::string, DataType, List> value_;
};

using AttributeList = std::vector<AttributeValue>;

/// The key of a function's attribute. Copies share the text, so that a million sub-functions hold `global_symbol` once.
class AttributeKey {
public:
    AttributeKey(std::string text) : text_(std::make_shared<const std::string>(std::move(text))) {}
    AttributeKey(std::string_view text) : AttributeKey(std::string(text)) {}
    AttributeKey(const char* text) : AttributeKey(std::string(text)) {}

    const std::string& text() const { return *text_; }
    operator std::string_view() const { return *text_; }
    friend bool operator==(const AttributeKey& a, const AttributeKey& b) { return *a.text_ == *b.text_; }
    friend bool operator==(const AttributeKey& a, std::string_view b) { return *a.text_ == b; }
    friend bool operator==(const AttributeKey& a, const char* b) { return *a.text_ == b; }

private:
    std::shared_ptr<const std::string> text_;
};

/// Attributes in the order in which they were given, with unique keys.
using AttributeDictionary = std::vector<std::pair<AttributeKey, AttributeValue>>;

}  // namespace partita
