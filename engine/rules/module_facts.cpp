#include "engine/rules/module_facts.h"

#include "engine/annotators/annotator.h"
#include "engine/ops/cost.h"

namespace partita {

ModuleFacts::ModuleFacts(const Module& module) : module_(module) {}
ModuleFacts::~ModuleFacts() = default;

AnnotatorSession& ModuleFacts::session(const std::shared_ptr<Annotator>& annotator) {
    std::unique_ptr<AnnotatorSession>& session = sessions_[annotator.get()];
    if (!session) session = std::make_unique<AnnotatorSession>(annotator, module_);
    return *session;
}

ModuleFacts& ModuleFacts::of(const Module& other) {
    if (&other == &module_) return *this;
    std::unique_ptr<ModuleFacts>& facts = others_[&other];
    if (!facts) facts = std::make_unique<ModuleFacts>(other);
    facts->set_cancel(cancel_);
    return *facts;
}

void ModuleFacts::number_functions() {
    function_of_.assign(module_.size(), -1);
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module_.functions()) roots.push_back(global.function);
    order_ = post_order(module_, roots);
    // In post-order, only what a function contains lies between the function before it and itself.
    size_t next = 0;
    for (size_t f = 0; f < roots.size(); ++f) {
        if (function_of_[roots[f].value] >= 0) continue;
        for (; next < order_.size(); ++next) {
            function_of_[order_[next].value] = int32_t(f);
            if (order_[next] == roots[f]) {
                ++next;
                break;
            }
        }
    }
}

std::span<const ExprId> ModuleFacts::users(ExprId id) {
    if (!users_) {
        if (function_of_.empty()) number_functions();
        std::vector<ExprId> without_functions;
        for (ExprId expr : order_)
            if (module_.kind(expr) != ExprKind::Function) without_functions.push_back(expr);
        users_.emplace(module_, without_functions);
    }
    return users_->users(id);
}

int ModuleFacts::function_of(ExprId id) {
    if (function_of_.empty()) number_functions();
    return id.value < function_of_.size() ? function_of_[id.value] : -1;
}

double call_or_composite_flops(const Module& module, ExprId call) {
    if (module.kind(call) != ExprKind::Call) return 0;
    if (module.kind(module.callee(call)) != ExprKind::Function) return call_flops(module, call);
    double sum = 0;
    for (ExprId inner : post_order(module, module.callee(call))) sum += call_flops(module, inner);
    return sum;
}

std::string_view composite_name(const Module& module, ExprId call) {
    if (module.kind(call) != ExprKind::Call) return {};
    ExprId callee = module.callee(call);
    if (module.kind(callee) != ExprKind::Function) return {};
    return module.function_info(callee).string_attribute("Composite");
}

}  // namespace partita
