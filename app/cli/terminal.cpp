#include "app/cli/terminal.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>

#include <unistd.h>

#include "app/cli/waiting.h"
#include "engine/support/utf8.h"

namespace partita::cli {
namespace {

/// Returns whether a byte needs no escape.
bool is_plain(char c) { return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t'; }

std::string hexadecimal(const char* form, unsigned value) {
    std::array<char, 16> buffer;
    std::snprintf(buffer.data(), buffer.size(), form, value);
    return buffer.data();
}

bool is_number(std::string_view cell) { return !cell.empty() && (cell[0] >= '0' && cell[0] <= '9'); }

}  // namespace

std::string printable(std::string_view text) {
    if (std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
    std::string result;
    for_each_letter(text, [&](std::string_view bytes, char32_t code) {
        const bool hidden = is_hidden_letter(code) && code != '\n' && code != '\t';
        if (code == kNoLetter) result += hexadecimal("\\x%02x", static_cast<unsigned char>(bytes[0]));
        else if (hidden) result += hexadecimal(code < 0xA0 ? "\\x%02x" : "\\u%04x", code);
        else result += bytes;
    });
    return result;
}

void report(const Diagnostic& diagnostic) {
    Diagnostic shown = diagnostic;
    std::replace(shown.file.begin(), shown.file.end(), '\n', ' ');
    // Indents further lines, so that a name with line ends cannot look like another message.
    std::string text;
    for (char c : shown.to_string()) {
        if (!text.empty() && text.back() == '\n' && c != ' ') text += "  ";
        text += c;
    }
    Waiting::clear();
    std::cerr << printable(text) << "\n";
}

void report_error(const std::string& message) { report(error(message)); }

int refuse(Diagnostic diagnostic, const std::string& file) {
    if (diagnostic.file.empty()) diagnostic.file = file;
    report(diagnostic);
    return 1;
}

void print(std::string_view text) {
    Waiting::clear();
    std::cout << printable(text);
}

std::string folded(std::string text, bool all) {
    constexpr size_t kMost = 60;
    if (all || !::isatty(STDOUT_FILENO)) return text;
    size_t end = 0;
    for (size_t line = 0; line < kMost && end != std::string::npos; ++line) end = text.find('\n', end ? end + 1 : 0);
    const ptrdiff_t left =
        end == std::string::npos ? 0 : std::count(text.begin() + ptrdiff_t(end) + 1, text.end(), '\n');
    if (left <= 1) return text;
    return text.substr(0, end + 1) + "... and " + std::to_string(left) + " more lines (--all)\n";
}

std::string wrapped(std::string_view text) {
    constexpr size_t kLongest = 400, kWidth = 160;
    std::string result;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        const bool ends = line.size() < text.size();
        text.remove_prefix(line.size() + (ends ? 1 : 0));
        const size_t indent = std::min(line.find_first_not_of(' '), line.size());
        const std::string next = "\n" + std::string(indent + 4, ' ');
        if (letter_count(line) > kLongest)
            for (size_t width = kWidth; line.size() > width; width = kWidth - indent - 4) {
                size_t at = line.rfind(' ', width);
                if (at == std::string_view::npos || at <= indent) at = line.find(' ', width);
                if (at == std::string_view::npos) break;
                result += std::string(line.substr(0, at)) + next;
                line.remove_prefix(at + 1);
                if (indent + 8 > kWidth) break;
            }
        result += line;
        if (ends) result += '\n';
    }
    return result;
}

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
            widths[i] = std::max(widths[i], letter_count(cell));
            if (line > 0 && !cell.empty() && !is_number(cell)) numeric[i] = false;
        }
    }
    std::string text;
    for (const auto& line : lines) {
        std::string row;
        for (size_t i = 0; i < line.size() && i < widths.size(); i++) {
            if (i > 0) row += "  ";
            std::string room(widths[i] - letter_count(line[i]), ' ');
            row += numeric[i] ? room + line[i] : line[i] + room;
        }
        row.erase(row.find_last_not_of(' ') + 1);
        text += row + "\n";
    }
    return text;
}

}  // namespace partita::cli
