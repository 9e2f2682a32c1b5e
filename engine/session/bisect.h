// Finding the culprit: which operator of which region gives other values than `default` does from the same inputs, or
// which part of a region its compiler refuses.
//
// The first wrong region is found by running each beside `default`. It is then a module of its own, with the inputs
// that it had. First all its inner values become outputs, which changes no border inside: one run shows the first that
// is wrong though all before it are right. Where that makes the fault vanish (a fault of fused operators) or the
// compiler refuses, the region is cut: the shortest run of operators, in an order in which they can run, that still
// shows the fault is found by halving at both ends, and what stands in it without need is taken out (delta debugging:
// Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE TSE 2002). Of a composite that is
// left, the operators are tried as calls of their own. Where what is wrong is right alone, the shortest run of
// operators that shows it is what is handed on.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/flow/flow.h"
#include "engine/runtime/run.h"
#include "engine/support/sentence.h"

namespace partita {

class RegionAlone;  // engine/passes/region_alone.h

struct Culprit {
    enum class Fault : uint8_t { None, WrongValues, Refused };
    Fault fault = Fault::None;
    std::string region;  ///< name of the sub-function; "" without a fault
    std::string title;   ///< the same for people: "dnnl #3"
    std::string backend;
    std::vector<ExprId> calls;  ///< of the module that the flow started from, in an order in which they run. Several:
                                ///< only together do they show it, or each is wrong by itself
    std::string notice;         ///< what the compiler said of a refused part
    int runs = 0;
    struct Step {
        Sentence what;              ///< what was tried, and what that showed
        std::vector<ExprId> calls;  ///< that were the region, or that it names
        bool shows = false;         ///< the fault
    };
    std::vector<Step> steps;
    std::shared_ptr<const RegionAlone> whole;  ///< the region that was searched; null without a fault
    ModulePtr smallest;                        ///< the calls as a region of their own; null: it could not be cut out
    std::map<std::string, Tensor> inputs;      ///< of `smallest`
};

/// Runs the flow's module by `options`, whose inputs must be complete, and searches the first region that is wrong or,
/// if none is, refused. `told` gets each step when it is done. Fails if a run fails, for modules with control flow, and
/// with "cancelled".
Result<Culprit> find_culprit(const FlowResult& flow, const RunOptions& options, double tolerance,
                             const std::function<void(const Culprit::Step&)>& told = {});

inline constexpr const char* kSmallestModuleFile = "region.relay";
/// Writes the smallest region as a module, with the inputs that show the fault, and a picture of each step: a folder of
/// the program's own. Of very large regions no pictures.
Status write_smallest(const Culprit& culprit, const std::string& folder, bool force = false);

}  // namespace partita
