#include "app/gui/canvas/block_lists.h"

#include <unordered_map>

namespace partita {

BlockKinds block_kinds(const GraphModel& model) {
    BlockKinds kinds;
    QHash<QString, uint32_t> numbers;
    // Calls of one operator share their title's letters: of a large graph hardly any title is read.
    std::unordered_map<const QChar*, uint32_t> numbers_of_shared;
    const auto number_of = [&](const QString& title) {
        const auto [shared, is_new] = numbers_of_shared.try_emplace(title.constData(), 0);
        if (!is_new) return shared->second;
        auto found = numbers.find(title);
        if (found == numbers.end()) {
            found = numbers.insert(title, uint32_t(kinds.titles.size()));
            kinds.titles.push_back(title);
        }
        return shared->second = *found;
    };
    BlockGraph& graph = kinds.graph;
    graph.kind.reserve(model.nodes.size());
    graph.is_result.resize(model.nodes.size());
    for (uint32_t node = 0; node < model.nodes.size(); ++node) {
        const GraphNode& data = model.nodes[node];
        graph.kind.push_back(number_of(data.title));
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
