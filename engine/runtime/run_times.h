// The times of the runs of a measurement, and what is reported of them: by region, and by operator in it.
#pragma once

#include <unordered_map>

#include "engine/program/straight_line.h"
#include "engine/runtime/interpreter.h"
#include "engine/runtime/region_table.h"

namespace partita {

class RunTimes {
public:
    RunTimes(const Module& module, RegionTable& regions) : module_(module), regions_(regions) {}

    /// Adds the time of a whole run; those of its steps or calls follow.
    void add_run(double milliseconds) { whole_ms_.push_back(milliseconds); }
    /// By step for `default`, by function and its operators for regions.
    void add_steps(const StraightLine& line, const std::vector<double>& step_ms);
    /// Of a run by the interpreter.
    void add_calls(const InterpretedTimes& times);

    /// Adds the times of all regions, after add_steps() for each run.
    void report_steps(const FlatGraph& graph, RunReport& report);
    /// The same after add_calls().
    void report_calls(RunReport& report);
    void report_layouts(const JointPlan& plan, RunReport& report) const;

private:
    /// Work between ops, any number of times in a run.
    struct Extra {
        std::vector<double> samples;  ///< the sum for each run
        int count = 0;                ///< in the last run

        void add(double milliseconds, size_t runs) {
            if (samples.size() < runs) {
                samples.resize(runs);
                count = 0;
            }
            samples.back() += milliseconds;
            ++count;
        }
    };

    void add_changes(const JointPlan& plan);
    OpTiming op_timing(ExprId expr, const std::vector<double>& samples) const;
    double bytes_of(ExprId call) const;
    void add_op(RegionTiming& region, ExprId call, const std::vector<double>& samples) const;
    RegionTiming start_default_region() const;
    void report_regions(RunReport& report);

    const Module& module_;
    RegionTable& regions_;
    std::vector<double> whole_ms_, default_samples_, step_samples_, copy_samples_;
    std::unordered_map<ExprId, std::vector<double>> region_samples_, op_samples_, call_samples_;
    std::unordered_map<ExprId, Extra> layout_changes_, copies_;  ///< by function
    std::vector<std::vector<double>> change_samples_;            ///< by change of layout
};

}  // namespace partita
