#include "engine/ir/data_type.h"

#include <charconv>

namespace partita {

std::string DataType::to_string() const {
    if (is_void()) return "";
    if (is_bool() && lanes == 1) return "bool";
    std::string text;
    switch (code) {
        case Code::Int: text = "int"; break;
        case Code::UInt: text = "uint"; break;
        case Code::Float: text = "float"; break;
        case Code::BFloat: text = "bfloat"; break;
        case Code::Void: break;
    }
    text += std::to_string(bits);
    if (lanes != 1) text += "x" + std::to_string(lanes);
    return text;
}

std::optional<DataType> DataType::parse(std::string_view text) {
    if (text.empty()) return kVoid;
    if (text == "bool") return kBool;
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
