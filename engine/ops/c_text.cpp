#include "engine/ops/c_text.h"

#include <cmath>

#include "engine/support/number_text.h"

namespace partita {

namespace {

std::string number_text(double value, const char* suffix) {
    if (std::isnan(value)) return "NAN";
    if (std::isinf(value)) return value < 0 ? "(-INFINITY)" : "INFINITY";
    std::string text = general_text(value, 17);
    if (text.find_first_of(".e") == text.npos) text += ".0";
    text += suffix;
    return value < 0 ? "(" + text + ")" : text;
}

}  // namespace

std::string c_type(DataType dtype) {
    if (dtype.is_float()) return dtype.bits == 64 ? "double" : "float";
    if (dtype.is_bool()) return "uint8_t";
    return (dtype.code == DataType::Code::UInt ? "uint" : "int") + std::to_string(dtype.bits) + "_t";
}

std::string c_constant(DataType dtype, int64_t value) {
    if (dtype.is_float()) return c_constant(dtype, double(value));
    if (dtype.code == DataType::Code::UInt) return std::to_string(uint64_t(value)) + (dtype.bits == 64 ? "ULL" : "U");
    const char* suffix = dtype.bits == 64 ? "LL" : "";
    if (value == INT64_MIN) return "(-9223372036854775807LL - 1)";
    if (dtype.bits == 32 && value == INT32_MIN) return "(-2147483647 - 1)";
    std::string text = std::to_string(value) + suffix;
    return value < 0 ? "(" + text + ")" : text;
}

std::string c_constant(DataType dtype, double value) {
    if (dtype.is_float())
        return number_text(dtype.bits == 64 ? value : double(float(value)), dtype.bits == 64 ? "" : "f");
    return c_constant(dtype, int64_t(value));
}

std::string fill_c_template(std::string_view text, std::span<const std::string> operands, DataType dtype) {
    bool is_unsigned = dtype.code == DataType::Code::UInt;
    int bits = dtype.bits;
    std::string filled;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%' || i + 1 == text.size()) {
            filled += text[i];
            continue;
        }
        char what = text[++i];
        switch (what) {
            case 'a':
            case 'b':
            case 'c': filled += "(" + operands[size_t(what - 'a')] + ")"; break;
            case 'T': filled += c_type(dtype); break;
            case 'U': filled += bits == 64 ? "uint64_t" : "uint32_t"; break;
            case 'S': filled += bits == 64 ? "int64_t" : "int32_t"; break;
            case 'n': filled += std::to_string(bits); break;
            case 'm': filled += std::to_string(bits - 1); break;
            case 'f': filled += dtype.bits == 64 ? "" : "f"; break;
            case 'l':
                filled += is_unsigned ? "0" : c_constant(dtype, bits == 64 ? INT64_MIN : -(int64_t(1) << (bits - 1)));
                break;
            case 'h':
                if (is_unsigned) filled += bits == 64 ? "UINT64_MAX" : std::to_string((uint64_t(1) << bits) - 1) + "U";
                else filled += c_constant(dtype, bits == 64 ? INT64_MAX : (int64_t(1) << (bits - 1)) - 1);
                break;
            default: filled += what; break;
        }
    }
    return filled;
}

std::string c_saturate(const std::string& value, DataType from, DataType to) {
    bool is_unsigned = to.code == DataType::Code::UInt;
    double over = std::ldexp(1.0, is_unsigned ? to.bits : to.bits - 1);
    std::string v = "(" + value + ")";
    std::string highest = fill_c_template("%h", {}, to), lowest = fill_c_template("%l", {}, to);
    return "(" + v + " >= " + c_constant(from, over) + " ? " + highest + " : " + v +
           " <= " + c_constant(from, is_unsigned ? 0.0 : -over) + " ? " + lowest + " : " + v + " == " + v + " ? (" +
           c_type(to) + ")" + v + " : 0)";
}

}  // namespace partita
