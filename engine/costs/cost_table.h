// Measured costs: what operators take on backends, and what it takes a value to cross from one to another.
//
// The file is JSON, described in resources/partita-costs.schema.json. It may be edited and merged. Times are in
// milliseconds, sizes in MB (a million bytes).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/support/diagnostic.h"

namespace partita {

/// Longer times than a day are refused in files.
inline constexpr double kLongestCost = 24 * 3600e3;

/// One operator on one backend.
struct UnitKey {
    std::string op;       ///< operator, attributes, types of operands and result: see operator_key
    std::string after;    ///< the key of the operator before it on the same backend; "": it is alone there
    std::string backend;  ///< name, or "default"

    auto operator<=>(const UnitKey&) const = default;
};

struct UnitTime {
    double ms = 0;
    int samples = 0;  ///< number of occurrences that were measured, in all runs
};

/// The cost of handing a value of `mb` over is ms + mb * ms_per_mb.
struct CrossingCost {
    double ms = 0, ms_per_mb = 0;
};

struct CostTable {
    std::string processor;  ///< that it was measured on
    int threads = 0;
    std::map<UnitKey, UnitTime> units;
    std::map<std::pair<std::string, std::string>, CrossingCost> crossings;  ///< by the two backends' names
    std::map<std::string, std::vector<double>> runs;  ///< what whole runs took, in ms, by division_key

    /// Returns null if it was not measured.
    const UnitTime* find(const UnitKey& key) const;
    /// Adds a measurement; several of one operator are averaged.
    void add(const UnitKey& key, double milliseconds);
    /// Takes over the entries of another table; where both have one, those of the other.
    void merge(const CostTable& other);
};

std::string format_cost_table(const CostTable& table);
/// Parses a table. Messages call it `name`. Refuses times that are negative, not finite or above a day, and more than a
/// million entries.
Result<CostTable> parse_cost_table(std::string_view text, const std::string& name);

}  // namespace partita
