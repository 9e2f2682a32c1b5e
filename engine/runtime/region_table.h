// The compiled sub-functions of a module: each by the backend that it names, or by `default` with a notice.
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
    RegionTiming report;  ///< everything except the times
    std::unique_ptr<CompiledRegion> compiled;
    std::vector<ExprId> ops;                        ///< its calls
    Diagnostic failure;                             ///< why even `default` cannot compile it; compiled is then null
    RegionBesideDefault* beside_default = nullptr;  ///< `compiled`, if it is one
};

class RegionTable {
public:
    RegionTable(const Module& module, const RunOptions& options)
        : module_(module), options_(options), threads_(options.threads) {}

    /// Returns the region of a function; compiles it on first use. `known_inputs` as in CompileOptions.
    Region& compile(ExprId function, std::vector<TensorView> known_inputs);
    /// Returns the region of a function without compiling it, for a plan or a later `compile`.
    Region& add(ExprId function);
    /// Returns the name of the backend that executes a function.
    std::string executor(ExprId function) const;
    /// Returns the region of a function; null if it is not in the table.
    Region* find(ExprId function) const;
    bool contains(ExprId function) const { return by_function_.count(function) > 0; }
    std::deque<Region>& regions() { return regions_; }
    const std::deque<Region>& regions() const { return regions_; }

private:
    void describe(Region& region) const;
    void put_beside_default(Region& region, const CompileOptions& options);
    bool try_halves(Region& region, const std::string& name, const CompileOptions& options);
    bool try_backend(Region& region, const std::string& name, const CompileOptions& options);

    const Module& module_;
    const RunOptions& options_;
    int threads_;
    std::deque<Region> regions_;
    std::unordered_map<ExprId, Region*> by_function_;
};

}  // namespace partita
