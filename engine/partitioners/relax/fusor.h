// Makes functions of groups of bindings, as TVM's OperatorFusor does (src/relax/transform/fuse_ops.cc): what the passes
// FuseOpsByPattern and MergeCompositeFunctions have in common.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/frontends/relax/program.h"

namespace partita::relax {

/// A program while passes change it, with names for new functions.
class Rewriting {
public:
    explicit Rewriting(Program program);

    Program program;
    /// By Binding::source from `first_part` on: the bindings of the text that a call of a new function stands for.
    std::vector<std::vector<uint32_t>> parts;
    uint32_t first_part;

    /// Returns the bindings of the text that a binding is, or stands for.
    std::vector<uint32_t> sources_of(const Binding& binding) const;
    uint32_t add_part(std::vector<uint32_t> sources);

    /// Begins another pass: numbers behind names begin again.
    void begin_pass() { next_number_.clear(); }
    /// Adds a function, unless there is an equal one. Returns the name.
    std::string add(Function function, const std::string& hint);
    std::string free_name(const std::string& hint);
    void replace(size_t index, Function function);
    /// Drops the other functions; of PrimFuncs the private ones.
    void keep_only(const std::unordered_set<std::string>& names);
    const Function* find(const std::string& name) const;

    /// Returns a copy with variables of its own; `renamed` has those that stand for others already.
    Function copied(const Function& function, std::unordered_map<VariableNumber, VariableNumber> renamed = {});

private:
    Expression copied(const Expression& expression, std::unordered_map<VariableNumber, VariableNumber>& renamed);

    std::unordered_map<std::string, size_t> index_;            ///< of functions, by name
    std::unordered_map<std::string, std::string> structures_;  ///< of functions that calls may share: the least name
    std::unordered_map<std::string, uint32_t> next_number_;
};

/// The groups of one function's bindings, by their number in the function.
struct Groups {
    std::vector<uint32_t> of;                          ///< the group, which is the number of one of its bindings
    std::unordered_map<uint32_t, Attributes> becomes;  ///< groups that become functions, and those's attributes
};

/// Replaces each group by a call of a function of it, in dataflow blocks only. Linear but for the functions' equality.
/// `version_26`: static shapes and numbers stay inside also through variables.
Function fuse(Rewriting& rewriting, const Function& function, const Groups& groups, bool lifts_constants,
              bool version_26);

/// Calls body(expression) for each variable in an expression, those of functions inside, too.
template <class Body>
void for_each_variable(const Expression& expression, const Body& body) {
    if (expression.is(Expression::Kind::Variable)) body(expression.index);
    for (const Expression& operand : expression.operands) for_each_variable(operand, body);
    for (const auto& inner : expression.functions) {
        for (const Block& block : inner->blocks)
            for (const Binding& binding : block.bindings) for_each_variable(binding.value, body);
        for_each_variable(inner->result, body);
    }
}

}  // namespace partita::relax
