// A program of primitives that treats NaN as the kernels of `default` do.
//
// oneDNN's activations and maxima make numbers of NaN, its softmax makes zeros of them, and where it fills up blocks or
// transforms tiles, an infinity times zero spreads NaN to other elements. Variants without these faults would take up
// to twice the time. A run that met NaN (nan_notes.h) is done again on the kernels of `default`. A run without costs
// nothing, or where NaN would spread, as in tiles, a look at the inputs.
#pragma once

#include <memory>

#include "engine/backends/dnnl/program.h"
#include "engine/program/straight_line.h"

namespace partita::onednn {

class CheckedProgram {
public:
    /// `kept` as in Backend::compile_plan. Module and kept regions outlive the program.
    CheckedProgram(const Module& module, const FlatGraph& graph, std::span<CompiledRegion* const> kept,
                   dnnl::engine engine)
        : module_(module), graph_(graph), kept_(kept.begin(), kept.end()), program_(std::move(engine)) {}

    Program& program() { return program_; }
    const Program& program() const { return program_; }
    Status run(const RegionRun& run);

private:
    Status run_on_default(const RegionRun& run);

    const Module& module_;
    const FlatGraph& graph_;
    std::vector<CompiledRegion*> kept_;
    Program program_;
    std::unique_ptr<StraightLine> on_default_;  ///< made when it is needed first
};

}  // namespace partita::onednn
