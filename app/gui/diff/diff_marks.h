// What a comparison says of the nodes and lines of one of its two sides: pure functions of values.
#pragma once

#include "app/gui/canvas/graph_picture.h"
#include "app/gui/document/opened_state.h"
#include "engine/session/diff.h"
#include "engine/session/places.h"

namespace partita {

enum class DiffSideName : uint8_t { Before, After };

/// By expression of that side's module.
std::vector<DiffMark> diff_marks(const ModuleDiff& diff, const Module& before, const Module& after, DiffSideName side);
/// By node of a graph. A call of a function shows what happened inside, if all of it is the same kind: else Changed.
std::vector<DiffMark> node_marks(const GraphModel& model, const std::vector<DiffMark>& marks);

/// Where a side's operators go. `backends` are the names by which both sides number theirs.
void mark_places(const GraphModel& model, const ModulePlaces& places, const QStringList& backends,
                 GraphDecoration& decoration);
/// Marks the edges of a merged or partitioned module across which the flow that made it refused a merge. `refused`
/// names expressions of the flow's input. To be called after mark_places.
void mark_refused_by_origin(const GraphModel& model, const RefusedMerges& refused, GraphDecoration& decoration);

/// One line of the list of differences.
struct DiffEntry {
    DiffMark mark = DiffMark::Changed;
    QString text;
    ExprId before, after;          ///< at least one is valid, but for functions and outputs
    std::vector<DiffEntry> alike;  ///< of one that stands for what is alike in several blocks: each of them
};
/// What was removed, added and changed, in this order, but at most `most`, those in `alike` included.
std::vector<DiffEntry> diff_entries(const ModuleDiff& diff, const DiffedModule& before, const DiffedModule& after,
                                    size_t most);
/// How many there would be without a limit.
size_t count_of_entries(const ModuleDiff& diff);
/// How many these are, those in `alike` included.
size_t count_of_entries(const std::vector<DiffEntry>& entries);

}  // namespace partita
