#include "engine/ir/data_type.h"

#include <charconv>

namespace partita {

namespace {

struct NamedType {
    std::string_view name;
    DataType dtype;
};

// As TVM writes them.
constexpr NamedType kNarrowFloats[] = {
    {"float8_e4m3fn", kFloat8E4M3FN},     {"float8_e4m3fnuz", kFloat8E4M3FNUZ}, {"float8_e5m2", kFloat8E5M2},
    {"float8_e5m2fnuz", kFloat8E5M2FNUZ}, {"float8_e8m0fnu", kFloat8E8M0FNU},   {"float4_e2m1fn", kFloat4E2M1FN},
};

}  // namespace

std::string DataType::to_string() const {
    if (is_void()) return "";
    if (is_bool() && lanes == 1) return "bool";
    for (const NamedType& narrow : kNarrowFloats)
        if (*this == narrow.dtype) return std::string(narrow.name);
    std::string text;
    switch (code) {
        case Code::Int: text = "int"; break;
        case Code::UInt: text = "uint"; break;
        case Code::Float: text = "float"; break;
        case Code::BFloat: text = "bfloat"; break;
        default: break;
    }
    text += std::to_string(bits);
    if (lanes != 1) text += "x" + std::to_string(lanes);
    return text;
}

std::optional<DataType> DataType::parse(std::string_view text) {
    if (text.empty()) return kVoid;
    if (text == "bool") return kBool;
    for (const NamedType& narrow : kNarrowFloats)
        if (text == narrow.name) return narrow.dtype;
    DataType type;
    type.lanes = 1;
    type.bits = 32;
    auto take = [&text](std::string_view prefix) {
        if (!text.starts_with(prefix)) return false;
        text.remove_prefix(prefix.size());
        return true;
    };
    if (take("int")) type.code = Code::Int;
    else if (take("uint")) type.code = Code::UInt;
    else if (take("float")) type.code = Code::Float;
    else if (take("bfloat")) {
        type.code = Code::BFloat;
        type.bits = 16;
    } else return std::nullopt;
    if (text.empty()) return type;
    const char* end = text.data() + text.size();
    auto [after_bits, bits_error] = std::from_chars(text.data(), end, type.bits);
    if (bits_error != std::errc() || type.bits == 0) return std::nullopt;
    if (after_bits != end) {
        if (*after_bits != 'x') return std::nullopt;
        auto [after_lanes, lanes_error] = std::from_chars(after_bits + 1, end, type.lanes);
        if (lanes_error != std::errc() || after_lanes != end || type.lanes == 0) return std::nullopt;
    }
    return type;
}

}  // namespace partita
