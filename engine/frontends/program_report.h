// What another program left behind of a model: a profile, a log, a dump of what it decided. What a row says is kept as
// it is; to which nodes of the model it belongs is found by matching.
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
    std::string backend;  ///< on which it is; "" if the row does not say
    std::string reason;   ///< why a backend did not take it; "" if the row does not say
    int64_t index = -1;   ///< of the node in its graph; -1 if the row does not say
    size_t count = 1;     ///< rows that say so
    double time_us = 0;   ///< their sum
    double total_us = 0;  ///< of those that don't stand within the row of an If, Loop or Scan, which holds their time
    int session = 0;      ///< of several in one file
    int group = -1;       ///< rows of one number were made one node by the program; -1 if the row does not say
    std::string asked = {};               ///< the backend whose verdict it is; "" if the row has none
    bool verdict = false;                 ///< `asked` would take the node
    std::vector<std::string> types = {};  ///< of its outputs: "[1, 5]"; empty if the row does not say
};

struct ProgramReport {
    std::string kind;                     ///< as ReportReader::kind
    std::vector<ReportRow> rows;          ///< in the file's order
    std::string all_on;                   ///< the backend on which all nodes are, which are not listed then
    std::vector<std::string> notes = {};  ///< what it says of the whole model, one line each
    bool has_times = false;
    int runs = 1;  ///< that the times are the sum of
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
    std::vector<std::string> inputs = {};
    std::string label = {};       ///< of the calls that it became: Module::label
    int64_t holder = -1;          ///< the number of the node in whose body it is
    size_t scope = 0;             ///< the number of its graph: 0 is the main one
    int64_t part_of = -1;         ///< the number of the node, a call of a function, in whose body it is
    std::string layer = {};       ///< its annotation for rules of ONNX Runtime; "" for none
    bool is_constant = false;     ///< computed of constants alone
    bool has_late_parts = false;  ///< such parts, which stand for it only once no backend took it as it is
};

struct NodeReport {
    std::string backend, reason;  ///< "": the file does not say
    double time_us = 0;           ///< the sum of its rows
    std::string row = {};         ///< that of several nodes made one, of which this is one; "" if its row is its own
    std::string asked = {};       ///< as in ReportRow
    bool verdict = false;
};

/// Nodes that the program made one.
struct ReportedGroup {
    std::string backend;
    std::vector<size_t> nodes;  ///< numbers of FileNodes, in the report's order
    bool is_guess = false;      ///< found by place, not stated
};

struct MatchedReport {
    size_t rows = 0, matched_rows = 0, inserted_rows = 0;
    double time_us = 0, matched_time_us = 0, inserted_time_us = 0;  ///< what If, Loop and Scan hold is counted once
    std::map<std::string, NodeReport> nodes;                        ///< by FileNode::name
    std::vector<std::string> unmatched;  ///< rows of no node of the file: "Op name", each once
    std::vector<std::string> inserted;   ///< those that the program put in itself: copies, reorderings
    std::vector<ReportedGroup> groups;
    std::vector<ReportRow> compiled;  ///< rows of what a backend made one, whose nodes the file does not say, in order
    std::vector<std::string> notes = {};  ///< as in ProgramReport
    int runs = 1;                         ///< as in ProgramReport
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
    std::string_view program = {};  ///< "ONNX Runtime"; what decided
};

}  // namespace partita
