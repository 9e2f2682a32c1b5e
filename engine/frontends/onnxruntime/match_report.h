// Finding the nodes of a model that the rows of a report belong to. The runtime renames, fuses and inserts nodes; what
// can't be traced back is named, never guessed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/frontends/onnxruntime/runtime_report.h"

namespace partita::onnxruntime {

/// A node of the model's file.
struct FileNode {
    std::string name;  ///< that of the runtime, `Op_3`, where the file has none
    std::string op;
    int64_t index = -1;  ///< among the nodes of the main graph, Constants not counted; -1 in others
    std::vector<std::string> outputs;
    bool is_named = true;
};

/// Returns the nodes of an ONNX file, those of bodies too; reads no weights.
Result<std::vector<FileNode>> nodes_of_file(const std::string& path);

struct NodeReport {
    std::string backend, reason;  ///< "": the file does not say
    double time_us = 0;           ///< the sum of its rows
};

struct MatchedReport {
    size_t rows = 0, matched_rows = 0;
    double time_us = 0, matched_time_us = 0;  ///< what If, Loop and Scan hold is counted once
    std::map<std::string, NodeReport> nodes;  ///< by FileNode::name
    std::vector<std::string> unmatched;       ///< rows of no node of the file: "Op name", each once
    std::vector<std::string> inserted;        ///< those that the runtime put in itself: copies, reorderings
};

/// Fails where the report is of another model.
Result<MatchedReport> match_report(const RuntimeReport& report, const std::vector<FileNode>& nodes);

}  // namespace partita::onnxruntime
