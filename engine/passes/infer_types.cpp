#include "engine/passes/infer_types.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "engine/ir/type_bounds.h"
#include "engine/ops/registry.h"
#include "engine/support/cancel_check.h"

namespace partita {

namespace {

/// One run over the module. A type may stay unknown if it depends on a recursive call whose result is not known yet; a
/// second sweep then uses what the first one found.
class Inference {
public:
    Inference(Module& module, ExprId* where, const CancelToken& cancel)
        : module_(module), types_(module.types()), where_(where), cancelled_(cancel) {}

    Status run();

private:
    Status sweep(std::span<const ExprId> order);
    std::vector<ExprId> inference_order() const;
    ExprId prerequisite(ExprId id, uint32_t index) const;
    void find_sources_of_vars(std::span<const ExprId> order);
    TypeId declared_function_type(ExprId function);

    Status infer(ExprId id);
    Status infer_call(ExprId call);
    Status infer_op_call(ExprId call, const OpRecord& op);
    Status infer_function_call(ExprId call, TypeId callee_type);
    Status infer_projection(ExprId id);
    Status infer_let(ExprId id);
    Status infer_if(ExprId id);
    Status infer_function(ExprId id);
    Status infer_reference(ExprId id);

    bool compatible(TypeId a, TypeId b) const;
    Status set(ExprId id, TypeId type);
    Diagnostic fault(ExprId id, const std::string& what) const;
    std::string callee_name(ExprId call) const;
    const std::string& op_name(ExprId op) const;
    std::string argument_types(ExprId call) const;

    Module& module_;
    TypeTable& types_;
    ExprId* where_;  ///< may be null
    CancelCheck cancelled_;
    std::vector<TypeId> scratch_;
    TypeBounds bounds_{types_};
    std::unordered_map<ExprId, ExprId> let_var_of_value_;
    std::unordered_map<ExprId, ExprId> argument_of_parameter_;
    size_t unknown_ = 0;  ///< expressions of this sweep whose type is unknown
    ExprId first_unknown_;
};

Diagnostic Inference::fault(ExprId id, const std::string& what) const {
    if (where_) *where_ = id;
    return error(what, module_.position(id));
}

std::string Inference::callee_name(ExprId call) const {
    ExprId callee = module_.callee(call);
    switch (module_.kind(callee)) {
        case ExprKind::Op: return op_name(callee);
        case ExprKind::GlobalVar: return "@" + std::string(module_.name(callee));
        case ExprKind::Var: return "%" + std::string(module_.name(callee));
        default: return "a function";
    }
}

const std::string& Inference::op_name(ExprId op) const { return op_registry()[OpId(module_[op].payload)].name; }

std::string Inference::argument_types(ExprId call) const {
    std::string text = "(";
    for (ExprId argument : module_.arguments(call)) {
        if (text.size() > 1) text += ", ";
        text += types_.to_string(module_.type(argument));
    }
    return text + ")";
}

// The creator of a type (the parser) bounds its depth, as in TypeTable::to_string.
bool Inference::compatible(TypeId a, TypeId b) const {
    if (a == b) return true;
    if (types_.kind(a) != types_.kind(b)) return false;
    if (types_.kind(a) == TypeKind::Tensor) {
        auto left = types_.shape(a), right = types_.shape(b);
        if (!(types_.dtype(a) == types_.dtype(b)) || left.size() != right.size()) return false;
        for (size_t i = 0; i < left.size(); ++i)
            if (left[i] != right[i] && left[i] != kDynamicDim && right[i] != kDynamicDim) return false;
        return true;
    }
    auto left = types_.parts(a), right = types_.parts(b);
    if (left.size() != right.size()) return false;
    for (size_t i = 0; i < left.size(); ++i)
        if (!compatible(left[i], right[i])) return false;
    return true;
}

Status Inference::set(ExprId id, TypeId type) {
    if (type.valid())
        if (Status bounded = bounds_.take(type); !bounded) return fault(id, bounded.error().message);
    module_.set_type(id, type);
    if (!type.valid()) {
        if (unknown_++ == 0) first_unknown_ = id;
    }
    return Nothing();
}

TypeId Inference::declared_function_type(ExprId function) {
    TypeId result = module_.function_info(function).return_type;
    if (!result.valid()) return {};
    std::vector<TypeId> parameters;
    for (ExprId parameter : module_.parameters(function)) {
        if (!module_.type(parameter).valid()) return {};
        parameters.push_back(module_.type(parameter));
    }
    return types_.function(parameters, result);
}

/// Returns what must be inferred before `id`, one by one: its operands, and the function that a global var names. The
/// arguments of a called function literal come before the literal, because its parameters may take their types from
/// them.
ExprId Inference::prerequisite(ExprId id, uint32_t index) const {
    auto operands = module_.operands(id);
    if (module_.kind(id) == ExprKind::GlobalVar) {
        ExprId function = index == 0 ? module_.find_function(module_.name(id)) : ExprId();
        return function.valid() && !module_.type(function).valid() ? function : ExprId();
    }
    if (index >= operands.size()) return {};
    bool callee_last = module_.kind(id) == ExprKind::Call && module_.kind(operands[0]) == ExprKind::Function;
    return operands[callee_last ? (index + 1) % operands.size() : index];
}

std::vector<ExprId> Inference::inference_order() const {
    struct Frame {
        ExprId id;
        uint32_t next;
    };
    std::vector<ExprId> order;
    order.reserve(module_.size());
    std::vector<bool> entered(module_.size());
    std::vector<Frame> stack;
    auto enter = [&](ExprId id) {
        if (entered[id.value]) return;
        entered[id.value] = true;
        stack.push_back({id, 0});
    };
    for (const GlobalFunction& global : module_.functions()) {
        enter(global.function);
        while (!stack.empty()) {
            ExprId next = prerequisite(stack.back().id, stack.back().next++);
            if (next.valid()) {
                enter(next);
            } else {
                order.push_back(stack.back().id);
                stack.pop_back();
            }
        }
    }
    return order;
}

/// Records which vars take their types from elsewhere: a let's var from its value, the parameters of a called function
/// literal from the arguments.
void Inference::find_sources_of_vars(std::span<const ExprId> order) {
    for (ExprId id : order) {
        auto operands = module_.operands(id);
        if (module_.kind(id) == ExprKind::Let && !module_.type(operands[0]).valid()) {
            let_var_of_value_.emplace(operands[1], operands[0]);
            if (module_.kind(operands[1]) == ExprKind::Function)
                module_.set_type(operands[0], declared_function_type(operands[1]));
        }
        if (module_.kind(id) != ExprKind::Call || module_.kind(operands[0]) != ExprKind::Function) continue;
        auto parameters = module_.parameters(operands[0]);
        for (size_t i = 0; i < std::min(parameters.size(), operands.size() - 1); ++i)
            if (!module_.type(parameters[i]).valid()) argument_of_parameter_.emplace(parameters[i], operands[i + 1]);
    }
}

Status Inference::infer_op_call(ExprId call, const OpRecord& op) {
    auto arguments = module_.arguments(call);
    size_t arity = op.inputs.size();
    if (op.variadic ? arguments.size() + 1 < arity : arguments.size() != arity)
        return fault(call, op.name + " takes " + std::to_string(arity) + (op.variadic ? " or more" : "") +
                               (arity == 1 ? " argument" : " arguments") + ", but is given " +
                               std::to_string(arguments.size()));
    scratch_.clear();
    for (ExprId argument : arguments) {
        TypeId type = module_.type(argument);
        if (!type.valid() && module_.kind(argument) == ExprKind::Op)
            return fault(call, op.name + " takes values, but is given the operator " + op_name(argument));
        if (!type.valid()) return set(call, {});
        scratch_.push_back(type);
    }
    Result<TypeId> type = op.relation({types_, scratch_, attributes_of(module_, call)});
    if (!type) return fault(call, op.name + argument_types(call) + ": " + type.error().message);
    return set(call, *type);
}

Status Inference::infer_function_call(ExprId call, TypeId callee_type) {
    if (!callee_type.valid()) return set(call, {});
    if (!types_.is_function(callee_type))
        return fault(
            call, callee_name(call) + " is called, but is no function: its type is " + types_.to_string(callee_type));
    auto parameters = types_.parameters(callee_type);
    auto arguments = module_.arguments(call);
    if (parameters.size() != arguments.size())
        return fault(call, callee_name(call) + " takes " + std::to_string(parameters.size()) +
                               " arguments, but is given " + std::to_string(arguments.size()));
    for (size_t i = 0; i < arguments.size(); ++i) {
        TypeId type = module_.type(arguments[i]);
        if (module_.kind(arguments[i]) == ExprKind::Op && parameters[i].valid() && !types_.is_function(parameters[i]))
            return fault(call, callee_name(call) + ": argument " + std::to_string(i) + " is the operator " +
                                   op_name(arguments[i]) + ", but the parameter has type " +
                                   types_.to_string(parameters[i]));
        if (type.valid() && parameters[i].valid() && !compatible(type, parameters[i]))
            return fault(call, callee_name(call) + argument_types(call) + ": argument " + std::to_string(i) +
                                   " has type " + types_.to_string(type) + ", but the parameter has type " +
                                   types_.to_string(parameters[i]));
    }
    return set(call, types_.result(callee_type));
}

Status Inference::infer_call(ExprId call) {
    if (const OpRecord* op = called_op_record(module_, call)) return infer_op_call(call, *op);
    return infer_function_call(call, module_.type(module_.callee(call)));
}

Status Inference::infer_projection(ExprId id) {
    TypeId tuple = module_.type(module_.operands(id)[0]);
    if (!tuple.valid()) return set(id, {});
    if (!types_.is_tuple(tuple))
        return fault(id, "." + std::to_string(module_.projection_index(id)) + " needs a tuple, but is given " +
                             types_.to_string(tuple));
    auto fields = types_.parts(tuple);
    if (module_.projection_index(id) >= fields.size())
        return fault(id, "." + std::to_string(module_.projection_index(id)) + " is beyond the " +
                             std::to_string(fields.size()) + " fields of " + types_.to_string(tuple));
    return set(id, fields[module_.projection_index(id)]);
}

Status Inference::infer_let(ExprId id) {
    auto operands = module_.operands(id);
    TypeId declared = module_.type(operands[0]), value = module_.type(operands[1]);
    if (declared.valid() && value.valid() && !compatible(declared, value))
        return fault(id, "%" + std::string(module_.name(operands[0])) + " is declared as " +
                             types_.to_string(declared) + ", but its value has type " + types_.to_string(value));
    return set(id, module_.type(operands[2]));
}

Status Inference::infer_if(ExprId id) {
    auto operands = module_.operands(id);
    TypeId condition = module_.type(operands[0]);
    if (condition.valid() &&
        !(types_.is_tensor(condition) && types_.dtype(condition).is_bool() && types_.shape(condition).empty()))
        return fault(id, "the condition of if must be a bool, but has type " + types_.to_string(condition));
    TypeId then_type = module_.type(operands[1]), else_type = module_.type(operands[2]);
    if (then_type.valid() && else_type.valid() && !compatible(then_type, else_type))
        return fault(id, "the branches of if must have one type, but have " + types_.to_string(then_type) + " and " +
                             types_.to_string(else_type));
    return set(id, then_type.valid() ? then_type : else_type);
}

Status Inference::infer_function(ExprId id) {
    scratch_.clear();
    for (ExprId parameter : module_.parameters(id)) {
        TypeId type = module_.type(parameter);
        if (!type.valid() && argument_of_parameter_.contains(parameter)) return set(id, {});
        if (!type.valid())
            return fault(parameter, "the parameter %" + std::string(module_.name(parameter)) +
                                        " has no type; declare it, as in %" + std::string(module_.name(parameter)) +
                                        ": Tensor[(1, 8), float32]");
        scratch_.push_back(type);
    }
    FunctionInfo& info = module_.function_info(id);
    TypeId body = module_.type(module_.body(id));
    if (info.return_type.valid() && body.valid() && !compatible(info.return_type, body))
        return fault(id, "the function is declared to return " + types_.to_string(info.return_type) +
                             ", but its body has type " + types_.to_string(body));
    if (!info.return_type.valid()) info.return_type = body;
    return set(id, info.return_type.valid() ? types_.function(scratch_, info.return_type) : TypeId());
}

Status Inference::infer_reference(ExprId id) {
    auto operands = module_.operands(id);
    TypeId first = module_.type(operands[0]);
    if (module_.kind(id) == ExprKind::RefCreate) return set(id, first.valid() ? types_.reference(first) : TypeId());
    if (!first.valid()) return set(id, {});
    if (!types_.is_reference(first))
        return fault(id, "a reference is needed, but its type is " + types_.to_string(first));
    if (module_.kind(id) == ExprKind::RefRead) return set(id, types_.parts(first)[0]);
    TypeId value = module_.type(operands[1]);
    if (value.valid() && !compatible(value, types_.parts(first)[0]))
        return fault(id, "ref_write of " + types_.to_string(value) + " into " + types_.to_string(first));
    return set(id, types_.tuple({}));
}

Status Inference::infer(ExprId id) {
    switch (module_.kind(id)) {
        case ExprKind::Op:
        case ExprKind::Constant: return Nothing();
        case ExprKind::Var: {
            auto source = argument_of_parameter_.find(id);
            if (source != argument_of_parameter_.end()) module_.set_type(id, module_.type(source->second));
            return Nothing();
        }
        case ExprKind::GlobalVar: {
            ExprId function = module_.find_function(module_.name(id));
            if (!function.valid()) return fault(id, "there is no function @" + std::string(module_.name(id)));
            return set(id, module_.type(function));
        }
        case ExprKind::Call: return infer_call(id);
        case ExprKind::Tuple: {
            scratch_.clear();
            for (ExprId field : module_.operands(id)) {
                if (!module_.type(field).valid()) return set(id, {});
                scratch_.push_back(module_.type(field));
            }
            return set(id, types_.tuple(scratch_));
        }
        case ExprKind::Projection: return infer_projection(id);
        case ExprKind::Let: return infer_let(id);
        case ExprKind::If: return infer_if(id);
        case ExprKind::Function: return infer_function(id);
        case ExprKind::RefCreate:
        case ExprKind::RefRead:
        case ExprKind::RefWrite: return infer_reference(id);
    }
    return Nothing();
}

Status Inference::sweep(std::span<const ExprId> order) {
    unknown_ = 0;
    bounds_.restart();
    for (ExprId id : order) {
        if (cancelled_()) return error("cancelled");
        if (Status status = infer(id); !status) return status;
        if (let_var_of_value_.empty()) continue;
        auto let = let_var_of_value_.find(id);
        if (let != let_var_of_value_.end() && module_.type(id).valid()) module_.set_type(let->second, module_.type(id));
    }
    return Nothing();
}

Status Inference::run() {
    std::vector<ExprId> order = inference_order();
    find_sources_of_vars(order);
    size_t before = std::numeric_limits<size_t>::max();
    for (;;) {
        if (Status status = sweep(order); !status) return status;
        if (unknown_ == 0) break;
        if (unknown_ >= before)
            return fault(first_unknown_,
                         "the type can't be found: a function that calls itself needs a declared return type");
        before = unknown_;
    }
    module_.set_typed(true);
    return Nothing();
}

}  // namespace

Status infer_types(Module& module, ExprId* where, const CancelToken& cancel) {
    return Inference(module, where, cancel).run();
}

}  // namespace partita
