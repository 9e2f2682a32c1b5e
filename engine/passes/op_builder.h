// Makes typed calls of ops for passes that create expressions: the types come from the ops' own relations, so that the
// module needs no inference afterwards.
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

    /// New expressions get `origin` and `position`.
    OpBuilder(Module& module, ExprId origin, SourcePosition position)
        : module_(module), origin_(origin), position_(position) {}

    /// Attributes that are not given have their defaults. After the first failure, makes nothing and returns an invalid
    /// id; see `failed`.
    ExprId call(std::string_view op, std::initializer_list<ExprId> arguments, Attributes attributes = {});
    ExprId tuple(const std::vector<ExprId>& fields);
    /// Makes a constant of rank 0.
    ExprId scalar(DataType dtype, double value);
    ExprId constant(Tensor value);
    /// Of an expression that is a tensor. The span holds until a type is added.
    std::span<const int64_t> shape(ExprId tensor) const { return module_.types().shape(module_.type(tensor)); }
    DataType dtype(ExprId tensor) const { return module_.types().dtype(module_.type(tensor)); }

    bool failed() const { return failed_; }
    /// Returns the reason: an op unknown to the registry, or a relation that refused.
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

/// Returns for each expression whether it belongs to a function with the attribute `Compiler`. The body of such a
/// function belongs to its backend, and passes skip it.
std::vector<bool> opaque_expressions(const Module& module);

}  // namespace partita
