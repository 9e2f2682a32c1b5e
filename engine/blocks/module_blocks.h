// The blocks of a module's calls, as the window shows them by structure, for text and panels.
#pragma once

#include "engine/blocks/module_graph.h"

namespace partita {

/// Where an expression stands among blocks.
struct BlockPlace {
    int32_t run = -1;    ///< -1: in no block
    uint32_t block = 0;  ///< from 0
    uint64_t like = 0;   ///< equal for expressions at the same place in two blocks of a run
};

/// Operators of one name that a block has more than the usual one of its run, or fewer.
struct OperatorDifference {
    std::string name;
    int32_t more = 0;  ///< below 0: fewer
};

struct BlockRunSummary {
    struct Differing {
        uint32_t block = 0;                   ///< from 0
        std::vector<OperatorDifference> how;  ///< empty: wired in another way
    };

    uint32_t letter = 0;  ///< of the blocks: see block_letter
    uint32_t blocks = 0;
    uint32_t alike = 0;                ///< blocks with the same operators, wired in the same way
    std::vector<Differing> differing;  ///< the others
};

/// Of blocks within blocks the outermost count. Runs of single operators are none. Constants, literal functions and
/// what lies in them go with their first user in a block.
class ModuleBlocks {
public:
    /// No blocks.
    ModuleBlocks() = default;
    /// Linear but for sorting.
    explicit ModuleBlocks(const Module& module);
    /// The same with the module's graph made in another way.
    ModuleBlocks(const Module& module, const ModuleGraph& graph);

    bool empty() const { return runs_.empty(); }
    BlockPlace place(ExprId id) const { return id.value < places_.size() ? places_[id.value] : BlockPlace(); }
    /// Returns the number of blocks of a run.
    uint32_t blocks(int32_t run) const { return runs_[size_t(run)].blocks; }
    const std::vector<BlockRunSummary>& runs() const { return runs_; }
    /// Returns the calls in a run's blocks, ascending. Linear in the module.
    std::vector<ExprId> calls(const Module& module, int32_t run) const;

private:
    void place_run(const ModuleGraph& graph, const struct RunBlocks& run);
    void describe_run(const ModuleGraph& graph, const struct RunBlocks& run, uint32_t letter);
    void place_others(const Module& module, const ModuleGraph& graph);

    std::vector<BlockPlace> places_;  ///< by ExprId; empty without runs
    std::vector<BlockRunSummary> runs_;
};

}  // namespace partita
