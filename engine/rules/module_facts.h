// Facts about a module that rules, explanations and reports query again and again: the users of an expression, the
// function that contains it.
//
// The tables are built by the first query that needs them, linear in the module; a query costs a look-up. Belongs to
// one thread. The module must outlive it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/ir/module.h"
#include "engine/ir/traversal.h"
#include "engine/support/cancel.h"

namespace partita {

class Annotator;
class AnnotatorSession;  // engine/annotators/annotator.h

class ModuleFacts {
public:
    explicit ModuleFacts(const Module& module);
    ~ModuleFacts();

    const Module& module() const { return module_; }
    /// Returns the expressions that have `id` as an operand, once per use; without functions whose body it is.
    std::span<const ExprId> users(ExprId id);
    /// Returns the index into Module::functions() of the first global function that contains `id`, or -1.
    int function_of(ExprId id);
    /// Returns the session in which an annotator answers about this module.
    AnnotatorSession& session(const std::shared_ptr<Annotator>& annotator);
    /// Returns the facts of another module, which must outlive this.
    ModuleFacts& of(const Module& other);
    /// Sets the token that stops annotators from now on.
    void set_cancel(const CancelToken& cancel) { cancel_ = cancel; }
    const CancelToken& cancel() const { return cancel_; }

private:
    void number_functions();

    const Module& module_;
    CancelToken cancel_;
    std::optional<UserTable> users_;
    std::vector<ExprId> order_;
    std::vector<int32_t> function_of_;
    std::map<const Annotator*, std::unique_ptr<AnnotatorSession>> sessions_;
    std::map<const Module*, std::unique_ptr<ModuleFacts>> others_;
};

/// Returns the operations of one call as call_flops (engine/ops/cost.h); for a call of a function literal, those of its
/// body.
double call_or_composite_flops(const Module& module, ExprId call);
/// Returns `Composite` of the function literal that the expression calls, or "".
std::string_view composite_name(const Module& module, ExprId call);

}  // namespace partita
