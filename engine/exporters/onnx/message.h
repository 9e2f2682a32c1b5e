// Writes the Protocol Buffers wire format (developers.google.com/protocol-buffers/docs/encoding). The bytes of tensors
// are referenced, not copied: a message is a list of pieces (its own small text and views of tensors) that are written
// to a file in order. Building copies the text once for each level of nesting, of which ONNX has few.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/tensor.h"

namespace partita::onnx_export {

/// Consecutive bytes of a file. The tensor keeps its view alive.
struct Piece {
    std::string text;
    Tensor tensor;  ///< if defined, the piece consists of its bytes, and `text` is empty

    size_t size() const { return tensor.defined() ? tensor.byte_size() : text.size(); }
    /// `lent` holds the bytes of a tensor as long as they are looked at.
    std::string_view bytes(std::shared_ptr<const void>& lent) const {
        if (!tensor.defined()) return text;
        lent = tensor.lent_bytes();
        return {static_cast<const char*>(lent.get()), tensor.byte_size()};
    }
};

class Message {
public:
    Message& integer(uint32_t field, int64_t value);
    Message& real(uint32_t field, float value);
    Message& text(uint32_t field, std::string_view value);
    /// Appends the elements of a list one by one, as onnx.proto declares it.
    Message& integers(uint32_t field, const std::vector<int64_t>& values);
    Message& message(uint32_t field, Message inner);
    Message& tensor_bytes(uint32_t field, const Tensor& tensor);

    uint64_t size() const { return size_; }
    std::vector<Piece> take_pieces() { return std::move(pieces_); }

private:
    void key(uint32_t field, uint32_t wire_type);
    void varint(uint64_t value);
    std::string& tail();
    void append(std::string_view bytes);

    std::vector<Piece> pieces_;
    uint64_t size_ = 0;
};

/// The file beside a model that holds large weights, because protobuf readers refuse models of 2 GiB. Offsets are
/// multiples of a page, as ONNX's ExternalData.md requires, so that readers can map the weights.
class ExternalFile {
public:
    static constexpr size_t kSmallest = 1024;  ///< bytes; smaller tensors stay in the model

    explicit ExternalFile(std::string name) : name_(std::move(name)) {}

    const std::string& name() const { return name_; }
    /// Adds a tensor and returns its offset.
    uint64_t add(const Tensor& tensor);
    const std::vector<Piece>& pieces() const { return pieces_; }
    std::vector<Piece> take_pieces() { return std::move(pieces_); }

private:
    std::string name_;
    std::vector<Piece> pieces_;
    uint64_t size_ = 0;
};

}  // namespace partita::onnx_export
