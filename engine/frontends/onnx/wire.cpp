#include "engine/frontends/onnx/wire.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/support/available_memory.h"

namespace partita::onnx {

static_assert(std::endian::native == std::endian::little, "the wire format's fixed numbers are little endian");

bool WireReader::read_varint(uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (at_ == end_) return false;
        uint8_t byte = uint8_t(*at_++);
        value |= uint64_t(byte & 0x7f) << shift;
        if (!(byte & 0x80)) return true;
    }
    return false;
}

bool WireReader::read_value() {
    switch (type_) {
        case WireType::Varint: return read_varint(number_);
        case WireType::Fixed64:
            if (end_ - at_ < 8) return false;
            std::memcpy(&number_, at_, 8);
            at_ += 8;
            return true;
        case WireType::Fixed32: {
            if (end_ - at_ < 4) return false;
            uint32_t number = 0;
            std::memcpy(&number, at_, 4);
            at_ += 4;
            number_ = number;
            return true;
        }
        case WireType::Bytes: {
            uint64_t length = 0;
            if (!read_varint(length) || length > uint64_t(end_ - at_)) return false;
            bytes_ = {at_, size_t(length)};
            at_ += length;
            return true;
        }
    }
    return false;  // ONNX does not use groups
}

bool WireReader::next() {
    constexpr ptrdiff_t kLongest = 20;  // a tag, and a number or length
    if (failed_ || at_ == end_) return false;
    uint64_t tag = 0;
    if (!source_.load(at_, at_ + std::min(kLongest, end_ - at_)) || !read_varint(tag) || tag >> 3 == 0 ||
        tag >> 3 > 0x1fffffff) {
        fail();
        return false;
    }
    field_ = uint32_t(tag >> 3);
    type_ = WireType(tag & 7);
    if (!read_value()) fail();
    return !failed_;
}

int64_t WireReader::integer() {
    if (type_ != WireType::Varint) fail();
    return int64_t(number_);
}

float WireReader::real() {
    if (type_ != WireType::Fixed32) fail();
    return std::bit_cast<float>(uint32_t(number_));
}

std::string_view WireReader::unread_bytes() {
    if (type_ != WireType::Bytes) {
        fail();
        return {};
    }
    return bytes_;
}

std::string_view WireReader::bytes() {
    std::string_view bytes = unread_bytes();
    if (bytes.empty() || source_.load(bytes.data(), bytes.data() + bytes.size())) return bytes;
    fail();
    return {};
}

void WireReader::append_integers(std::vector<int64_t>& list) {
    if (type_ == WireType::Varint) {
        append_checked(list, int64_t(number_));
        return;
    }
    WireReader packed(bytes(), source_);
    uint64_t value = 0;
    while (packed.at_ != packed.end_) {
        if (!packed.read_varint(value)) return fail();
        append_checked(list, int64_t(value));
    }
}

void WireReader::append_floats(std::vector<float>& list) {
    if (type_ == WireType::Fixed32) {
        append_checked(list, real());
        return;
    }
    std::string_view packed = bytes();
    if (packed.size() % 4) return fail();
    size_t old = list.size();
    check_available(packed.size());
    list.resize(old + packed.size() / 4);
    if (!packed.empty()) std::memcpy(list.data() + old, packed.data(), packed.size());
}

void WireReader::append_doubles(std::vector<double>& list) {
    if (type_ == WireType::Fixed64) {
        append_checked(list, std::bit_cast<double>(number_));
        return;
    }
    std::string_view packed = bytes();
    if (packed.size() % 8) return fail();
    size_t old = list.size();
    check_available(packed.size());
    list.resize(old + packed.size() / 8);
    if (!packed.empty()) std::memcpy(list.data() + old, packed.data(), packed.size());
}

}  // namespace partita::onnx
