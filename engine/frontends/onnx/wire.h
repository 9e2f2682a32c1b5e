// Reads the Protocol Buffers wire format (developers.google.com/protocol-buffers/docs/encoding) in place: nothing is
// copied, and of a file only what is asked for is read, so a model of many gigabytes costs its structure only.
// libprotobuf refuses messages over 2 GiB and copies every weight, which is why it is not used here; the tests hold
// this reader against it.
//
// Every length is checked against the bytes that are there. Faults are remembered, not thrown: after a fault `next`
// returns false and `failed` true.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/frontends/onnx/model_bytes.h"

namespace partita::onnx {

enum class WireType : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

class WireReader {
public:
    /// `bytes` is a part of `source`.
    WireReader(std::string_view bytes, ModelBytes& source)
        : source_(source), at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

    /// Goes to the next field. False at the end, or at a fault.
    bool next();
    bool failed() const { return failed_; }

    uint32_t field() const { return field_; }
    WireType type() const { return type_; }
    /// The current field's value. A value of another wire type than asked for is a fault.
    int64_t integer();
    float real();
    std::string_view bytes();
    /// The same, but of a file the bytes are not read yet. For messages, whose reader reads them as it goes, and for
    /// what is read later.
    std::string_view unread_bytes();
    /// Appends a repeated number: one value, or a packed run of them.
    void append_integers(std::vector<int64_t>& list);
    void append_floats(std::vector<float>& list);
    void append_doubles(std::vector<double>& list);

private:
    bool read_varint(uint64_t& value);
    bool read_value();
    void fail() { failed_ = true; }

    ModelBytes& source_;
    const char* at_;
    const char* end_;
    bool failed_ = false;
    uint32_t field_ = 0;
    WireType type_ = WireType::Varint;
    uint64_t number_ = 0;
    std::string_view bytes_;
};

}  // namespace partita::onnx
