#include "engine/ir/attributes.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include "engine/support/hash.h"

namespace partita {

namespace {

uint64_t hash_bytes(const std::string& text) {
    uint64_t hash = text.size();
    for (unsigned char c : text) hash = hash_combine(hash, c);
    return hash;
}

std::string double_to_string(double value) {
    char buffer[32];
    auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
    return {buffer, end};
}

}  // namespace

bool AttributeValue::operator==(const AttributeValue& other) const {
    if (value_.index() != other.value_.index()) return false;
    if (const Integer* integer = as_integer()) return integer->value == other.as_integer()->value;
    if (const bool* flag = as_bool()) return *flag == *other.as_bool();
    if (const double* number = as_double())
        return std::bit_cast<uint64_t>(*number) == std::bit_cast<uint64_t>(*other.as_double());
    if (const std::string* text = as_string()) return *text == *other.as_string();
    if (const DataType* dtype = as_dtype()) return *dtype == *other.as_dtype();
    if (const List* list = as_list()) return *list == *other.as_list();
    return true;
}

bool AttributeValue::identical(const AttributeValue& other) const {
    if (!(*this == other)) return false;
    if (const Integer* integer = as_integer()) return integer->bits == other.as_integer()->bits;
    const List* list = as_list();
    return !list || std::equal(list->begin(), list->end(), other.as_list()->begin(),
                               [](const AttributeValue& a, const AttributeValue& b) { return a.identical(b); });
}

uint64_t AttributeValue::hash() const {
    uint64_t seed = value_.index();
    if (const bool* flag = as_bool()) return hash_combine(seed, *flag);
    if (const Integer* integer = as_integer()) return hash_combine(seed, uint64_t(integer->value));
    if (const double* number = as_double()) return hash_combine(seed, std::bit_cast<uint64_t>(*number));
    if (const std::string* text = as_string()) return hash_combine(seed, hash_bytes(*text));
    if (const DataType* dtype = as_dtype())
        return hash_combine(seed, uint64_t(dtype->code) << 32 | uint64_t(dtype->bits) << 16 | dtype->lanes);
    if (const List* list = as_list())
        for (const AttributeValue& item : *list) seed = hash_combine(seed, item.hash());
    return seed;
}

std::string AttributeValue::to_string() const {
    if (const bool* flag = as_bool()) return *flag ? "True" : "False";
    if (const Integer* integer = as_integer()) return std::to_string(integer->value);
    if (const double* number = as_double()) return double_to_string(*number);
    if (const std::string* text = as_string()) return '"' + *text + '"';
    if (const DataType* dtype = as_dtype()) return dtype->is_void() ? "void" : dtype->to_string();
    if (const List* list = as_list()) {
        std::string text = "[";
        for (const AttributeValue& item : *list) {
            if (text.size() > 1) text += ", ";
            text += item.to_string();
        }
        return text + "]";
    }
    return "None";
}

}  // namespace partita
