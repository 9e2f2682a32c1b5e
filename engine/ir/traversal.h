// Traversal of expressions. Iterative: memory bounds the depth, not the stack.
#pragma once

#include <span>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

/// Returns all expressions reachable from `root`, each once, operands before users, in TVM's graph order: depth first,
/// the operands of each expression from first to last (a call's callee before its arguments). Linear in time.
std::vector<ExprId> post_order(const Module& module, ExprId root);
/// The same from several roots in turn; an expression reachable from two appears with the first.
std::vector<ExprId> post_order(const Module& module, std::span<const ExprId> roots);

/// For each expression of the module, its users among the expressions of `order` (once per use). Flat and compact:
/// users of `id` are `list[begin[id] .. begin[id + 1])`.
class UserTable {
public:
    UserTable(const Module& module, std::span<const ExprId> order);
    std::span<const ExprId> users(ExprId id) const {
        return {list_.data() + begin_[id.value], begin_[id.value + 1] - begin_[id.value]};
    }

private:
    std::vector<uint32_t> begin_;
    std::vector<ExprId> list_;
};

/// Copies expressions from one module into another that shares its tables (Module::with_tables_of) and remembers the
/// image of each. A pass walks `post_order` and for each expression either sets its image or calls `copy`.
class ModuleCopier {
public:
    ModuleCopier(const Module& from, Module& to) : from_(from), to_(to), image_(from.size()) {}

    ExprId image(ExprId old) const { return image_[old.value]; }
    bool has(ExprId old) const { return image_[old.value].valid(); }
    void set_image(ExprId old, ExprId made) { image_[old.value] = made; }
    /// Returns the images of the operands, which must have been set. Valid until the next call.
    std::span<const ExprId> operand_images(ExprId old);
    /// Copies `old` with the images of its operands and sets its image.
    ExprId copy(ExprId old);
    /// Copies everything reachable from `root` that has no image yet.
    ExprId copy_all(ExprId root);

private:
    const Module& from_;
    Module& to_;
    std::vector<ExprId> image_;
    std::vector<ExprId> operands_;
};

/// Returns a derived copy of a module with only what its functions reach.
Module copy_module(const Module& module);

}  // namespace partita
