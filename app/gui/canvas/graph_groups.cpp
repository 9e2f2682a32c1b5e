#include "app/gui/canvas/graph_groups.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>
#include <unordered_map>

#include <QLocale>
#include <QObject>

#include "app/gui/style/foreign_text.h"
#include "engine/support/cancel_check.h"

namespace partita {

namespace {

constexpr size_t kShownAtFirst = 60;
constexpr size_t kMostWords = 3;  ///< operators named in a group's detail
constexpr size_t kMostLooseInputs = 48;

QString number_text(size_t number) { return QLocale().toString(qulonglong(number)); }

/// Numbers groups anew so that parents come first, and says how deep each lies.
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

/// First node, number of nodes and of parts, from the nodes up.
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

using OpCounts = std::unordered_map<uint32_t, uint32_t>;  ///< number of a title -> nodes

/// "nn.conv2d 8, nn.relu 8, add 4": for each group the operators that are most often in it.
void describe_groups(const GraphModel& full, GroupTree& tree, const CancelToken& cancel) {
    CancelCheck cancelled(cancel);
    QHash<QString, uint32_t> numbers;
    std::vector<QString> titles;
    std::vector<OpCounts> counts(tree.groups.size());
    for (uint32_t node = 0; node < tree.group_of.size() && !cancelled(); ++node) {
        const GraphNodeKind kind = full.nodes[node].kind;
        if (tree.group_of[node] < 0 || kind == GraphNodeKind::Parameter || kind == GraphNodeKind::Constant) continue;
        const QString& title = full.nodes[node].title;
        auto found = numbers.find(title);
        if (found == numbers.end()) {
            found = numbers.insert(title, uint32_t(titles.size()));
            titles.push_back(title);
        }
        ++counts[size_t(tree.group_of[node])][*found];
    }
    for (size_t i = tree.groups.size(); i-- > 0 && !cancelled();) {
        GraphGroup& group = tree.groups[i];
        std::vector<std::pair<uint32_t, uint32_t>> most;  // count, title
        for (const auto& [title, count] : counts[i]) most.push_back({count, title});
        std::sort(most.begin(), most.end(), [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first > b.first : a.second < b.second;
        });
        QStringList words;
        for (size_t k = 0; k < most.size() && k < kMostWords; ++k)
            words << QStringLiteral("%1 %2").arg(titles[most[k].second], number_text(most[k].first));
        group.detail = words.join(QStringLiteral(", "));
        if (most.size() > kMostWords) group.detail += QStringLiteral(", …");
        if (group.parent >= 0)
            for (const auto& [title, count] : counts[i]) counts[size_t(group.parent)][title] += count;
        counts[i].clear();
    }
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

/// Weights go with their only user; data inputs stay outside while they are few.
void place_sources(const GraphModel& full, GroupTree& tree) {
    for (uint32_t node = 0; node < full.nodes.size(); ++node) {
        if (!is_source(full, node) || tree.group_of[node] >= 0) continue;
        std::span<const uint32_t> out = full.outgoing(node);
        const GraphNodeKind kind = full.nodes[node].kind;
        const bool given = kind == GraphNodeKind::Parameter || kind == GraphNodeKind::Constant;
        if (out.empty() || (given && out.size() > 1)) continue;
        tree.group_of[node] = tree.group_of[full.edges[out.front()].to];
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

/// Scopes of one parent whose names differ in their last number, one behind the other: they become a run of blocks.
class NumberedScopes {
public:
    explicit NumberedScopes(GroupTree& tree) : tree_(tree) {}

    void join() {
        count_nodes(tree_);
        for (size_t i = 0; i < tree_.groups.size(); ++i)
            if (const auto [stem, number] = split(tree_.groups[i].title); number >= 0)
                runs_[{tree_.groups[i].parent, stem}].push_back({number, int32_t(i)});
        for (auto& [key, members] : runs_) join(key.first, key.second, members);
        sort_parents_first(tree_);
    }

private:
    struct Member {
        qlonglong number;
        int32_t group;
    };

    /// "layers.12" -> "layers", 12; a number of -1 where there is none.
    static std::pair<QString, qlonglong> split(const QString& title) {
        constexpr qsizetype kMostDigits = 9;
        qsizetype digits = 0;
        while (digits < title.size() && title[title.size() - 1 - digits].isDigit()) ++digits;
        if (digits == 0 || digits > kMostDigits) return {title, -1};
        QString stem = title.chopped(digits);
        while (!stem.isEmpty() && QStringLiteral("._- ").contains(stem.back())) stem.chop(1);
        return {stem, title.last(digits).toLongLong()};
    }

    void join(int32_t parent, const QString& stem, std::vector<Member>& members) {
        std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.number < b.number; });
        for (size_t begin = 0, end = 0; begin < members.size(); begin = end) {
            end = begin + 1;
            while (end < members.size() && members[end].number == members[end - 1].number + 1) ++end;
            if (end - begin >= kFewestBlocks) join(parent, stem, {members.begin() + begin, members.begin() + end});
        }
    }

    void join(int32_t parent, const QString& stem, std::span<const Member> run) {
        const bool whole = parent >= 0 && stem.isEmpty() && tree_.groups[size_t(parent)].parts == run.size();
        int32_t group = parent;
        if (!whole) {
            group = int32_t(tree_.groups.size());
            GraphGroup made;
            made.parent = parent;
            made.title = stem.isEmpty() ? QObject::tr("Block") : stem;
            made.first = tree_.groups[size_t(run.front().group)].first;
            tree_.groups.push_back(made);
            for (const Member& member : run) tree_.groups[size_t(member.group)].parent = group;
        }
        GraphGroup& blocks = tree_.groups[size_t(group)];
        blocks.title = run_title(blocks.title, run.size());
        blocks.times = uint32_t(run.size());
    }

    static constexpr size_t kFewestBlocks = 3;
    GroupTree& tree_;
    std::map<std::pair<int32_t, QString>, std::vector<Member>> runs_;
};

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
            std::sort(parts[i].begin(), parts[i].end(), [](const Part& a, const Part& b) { return a.first < b.first; });
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
            const size_t most = owner < 0 ? kShownAtFirst : kMostParts;
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

bool is_read_as_a_whole(const GraphModel& model) {
    constexpr double kSightWidth = 1000, kSightHeight = 560;  // of the canvas, in pixels
    constexpr double kTitle = 19, kReadable = 7;              // pixels, of the title of a small node at full size
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
    double width = 1, height = 1;
    for (const QSizeF& layer : layers) {
        width = std::max(width, layer.width());
        height += layer.height();
    }
    return std::min(kSightWidth / width, kSightHeight / height) * kTitle >= kReadable;
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

GroupTree group_by_scopes(const GraphModel& full, const CancelToken& cancel) {
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
    if (!cancel.cancelled()) NumberedScopes(tree).join();
    return tree;
}

void limit_parts(const GraphModel& full, GroupTree& tree) { PartLimiter(full, tree).run(); }

namespace {

/// Returns groups if they make the graph easier to read: always for one that can't be shown as it is.
GroupTree automatic_groups(const GraphModel& full, const CancelToken& cancel) {
    constexpr size_t kGain = 4;  ///< so many times fewer nodes
    GroupTree none;
    none.group_of.assign(full.nodes.size(), -1);
    if (full.nodes.size() <= kLargestReadGraph || is_read_as_a_whole(full)) return none;
    const Grouping grouping = has_scopes(full, cancel) ? Grouping::Scopes : Grouping::Structure;
    GroupTree tree = make_groups(full, grouping, nullptr, cancel);
    if (cancel.cancelled() || full.nodes.size() > kLargestPlainGraph) return tree;
    const size_t shown = shown_nodes(full, tree, open_at_first(full, tree));
    return shown * kGain <= full.nodes.size() ? tree : none;
}

}  // namespace

GroupTree make_groups(const GraphModel& full, Grouping grouping, const FlowResult* flow, const CancelToken& cancel) {
    GroupTree tree;
    tree.group_of.assign(full.nodes.size(), -1);
    if (grouping == Grouping::Automatic) return automatic_groups(full, cancel);
    if (grouping == Grouping::None) return tree;
    if (grouping == Grouping::Regions && flow) tree = group_by_regions(full, *flow);
    if (grouping == Grouping::Scopes) tree = group_by_scopes(full, cancel);
    if (grouping == Grouping::Structure) tree = group_by_structure(full, cancel);
    if (cancel.cancelled()) return {};
    place_sources(full, tree);
    sort_parents_first(tree);
    if (cancel.cancelled()) return {};
    drop_trivial(tree);
    if (cancel.cancelled()) return {};
    if (full.nodes.size() > kLargestPlainGraph) limit_parts(full, tree);
    if (cancel.cancelled()) return {};
    count_nodes(tree);
    describe_groups(full, tree, cancel);
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

OpenGroups open_at_first(const GraphModel& full, const GroupTree& tree) {
    OpenGroups open;
    std::vector<std::vector<int32_t>> inner(tree.groups.size());
    const auto smaller = [&tree](int32_t a, int32_t b) {
        return tree.groups[size_t(a)].size < tree.groups[size_t(b)].size;
    };
    std::priority_queue<int32_t, std::vector<int32_t>, decltype(smaller)> closed(smaller);
    size_t shown = 0;
    for (int32_t group : tree.group_of) shown += group < 0;
    for (size_t i = 0; i < tree.groups.size(); ++i) {
        const int32_t parent = tree.groups[i].parent;
        if (parent >= 0) inner[size_t(parent)].push_back(int32_t(i));
        else closed.push(int32_t(i)), ++shown;
    }
    while (!closed.empty()) {
        const int32_t group = closed.top();
        closed.pop();
        const GraphGroup& data = tree.groups[size_t(group)];
        if (data.times || shown + data.parts - 1 > kShownAtFirst) continue;
        shown += data.parts - 1;
        open.insert(group_key(full, data));
        for (int32_t part : inner[size_t(group)]) closed.push(part);
    }
    return open;
}

}  // namespace partita
