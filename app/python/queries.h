// What Python asks of a module and of a division, beyond what is shown: nodes, gates, what if, placement. Answers are
// JSON; partita/__init__.py says what they mean.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/python/division.h"

namespace partita::python {

/// Returns the plain graph of what was read, or of what was divided.
std::string graph_text(const OpenedInput& opened);
std::string graph_text(const Division& division);

/// Returns [{"name", "number", "call", "op", "backend", "region"}] of the calls that a query of Find selects; of all
/// for "".
std::string calls_text(const Division& division, const std::string& query);

struct GateTexts {
    std::vector<std::string> at_least, most_regions, forbid, require;
    std::string baseline, write_baseline;  ///< files; "": none
};
/// Returns [{"gate", "faults": [{"text", "number"}]}].
std::string check_gates_text(const Division& division, const GateTexts& gates);

/// Returns what `coverage --what-if` (`best` 0) or `--best` prints as JSON.
std::string what_if_text_of(const Division& division, size_t best, const std::string& by);

struct PlaceSettings {
    double seconds = 60;
    int threads = 0;
    std::string costs;
};
/// Returns {"predicted_ms", "chosen_ms", "bound_ms", "gap", "rules_stay", "regions", "operators"}.
std::string place_text(const Division& division, const PlaceSettings& settings);

}  // namespace partita::python
