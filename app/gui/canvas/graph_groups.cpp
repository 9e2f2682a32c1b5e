#include "app/gui/canvas/graph_groups.h"

#include "app/gui/canvas/group_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <utility>

#include <QLocale>
#include <QObject>

#include "app/gui/style/foreign_text.h"
#include "engine/support/cancel_check.h"

namespace partita {

void sort_parents_first(GroupTree& tree) {
    const size_t count = tree.groups.size();
    std::vector<int> depth(count, -1);
    std::vector<int32_t> trail;
    for (size_t i = 0; i < count; ++i) {
        for (int32_t g = int32_t(i); g >= 0 && depth[size_t(g)] < 0; g = tree.groups[size_t(g)].parent)
            trail.push_back(g);
        while (!trail.empty()) {
            const int32_t parent = tree.groups[size_t(trail.back())].parent;
            depth[size_t(trail.back())] = parent < 0 ? 0 : depth[size_t(parent)] + 1;
            trail.pop_back();
        }
    }
    std::vector<uint32_t> order(count), place(count);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        if (depth[a] != depth[b]) return depth[a] < depth[b];
        return tree.groups[a].first < tree.groups[b].first;
    });
    for (uint32_t i = 0; i < count; ++i) place[order[i]] = i;
    std::vector<GraphGroup> sorted;
    sorted.reserve(count);
    for (uint32_t old : order) {
        sorted.push_back(std::move(tree.groups[old]));
        GraphGroup& group = sorted.back();
        if (group.parent >= 0) group.parent = int32_t(place[size_t(group.parent)]);
        group.depth = uint8_t(std::min(depth[old], 255));
    }
    tree.groups = std::move(sorted);
    for (int32_t& group : tree.group_of)
        if (group >= 0) group = int32_t(place[size_t(group)]);
}

void count_nodes(GroupTree& tree) {
    for (GraphGroup& group : tree.groups) {
        group.first = UINT32_MAX;
        group.size = group.parts = 0;
    }
    for (uint32_t node = 0; node < tree.group_of.size(); ++node) {
        if (tree.group_of[node] < 0) continue;
        GraphGroup& group = tree.groups[size_t(tree.group_of[node])];
        group.first = std::min(group.first, node);
        ++group.size;
        ++group.parts;
    }
    for (size_t i = tree.groups.size(); i-- > 0;) {
        const GraphGroup& group = tree.groups[i];
        if (group.parent < 0) continue;
        GraphGroup& parent = tree.groups[size_t(group.parent)];
        parent.first = std::min(parent.first, group.first);
        parent.size += group.size;
        ++parent.parts;
    }
}

namespace {

constexpr size_t kMostWords = 3;  ///< operators named in a group's detail
constexpr size_t kMostLooseInputs = 48;

QString number_text(size_t number) { return QLocale().toString(qulonglong(number)); }

struct TitleCount {
    uint32_t title, count;
};

/// Adds up what was counted in several places: the most frequent first.
class TitleSum {
public:
    explicit TitleSum(size_t titles) : count_(titles) {}

    void sum(std::vector<TitleCount>& counts) {
        size_t kept = 0;
        for (const TitleCount& each : counts) {
            if (count_[each.title] == 0) counts[kept++].title = each.title;
            count_[each.title] += each.count;
        }
        counts.resize(kept);
        for (TitleCount& each : counts) each.count = std::exchange(count_[each.title], 0);
        std::sort(counts.begin(), counts.end(), [](const TitleCount& a, const TitleCount& b) {
            return a.count != b.count ? a.count > b.count : a.title < b.title;
        });
    }

private:
    std::vector<uint32_t> count_;
};

/// "nn.conv2d 8, nn.relu 8, add 4": for each group the operators that are most often in it.
void describe_groups(const GraphModel& full, const BlockKinds& kinds, GroupTree& tree, const CancelToken& cancel) {
    CancelCheck cancelled(cancel);
    std::vector<std::vector<TitleCount>> counts(tree.groups.size());
    for (uint32_t node = 0; node < tree.group_of.size() && !cancelled(); ++node) {
        const GraphNodeKind kind = full.nodes[node].kind;
        if (tree.group_of[node] < 0 || kind == GraphNodeKind::Parameter || kind == GraphNodeKind::Constant) continue;
        counts[size_t(tree.group_of[node])].push_back({kinds.graph.kind[node], 1});
    }
    TitleSum titles(kinds.titles.size());
    const QLocale locale;
    for (size_t i = tree.groups.size(); i-- > 0 && !cancelled();) {
        GraphGroup& group = tree.groups[i];
        titles.sum(counts[i]);
        for (size_t k = 0; k < counts[i].size() && k < kMostWords; ++k) {
            if (k > 0) group.detail += QStringLiteral(", ");
            group.detail += kinds.titles[counts[i][k].title] + QLatin1Char(' ') + locale.toString(counts[i][k].count);
        }
        if (counts[i].size() > kMostWords) group.detail += QStringLiteral(", …");
        if (group.parent >= 0) {
            std::vector<TitleCount>& above = counts[size_t(group.parent)];
            above.insert(above.end(), counts[i].begin(), counts[i].end());
        }
        counts[i] = {};
    }
}

/// "conv2d, batch_norm, relu": the operators of what comes once, in their order.
void describe_stretches(const GraphModel& full, GroupTree& tree, const CancelToken& cancel) {
    constexpr qsizetype kMostOperators = 8;
    CancelCheck cancelled(cancel);
    std::vector<QStringList> operators(tree.groups.size());
    for (uint32_t node = 0; node < tree.group_of.size() && !cancelled(); ++node) {
        const int32_t group = tree.group_of[node];
        if (group < 0 || tree.groups[size_t(group)].form != GroupForm::Stretch) continue;
        QStringList& list = operators[size_t(group)];
        const GraphNode& data = full.nodes[node];
        if (data.kind != GraphNodeKind::Call || list.size() > kMostOperators) continue;
        if (const QString title = short_operator(data.title); !list.contains(title)) list << title;
    }
    for (size_t i = 0; i < operators.size(); ++i)
        if (!operators[i].isEmpty()) tree.groups[i].detail = operators[i].join(QStringLiteral(", "));
}

/// Blocks of a run by structure are called alike: numbered, they can be told apart.
void number_blocks(GroupTree& tree) {
    std::vector<uint32_t> last(tree.groups.size(), 0);
    for (GraphGroup& group : tree.groups)
        if (group.form == GroupForm::Block && group.parent >= 0 && tree.groups[size_t(group.parent)].times > 0)
            group.number = ++last[size_t(group.parent)];
}

/// Groups that hold a single part, or a single node, say nothing: their part takes their place.
void drop_trivial(GroupTree& tree) {
    count_nodes(tree);
    std::vector<int32_t> stands_for(tree.groups.size());
    for (size_t i = 0; i < tree.groups.size(); ++i) {
        GraphGroup& group = tree.groups[i];
        if (group.parent >= 0) group.parent = stands_for[size_t(group.parent)];
        stands_for[i] = group.size < 2 || group.parts < 2 ? group.parent : int32_t(i);
    }
    std::vector<int32_t> place(tree.groups.size(), -1);
    std::vector<GraphGroup> kept;
    for (size_t i = 0; i < tree.groups.size(); ++i) {
        if (stands_for[i] != int32_t(i)) continue;
        place[i] = int32_t(kept.size());
        kept.push_back(tree.groups[i]);
        if (kept.back().parent >= 0) kept.back().parent = place[size_t(kept.back().parent)];
    }
    for (int32_t& group : tree.group_of) {
        if (group < 0) continue;
        const int32_t now = stands_for[size_t(group)];
        group = now < 0 ? -1 : place[size_t(now)];
    }
    tree.groups = std::move(kept);
}

bool is_source(const GraphModel& model, uint32_t node) { return model.incoming(node).empty(); }

/// Weights and inputs go with their only user, but for inputs of the whole where they are few: those stay in sight
/// where that lies in what comes before the first block.
void place_sources(const GraphModel& full, GroupTree& tree) {
    constexpr ptrdiff_t kFewInputs = 8;
    const bool few = std::count_if(full.nodes.begin(), full.nodes.end(), [](const GraphNode& node) {
                         return node.kind == GraphNodeKind::Parameter;
                     }) <= kFewInputs;
    for (uint32_t node = 0; node < full.nodes.size(); ++node) {
        if (!is_source(full, node) || tree.group_of[node] >= 0) continue;
        std::span<const uint32_t> out = full.outgoing(node);
        const GraphNodeKind kind = full.nodes[node].kind;
        const bool given = kind == GraphNodeKind::Parameter || kind == GraphNodeKind::Constant;
        if (out.empty() || (given && out.size() > 1)) continue;
        const int32_t group = tree.group_of[full.edges[out.front()].to];
        const bool before_blocks = group >= 0 && tree.groups[size_t(group)].form == GroupForm::Stretch;
        if (kind == GraphNodeKind::Parameter && few && before_blocks) continue;
        tree.group_of[node] = group;
    }
}

QStringList scopes_of(const GraphModel& full, const GraphNode& node) {
    const std::string_view label = full.module->label(node.expr);
    if (label.empty()) return {};
    const QString text = shown_name(label);
    QStringList parts = text.split(QLatin1Char(text.contains(QLatin1Char('/')) ? '/' : '.'), Qt::SkipEmptyParts);
    if (!parts.isEmpty()) parts.removeLast();  // the node's own name
    return parts;
}

/// Returns the innermost group that both lie in, or -1. Parents come before their children.
int32_t common_group(const GroupTree& tree, int32_t a, int32_t b) {
    while (a != b) {
        if (a > b) a = tree.groups[size_t(a)].parent;
        else b = tree.groups[size_t(b)].parent;
    }
    return a;
}

/// Tuples and projections have no names: they go with their users.
void place_nameless(const GraphModel& full, GroupTree& tree) {
    for (uint32_t node = uint32_t(full.nodes.size()); node-- > 0;) {
        std::span<const uint32_t> out = full.outgoing(node);
        const GraphNodeKind kind = full.nodes[node].kind;
        if (kind != GraphNodeKind::Tuple && kind != GraphNodeKind::Projection) continue;
        if (tree.group_of[node] >= 0 || is_source(full, node) || out.empty()) continue;
        int32_t group = tree.group_of[full.edges[out.front()].to];
        for (uint32_t edge : out) group = common_group(tree, group, tree.group_of[full.edges[edge].to]);
        tree.group_of[node] = group;
    }
}

/// One part of a group or of the whole: a node or a smaller group.
struct Part {
    uint32_t first;
    int32_t group;  ///< -1: the node `first`
    uint32_t size;
};

class PartLimiter {
public:
    PartLimiter(const GraphModel& full, GroupTree& tree) : full_(full), tree_(tree) {}

    void run() {
        count_nodes(tree_);
        std::vector<std::vector<Part>> parts(tree_.groups.size() + 1);  // the last: of the whole
        for (uint32_t i = 0; i < tree_.groups.size(); ++i) {
            const GraphGroup& group = tree_.groups[i];
            parts[slot(group.parent)].push_back({group.first, int32_t(i), group.size});
        }
        const size_t whole = parts.size() - 1;
        size_t loose_inputs = 0;
        for (uint32_t node = 0; node < full_.nodes.size(); ++node)
            loose_inputs += tree_.group_of[node] < 0 && full_.incoming(node).empty();
        for (uint32_t node = 0; node < full_.nodes.size(); ++node) {
            const int32_t group = tree_.group_of[node];
            if (group < 0 && full_.incoming(node).empty() && loose_inputs <= kMostLooseInputs) continue;
            parts[group < 0 ? whole : size_t(group)].push_back({node, -1, 1});
        }
        for (size_t i = 0; i < parts.size(); ++i) {
            const auto earlier = [](const Part& a, const Part& b) { return a.first < b.first; };
            if (!std::is_sorted(parts[i].begin(), parts[i].end(), earlier))  // nodes alone are
                std::sort(parts[i].begin(), parts[i].end(), earlier);
            limit(i == whole ? -1 : int32_t(i), std::move(parts[i]));
        }
        sort_parents_first(tree_);
    }

private:
    size_t slot(int32_t group) const { return group < 0 ? tree_.groups.size() : size_t(group); }

    /// Cuts a list of parts until no group has too many. A heap of lists instead of recursion.
    void limit(int32_t group, std::vector<Part> parts) {
        std::vector<std::pair<int32_t, std::vector<Part>>> open;
        open.push_back({group, std::move(parts)});
        while (!open.empty()) {
            auto [owner, list] = std::move(open.back());
            open.pop_back();
            // The whole is shown at once, while few groups are ever opened.
            const size_t most = owner < 0 ? kShownAtFirst : kMostPartsOfGroup;
            if (list.size() <= most) {
                for (const Part& part : list) assign(part, owner);
                continue;
            }
            const double levels = std::ceil(std::log(double(list.size())) / std::log(double(most)));
            const size_t each = size_t(std::ceil(std::pow(double(list.size()), (levels - 1) / levels)));
            for (size_t begin = 0; begin < list.size(); begin += each) {
                std::vector<Part> slice(list.begin() + ptrdiff_t(begin),
                                        list.begin() + ptrdiff_t(std::min(list.size(), begin + each)));
                if (slice.size() == 1) assign(slice.front(), owner);
                else open.push_back({add(owner, slice), std::move(slice)});
            }
        }
    }

    int32_t add(int32_t owner, const std::vector<Part>& parts) {
        GraphGroup group;
        group.parent = owner;
        group.form = GroupForm::Part;
        group.first = parts.front().first;
        group.title =
            QObject::tr("Nodes %1–%2")
                .arg(number_text(parts.front().first + 1), number_text(parts.back().first + parts.back().size));
        tree_.groups.push_back(group);
        return int32_t(tree_.groups.size()) - 1;
    }

    void assign(const Part& part, int32_t owner) {
        if (part.group >= 0) tree_.groups[size_t(part.group)].parent = owner;
        else tree_.group_of[part.first] = owner;
    }

    const GraphModel& full_;
    GroupTree& tree_;
};

bool has_scopes(const GraphModel& full, const CancelToken& cancel) {
    CancelCheck cancelled(cancel);
    size_t calls = 0, named = 0;
    for (const GraphNode& node : full.nodes) {
        if (cancelled()) break;
        if (node.kind != GraphNodeKind::Call) continue;
        ++calls;
        named += !full.module->label(node.expr).empty() && !scopes_of(full, node).isEmpty();
    }
    return named * 2 > calls;
}

}  // namespace

bool is_read_as_a_whole(const GraphModel& model, const ReadingRoom& room) {
    constexpr double kBeside = 18, kBetween = 24;
    std::vector<uint32_t> depth(model.nodes.size(), 0);
    std::vector<QSizeF> layers;
    for (uint32_t node = 0; node < model.nodes.size(); ++node) {  // in topological order
        for (uint32_t edge : model.incoming(node))
            depth[node] = std::max(depth[node], depth[model.edges[edge].from] + 1);
        if (depth[node] >= layers.size()) layers.resize(depth[node] + 1, QSizeF(0, 0));
        QSizeF& layer = layers[depth[node]];
        const QSizeF size = model.nodes[node].size;
        layer = QSizeF(layer.width() + size.width() + kBeside, std::max(layer.height(), size.height() + kBetween));
    }
    QSizeF picture(0, 0);
    for (const QSizeF& layer : layers)
        picture = QSizeF(std::max(picture.width(), layer.width()), picture.height() + layer.height());
    return room.scaleOf(picture) >= kReadable;
}

QString short_operator(const QString& title) { return title.startsWith(QLatin1String("nn.")) ? title.mid(3) : title; }

QString title_among_others(const GraphGroup& group) {
    return group.number ? QStringLiteral("%1 · %2").arg(group.title, number_text(group.number)) : group.title;
}

QString run_title(const QString& block, size_t times) {
    return QStringLiteral("%1 ×%2").arg(block, number_text(times));
}

quint64 group_key(const GraphModel& full, const GraphGroup& group) {
    return quint64(full.nodes[group.first].expr.value) << 8 | group.depth;
}

GroupTree group_by_regions(const GraphModel& full, const FlowResult& flow) {
    GroupTree tree;
    tree.group_of.assign(full.nodes.size(), -1);
    if (flow.input != full.module) return tree;
    std::vector<int32_t> group(flow.regions.size(), -1);
    for (uint32_t node = 0; node < full.nodes.size(); ++node) {
        const uint32_t expr = full.nodes[node].expr.value;
        const int32_t region = expr < flow.region_of.size() ? flow.region_of[expr] : -1;
        if (region < 0) continue;
        if (group[size_t(region)] < 0) {
            group[size_t(region)] = int32_t(tree.groups.size());
            GraphGroup made;
            made.first = node;
            made.title = shown_name(flow.regions[size_t(region)].function);
            tree.groups.push_back(made);
        }
        tree.group_of[node] = group[size_t(region)];
    }
    return tree;
}

GroupTree groups_of_scopes(const GraphModel& full, const BlockKinds& kinds, const CancelToken& cancel) {
    CancelCheck cancelled(cancel);
    GroupTree tree;
    tree.group_of.assign(full.nodes.size(), -1);
    QHash<QString, int32_t> by_path;
    for (uint32_t node = 0; node < full.nodes.size() && !cancelled(); ++node) {
        if (full.nodes[node].kind == GraphNodeKind::Parameter) continue;  // its name is of the model's interface
        QString path;
        int32_t group = -1;
        for (const QString& scope : scopes_of(full, full.nodes[node])) {
            path += QLatin1Char('/') + scope;
            auto found = by_path.find(path);
            if (found == by_path.end()) {
                GraphGroup made;
                made.parent = group;
                made.title = scope;
                made.first = node;
                found = by_path.insert(path, int32_t(tree.groups.size()));
                tree.groups.push_back(made);
            }
            group = *found;
        }
        tree.group_of[node] = group;
    }
    place_nameless(full, tree);
    if (!cancel.cancelled()) join_numbered_scopes(full, kinds, tree);
    return tree;
}

void limit_parts(const GraphModel& full, GroupTree& tree) { PartLimiter(full, tree).run(); }

namespace {

/// Returns groups if they make the graph easier to read: always for one that can't be shown as it is. By names where
/// there are some, else, or where those leave too much to see, by structure.
GroupTree automatic_groups(const GraphModel& full, const CancelToken& cancel, const ReadingRoom& room) {
    constexpr size_t kGain = 4;  ///< so many times fewer nodes
    GroupTree none;
    none.group_of.assign(full.nodes.size(), -1);
    const bool large = full.nodes.size() > kLargestPlainGraph;
    if (full.nodes.size() <= kLargestReadGraph || (!large && is_read_as_a_whole(full, room))) return none;
    const auto helps = [&](const GroupTree& tree) {
        return shown_nodes(full, tree, open_at_first(full, tree)) * kGain <= full.nodes.size();
    };
    if (has_scopes(full, cancel)) {
        GroupTree tree = make_groups(full, Grouping::Scopes, nullptr, cancel);
        if (cancel.cancelled() || large || helps(tree)) return tree;
    }
    GroupTree tree = make_groups(full, Grouping::Structure, nullptr, cancel);
    return cancel.cancelled() || large || helps(tree) ? tree : none;
}

}  // namespace

GroupTree make_groups(const GraphModel& full, Grouping grouping, const FlowResult* flow, const CancelToken& cancel,
                      const ReadingRoom& room) {
    GroupTree tree;
    tree.group_of.assign(full.nodes.size(), -1);
    if (grouping == Grouping::Automatic) return automatic_groups(full, cancel, room);
    if (grouping == Grouping::None) return tree;
    const BlockKinds kinds = block_kinds(full);
    if (grouping == Grouping::Regions && flow) tree = group_by_regions(full, *flow);
    if (grouping == Grouping::Scopes) tree = groups_of_scopes(full, kinds, cancel);
    if (grouping == Grouping::Structure) tree = groups_of_structure(full, kinds, cancel);
    if (cancel.cancelled()) return {};
    place_sources(full, tree);
    sort_parents_first(tree);
    if (cancel.cancelled()) return {};
    drop_trivial(tree);
    if (cancel.cancelled()) return {};
    if (full.nodes.size() > kLargestPlainGraph) limit_parts(full, tree);
    if (cancel.cancelled()) return {};
    count_nodes(tree);
    describe_groups(full, kinds, tree, cancel);
    describe_stretches(full, tree, cancel);
    describe_differences(kinds, tree, cancel);
    number_blocks(tree);
    if (cancel.cancelled()) return {};
    return tree;
}

size_t shown_nodes(const GraphModel& full, const GroupTree& tree, const OpenGroups& open) {
    std::vector<bool> inside_open(tree.groups.size());
    size_t shown = 0;
    for (size_t i = 0; i < tree.groups.size(); ++i) {
        const GraphGroup& group = tree.groups[i];
        const bool seen = group.parent < 0 || inside_open[size_t(group.parent)];
        inside_open[i] = seen && open.contains(group_key(full, group));
        shown += seen && !inside_open[i];
    }
    for (int32_t group : tree.group_of) shown += group < 0 || inside_open[size_t(group)];
    return shown;
}

namespace {

/// Opens groups, the largest first, as long as few nodes are shown.
class FirstOpener {
public:
    FirstOpener(const GraphModel& full, const GroupTree& tree)
        : full_(full), tree_(tree), inner_(tree.groups.size()), closed_(Smaller{tree.groups}) {
        for (int32_t group : tree.group_of) shown_ += group < 0;
        for (size_t i = 0; i < tree.groups.size(); ++i) {
            const int32_t parent = tree.groups[i].parent;
            if (parent >= 0) inner_[size_t(parent)].push_back(int32_t(i));
            else closed_.push(int32_t(i)), ++shown_;
        }
    }

    OpenGroups open(size_t most) {
        find_way_to_run();
        while (!closed_.empty()) {
            std::vector<int32_t> equal;
            size_t more = 0;
            do {
                equal.push_back(closed_.top());
                more += tree_.groups[size_t(closed_.top())].parts - 1;
                closed_.pop();
            } while (!closed_.empty() && !closed_.value_comp()(closed_.top(), equal.front()));
            const bool on_way = way_.count(equal.front()) > 0;
            const GraphGroup& group = tree_.groups[size_t(equal.front())];
            if (group.times || group.form == GroupForm::Stretch || (!on_way && shown_ + more > most)) continue;
            shown_ += more;
            for (int32_t each : equal) {
                open_.insert(group_key(full_, tree_.groups[size_t(each)]));
                for (int32_t part : inner_[size_t(each)]) closed_.push(part);
            }
        }
        return std::move(open_);
    }

private:
    struct Smaller {
        const std::vector<GraphGroup>& groups;
        bool operator()(int32_t a, int32_t b) const {
            const GraphGroup &left = groups[size_t(a)], &right = groups[size_t(b)];
            return left.size != right.size ? left.size < right.size : left.title < right.title;
        }
    };
    /// Shows its comparison.
    struct Queue : std::priority_queue<int32_t, std::vector<int32_t>, Smaller> {
        explicit Queue(const Smaller& smaller) : priority_queue(smaller) {}
        const Smaller& value_comp() const { return comp; }
    };

    /// What the largest run lies in, unless opening that shows too many nodes.
    void find_way_to_run() {
        const auto largest = std::max_element(
            tree_.groups.begin(), tree_.groups.end(),
            [](const GraphGroup& a, const GraphGroup& b) { return (a.times ? a.size : 0) < (b.times ? b.size : 0); });
        if (largest == tree_.groups.end() || !largest->times) return;
        size_t shown = shown_;
        for (int32_t group = largest->parent; group >= 0; group = tree_.groups[size_t(group)].parent) {
            if (tree_.groups[size_t(group)].times) way_.clear();
            else way_.insert(group), shown += tree_.groups[size_t(group)].parts - 1;
        }
        if (shown > kShownAtFirst) way_.clear();
    }

    const GraphModel& full_;
    const GroupTree& tree_;
    std::vector<std::vector<int32_t>> inner_;
    Queue closed_;
    std::set<int32_t> way_;
    size_t shown_ = 0;
    OpenGroups open_;
};

}  // namespace

OpenGroups open_at_first(const GraphModel& full, const GroupTree& tree, size_t most) {
    return FirstOpener(full, tree).open(most);
}

}  // namespace partita
