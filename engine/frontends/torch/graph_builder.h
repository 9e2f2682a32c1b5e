// Builds the plain graph of a program as torch.fx holds it once it is loaded: a node for each input, one for each body
// that a node is given (get_attr), `_operator.getitem` behind what returns several values, and `output`.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/frontends/torch/program.h"
#include "engine/graph/graph.h"
#include "engine/ir/file_operators.h"

namespace partita::torch {

/// A result of a node.
struct PlainResult {
    std::string_view name;
    std::string dtype;
    std::vector<int64_t> shape;
    bool has_shape = false;
    ExprId expression;
    bool is_used = true;
};

class GraphBuilder {
public:
    explicit GraphBuilder(const Program& program) : program_(program), made_(std::make_shared<partita::Graph>()) {}

    void add_input(std::string_view name, const std::string& dtype, const std::vector<int64_t>& shape, bool constant,
                   ExprId expression, const InputSpec& spec);
    /// `label` is that of the calls that the node became.
    void add_call(const Node& node, ExprId expression, const std::vector<PlainResult>& results,
                  const std::string& label);
    /// The node that returns what the graph returns.
    void add_output(ExprId expression);
    /// Says that a value is one of the user's results.
    void mark_output(std::string_view name);
    std::shared_ptr<partita::Graph> finish() { return std::move(made_); }
    /// Returns the operators of a finished graph: calls have their arguments as the file writes them.
    std::shared_ptr<const FileOperators> operators(std::shared_ptr<const partita::Graph> graph);

private:
    PlainNode& add_node(std::string name, std::string op, ExprId expression);
    GraphValueId add_value(std::string_view name, const PlainResult* result);
    void add_item(GraphValueId from, size_t place, const PlainResult& result);
    void use(PlainNode& node, const Argument& argument);
    std::string attributes_of(const Node& node) const;

    const Program& program_;
    std::shared_ptr<partita::Graph> made_;
    std::unordered_map<std::string_view, GraphValueId> values_;  ///< by their name in the file
    std::unordered_set<std::string> taken_;
    std::vector<std::string> written_;                      ///< by node: its arguments
    std::vector<std::pair<std::string, uint32_t>> labels_;  ///< of calls, and their nodes
};

}  // namespace partita::torch
