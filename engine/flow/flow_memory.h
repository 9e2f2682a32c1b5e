// Divides one module repeatedly while a person changes the placement. Keeps what a change leaves valid and computes the
// rest. `run` gives the same result as run_flow.
//
// Simplifying, composites and the verdicts of the rules are kept while module, backends and these options stay the
// same. A change of overrides, region groups or later options then costs placing, annotating, merging and partitioning,
// which are linear: about 10 ms for 10,000 operators (tests/bench/bench_passes.cpp).
//
// May be called on any thread. Owns the last module and the modules made from it.
#pragma once

#include <memory>
#include <mutex>

#include "engine/flow/flow.h"

namespace partita {

struct PreparedFlow;

class FlowMemory {
public:
    Result<FlowResult> run(ModulePtr module, const FlowOptions& options);

private:
    std::shared_ptr<const PreparedFlow> find(const ModulePtr& module, const FlowOptions& options);

    std::mutex mutex_;
    std::shared_ptr<const PreparedFlow> last_;
};

}  // namespace partita
