// Reads and writes attribute values as a person types them.
#include <charconv>
#include <cmath>

#include "engine/edits/edit_support.h"

namespace partita {

namespace {

constexpr int kDeepestList = 16;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

std::optional<Integer> read_integer(std::string_view text) {
    uint8_t bits = 32;
    if (text.ends_with("i64")) {
        bits = 64;
        text.remove_suffix(3);
    }
    int64_t value = 0;
    auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size()) return {};
    if (value > INT32_MAX || value < INT32_MIN) bits = 64;
    return Integer{value, bits};
}

std::optional<double> read_real(std::string_view text) {
    if (text.ends_with("f") && text != "inf" && text != "-inf") text.remove_suffix(1);
    double value = 0;
    auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size()) return {};
    return value;
}

std::optional<bool> read_flag(std::string_view text) {
    if (text == "True" || text == "true" || text == "1") return true;
    if (text == "False" || text == "false" || text == "0") return false;
    return {};
}

std::string without_quotes(std::string_view text) {
    if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
        text = text.substr(1, text.size() - 2);
    return std::string(text);
}

/// Returns the items of a list without its brackets; nested brackets stay together. Returns nothing if brackets do not
/// match.
std::optional<std::vector<std::string_view>> split_items(std::string_view text) {
    std::vector<std::string_view> items;
    int depth = 0;
    size_t begin = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ',';
        depth += c == '[' || c == '(';
        depth -= c == ']' || c == ')';
        if (depth < 0) return {};
        if (c != ',' || (depth > 0 && i < text.size())) continue;
        if (std::string_view item = trimmed(text.substr(begin, i - begin)); !item.empty()) items.push_back(item);
        begin = i + 1;
    }
    if (depth != 0) return {};
    return items;
}

bool in_brackets(std::string_view text) {
    return text.size() >= 2 &&
           ((text.front() == '[' && text.back() == ']') || (text.front() == '(' && text.back() == ')'));
}

std::optional<AttributeValue> read_list(std::string_view text, bool integers_only, int depth);

std::optional<AttributeValue> read_item(std::string_view text, bool integers_only, int depth) {
    if (text == "None") return AttributeValue();
    if (std::optional<Integer> integer = read_integer(text)) return AttributeValue(*integer);
    if (in_brackets(text)) return depth < kDeepestList ? read_list(text, integers_only, depth + 1) : std::nullopt;
    if (integers_only) return {};
    if (text == "True" || text == "False") return AttributeValue(text == "True");
    if (std::optional<double> real = read_real(text)) return AttributeValue(*real);
    return AttributeValue(without_quotes(text));
}

std::optional<AttributeValue> read_list(std::string_view text, bool integers_only, int depth) {
    if (in_brackets(text)) text = text.substr(1, text.size() - 2);
    std::optional<std::vector<std::string_view>> items = split_items(text);
    if (!items) return {};
    AttributeValue::List list;
    for (std::string_view item : *items) {
        std::optional<AttributeValue> value = read_item(item, integers_only, depth);
        if (!value) return {};
        list.push_back(std::move(*value));
    }
    return AttributeValue(std::move(list));
}

std::optional<AttributeValue> read_of_kind(AttributeKind kind, std::string_view text) {
    switch (kind) {
        case AttributeKind::Int:
            if (std::optional<Integer> integer = read_integer(text)) return AttributeValue(*integer);
            return {};
        case AttributeKind::Bool:
            if (std::optional<bool> flag = read_flag(text)) return AttributeValue(*flag);
            return {};
        case AttributeKind::Double:
            if (std::optional<double> real = read_real(text)) return AttributeValue(*real);
            return {};
        case AttributeKind::String: return AttributeValue(without_quotes(text));
        case AttributeKind::DType: {
            const std::string name = without_quotes(text);
            if (std::optional<DataType> dtype = DataType::parse(name == "void" ? "" : name))
                return AttributeValue(*dtype);
            return {};
        }
        case AttributeKind::IntegerList: return read_list(text, true, 0);
        case AttributeKind::Object:
            // `1, 1` without brackets is a list as well.
            if (!in_brackets(text) && text.find(',') != std::string_view::npos) return read_list(text, false, 0);
            return read_item(text, false, 0);
    }
    return {};
}

const char* wanted(AttributeKind kind) {
    switch (kind) {
        case AttributeKind::Int: return "a whole number";
        case AttributeKind::Bool: return "True or False";
        case AttributeKind::Double: return "a number";
        case AttributeKind::String: return "text";
        case AttributeKind::DType: return "an element type such as float32";
        case AttributeKind::IntegerList: return "whole numbers such as 1, 1";
        case AttributeKind::Object: return "a number, text or a list";
    }
    return "another value";
}

}  // namespace

Result<AttributeValue> read_attribute(const AttributeField& field, std::string_view text) {
    text = trimmed(text);
    if (text == "None" && may_be_none(field)) return AttributeValue();
    if (std::optional<AttributeValue> value = read_of_kind(field.kind, text)) return *value;
    return error(field.name + " takes " + wanted(field.kind) + ", not `" + std::string(text) + "`");
}

std::string write_attribute(const AttributeField& field, const AttributeValue& value) {
    if (const std::string* text = value.as_string())
        return field.kind == AttributeKind::String ? *text : '"' + *text + '"';
    if (const DataType* dtype = value.as_dtype()) return dtype->to_string();
    if (const double* real = value.as_double()) {
        char buffer[32];
        auto [end, fault] = std::to_chars(buffer, buffer + sizeof buffer, *real);
        return fault == std::errc() ? std::string(buffer, end) : value.to_string();
    }
    if (const Integer* integer = value.as_integer())
        return std::to_string(integer->value) +
               (integer->bits == 64 && field.kind == AttributeKind::Object ? "i64" : "");
    if (const AttributeValue::List* list = value.as_list()) {
        std::string text = "[";
        for (size_t i = 0; i < list->size(); ++i) {
            const Integer* integer = (*list)[i].as_integer();
            text += i ? ", " : "";
            text += integer && integer->bits == 64 ? std::to_string(integer->value) + "i64"
                                                   : write_attribute(field, (*list)[i]);
        }
        return text + "]";
    }
    return value.to_string();
}

}  // namespace partita
