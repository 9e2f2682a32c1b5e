// Terminal output: messages, tables, and text from files made harmless.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/support/diagnostic.h"

namespace partita::cli {

/// Escapes text from files: control characters (except line ends and tabs), ANSI escapes and characters that change the
/// writing direction become `\x1b` and `\u202e`, and invalid UTF-8 becomes `\xff`.
std::string printable(std::string_view text);

/// Prints a message on standard error: `file:line:column: error: ...`.
void report(const Diagnostic& diagnostic);
void report_error(const std::string& message);
/// Reports a diagnostic, with the file's name added if it has none. Returns the exit status for it.
int refuse(Diagnostic diagnostic, const std::string& file = {});

/// Writes to standard output, escaped: what is piped into a pager or a log reaches a terminal later.
void print(std::string_view text);

/// Returns a long list for a terminal: its first 60 lines and how many more there are; as it is where it goes into a
/// file or a pipe, or `all` of it is wanted.
std::string folded(std::string text, bool all);

/// Returns the text with lines of more than 400 letters broken at spaces, and their continuations indented.
std::string wrapped(std::string_view text);

/// A table for people: columns as wide as their cells, numbers right-aligned.
class Table {
public:
    explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    bool empty() const { return rows_.empty(); }
    std::string text() const;

private:
    std::vector<std::string> header_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace partita::cli
