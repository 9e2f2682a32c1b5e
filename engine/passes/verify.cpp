#include "engine/passes/verify.h"

#include <cstdlib>

#include "engine/ir/kind_name.h"
#include "engine/ir/traversal.h"
#include "engine/passes/infer_types.h"
#include "engine/passes/scope_check.h"

namespace partita {

namespace {

std::vector<ExprId> reachable(const Module& module) {
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module.functions()) roots.push_back(global.function);
    return post_order(module, roots);
}

Diagnostic unsound(const Module& module, ExprId id, const std::string& what) {
    return error(
        "unsound module: %" + std::to_string(id.value) + " (" + std::string(kind_name(module.kind(id))) + ") " + what,
        module.position(id));
}

Status verify_order(const Module& module) {
    for (uint32_t i = 0; i < module.size(); ++i)
        for (ExprId operand : module.operands(ExprId(i)))
            if (!operand.valid() || operand.value >= i) return unsound(module, ExprId(i), "stands before its operand");
    return Nothing();
}

Status verify_types(const Module& module, std::span<const ExprId> order) {
    if (!module.typed()) return error("unsound module: it has no types");
    Module again = module;
    if (Status typed = infer_types(again); !typed) return error("unsound module: " + typed.error().message);
    for (ExprId id : order)
        if (again.type(id) != module.type(id)) return unsound(module, id, "has another type than the inferred one");
    return Nothing();
}

Status verify_origins(const Module& module, std::span<const ExprId> order, size_t root_size) {
    for (ExprId id : order)
        if (module.origin(id).valid() && module.origin(id).value >= root_size)
            return unsound(module, id, "has no such origin");
    return Nothing();
}

}  // namespace

Status verify_scopes(const Module& module) {
    const std::optional<ScopeFault> fault = find_scope_fault(module);
    if (!fault) return Nothing();
    const std::string name = "%" + std::string(module.name(fault->var));
    return unsound(module, fault->user,
                   fault->bound_twice ? "binds " + name + " again" : "uses " + name + " where it isn't visible");
}

bool verifying() {
#ifdef NDEBUG
    static const bool asked = std::getenv("PARTITA_VERIFY") != nullptr;
    return asked;
#else
    return true;
#endif
}

Status verify(const Module& module, size_t root_size) {
    if (Status done = verify_order(module); !done) return done;
    const std::vector<ExprId> order = reachable(module);
    if (Status done = verify_scopes(module); !done) return done;
    if (Status done = verify_types(module, order); !done) return done;
    return module.derived() ? verify_origins(module, order, root_size) : Nothing();
}

}  // namespace partita
