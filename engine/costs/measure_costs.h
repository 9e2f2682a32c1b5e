// Measures what a table of costs needs, by running the module as it will run: weights as cold and values as warm as in
// any run, layouts as the backends' joint plans choose them.
//
// One run with everything on default, runs in which operators of each kind stand alone on a backend, runs of each
// backend alone, and a few random mixtures. Operators' times come from the backends where they report them; else a
// region's time is shared among its operators. The costs of crossings are what remains of whole runs: fit_crossings.h.
//
// A time is the least of several runs: other work on the machine only adds to it, and the least times of operators add
// up to the least time of the whole, which medians do not.
#pragma once

#include <optional>

#include "engine/costs/best_division.h"
#include "engine/costs/fit_crossings.h"
#include "engine/runtime/run.h"

namespace partita {

class CostMeasurer {
public:
    /// All arguments outlive the measurer. `table` receives the times. `run`: threads, repetitions, inputs; the
    /// backends' codegen is added.
    CostMeasurer(const PlacementTask& task, RunOptions run, CostTable& table);

    /// Divides the module so, runs it, and enters its time and the operators' into the table.
    Result<MeasuredDivision> run(const Labels& labels);
    /// The same without a run, with the time that the table knows. Nothing if it knows none.
    Result<std::optional<MeasuredDivision>> recall(const Labels& labels);
    /// Returns divisions that measure each kind of operator alone on a backend, as far as the table lacks it.
    std::vector<Labels> islands(uint16_t backend) const;
    /// Returns a random division that the rules allow, in runs of neighbours rather than operator by operator.
    Labels mixture(uint64_t seed) const;
    const std::vector<MeasuredDivision>& runs() const { return runs_; }

private:
    std::vector<std::string> of_inputs(uint32_t op, const std::vector<std::string>& by_operand) const;
    void note_layouts(const RunReport& report, const CostedDivision& division);
    void note_times(const FlowResult& flow, const RunReport& report, const CostedDivision& division);
    void choose_repetitions(const RunReport& report);
    void share_out(const RegionTiming& region, const std::vector<uint32_t>& members, const CostedDivision& division);
    bool follows(const CostedDivision& division, uint32_t op) const;
    void add_unit(const CostedDivision& division, uint32_t op, double milliseconds);
    bool is_known(uint32_t op, uint16_t label) const;

    const PlacementTask& task_;
    RunOptions options_;
    CostTable& table_;
    std::vector<int32_t> operator_of_;  ///< by expression of the flow's input
    std::vector<std::string> layouts_;  ///< by operator, as UnitKey: of the run being noted
    std::vector<MeasuredDivision> runs_;
    bool has_run_ = false;  ///< not only recalled runs
};

}  // namespace partita
