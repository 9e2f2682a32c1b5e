// What goes to the terminal: messages, tables, text from files made harmless.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/support/diagnostic.h"

namespace partita::cli {

/// The text with control characters (but line ends and tabs), ANSI escapes and characters that change the writing
/// direction written as `\x1b` and `\u202e`, and bytes that are no UTF-8 as `\xff`.
std::string printable(std::string_view text);

/// A message on standard error: `file:line:column: error: ...`.
void report(const Diagnostic& diagnostic);
void report_error(const std::string& message);
/// Adds the file's name where the diagnostic has none, reports it, and returns the exit status for it.
int refuse(Diagnostic diagnostic, const std::string& file = {});

/// Writes to standard output, made harmless: what is piped into a pager or a log reaches a terminal later.
void print(std::string_view text);

/// A table for people: columns as wide as their cells, numbers to the right.
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

/// With a number of decimals, without trailing noise: 0.125, 12.5.
std::string fixed(double value, int decimals);

}  // namespace partita::cli
