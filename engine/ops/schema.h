// Short forms for writing the attribute schemas of op records: once, so that they, and the functions that use them, are
// compiled for size.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "engine/ops/op.h"

namespace partita {

/// Returns a list of 32-bit integers, the kind of most list attributes: `[1, 1]`.
[[gnu::cold]] inline AttributeValue integer_list(std::initializer_list<int> values) {
    AttributeValue::List list;
    for (int value : values) list.push_back(value);
    return list;
}

/// A default of as many equal values as there are axes.
[[gnu::cold]] inline AttributeValue repeated(size_t count, int value) {
    return AttributeValue::List(count, AttributeValue(value));
}

[[gnu::cold]] inline AttributeField optional_field(std::string name, AttributeKind kind, AttributeValue default_value,
                                                   std::string summary = {}) {
    return {std::move(name), kind, std::move(default_value), false, std::move(summary)};
}

[[gnu::cold]] inline AttributeField required_field(std::string name, AttributeKind kind, std::string summary = {}) {
    return {std::move(name), kind, {}, true, std::move(summary)};
}

[[gnu::cold]] inline AttributeField integer_field(std::string name, int default_value, std::string summary = {}) {
    return optional_field(std::move(name), AttributeKind::Int, default_value, std::move(summary));
}

[[gnu::cold]] inline AttributeField bool_field(std::string name, bool default_value, std::string summary = {}) {
    return optional_field(std::move(name), AttributeKind::Bool, default_value, std::move(summary));
}

[[gnu::cold]] inline AttributeField double_field(std::string name, double default_value, std::string summary = {}) {
    return optional_field(std::move(name), AttributeKind::Double, default_value, std::move(summary));
}

[[gnu::cold]] inline AttributeField string_field(std::string name, std::string default_value,
                                                 std::string summary = {}) {
    return optional_field(std::move(name), AttributeKind::String, std::move(default_value), std::move(summary));
}

/// None by default.
[[gnu::cold]] inline AttributeField none_field(std::string name, AttributeKind kind, std::string summary = {}) {
    return optional_field(std::move(name), kind, {}, std::move(summary));
}

}  // namespace partita
