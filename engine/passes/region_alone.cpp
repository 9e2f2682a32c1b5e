#include "engine/passes/region_alone.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"
#include "engine/passes/outline_regions.h"

namespace partita {

RegionAlone::RegionAlone(const Module& partitioned, ExprId function, std::string backend)
    : backend_(std::move(backend)), module_(Module::with_tables_of(partitioned)) {
    ModuleCopier copier(partitioned, module_);
    for (ExprId id : post_order(partitioned, function))
        if (id != function) copier.copy(id);
    for (ExprId parameter : partitioned.parameters(function)) parameters_.push_back(copier.image(parameter));
    finish(copier.image(partitioned.body(function)), partitioned.typed());
}

RegionAlone::RegionAlone(const RegionAlone& whole, size_t unit)
    : backend_(whole.backend_), module_(Module::with_tables_of(whole.module_)), whole_(&whole) {
    const Module& from = whole.module_;
    const ExprId call = whole.units_[unit], composite = from.callee(call);
    ModuleCopier copier(from, module_), inside(from, module_);
    for (ExprId id : post_order(from, whole.body_)) {
        if (id != call) {
            copier.copy(id);
            continue;
        }
        for (size_t i = 0; i < from.parameters(composite).size(); ++i)
            inside.set_image(from.parameters(composite)[i], copier.image(from.arguments(call)[i]));
        copier.set_image(call, inside.copy_all(from.body(composite)));
    }
    for (ExprId parameter : whole.parameters_)
        parameters_.push_back(copier.has(parameter) ? copier.image(parameter) : copier.copy(parameter));
    finish(copier.image(whole.body_), from.typed());
    const std::vector<ExprId>& inner = whole.calls_[unit];
    for (size_t i = 0; i < units_.size(); ++i)
        if (std::find(inner.begin(), inner.end(), module_.source(units_[i])) != inner.end()) inside_.push_back(i);
}

std::vector<size_t> RegionAlone::all() const {
    std::vector<size_t> units(size());
    std::iota(units.begin(), units.end(), size_t(0));
    return units;
}

size_t RegionAlone::calls_in(const std::vector<size_t>& units) const {
    size_t count = 0;
    for (size_t unit : units) count += calls_[unit].size();
    return count;
}

std::vector<ExprId> RegionAlone::origins(const std::vector<size_t>& units) const {
    std::vector<ExprId> calls;
    for (size_t unit : units)
        for (ExprId call : calls_[unit])
            if (const ExprId source = source_of(call); source.valid()) calls.push_back(source);
    return calls;
}

std::vector<size_t> RegionAlone::first_of(const std::vector<ExprId>& wrong) const {
    std::vector<bool> is_wrong(units_.size());
    for (ExprId value : wrong)
        if (const auto unit = unit_of_.find(value); unit != unit_of_.end()) is_wrong[unit->second] = true;
    std::vector<size_t> first;
    for (size_t i = 0; i < units_.size(); ++i) {
        const std::vector<size_t>& used = uses_[i];
        if (is_wrong[i] && std::none_of(used.begin(), used.end(), [&](size_t unit) { return is_wrong[unit]; }))
            first.push_back(i);
    }
    return first;
}

Result<Module> RegionAlone::divided(const std::vector<std::vector<size_t>>& parts, bool all_values) const {
    RegionsToOutline regions{std::vector<int32_t>(module_.size(), -1), std::vector(parts.size(), backend_)};
    for (size_t i = 0; i < parts.size(); ++i)
        for (size_t unit : parts[i])
            for (ExprId call : calls_[unit]) regions.region_of[call.value] = int32_t(i);
    if (!all_values) return outline_regions(module_, regions);
    Module with_values = module_;
    std::vector<ExprId> fields{body_};
    fields.insert(fields.end(), values_.begin(), values_.end());
    std::vector<TypeId> types;
    for (ExprId field : fields) types.push_back(with_values.type(field));
    set_main(with_values, with_values.add_tuple(fields, with_values.types().tuple(types)));
    regions.region_of.resize(with_values.size(), -1);
    return outline_regions(with_values, regions);
}

void RegionAlone::finish(ExprId body, bool typed) {
    body_ = body;
    set_main(module_, body_);
    module_.set_typed(typed);
    module_.make_root();
    const std::vector<ExprId> order = post_order(module_, body_);
    std::vector<bool> inside(module_.size());  // composites, which are one unit each
    for (ExprId id : order)
        if (module_.kind(id) == ExprKind::Function)
            for (ExprId inner : post_order(module_, module_.body(id))) inside[inner.value] = true;
    for (ExprId id : order)
        if (!inside[id.value]) note(id);
}

ExprId RegionAlone::source_of(ExprId call) const {
    const ExprId source = module_.source(call);
    return whole_ && source.valid() ? whole_->source_of(source) : source;
}

void RegionAlone::set_main(Module& module, ExprId body) const {
    std::vector<TypeId> types;
    for (ExprId parameter : parameters_) types.push_back(module.type(parameter));
    const TypeId type = module.types().function(types, module.type(body));
    module.set_function("main", module.add_function(parameters_, body, {}, type));
}

void RegionAlone::note(ExprId id) {
    const bool is_call = module_.kind(id) == ExprKind::Call;
    if (!is_call) return pass_on(id);
    unit_of_[id] = units_.size();
    units_.push_back(id);
    std::vector<ExprId> calls{id};
    if (is_composite(module_, module_.callee(id))) {
        calls.clear();
        for (ExprId inner : post_order(module_, module_.body(module_.callee(id))))
            if (module_.kind(inner) == ExprKind::Call) calls.push_back(inner);
    }
    calls_.push_back(std::move(calls));
    uses_.emplace_back();
    for (ExprId argument : module_.arguments(id)) add_uses(argument);
    if (module_.types().is_tensor(module_.type(id))) values_.push_back(id);
}

/// Projections are of the unit that they take a field of.
void RegionAlone::pass_on(ExprId id) {
    if (module_.kind(id) != ExprKind::Projection) return;
    const auto unit = unit_of_.find(module_.operands(id)[0]);
    if (unit == unit_of_.end()) return;
    unit_of_[id] = unit->second;
    if (module_.types().is_tensor(module_.type(id))) values_.push_back(id);
}

void RegionAlone::add_uses(ExprId argument) {
    std::vector<ExprId> parts{argument};
    for (size_t i = 0; i < parts.size(); ++i) {
        if (const auto unit = unit_of_.find(parts[i]); unit != unit_of_.end()) uses_.back().push_back(unit->second);
        if (module_.kind(parts[i]) != ExprKind::Tuple) continue;
        const std::span<const ExprId> fields = module_.operands(parts[i]);
        parts.insert(parts.end(), fields.begin(), fields.end());
    }
}

}  // namespace partita
