#include "engine/passes/rewrite_calls.h"

#include <algorithm>

#include "engine/ir/traversal.h"

namespace partita {

namespace {

class CallRewriter {
public:
    CallRewriter(const Module& module, std::span<const CallRewrite> table, DecisionLog* log, RewriteReach reach)
        : module_(module), table_(table), result_(Module::with_tables_of(module)), copier_(module, result_), log_(log),
          opaque_(reach == RewriteReach::Everywhere ? std::vector<bool>(module.size()) : opaque_expressions(module)) {
        for (const CallRewrite& rule : table) ops_.push_back(op_registry().find(rule.op));
    }

    Result<Module> run() {
        for (const GlobalFunction& global : module_.functions()) {
            const std::vector<ExprId> order = post_order(module_, global.function);
            const auto functions = std::count_if(order.begin(), order.end(),
                                                 [this](ExprId id) { return module_.kind(id) == ExprKind::Function; });
            shared_.clear();
            for (ExprId id : order) {
                if (copier_.has(id)) continue;
                if (Status done = add(id); !done) return done.error();
                if (functions > 1) shared_.clear();  // an expression belongs to one function
            }
            result_.set_function(module_.names().text(global.name), copier_.image(global.function));
        }
        result_.set_typed(module_.typed());
        return std::move(result_);
    }

private:
    Status add(ExprId id) {
        if (const CallRewrite* rule = opaque_[id.value] ? nullptr : rule_for(id)) {
            const Result<bool> rewritten = apply(*rule, id);
            if (!rewritten) return rewritten.error();
            if (*rewritten) return Nothing();
        }
        copier_.copy(id);
        return Nothing();
    }

    /// Returns the rule for an expression: a call, or the projection of the first field of one.
    const CallRewrite* rule_for(ExprId id) const {
        bool projection = module_.kind(id) == ExprKind::Projection && module_.projection_index(id) == 0;
        OpId op = module_.called_op(projection ? module_.operands(id)[0] : id);
        if (!op.valid()) return nullptr;
        for (size_t i = 0; i < ops_.size(); ++i)
            if (ops_[i] == op && table_[i].first_of_tuple == projection) return &table_[i];
        return nullptr;
    }

    /// Returns false if the call stays.
    Result<bool> apply(const CallRewrite& rule, ExprId id) {
        ExprId call = rule.first_of_tuple ? module_.operands(id)[0] : id;
        OpBuilder builder(result_, module_.origin(call), module_.position(call));
        std::vector<ExprId> arguments;
        for (ExprId argument : module_.arguments(call)) arguments.push_back(copier_.image(argument));
        Rewrite rewrite{builder,
                        std::move(arguments),
                        attributes_of(module_, call),
                        module_.types(),
                        module_.type(module_.arguments(call)[0]),
                        module_.type(call),
                        shared_};
        const size_t before = result_.size();
        const ExprId made = rule.rewrite(rewrite);
        if (builder.failed()) return builder.failure();
        if (!made.valid()) return false;
        copier_.set_image(id, made);
        if (const std::string_view label = module_.label(call); !label.empty())
            for (size_t i = before; i < result_.size(); ++i)
                if (result_.kind(ExprId(uint32_t(i))) == ExprKind::Call)
                    result_.set_label(ExprId(uint32_t(i)), std::string(label));
        if (log_) {
            Decision decision{};
            decision.pass = PassKind::Simplify;
            decision.kind = DecisionKind::Rewritten;
            decision.subject = module_.origin(call);
            decision.detail = {rule.message, {}};
            log_->add(std::move(decision));
        }
        return true;
    }

    const Module& module_;
    const std::span<const CallRewrite> table_;
    Module result_;
    ModuleCopier copier_;
    DecisionLog* log_;
    std::vector<bool> opaque_;
    std::vector<OpId> ops_;  ///< of the table
    std::map<std::vector<int64_t>, ExprId> shared_;
};

}  // namespace

AttributeValue::List integer_list_of(const std::vector<int64_t>& values) {
    AttributeValue::List list;
    for (int64_t value : values) list.emplace_back(Integer{value, 32});
    return list;
}

Result<Module> rewrite_calls(const Module& module, std::span<const CallRewrite> table, DecisionLog* log,
                             RewriteReach reach) {
    return CallRewriter(module, table, log, reach).run();
}

}  // namespace partita
