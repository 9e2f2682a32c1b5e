// Groups by repeated structure, and in what blocks that are alike still differ; see graph_groups.h.
#include <algorithm>

#include <QLocale>
#include <QObject>

#include "app/gui/canvas/block_lists.h"
#include "app/gui/canvas/group_tree.h"
#include "engine/blocks/repeated_blocks.h"

namespace partita {

namespace {

QString title_of(const FoundBlock& found, const GraphModel& full) {
    const QString letter = QString::fromStdString(block_letter(found.letter));
    const QString first = short_operator(full.nodes[found.first].title),
                  last = short_operator(full.nodes[found.last].title);
    switch (found.form) {
        case FoundForm::Stretch: return first == last ? first : QStringLiteral("%1 → %2").arg(first, last);
        case FoundForm::Run:
            return run_title(found.of_operators ? full.nodes[found.first].title : QObject::tr("Block %1").arg(letter),
                             found.times);
        default: return QObject::tr("Block %1").arg(letter);
    }
}

/// What is said of the blocks of one run.
class RunDescriber {
public:
    RunDescriber(const BlockKinds& kinds, GroupTree& tree) : kinds_(kinds), tree_(tree) {}

    void describe(GraphGroup& run, const RunBlocks& blocks) {
        run.alike = uint32_t(std::count(blocks.hashes.begin(), blocks.hashes.end(), blocks.hashes[blocks.usual]));
        if (run.alike == blocks.nodes.size()) return;
        QList<QPair<QString, QStringList>> found;  // what differs, and the blocks that do so
        for (size_t i = 0; i < blocks.nodes.size(); ++i) {
            if (blocks.hashes[i] == blocks.hashes[blocks.usual]) continue;
            const QString how = text_of(differences(kinds_.graph, blocks.nodes[blocks.usual], blocks.nodes[i]));
            const int32_t group = blocks.groups[i];
            if (group >= 0) tree_.groups[size_t(group)].difference = how;
            const bool named = group >= 0 && tree_.groups[size_t(group)].form == GroupForm::Named;
            const QString name = named ? tree_.groups[size_t(group)].title
                                       : QObject::tr("block %1").arg(QLocale().toString(qulonglong(i + 1)));
            const auto same =
                std::find_if(found.begin(), found.end(), [&how](const auto& each) { return each.first == how; });
            if (same != found.end()) same->second << name;
            else found.append({how, {name}});
        }
        run.difference = sentence(run.alike, found);
    }

private:
    static QString sentence(uint32_t alike, const QList<QPair<QString, QStringList>>& found) {
        constexpr qsizetype kMostKinds = 4, kMostNames = 3;
        QStringList parts{QObject::tr("%1 alike").arg(QLocale().toString(alike))};
        for (const auto& [how, names] : found.first(std::min(kMostKinds, found.size()))) {
            QString who = names.first(std::min(kMostNames, names.size())).join(QStringLiteral(", "));
            if (names.size() > kMostNames)
                who = QObject::tr("%1 and %2 more").arg(who, QLocale().toString(names.size() - kMostNames));
            parts << QStringLiteral("%1: %2").arg(who, how);
        }
        if (found.size() > kMostKinds) parts << QStringLiteral("…");
        return parts.join(QStringLiteral("; "));
    }

    QString text_of(const std::vector<KindDifference>& all) const {
        constexpr size_t kMostKinds = 4;
        if (all.empty()) return QObject::tr("wired in another way");
        QStringList parts;
        for (const KindDifference& each : all) {
            if (size_t(parts.size()) == kMostKinds) return parts.join(QStringLiteral(", ")) + QStringLiteral(", …");
            const QString& op = kinds_.titles[each.kind];
            parts << (each.more > 0 ? QObject::tr("%1 more %2").arg(QLocale().toString(each.more), op)
                                    : QObject::tr("%1 fewer %2").arg(QLocale().toString(-each.more), op));
        }
        return parts.join(QStringLiteral(", "));
    }

    const BlockKinds& kinds_;
    GroupTree& tree_;
};

}  // namespace

GroupTree group_by_structure(const GraphModel& full, const CancelToken& cancel) {
    return groups_of_structure(full, block_kinds(full), cancel);
}

GroupTree groups_of_structure(const GraphModel& full, const BlockKinds& kinds, const CancelToken& cancel) {
    FoundBlocks found = find_repeated_blocks(kinds.graph, cancel);
    GroupTree tree;
    tree.group_of = std::move(found.block_of);
    tree.groups.reserve(found.blocks.size());
    for (const FoundBlock& block : found.blocks) {
        GraphGroup group;
        group.parent = block.parent;
        group.title = title_of(block, full);
        group.first = block.first;
        group.times = block.times;
        group.form = block.form == FoundForm::Stretch ? GroupForm::Stretch : GroupForm::Block;
        tree.groups.push_back(std::move(group));
    }
    sort_parents_first(tree);
    return tree;
}

void describe_differences(const GraphModel& full, const BlockKinds& kinds, GroupTree& tree, const CancelToken& cancel) {
    const BlockLists lists(full, tree);
    if (lists.runs().empty()) return;
    const std::vector<RunBlocks> all = lists.hashed(kinds.graph);
    RunDescriber describer(kinds, tree);
    for (size_t i = 0; i < all.size() && !cancel.cancelled(); ++i)
        describer.describe(tree.groups[size_t(all[i].run)], all[i]);
}

}  // namespace partita
