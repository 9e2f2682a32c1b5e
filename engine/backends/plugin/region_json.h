// A region as JSON: the input of plug-ins and code generators. partita_plugin.h describes the form.
#pragma once

#include <nlohmann/json.hpp>

#include "engine/program/flat_graph.h"

namespace partita {

nlohmann::json region_to_json(const Module& module, const FlatGraph& graph, const std::string& name);

}  // namespace partita
