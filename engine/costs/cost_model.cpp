#include "engine/costs/cost_model.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "engine/costs/layout_costs.h"
#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"
#include "engine/ops/cost.h"
#include "engine/ops/registry.h"
#include "engine/program/flat_graph.h"
#include "engine/program/parameters.h"
#include "engine/support/hash.h"

namespace partita {

namespace {

constexpr double kBytesInMb = 1e6;
constexpr size_t kMostLabels = 6;  ///< sets of them are labels of shared values

/// What a crossing costs where none was measured: a copy through memory.
constexpr CrossingCost kCopy{0.001, 0.2};

}  // namespace

std::string operator_key(const Module& module, ExprId call, const std::vector<bool>& fixed) {
    const OpRecord& op = *called_op_record(module, call);
    std::string key = op.name + "(";
    std::span<const ExprId> arguments = module.arguments(call);
    for (size_t i = 0; i < arguments.size(); ++i) {
        key += i > 0 ? ", " : "";
        if (i < fixed.size() && fixed[i]) key += "weight ";
        key += module.types().to_string(module.type(arguments[i]));
    }
    key += ")";
    if (!module.attributes_id(call).valid()) return key;
    const AttributeList& values = module.attributes(module.attributes_id(call));
    for (size_t i = 0; i < values.size() && i < op.attributes.size(); ++i)
        if (op.attributes[i].required || !(values[i] == op.attributes[i].default_value))
            key += ", " + op.attributes[i].name + "=" + values[i].to_string();
    return key;
}

/// Makes a model from the steps of @main.
class CostModelBuilder {
public:
    CostModelBuilder(const ModulePtr& module, const FlowOptions& flow) : module_(module), flow_(flow) {}

    Result<CostModel> build() {
        if (flow_.backends.size() + 1 > kMostLabels)
            return error("placing by cost takes at most " + std::to_string(kMostLabels - 1) + " backends");
        const ExprId main = module_->find_function("main");
        if (!main.valid()) return error("the module has no function @main to place");
        Result<FlatGraph> flat = flatten(*module_, main, true);
        if (!flat) return flat.error();
        if (!flat->straight_line) return error("placing by cost needs a module without control flow");
        graph_ = std::move(*flat);
        for (const FlatStep& step : graph_.steps)
            if (!step.op.valid()) return error("placing by cost needs a module without regions of its own");
        model_.names_.push_back("default");
        for (const BackendDescription& backend : flow_.backends) model_.names_.push_back(backend.name);
        find_fixed(main);
        add_operators();
        add_values();
        if (Status asked = ask_rules(); !asked) return asked.error();
        return std::move(model_);
    }

private:
    /// Marks the values that are the same in every run.
    void find_fixed(ExprId main) {
        const std::vector<Parameter> parameters = classify_parameters(*module_, main, graph_);
        fixed_.assign(graph_.values.size(), false);
        for (size_t i = 0; i < graph_.values.size(); ++i) {
            const FlatValue& value = graph_.values[i];
            if (value.source == FlatValue::Source::Constant) fixed_[i] = true;
            if (value.source == FlatValue::Source::Input)
                fixed_[i] = value.index < parameters.size() && is_fixed(parameters[value.index]);
        }
    }

    void add_operators() {
        model_.operator_of_.assign(module_->size(), -1);
        first_use_.assign(graph_.values.size(), -1);
        maker_.assign(graph_.values.size(), -1);
        for (const FlatStep& step : graph_.steps) {
            std::span<const ValueId> inputs = graph_.step_inputs(step);
            const bool once = !inputs.empty() &&
                              std::all_of(inputs.begin(), inputs.end(), [&](ValueId value) { return fixed_[value]; });
            if (once) {
                for (uint32_t i = 0; i < step.output_count; ++i) fixed_[step.first_output + i] = true;
                once_.push_back(&step);
                continue;
            }
            int32_t& index = model_.operator_of_[step.expr.value];
            if (index < 0) index = add_operator(step, inputs);
            for (ValueId value : inputs)
                if (first_use_[value] < 0) first_use_[value] = index;
            for (uint32_t i = 0; i < step.output_count; ++i) maker_[step.first_output + i] = index;
        }
        for (size_t i = once_.size(); i-- > 0;) note_computed_once(*once_[i]);
    }

    int32_t add_operator(const FlatStep& step, std::span<const ValueId> inputs) {
        CostModel::Operator op;
        op.expr = step.expr;
        std::vector<bool> fixed;
        for (ValueId value : inputs) fixed.push_back(fixed_[value]);
        // A tuple is one argument and several operands: then the types alone tell.
        if (fixed.size() != module_->arguments(step.expr).size()) fixed.clear();
        op.key = operator_key(*module_, step.expr, fixed);
        for (ValueId value : inputs) {
            op.mb += megabytes(value);
            if (fixed_[value]) op.weight_mb += megabytes(value);
            if (op.before < 0 && !fixed_[value]) op.before = maker_[value];
        }
        for (uint32_t i = 0; i < step.output_count; ++i) op.mb += megabytes(step.first_output + i);
        const OpRecord& record = *called_op_record(*module_, step.expr);
        const bool by_element =
            record.same_bytes || record.pattern == OpPattern::Elementwise || record.pattern == OpPattern::Broadcast;
        op.by_element =
            by_element && std::none_of(inputs.begin(), inputs.end(), [&](ValueId id) { return fixed_[id]; });
        model_.operators_.push_back(std::move(op));
        return int32_t(model_.operators_.size() - 1);
    }

    /// Goes along with its first user, so that a region has its weights' work inside.
    void note_computed_once(const FlatStep& step) {
        int32_t user = -1;
        for (uint32_t i = 0; i < step.output_count && user < 0; ++i) user = first_use_[step.first_output + i];
        for (ValueId value : graph_.step_inputs(step))
            if (first_use_[value] < 0) first_use_[value] = user;
        if (model_.operator_of_[step.expr.value] < 0) model_.computed_once_.emplace_back(step.expr, user);
    }

    double megabytes(ValueId value) const {
        return type_bytes(module_->types(), graph_.values[value].type) / kBytesInMb;
    }

    void add_values() {
        std::unordered_map<ValueId, size_t> place;
        const auto value_of = [&](ValueId id) -> CostModel::Value& {
            auto [entry, first] = place.try_emplace(id, model_.values_.size());
            if (first)
                model_.values_.push_back(
                    {maker_[id], megabytes(id), {}, false, module_->types().to_string(graph_.values[id].type)});
            return model_.values_[entry->second];
        };
        for (const FlatStep& step : graph_.steps) {
            const int32_t op = model_.operator_of_[step.expr.value];
            if (op < 0) continue;
            CostModel::Operator& record = model_.operators_[size_t(op)];
            const bool is_first = record.inputs.empty();
            std::span<const ValueId> inputs = graph_.step_inputs(step);
            for (uint32_t i = 0; i < inputs.size(); ++i) {
                if (fixed_[inputs[i]]) continue;
                std::vector<uint32_t>& users = value_of(inputs[i]).users;
                if (std::find(users.begin(), users.end(), uint32_t(op)) == users.end()) users.push_back(uint32_t(op));
                if (is_first) record.inputs.push_back({i, uint32_t(place.at(inputs[i]))});
            }
        }
        for (ValueId id : graph_.outputs)
            if (!fixed_[id]) value_of(id).is_result = true;
        for (const FlatStep& step : graph_.steps) {
            const int32_t op = model_.operator_of_[step.expr.value];
            if (op < 0 || !model_.operators_[size_t(op)].outputs.empty()) continue;
            for (ValueId id = step.first_output; id < step.first_output + step.output_count; ++id) {
                const auto found = place.find(id);
                model_.operators_[size_t(op)].outputs.push_back(found == place.end() ? -1 : int32_t(found->second));
            }
        }
    }

    /// Runs the flow with one backend at a time: what it takes alone, it may be given.
    Status ask_rules() {
        for (CostModel::Operator& op : model_.operators_) {
            op.accepted.assign(model_.labels(), false);
            op.accepted[0] = true;
        }
        for (size_t i = 0; i < flow_.backends.size(); ++i) {
            FlowOptions alone = flow_;
            alone.backends = {flow_.backends[i]};
            alone.backends[0].limits = {};
            alone.overrides.clear();
            alone.region_groups.clear();
            alone.by_cost = alone.log_decisions = alone.lower = alone.simplify = alone.fold = false;
            alone.until = FlowStage::Annotate;
            Result<FlowResult> taken = run_flow(module_, alone);
            if (!taken) return taken.error();
            alone.composite = false;
            Result<FlowResult> singly = run_flow(module_, alone);
            if (!singly) return singly.error();
            note_accepted(uint16_t(i + 1), *taken, *singly);
        }
        hold_overrides();
        return Nothing();
    }

    /// What a person assigned stays where it is.
    void hold_overrides() {
        for (const auto& [expr, backend] : flow_.overrides) {
            const int32_t op = expr.value < model_.operator_of_.size() ? model_.operator_of_[expr.value] : -1;
            const auto name = std::find(model_.names_.begin(), model_.names_.end(), backend);
            if (op < 0 || name == model_.names_.end()) continue;
            std::vector<bool>& accepted = model_.operators_[size_t(op)].accepted;
            std::fill(accepted.begin(), accepted.end(), false);
            accepted[size_t(name - model_.names_.begin())] = true;
        }
    }

    void note_accepted(uint16_t label, const FlowResult& taken, const FlowResult& singly) {
        for (CostModel::Operator& op : model_.operators_)
            op.accepted[label] = taken.backend_of[op.expr.value] == 0 || singly.backend_of[op.expr.value] == 0;
        const ModulePtr matched = taken.stage("composite");
        if (!matched) return;
        for (const std::vector<uint32_t>& calls : matches_in(*matched))
            for (uint32_t op : calls) {
                if (singly.backend_of[model_.operators_[op].expr.value] == 0) continue;
                CostModel::Match match{label, op, {}};
                for (uint32_t other : calls)
                    if (other != op) match.others.push_back(other);
                if (!match.others.empty()) model_.matches_.push_back(std::move(match));
            }
    }

    /// Returns the operators inside each composite.
    std::vector<std::vector<uint32_t>> matches_in(const Module& composite) const {
        std::vector<std::vector<uint32_t>> matches;
        for (ExprId call : post_order(composite, composite.find_function("main"))) {
            if (composite.kind(call) != ExprKind::Call || !is_composite(composite, composite.callee(call))) continue;
            std::vector<uint32_t>& match = matches.emplace_back();
            for (ExprId inner : post_order(composite, composite.body(composite.callee(call)))) {
                const ExprId origin = composite.kind(inner) == ExprKind::Call ? composite.origin(inner) : ExprId();
                if (origin.valid() && model_.operator_of_[origin.value] >= 0)
                    match.push_back(uint32_t(model_.operator_of_[origin.value]));
            }
        }
        return matches;
    }

    const ModulePtr& module_;
    const FlowOptions& flow_;
    FlatGraph graph_;
    CostModel model_;
    std::vector<bool> fixed_;                 ///< by value
    std::vector<int32_t> first_use_, maker_;  ///< by value: operators, or -1
    std::vector<const FlatStep*> once_;
};

Result<CostModel> CostModel::make(const ModulePtr& module, const FlowOptions& flow) {
    return CostModelBuilder(module, flow).build();
}

CostedDivision CostModel::division_of(const FlowResult& flow) const {
    CostedDivision division;
    for (const Operator& op : operators_) {
        division.labels.push_back(uint16_t(flow.backend_of[op.expr.value] + 1));
        division.regions.push_back(flow.region_of[op.expr.value]);
    }
    return division;
}

Overrides CostModel::overrides_of(const Labels& labels) const {
    Overrides overrides;
    for (size_t i = 0; i < operators_.size(); ++i) overrides[operators_[i].expr] = names_[labels[i]];
    for (const auto& [expr, user] : computed_once_) overrides[expr] = names_[user < 0 ? 0 : labels[size_t(user)]];
    return overrides;
}

Labels CostModel::labels_of(const Overrides& overrides) const {
    Labels labels;
    for (const Operator& op : operators_) {
        const auto found = overrides.find(op.expr);
        const auto name =
            found == overrides.end() ? names_.end() : std::find(names_.begin(), names_.end(), found->second);
        labels.push_back(name == names_.end() ? 0 : uint16_t(name - names_.begin()));
    }
    return labels;
}

std::string CostModel::division_key(const Labels& labels) const {
    uint64_t hash = operators_.size();
    const auto add = [&](std::string_view text) {
        for (unsigned char letter : text) hash = hash_combine(hash, letter);
        hash = hash_combine(hash, text.size());
    };
    for (size_t op = 0; op < operators_.size(); ++op) {
        add(operators_[op].key);
        add(names_[labels[op]]);
    }
    for (const Value& value : values_) {
        hash = hash_combine(hash, uint64_t(int64_t(value.producer)));
        for (uint32_t user : value.users) hash = hash_combine(hash, user);
        hash = hash_combine(hash, value.is_result);
    }
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

bool CostModel::allows(const Labels& labels) const {
    for (size_t i = 0; i < operators_.size(); ++i)
        if (!operators_[i].accepted[labels[i]]) return false;
    return std::all_of(matches_.begin(), matches_.end(), [&](const Match& match) {
        return labels[match.needs] != match.label ||
               std::all_of(match.others.begin(), match.others.end(),
                           [&](uint32_t other) { return labels[other] == match.label; });
    });
}

void CostModel::make_allowed(Labels& labels) const {
    // Once is enough: an operator of another label fails all records of its match.
    for (const Match& match : matches_) {
        const bool whole = std::all_of(match.others.begin(), match.others.end(),
                                       [&](uint32_t other) { return labels[other] == match.label; });
        if (labels[match.needs] == match.label && !whole) labels[match.needs] = 0;
    }
}

double CostModel::unit(const CostTable& table, uint32_t op, uint16_t label, bool after,
                       const std::string& layouts) const {
    const Operator& record = operators_[op];
    const UnitKey alone{record.key, "", names_[label], layouts};
    UnitKey key = alone;
    if (after && record.before >= 0) {
        key.after = operators_[size_t(record.before)].key;
        if (const UnitTime* time = table.find(key)) return time->ms;
    }
    if (const UnitTime* time = table.find(alone)) return time->ms;
    if (const UnitTime* time = table.find_in_any_layout(key)) return time->ms;
    if (const UnitTime* time = table.find_in_any_layout(alone)) return time->ms;
    // Not measured: a copy of what it reads and writes.
    return kCopy.ms + kCopy.ms_per_mb * record.mb;
}

double CostModel::crossing(const CostTable& table, uint16_t from, uint16_t to, double mb) const {
    const auto found = table.crossings.find({names_[from], names_[to]});
    const CrossingCost cost = found != table.crossings.end() ? found->second : unmeasured_crossing(from, to);
    return cost.ms + cost.ms_per_mb * mb;
}

double CostModel::price(const CostTable& table, const CostedDivision& division) const {
    double sum = 0;
    for (const CostTerm& term : terms(table, division)) sum += term.ms;
    return sum;
}

std::vector<CostTerm> CostModel::terms(const CostTable& table, const CostedDivision& division) const {
    std::vector<CostTerm> terms;
    add_layout_terms(table, division, terms);
    each_crossing(division, [&](const Value& value, uint16_t from, uint16_t to) {
        const uint32_t op = value.producer >= 0 ? uint32_t(value.producer) : value.users.front();
        terms.push_back({CostTerm::Kind::Crossing, op, from, to, value.mb, crossing(table, from, to, value.mb)});
    });
    return terms;
}

/// Adds the operators' times in their layouts, and what laying values out anew takes.
void CostModel::add_layout_terms(const CostTable& table, const CostedDivision& division,
                                 std::vector<CostTerm>& terms) const {
    const LayoutCosts costs(*this, table);
    DivisionLayouts layouts;
    if (costs.any()) layouts = costs.lay_out(division.labels);
    for (uint32_t i = 0; i < operators_.size(); ++i) {
        const uint16_t label = division.labels[i];
        const int32_t before = operators_[i].before;
        const bool after = before >= 0 && division.labels[size_t(before)] == label;
        const double ms =
            costs.any() ? costs.unit(i, label, after, layouts.operators[i]) : unit(table, i, label, after);
        terms.push_back({CostTerm::Kind::Unit, i, label, label, 0, ms});
    }
    for (const DivisionLayouts::Change& change : layouts.changes) {
        const Value& value = values_[change.value];
        const uint16_t from = value.producer < 0 ? 0 : division.labels[size_t(value.producer)];
        const uint16_t to = change.user < 0 ? 0 : division.labels[size_t(change.user)];
        // A run counts it for the region that needs it, else for the one that made the value.
        const bool for_user = value.producer < 0 || (change.user >= 0 && to != 0);
        const uint32_t op = uint32_t(for_user ? change.user : value.producer);
        terms.push_back({CostTerm::Kind::Layout, op, from, to, value.mb,
                         costs.change(change.value, layouts.of_value[change.value], change.to)});
    }
}

void CostModel::each_crossing(const CostedDivision& division,
                              const std::function<void(const Value&, uint16_t, uint16_t)>& each) const {
    for (const Value& value : values_) {
        const uint16_t from = value.producer < 0 ? 0 : division.labels[size_t(value.producer)];
        const int32_t region = value.producer < 0 ? -1 : division.regions[size_t(value.producer)];
        std::set<std::pair<uint16_t, int32_t>> targets;  // a region of its own backend, or a backend
        if (value.is_result && from != 0) targets.insert({0, -1});
        for (uint32_t user : value.users) {
            const uint16_t to = division.labels[user];
            if (to != from) targets.insert({to, -1});
            else if (to != 0 && division.regions[user] != region) targets.insert({to, division.regions[user]});
        }
        for (const auto& [to, _] : targets) each(value, from, to);
    }
}

CrossingCost CostModel::unmeasured_crossing(uint16_t from, uint16_t to) {
    // Between regions of one backend that plans them jointly nothing happens, elsewhere little.
    return from == to ? CrossingCost{kCopy.ms / 4, kCopy.ms_per_mb / 16} : kCopy;
}

CostProblem CostModel::problem(const CostTable& table) const {
    CostProblem problem;
    const size_t count = labels();
    for (const Operator& op : operators_) {
        std::vector<double>& single = problem.single.emplace_back(count, CostProblem::kForbidden);
        for (uint16_t label = 0; label < count; ++label)
            if (op.accepted[label]) single[label] = 0;
    }
    const LayoutCosts layouts(*this, table);
    add_units(problem, table,
              layouts.any() ? add_layouts(problem, *this, layouts) : std::vector<bool>(operators_.size()));
    for (const Match& match : matches_)
        for (uint32_t other : match.others) {
            CostProblem::Pair pair{match.needs, other, std::vector<double>(count * count)};
            for (uint16_t label = 0; label < count; ++label)
                if (label != match.label) pair.cost[match.label * count + label] = CostProblem::kForbidden;
            problem.pairs.push_back(std::move(pair));
        }
    for (const Value& value : values_) add_value(problem, table, value);
    return problem;
}

/// Adds the times of operators that have no variable for their layouts.
void CostModel::add_units(CostProblem& problem, const CostTable& table, const std::vector<bool>& has_time) const {
    const size_t count = labels();
    for (uint32_t i = 0; i < operators_.size(); ++i) {
        if (has_time[i]) continue;
        std::vector<double>& single = problem.single[i];
        for (uint16_t label = 0; label < count; ++label)
            if (operators_[i].accepted[label]) single[label] = unit(table, i, label, false);
        if (operators_[i].before < 0) continue;
        CostProblem::Pair pair{uint32_t(operators_[i].before), i, std::vector<double>(count * count)};
        bool differs = false;
        for (uint16_t label = 0; label < count; ++label) {
            if (!operators_[i].accepted[label]) continue;
            pair.cost[label * count + label] = unit(table, i, label, true) - single[label];
            differs = differs || pair.cost[label * count + label] != 0;
        }
        if (differs) problem.pairs.push_back(std::move(pair));
    }
}

/// One user costs a pair. Several share a crossing to the same backend: a variable of their own has the set of backends
/// that the value goes to.
void CostModel::add_value(CostProblem& problem, const CostTable& table, const Value& value) const {
    const size_t count = labels();
    const bool from_outside = value.producer < 0;
    const auto cost = [&](uint16_t from, uint16_t to) { return from == to ? 0 : crossing(table, from, to, value.mb); };
    if (value.users.empty()) {
        for (uint16_t from = 0; from < count && !from_outside; ++from)
            problem.single[size_t(value.producer)][from] += cost(from, 0);
        return;
    }
    if (value.users.size() == 1 && !value.is_result) {
        const uint32_t user = value.users[0];
        for (uint16_t to = 0; to < count && from_outside; ++to) problem.single[user][to] += cost(0, to);
        if (from_outside) return;
        CostProblem::Pair pair{uint32_t(value.producer), user, {}};
        for (uint16_t from = 0; from < count; ++from)
            for (uint16_t to = 0; to < count; ++to) pair.cost.push_back(cost(from, to));
        return problem.pairs.push_back(std::move(pair));
    }
    const size_t sets = size_t(1) << count;
    const auto cost_of_set = [&](uint16_t from, size_t set) {
        double sum = 0;
        for (uint16_t to = 0; to < count; ++to)
            if (set >> to & 1) sum += cost(from, to);
        return sum;
    };
    const uint32_t shared = uint32_t(problem.single.size());
    std::vector<double>& single = problem.single.emplace_back(sets, 0.0);
    for (size_t set = 0; set < sets; ++set) {
        if (value.is_result && !(set & 1)) single[set] = CostProblem::kForbidden;
        else if (from_outside) single[set] = cost_of_set(0, set);
    }
    if (!from_outside) {
        CostProblem::Pair pair{uint32_t(value.producer), shared, {}};
        for (uint16_t from = 0; from < count; ++from)
            for (size_t set = 0; set < sets; ++set) pair.cost.push_back(cost_of_set(from, set));
        problem.pairs.push_back(std::move(pair));
    }
    for (uint32_t user : value.users) {
        CostProblem::Pair pair{user, shared, {}};
        for (uint16_t to = 0; to < count; ++to)
            for (size_t set = 0; set < sets; ++set) pair.cost.push_back(set >> to & 1 ? 0 : CostProblem::kForbidden);
        problem.pairs.push_back(std::move(pair));
    }
}

}  // namespace partita
