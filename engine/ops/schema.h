// Short forms for writing the attribute schemas of op records.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "engine/ops/op.h"

namespace partita {

/// A list of 32-bit integers, as most list attributes are: `[1, 1]`.
inline AttributeValue integer_list(std::initializer_list<int> values) {
    AttributeValue::List list;
    for (int value : values) list.push_back(value);
    return list;
}

inline AttributeField optional_field(std::string name, AttributeKind kind, AttributeValue default_value,
                                     std::string summary = {}) {
    return {std::move(name), kind, std::move(default_value), false, std::move(summary)};
}

inline AttributeField required_field(std::string name, AttributeKind kind, std::string summary = {}) {
    return {std::move(name), kind, {}, true, std::move(summary)};
}

}  // namespace partita
