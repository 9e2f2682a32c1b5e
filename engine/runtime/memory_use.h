// What the plan of a run keeps in memory, step by step: intermediate values and the workspaces of regions. Inputs,
// constants and outputs of the module are not part of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

struct MemoryUse {
    struct Step {
        std::string name;     ///< of the operator, or of a sub-function that runs as one step
        int region = -1;      ///< index into RunReport::regions
        ExprId origin;        ///< in the module that the flow started from; may be invalid
        uint32_t number = 0;  ///< of `origin`, as ExpressionNames counts; 0: unknown
    };
    /// Memory that is taken from step `first`, which writes it, to step `last`, the last one that reads it.
    struct Block {
        Step owner;  ///< what makes it
        size_t bytes = 0, offset = 0;
        uint32_t first = 0, last = 0;
        bool workspace = false;  ///< a region's own, whose content the plan does not know
    };

    std::vector<Step> steps;
    std::vector<Block> blocks;  ///< in the order of `first`

    bool empty() const { return steps.empty(); }
    /// Returns the bytes of the blocks that are live at each step.
    std::vector<size_t> live_bytes() const;
    /// Returns the first step with the most live bytes; 0 if there is none.
    size_t peak_step() const;
    /// Returns the indices of the blocks that are live at a step, the largest first.
    std::vector<uint32_t> live_at(size_t step) const;
};

struct RunReport;
/// Returns the memory of a run as JSON: steps with their live bytes, blocks, the peak with its owners.
std::string memory_json(const RunReport& report);

}  // namespace partita
