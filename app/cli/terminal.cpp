#include "app/cli/terminal.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>

namespace partita::cli {
namespace {

/// The length of the valid UTF-8 sequence at the start of `text` and its code point, or 0 where there is none
/// (The Unicode Standard, table 3-7).
size_t decode(std::string_view text, uint32_t& code) {
    auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    unsigned char first = byte(0);
    if (first < 0x80) {
        code = first;
        return 1;
    }
    size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    if (length == 0 || first > 0xf4 || text.size() < length) return 0;
    code = first & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
        code = code << 6 | (byte(i) & 0x3fu);
    }
    bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return overlong || surrogate || code > 0x10ffff ? 0 : length;
}

bool is_control(uint32_t code) {
    return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
}

/// What stands for itself in any text.
bool is_plain(char c) { return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t'; }

/// Marks and embeddings that change the writing direction, and invisible separators (UAX #9).
bool changes_direction(uint32_t code) {
    return (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0x061c || code == 0xfeff;
}

std::string hexadecimal(const char* form, unsigned value) {
    std::array<char, 16> buffer;
    std::snprintf(buffer.data(), buffer.size(), form, value);
    return buffer.data();
}

size_t width_of(std::string_view cell) {
    return size_t(std::count_if(cell.begin(), cell.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

bool is_number(std::string_view cell) { return !cell.empty() && (cell[0] >= '0' && cell[0] <= '9'); }

}  // namespace

std::string printable(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        size_t plain = size_t(std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
        result += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty()) break;
        uint32_t code = 0;
        size_t length = decode(text, code);
        if (length == 0) result += hexadecimal("\\x%02x", static_cast<unsigned char>(text[0]));
        else if (is_control(code)) result += hexadecimal("\\x%02x", code);
        else if (changes_direction(code)) result += hexadecimal("\\u%04x", code);
        else result += text.substr(0, length);
        text.remove_prefix(std::max<size_t>(length, 1));
    }
    return result;
}

void report(const Diagnostic& diagnostic) {
    Diagnostic shown = diagnostic;
    std::replace(shown.file.begin(), shown.file.end(), '\n', ' ');
    // Further lines are indented: names in them that hold line ends must not pass for messages of their own.
    std::string text;
    for (char c : shown.to_string()) {
        if (!text.empty() && text.back() == '\n' && c != ' ') text += "  ";
        text += c;
    }
    std::cerr << printable(text) << "\n";
}

void report_error(const std::string& message) { report(error(message)); }

int refuse(Diagnostic diagnostic, const std::string& file) {
    if (diagnostic.file.empty()) diagnostic.file = file;
    report(diagnostic);
    return 1;
}

void print(std::string_view text) { std::cout << printable(text); }

std::string Table::text() const {
    std::vector<std::vector<std::string>> lines{header_};
    lines.insert(lines.end(), rows_.begin(), rows_.end());
    std::vector<size_t> widths(header_.size(), 0);
    std::vector<bool> numeric(header_.size(), true);
    for (size_t line = 0; line < lines.size(); line++) {
        for (size_t i = 0; i < lines[line].size() && i < widths.size(); i++) {
            std::string& cell = lines[line][i];
            cell = printable(cell);
            std::replace(cell.begin(), cell.end(), '\n', ' ');
            widths[i] = std::max(widths[i], width_of(cell));
            if (line > 0 && !cell.empty() && !is_number(cell)) numeric[i] = false;
        }
    }
    std::string text;
    for (const auto& line : lines) {
        std::string row;
        for (size_t i = 0; i < line.size() && i < widths.size(); i++) {
            if (i > 0) row += "  ";
            std::string room(widths[i] - width_of(line[i]), ' ');
            row += numeric[i] ? room + line[i] : line[i] + room;
        }
        row.erase(row.find_last_not_of(' ') + 1);
        text += row + "\n";
    }
    return text;
}

std::string fixed(double value, int decimals) {
    std::array<char, 64> buffer;
    std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
    return buffer.data();
}

}  // namespace partita::cli
