#include "app/cli/numbers_output.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <CLI/CLI.hpp>

#include "app/cli/terminal.h"
#include "engine/support/number_text.h"
#include "engine/support/one_line.h"

namespace partita::cli {

namespace {

constexpr size_t kMostNumberRows = 20;

std::string number(double value) { return std::isnan(value) ? "" : general_text(value); }

/// Returns a table with a row for each key, the greatest of the last column first.
template <class Row>
std::string table_of(const std::string& what, const std::vector<NumberColumn>& columns, std::vector<Row> rows) {
    std::vector<std::string> header{what};
    for (const NumberColumn& column : columns) header.push_back(on_one_line(column.name));
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return std::abs(a.second.back()) > std::abs(b.second.back()); });
    Table table(header);
    for (size_t i = 0; i < std::min(rows.size(), kMostNumberRows); ++i) {
        std::vector<std::string> cells{on_one_line(rows[i].first)};
        for (double value : rows[i].second) cells.push_back(number(value));
        table.add(cells);
    }
    std::string text = "\n" + table.text();
    if (rows.size() > kMostNumberRows) text += "and " + std::to_string(rows.size() - kMostNumberRows) + " more\n";
    return text;
}

using Row = std::pair<std::string, std::vector<double>>;

std::vector<double> sums_over(const DividedRegion& region, const std::vector<NumberColumn>& columns) {
    std::vector<double> sums(columns.size());
    for (size_t i = 0; i < columns.size(); ++i)
        for (NodeId node : region.nodes)
            if (!std::isnan(columns[i].values[node.value])) sums[i] += columns[i].values[node.value];
    return sums;
}

std::vector<Row> rows_of_regions(const Division& division, const std::vector<NumberColumn>& columns) {
    std::vector<Row> rows;
    for (size_t i = 0; i < division.regions.size(); ++i)
        rows.emplace_back(std::to_string(i) + " " + division.regions[i].backend,
                          sums_over(division.regions[i], columns));
    return rows;
}

std::vector<Row> rows_of_blocks(const Graph& graph, const std::vector<NumberColumn>& columns) {
    std::map<std::string, std::vector<double>> sums;
    for (size_t i = 0; i < columns.size(); ++i)
        for (const auto& [block, sum] : sums_over_blocks(graph, columns[i])) {
            sums[block].resize(columns.size());
            sums[block][i] = sum;
        }
    std::vector<Row> rows;
    for (const auto& [block, values] : sums) rows.emplace_back(block.empty() ? "(none)" : block, values);
    return rows;
}

std::vector<Row> rows_of_nodes(const Graph& graph, const std::vector<NumberColumn>& columns) {
    std::vector<Row> rows;
    for (uint32_t node = 0; node < graph.nodes.size(); ++node) {
        std::vector<double> values;
        for (const NumberColumn& column : columns) values.push_back(column.values[node]);
        if (std::any_of(values.begin(), values.end(), [](double value) { return !std::isnan(value); }))
            rows.emplace_back(node_title(graph, NodeId(node)), values);
    }
    return rows;
}

}  // namespace

void add_numbers_option(CLI::App& command, std::vector<std::string>& files) {
    command
        .add_option("--numbers", files,
                    "numbers of nodes: CSV (name,value or number,value, several columns), or node data of Model "
                    "Explorer; several times")
        ->type_name("F")
        ->allow_extra_args(false);
}

std::string numbers_text(const Graph& graph, std::vector<NumberColumn> columns, const Division* division) {
    if (columns.empty()) return {};
    std::string text = "\n";
    for (const NumberColumn& column : columns) {
        text += on_one_line(column.name) + ": " + std::to_string(column.matched()) + " of " +
                std::to_string(graph.nodes.size()) + " nodes, sum " + number(column.sum()) + "\n";
        for (size_t i = 0; i < std::min(column.unmatched.size(), kMostNumberRows); ++i)
            text += "  no node here: " + on_one_line(column.unmatched[i]) + "\n";
        if (column.unmatched.size() > kMostNumberRows)
            text += "  and " + std::to_string(column.unmatched.size() - kMostNumberRows) + " more\n";
    }
    if (columns.size() == 2) columns.push_back(difference(columns[0], columns[1]));
    if (division) text += table_of("region", columns, rows_of_regions(*division, columns));
    if (std::vector<Row> blocks = rows_of_blocks(graph, columns); blocks.size() > 1)
        text += table_of("block", columns, std::move(blocks));
    return text + table_of("node", columns, rows_of_nodes(graph, columns));
}

Json numbers_json(const Graph& graph, const std::vector<NumberColumn>& columns, const Division* division) {
    Json list = Json::array();
    for (const NumberColumn& column : columns) {
        Json json{{"column", column.name},         {"matched", column.matched()}, {"sum", column.sum()},
                  {"unmatched", column.unmatched}, {"nodes", Json::object()},     {"blocks", Json::object()}};
        for (uint32_t node = 0; node < graph.nodes.size(); ++node)
            if (!std::isnan(column.values[node])) json["nodes"][node_title(graph, NodeId(node))] = column.values[node];
        for (const auto& [block, sum] : sums_over_blocks(graph, column)) json["blocks"][block] = sum;
        if (division)
            for (const DividedRegion& region : division->regions)
                json["regions"].push_back(sums_over(region, {column}).front());
        list.push_back(std::move(json));
    }
    return list;
}

}  // namespace partita::cli
