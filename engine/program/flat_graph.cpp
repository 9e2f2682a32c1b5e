#include "engine/program/flat_graph.h"

#include <unordered_map>
#include <unordered_set>

#include "engine/ops/registry.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

/// The most steps for each expression of the module that inlining may make: a chain of functions that each call the
/// next one twice would make 2^n.
constexpr size_t kStepsPerExpression = 16;
constexpr size_t kStepsAlwaysAllowed = 1 << 16;

class Flattener {
public:
    Flattener(const Module& module, std::function<bool(ExprId)> keeps) : module_(module), keeps_(std::move(keeps)) {}

    Result<FlatGraph> run(ExprId function) {
        if (Status bound = bind_parameters(function); !bound) return bound.error();
        enter(function, ExprId(), FlatGraph::kNoGroup, FlatGraph::kNoGroup);
        while (!frames_.empty()) {
            if (Status done = advance(); !done) return done.error();
            if (!graph_.straight_line) {
                FlatGraph nothing;
                nothing.straight_line = false;
                return nothing;
            }
        }
        return std::move(graph_);
    }

private:
    /// The values of an expression: a range of `pool_`.
    struct Range {
        uint32_t begin, count;
    };
    struct PendingExpression {
        ExprId id;
        uint8_t stage;
    };
    struct Frame {
        ExprId function, call;
        uint32_t group, region;
        std::vector<PendingExpression> pending;
        std::vector<ExprId> bound;  ///< expressions whose values are dropped with the frame
    };

    void enter(ExprId function, ExprId call, uint32_t group, uint32_t region) {
        active_.insert(function.value);
        frames_.push_back({function, call, group, region, {}, {}});
        frames_.back().pending.push_back({module_.body(function), 0});
    }

    bool has(ExprId id) const { return ranges_.contains(id); }
    std::span<const ValueId> values_of(ExprId id) const {
        Range range = ranges_.at(id);
        return {pool_.data() + range.begin, range.count};
    }

    void set(ExprId id, Range range) {
        ranges_[id] = range;
        if (!frames_.empty()) frames_.back().bound.push_back(id);
    }
    /// Copies values to the pool. `values` must not point into the pool.
    Range copy_to_pool(std::span<const ValueId> values) {
        Range range{uint32_t(pool_.size()), uint32_t(values.size())};
        pool_.insert(pool_.end(), values.begin(), values.end());
        return range;
    }

    Diagnostic refuse(ExprId id, std::string message) const { return error(std::move(message), module_.position(id)); }

    Status check_known(ExprId id, TypeId type) const {
        if (element_count(module_.types().shape(type))) return Nothing();
        const OpRecord* op = called_op_record(module_, id);
        std::string_view label = module_.label(id);
        return refuse(
            id, "can't run: the shape " + shape_to_string(module_.types().shape(type)) + (op ? " of " + op->name : "") +
                    (label.empty() ? "" : " (node " + in_quotes(label) + ")") + " is not known before the run");
    }

    Status bind_parameters(ExprId function) {
        for (ExprId parameter : module_.parameters(function)) {
            std::vector<TypeId> leaves;
            if (!module_.type(parameter).valid() || !flatten_type(module_.types(), module_.type(parameter), leaves)) {
                graph_.straight_line = false;
                return Nothing();
            }
            std::string name(module_.name(parameter));
            Range range{uint32_t(pool_.size()), uint32_t(leaves.size())};
            for (size_t i = 0; i < leaves.size(); ++i) {
                if (Status known = check_known(parameter, leaves[i]); !known) return known.error();
                ValueId value = ValueId(graph_.values.size());
                graph_.values.push_back({leaves[i], FlatValue::Source::Input, uint32_t(graph_.inputs.size())});
                graph_.inputs.push_back(value);
                bool tuple = module_.types().is_tuple(module_.type(parameter));
                graph_.input_names.push_back(tuple ? name + "." + std::to_string(i) : name);
                pool_.push_back(value);
            }
            set(parameter, range);
        }
        return Nothing();
    }

    /// Advances the innermost frame by one step.
    Status advance() {
        Frame& frame = frames_.back();
        if (frame.pending.empty()) {
            leave();
            return Nothing();
        }
        PendingExpression pending = frame.pending.back();
        if (has(pending.id)) {
            frame.pending.pop_back();
            return Nothing();
        }
        switch (module_.kind(pending.id)) {
            case ExprKind::Var:
                return refuse(pending.id,
                              "the variable %" + std::string(module_.name(pending.id)) + " has no value here");
            case ExprKind::Constant: return take_constant(pending.id);
            case ExprKind::Tuple: return take_tuple(pending);
            case ExprKind::Projection: return take_projection(pending);
            case ExprKind::Call: return take_call(pending);
            case ExprKind::Let: return take_let(pending);
            default: graph_.straight_line = false; return Nothing();
        }
    }

    void leave() {
        Frame frame = std::move(frames_.back());
        frames_.pop_back();
        std::vector<ValueId> result(values_of(module_.body(frame.function)).begin(),
                                    values_of(module_.body(frame.function)).end());
        for (ExprId id : frame.bound) ranges_.erase(id);
        active_.erase(frame.function.value);
        if (frame.region != FlatGraph::kNoGroup && graph_.regions[frame.region].call == frame.call)
            graph_.regions[frame.region].outputs = result;
        if (frames_.empty()) graph_.outputs = std::move(result);
        else set(frame.call, copy_to_pool(result));
    }

    Status take_constant(ExprId id) {
        frames_.back().pending.pop_back();
        ConstantId constant = module_.constant_id(id);
        auto [entry, added] = constant_values_.try_emplace(constant, ValueId(graph_.values.size()));
        if (added) {
            TypeId type = module_.type(id);
            if (!type.valid()) return refuse(id, "a constant has no type: run type inference first");
            graph_.values.push_back({type, FlatValue::Source::Constant, constant.value});
        }
        ValueId value = entry->second;
        set(id, copy_to_pool(std::span(&value, 1)));
        return Nothing();
    }

    /// Pushes operands without values onto the work stack, the first on top. Returns false if there were any.
    bool operands_ready(PendingExpression pending, std::span<const ExprId> operands) {
        if (pending.stage != 0) return true;
        std::vector<PendingExpression>& list = frames_.back().pending;
        list.back().stage = 1;
        size_t before = list.size();
        for (size_t i = operands.size(); i-- > 0;)
            if (!has(operands[i])) list.push_back({operands[i], 0});
        return list.size() == before;
    }

    Status take_tuple(PendingExpression pending) {
        std::span<const ExprId> fields = module_.operands(pending.id);
        if (!operands_ready(pending, fields)) return Nothing();
        frames_.back().pending.pop_back();
        scratch_.clear();
        for (ExprId field : fields) scratch_.insert(scratch_.end(), values_of(field).begin(), values_of(field).end());
        set(pending.id, copy_to_pool(scratch_));
        return Nothing();
    }

    Status take_projection(PendingExpression pending) {
        ExprId tuple = module_.operands(pending.id)[0];
        if (!operands_ready(pending, module_.operands(pending.id))) return Nothing();
        frames_.back().pending.pop_back();
        const TypeTable& types = module_.types();
        TypeId type = module_.type(tuple);
        uint32_t index = module_.projection_index(pending.id);
        if (!types.is_tuple(type) || index >= types.parts(type).size())
            return refuse(pending.id, "projection of no such field");
        std::vector<TypeId> leaves;
        for (uint32_t i = 0; i < index; ++i) flatten_type(types, types.parts(type)[i], leaves);
        size_t begin = leaves.size();
        flatten_type(types, types.parts(type)[index], leaves);
        Range whole = ranges_.at(tuple);
        if (leaves.size() > whole.count) return refuse(pending.id, "projection of no such field");
        set(pending.id, {uint32_t(whole.begin + begin), uint32_t(leaves.size() - begin)});
        return Nothing();
    }

    Status take_let(PendingExpression pending) {
        std::span<const ExprId> parts = module_.operands(pending.id);
        ExprId var = parts[0], value = parts[1], body = parts[2];
        std::vector<PendingExpression>& list = frames_.back().pending;
        if (pending.stage == 0) {
            list.back().stage = 1;
            if (module_.kind(value) == ExprKind::Function) bound_functions_[var] = value;
            else if (!has(value)) list.push_back({value, 0});
            return Nothing();
        }
        if (pending.stage == 1) {
            list.back().stage = 2;
            if (has(value)) set(var, ranges_.at(value));
            if (!has(body)) list.push_back({body, 0});
            return Nothing();
        }
        list.pop_back();
        set(pending.id, ranges_.at(body));
        return Nothing();
    }

    /// Returns the called function if it is known statically; invalid for ops and for functions computed at run time.
    ExprId called_function(ExprId call) const {
        ExprId callee = module_.callee(call);
        switch (module_.kind(callee)) {
            case ExprKind::Function: return callee;
            case ExprKind::GlobalVar: return module_.find_function(module_.name(callee));
            case ExprKind::Var: {
                auto bound = bound_functions_.find(callee);
                return bound == bound_functions_.end() ? ExprId() : bound->second;
            }
            default: return ExprId();
        }
    }

    Status take_call(PendingExpression pending) {
        std::span<const ExprId> arguments = module_.arguments(pending.id);
        OpId op = module_.called_op(pending.id);
        ExprId function = op.valid() ? ExprId() : called_function(pending.id);
        if (!op.valid() && !function.valid()) {
            if (module_.kind(module_.callee(pending.id)) == ExprKind::GlobalVar)
                return refuse(pending.id,
                              "there is no function @" + std::string(module_.name(module_.callee(pending.id))));
            graph_.straight_line = false;
            return Nothing();
        }
        if (!operands_ready(pending, arguments)) return Nothing();
        if (op.valid() || (is_region_function(module_, function) && keeps_(function))) {
            frames_.back().pending.pop_back();
            return add_step(pending.id, op, function);
        }
        return write_out(pending.id, function);
    }

    Status add_step(ExprId call, OpId op, ExprId function) {
        std::vector<TypeId> leaves;
        if (!flatten_type(module_.types(), module_.type(call), leaves)) {
            graph_.straight_line = false;
            return Nothing();
        }
        FlatStep step{};
        step.expr = call;
        step.op = op;
        step.function = function;
        step.group = frames_.back().group;
        step.region = frames_.back().region;
        step.inputs_begin = uint32_t(graph_.operands.size());
        for (ExprId argument : module_.arguments(call))
            graph_.operands.insert(graph_.operands.end(), values_of(argument).begin(), values_of(argument).end());
        step.input_count = uint32_t(graph_.operands.size()) - step.inputs_begin;
        step.first_output = ValueId(graph_.values.size());
        step.output_count = uint32_t(leaves.size());
        scratch_.clear();
        for (TypeId leaf : leaves) {
            if (Status known = check_known(call, leaf); !known) return known.error();
            scratch_.push_back(ValueId(graph_.values.size()));
            graph_.values.push_back({leaf, FlatValue::Source::Step, uint32_t(graph_.steps.size())});
        }
        graph_.steps.push_back(step);
        set(call, copy_to_pool(scratch_));
        return Nothing();
    }

    Status write_out(ExprId call, ExprId function) {
        size_t limit = kStepsAlwaysAllowed + module_.size() * kStepsPerExpression;
        if (active_.count(function.value) || graph_.steps.size() > limit || frames_.size() > limit) {
            graph_.straight_line = false;  // it is recursive, or would grow without bound
            return Nothing();
        }
        std::span<const ExprId> parameters = module_.parameters(function), arguments = module_.arguments(call);
        if (parameters.size() != arguments.size())
            return refuse(call, "a function of " + std::to_string(parameters.size()) + " parameters is called with " +
                                    std::to_string(arguments.size()) + " arguments");
        uint32_t group = frames_.back().group;
        std::string_view composite = module_.function_info(function).string_attribute("Composite");
        if (!composite.empty()) {
            group = uint32_t(graph_.groups.size());
            graph_.groups.push_back({std::string(composite), call});
        }
        uint32_t region = frames_.back().region;
        if (region == FlatGraph::kNoGroup && is_region_function(module_, function)) {
            region = uint32_t(graph_.regions.size());
            graph_.regions.push_back({function, call});
        }
        std::vector<Range> given;
        for (ExprId argument : arguments) given.push_back(ranges_.at(argument));
        enter(function, call, group, region);
        for (size_t i = 0; i < parameters.size(); ++i) set(parameters[i], given[i]);
        return Nothing();
    }

    const Module& module_;
    const std::function<bool(ExprId)> keeps_;
    FlatGraph graph_;
    /// Not by the number of the expression: a module may have as many functions as expressions.
    std::unordered_map<ExprId, Range> ranges_;
    std::vector<ValueId> pool_;
    std::vector<ValueId> scratch_;
    std::vector<Frame> frames_;
    std::unordered_set<uint32_t> active_;  ///< functions being inlined
    std::unordered_map<ExprId, ExprId> bound_functions_;
    std::unordered_map<ConstantId, ValueId> constant_values_;
};

}  // namespace

std::vector<uint32_t> FlatGraph::use_counts() const {
    std::vector<uint32_t> counts(values.size());
    for (ValueId value : operands) ++counts[value];
    for (ValueId value : outputs) ++counts[value];
    return counts;
}

bool is_region_function(const Module& module, ExprId function) {
    return module.function_info(function).attribute("Compiler") != nullptr;
}

bool flatten_type(const TypeTable& types, TypeId type, std::vector<TypeId>& leaves) {
    std::vector<TypeId> stack{type};
    while (!stack.empty()) {
        TypeId top = stack.back();
        stack.pop_back();
        if (types.is_tensor(top)) {
            leaves.push_back(top);
        } else if (types.is_tuple(top)) {
            std::span<const TypeId> fields = types.parts(top);
            for (size_t i = fields.size(); i-- > 0;) stack.push_back(fields[i]);
        } else {
            return false;
        }
    }
    return true;
}

Result<FlatGraph> flatten(const Module& module, ExprId function, bool keep_regions) {
    return flatten(module, function, [keep_regions](ExprId) { return keep_regions; });
}

Result<FlatGraph> flatten(const Module& module, ExprId function, std::function<bool(ExprId function)> keeps) {
    return Flattener(module, std::move(keeps)).run(function);
}

}  // namespace partita
