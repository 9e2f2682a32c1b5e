// Groups by repeated structure, and in what blocks that are alike still differ; see graph_groups.h.
#include <algorithm>

#include <QObject>

#include "app/gui/canvas/block_lists.h"
#include "app/gui/canvas/block_texts.h"
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
void describe_run(const BlockKinds& kinds, const RunBlocks& blocks, GroupTree& tree) {
    GraphGroup& run = tree.groups[size_t(blocks.run)];
    run.alike = uint32_t(std::count(blocks.hashes.begin(), blocks.hashes.end(), blocks.hashes[blocks.usual]));
    if (run.alike == blocks.nodes.size()) return;
    RunDifferenceText text(run.alike);
    for (size_t i = 0; i < blocks.nodes.size(); ++i) {
        if (blocks.hashes[i] == blocks.hashes[blocks.usual]) continue;
        QList<QPair<QString, int>> how;
        for (const KindDifference& each : differences(kinds.graph, blocks.nodes[blocks.usual], blocks.nodes[i]))
            how.append({kinds.titles[each.kind], each.more});
        const int32_t group = blocks.groups[i];
        const bool named = group >= 0 && tree.groups[size_t(group)].form == GroupForm::Named;
        const QString said = text.add(i, how, named ? tree.groups[size_t(group)].title : QString());
        if (group >= 0) tree.groups[size_t(group)].difference = said;
    }
    run.difference = text.text();
}

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

void describe_differences(const BlockKinds& kinds, GroupTree& tree, const CancelToken& cancel) {
    const std::vector<RunBlocks> all = compared_runs(kinds.graph, tree);
    for (size_t i = 0; i < all.size() && !cancel.cancelled(); ++i) describe_run(kinds, all[i], tree);
}

}  // namespace partita
