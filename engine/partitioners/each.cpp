#include "engine/partitioners/partitioner.h"

namespace partita {

Result<Division> divide_each(const PartitionerInput& input) {
    Division division;
    for (uint32_t i = 0; i < input.graph.nodes.size(); ++i)
        if (const int backend = input.verdicts.first(NodeId(i)); backend >= 0)
            division.regions.push_back({input.verdicts.backends[size_t(backend)].name, {NodeId(i)}, {}, {}});
    note_borders(input, division, [](NodeId, NodeId) {
        return DivisionNote{{}, {}, SENTENCE("Engine", "each call is a region of its own"), {}};
    });
    return division;
}

}  // namespace partita
