#include "engine/passes/fold_constants.h"

#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"
#include "engine/passes/op_builder.h"

namespace partita {

namespace {

class Folder {
public:
    /// Only copies expressions in `skipped`.
    Folder(const Module& module, size_t max_bytes, DecisionLog* log, std::vector<bool> skipped)
        : module_(module), result_(Module::with_tables_of(module)), copier_(module, result_), max_bytes_(max_bytes),
          log_(log), opaque_(std::move(skipped)) {}

    Result<Module> run() {
        std::vector<ExprId> roots;
        for (const GlobalFunction& global : module_.functions()) roots.push_back(global.function);
        for (ExprId id : post_order(module_, roots))
            if (!copier_.has(id) && (opaque_[id.value] || !fold(id))) copier_.copy(id);
        for (const GlobalFunction& global : module_.functions())
            result_.set_function(module_.names().text(global.name), copier_.image(global.function));
        result_.set_typed(module_.typed());
        return std::move(result_);
    }

private:
    bool fold(ExprId id) {
        if (module_.kind(id) == ExprKind::Projection) return fold_projection(id);
        return module_.called_op(id).valid() && fold_call(id);
    }

    /// Folds a projection of a Tuple expression whose field is a constant.
    bool fold_projection(ExprId id) {
        ExprId tuple = copier_.image(module_.operands(id)[0]);
        if (result_.kind(tuple) != ExprKind::Tuple) return false;
        ExprId field = result_.operands(tuple)[module_.projection_index(id)];
        if (result_.kind(field) != ExprKind::Constant) return false;
        copier_.set_image(id, field);
        return true;
    }

    /// Collects the constants of an argument, flattening tuples; returns false if it holds anything else.
    bool collect_constants(ExprId argument, std::vector<TensorView>& views) const {
        if (result_.kind(argument) == ExprKind::Tuple) {
            for (ExprId field : result_.operands(argument))
                if (result_.kind(field) != ExprKind::Constant || !collect_constants(field, views)) return false;
            return true;
        }
        if (result_.kind(argument) != ExprKind::Constant) return false;
        const Tensor& value = result_.constant(argument);
        views.push_back({const_cast<void*>(value.bytes()), value.dtype(), value.shape()});
        return true;
    }

    /// Returns the types of the result, tuples flattened; empty if it cannot be folded.
    std::vector<TypeId> foldable_results(ExprId call) const {
        const TypeTable& types = module_.types();
        TypeId type = module_.type(call);
        std::vector<TypeId> fields;
        if (types.is_tuple(type)) fields.assign(types.parts(type).begin(), types.parts(type).end());
        else fields.push_back(type);
        size_t bytes = 0;
        for (TypeId field : fields) {
            if (!types.is_tensor(field)) return {};
            std::optional<int64_t> count = element_count(types.shape(field));
            if (!count || size_t(*count) > max_bytes_) return {};
            bytes += size_t(*count) * types.dtype(field).bytes();
        }
        return bytes > max_bytes_ ? std::vector<TypeId>() : fields;
    }

    bool fold_call(ExprId call) {
        const OpRecord& op = op_registry()[module_.called_op(call)];
        // Annotations say where a value is computed; folding them would lose this. Calls without arguments (zeros,
        // full) are already short; TVM keeps them too.
        if (!op.kernel || op.name.starts_with("annotation.") || op.name == "nn.dropout") return false;
        if (module_.arguments(call).empty()) return false;
        std::vector<TensorView> inputs;
        try {
            for (ExprId argument : module_.arguments(call))
                if (!collect_constants(copier_.image(argument), inputs)) return false;
        } catch (const DataLost&) {
            return false;  // a run says what is missing
        }
        std::vector<TypeId> fields = foldable_results(call);
        if (fields.empty()) return false;

        const TypeTable& types = module_.types();
        std::vector<Tensor> values;
        std::vector<TensorView> outputs;
        for (TypeId field : fields)
            values.emplace_back(types.dtype(field),
                                std::vector<int64_t>(types.shape(field).begin(), types.shape(field).end()));
        for (Tensor& value : values) outputs.push_back({value.bytes(), value.dtype(), value.shape()});
        if (!op.kernel({inputs, outputs, attributes_of(module_, call), threads_})) return false;
        set_folded(call, std::move(values));
        return true;
    }

    void set_folded(ExprId call, std::vector<Tensor> values) {
        const TypeTable& types = module_.types();
        std::vector<ExprId> fields;
        for (Tensor& value : values) fields.push_back(mark(result_.add_constant(std::move(value)), call));
        ExprId made = fields[0];
        if (types.is_tuple(module_.type(call))) made = mark(result_.add_tuple(fields, module_.type(call)), call);
        copier_.set_image(call, made);
        if (!log_) return;
        Decision decision{};
        decision.pass = PassKind::FoldConstants;
        decision.kind = DecisionKind::Rewritten;
        decision.subject = module_.origin(call);
        decision.detail = {SENTENCE("Engine", "%1 of constants became a constant"),
                           {op_registry()[module_.called_op(call)].name}};
        log_->add(std::move(decision));
    }

    ExprId mark(ExprId made, ExprId call) {
        result_.set_origin(made, module_.origin(call));
        if (SourcePosition position = module_.position(call); position.line) result_.set_position(made, position);
        return made;
    }

    const Module& module_;
    Module result_;
    ModuleCopier copier_;
    size_t max_bytes_;
    DecisionLog* log_;
    std::vector<bool> opaque_;
    ThreadPool threads_;
};

}  // namespace

Result<Module> fold_constants(const Module& module, size_t max_bytes, DecisionLog* log) {
    return Folder(module, max_bytes, log, opaque_expressions(module)).run();
}

Result<Module> fold_constants_for(const Module& module, const std::string& compiler, size_t max_bytes,
                                  DecisionLog* log) {
    std::vector<ExprId> roots, wanted;
    for (const GlobalFunction& global : module.functions()) roots.push_back(global.function);
    for (ExprId id : post_order(module, roots))
        if (module.kind(id) == ExprKind::Function && module.function_info(id).string_attribute("Compiler") == compiler)
            wanted.push_back(id);
    std::vector<bool> skipped(module.size(), true);
    for (ExprId id : post_order(module, wanted)) skipped[id.value] = false;
    return Folder(module, max_bytes, log, std::move(skipped)).run();
}

}  // namespace partita
