// Writes ONNX messages for tests, in the wire format by hand, so that tests can also write invalid ones.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace onnx_writer {

inline std::string varint(uint64_t value) {
    std::string text;
    do {
        text += char((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value);
    return text;
}

inline std::string number(int field, int64_t value) { return varint(uint64_t(field) << 3) + varint(uint64_t(value)); }

inline std::string real(int field, float value) {
    std::string bytes(4, '\0');
    std::memcpy(bytes.data(), &value, 4);
    return varint(uint64_t(field) << 3 | 5) + bytes;
}

inline std::string bytes(int field, std::string_view value) {
    return varint(uint64_t(field) << 3 | 2) + varint(value.size()) + std::string(value);
}

inline std::string value_info(std::string_view name, const std::vector<int64_t>& shape, int type = 1) {
    std::string dims;
    for (int64_t dim : shape) dims += bytes(1, dim < 0 ? bytes(2, "N") : number(1, dim));
    std::string tensor_type = number(1, type) + bytes(2, dims);
    return bytes(1, name) + bytes(2, bytes(1, tensor_type));
}

/// The same with dimensions as texts: sizes, or names.
inline std::string named_value_info(std::string_view name, const std::vector<std::string>& shape, int type = 1) {
    std::string dims;
    for (const std::string& dim : shape)
        dims += bytes(1, dim[0] >= '0' && dim[0] <= '9' ? number(1, std::stoll(dim)) : bytes(2, dim));
    return bytes(1, name) + bytes(2, bytes(1, number(1, type) + bytes(2, dims)));
}

inline std::string tensor(std::string_view name, const std::vector<int64_t>& shape, const std::vector<float>& values) {
    std::string message;
    for (int64_t dim : shape) message += number(1, dim);
    std::string raw(values.size() * 4, '\0');
    if (!values.empty()) std::memcpy(raw.data(), values.data(), raw.size());
    return message + number(2, 1) + bytes(8, name) + bytes(9, raw);
}

inline std::string integers(std::string_view name, const std::vector<int64_t>& values) {
    std::string message = number(1, int64_t(values.size())) + number(2, 7) + bytes(8, name), packed;
    for (int64_t value : values) packed += varint(uint64_t(value));
    return message + bytes(7, packed);
}

inline std::string attribute(std::string_view name, int64_t value) {
    return bytes(1, name) + number(3, value) + number(20, 2);
}

inline std::string list_attribute(std::string_view name, const std::vector<int64_t>& values) {
    std::string message = bytes(1, name);
    for (int64_t value : values) message += number(8, value);
    return message + number(20, 7);
}

inline std::string graph_attribute(std::string_view name, std::string_view graph) {
    return bytes(1, name) + bytes(6, graph) + number(20, 5);
}

inline std::string node(std::string_view op, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs, const std::vector<std::string>& attributes = {},
                        std::string_view name = "", std::string_view domain = "") {
    std::string message;
    for (const std::string& input : inputs) message += bytes(1, input);
    for (const std::string& output : outputs) message += bytes(2, output);
    message += bytes(3, name) + bytes(4, op);
    for (const std::string& one : attributes) message += bytes(5, one);
    return domain.empty() ? message : message + bytes(7, domain);
}

struct GraphParts {
    std::vector<std::string> nodes, initializers, inputs, outputs;
};

inline std::string graph(const GraphParts& parts) {
    std::string message = bytes(2, "test");
    for (const std::string& node : parts.nodes) message += bytes(1, node);
    for (const std::string& tensor : parts.initializers) message += bytes(5, tensor);
    for (const std::string& input : parts.inputs) message += bytes(11, input);
    for (const std::string& output : parts.outputs) message += bytes(12, output);
    return message;
}

inline std::string model(const GraphParts& parts, int opset = 13, const std::string& more = "") {
    return number(1, 7) + bytes(8, number(2, opset)) + bytes(7, graph(parts)) + more;
}

}  // namespace onnx_writer
