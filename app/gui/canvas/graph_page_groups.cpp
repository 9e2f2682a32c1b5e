// Groups, search and paths of a page: what is found or opened by expression, whatever is on the screen.
#include <algorithm>
#include <utility>

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>

#include "app/gui/canvas/graph_page.h"
#include "app/gui/canvas/graph_search.h"
#include "app/gui/canvas/hit_list.h"
#include "app/gui/canvas/query_legend.h"
#include "app/gui/canvas/search_bar.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

/// Larger graphs are searched by a job.
constexpr size_t kSearchedAtOnce = 3000;

struct SearchInput {
    GraphModelPtr full;
    GraphDecorationPtr decoration;  ///< of the full model; null: to be made
    DecorationInput input;
    QString query;
};

std::vector<uint32_t> search_all(const SearchInput& search) {
    if (search.decoration) return search_graph(search.query, *search.full, *search.decoration);
    return search_graph(search.query, *search.full, decorate_graph(*search.full, search.input));
}

/// Nodes that can be reached along edges, or against them; by node.
std::vector<bool> reachable(const GraphModel& model, uint32_t start, bool forward) {
    std::vector<bool> seen(model.nodes.size(), false);
    std::vector<uint32_t> open{start};
    seen[start] = true;
    while (!open.empty()) {
        const uint32_t node = open.back();
        open.pop_back();
        for (uint32_t edge : forward ? model.outgoing(node) : model.incoming(node)) {
            const uint32_t next = forward ? model.edges[edge].to : model.edges[edge].from;
            if (seen[next]) continue;
            seen[next] = true;
            open.push_back(next);
        }
    }
    return seen;
}

}  // namespace

void GraphPage::openGroups(OpenGroups open) {
    open_ = std::move(open);
    opened_by_hand_ = true;
    startLayout(Change::OpenGroups);
}

void GraphPage::expandGroup(uint32_t node) {
    if (!hasGroups() || shown_.model->nodes[node].group < 0) return;
    OpenGroups open = open_;
    opened_group_ = group_key(*shown_.full, shown_.tree->groups[size_t(shown_.model->nodes[node].group)]);
    open.insert(opened_group_);
    // What was selected as one would be all of it: with all of its edges drawn as the selection's.
    document_.setSelection({});
    openGroups(std::move(open));
}

/// The reader who opens a group wants to see how it begins.
void GraphPage::lookAtOpened() {
    const quint64 key = std::exchange(opened_group_, 0);
    if (!key || !hasGroups()) return;
    for (size_t i = 0; i < shown_.model->frames.size(); ++i) {
        const GraphGroup& group = shown_.tree->groups[size_t(shown_.model->frames[i].group)];
        if (group_key(*shown_.full, group) != key) continue;
        QRectF area = shown_.geometry->frames[i];
        for (const auto& [frame, box] : shown_.geometry->more_frames)
            if (frame == i) area |= box;
        const std::vector<int32_t>& frame_of = shown_.model->frame_of;
        if (const auto first = std::find(frame_of.begin(), frame_of.end(), int32_t(i)); first != frame_of.end())
            view_->setCurrentNode(first - frame_of.begin());
        return view_->lookAtTop(area);
    }
}

void GraphPage::collapseAround(uint32_t node) {
    if (!hasGroups() || !shown_.model->full || node >= shown_.model->frame_of.size() ||
        shown_.model->frame_of[node] < 0)
        return;
    const int32_t group = shown_.model->frames[size_t(shown_.model->frame_of[node])].group;
    wanted_ = shown_.full->nodes[shown_.tree->groups[size_t(group)].first].expr;
    OpenGroups open = open_;
    open.erase(group_key(*shown_.full, shown_.tree->groups[size_t(group)]));
    openGroups(std::move(open));
}

void GraphPage::expandAll() {
    if (!hasGroups()) return;
    OpenGroups open;
    for (const GraphGroup& group : shown_.tree->groups) open.insert(group_key(*shown_.full, group));
    openGroups(std::move(open));
}

void GraphPage::collapseAll() {
    if (!hasGroups()) return;
    openGroups({});
}

void GraphPage::showExpression(ExprId expr) {
    if (!shown_.model) return;
    const int32_t node = shown_.model->node_of(expr);
    if (node < 0) return;
    if (shown_.model->nodes[size_t(node)].kind == GraphNodeKind::Group) {
        OpenGroups open = open_;
        for (int32_t group = shown_.tree->group_of[size_t(shown_.full->node_of(expr))]; group >= 0;
             group = shown_.tree->groups[size_t(group)].parent)
            open.insert(group_key(*shown_.full, shown_.tree->groups[size_t(group)]));
        wanted_ = expr;
        return openGroups(std::move(open));
    }
    view_->selectNodes({uint32_t(node)});
    view_->reveal({uint32_t(node)});
    document_.setSelection(selectedOrigins());
}

void GraphPage::showOrigin(ExprId origin) {
    if (!shown_.model || shown_.model->module == document_.shownModule()) return showExpression(origin);
    for (const GraphNode& node : shown_.full->nodes)
        if (node.origin == origin) return showExpression(node.expr);
}

void GraphPage::runSearch() {
    if (search_.job) document_.jobs().cancel(search_.job);
    search_.job = 0;
    if (!shown_.model) return;
    listHits();
    SearchInput search{shown_.full, nullptr, decorationInput(), search_bar_->query()};
    if (shown_.model == shown_.full) search.decoration = view_->decoration();
    if (shown_.full->nodes.size() <= kSearchedAtOnce && !is_slow_query(search.query))
        return acceptHits(search_all(search));
    search_.job = document_.jobs().start<std::vector<uint32_t>>(
        tr("Searching"), this, [search](const JobContext&) { return search_all(search); },
        [this, full = shown_.full](std::vector<uint32_t> hits) {
            search_.job = 0;
            if (full == shown_.full) acceptHits(std::move(hits));
        });
}

/// Lists the hits of all functions, where the list is wanted.
void GraphPage::listHits() {
    if (search_.list_job) document_.jobs().cancel(std::exchange(search_.list_job, 0));
    hit_list_->setVisible(search_bar_->isVisible() && search_bar_->isListing());
    if (!hit_list_->isVisibleTo(this) || !shown_.model) return;
    search_.list_job = document_.jobs().start<SearchHits>(
        tr("Searching"), this,
        [in = module(), query = search_bar_->query(), input = decorationInput()](const JobContext& context) {
            return search_module(in, query, input, context.cancel);
        },
        [this](SearchHits hits) {
            search_.list_job = 0;
            hit_list_->list(std::move(hits));
            QTreeWidget& rows = hit_list_->rows();
            if (rows.hasFocus() && !rows.currentItem()) rows.setCurrentItem(rows.topLevelItem(0));
        });
}

void GraphPage::showHit(const QString& function, ExprId expr) {
    search_bar_->remember();
    if (function == target_.function && !target_.literal.valid()) showExpression(expr);
    else emit hitWanted(function, expr);
}

void GraphPage::acceptHits(std::vector<uint32_t> hits) {
    search_.hits = std::move(hits);
    search_.current = -1;
    search_bar_->showHits(int(search_.hits.size()), -1);
    redecorate();
}

void GraphPage::markHits(GraphDecoration& decoration) const {
    if (!search_bar_->isVisible()) return;
    decoration.search_hit.assign(shown_.model->nodes.size(), 0);
    for (uint32_t hit : search_.hits)
        if (const int32_t node =
                hit < shown_.full->nodes.size() ? shown_.model->node_of(shown_.full->nodes[hit].expr) : -1;
            node >= 0)
            decoration.search_hit[size_t(node)] = 1;
}

void GraphPage::markBookmarks(GraphDecoration& decoration) const {
    if (document_.bookmarks().empty()) return;
    decoration.bookmarked.assign(shown_.model->nodes.size(), 0);
    for (const Bookmark& bookmark : document_.bookmarks())
        if (const int64_t node = nodeOfOrigin(bookmark.expression); node >= 0) decoration.bookmarked[size_t(node)] = 1;
}

/// Asks the queries with a colour again where the graph or its division is another one.
void GraphPage::findTints() {
    const FlowPtr flow = document_.flow();
    if (options_.query_colours == tints_.queries && shown_.full == tints_.full && flow == tints_.flow) return;
    if (tints_.job) document_.jobs().cancel(tints_.job);
    tints_ = {options_.query_colours, shown_.full, flow, {}, {}, 0};
    query_legend_->tell(tints_.queries, {});
    const auto is_asked = [](const QString& query) { return !query.trimmed().isEmpty(); };
    if (std::none_of(tints_.queries.begin(), tints_.queries.end(), is_asked)) return;
    DecorationInput input = decorationInput();
    struct Found {
        std::vector<uint8_t> of_node;
        std::vector<size_t> counts;
    };
    tints_.job = document_.jobs().start<Found>(
        tr("Colouring by queries"), this,
        [full = shown_.full, input, queries = tints_.queries](const JobContext& context) {
            Found found{std::vector<uint8_t>(full->nodes.size()), std::vector<size_t>(size_t(queries.size()))};
            const GraphDecoration decoration = decorate_graph(*full, input);
            for (qsizetype i = 0; i < queries.size() && !context.cancel.cancelled(); ++i)
                for (const uint32_t node : search_graph(queries[i], *full, decoration)) {
                    ++found.counts[size_t(i)];
                    if (found.of_node[node] == 0) found.of_node[node] = uint8_t(i + 1);
                }
            return found;
        },
        [this](Found found) {
            tints_.job = 0;
            tints_.of_node = std::move(found.of_node);
            tints_.counts = std::move(found.counts);
            query_legend_->tell(tints_.queries, tints_.counts);
            redecorate();
        });
}

/// A group has the colour of the first query that finds one of its nodes.
void GraphPage::markTints(GraphDecoration& decoration) const {
    if (tints_.of_node.empty() || tints_.full != shown_.full) return;
    decoration.tints = tints_.queries;
    decoration.tint.assign(shown_.model->nodes.size(), 0);
    const bool in_groups = shown_.model->full != nullptr;
    for (uint32_t node = 0; node < decoration.tint.size(); ++node) {
        uint8_t& tint = decoration.tint[node];
        if (!in_groups) {
            tint = tints_.of_node[node];
            continue;
        }
        for (const uint32_t member : shown_.model->members(node)) {
            const uint8_t found = tints_.of_node[member];
            if (found && (!tint || found < tint)) tint = found;
        }
    }
}

void GraphPage::stepSearch(int by) {
    if (!shown_.model || search_.hits.empty()) return;
    const int count = int(search_.hits.size());
    const int64_t current = view_->currentNode();
    const bool at_hit =
        search_.current >= 0 && search_.current < count && current >= 0 &&
        shown_.model->node_of(shown_.full->nodes[search_.hits[size_t(search_.current)]].expr) == current;
    if (at_hit) {
        search_.current = (search_.current + by + count) % count;
    } else {
        const int64_t here = current >= 0 ? shown_.full->node_of(shown_.model->nodes[size_t(current)].expr) : -1;
        const auto next = std::upper_bound(search_.hits.begin(), search_.hits.end(), here,
                                           [](int64_t a, uint32_t b) { return a < int64_t(b); });
        const int after = int(next - search_.hits.begin());
        search_.current = by > 0
                              ? after % count
                              : (after + count -
                                 (here >= 0 && after > 0 && int64_t(search_.hits[size_t(after - 1)]) == here ? 2 : 1)) %
                                    count;
    }
    search_bar_->showHits(count, search_.current);
    showExpression(shown_.full->nodes[search_.hits[size_t(search_.current)]].expr);
}

void GraphPage::selectHits() {
    if (!shown_.model) return;
    std::vector<uint32_t> nodes;
    for (uint32_t hit : search_.hits)
        if (const int32_t node = shown_.model->node_of(shown_.full->nodes[hit].expr); node >= 0)
            nodes.push_back(uint32_t(node));
    view_->selectNodes(nodes);
    view_->reveal(nodes);
    document_.setSelection(selectedOrigins());
    view_->setFocus();
}

void GraphPage::selectAlike(std::function<void(const AlikeNodes&)> done) {
    if (!shown_.model || shown_.model->module != module()) return;
    std::vector<uint32_t> nodes;
    for (uint32_t node : view_->selectedNodes()) {
        if (!shown_.model->full || shown_.model->nodes[node].kind != GraphNodeKind::Group) {
            nodes.push_back(uint32_t(shown_.full->node_of(shown_.model->nodes[node].expr)));
            continue;
        }
        const std::span<const uint32_t> members = shown_.model->members(node);
        nodes.insert(nodes.end(), members.begin(), members.end());
    }
    document_.jobs().start<AlikeNodes>(
        tr("Looking for blocks"), this,
        [full = shown_.full, tree = shown_.tree, nodes](const JobContext& context) {
            AlikeNodes found = alike_in_blocks(*full, *tree, nodes);
            // A graph that is shown without groups has blocks, too.
            return found.blocks ? found : alike_in_blocks(*full, group_by_structure(*full, context.cancel), nodes);
        },
        [this, full = shown_.full, done = std::move(done)](const AlikeNodes& found) {
            if (full != shown_.full) return;
            const bool shown = full->module == document_.shownModule();
            std::vector<ExprId> selection;
            for (uint32_t node : found.nodes) {
                const ExprId origin = shown ? full->nodes[node].expr : full->nodes[node].origin;
                if (origin.valid()) selection.push_back(origin);
            }
            if (found.blocks && !selection.empty()) document_.setSelection(std::move(selection));
            done(found);
        });
}

bool GraphPage::showPath() {
    const std::vector<uint32_t> ends = view_->selectedNodes();
    if (!shown_.model || ends.size() != 2) return false;
    std::vector<bool> after = reachable(*shown_.model, ends[0], true),
                      before = reachable(*shown_.model, ends[1], false);
    if (!after[ends[1]]) {
        after = reachable(*shown_.model, ends[1], true);
        before = reachable(*shown_.model, ends[0], false);
    }
    std::vector<uint8_t> marked(shown_.model->nodes.size(), 0);
    bool any = false;
    for (size_t i = 0; i < marked.size(); ++i) {
        marked[i] = after[i] && before[i] ? 1 : 0;
        any = any || marked[i];
    }
    if (!any) return false;
    marked[ends[0]] = marked[ends[1]] = 2;
    path_shown_ = true;
    view_->setHighlighted(std::move(marked));
    return true;
}

void GraphPage::clearPath() {
    if (!path_shown_) return;
    path_shown_ = false;
    view_->setHighlighted({});
}

}  // namespace partita
