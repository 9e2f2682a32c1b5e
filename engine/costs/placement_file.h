// A placement as a file: the backend of every operator, so that `run`, `partition` and `export` divide a module in the
// same way without measuring.
//
// JSON, described in resources/partita-placement.schema.json. Operators are known by their number in @main and by what
// they compute; where a module was changed, they are found again by their name or by their kind, in order.
#pragma once

#include "engine/costs/place_by_cost.h"
#include "engine/flow/names.h"

namespace partita {

struct PlacedOperator {
    uint32_t number = 0;  ///< of the call, as ExpressionNames counts
    std::string name;     ///< its label in the file of the module; may be empty
    std::string key;      ///< operator_key without marks of weights
    std::string backend;  ///< or "default"
};

struct PlacementFile {
    std::string title;                  ///< the module's file, without folders
    std::vector<std::string> backends;  ///< as they were named: built-in ones, or files
    /// The operators are those of the module after these passes.
    bool lower = false, simplify = false, fold = false;
    double measured_ms = 0, predicted_ms = 0, bound_ms = 0;
    std::vector<PlacedOperator> operators;  ///< by number
};

/// `overrides`: of every operator, as CostModel::overrides_of returns them.
std::vector<PlacedOperator> placed_operators(const Module& module, const Overrides& overrides);
std::string format_placement(const PlacementFile& placement);
/// Parses a file. Messages call it `name`.
Result<PlacementFile> parse_placement(std::string_view text, const std::string& name);

/// A placement applied to a module.
struct FittedPlacement {
    Overrides overrides;               ///< calls without an entry stay on default
    int moved = 0;                     ///< found again under another number
    int resized = 0;                   ///< with other types or attributes than when the placement was made
    std::vector<std::string> missing;  ///< entries without an operator here, and operators without an entry; in words
};
FittedPlacement fit_placement(const PlacementFile& placement, const Module& module);

}  // namespace partita
