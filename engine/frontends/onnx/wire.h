// Reads the Protocol Buffers wire format (developers.google.com/protocol-buffers/docs/encoding) in place. It copies
// nothing and reads only requested parts of a file, so a model of many gigabytes costs its structure only. libprotobuf
// refuses messages over 2 GiB and copies every weight; the tests compare this reader with it.
//
// Every length is checked against the available bytes. Faults do not throw: after a fault `next` returns false and
// `failed` true.
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

    /// Advances to the next field. Returns false at the end, or at a fault.
    bool next();
    bool failed() const { return failed_; }

    uint32_t field() const { return field_; }
    WireType type() const { return type_; }
    /// Returns the value of the current field. A value of another wire type is a fault.
    int64_t integer();
    float real();
    std::string_view bytes();
    /// Returns the bytes without reading them from the file: for messages, whose reader reads them on demand, and for
    /// data read later.
    std::string_view unread_bytes();
    /// Appends a repeated number: one value, or a packed list.
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
