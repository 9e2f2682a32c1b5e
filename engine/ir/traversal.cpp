#include "engine/ir/traversal.h"

#include <utility>

#include "engine/ir/post_order.h"

namespace partita {

std::vector<ExprId> post_order(const Module& module, ExprId root) { return post_order(module, std::span(&root, 1)); }

std::vector<ExprId> post_order(const Module& module, std::span<const ExprId> roots) {
    return post_order_of(module.size(), roots, [&](ExprId id) { return module.operands(id); });
}

UserTable::UserTable(const Module& module, std::span<const ExprId> order) : begin_(module.size() + 1) {
    for (ExprId id : order)
        for (ExprId operand : module.operands(id)) ++begin_[operand.value + 1];
    for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    list_.resize(begin_.back());
    std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (ExprId id : order)
        for (ExprId operand : module.operands(id)) list_[next[operand.value]++] = id;
}

std::span<const ExprId> ModuleCopier::operand_images(ExprId old) {
    operands_.clear();
    for (ExprId operand : from_.operands(old)) operands_.push_back(image_[operand.value]);
    return operands_;
}

ExprId ModuleCopier::copy(ExprId old) {
    ExprId made = to_.add_like(from_, old, operand_images(old));
    set_image(old, made);
    return made;
}

ExprId ModuleCopier::copy_all(ExprId root) {
    for (ExprId id : post_order(from_, root))
        if (!has(id)) copy(id);
    return image(root);
}

Module copy_module(const Module& module) {
    Module copy = Module::with_tables_of(module);
    ModuleCopier copier(module, copy);
    for (const GlobalFunction& global : module.functions())
        copy.set_function(module.names().text(global.name), copier.copy_all(global.function));
    copy.set_typed(module.typed());
    return copy;
}

}  // namespace partita
