#include "engine/support/diagnostic.h"

#include "engine/support/utf8.h"

namespace partita {

namespace {

const char* severity_name(Severity severity) {
    switch (severity) {
        case Severity::Error: return "error";
        case Severity::Warning: return "warning";
        case Severity::Note: return "note";
    }
    return "error";
}

}  // namespace

std::string Diagnostic::to_string() const {
    std::string text;
    if (!file.empty()) text += file + ":";
    if (position.line) text += std::to_string(position.line) + ":";
    if (position.line && position.column) text += std::to_string(position.column) + ":";
    if (!text.empty()) text += " ";
    return text + severity_name(severity) + ": " + message;
}

Diagnostic error(std::string message, SourcePosition position) {
    /// Messages quote files from anyone, which may hold lists of a million numbers.
    constexpr size_t kLongestMessage = 4000;
    if (message.size() > kLongestMessage) {
        message.resize(cut_to_bytes(message, kLongestMessage).size());
        message += "...";
    }
    return Diagnostic{Severity::Error, {}, position, std::move(message)};
}

}  // namespace partita
