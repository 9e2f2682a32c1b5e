// The times that reports of another program tell, as a run: for all that shows the times of runs.
#pragma once

#include "engine/flow/flow.h"
#include "engine/runtime/run.h"
#include "engine/runtime/run_record.h"
#include "engine/session/divide.h"

namespace partita {

/// Returns the mean times of one run, by the regions of a flow that was divided as reported. The time of a node that
/// became several calls stands with the one that computes most.
RunReport reported_run(const FlowResult& flow);

/// Reads a saved run or, where the file is another program's report of the model, the run that it tells. Fails where a
/// report has no times.
Result<RunRecord> load_run_of(const OpenedInput& opened, const std::string& path);

}  // namespace partita
