// What PyTorch's compilers for devices left behind of a program: ExecuTorch's grid of reasons (WhyNoPartition), the log
// lines of XNNPACK, Vulkan and Core ML, its table of what is delegated, torch_tensorrt's dry run, and ETDump's times.
// Rows belong to nodes by name; where a report names none, by operator and type, if only one is meant.
#pragma once

#include "engine/frontends/program_report.h"

namespace partita::torch {

// One pair for each kind; see ReportReader.
bool is_why_no_partition(std::string_view text);
Result<ProgramReport> read_why_no_partition(std::string_view text);
bool is_xnnpack_log(std::string_view text);
Result<ProgramReport> read_xnnpack_log(std::string_view text);
bool is_vulkan_log(std::string_view text);
Result<ProgramReport> read_vulkan_log(std::string_view text);
bool is_coreml_log(std::string_view text);
Result<ProgramReport> read_coreml_log(std::string_view text);
bool is_delegation_info(std::string_view text);
Result<ProgramReport> read_delegation_info(std::string_view text);
bool is_tensorrt_dry_run(std::string_view text);
Result<ProgramReport> read_tensorrt_dry_run(std::string_view text);
bool is_etdump(std::string_view bytes);
Result<ProgramReport> read_etdump(std::string_view bytes);

/// For all but ETDump.
Result<MatchedReport> match_by_name(const ProgramReport& report, const std::vector<FileNode>& nodes);
/// By the instructions of a `.pte`, or through the maps of an ETRecord.
Result<MatchedReport> match_etdump(const ProgramReport& report, const std::vector<FileNode>& nodes);

}  // namespace partita::torch
