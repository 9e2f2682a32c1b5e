// The sub-functions of a module, compiled: each by the backend that its name asks for, or by `default` with a notice.
#pragma once

#include <deque>
#include <functional>
#include <unordered_map>

#include "engine/program/backend.h"
#include "engine/program/flat_graph.h"
#include "engine/runtime/beside_default.h"
#include "engine/runtime/run.h"

namespace partita {

struct Region {
    ExprId function;
    RegionTiming report;  ///< all but the times
    std::unique_ptr<CompiledRegion> compiled;
    std::vector<ExprId> ops;                        ///< the calls that it consists of
    Diagnostic failure;                             ///< why not even `default` takes it; compiled is then null
    RegionBesideDefault* beside_default = nullptr;  ///< `compiled`, where it is one
};

class RegionTable {
public:
    RegionTable(const Module& module, const RunOptions& options)
        : module_(module), options_(options), threads_(options.threads) {}

    /// The region of a function, compiled when it is asked for the first time. `known_inputs` as in CompileOptions.
    Region& compile(ExprId function, std::vector<TensorView> known_inputs);
    /// The region of a function, without compiling it: a plan will run it, or `compile` is called later.
    Region& add(ExprId function);
    /// The name of the backend that is asked to execute a function.
    std::string executor(ExprId function) const;
    /// The region of a function, if it was compiled before.
    Region* find(ExprId function);
    std::deque<Region>& regions() { return regions_; }

private:
    void describe(Region& region) const;
    void put_beside_default(Region& region, const CompileOptions& options);
    bool try_backend(Region& region, const std::string& name, const CompileOptions& options);

    const Module& module_;
    const RunOptions& options_;
    int threads_;
    std::deque<Region> regions_;
    std::unordered_map<ExprId, Region*> by_function_;
};

}  // namespace partita
