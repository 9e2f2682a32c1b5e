// What ONNX Runtime left behind of a model: a profile, a verbose log, or a dump of the assignment API; and to which
// nodes of the model its rows belong. The runtime renames, fuses and inserts nodes; what can't be traced back is named,
// never guessed.
//
// Profiles are read event by event, because names stand in them unescaped (onnxruntime/core/common/profiler.cc); logs
// by the text of their messages, because line numbers differ between versions.
#pragma once

#include "engine/frontends/program_report.h"

namespace partita::onnxruntime {

// One pair for each kind, in the file of its name.
bool is_profile(std::string_view text);
Result<ProgramReport> read_profile(std::string_view text);
bool is_log(std::string_view text);
Result<ProgramReport> read_log(std::string_view text);
bool is_assignment(std::string_view text);
Result<ProgramReport> read_assignment(std::string_view text);

/// Returns the nodes of an ONNX file, those of bodies too; reads no weights.
Result<std::vector<FileNode>> nodes_of_file(const std::string& path);

/// See ReportReader::match.
Result<MatchedReport> match_report(const ProgramReport& report, const std::vector<FileNode>& nodes);

}  // namespace partita::onnxruntime
