// A region as JSON: what plug-ins and code generators are given. The form is described in partita_plugin.h.
#pragma once

#include <nlohmann/json.hpp>

#include "engine/program/flat_graph.h"

namespace partita {

nlohmann::json region_to_json(const Module& module, const FlatGraph& graph, const std::string& name);

}  // namespace partita
