#include "engine/support/base64.h"

#include <algorithm>
#include <array>

namespace partita::relay {

namespace {

constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNone = 255;

constexpr std::array<uint8_t, 256> kValues = [] {
    std::array<uint8_t, 256> values{};
    values.fill(kNone);
    for (uint8_t i = 0; i < 64; ++i) values[uint8_t(kLetters[i])] = i;
    return values;
}();

/// Decodes four letters to three bytes. Padding counts as zero. Returns false for a letter that is not base64.
bool decode_four(const char* letters, uint8_t* bytes) {
    uint32_t bits = 0;
    uint8_t wrong = 0;
    for (int i = 0; i < 4; ++i) {
        uint8_t value = letters[i] == '=' && i >= 2 ? 0 : kValues[uint8_t(letters[i])];
        wrong |= value;
        bits = bits << 6 | (value & 63);
    }
    bytes[0] = uint8_t(bits >> 16);
    bytes[1] = uint8_t(bits >> 8);
    bytes[2] = uint8_t(bits);
    return wrong < 64;
}

}  // namespace

int64_t base64_decoded_size(std::string_view text) {
    if (text.size() % 4) return -1;
    if (text.empty()) return 0;
    int64_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
    return int64_t(text.size() / 4 * 3) - padding;
}

bool base64_decode(std::string_view text, size_t offset, std::span<uint8_t> out) {
    int64_t size = base64_decoded_size(text);
    if (size < 0 || offset > size_t(size) || out.size() > size_t(size) - offset) return false;
    const char* letters = text.data() + offset / 3 * 4;
    size_t skip = offset % 3, done = 0;
    while (done < out.size()) {
        uint8_t bytes[3];
        if (!decode_four(letters, bytes)) return false;
        size_t count = std::min(3 - skip, out.size() - done);
        std::copy_n(bytes + skip, count, out.begin() + ptrdiff_t(done));
        done += count;
        skip = 0;
        letters += 4;
    }
    return true;
}

void Base64Writer::write(std::span<const uint8_t> bytes) {
    size_t at = 0;
    while (pending_count_ && at < bytes.size()) {
        pending_[pending_count_++] = bytes[at++];
        if (pending_count_ < 3) continue;
        encode(pending_, 1);
        pending_count_ = 0;
    }
    const size_t groups = (bytes.size() - at) / 3;
    encode(bytes.data() + at, groups);
    for (at += 3 * groups; at < bytes.size(); ++at) pending_[pending_count_++] = bytes[at];
}

/// Encodes `groups` times three bytes.
void Base64Writer::encode(const uint8_t* bytes, size_t groups) {
    const size_t begin = out_.size();
    out_.resize(begin + 4 * groups);
    char* letters = out_.data() + begin;
    for (size_t i = 0; i < groups; ++i, bytes += 3, letters += 4) {
        const uint32_t bits = uint32_t(bytes[0]) << 16 | uint32_t(bytes[1]) << 8 | bytes[2];
        letters[0] = kLetters[bits >> 18];
        letters[1] = kLetters[bits >> 12 & 63];
        letters[2] = kLetters[bits >> 6 & 63];
        letters[3] = kLetters[bits & 63];
    }
}

void Base64Writer::finish() {
    if (!pending_count_) return;
    size_t count = pending_count_;
    std::fill(pending_ + count, pending_ + 3, uint8_t(0));
    encode(pending_, 1);
    std::fill(out_.end() - ptrdiff_t(3 - count), out_.end(), '=');
    pending_count_ = 0;
}

}  // namespace partita::relay
