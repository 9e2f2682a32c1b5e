#include "engine/passes/scope_check.h"

#include <vector>

#include "engine/ir/traversal.h"

namespace partita {

namespace {

/// A tree of scopes that grows at its leaves.
class ScopeTree {
public:
    static constexpr uint32_t kRoot = 0;

    uint32_t open(uint32_t parent) {
        const Node& above = nodes_[parent];
        const Node& jumped = nodes_[above.jump];
        const bool even = above.depth - jumped.depth == jumped.depth - nodes_[jumped.jump].depth;
        nodes_.push_back({parent, even ? jumped.jump : parent, above.depth + 1});
        return uint32_t(nodes_.size() - 1);
    }

    uint32_t common(uint32_t a, uint32_t b) const {
        if (nodes_[a].depth < nodes_[b].depth) std::swap(a, b);
        while (nodes_[a].depth > nodes_[b].depth)
            a = nodes_[nodes_[a].jump].depth >= nodes_[b].depth ? nodes_[a].jump : nodes_[a].parent;
        while (a != b) {
            const bool far = nodes_[a].jump != nodes_[b].jump;
            a = far ? nodes_[a].jump : nodes_[a].parent;
            b = far ? nodes_[b].jump : nodes_[b].parent;
        }
        return a;
    }

    bool is_inside(uint32_t inner, uint32_t outer) const { return common(inner, outer) == outer; }

private:
    struct Node {
        uint32_t parent = 0, jump = 0, depth = 0;
    };
    std::vector<Node> nodes_{Node()};
};

class ScopeCheck {
public:
    explicit ScopeCheck(const Module& module)
        : module_(module), scope_(module.size(), kUnknown), binder_(module.size(), kUnknown) {}

    std::optional<ScopeFault> run() {
        std::vector<ExprId> roots;
        for (const GlobalFunction& global : module_.functions()) {
            roots.push_back(global.function);
            scope_[global.function.value] = ScopeTree::kRoot;
        }
        const std::vector<ExprId> order = post_order(module_, roots);
        for (size_t i = order.size(); i-- > 0;) visit(order[i]);
        for (const Use& use : uses_)
            if (binder_[use.var.value] == kUnknown || !tree_.is_inside(use.scope, binder_[use.var.value]))
                return ScopeFault{use.var, use.user};
        return bound_twice_;
    }

private:
    static constexpr uint32_t kUnknown = UINT32_MAX;
    struct Use {
        ExprId var, user;
        uint32_t scope;
    };

    void visit(ExprId id) {
        std::span<const ExprId> operands = module_.operands(id);
        const uint32_t here = scope_[id.value];
        switch (module_.kind(id)) {
            case ExprKind::Function: {
                const uint32_t inside = tree_.open(here);
                for (ExprId parameter : module_.parameters(id)) bind(parameter, id, inside);
                use(operands.back(), id, inside);
                break;
            }
            case ExprKind::Let: {
                const uint32_t inside = tree_.open(here);
                bind(operands[0], id, inside);
                // A function may call itself by its let-bound name.
                use(operands[1], id, module_.kind(operands[1]) == ExprKind::Function ? inside : here);
                use(operands[2], id, inside);
                break;
            }
            case ExprKind::If:
                use(operands[0], id, here);
                use(operands[1], id, tree_.open(here));
                use(operands[2], id, tree_.open(here));
                break;
            default:
                for (ExprId operand : operands) use(operand, id, here);
        }
    }

    void bind(ExprId var, ExprId binder, uint32_t scope) {
        uint32_t& known = binder_[var.value];
        if (known != kUnknown && !bound_twice_) bound_twice_ = ScopeFault{var, binder, true};
        known = scope;
    }

    void use(ExprId operand, ExprId user, uint32_t scope) {
        if (module_.kind(operand) == ExprKind::Var) return uses_.push_back({operand, user, scope});
        uint32_t& known = scope_[operand.value];
        known = known == kUnknown ? scope : tree_.common(known, scope);
    }

    const Module& module_;
    ScopeTree tree_;
    std::vector<uint32_t> scope_;   ///< by expression
    std::vector<uint32_t> binder_;  ///< by var: the scope in which it is visible
    std::vector<Use> uses_;
    std::optional<ScopeFault> bound_twice_;
};

}  // namespace

std::optional<ScopeFault> find_scope_fault(const Module& module) { return ScopeCheck(module).run(); }

}  // namespace partita
