#include "engine/passes/op_builder.h"

#include "engine/ir/traversal.h"

namespace partita {

ExprId OpBuilder::fail(Diagnostic diagnostic) {
    failed_ = true;
    failure_ = std::move(diagnostic);
    failure_.position = position_;
    return {};
}

ExprId OpBuilder::mark(ExprId made) {
    if (module_.derived()) module_.set_origin(made, origin_);
    if (position_.line) module_.set_position(made, position_);
    return made;
}

ExprId OpBuilder::call(std::string_view name, std::initializer_list<ExprId> arguments, Attributes attributes) {
    if (failed_) return {};
    OpId id = op_registry().find(name);
    if (!id.valid()) return fail(error("there is no op " + std::string(name)));
    const OpRecord& op = op_registry()[id];
    AttributeList values = op.default_attributes();
    for (const auto& [attribute, value] : attributes) {
        int index = op.attribute_index(attribute);
        if (index < 0) return fail(error(op.name + " has no attribute " + std::string(attribute)));
        values[size_t(index)] = value;
    }
    std::vector<TypeId> types;
    for (ExprId argument : arguments) types.push_back(module_.type(argument));
    Result<TypeId> type = op.relation({module_.types(), types, AttributesView(op, values)});
    if (!type) return fail(error(op.name + ": " + type.error().message));
    AttributesId attributes_id = values.empty() ? AttributesId() : module_.add_attributes(std::move(values));
    return mark(module_.add_call(module_.add_op(id), arguments, attributes_id, *type));
}

ExprId OpBuilder::tuple(const std::vector<ExprId>& fields) {
    if (failed_) return {};
    std::vector<TypeId> types;
    for (ExprId field : fields) types.push_back(module_.type(field));
    return mark(module_.add_tuple(fields, module_.types().tuple(types)));
}

ExprId OpBuilder::scalar(DataType dtype, double value) {
    Tensor tensor(dtype, {});
    tensor.set(0, value);
    return constant(std::move(tensor));
}

ExprId OpBuilder::constant(Tensor value) {
    if (failed_) return {};
    return mark(module_.add_constant(std::move(value)));
}

std::vector<bool> opaque_expressions(const Module& module) {
    std::vector<bool> opaque(module.size());
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module.functions()) roots.push_back(global.function);
    std::vector<ExprId> order = post_order(module, roots);
    // Users follow their operands: from the back, an outer function comes before its inner ones.
    for (size_t i = order.size(); i-- > 0;) {
        ExprId id = order[i];
        if (module.kind(id) != ExprKind::Function || opaque[id.value]) continue;
        if (!module.function_info(id).attribute("Compiler")) continue;
        for (ExprId inside : post_order(module, id)) opaque[inside.value] = true;
    }
    return opaque;
}

}  // namespace partita
