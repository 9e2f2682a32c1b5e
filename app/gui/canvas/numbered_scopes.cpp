// Runs of blocks by their names, see group_tree.h.
#include <algorithm>
#include <map>

#include <QObject>

#include "app/gui/canvas/block_lists.h"
#include "app/gui/canvas/group_tree.h"

namespace partita {

namespace {

class NumberedScopes {
public:
    NumberedScopes(const GraphModel& full, const BlockKinds& kinds, GroupTree& tree)
        : full_(full), kinds_(kinds), tree_(tree) {}

    void join() {
        count_nodes(tree_);
        for (size_t i = 0; i < tree_.groups.size(); ++i)
            if (const auto [stem, number] = split(tree_.groups[i].title); number >= 0)
                members_[{tree_.groups[i].parent, stem}].push_back({number, int32_t(i)});
        list_nodes();
        for (auto& [key, members] : members_) join(key.first, key.second, members);
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

    /// The operators of each numbered scope.
    void list_nodes() {
        std::vector<bool> is_member(tree_.groups.size());
        for (const auto& [key, members] : members_)
            for (const Member& member : members) is_member[size_t(member.group)] = members.size() >= kFewestBlocks;
        nodes_.resize(tree_.groups.size());
        if (std::find(is_member.begin(), is_member.end(), true) == is_member.end()) return;
        for (uint32_t node = 0; node < full_.nodes.size(); ++node) {
            if (full_.incoming(node).empty()) continue;
            for (int32_t group = tree_.group_of[node]; group >= 0; group = tree_.groups[size_t(group)].parent)
                if (is_member[size_t(group)]) nodes_[size_t(group)].push_back(node);
        }
    }

    void join(int32_t parent, const QString& stem, std::vector<Member>& members) {
        std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.number < b.number; });
        for (size_t begin = 0, end = 0; begin < members.size(); begin = end) {
            end = begin + 1;
            while (end < members.size() && members[end].number == members[end - 1].number + 1) ++end;
            if (end - begin >= kFewestBlocks)
                join_alike(parent, stem, {members.begin() + ptrdiff_t(begin), members.begin() + ptrdiff_t(end)});
        }
    }

    /// Cuts neighbours where their operators change.
    void join_alike(int32_t parent, const QString& stem, std::span<const Member> row) {
        for (size_t begin = 0, end = 0; begin < row.size(); begin = end) {
            end = begin + 1;
            while (end < row.size() && are_alike(row[begin].group, row[end].group)) ++end;
            if (end - begin >= 2) make_run(parent, stem, row.subspan(begin, end - begin), end - begin == row.size());
        }
    }

    bool are_alike(int32_t a, int32_t b) const {
        constexpr size_t kOneOf = 3;
        const BlockNodes &left = nodes_[size_t(a)], &right = nodes_[size_t(b)];
        size_t changed = 0;
        for (const KindDifference& each : differences(kinds_.graph, left, right))
            changed += size_t(std::abs(each.more));
        return changed * kOneOf <= std::max(left.size(), right.size());
    }

    void make_run(int32_t parent, const QString& stem, std::span<const Member> run, bool whole_row) {
        const bool whole = parent >= 0 && stem.isEmpty() && tree_.groups[size_t(parent)].parts == run.size();
        int32_t group = parent;
        if (!whole) {
            group = int32_t(tree_.groups.size());
            GraphGroup made;
            made.parent = parent;
            made.title = stem.isEmpty() ? QObject::tr("Block") : stem;
            if (!whole_row) made.title += QStringLiteral(" %1–%2").arg(run.front().number).arg(run.back().number);
            made.first = tree_.groups[size_t(run.front().group)].first;
            tree_.groups.push_back(made);
            for (const Member& member : run) tree_.groups[size_t(member.group)].parent = group;
        }
        GraphGroup& blocks = tree_.groups[size_t(group)];
        blocks.title = run_title(blocks.title, run.size());
        blocks.times = uint32_t(run.size());
    }

    static constexpr size_t kFewestBlocks = 3;
    const GraphModel& full_;
    const BlockKinds& kinds_;
    GroupTree& tree_;
    std::map<std::pair<int32_t, QString>, std::vector<Member>> members_;
    std::vector<BlockNodes> nodes_;  ///< by group
};

}  // namespace

void join_numbered_scopes(const GraphModel& full, const BlockKinds& kinds, GroupTree& tree) {
    NumberedScopes(full, kinds, tree).join();
}

}  // namespace partita
