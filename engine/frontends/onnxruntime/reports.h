// What ONNX Runtime left behind of a model: a profile, a verbose log, or a dump of the assignment API; and to which
// nodes of the model its rows belong. The runtime renames, fuses and inserts nodes; what can't be traced back is named,
// never guessed.
//
// Profiles are read event by event, because names stand in them unescaped (onnxruntime/core/common/profiler.cc); logs
// by the text of their messages, because line numbers differ between versions.
#pragma once

#include "engine/frontends/program_report.h"
#include "engine/support/source_file.h"

namespace partita::onnxruntime {

// One pair for each kind, in the file of its name.
bool is_profile(std::string_view text);
Result<ProgramReport> read_profile(std::string_view text);
bool is_log(std::string_view text);
Result<ProgramReport> read_log(std::string_view text);
bool is_assignment(std::string_view text);
Result<ProgramReport> read_assignment(std::string_view text);

bool is_winml(std::string_view text);
Result<ProgramReport> read_winml(std::string_view text);
bool is_openvino_map(std::string_view text);
Result<ProgramReport> read_openvino_map(std::string_view text);

/// A graph of an ONNX file: the main one, or a body.
struct FileScope {
    int64_t holder = -1;                                  ///< the number of the node that has the body
    std::vector<std::string> inputs, outputs, constants;  ///< constants: initializers and Constants
    std::vector<std::pair<std::string, std::vector<int64_t>>>
        constant_types;  ///< of the initializers, which come first
};
/// The nodes of an ONNX file, those of bodies behind the nodes that hold them, without Constants. Scopes stand behind
/// those that they are in, the bodies of a node by the names of their attributes. The nodes of which a call of a
/// function consists come last, as the runtime names them: those of the model's own functions, which it puts in the
/// place of calls that no provider takes, and those of operators without a kernel on its CPU.
struct FileModel {
    std::vector<FileNode> nodes;
    std::vector<FileScope> scopes;
};
/// Reads no weights.
Result<FileModel> read_file_model(const std::shared_ptr<const SourceFile>& file);

// See ReportReader::match; the second is for verdicts about operators.
Result<MatchedReport> match_report(const ProgramReport& report, const std::vector<FileNode>& nodes);
Result<MatchedReport> match_by_operator(const ProgramReport& report, const std::vector<FileNode>& nodes);

}  // namespace partita::onnxruntime
