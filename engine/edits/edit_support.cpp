#include "engine/edits/edit_support.h"

#include <algorithm>
#include <cctype>

#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"

namespace partita {

std::string op_name(const Module& module, ExprId call) {
    const OpRecord* op = called_op_record(module, call);
    return op ? op->name : "the expression";
}

std::string free_parameter_name(const Draft& draft, ExprId function, const std::string& base) {
    std::set<std::string, std::less<>> taken;
    for (ExprId parameter : draft.before().parameters(function)) taken.emplace(draft.before().name(parameter));
    for (ExprId parameter : draft.new_parameters(function)) taken.emplace(draft.var_name(parameter));
    if (!taken.count(base)) return base;
    for (int i = 1;; ++i)
        if (std::string name = base + std::to_string(i); !taken.count(name)) return name;
}

std::string free_function_name(const Module& module, std::string_view base) {
    std::string name(base);
    for (int i = 1; module.find_function(name).valid(); ++i) name = std::string(base) + "_" + std::to_string(i);
    return name;
}

bool is_valid_name(std::string_view name) {
    bool begins = true;
    for (char c : name) {
        const bool separator = c == '.' || c == '/';
        const bool letter = std::isalpha(static_cast<unsigned char>(c)) || c == '_';
        const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
        if (begins ? !letter : !(letter || digit || separator)) return false;
        begins = separator;
    }
    return !begins;
}

ExprId function_of(const Module& module, ExprId expression) {
    for (const GlobalFunction& global : module.functions()) {
        if (global.function == expression) return expression;
    }
    // Operands have smaller ids than their users, so nothing with a smaller id contains `expression`.
    std::vector<bool> reached(module.size());
    for (const GlobalFunction& global : module.functions()) {
        if (global.function.value < expression.value) continue;
        std::vector<ExprId> open{global.function};
        while (!open.empty()) {
            const ExprId id = open.back();
            open.pop_back();
            if (reached[id.value]) continue;
            reached[id.value] = true;
            if (id == expression) return global.function;
            for (ExprId operand : module.operands(id))
                if (operand.value >= expression.value) open.push_back(operand);
        }
    }
    return {};
}

std::optional<EditFault> check_expression(const Module& module, ExprId id) {
    if (id.valid() && id.value < module.size()) return {};
    return edit_fault({SENTENCE("Engine", "there is no such expression"), {}});
}

bool is_value_edge(const Module& module, EditEdge edge) {
    const std::span<const ExprId> operands = module.operands(edge.user);
    if (edge.index >= operands.size()) return false;
    switch (module.kind(edge.user)) {
        case ExprKind::Call: return edge.index > 0 || module.kind(operands[0]) == ExprKind::Var;
        case ExprKind::Function: return edge.index + 1 == operands.size();
        case ExprKind::Let: return edge.index > 0;
        default: return true;
    }
}

bool may_be_none(const AttributeField& field) {
    return field.kind == AttributeKind::IntegerList || field.kind == AttributeKind::Object ||
           (!field.required && field.default_value.is_none());
}

Result<ExprId> make_call(Draft& draft, const NewCall& call, ExprId function) {
    const OpRecord& record = op_registry()[call.op];
    AttributesId attributes;
    if (!record.attributes.empty()) {
        AttributeList values = call.attributes.empty() ? record.default_attributes() : call.attributes;
        if (values.size() != record.attributes.size()) return error(record.name + " has other attributes");
        for (size_t i = 0; i < values.size(); ++i)
            if (values[i].is_none() && !may_be_none(record.attributes[i]))
                return error(record.name + " needs the attribute " + record.attributes[i].name);
        attributes = draft.tables().add_attributes(std::move(values));
    }
    std::vector<ExprId> arguments;
    for (const NewOperand& operand : call.operands) {
        if (operand.kind == NewOperand::Kind::Value) {
            if (!operand.value.valid() || operand.value.value >= draft.before().size())
                return error("an operand of " + record.name + " is missing");
            arguments.push_back(operand.value);
            continue;
        }
        if (operand.kind == NewOperand::Kind::Tuple) {
            arguments.push_back(draft.add(ExprKind::Tuple, 0, operand.fields));
            continue;
        }
        const TypeTable& types = draft.tables().types();
        if (!operand.type.valid()) return error("the type of an operand of " + record.name + " is not known");
        if (operand.kind == NewOperand::Kind::Parameter) {
            const std::string name = is_valid_name(operand.name) ? operand.name : "input";
            const ExprId var = draft.add_var(free_parameter_name(draft, function, name), operand.type);
            draft.add_parameter(function, var);
            arguments.push_back(var);
            continue;
        }
        if (!types.is_tensor(operand.type)) return error("a constant must be a tensor");
        constexpr int64_t kLargestConstant = int64_t(1) << 28;
        std::optional<int64_t> count = element_count(types.shape(operand.type));
        if (!count || *count > kLargestConstant) return error("the constant would be too large");
        const std::span<const int64_t> shape = types.shape(operand.type);
        Tensor tensor(types.dtype(operand.type), {shape.begin(), shape.end()});
        for (int64_t i = 0; operand.fill != 0 && i < tensor.size(); ++i) tensor.set(i, operand.fill);
        arguments.push_back(draft.add_constant(std::move(tensor)));
    }
    return draft.add_op_call(call.op, attributes, std::move(arguments));
}

TypeId import_type(const TypeTable& from, TypeId type, TypeTable& to) {
    if (!type.valid()) return {};
    if (from.is_tensor(type)) {
        const std::vector<int64_t> shape(from.shape(type).begin(), from.shape(type).end());
        return to.tensor(from.dtype(type), shape);
    }
    std::vector<TypeId> parts;
    for (TypeId part : from.parts(type)) parts.push_back(import_type(from, part, to));
    if (from.is_tuple(type)) return to.tuple(parts);
    if (from.is_reference(type)) return to.reference(parts[0]);
    return to.function(std::span<const TypeId>(parts).first(parts.size() - 1), parts.back());
}

void append_output(Draft& draft, ExprId function, ExprId value) {
    const uint32_t last = uint32_t(draft.operands(function).size() - 1);
    const ExprId body = draft.operands(function)[last];
    std::vector<ExprId> fields{body};
    if (draft.kind(body) == ExprKind::Tuple) {
        std::span<const ExprId> known = draft.operands(body);
        fields.assign(known.begin(), known.end());
    }
    fields.push_back(value);
    draft.set_operand(function, last, draft.add(ExprKind::Tuple, 0, std::move(fields)));
}

}  // namespace partita
