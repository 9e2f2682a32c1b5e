#include "engine/backends/dnnl/checked_program.h"

#include "engine/support/large_memory.h"

namespace partita::onednn {

Status CheckedProgram::run(const RegionRun& run) {
    if (program_.is_given_nan(run)) return run_on_default(run);
    const size_t times = run.op_times ? run.op_times->size() : 0;
    NanNotes notes(run.threads.threads());
    Status done = program_.run(run, notes);
    if (!notes.any() || !done) return done;
    if (run.op_times) run.op_times->resize(times);
    return run_on_default(run);
}

Status CheckedProgram::run_on_default(const RegionRun& run) {
    if (!on_default_) {
        FlatGraph graph = graph_;
        graph.outputs.insert(graph.outputs.end(), graph.observed.begin(), graph.observed.end());
        graph.observed.clear();
        Result<std::unique_ptr<StraightLine>> made = StraightLine::make(module_, std::move(graph), kept_);
        if (!made) return made.error();
        on_default_ = std::move(*made);
    }
    const std::shared_ptr<void> workspace = allocate_large(on_default_->workspace_bytes());
    RegionRun again = run;
    again.workspace = workspace.get();
    std::vector<double> milliseconds(graph_.steps.size());
    Status done = on_default_->run(again, run.op_times ? milliseconds.data() : nullptr);
    if (!done || !run.op_times) return done;
    for (size_t i = 0; i < milliseconds.size(); ++i) {
        const FlatStep& step = graph_.steps[i];
        run.op_times->push_back({step.expr, milliseconds[i], step.region});
        for (const OpTime& time : on_default_->region_op_times()[i])
            run.op_times->push_back({time.expr, time.milliseconds, step.region, true});
    }
    return done;
}

}  // namespace partita::onednn
