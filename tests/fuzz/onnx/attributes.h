// ONNX attributes for the recipes; onnx_writer.h has the rest of the wire format.
#pragma once

#include "tests/engine/onnx_writer.h"

namespace partita::fuzz {

inline std::string attribute(std::string_view name, int64_t value) { return onnx_writer::attribute(name, value); }
inline std::string attribute(std::string_view name, int value) { return onnx_writer::attribute(name, int64_t(value)); }
inline std::string attribute(std::string_view name, double value) {
    return onnx_writer::bytes(1, name) + onnx_writer::real(2, float(value)) + onnx_writer::number(20, 1);
}
inline std::string attribute(std::string_view name, const char* value) {
    return onnx_writer::bytes(1, name) + onnx_writer::bytes(4, value) + onnx_writer::number(20, 3);
}
inline std::string attribute(std::string_view name, const std::string& value) { return attribute(name, value.c_str()); }
inline std::string attribute(std::string_view name, const std::vector<int64_t>& values) {
    std::string message = onnx_writer::bytes(1, name);
    for (int64_t value : values) message += onnx_writer::number(8, value);
    return message + onnx_writer::number(20, 7);
}
inline std::string attribute(std::string_view name, const std::vector<double>& values) {
    std::string message = onnx_writer::bytes(1, name);
    for (double value : values) message += onnx_writer::real(7, float(value));
    return message + onnx_writer::number(20, 6);
}
inline std::string attribute(std::string_view name, const std::vector<std::string>& values) {
    std::string message = onnx_writer::bytes(1, name);
    for (const std::string& value : values) message += onnx_writer::bytes(9, value);
    return message + onnx_writer::number(20, 8);
}

using Attributes = std::vector<std::string>;

}  // namespace partita::fuzz
