// What another program left behind of a model: a profile, a log, a dump of what it decided. What a row says is kept as
// it is; to which node of the model it belongs is found by matching.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/diagnostic.h"

namespace partita {

/// What a file says of a node; alike rows, as one for each run, are one.
struct ReportRow {
    std::string name, op;
    std::string backend;  ///< "" if the row does not say
    std::string reason;   ///< why a backend did not take it; "" if the row does not say
    int64_t index = -1;   ///< of the node in its graph; -1 if the row does not say
    size_t count = 1;     ///< rows that say so
    double time_us = 0;   ///< their sum
    double total_us = 0;  ///< of those that don't stand within the row of an If, Loop or Scan, which holds their time
};

struct ProgramReport {
    std::string kind;             ///< as ReportReader::kind
    std::vector<ReportRow> rows;  ///< in the file's order
    std::string all_on;           ///< the backend on which all nodes are, which are not listed then
    bool has_times = false;
};

/// A node of the model's file.
struct FileNode {
    std::string name;  ///< that of the report's program, as `Op_3`, where the file has none
    std::string op;
    int64_t index = -1;  ///< among the nodes of the main graph; -1 in others
    std::vector<std::string> outputs;
    bool is_named = true;
    std::string said = {};                ///< what the file says of it besides: a JSON object, or ""
    std::vector<std::string> types = {};  ///< of the outputs: "float32[1, 5]"
};

struct NodeReport {
    std::string backend, reason;  ///< "": the file does not say
    double time_us = 0;           ///< the sum of its rows
};

struct MatchedReport {
    size_t rows = 0, matched_rows = 0;
    double time_us = 0, matched_time_us = 0;  ///< what If, Loop and Scan hold is counted once
    std::map<std::string, NodeReport> nodes;  ///< by FileNode::name
    std::vector<std::string> unmatched;       ///< rows of no node of the file: "Op name", each once
    std::vector<std::string> inserted;        ///< those that the program put in itself: copies, reorderings
};

/// A kind of report: one row of the table in engine/session/report_readers.cpp.
struct ReportReader {
    std::string_view kind;   ///< "onnxruntime-profile"
    std::string_view title;  ///< for messages: "a profile of ONNX Runtime"
    bool (*recognizes)(std::string_view text);
    /// Fails, or returns a report without rows, where the text tells nothing of a node.
    Result<ProgramReport> (*read)(std::string_view text);
    /// Fails where the report is of another model.
    Result<MatchedReport> (*match)(const ProgramReport& report, const std::vector<FileNode>& nodes);
};

}  // namespace partita
