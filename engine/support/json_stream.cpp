#include "engine/support/json_stream.h"

namespace partita {

namespace {
constexpr size_t kPiece = 1 << 16;
}

void JsonStream::new_line() {
    buffer_ += '\n';
    buffer_.append(levels_.size() * indent_, ' ');
}

void JsonStream::start_element() {
    if (levels_.empty()) return;
    if (!levels_.back().empty) buffer_ += ',';
    levels_.back().empty = false;
    new_line();
}

void JsonStream::write_key(std::string_view key) {
    write_value(nlohmann::json(key));
    buffer_ += ": ";
}

void JsonStream::begin(char bracket) {
    start_element();
    buffer_ += bracket;
    levels_.push_back({bracket});
}

void JsonStream::begin(char bracket, std::string_view key) {
    start_element();
    write_key(key);
    buffer_ += bracket;
    levels_.push_back({bracket});
}

void JsonStream::end() {
    Level level = levels_.back();
    levels_.pop_back();
    if (!level.empty) new_line();
    buffer_ += level.bracket == '{' ? '}' : ']';
    if (levels_.empty()) buffer_ += '\n';
    if (levels_.empty() || buffer_.size() >= kPiece) {
        sink_(buffer_);
        buffer_.clear();
    }
}

/// Line ends occur only between elements: in strings they are escaped.
void JsonStream::write_indented(std::string_view text) {
    for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        buffer_ += text.substr(0, end);
        new_line();
        text.remove_prefix(end + 1);
    }
    buffer_ += text;
    if (buffer_.size() < kPiece) return;
    sink_(buffer_);
    buffer_.clear();
}

}  // namespace partita
