#include "app/gui/canvas/block_lists.h"

namespace partita {

BlockKinds block_kinds(const GraphModel& model) {
    BlockKinds kinds;
    QHash<QString, uint32_t> numbers;
    const auto number_of_title = [&](const QString& title) {
        auto found = numbers.find(title);
        if (found == numbers.end()) {
            found = numbers.insert(title, uint32_t(kinds.titles.size()));
            kinds.titles.push_back(title);
        }
        return *found;
    };
    // Calls of one operator have one title: of a large graph hardly any title is read.
    std::vector<uint32_t> numbers_of_ops;
    const auto number_of = [&](const GraphNode& node) {
        const OpId op = node.expr.valid() ? model.module->called_op(node.expr) : OpId();
        if (!op.valid()) return number_of_title(node.title);
        if (op.value >= numbers_of_ops.size()) numbers_of_ops.resize(op.value + 1, UINT32_MAX);
        uint32_t& number = numbers_of_ops[op.value];
        if (number == UINT32_MAX) number = number_of_title(node.title);
        return number;
    };
    BlockGraph& graph = kinds.graph;
    graph.kind.reserve(model.nodes.size());
    graph.is_result.resize(model.nodes.size());
    for (uint32_t node = 0; node < model.nodes.size(); ++node) {
        const GraphNode& data = model.nodes[node];
        graph.kind.push_back(number_of(data));
        graph.is_result[node] = data.is_output;
        if (data.is_output && data.kind == GraphNodeKind::Tuple && !model.incoming(node).empty())
            graph.gathering = node;
    }
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    edges.reserve(model.edges.size());
    for (const GraphEdge& edge : model.edges) edges.emplace_back(edge.from, edge.to);
    graph.connect(edges);
    return kinds;
}

std::vector<RunBlocks> compared_runs(const BlockGraph& graph, const GroupTree& tree) {
    std::vector<BlockGroup> groups;
    groups.reserve(tree.groups.size());
    for (const GraphGroup& group : tree.groups)
        groups.push_back({group.parent, group.times, group.form == GroupForm::Part});
    std::vector<RunBlocks> runs = list_run_blocks(graph, groups, tree.group_of);
    compare_blocks(graph, runs);
    return runs;
}

}  // namespace partita
