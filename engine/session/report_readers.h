// The kinds of reports of other programs, as a table.
#pragma once

#include <span>

#include "engine/frontends/program_report.h"

namespace partita {

/// Returns all; the first that recognizes a text reads it.
std::span<const ReportReader> report_readers();

/// Returns whether a file is a report of any kind and no model, by its first megabyte.
bool is_report_file(const std::string& path);

/// Reads a text of any kind; `reader` receives its row. Fails where none recognizes it or it tells nothing.
Result<ProgramReport> read_report(std::string_view text, const std::string& file, const ReportReader*& reader);

}  // namespace partita
