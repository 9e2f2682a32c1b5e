// A region of a partitioned module as a module of its own, of which parts can be regions.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "engine/ir/module.h"
#include "engine/support/diagnostic.h"

namespace partita {

/// @main is what the region's function was; each call, or call of a composite, is a unit that can be in a smaller
/// region or not.
class RegionAlone {
public:
    RegionAlone(const Module& partitioned, ExprId function, std::string backend);
    /// The same, with calls of its own for what is in the composite that a unit calls. `whole` outlives it.
    RegionAlone(const RegionAlone& whole, size_t unit);

    size_t size() const { return units_.size(); }
    bool is_composite_of_several(size_t unit) const { return calls_[unit].size() > 1; }
    /// Returns how many calls of operators units are.
    size_t calls_in(const std::vector<size_t>& units) const;
    /// The units that were in the composite.
    const std::vector<size_t>& inside() const { return inside_; }
    const std::vector<ExprId>& parameters() const { return parameters_; }
    ExprId call_of(size_t unit) const { return units_[unit]; }
    const Module& module() const { return module_; }
    std::vector<size_t> all() const;
    /// Returns the calls of the flow's input that units are.
    std::vector<ExprId> origins(const std::vector<size_t>& units) const;
    std::vector<ExprId> all_origins() const { return origins(all()); }
    /// Returns units whose values are wrong though those of all units that they use are not.
    std::vector<size_t> first_of(const std::vector<ExprId>& wrong) const;

    /// Returns the module with each of these sets of units as a region; `all_values`: each unit's value is an output,
    /// too. Fails if a path leaves a region and returns.
    Result<Module> divided(const std::vector<std::vector<size_t>>& parts, bool all_values) const;

private:
    void finish(ExprId body, bool typed);
    ExprId source_of(ExprId call) const;
    void set_main(Module& module, ExprId body) const;
    void note(ExprId id);
    void pass_on(ExprId id);
    void add_uses(ExprId argument);

    std::string backend_;
    Module module_;
    std::vector<ExprId> parameters_;
    ExprId body_;
    std::vector<ExprId> units_;               ///< in the order of the body
    std::vector<std::vector<ExprId>> calls_;  ///< by unit: itself, or what is in the composite that it calls
    std::vector<std::vector<size_t>> uses_;   ///< by unit: units
    std::vector<ExprId> values_;              ///< tensors that units give
    std::unordered_map<ExprId, size_t> unit_of_;
    const RegionAlone* whole_ = nullptr;  ///< in which a composite was one unit
    std::vector<size_t> inside_;
};

}  // namespace partita
