// The graph of a module in which blocks are looked for, as the window shows it: calls, tuples, fields and the
// parameters that carry data. Weights and constants, annotated or not, belong to their users.
#pragma once

#include <string>
#include <unordered_map>

#include "engine/blocks/block_graph.h"
#include "engine/ir/module.h"

namespace partita {

struct ModuleGraph {
    BlockGraph graph;
    std::vector<ExprId> exprs;       ///< by node
    std::vector<std::string> names;  ///< by kind: "nn.conv2d", "tuple of 2". Not cleaned of what a file may hold
};

/// Makes the graph of expressions that are given one by one.
class ModuleGraphBuilder {
public:
    static constexpr uint32_t kNone = UINT32_MAX;

    /// `parameters`: how many the function has. In one with few, only those used by a weight's name are weights.
    ModuleGraphBuilder(const Module& module, size_t parameters);

    /// Adds an expression and returns its number. `operands` are the numbers of what it uses, without what a call
    /// calls; kNone for what was not added.
    uint32_t add(ExprId expr, std::span<const uint32_t> operands);
    /// A function's result.
    void set_result(uint32_t number) { is_result_[number] = true; }
    ModuleGraph build();

private:
    uint32_t kind_of(ExprId expr);
    uint32_t numbered(const std::string& name);
    std::vector<uint32_t> number_nodes() const;

    const Module& module_;
    const bool few_parameters_;
    std::vector<ExprId> exprs_;
    std::vector<bool> is_result_, is_used_, is_data_;
    std::vector<std::pair<uint32_t, uint32_t>> edges_;
    std::vector<std::string> names_;
    std::unordered_map<std::string, uint32_t> number_of_name_;
    std::vector<uint32_t> kind_of_op_;
};

/// Returns the graph of all functions, in the order of their expressions. What lies in a literal function is not in it.
/// Linear.
ModuleGraph module_graph(const Module& module);

}  // namespace partita
