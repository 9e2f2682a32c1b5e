// Base64 (RFC 4648, with padding, without line breaks), as TVM writes the bytes of constants.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace partita::relay {

/// Returns the number of bytes that a text decodes to. Checks only its length and padding; -1 if these are wrong.
int64_t base64_decoded_size(std::string_view text);

/// Decodes the bytes [offset, offset + out.size()) of the decoded text. Returns false if their letters are not base64,
/// or they end beyond the text.
bool base64_decode(std::string_view text, size_t offset, std::span<uint8_t> out);

/// Appends the encoded bytes.
class Base64Writer {
public:
    explicit Base64Writer(std::string& out) : out_(out) {}
    void write(std::span<const uint8_t> bytes);
    /// Writes the rest, padded.
    void finish();

private:
    void encode(const uint8_t* bytes, size_t groups);

    std::string& out_;
    uint8_t pending_[3] = {};
    size_t pending_count_ = 0;
};

}  // namespace partita::relay
