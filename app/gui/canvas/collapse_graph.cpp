// The model with closed groups as nodes, see graph_groups.h.
#include <algorithm>

#include <QLocale>
#include <QObject>

#include "app/gui/canvas/graph_groups.h"
#include "app/gui/jobs/job_runner.h"

namespace partita {

namespace {

class Collapser {
public:
    Collapser(GraphModelPtr full, GroupTreePtr tree, const OpenGroups& open)
        : full_(*full), tree_(*tree), open_(open), model_(freed_on_worker(std::make_unique<GraphModel>())) {
        model_->module = full->module;
        model_->function = full->function;
        model_->full = std::move(full);
        model_->groups = std::move(tree);
    }

    GraphModelPtr collapse() {
        find_closed();
        add_nodes();
        add_members();
        add_edges();
        model_->index_edges();
        return model_;
    }

private:
    /// For each group the outermost closed one that it lies in, and the innermost open one round that.
    void find_closed() {
        closed_.assign(tree_.groups.size(), -1);
        frame_.assign(tree_.groups.size(), -1);
        for (size_t i = 0; i < tree_.groups.size(); ++i) {
            const GraphGroup& group = tree_.groups[i];
            const int32_t above = group.parent >= 0 ? closed_[size_t(group.parent)] : -1;
            if (above >= 0) {
                closed_[i] = above;
            } else if (!open_.count(group_key(full_, group))) {
                closed_[i] = int32_t(i);
            } else {
                frame_[i] = int32_t(model_->frames.size());
                model_->frames.push_back({int32_t(i), title_among_others(group)});
            }
        }
    }

    int32_t frame_round(int32_t group) const { return group < 0 ? -1 : frame_[size_t(group)]; }

    void add_nodes() {
        shown_as_.assign(full_.nodes.size(), 0);
        std::vector<int32_t> node_of_group(tree_.groups.size(), -1);
        for (uint32_t i = 0; i < full_.nodes.size(); ++i) {
            const int32_t group = tree_.group_of[i];
            const int32_t closed = group < 0 ? -1 : closed_[size_t(group)];
            if (closed < 0) {
                shown_as_[i] = add(full_.nodes[i], frame_round(group));
                continue;
            }
            int32_t& node = node_of_group[size_t(closed)];
            if (node < 0) node = int32_t(add(group_node(closed, i), frame_round(tree_.groups[size_t(closed)].parent)));
            shown_as_[i] = uint32_t(node);
            model_->nodes[size_t(node)].is_output |= full_.nodes[i].is_output;
        }
        model_->node_of_expr.assign(full_.node_of_expr.size(), -1);
        for (size_t i = 0; i < full_.node_of_expr.size(); ++i)
            if (full_.node_of_expr[i] >= 0) model_->node_of_expr[i] = int32_t(shown_as_[size_t(full_.node_of_expr[i])]);
    }

    uint32_t add(GraphNode node, int32_t frame) {
        model_->nodes.push_back(std::move(node));
        model_->frame_of.push_back(frame);
        return uint32_t(model_->nodes.size() - 1);
    }

    GraphNode group_node(int32_t index, uint32_t first) {
        const GraphGroup& group = tree_.groups[size_t(index)];
        GraphNode node;
        node.expr = full_.nodes[first].expr;
        node.origin = full_.nodes[first].origin;
        node.kind = GraphNodeKind::Group;
        node.group = index;
        node.title = title_among_others(group);
        node.detail = group.detail;
        node.type = QObject::tr("%1 nodes").arg(QLocale().toString(group.size));
        if (group.times && group.alike < group.times)
            node.type = QObject::tr("%1, %2 alike").arg(node.type, QLocale().toString(group.alike));
        else if (!group.difference.isEmpty()) node.type = QStringLiteral("%1, %2").arg(node.type, group.difference);
        node.size = measure_.size_of(node);
        return node;
    }

    void add_members() {
        model_->member_begin.assign(model_->nodes.size() + 1, 0);
        for (uint32_t node : shown_as_) ++model_->member_begin[node + 1];
        for (size_t i = 0; i < model_->nodes.size(); ++i) model_->member_begin[i + 1] += model_->member_begin[i];
        model_->member_list.resize(shown_as_.size());
        std::vector<uint32_t> next(model_->member_begin.begin(), model_->member_begin.end() - 1);
        for (uint32_t i = 0; i < shown_as_.size(); ++i) model_->member_list[next[shown_as_[i]]++] = i;
    }

    /// One edge between two nodes of which one is a group, whatever flows there.
    void add_edges() {
        std::vector<GraphEdge> joined;
        for (const GraphEdge& edge : full_.edges) {
            GraphEdge shown{shown_as_[edge.from], shown_as_[edge.to], edge.argument, edge.bytes};
            if (shown.from == shown.to) continue;
            const bool plain = model_->nodes[shown.from].kind != GraphNodeKind::Group &&
                               model_->nodes[shown.to].kind != GraphNodeKind::Group;
            if (plain) model_->edges.push_back(shown);
            else joined.push_back(shown);
        }
        std::sort(joined.begin(), joined.end(), [](const GraphEdge& a, const GraphEdge& b) {
            return a.from != b.from ? a.from < b.from : a.to < b.to;
        });
        for (const GraphEdge& edge : joined) {
            GraphEdge* last = model_->edges.empty() ? nullptr : &model_->edges.back();
            if (last && last->from == edge.from && last->to == edge.to) last->bytes += edge.bytes;
            else model_->edges.push_back(edge);
        }
    }

    const GraphModel& full_;
    const GroupTree& tree_;
    const OpenGroups& open_;
    std::shared_ptr<GraphModel> model_;
    std::vector<int32_t> closed_, frame_;
    std::vector<uint32_t> shown_as_;
    NodeMeasure measure_;
};

}  // namespace

GraphModelPtr collapse_graph(GraphModelPtr full, GroupTreePtr tree, const OpenGroups& open) {
    if (!tree || tree->empty()) return full;
    return Collapser(std::move(full), std::move(tree), open).collapse();
}

}  // namespace partita
