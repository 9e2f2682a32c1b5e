// A decoder of one layer with a cache, as exporters write it: input_ids, attention_mask, position_ids and
// past_key_values in, logits and present out.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "tests/engine/onnx_writer.h"

namespace tiny_decoder {

inline constexpr int64_t kWords = 17, kWidth = 8, kPositions = 32;

/// The names of the lengths in the model's types.
struct Lengths {
    std::string seq = "seq", past = "past", total = "total";
    std::string present = "total";
};

inline std::string weight(const std::string& name, int64_t rows, int64_t columns) {
    std::vector<float> values;
    for (int64_t i = 0; i < rows * columns; ++i)
        values.push_back(std::sin(float(i) * 1.7f + float(name.size() * 5 + size_t(name[0]))));
    return onnx_writer::tensor(name, {rows, columns}, values);
}

inline std::vector<std::string> attention_nodes() {
    namespace w = onnx_writer;
    return {
        w::node("Unsqueeze", {"k", "one"}, {"key"}),
        w::node("Unsqueeze", {"v", "one"}, {"value"}),
        w::node("Unsqueeze", {"q", "one"}, {"query"}),
        w::node("Concat", {"past_key_values.0.key", "key"}, {"present.0.key"}, {w::attribute("axis", 2)}),
        w::node("Concat", {"past_key_values.0.value", "value"}, {"present.0.value"}, {w::attribute("axis", 2)}),
        w::node("Transpose", {"present.0.key"}, {"kt"}, {w::list_attribute("perm", {0, 1, 3, 2})}),
        w::node("MatMul", {"query", "kt"}, {"scores"}),
        w::node("CumSum", {"attention_mask", "one_scalar"}, {"count"}),
        w::node("Unsqueeze", {"count", "one_two"}, {"key_place"}),
        w::node("Unsqueeze", {"position_ids", "one_three"}, {"query_place"}),
        w::node("Sub", {"key_place", "one_scalar"}, {"key_position"}),
        w::node("Greater", {"key_position", "query_place"}, {"later"}),
        w::node("Where", {"later", "lowest", "scores"}, {"masked"}),
        w::node("Softmax", {"masked"}, {"shares"}, {w::attribute("axis", 3)}),
        w::node("MatMul", {"shares", "present.0.value"}, {"mixed"}),
        w::node("Squeeze", {"mixed", "one"}, {"attended"}),
    };
}

inline std::string scalar(const std::string& name, int64_t value) {
    namespace w = onnx_writer;
    return w::number(2, 7) + w::bytes(8, name) + w::bytes(7, w::varint(uint64_t(value)));
}

inline std::string model(const Lengths& lengths = {}) {
    namespace w = onnx_writer;
    w::GraphParts parts;
    parts.nodes = {w::node("Gather", {"words", "input_ids"}, {"word"}),
                   w::node("Gather", {"places", "position_ids"}, {"place"}),
                   w::node("Add", {"word", "place"}, {"x"}),
                   w::node("MatMul", {"x", "wq"}, {"q"}),
                   w::node("MatMul", {"x", "wk"}, {"k"}),
                   w::node("MatMul", {"x", "wv"}, {"v"})};
    for (std::string& node : attention_nodes()) parts.nodes.push_back(std::move(node));
    parts.nodes.push_back(w::node("Add", {"attended", "x"}, {"sum"}));
    parts.nodes.push_back(w::node("MatMul", {"sum", "head"}, {"logits"}));
    parts.initializers = {weight("words", kWords, kWidth),  weight("places", kPositions, kWidth),
                          weight("wq", kWidth, kWidth),     weight("wk", kWidth, kWidth),
                          weight("wv", kWidth, kWidth),     weight("head", kWidth, kWords),
                          w::tensor("lowest", {}, {-1e9f}), w::integers("one", {1}),
                          w::integers("one_two", {1, 2}),   w::integers("one_three", {1, 3}),
                          scalar("one_scalar", 1)};
    const std::vector<std::string> past{"batch", "1", lengths.past, std::to_string(kWidth)};
    const std::vector<std::string> present{"batch", "1", lengths.present, std::to_string(kWidth)};
    parts.inputs = {w::named_value_info("input_ids", {"batch", lengths.seq}, 7),
                    w::named_value_info("attention_mask", {"batch", lengths.total}, 7),
                    w::named_value_info("position_ids", {"batch", lengths.seq}, 7),
                    w::named_value_info("past_key_values.0.key", past),
                    w::named_value_info("past_key_values.0.value", past)};
    parts.outputs = {w::named_value_info("logits", {"batch", lengths.seq, std::to_string(kWords)}),
                     w::named_value_info("present.0.key", present), w::named_value_info("present.0.value", present)};
    return w::model(parts);
}

}  // namespace tiny_decoder
