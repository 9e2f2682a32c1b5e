// Nodes that stand in a profile under no name of theirs: the runtime made them one with others.
#pragma once

#include "engine/frontends/program_report.h"

namespace partita::onnxruntime {

/// Returns whether the runtime put the row in: it belongs to no node.
bool is_inserted(const ReportRow& row);
/// Returns the number of a node that a provider compiled, `<provider>_<name>_<number>`; -1 for other rows.
int64_t compiled_number(const ReportRow& row);

/// Returns whether the row's operator does the work of the node's, and perhaps of others: FusedConv that of a Conv.
bool does_work_of(const ReportRow& row, const FileNode& node);

/// Gives nodes without a row the row that they ran in. `row_of` has the row of each node that is known by name, -1
/// else. The runtime's transformers go through the graph in its topological order and number what they make: rows of
/// one operator stand by their numbers in the order of the nodes whose work they do. Rows are in the order of their
/// runs: a node ran behind what it uses and before what uses it, so that a row that is named after its operator alone
/// is found where it is the only one there that can hold the node. What is left went into a neighbour's row if that is
/// of another operator than the neighbour, which then was fused. Never guesses between two rows.
void place_rows(const std::vector<ReportRow>& rows, const std::vector<FileNode>& nodes, std::vector<int64_t>& row_of);

}  // namespace partita::onnxruntime
