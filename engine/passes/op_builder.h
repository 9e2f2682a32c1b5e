// Makes typed calls of ops for passes that write new expressions: the types come from the ops' own relations, so that
// no inference over the module is needed afterwards.
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>

#include "engine/ir/module.h"
#include "engine/ops/registry.h"

namespace partita {

class OpBuilder {
public:
    using Attributes = std::initializer_list<std::pair<std::string_view, AttributeValue>>;

    /// What is made gets `origin` and `position`.
    OpBuilder(Module& module, ExprId origin, SourcePosition position)
        : module_(module), origin_(origin), position_(position) {}

    /// Attributes that are not given have their defaults. After a first failure it makes nothing more and gives an
    /// invalid id; `failed` tells.
    ExprId call(std::string_view op, std::initializer_list<ExprId> arguments, Attributes attributes = {});
    /// A constant of rank 0.
    ExprId scalar(DataType dtype, double value);

    bool failed() const { return failed_; }
    /// Why: an op that the registry does not have, or a relation that refused.
    const Diagnostic& failure() const { return failure_; }

private:
    ExprId fail(Diagnostic diagnostic);
    ExprId mark(ExprId made);

    Module& module_;
    ExprId origin_;
    SourcePosition position_;
    bool failed_ = false;
    Diagnostic failure_;
};

/// For each expression, whether it belongs to a function with the attribute `Compiler`, whose body belongs to its
/// backend and is left alone by passes.
std::vector<bool> opaque_expressions(const Module& module);

}  // namespace partita
