// Divides one module again and again while a person changes what goes where: keeps what the changes leave as it was,
// and makes the rest anew. What `run` gives is what run_flow gives.
//
// Simplifying, composites and what the rules say of each call are kept as long as module, backends and these options
// stay the same; then a change of overrides, region groups or later options costs placing, annotating, merging and
// partitioning, which are linear: about 10 ms for 10,000 operators (tests/bench/bench_passes.cpp).
//
// May be called on any thread. Holds on to the last module and to the modules made from it.
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
