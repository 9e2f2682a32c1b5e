// What LiteRT, its delegates, compilers and tools say of a model: logs, tables, profiles.
//
// Logs of delegates name kinds of operators, not nodes: such a row is matched only where it can mean no others, and is
// told as unmatched elsewhere. Other rows name the operator's number or a tensor that it makes.
#pragma once

#include <string_view>
#include <vector>

#include "engine/frontends/program_report.h"

namespace partita::litert {

/// Logs of the runtime, of the GPU delegate and of LiteRT's compiler plug-ins.
bool is_delegate_log(std::string_view text);
Result<ProgramReport> read_delegate_log(std::string_view text);

/// The table that the Edge TPU's compiler prints.
bool is_edge_tpu_table(std::string_view text);
Result<ProgramReport> read_edge_tpu_table(std::string_view text);

/// What Vela prints of operators that stay on the CPU, and its file `..._per-layer.csv`.
bool is_vela_log(std::string_view text);
Result<ProgramReport> read_vela_log(std::string_view text);
bool is_vela_layers(std::string_view text);
Result<ProgramReport> read_vela_layers(std::string_view text);

/// What `benchmark_model --enable_op_profiling` prints, as text or as CSV.
bool is_profile(std::string_view text);
Result<ProgramReport> read_profile(std::string_view text);

Result<MatchedReport> match_report(const ProgramReport& report, const std::vector<FileNode>& nodes);

}  // namespace partita::litert
