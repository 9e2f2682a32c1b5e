// Columns of numbers (`--numbers F`) as tables and as JSON.
#pragma once

#include <string>
#include <vector>

#include "app/cli/json.h"
#include "engine/division/division.h"
#include "engine/session/numbers.h"

namespace CLI {
class App;
}

namespace partita::cli {

void add_numbers_option(CLI::App& command, std::vector<std::string>& files);

/// Sums over regions where there is a division, over blocks, the greatest nodes; of two columns the difference, too.
std::string numbers_text(const Graph& graph, std::vector<NumberColumn> columns, const Division* division = nullptr);
Json numbers_json(const Graph& graph, const std::vector<NumberColumn>& columns, const Division* division = nullptr);

}  // namespace partita::cli
