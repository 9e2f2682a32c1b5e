// What happened in a run, step by step: the trace, and the memory that each step holds. Neither is made for runs of
// more than 200,000 steps; a trace ends there.
#pragma once

#include <span>
#include <unordered_map>

#include "engine/program/straight_line.h"
#include "engine/runtime/region_table.h"

namespace partita {

class RunEvents {
public:
    RunEvents(const Module& module, const RegionTable& regions) : module_(module), regions_(regions) {}

    /// `step_ms`: the time of each step of the line's graph.
    std::vector<TraceEvent> trace(const StraightLine& line, std::span<const double> step_ms) const;
    /// Names what the plan of the memory is for.
    MemoryUse memory_use(const StraightLine& line) const;

private:
    /// Returns the index of each region in the report, where they follow `default`, if it is present.
    std::unordered_map<ExprId, int> region_places(const FlatGraph& graph) const;
    /// Returns the sub-function that a call is of; invalid for another expression.
    ExprId called_region(ExprId expr) const;
    /// What a region gives comes from what its function gives.
    MemoryUse::Step memory_step(ExprId expr, ExprId function, uint32_t output,
                                const std::unordered_map<ExprId, int>& places) const;
    TraceEvent of_op(const FlatStep& step, double start, double milliseconds) const;
    void add_region(std::vector<TraceEvent>& events, const FlatStep& step, double start, double milliseconds,
                    int region, const std::vector<OpTime>& inside) const;
    TraceEvent event_inside(const OpTime& op, double start, int region) const;

    const Module& module_;
    const RegionTable& regions_;
};

}  // namespace partita
