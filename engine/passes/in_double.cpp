#include "engine/passes/in_double.h"

#include "engine/ir/traversal.h"
#include "engine/passes/infer_types.h"
#include "engine/passes/op_builder.h"

namespace partita {

namespace {

DataType widened(DataType dtype) { return dtype.is_float() ? kFloat64 : dtype; }

class Widener {
public:
    explicit Widener(const Module& module)
        : module_(module), result_(Module::with_tables_of(module)), copier_(module, result_),
          parameters_(module.size()) {}

    Result<Module> run() {
        std::vector<ExprId> roots;
        for (const GlobalFunction& global : module_.functions()) roots.push_back(global.function);
        const ExprId main = module_.find_function("main");
        if (main.valid())
            for (ExprId parameter : module_.parameters(main))
                if (Status added = add_parameter(parameter); !added) return added.error();
        for (ExprId id : post_order(module_, roots))
            if (!copier_.has(id))
                if (Status added = add(id); !added) return added.error();
        for (const GlobalFunction& global : module_.functions())
            result_.set_function(module_.names().text(global.name), copier_.image(global.function));
        if (Status typed = infer_types(result_); !typed) return typed.error();
        return std::move(result_);
    }

private:
    /// Types of one table are finitely deep, as a file's nesting is limited.
    TypeId widened_type(TypeId type) {
        TypeTable& types = result_.types();
        if (!type.valid()) return type;
        if (types.is_tensor(type)) {
            const std::vector<int64_t> shape(types.shape(type).begin(), types.shape(type).end());
            return types.tensor(widened(types.dtype(type)), shape);
        }
        std::vector<TypeId> parts(types.parts(type).begin(), types.parts(type).end());
        for (TypeId& part : parts) part = widened_type(part);
        if (types.is_tuple(type)) return types.tuple(parts);
        if (types.is_reference(type)) return types.reference(parts.front());
        return types.function(std::span(parts).first(parts.size() - 1), parts.back());
    }

    /// A parameter of @main keeps its type, so that the same inputs fit.
    Status add_parameter(ExprId id) {
        if (!module_.types().is_tensor(module_.type(id))) return error("a parameter is a tuple", module_.position(id));
        const ExprId var = result_.add_like(module_, id, {});
        parameters_[id.value] = var;
        return set_cast(id, var, module_.types().dtype(module_.type(id)));
    }

    Status set_cast(ExprId id, ExprId value, DataType dtype) {
        if (dtype == widened(dtype)) {
            copier_.set_image(id, value);
            return Nothing();
        }
        OpBuilder builder(result_, module_.origin(id), module_.position(id));
        copier_.set_image(id, builder.call("cast", {value}, {{"dtype", widened(dtype)}}));
        if (builder.failed()) return builder.failure();
        return Nothing();
    }

    Status add(ExprId id) {
        switch (module_.kind(id)) {
            case ExprKind::Constant:
                return set_cast(id, result_.add_like(module_, id, {}), module_.types().dtype(module_.type(id)));
            case ExprKind::Var:
                copier_.set_image(id, result_.add_var(module_.name(id), widened_type(module_.type(id))));
                return Nothing();
            case ExprKind::Call: add_call(id); return Nothing();
            case ExprKind::Function: add_function(id); return Nothing();
            default: copier_.copy(id); return Nothing();
        }
    }

    void add_call(ExprId id) {
        AttributesId attributes = module_.attributes_id(id);
        if (attributes.valid()) {
            AttributeList list = module_.attributes(attributes);
            for (AttributeValue& value : list)
                if (const DataType* dtype = value.as_dtype(); dtype && dtype->is_float()) value = kFloat64;
            attributes = result_.add_attributes(std::move(list));
        }
        const std::span<const ExprId> operands = copier_.operand_images(id);
        const ExprId made = result_.add_call(operands[0], operands.subspan(1), attributes);
        result_.set_origin(made, module_.origin(id));
        result_.set_position(made, module_.position(id));
        copier_.set_image(id, made);
    }

    void add_function(ExprId id) {
        std::vector<ExprId> parameters;
        for (ExprId parameter : module_.parameters(id)) {
            const ExprId own = parameters_[parameter.value];
            parameters.push_back(own.valid() ? own : copier_.image(parameter));
        }
        FunctionInfo info = module_.function_info(id);
        info.return_type = widened_type(info.return_type);
        copier_.set_image(id, result_.add_function(parameters, copier_.image(module_.body(id)), std::move(info)));
    }

    const Module& module_;
    Module result_;
    ModuleCopier copier_;
    std::vector<ExprId> parameters_;  ///< by expression: the parameter of @main that it became
};

}  // namespace

Result<Module> in_double(const Module& module) { return Widener(module).run(); }

}  // namespace partita
