// Blocks that come again and again in a graph, one behind the other: the layers of a deep network.
//
// A run of blocks is found by the kind of operator that comes at the same distance most often. Blocks begin where the
// fewest values cross from one to the next. A block may differ from the others: what it has more or less changes
// neither the run nor the other blocks. Linear in the operators for each of at most kMostCallRuns runs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

inline constexpr int kMostCallRuns = 16;

/// At least three blocks. Positions in the order that was given.
struct CallRun {
    std::vector<uint32_t> begins;  ///< of each block, ascending
    uint32_t end = 0;              ///< of the last block

    uint32_t end_of(size_t block) const { return block + 1 < begins.size() ? begins[block + 1] : end; }
};

/// Operators in graph order: operands before users.
struct OperatorSequence {
    std::vector<ExprId> calls;
    std::vector<uint64_t> kinds;     ///< equal for equal operators
    std::vector<uint32_t> last_use;  ///< position of each one's last user; its own if there is none
};
/// Runs are in order and do not overlap.
std::vector<CallRun> find_call_runs(const OperatorSequence& operators);

/// Where an expression stands among blocks.
struct BlockPlace {
    int32_t run = -1;    ///< -1: in no block
    uint32_t block = 0;  ///< from 0
    uint64_t like = 0;   ///< equal for expressions at the same place in two blocks of a run
};

/// The blocks of a module's calls. Tuples, constants and the like go with their first user in a block.
class ModuleBlocks {
public:
    /// No blocks.
    ModuleBlocks() = default;
    /// `calls` in graph order.
    ModuleBlocks(const Module& module, std::span<const ExprId> calls);
    ModuleBlocks(const Module& module, const OperatorSequence& operators);

    bool empty() const { return sizes_.empty(); }
    BlockPlace place(ExprId id) const { return id.value < places_.size() ? places_[id.value] : BlockPlace(); }
    /// Returns the number of blocks of a run.
    uint32_t blocks(int32_t run) const { return sizes_[size_t(run)]; }

private:
    void place_calls(const Module& module, const OperatorSequence& operators, const CallRun& run);
    void place_others(const Module& module);

    std::vector<BlockPlace> places_;  ///< by ExprId; empty without runs
    std::vector<uint32_t> sizes_;     ///< by run
};

}  // namespace partita
