// The results of regions, kept as further outputs of a run.
#pragma once

#include "engine/program/flat_graph.h"
#include "engine/runtime/region_table.h"

namespace partita {

class KeptRegions {
public:
    /// Appends the results of regions to the outputs of @main.
    void keep(FlatGraph& graph);
    /// Marks the values of these outputs in a graph with inlined regions. Returns false if a value is missing.
    bool observe(FlatGraph& written_out) const;
    /// Moves them from the outputs of the run to those of its regions.
    void split(RunReport& report, RegionTable& regions) const;

private:
    struct Kept {
        ExprId call, function;
        uint32_t count;
    };
    std::vector<Kept> kept_;
};

}  // namespace partita
