// Groups, search and paths of a page: what is found or opened by expression, whatever is on the screen.
#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>

#include "app/gui/canvas/graph_page.h"
#include "app/gui/canvas/graph_search.h"
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

QWidget* GraphPage::buildNotice() {
    auto* notice = new QWidget;
    auto* row = new QHBoxLayout(notice);
    row->setContentsMargins(12, 4, 8, 4);
    notice_text_ = make_plain_label();
    notice_text_->setWordWrap(true);
    auto* all = new QPushButton(tr("Open all"));
    all->setToolTip(tr("Show every operator; this may take a while and can be stopped"));
    auto* none = new QPushButton(tr("Close all"));
    none->setToolTip(tr("Show the outermost groups"));
    connect(all, &QPushButton::clicked, this, &GraphPage::expandAll);
    connect(none, &QPushButton::clicked, this, &GraphPage::collapseAll);
    row->addWidget(notice_text_, 1);
    row->addWidget(all);
    row->addWidget(none);
    notice->hide();
    return notice;
}

void GraphPage::updateNotice() {
    notice_->setVisible(hasGroups());
    if (!hasGroups()) return;
    const auto closed = std::count_if(model_->nodes.begin(), model_->nodes.end(),
                                      [](const GraphNode& node) { return node.kind == GraphNodeKind::Group; });
    notice_text_->setText(closed == 0 ? tr("All groups are open.")
                                      : tr("%1 nodes, with %n group(s) closed. Enter or a double click opens a group, "
                                           "C closes the one round a node.",
                                           nullptr, int(closed))
                                            .arg(QLocale().toString(qulonglong(full_->nodes.size()))));
}

void GraphPage::expandGroup(uint32_t node) {
    if (!hasGroups() || model_->nodes[node].group < 0) return;
    open_.insert(group_key(*full_, tree_->groups[size_t(model_->nodes[node].group)]));
    startLayout(Change::OpenGroups);
}

void GraphPage::collapseAround(uint32_t node) {
    if (!hasGroups() || !model_->full || node >= model_->frame_of.size() || model_->frame_of[node] < 0) return;
    const int32_t group = model_->frames[size_t(model_->frame_of[node])].group;
    wanted_ = full_->nodes[tree_->groups[size_t(group)].first].expr;
    open_.erase(group_key(*full_, tree_->groups[size_t(group)]));
    startLayout(Change::OpenGroups);
}

void GraphPage::expandAll() {
    if (!hasGroups()) return;
    for (const GraphGroup& group : tree_->groups) open_.insert(group_key(*full_, group));
    startLayout(Change::OpenGroups);
}

void GraphPage::collapseAll() {
    if (!hasGroups()) return;
    open_.clear();
    startLayout(Change::OpenGroups);
}

void GraphPage::showExpression(ExprId expr) {
    if (!model_) return;
    const int32_t node = model_->node_of(expr);
    if (node < 0) return;
    if (model_->nodes[size_t(node)].kind == GraphNodeKind::Group) {
        for (int32_t group = tree_->group_of[size_t(full_->node_of(expr))]; group >= 0;
             group = tree_->groups[size_t(group)].parent)
            open_.insert(group_key(*full_, tree_->groups[size_t(group)]));
        wanted_ = expr;
        return startLayout(Change::OpenGroups);
    }
    view_->selectNodes({uint32_t(node)});
    view_->reveal({uint32_t(node)});
    document_.setSelection(selectedOrigins());
}

void GraphPage::showOrigin(ExprId origin) {
    if (!model_ || model_->module == document_.shownModule()) return showExpression(origin);
    for (const GraphNode& node : full_->nodes)
        if (node.origin == origin) return showExpression(node.expr);
}

void GraphPage::runSearch() {
    if (search_job_) document_.jobs().cancel(search_job_);
    search_job_ = 0;
    if (!model_) return;
    SearchInput search{full_, nullptr, decorationInput(), search_bar_->query()};
    if (model_ == full_) search.decoration = view_->decoration();
    if (full_->nodes.size() <= kSearchedAtOnce) return acceptHits(search_all(search));
    search_job_ = document_.jobs().start<std::vector<uint32_t>>(
        tr("Searching"), this, [search](const JobContext&) { return search_all(search); },
        [this, full = full_](std::vector<uint32_t> hits) {
            search_job_ = 0;
            if (full == full_) acceptHits(std::move(hits));
        });
}

void GraphPage::acceptHits(std::vector<uint32_t> hits) {
    hits_ = std::move(hits);
    current_hit_ = -1;
    search_bar_->showHits(int(hits_.size()), -1);
    redecorate();
}

void GraphPage::markHits(GraphDecoration& decoration) const {
    if (!search_bar_->isVisible()) return;
    decoration.search_hit.assign(model_->nodes.size(), 0);
    for (uint32_t hit : hits_)
        if (const int32_t node = hit < full_->nodes.size() ? model_->node_of(full_->nodes[hit].expr) : -1; node >= 0)
            decoration.search_hit[size_t(node)] = 1;
}

void GraphPage::markBookmarks(GraphDecoration& decoration) const {
    if (document_.bookmarks().empty()) return;
    decoration.bookmarked.assign(model_->nodes.size(), 0);
    for (const Bookmark& bookmark : document_.bookmarks())
        if (const int64_t node = nodeOfOrigin(bookmark.expression); node >= 0) decoration.bookmarked[size_t(node)] = 1;
}

void GraphPage::stepSearch(int by) {
    if (!model_ || hits_.empty()) return;
    const int count = int(hits_.size());
    const int64_t current = view_->currentNode();
    const bool at_hit = current_hit_ >= 0 && current_hit_ < count && current >= 0 &&
                        model_->node_of(full_->nodes[hits_[size_t(current_hit_)]].expr) == current;
    if (at_hit) {
        current_hit_ = (current_hit_ + by + count) % count;
    } else {
        const int64_t here = current >= 0 ? full_->node_of(model_->nodes[size_t(current)].expr) : -1;
        const auto next =
            std::upper_bound(hits_.begin(), hits_.end(), here, [](int64_t a, uint32_t b) { return a < int64_t(b); });
        const int after = int(next - hits_.begin());
        current_hit_ =
            by > 0 ? after % count
                   : (after + count - (here >= 0 && after > 0 && int64_t(hits_[size_t(after - 1)]) == here ? 2 : 1)) %
                         count;
    }
    search_bar_->showHits(count, current_hit_);
    showExpression(full_->nodes[hits_[size_t(current_hit_)]].expr);
}

void GraphPage::selectHits() {
    if (!model_) return;
    std::vector<uint32_t> nodes;
    for (uint32_t hit : hits_)
        if (const int32_t node = model_->node_of(full_->nodes[hit].expr); node >= 0) nodes.push_back(uint32_t(node));
    view_->selectNodes(nodes);
    view_->reveal(nodes);
    document_.setSelection(selectedOrigins());
    view_->setFocus();
}

bool GraphPage::showPath() {
    const std::vector<uint32_t> ends = view_->selectedNodes();
    if (!model_ || ends.size() != 2) return false;
    std::vector<bool> after = reachable(*model_, ends[0], true), before = reachable(*model_, ends[1], false);
    if (!after[ends[1]]) {
        after = reachable(*model_, ends[1], true);
        before = reachable(*model_, ends[0], false);
    }
    std::vector<uint8_t> marked(model_->nodes.size(), 0);
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
