// What ONNX Runtime left behind of a model: a profile, a verbose log, or a dump of the assignment API. What a row says
// is kept as it is; to which node of the model it belongs is found by match_report.
//
// Profiles are read event by event, because names stand in them unescaped (onnxruntime/core/common/profiler.cc); logs
// by the text of their messages, because line numbers differ between versions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/support/diagnostic.h"

namespace partita::onnxruntime {

/// What a file says of a node; alike rows, as one for each run, are one.
struct ReportRow {
    std::string name, op;
    std::string backend;  ///< the provider; "" if the row does not say
    std::string reason;   ///< why a provider did not take it; "" if the row does not say
    int64_t index = -1;   ///< of the node in its graph; -1 if the row does not say
    size_t count = 1;     ///< rows that say so
    double time_us = 0;   ///< their sum
    double total_us = 0;  ///< of those that don't stand within the row of an If, Loop or Scan, which holds their time
};

struct RuntimeReport {
    std::string kind;             ///< "onnxruntime-profile", "onnxruntime-log", "onnxruntime-assignment"
    std::vector<ReportRow> rows;  ///< in the file's order
    std::string all_on;           ///< of a log: the provider on which all nodes are, which are not listed then
};

/// Reads a file of any of the kinds. Fails with what it looks like instead.
Result<RuntimeReport> read_report(std::string_view text, const std::string& file);

// One function for each kind, in the file of its name. Each returns a report without rows for text of another kind.
RuntimeReport read_profile(std::string_view text);
RuntimeReport read_log(std::string_view text);
RuntimeReport read_assignment(std::string_view text);

}  // namespace partita::onnxruntime
