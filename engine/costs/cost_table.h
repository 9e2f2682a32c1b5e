// Measured costs: what operators take on backends, and what it takes a value to cross from one to another, or to be
// laid out anew.
//
// Layouts are texts that are equal for equal layouts of values of one type; "" is row-major.
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
    std::string op;            ///< operator, attributes, types of operands and result: see operator_key
    std::string after;         ///< the key of the operator before it on the same backend; "": it is alone there
    std::string backend;       ///< name, or "default"
    std::string layouts = {};  ///< of its values: see layouts_text; "": row-major

    auto operator<=>(const UnitKey&) const = default;
};

/// An operator on a backend that is given its operands in these layouts: those that differ from run to run.
struct LayoutKey {
    std::string op;  ///< as UnitKey
    std::string backend;
    std::vector<std::string> given;

    auto operator<=>(const LayoutKey&) const = default;
};

/// The layouts in which it takes these operands, and makes its results.
struct LayoutRule {
    std::vector<std::string> taken, made;
};

/// A value that is laid out anew.
struct ChangeKey {
    std::string type;  ///< "Tensor[(1, 64, 56, 56), float32]"
    std::string from, to;

    auto operator<=>(const ChangeKey&) const = default;
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
    std::map<LayoutKey, LayoutRule> layouts;
    std::map<ChangeKey, UnitTime> changes;
    std::map<std::string, std::vector<double>> runs;  ///< what whole runs took, in ms, by division_key

    /// Returns null if it was not measured.
    const UnitTime* find(const UnitKey& key) const;
    /// Returns what was measured in other layouts; null if nothing was.
    const UnitTime* find_in_any_layout(const UnitKey& key) const;
    /// Returns what it takes to lay out a value of `mb` anew; if it was not measured, what a copy takes.
    double change_ms(const ChangeKey& key, double mb) const;
    /// Adds a measurement; several of one operator are averaged.
    void add(const UnitKey& key, double milliseconds);
    void add_change(const ChangeKey& key, double milliseconds);
    /// Takes over the entries of another table; where both have one, those of the other.
    void merge(const CostTable& other);
};

/// Returns "aBcd16b,abcd>aBcd16b": the layouts in which operands are taken and results made; "" if all are row-major.
std::string layouts_text(const std::vector<std::string>& taken, const std::vector<std::string>& made);

std::string format_cost_table(const CostTable& table);
/// Parses a table. Messages call it `name`. Refuses times that are negative, not finite or above a day, and more than a
/// million entries.
Result<CostTable> parse_cost_table(std::string_view text, const std::string& name);

}  // namespace partita
