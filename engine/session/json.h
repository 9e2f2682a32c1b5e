// Results of a session as JSON, for programs that read them.
#pragma once

#include <nlohmann/json.hpp>

#include "engine/session/diff.h"
#include "engine/session/session.h"

namespace partita {

/// Returns sizes, inputs with their types, and operators by number of calls.
nlohmann::ordered_json summary_json(const ModuleSummary& summary);
/// Returns name, size, source and inputs of each.
nlohmann::ordered_json dimensions_json(const std::vector<NamedDimension>& dimensions);
/// Returns the lists `removed`, `added`, `changed` and `affected`, with the number, name and type of each expression.
nlohmann::ordered_json diff_json(const ModuleDiff& diff, const DiffedModule& before, const DiffedModule& after);

}  // namespace partita
