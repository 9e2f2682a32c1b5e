// Numbers of a graph's nodes that come from files: measurements of other programs, as columns. Two forms are read: CSV
// whose first column is `name` or `number` and whose others are numbers, and the node data of Google's Model Explorer
// ({"results": {key: {"value": number}}}, or one such object for each graph).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/graph.h"

namespace partita {

struct NumberColumn {
    std::string name;                    ///< of the column, or of the file where it has one column only
    std::vector<double> values;          ///< by NodeId; NaN where the file says nothing
    std::vector<std::string> unmatched;  ///< what it says numbers of, and is no node here

    size_t matched() const;
    double sum() const;
};

/// Reads the columns of a file. A node is meant by its name, else by a value that it makes, else by its number from 1.
/// What is named twice is added up. Fails with line and column.
Result<std::vector<NumberColumn>> read_numbers(const Graph& graph, std::string_view text, const std::string& file);
/// Reads several files, in order.
Result<std::vector<NumberColumn>> read_number_files(const Graph& graph, const std::vector<std::string>& files);

/// Returns whether a file holds such numbers, and not a model or a report, by how it begins.
bool is_numbers_file(const std::string& path);

/// Numbers of what a window shows.
struct ModuleNumbers {
    ModulePtr module;
    std::shared_ptr<const Graph> graph;  ///< nodes have expressions of the module
    std::vector<NumberColumn> columns;   ///< of two the difference is a third
};
/// Reads files on a module; `plain` is the graph that it was made from, or null.
Result<ModuleNumbers> numbers_of_module(const ModulePtr& module, std::shared_ptr<const Graph> plain,
                                        const std::vector<std::string>& files);

/// Adds up the nodes of each block: what stands before the last '/' of their names; "" for those without.
std::map<std::string, double> sums_over_blocks(const Graph& graph, const NumberColumn& column);
/// Returns b - a where both say something.
NumberColumn difference(const NumberColumn& a, const NumberColumn& b);

}  // namespace partita
