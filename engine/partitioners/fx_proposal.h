// What partitioners of the torch.fx family propose, and what they have in common: options, counting, turns of backends.
#pragma once

#include <functional>

#include "engine/partitioners/fx_graph.h"

namespace partita {

/// Five texts of torch/fx/passes/infra/partitioner.py, by the release that each is believed to have come with.
enum class TorchVersion : uint8_t { V1_13, V2_0, V2_3, V2_6, Main };

struct FxOptions {
    TorchVersion version = TorchVersion::Main;
    bool horizontal = true;    ///< false: partitions of independent users are not merged (Main only)
    bool single_nodes = true;  ///< false: a partition of one computing node is dropped
    std::vector<std::string_view> non_compute, allowed_single;
};

struct FxPartition {
    std::vector<uint32_t> nodes;  ///< positions, in the original's order; sorted where that has none
    bool dropped = false;         ///< it has one computing node at most
};

/// Why a node that `by` uses is in another partition than `by`.
struct FxBorder {
    enum class Kind : uint8_t {
        Returns,  ///< `between` is outside both partitions, behind one of them and before one of them
        Ended,    ///< the search for the partition of `by` ended at `between` and did not come to `node`
        Turn,     ///< `between` is not taken and had to come before `by`, after the part of `node`
        Struck,   ///< `node` joined the partition of its user `between`, on which that of `by` depends or which depends
                  ///< on it
    };
    uint32_t node, by;
    uint32_t between;
    Kind kind = Kind::Returns;
};

struct FxProposal {
    std::vector<FxPartition> partitions;
    std::vector<FxBorder> borders;  ///< those that were recorded
    std::string error;              ///< with what the original ends
};

/// Returns the nodes of a partition that compute: no view (as 1.13 named it), no getitem, none of `non_compute`; those
/// of `allowed_single` count twice.
size_t computing_nodes(const FxGraph& graph, const std::vector<uint32_t>& nodes, const FxOptions& options);

/// Divides among the backends in order, as ExecuTorch's to_backend does: each on a graph in which what those before it
/// took is lowered, a node for each partition.
Result<Division> divide_in_turns(
    const PartitionerInput& input, const FxGraph& graph,
    const std::function<Result<FxProposal>(const FxGraph&, const std::vector<bool>&)>& propose);

/// Records for uses between partitions the node through which a path leaves the two and returns, if there is one.
void find_returning_paths(const FxGraph& graph, FxProposal& proposal);

}  // namespace partita
