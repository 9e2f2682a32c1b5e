// What CapabilityBasedPartitioner of torch.fx proposes, for the partitioners that are built on it.
#pragma once

#include "engine/partitioners/fx_proposal.h"

namespace partita {

/// Fails with "cancelled".
Result<FxProposal> propose_partitions(const FxGraph& graph, const std::vector<bool>& supported,
                                      const FxOptions& options, const CancelToken& cancel);

}  // namespace partita
