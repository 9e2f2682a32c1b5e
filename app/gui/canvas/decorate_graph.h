// Marks a graph with what a division of the module says: backends, regions, refused merges, times. A function of
// values; linear in the graph.
#pragma once

#include <functional>

#include "app/gui/canvas/graph_picture.h"
#include "app/gui/document/document.h"
#include "engine/session/named_module.h"

namespace partita {

struct DecorationInput {
    FlowPtr flow;                          ///< may be null
    NamedModulePtr named;                  ///< the flow's input, for the names of regions; null: they have none
    std::vector<std::string> backends;     ///< names, in order of priority
    RefusedMergesPtr refused;              ///< of the flow; null: none are shown
    SharedValue<HandPlacement> overrides;  ///< newer than the flow, maybe
    bool shown_module = true;              ///< the model is of the flow's input; else of a derived module
    QStringList region_marks;  ///< by region of the flow, where a person or a step speaks of them: see RegionMark::mark
    const std::vector<float>* heat = nullptr;  ///< by expression of the flow's input; null: overlay off
};

/// Whether a flow has regions to show: where it only gave operators to backends, colours say that, and each would be a
/// region of its own.
bool shows_regions(const FlowResult& flow);

GraphDecoration decorate_graph(const GraphModel& model, const DecorationInput& input);

/// Marks the edges across which a merge was refused. `parts`: by node, what was to be merged, -1 none; `part_of` finds
/// that of an expression that `refused` names.
void mark_refused(const GraphModel& model, const RefusedMerges& refused, const std::vector<int32_t>& parts,
                  const std::function<int32_t(ExprId)>& part_of, GraphDecoration& decoration);

/// Gives each of the decoration's regions its label: its name, which is its label before, or else its backend, and how
/// many operators it has.
void name_regions(const GraphModel& model, GraphDecoration& decoration);

/// The division of one decoration's nodes into regions is that of the other: no new layout is needed.
bool same_regions(const GraphDecoration& a, const GraphDecoration& b);

}  // namespace partita
