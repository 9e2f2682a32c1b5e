#include "engine/exporters/onnx/message.h"

#include <cstring>

namespace partita::onnx_export {

namespace {

/// Shorter data are copied, because a separate piece costs more.
constexpr size_t kShareFrom = 4096;
constexpr uint64_t kPage = 4096;

}  // namespace

std::string& Message::tail() {
    if (pieces_.empty() || pieces_.back().tensor.defined()) pieces_.emplace_back();
    return pieces_.back().text;
}

void Message::append(std::string_view bytes) {
    tail() += bytes;
    size_ += bytes.size();
}

void Message::varint(uint64_t value) {
    char bytes[10];
    size_t count = 0;
    do {
        bytes[count++] = char((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value);
    append({bytes, count});
}

void Message::key(uint32_t field, uint32_t wire_type) { varint(uint64_t(field) << 3 | wire_type); }

Message& Message::integer(uint32_t field, int64_t value) {
    key(field, 0);
    varint(uint64_t(value));
    return *this;
}

Message& Message::real(uint32_t field, float value) {
    char bytes[4];
    std::memcpy(bytes, &value, 4);
    key(field, 5);
    append({bytes, 4});
    return *this;
}

Message& Message::text(uint32_t field, std::string_view value) {
    key(field, 2);
    varint(value.size());
    append(value);
    return *this;
}

Message& Message::integers(uint32_t field, const std::vector<int64_t>& values) {
    for (int64_t value : values) integer(field, value);
    return *this;
}

Message& Message::message(uint32_t field, Message inner) {
    key(field, 2);
    varint(inner.size_);
    for (Piece& piece : inner.pieces_) {
        if (!piece.tensor.defined() && piece.text.size() < kShareFrom) {
            append(piece.text);
            continue;
        }
        size_ += piece.size();
        pieces_.push_back(std::move(piece));
    }
    return *this;
}

Message& Message::tensor_bytes(uint32_t field, const Tensor& tensor) {
    key(field, 2);
    varint(tensor.byte_size());
    if (tensor.byte_size() < kShareFrom) {
        const std::shared_ptr<const void> lent = tensor.lent_bytes();
        append({static_cast<const char*>(lent.get()), tensor.byte_size()});
        return *this;
    }
    size_ += tensor.byte_size();
    pieces_.push_back({{}, tensor});
    return *this;
}

uint64_t ExternalFile::add(const Tensor& tensor) {
    if (uint64_t rest = size_ % kPage) {
        pieces_.push_back({std::string(kPage - rest, '\0'), {}});
        size_ += kPage - rest;
    }
    uint64_t offset = size_;
    pieces_.push_back({{}, tensor});
    size_ += tensor.byte_size();
    return offset;
}

}  // namespace partita::onnx_export
